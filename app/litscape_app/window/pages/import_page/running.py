"""The import itself as a job, and how far it is on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from litscape.jobs.runners import State
from litscape.paper import ImportReport, LibraryChanges
from litscape_app.window.importing import summary
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import shorten, time_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from litscape.importers.base import ReadOptions
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.qtjobs import Entry
    from litscape_app.window.pages.import_page.sources import ImportSource
    from litscape_app.window.session import Session


def title_of(sources: Sequence[ImportSource]) -> str:
    """What a person calls importing these."""
    first = sources[0].name
    return first if len(sources) == 1 else f"{first} and {len(sources) - 1} more"


def start(
    session: Session,
    sources: Sequence[ImportSource],
    *,
    collection: tuple[str, ...] | None,
    all_or_nothing: bool,
    done: Callable[[ImportReport], None],
    failed: Callable[[BaseException], None],
    ended: Callable[[], None],
    options: ReadOptions | None = None,
) -> Entry | None:
    """Start the import; the list grows while papers come in.

    Args:
        session: whose library.
        sources: several are read as their content says.
        collection: to put the papers into.
        all_or_nothing: whether an import that does not reach its end leaves nothing.
        done: called with the report.
        failed: called with the error.
        ended: called last, also when the import was cancelled.
        options: what of the sources to take.
    """

    def reported(report: ImportReport) -> str:
        session.announce(report.changes)
        done(report)
        return summary(report)

    return session.work(
        f"Import {shorten(title_of(sources), 60)}",
        lambda library, ctx: _run(library, ctx, sources, collection, all_or_nothing, options),
        done=reported,
        failed=failed,
        ended=ended,
        partial=lambda value: _grown(session, value),
    )


def _run(
    library: Library,
    ctx: JobContext,
    sources: Sequence[ImportSource],
    collection: tuple[str, ...] | None,
    all_or_nothing: bool,
    options: ReadOptions | None,
) -> ImportReport:
    """Import pasted text, or files; what was chosen for one file holds for that alone."""
    first = sources[0]
    if first.text is not None:
        return library.imports.run_text(
            first.text,
            ctx,
            kind=first.kind,
            collection=collection,
            all_or_nothing=all_or_nothing,
        )
    alone = len(sources) == 1
    return library.imports.run(
        [one.location for one in sources],
        ctx,
        kind=first.kind if alone else None,
        encoding=first.encoding if alone else None,
        options=options,
        collection=collection,
        all_or_nothing=all_or_nothing,
    )


def _grown(session: Session, value: object) -> None:
    if isinstance(value, LibraryChanges) and value:
        session.changed.emit(value)


class ImportProgress(QWidget):
    """What comes in, how far it is, and the way to stop."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.heading = label()
        self.heading.setFont(session.theme.font("body", bold=True))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the import")
        self.text = Sentence()
        self.hint = label(
            "You can go on reading meanwhile; the list of jobs shows how far it is.",
            "muted",
            wrap=True,
        )
        self.cancel = push_button("Cancel", self._stop, name="Cancel the import")
        self._entry: Entry | None = None
        self.came = 0
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._tell)
        vertical(
            self,
            self.heading, self.bar, self.text, 4, self.hint, 8, horizontal(None, self.cancel, 0), 0,
        )  # fmt: skip
        session.jobs.updated.connect(self._updated)
        session.changed.connect(self._count)

    def follow(self, entry: Entry, keeps: bool) -> None:
        """Show how far ``entry`` is; ``keeps`` tells what a cancelled import leaves."""
        self._entry, self.came = entry, 0
        self.heading.setText(entry.title)
        kept = "What came in stays, and can be undone." if keeps else "Nothing of it stays then."
        self.cancel.setToolTip(kept)
        self.cancel.setEnabled(True)
        self._clock.start()
        self._tell()

    def forget(self) -> None:
        """Nothing runs here any more."""
        self._entry = None
        self._clock.stop()

    def _updated(self, entry: Entry) -> None:
        if entry is self._entry:
            self._tell()

    def _count(self, changes: LibraryChanges) -> None:
        self.came += len(changes.added)

    def _tell(self) -> None:
        entry = self._entry
        if entry is None or entry.state.ended:
            return
        progress = entry.progress
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        if entry.state is State.QUEUED:
            self.text.say("Waiting for the job before it")
        elif self.cancel.isEnabled():
            came = f"{self.came:,} papers came in" if self.came else progress.text
            left = time_left(entry.seconds_left)
            self.text.say(" · ".join(part for part in (came, left) if part) or "Starting …")

    def _stop(self) -> None:
        if self._entry is not None:
            self._entry.handle.cancel()
            self.cancel.setEnabled(False)
            self.text.say("Stopping …")
