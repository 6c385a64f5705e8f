"""Measuring search: the choice, how far it is, the table with its sentences, former runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import measure_search
from litscape.evaluation.past import past
from litscape.evaluation.records import Wanted
from litscape.evaluation.tasks import TASKS
from litscape.jobs.runners import Lane, State
from litscape_app.window.pages.evaluate_page.tables import (
    PAST_WIDTHS,
    FiguresModel,
    PastModel,
)
from litscape_app.window.pages.page_frame import (
    PageFrame,
    Sentence,
    Switch,
    list_table,
    scroll_area,
)
from litscape_app.window.pages.running import Running
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.evaluation.past import Past
    from litscape.evaluation.records import Held, Part, Report
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry

_PARTS = (
    ("dev", "To choose by", "Queries that every choice may look at"),
    ("test", "Final test", "Other queries, for a final figure: that they were opened is noted"),
)
_HELD = (
    ("auto", "By year if possible"),
    ("year", "By year"),
    ("paper", "By paper"),
)
_SHOWN = (
    ("values", "Values", "Per cent, with 95 % intervals"),
    ("changes", "Against both", "What each changes over search by both, with 95 % intervals"),
)
_ABOUT = (
    "Measures on your own library how well words, meaning and both find what belongs together. "
    "What is to be found is hidden first, in a copy; the library stays as it is."
)
_FIRST, _MEASURE, _WIDEST = 126, 136, 960
_FRAME = 4


class EvaluatePage(PageFrame):
    """The page; measuring runs in a process of its own and outlives a look elsewhere."""

    def __init__(self, desk: Desk) -> None:
        topics = push_button("Topic separation", lambda: desk.show_page("separation", again=True))
        topics.setToolTip("How far labels that you trust keep to themselves in the vectors")
        super().__init__(desk, "Evaluate", topics)
        self.task, self.held = QComboBox(), QComboBox()
        self.task.setAccessibleName("What is measured")
        self.held.setAccessibleName("How links are held out")
        for task in TASKS.values():
            self.task.addItem(task.title, task.name)
        for key, text in _HELD:
            self.held.addItem(text, key)
        self.part = Segments(_PARTS, "Which queries")
        self.about = Sentence()
        self.go = push_button("Measure", self.start, kind="primary")
        self.running = Running("the measurement")
        self.shown = Segments(_SHOWN, "What the table shows")
        self.head, self.said, self.notes = Sentence("", ""), Sentence("", ""), Sentence()
        self.figures = FiguresModel(self.theme, self)
        self.table = list_table(self.figures, "Figures", ())
        self.past = PastModel(self.theme, self)
        self.former = list_table(self.past, "Former measurements", PAST_WIDTHS)
        self.empty = Sentence("Nothing was measured in this library yet.")
        self.entry: Entry | None = None
        self.report: Report | None = None
        self._slot = self.session.slot(self)
        self._lay_out()
        self._connect()
        self._choose()
        self._show(None)

    def _lay_out(self) -> None:
        choosing = QWidget()
        vertical(choosing, flowing(self.task, self.part, self.held, self.go, gap=8), self.about)
        self._choosing = choosing
        self._switch = Switch(choosing, self.running)
        self.result = QWidget()
        vertical(
            self.result, self.head, self.said, horizontal(None, self.shown, 0), self.table,
            self.notes, 12, spacing=8,
        )  # fmt: skip
        column = QWidget()
        column.setMaximumWidth(_WIDEST)
        vertical(
            column, label(_ABOUT, "muted", wrap=True), self._switch, 12, self.result,
            heading(self.theme, "Former measurements"), self.empty, self.former, 0, spacing=8,
        )  # fmt: skip
        inner = QWidget()
        ground(inner, "reading")
        horizontal(inner, column, spacing=0)
        self.body.addWidget(scroll_area(inner), 1)

    def _connect(self) -> None:
        self.task.currentIndexChanged.connect(lambda _row: self._choose())
        self.part.chosen.connect(lambda _key: self._choose())
        self.shown.chosen.connect(lambda _key: self._show(self.report))
        self.former.selectionModel().currentRowChanged.connect(lambda *_rows: self._look_back())
        self._slot.done.connect(self._list)
        self._slot.failed.connect(lambda error: self.tell(error, "List measurements"))
        self.session.opened.connect(self._opened)
        self.session.jobs.updated.connect(self.running.follow)

    # -- the choice ------------------------------------------------------------------------------

    @property
    def wanted(self) -> Wanted:
        """What is chosen."""
        part: Part = "test" if self.part.choice == "test" else "dev"
        held: Held = self.held.currentData()
        return Wanted(self.task.currentData(), part, held)

    def _choose(self) -> None:
        task = TASKS[self.task.currentData()]
        more = " That the test was opened is noted for good." if self.wanted.part == "test" else ""
        self.about.say(f"{task.about}{more}")
        self.held.setEnabled(task.of_papers)
        library = self.session.library
        self.go.setEnabled(library is not None)

    # -- measuring -------------------------------------------------------------------------------

    def start(self) -> None:
        """Measure what is chosen."""
        self.problem.hide()
        wanted = (self.wanted,)
        holder: list[Entry] = []
        entry = self.session.work(
            f"Measure: {self.task.currentText()}",
            lambda library, ctx: run_apart(library, measure_search, ctx, wanted),
            Lane.READ,  # minutes in a process of its own: what is written meanwhile must not wait
            done=self._done,
            failed=lambda error: self._ended(holder[0], error),
            ended=lambda: self._ended(holder[0], None),
        )
        if entry is not None:
            holder.append(entry)
            self.entry = entry
            self.running.begin(entry)
            self._switch.show_part(self.running)

    def _done(self, reports: tuple[Report, ...]) -> str:
        (report,) = reports
        self._show(report)
        self._read()
        first = report.sentences[0] if report.sentences else ""
        if not self.isVisible():
            self.session.say(first, Offer("Show", self._come_back))
        return first

    def _ended(self, entry: Entry, error: BaseException | None) -> None:
        if entry is not self.entry:
            return
        if error is not None:
            self.tell(error, "Measure search")
            if not self.isVisible():
                self.session.trouble(error, "Measure search")
        elif entry.state is State.CANCELLED:
            self.about.say("Cancelled.")
            self._read()
        if entry.state.ended:
            self.entry = None
            self._switch.show_part(self._choosing)

    def _come_back(self) -> None:
        self.desk.show_page("evaluate", again=True)

    # -- showing ---------------------------------------------------------------------------------

    def _show(self, report: Report | None) -> None:
        self.report = report
        self.result.setVisible(report is not None)
        self.figures.show(report, changes=self.shown.choice == "changes")
        if report is None:
            return
        self.said.say("\n".join(report.sentences), "")
        self.notes.say("\n".join(report.notes))
        there = bool(report.figures)
        for part in (self.table, self.shown):
            part.setVisible(there)
        self.head.setVisible(there)
        if there:
            self.head.say(
                f"{report.title}: {report.queries:,} queries among {report.papers:,} papers, held "
                f"out {report.split}.",
                "muted",
            )
        header = self.table.horizontalHeader()
        for column in range(self.figures.columnCount()):
            header.resizeSection(column, _MEASURE if column else _FIRST)
        rows = self.figures.rowCount() * self.table.verticalHeader().defaultSectionSize()
        bar = self.table.horizontalScrollBar().sizeHint().height()
        self.table.setFixedHeight(header.sizeHint().height() + rows + bar + _FRAME)

    def _opened(self) -> None:
        self.entry = None
        self.problem.hide()
        self._switch.show_part(self._choosing)
        self._show(None)
        self._list(())
        self._choose()
        self._read()

    def _read(self) -> None:
        if self.isVisible():
            self.session.read(
                self._slot, "List measurements", lambda library, _ctx: past(library.database)
            )

    def _list(self, rows: tuple[Past, ...]) -> None:
        self.past.show(rows)
        self.former.setVisible(bool(rows))
        self.empty.setVisible(not rows)

    def _look_back(self) -> None:
        row = self.former.currentIndex().row()
        if 0 <= row < len(self.past.rows) and self.past.rows[row].report is not None:
            self._show(self.past.rows[row].report)

    def showEvent(self, event: QShowEvent) -> None:
        """The measurements as they are now."""
        super().showEvent(event)
        self._choose()
        self._read()
