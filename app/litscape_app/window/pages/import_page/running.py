"""An import that runs: how far it is, the way to stop, and what is said at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import import_files, import_text
from litscape.jobs.runners import State
from litscape.paper import ImportReport, LibraryChanges
from litscape_app.window.importing import grown, summary
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.pages.report_page import report_page
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count, shorten, time_left

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.importers.base import ReadOptions
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.qtjobs import Entry
    from litscape_app.window.pages.import_page.sources import ImportSource
    from litscape_app.window.pages.page_frame import PageFrame


class ImportProgress(QWidget):
    """Runs one import for a page, which shows this in the place of its form meanwhile.

    The page may let go of an import (:meth:`forget`): it goes on, and its end is told in passing.
    """

    ended = Signal(object)
    """The report of the page's import; None where it did not reach its end."""

    def __init__(self, page: PageFrame) -> None:
        super().__init__()
        self._page, self._session = page, page.session
        self.heading = label()
        self.heading.setFont(page.theme.font("body", bold=True))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the import")
        self.text = Sentence()
        self.hint = label(
            "You can go on reading meanwhile; the list of jobs shows how far it is.",
            "muted",
            wrap=True,
        )
        self.kept = Sentence()
        self.cancel = push_button("Cancel", self._stop, name="Cancel the import")
        self.entry: Entry | None = None
        self.came = 0
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._tell)
        vertical(
            self, self.heading, self.bar, self.text, 4, self.hint, self.kept, 8,
            horizontal(None, self.cancel, 0), 0,
        )  # fmt: skip
        self._session.jobs.updated.connect(self._updated)
        self._session.changed.connect(self._count)

    def run(
        self,
        sources: Sequence[ImportSource],
        *,
        collection: tuple[str, ...] | None = None,
        all_or_nothing: bool = False,
        options: ReadOptions | None = None,
    ) -> None:
        """Start an import; the list grows while papers come in.

        Args:
            sources: several are read as their content says.
            collection: to put the papers into.
            all_or_nothing: whether an import that does not reach its end leaves nothing.
            options: what of the sources to take.
        """
        holder: list[Entry] = []

        def ended() -> None:
            if holder[0].state is State.CANCELLED:
                self._cancelled(holder[0], keeps=not all_or_nothing)

        entry = self._session.work(
            f"Import {shorten(_title(sources), 60)}",
            lambda library, ctx: _run(library, ctx, sources, collection, all_or_nothing, options),
            done=lambda report: self._done(holder[0], report),
            failed=lambda error: self._failed(holder[0], error),
            ended=ended,
            partial=lambda value: grown(self._session, value),
        )
        if entry is not None:
            holder.append(entry)
            self._follow(entry, keeps=not all_or_nothing)

    def forget(self) -> None:
        """Show nothing more of the import; it goes on."""
        self.entry = None
        self._clock.stop()

    # -- while it runs ---------------------------------------------------------------------------

    def _follow(self, entry: Entry, *, keeps: bool) -> None:
        self.entry, self.came = entry, 0
        self.heading.setText(entry.title)
        self.kept.say(
            "If you cancel, what came in by then stays, and can be undone."
            if keeps
            else "If you cancel, nothing of it stays."
        )
        self.cancel.setEnabled(True)
        self._clock.start()
        self._tell()

    def _updated(self, entry: Entry) -> None:
        if entry is self.entry:
            self._tell()

    def _count(self, changes: LibraryChanges) -> None:
        self.came += len(changes.added)

    def _tell(self) -> None:
        entry = self.entry
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
        if self.entry is not None:
            self.entry.handle.cancel()
            self.cancel.setEnabled(False)
            self.text.say("Stopping …")

    # -- its end ---------------------------------------------------------------------------------

    def _over(self, entry: Entry, report: ImportReport | None) -> bool:
        """Let the page go on; whether it still showed this import."""
        mine = self.entry is entry
        if mine:
            self.forget()
            self.ended.emit(report)
        return mine

    def _done(self, entry: Entry, report: ImportReport) -> str:
        self._session.announce(report.changes)
        watched = self.entry is entry and self._page.isVisible()
        self._over(entry, report)
        page, desk = report_page(self._page.desk), self._page.desk

        def show() -> None:
            page.show_report(report)
            desk.show_page("report", again=True)

        if watched:
            show()
        elif page.isVisible() and page.follows:
            page.show_report(report)
            self._session.say(summary(report))
        else:
            self._session.say(summary(report), Offer("Report", show))
        return summary(report)

    def _failed(self, entry: Entry, error: BaseException) -> None:
        self._session.announce(LibraryChanges(structure=True))
        if self._over(entry, None):
            self._page.tell(error, entry.title)
            if self._page.isVisible():
                return
        self._session.trouble(error, entry.title)

    def _cancelled(self, entry: Entry, *, keeps: bool) -> None:
        # What had come in was shown; what was taken back must go from the lists again.
        self._session.announce(LibraryChanges(structure=True))
        came = self.came
        if not self._over(entry, None):
            return
        if keeps and came:
            verb = "stays" if came == 1 else "stay"
            said = f"Cancelled: {count(came, 'paper')} had come in and {verb}."
            self._session.say(said, Offer("Report", self._show_newest))
        else:
            self._session.say("Cancelled: nothing came in.")

    def _show_newest(self) -> None:
        report_page(self._page.desk).show_newest()
        self._page.desk.show_page("report", again=True)


def _title(sources: Sequence[ImportSource]) -> str:
    """What a person calls importing these."""
    first = sources[0].name
    return first if len(sources) == 1 else f"{first} and {len(sources) - 1} more"


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
        return run_apart(
            library,
            import_text,
            ctx,
            first.text,
            kind=first.kind,
            collection=collection,
            all_or_nothing=all_or_nothing,
        )
    alone = len(sources) == 1
    return run_apart(
        library,
        import_files,
        ctx,
        [one.location for one in sources],
        kind=first.kind if alone else None,
        encoding=first.encoding if alone else None,
        options=options,
        collection=collection,
        all_or_nothing=all_or_nothing,
    )
