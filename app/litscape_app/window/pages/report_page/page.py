"""The report page: counts that add up, every issue, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSplitter, QWidget

from litscape_app.window.importing import summary
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, list_table, when
from litscape_app.window.pages.report_page.counts import Counts
from litscape_app.window.pages.report_page.issues import (
    COLUMNS,
    FILE,
    SEVERITIES,
    IssueModel,
    as_text,
)
from litscape_app.window.scope import Scope
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import count, plain_tooltip, shorten

if TYPE_CHECKING:
    from litscape.importers.session import BatchInfo
    from litscape.library import Library
    from litscape.paper import ImportProblem, ImportReport, LibraryChanges
    from litscape_app.actions.command import Desk

_ALL = (("", "All", "All issues"),)


class ReportPage(PageFrame):
    """What one import did; earlier ones are a choice at the top."""

    def __init__(self, desk: Desk) -> None:
        self.earlier = QComboBox()
        self.earlier.setAccessibleName("Earlier imports")
        self.earlier.setMinimumContentsLength(38)
        self.earlier.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        super().__init__(desk, "Import report", self.earlier)
        self.report: ImportReport | None = None
        self.undone = False
        self.sources = label(tone="muted", select=True)
        self.sources.setMinimumWidth(40)
        self.counts = Counts(self.theme)
        self.sentences = Sentence(tone="text")
        self.severity = Segments(
            (*_ALL, *((key, title, title) for key, title in SEVERITIES)), "Severity"
        )
        self.code = QComboBox()
        self.code.setAccessibleName("Kind of issue")
        self.model = IssueModel(self.theme, self)
        self.table = list_table(
            self.model, "Issues of the import", [width for _title, width in COLUMNS]
        )
        self.nothing = Sentence()
        self.message = label(wrap=True, select=True)
        self.raw = QPlainTextEdit()
        self.go = push_button("Go to the paper", self._go_to_paper)
        self.copy = push_button("Copy as text", self._copy)
        self.papers = push_button("Show its papers", self._show_papers)
        self.undo = push_button("Undo this import", self._undo)
        self._build()
        self._reading = self.session.slot(self)
        self._reading.done.connect(lambda found: self._take(*found))
        self._reading.failed.connect(self.tell)
        self._listing = self.session.slot(self)
        self._listing.done.connect(self._list)
        self._finding = self.session.slot(self)
        self._finding.done.connect(self._found)
        self._finding.failed.connect(self.tell)
        self._connect()

    def _build(self) -> None:
        self.raw.setReadOnly(True)
        self.raw.setTabChangesFocus(True)
        self.raw.setMinimumHeight(60)
        self.raw.setAccessibleName("Raw text of the record")
        self.raw.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.raw.setPlaceholderText("The record as its file has it")
        # In a splitter a label of any height would ask for the height it has when it is narrowest.
        self.message.setFixedHeight(2 * self.message.fontMetrics().lineSpacing() + 2)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        below = QWidget()
        line = horizontal(None, self.message, self.go)
        line.setStretch(0, 1)
        vertical(below, line, self.raw, margins=(0, 8, 0, 0))
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        for part in (self.table, below):
            self.split.addWidget(part)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        filters = horizontal(None, self.severity, self.code, 0)
        buttons = horizontal(None, self.papers, self.copy, self.undo, 0)
        self.shown = QWidget()
        column = vertical(
            self.shown, self.sources, self.counts, self.sentences, 4, filters, self.nothing
        )
        column.addWidget(self.split, 1)
        column.addStretch(0)
        column.addLayout(buttons)
        self.none = QWidget()
        self.empty = label("Nothing was imported into this library yet.", "muted", wrap=True)
        vertical(self.none, self.empty, 0)
        self.parts = Switch(self.none, self.shown)
        self.body.addWidget(self.parts, 1)

    def _connect(self) -> None:
        self.earlier.activated.connect(self._chosen)
        self.severity.chosen.connect(lambda _key: self._filter())
        self.code.activated.connect(lambda _row: self._filter())
        self.table.selectionModel().currentRowChanged.connect(self._show_issue)
        self.table.doubleClicked.connect(lambda _index: self._go_to_paper())
        self.session.opened.connect(self._opened)
        self.session.changed.connect(self._changed)

    # -- which report ----------------------------------------------------------------------------

    def show_report(self, report: ImportReport) -> None:
        """Show a report that is at hand; an import that changed nothing is kept nowhere else."""
        self._reading.cancel()
        self._take(report, False)
        self._read_list()

    def show_batch(self, batch: int) -> None:
        """Show the report of a former import."""
        self.session.read(
            self._reading, "Read the report", lambda library, _ctx: _report(library, batch)
        )

    def show_newest(self) -> None:
        """Show the report of the last import."""
        self.report = None
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

    def _list(self, batches: list[BatchInfo]) -> None:
        self.earlier.clear()
        for one in batches:
            self.earlier.addItem(_title(one), one.id)
            self.earlier.setItemData(
                self.earlier.count() - 1,
                plain_tooltip("\n".join(one.sources)),
                Qt.ItemDataRole.ToolTipRole,
            )
        self.earlier.setVisible(bool(batches))
        if self.report is None and batches:
            self.show_batch(batches[0].id)
        self._mark()
        mine = next((one for one in batches if one.id == self._batch), None)
        if mine is not None:
            self._show_state(mine.undone)

    @property
    def _batch(self) -> int | None:
        return self.report.batch if self.report is not None else None

    def _mark(self) -> None:
        self.earlier.setCurrentIndex(self.earlier.findData(self._batch))

    def _chosen(self, row: int) -> None:
        self.show_batch(int(self.earlier.itemData(row)))

    def _opened(self) -> None:
        self.report = None
        self.earlier.clear()
        self.earlier.hide()
        self.problem.hide()
        self.parts.show_part(self.none)
        if self.isVisible():
            self._read_list()

    def _changed(self, _changes: LibraryChanges) -> None:
        if self.isVisible():
            self._read_list()

    # -- showing ---------------------------------------------------------------------------------

    def _take(self, report: ImportReport, undone: bool) -> None:
        self.problem.hide()
        self.report = report
        self._mark()
        names = [Path(one).name or one for one in report.sources]
        self.sources.setText(shorten(" · ".join(names), 120))
        self.sources.setToolTip(plain_tooltip("\n".join(report.sources)))
        self.counts.show_report(report)
        self.model.show(report.issues)
        self.table.setColumnHidden(FILE, len({one.source for one in report.issues}) < 2)
        self._fill_filters(report)
        self.parts.show_part(self.shown)
        self._show_state(undone)
        self._filter()

    def _fill_filters(self, report: ImportReport) -> None:
        for key, title in SEVERITIES:
            number = sum(one.severity == key for one in report.issues)
            button = self.severity.button(key)
            button.setText(f"{title} {number:,}")
            button.setEnabled(bool(number))
        self.severity.choose("")
        self.severity.setVisible(bool(report.issues))
        self.code.clear()
        self.code.addItem("All kinds", "")
        codes: dict[str, int] = {}
        for one in report.issues:
            codes[one.code] = codes.get(one.code, 0) + 1
        for code, number in sorted(codes.items()):
            self.code.addItem(f"{code} ({number:,})", code)
        self.code.setVisible(len(codes) > 1)

    def _show_state(self, undone: bool) -> None:
        report = self.report
        if report is None:
            return
        self.undone = undone
        self.sentences.say("\n".join(_sentences(report, undone)), "")
        there = report.batch is not None
        self.undo.setVisible(there)
        self.undo.setEnabled(not undone and not self._locked())
        self.undo.setText("Undone" if undone else "Undo this import")
        self.papers.setVisible(there and not undone)

    def _locked(self) -> bool:
        library = self.session.library
        return library is None or library.database.read_only

    def _filter(self) -> None:
        self.model.filter(self.severity.choice, str(self.code.currentData() or ""))
        some = bool(self.model.shown)
        self.split.setVisible(some)
        self.copy.setVisible(self.report is not None)
        clean = self.report is not None and not self.report.issues
        self.nothing.say("Nothing to remark." if clean else "" if some else "No such issue.")
        self.table.selectRow(0)
        self._show_issue(self.table.currentIndex())

    def _issue(self) -> ImportProblem | None:
        row = self.table.currentIndex().row()
        return self.model.shown[row] if 0 <= row < len(self.model.shown) else None

    def _show_issue(self, _now: QModelIndex, _before: object = None) -> None:
        issue = self._issue()
        self.message.setText(issue.message if issue else "")
        self.message.setToolTip(plain_tooltip(self.message.text()))
        self.raw.setPlainText((issue.raw or "") if issue else "")
        self.go.setEnabled(issue is not None and _has_paper(issue) and not self.undone)

    # -- acting ----------------------------------------------------------------------------------

    def _go_to_paper(self) -> None:
        issue, batch = self._issue(), self._batch
        if issue is None or not self.go.isEnabled():
            return
        self.session.read(
            self._finding,
            "Find the paper",
            lambda library, _ctx: library.imports.paper_of(batch, issue),
        )

    def _found(self, paper: int | None) -> None:
        if paper is None:
            self.session.say("This line belongs to no paper of the library any more.")
            return
        self.desk.leave_page()
        self.desk.table.go_to(paper)

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
        lines = [", ".join(self.report.sources), summary(self.report), *_sentences(self.report)]
        lines += ["", *map(as_text, self.model.shown)]
        QGuiApplication.clipboard().setText("\n".join(lines).strip() + "\n")
        self.session.say(f"Copied the report with {count(len(self.model.shown), 'issue')}")

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


def _has_paper(issue: ImportProblem) -> bool:
    """Whether an issue is about a record that came in, and not about the file or lost text."""
    about = (issue.citekey, issue.zotero_key, issue.raw)
    return issue.severity != "skipped" and (any(about) or issue.index is not None)


def _report(library: Library, batch: int) -> tuple[Any, bool]:
    undone = next((one.undone for one in library.imports.batches() if one.id == batch), False)
    return library.imports.report(batch), undone


def _title(batch: BatchInfo) -> str:
    names = [Path(one).name or one for one in batch.sources]
    name = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    state = "undone" if batch.undone else f"{batch.counts['added']:,} added"
    if not batch.finished and not batch.undone:
        state = f"broken off, {state}"
    return f"{when(batch.started_at)} · {shorten(name, 40)} · {state}"


def _sentences(report: ImportReport, undone: bool = False) -> list[str]:
    said = []
    if undone:
        said.append("This import was undone: its papers are gone, what it changed is as before.")
    if report.added and report.without_abstract >= report.added:
        said.append("None of them has an abstract: similarity compares their titles only.")
    elif report.without_abstract:
        number = count(report.without_abstract, "paper")
        verb = "has" if report.without_abstract == 1 else "have"
        said.append(f"{number} {verb} no abstract: similarity compares those by title only.")
    if report.suggested_merges:
        pairs = count(len(report.suggested_merges), "pair")
        verb = "may be one work" if len(report.suggested_merges) == 1 else "may be one work each"
        said.append(f"{pairs} of papers {verb}; they were kept apart.")
    if not report.records:
        said.append("There was no record in it.")
    return said
