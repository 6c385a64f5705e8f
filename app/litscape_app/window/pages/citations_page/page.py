"""Citations of the library: what there is, what is missing, and the acts that bring more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from litscape.apart import run_apart
from litscape.apart.tasks import add_links, read_manuscripts, read_pdfs
from litscape.paper import LibraryChanges
from litscape_app.window.adding_cited import CitedAdder
from litscape_app.window.importing import choose_and_import
from litscape_app.window.pages.citations_page import reading
from litscape_app.window.pages.citations_page.manuscripts import ManuscriptsPart
from litscape_app.window.pages.citations_page.missing import Missing
from litscape_app.window.pages.citations_page.overview import Overview
from litscape_app.window.pages.page_frame import PageFrame, Switch
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from litscape.graph.missing import MissingWork
    from litscape.graph.records import AddReport, CitationStats
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.manuscripts.records import ManuscriptReport
    from litscape.paper import PaperId
    from litscape.pdfs.records import PdfReport
    from litscape_app.actions.command import Desk

_PARTS = (
    ("overview", "Overview", "What the library knows of citations"),
    ("missing", "Missing works", "Works that several of your papers cite"),
    ("manuscripts", "Your manuscripts", "What your own texts cite together"),
)
_LISTS = "Links (*.csv *.tsv *.txt);;All files (*)"
_SKIPPED = 3


class CitationsPage(PageFrame):
    """The page; it reads when it is shown and when the library changes while it is."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Citations")
        self.parts = Segments(_PARTS, "Part of the page")
        self.overview = Overview(self.theme)
        self.missing = Missing()
        self.manuscripts = ManuscriptsPart(self.theme)
        self._by_name = dict(
            zip(
                ("overview", "missing", "manuscripts"),
                (self.overview, self.missing, self.manuscripts),
                strict=True,
            )
        )
        self.adder = CitedAdder(self.session)
        self._switch = Switch(*self._by_name.values())
        self.body.addLayout(horizontal(None, self.parts, 0))
        self.body.addWidget(self._switch, 1)
        self._outside = 0
        self._stale = True
        self._slots: dict[str, Any] = {}
        for name, show in (
            ("stats", self._show_stats),
            ("missing", self._show_missing),
            ("manuscripts", self.manuscripts.show_report),
        ):
            slot = self.session.slot(self)
            slot.done.connect(show)
            slot.failed.connect(lambda error: self.tell(error, "Count citations"))
            self._slots[name] = slot
        self._connect()
        self._enable()

    def _connect(self) -> None:
        session = self.session
        self.parts.chosen.connect(lambda key: self._switch.show_part(self._by_name[key]))
        self.overview.wanted.connect(self._fill)
        self.missing.add_wanted.connect(self.adder.add)
        self.missing.citing_wanted.connect(self._go)
        self.manuscripts.read_wanted.connect(self.read_manuscripts)
        self.manuscripts.forget_wanted.connect(self.forget_manuscript)
        session.changed.connect(lambda _changes: self._read_again())
        session.refreshed.connect(self._read_again)
        session.opened.connect(self._opened)

    def show_part(self, name: str) -> None:
        """Show ``overview``, ``missing`` or ``manuscripts``."""
        self.parts.choose(name)
        self._switch.show_part(self._by_name[name])

    # -- reading ---------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Count anew where something changed since."""
        super().showEvent(event)
        self._enable()
        if self._stale:
            self._read()

    def _opened(self) -> None:
        self._read_again()
        self._enable()

    def _read_again(self) -> None:
        self._stale = True
        if self.isVisible():
            self._read()

    def _read(self) -> None:
        self._stale = False
        session = self.session
        session.read(self._slots["stats"], "Count citations", reading.read_stats)
        session.read(self._slots["missing"], "Look for missing works", reading.read_missing)
        session.read(self._slots["manuscripts"], "Read about manuscripts", reading.read_manuscripts)

    def _show_stats(self, stats: CitationStats) -> None:
        self._outside = stats.outside_references
        self.overview.show_stats(stats)
        if not self._slots["missing"].running:
            self.missing.show_works(self.missing.model.works, self._outside)

    def _show_missing(self, works: tuple[MissingWork, ...]) -> None:
        self.missing.show_works(works, self._outside)

    def _enable(self) -> None:
        library = self.session.library
        writable = library is not None and not library.database.read_only
        for key, button in self.overview.buttons.items():
            button.setEnabled(writable or (key == "import" and library is None))
        self.manuscripts.read.setEnabled(writable)
        if library is None:
            self.overview.sentence.say("No library is open.", "")

    def _go(self, ids: tuple[PaperId, ...]) -> None:
        self.desk.leave_page()
        self.desk.table.go_to(ids[-1])

    # -- filling ---------------------------------------------------------------------------------

    def _fill(self, way: str) -> None:
        self.problem.hide()
        self.overview.outcome.say("")
        if way == "import":
            choose_and_import(self.desk)
        elif way == "lookup":
            self.desk.show_page("lookup")
        elif way == "pdfs":
            self._work(
                "Read references of PDFs",
                lambda library, ctx: run_apart(library, read_pdfs, ctx),
                self._pdfs_read,
            )
        else:
            name, _kind = QFileDialog.getOpenFileName(self, "Add a list of links", "", _LISTS)
            if name:
                self.add_list(name)

    def add_list(self, path: str) -> None:
        """Add the links of a two-column file."""
        self._work(
            "Add links",
            lambda library, ctx: run_apart(library, add_links, ctx, path),
            self._added,
        )

    def read_manuscripts(self, folder: str) -> None:
        """Read the manuscripts of a folder."""
        self._work(
            "Read manuscripts",
            lambda library, ctx: run_apart(library, read_manuscripts, ctx, folder),
            self._manuscripts_read,
        )

    def forget_manuscript(self, path: str) -> None:
        """Forget what a manuscript cites."""

        def forget(library: Library) -> LibraryChanges:
            library.manuscripts.forget(path)
            return LibraryChanges()

        self.session.write("Forget a manuscript", forget, done=lambda _changes: self._read_again())

    def _work(
        self,
        title: str,
        act: Callable[[Library, JobContext], Any],
        done: Callable[[Any], str],
    ) -> None:
        self.overview.outcome.say(f"{title} …")

        def failed(error: BaseException) -> None:
            self.tell(error, title)

        self.session.work(
            title, act, done=done, failed=failed, ended=lambda: self._clear(f"{title} …")
        )

    def _clear(self, said: str) -> None:
        if self.overview.outcome.text() == said:
            self.overview.outcome.say("")

    def _say(self, said: str, changes: LibraryChanges) -> str:
        self.session.announce(changes)
        self.overview.outcome.say(said, "good" if changes else "")
        if not self.isVisible():
            self.session.say(said, Offer("Undo", self.session.undo) if changes else None)
        return said

    def _added(self, report: AddReport) -> str:
        parts = [f"{count(report.added, 'link')} added"]
        if report.references:
            parts.append(f"{count(report.references, 'reference')} to works outside the library")
        if report.known:
            parts.append(f"{report.known:,} known before")
        if report.skipped:
            parts.append(f"{len(report.skipped):,} skipped")
        lines = [f"{count(report.lines, 'line')}: {', '.join(parts)}."]
        lines += [f"Line {one.line}: {one.text}: {one.why}." for one in report.skipped[:_SKIPPED]]
        if len(report.skipped) > _SKIPPED:
            lines.append(f"… and {len(report.skipped) - _SKIPPED:,} more.")
        return self._say("\n".join(lines), report.changes)

    def _pdfs_read(self, report: PdfReport) -> str:
        said = (
            f"{count(report.read, 'PDF')} read: {count(report.references, 'reference')} of "
            f"{count(report.papers, 'paper')}, {count(report.links, 'new link')}."
            if report.read
            else "No paper without references has a PDF that gave any."
        )
        if report.unread:
            said += f" Of {count(len(report.unread), 'file')} nothing was taken."
        return self._say(said, report.changes)

    def _manuscripts_read(self, report: ManuscriptReport) -> str:
        parts = [f"{count(report.read, 'manuscript')} read"]
        if report.unchanged:
            parts.append(f"{report.unchanged:,} unchanged")
        if report.gone:
            parts.append(f"{len(report.gone):,} gone and forgotten")
        if report.left_out:
            parts.append(f"{len(report.left_out):,} left out")
        said = f"{', '.join(parts)}."
        self._read_again()
        self.session.say(said)
        return said
