"""The report page: counts that add up, every issue, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFileDialog, QSplitter, QWidget

from litscape_app.window.exporting import whole_name
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, list_table
from litscape_app.window.pages.report_page.counts import Counts
from litscape_app.window.pages.report_page.detail import IssueDetail
from litscape_app.window.pages.report_page.filters import EarlierImports, Filters
from litscape_app.window.pages.report_page.issues import FILE, IssueModel, issue_tree
from litscape_app.window.pages.report_page.pairs import PAIR_COLUMNS, Pair, PairModel, read_pairs
from litscape_app.window.pages.report_page.reasons import Reason
from litscape_app.window.pages.report_page.words import SAVE_FILTER, as_text, save, sentences
from litscape_app.window.scope import Scope
from litscape_app.window.widgets.basics import label, push_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import count, plain_tooltip, shorten

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from litscape.importers.session import BatchInfo
    from litscape.library import Library
    from litscape.paper import ImportProblem, ImportReport, LibraryChanges, PaperId
    from litscape_app.actions.command import Desk

DUPLICATES = "duplicates"
"""The page on which likely duplicates are merged or kept apart."""
_WIDE = 820
_NONE = "Nothing was imported into this library yet."
"""From this width on the raw text stands beside the issues, else below them."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A report as it was read, with the state of its import."""

    report: ImportReport
    pairs: list[Pair]
    undone: bool = False
    broken_off: bool = False


class ReportPage(PageFrame):
    """What one import did; earlier ones are a choice at the top."""

    def __init__(self, desk: Desk) -> None:
        self.earlier = EarlierImports()
        super().__init__(desk, "Import report", self.earlier)
        self.report: ImportReport | None = None
        self.undone = self.broken_off = False
        self.sources = label(tone="muted", wrap=True, select=True)
        self.counts = Counts(self.theme)
        self.sentences = Sentence(tone="text")
        self.filters = Filters()
        self.model = IssueModel(self.theme, self)
        self.table = issue_tree(self.model)
        self.pairs = PairModel(self)
        self.pair_table = list_table(
            self.pairs, "Papers that may be one work", [width for _title, width in PAIR_COLUMNS]
        )
        self.nothing = Sentence()
        self.detail = IssueDetail(self.session)
        self.papers = push_button("Show its papers", self._show_papers)
        self.review = push_button("Review duplicates…", lambda: desk.show_page(DUPLICATES))
        self.copy = push_button("Copy as text", self._copy, name="Copy the report as text")
        self.store = push_button("Save as…", self._ask_save, name="Save the report as a file")
        self.undo = push_button("Undo this import", self._undo)
        self.follows = True  # the newest, and not one that was chosen
        self._build()
        self._reading, self._listing, self._finding, self._saving, self._pairing = (
            self.session.slot(self) for _ in range(5)
        )
        self._connect()

    def _build(self) -> None:
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(1)
        for stretch, part in ((3, self.table), (2, self.detail)):
            self.split.addWidget(part)
            self.split.setStretchFactor(self.split.count() - 1, stretch)
        buttons = flowing(self.papers, self.review, self.copy, self.store, self.undo)
        self.lists = Switch(self.split, self.pair_table)
        self.shown = QWidget()
        column = vertical(
            self.shown, self.sources, self.counts, self.sentences, 4, self.filters, self.nothing
        )
        column.addWidget(self.lists, 100)
        column.addStretch(1)
        column.addWidget(buttons)
        self.none = QWidget()
        self.empty = label("Reading …", "muted", wrap=True)
        vertical(self.none, self.empty, 0)
        self.parts = Switch(self.none, self.shown)
        self.body.addWidget(self.parts, 1)

    def _connect(self) -> None:
        self._reading.done.connect(self._take)
        self._listing.done.connect(self._list)
        self._pairing.done.connect(self._take_pairs)
        self._finding.done.connect(self._found)
        self._saving.done.connect(lambda name: self.session.say(f"Saved the report as {name}"))
        for slot in (self._reading, self._finding, self._saving):
            slot.failed.connect(self.tell)
        self.earlier.wanted.connect(self._choose_batch)
        self.filters.changed.connect(self._filter)
        self.table.selectionModel().currentChanged.connect(self._show_issue)
        self.table.activated.connect(lambda _index: self._activated())
        self.pair_table.activated.connect(self._go_to_pair)
        self.detail.paper_wanted.connect(self._go_to_paper)
        self.session.opened.connect(self._opened)
        self.session.changed.connect(self._changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is room, the raw text stands beside the issues."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.detail.stand_beside(wide)

    # -- which report ----------------------------------------------------------------------------

    def show_report(self, report: ImportReport) -> None:
        """Show a report that is at hand; an import that changed nothing is kept nowhere else."""
        self._reading.cancel()
        self.follows = True
        self._take(_Read(report, []))
        self._read_list()

    def _choose_batch(self, batch: int) -> None:
        self.follows = False
        self.show_batch(batch)

    def show_batch(self, batch: int) -> None:
        """Show the report of a former import."""
        self.session.read(self._reading, "Read the report", lambda lib, _ctx: _report(lib, batch))

    def show_newest(self) -> None:
        """Show the report of the last import."""
        self.report = None
        self.follows = True
        self.parts.show_part(self.none)
        self._read_list()

    def showEvent(self, event: QShowEvent) -> None:
        """The newest, unless one is shown."""
        super().showEvent(event)
        self._read_list()

    def _read_list(self) -> None:
        self.session.read(
            self._listing, "Read imports", lambda library, _ctx: library.imports.batches()
        )
        self._read_pairs()

    def _read_pairs(self) -> None:
        """What was merged or kept apart meanwhile is no pair of the report any more."""
        report = self.report
        if report is not None:
            self.session.read(
                self._pairing,
                "Read likely duplicates",
                lambda library, _ctx: _open(library, report),
            )

    def _list(self, batches: list[BatchInfo]) -> None:
        self.earlier.show_batches(batches)
        self.empty.setText("Reading …" if batches else _NONE)
        if self.report is None and batches:
            self.show_batch(batches[0].id)
        self.earlier.mark(self._batch)
        mine = next((one for one in batches if one.id == self._batch), None)
        if mine is not None:
            self._show_state(mine.undone, not mine.finished)

    @property
    def _batch(self) -> int | None:
        return self.report.batch if self.report is not None else None

    def _opened(self) -> None:
        self.report = None
        self.earlier.show_batches(())
        self.problem.hide()
        self.parts.show_part(self.none)
        if self.isVisible():
            self._read_list()

    def _changed(self, _changes: LibraryChanges) -> None:
        if self.isVisible():
            self._read_list()

    # -- showing ---------------------------------------------------------------------------------

    def _take(self, read: _Read) -> None:
        self.pairs.show(read.pairs)
        self._show_report(read)
        self.filters.show_pairs(len(read.pairs))

    def _take_pairs(self, found: tuple[ImportReport, ImportReport, list[Pair]]) -> None:
        """Pairs of the report that is shown, as they stand now; of another one they are late."""
        report, now, pairs = found
        if self.report is not report or self.pairs.pairs == pairs:
            return
        self.report = now
        self.pairs.show(pairs)
        self.filters.show_pairs(len(pairs))
        self.sentences.say("\n".join(sentences(now, self.undone, self.broken_off)), "")

    def _show_report(self, read: _Read) -> None:
        self.problem.hide()
        report = self.report = read.report
        self.earlier.mark(report.batch)
        names = [Path(one).name or one for one in report.sources]
        self.sources.setText(shorten(" · ".join(names), 120))
        self.sources.setToolTip(plain_tooltip("\n".join(report.sources)))
        self.counts.show_report(report)
        self.model.show(report.issues)
        self.table.setColumnHidden(FILE, len({one.source for one in report.issues}) < 2)
        self.parts.show_part(self.shown)
        self._show_state(read.undone, read.broken_off)
        self.filters.show_issues(report.issues)
        self._filter()

    def _show_state(self, undone: bool, broken_off: bool) -> None:
        report = self.report
        if report is None:
            return
        self.undone, self.broken_off = undone, broken_off
        self.sentences.say("\n".join(sentences(report, undone, broken_off)), "")
        there = report.batch is not None
        self.undo.setVisible(there)
        self.undo.setEnabled(not undone and not self._locked())
        self.undo.setText("Undone" if undone else "Undo this import")
        self.papers.setVisible(there and not undone)
        self._show_issue(self.table.currentIndex())

    def _locked(self) -> bool:
        library = self.session.library
        return library is None or library.database.read_only

    def _filter(self) -> None:
        pairs, report = self.filters.pairs, self.report
        self.review.setVisible(pairs and _has_page(DUPLICATES))
        self.lists.show_part(self.pair_table if pairs else self.split)
        self.model.filter(*(("", "") if pairs else self.filters.choice))
        some = bool(self.model.shown)
        self.lists.setVisible(pairs or some)
        for index in self.model.few():
            self.table.expand(index)
        clean = report is not None and not report.issues
        said = "Nothing to remark." if clean else "" if some else "No such issue."
        self.nothing.say("" if pairs else said)
        self.table.setCurrentIndex(self.model.index(0, 0))
        self._show_issue(self.table.currentIndex())

    def _show_issue(self, now: QModelIndex, _before: object = None) -> None:
        item = self.model.item(now)
        about = item.issues[0] if isinstance(item, Reason) else item
        there = about is not None and _has_paper(about) and not self.undone
        self.detail.show_item(item, there)

    # -- acting ----------------------------------------------------------------------------------

    def _activated(self) -> None:
        """Enter or a double click: a reason unfolds by itself, an issue leads to its paper."""
        if not isinstance(self.model.item(self.table.currentIndex()), Reason):
            self._go_to_paper()

    def _go_to_paper(self) -> None:
        item, batch = self.model.item(self.table.currentIndex()), self._batch
        if item is None or not self.detail.go.isEnabled():
            return
        issues = tuple(item.issues) if isinstance(item, Reason) else (item,)
        title = item.title if isinstance(item, Reason) else ""
        self.session.read(
            self._finding,
            "Find the paper",
            lambda library, _ctx: (title, library.imports.papers_of(batch, issues)),
        )

    def _found(self, found: tuple[str, list[PaperId]]) -> None:
        title, papers = found
        if not papers:
            self.session.say("This line belongs to no paper of the library any more.")
            return
        self.desk.leave_page()
        if title:
            from litscape.paper import PaperFilter

            flt = PaperFilter(ids=frozenset(papers))
            self.desk.table.show_scope(Scope("import", shorten(title, 60), None, flt))
        else:
            self.desk.table.go_to(papers[0])

    def _go_to_pair(self, index: QModelIndex) -> None:
        self.desk.leave_page()
        self.desk.table.go_to(self.pairs.pairs[index.row()][index.column()].id)

    def _show_papers(self) -> None:
        from litscape.paper import PaperFilter

        batch = self._batch
        if batch is None:
            return
        place = Scope("import", "Papers of this import", batch, PaperFilter(batch=batch))
        self.desk.leave_page()
        self.desk.table.show_scope(place)

    def _copy(self) -> None:
        if self.report is None:
            return
        shown = () if self.filters.pairs else self.model.shown
        text = as_text(self.report, shown, self.pairs.pairs, self.sentences.text())
        QGuiApplication.clipboard().setText(text)
        what = count(len(self.pairs.pairs), "pair") if self.filters.pairs else ""
        self.session.say(f"Copied the report with {what or count(len(shown), 'issue')}")

    def _ask_save(self) -> None:
        name, chosen = QFileDialog.getSaveFileName(
            self, "Save the report", "import report.txt", SAVE_FILTER
        )
        if name:
            suffix = ".json" if "json" in chosen else ".txt"
            path = whole_name(self, name, suffix, (".json", ".txt"))
            if path is not None:
                self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the whole report to a file, beside the window's thread."""
        report, pairs, said = self.report, self.pairs.pairs, self.sentences.text()
        if report is None:
            return

        def write(_ctx: object) -> str:
            save(path, report, pairs, said)
            return path.name

        self.session.look(self._saving, "Save the report", write)

    def _undo(self) -> None:
        batch = self._batch
        if batch is None:
            return
        self.undo.setEnabled(False)
        self.session.write(
            "Undo the import",
            lambda library: library.history.undo_batch(batch),
            "Import undone",
        )
        self._read_list()


def _has_page(name: str) -> bool:
    from litscape_app.window.pages.catalog import PAGES

    return name in PAGES


def _has_paper(issue: ImportProblem) -> bool:
    """Whether an issue is about a record that came in, and not about the file or lost text."""
    about = (issue.citekey, issue.zotero_key, issue.raw)
    return issue.severity != "skipped" and (any(about) or issue.index is not None)


def _open(library: Library, report: ImportReport) -> tuple[ImportReport, ImportReport, list[Pair]]:
    now = replace(report, suggested_merges=library.imports.suggestions(report))
    return report, now, read_pairs(library, now)


def _report(library: Library, batch: int) -> _Read:
    report = library.imports.report(batch)
    state = next((one for one in library.imports.batches() if one.id == batch), None)
    pairs = read_pairs(library, report)
    if state is None:
        return _Read(report, pairs)
    return _Read(report, pairs, state.undone, not state.finished)
