"""Topic separation: labels chosen, measured beside the window, told with the papers behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QLayout, QTableView, QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import measure_separation
from litscape.jobs.runners import Lane, State
from litscape_app.window.pages.page_frame import (
    PageFrame,
    Sentence,
    list_table,
    scroll_area,
)
from litscape_app.window.pages.separation_page import rows
from litscape_app.window.pages.separation_page.choosing import ChoiceBox, Choices, read_choices
from litscape_app.window.pages.separation_page.columns import Columns
from litscape_app.window.pages.separation_page.heat_view import HeatView
from litscape_app.window.pages.separation_page.overlap_box import OverlapBox
from litscape_app.window.scope import Scope
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, QRect
    from PySide6.QtGui import QShowEvent

    from litscape.paper import PaperId
    from litscape.separation.records import SeparationReport, Wanted
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry

_ABOUT = (
    "Holds labels that you trust against what the model makes of the papers. Every figure comes "
    "from the full vectors: a map by t-SNE, UMAP or PCA is only a picture of them, and no figure "
    "is taken from it."
)
_HEAT = (
    "Clusters of k-means (rows, named by what they hold most) against labels: how many papers "
    "are in both, the stronger the larger their share of the cluster. A cell or a name opens its "
    "papers."
)
_MISFILED = (
    "Most of the nearest neighbours of these papers carry another label than they do: filed in "
    "the wrong place, on two subjects, or rightly where they are. Enter or a double click goes "
    "to the paper."
)
_SHOWN = (
    ("values", "Values", "With 95 % intervals"),
    ("changes", "Against the first", "What each model changes over the first, same papers"),
)
_WIDEST = 980
_BEAT_MS = 15
"""Between the making of two parts: what was pressed meanwhile comes first."""
_NEAR = (0, 126, 84, 170), (0, 112, 66, 160)
_CLUSTERS = (110, 122, 122, 122, 0), (104, 114, 114, 114, 0)
_CHANGES = (110, 160, 160, 160, 0), (104, 150, 150, 150, 0)
_LABELS = (0, 58, 104, 66, 160, 110, 50), (0, 54, 100, 58, 156, 100, 50)
_MISFILED_WIDTHS = (0, 150, 150, 60), (0, 106, 122, 56)
_PAST = (100, 0, 64, 118, 128), (92, 0, 56, 96, 112)


class SeparationPage(PageFrame):
    """The page; measuring runs in a process of its own and outlives a look elsewhere."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Topic separation")
        self.choice = ChoiceBox()
        self.result = QWidget()
        self._column = vertical(self.result, spacing=8)
        self._columns: dict[QTableView, Columns] = {}
        self.past, self.former = self._table("Former measurements", rows.PAST_HEADS, _PAST)
        self.empty = Sentence("No labels of this library were measured yet.")
        self.entry: Entry | None = None
        self.report: SeparationReport | None = None
        self.reports: tuple[SeparationReport, ...] = ()
        self._slot = self.session.slot(self)
        self._lay_out()
        self._connect()
        self._left: list[Callable[[], None]] = [
            self._make_figures, self._make_clusters, self._make_labels, self._make_picture,
            self._make_misfiled, self._make_overlap,
        ]  # fmt: skip
        self._making = QTimer(self)
        self._making.timeout.connect(self._make_next)
        self._making.start(_BEAT_MS)
        self.show_report(None)

    # -- what a measurement is shown in: made a part a beat, or all when there is one --------------

    def _make_next(self) -> None:
        self._left.pop(0)()
        if not self._left:
            self._making.stop()

    def _make_all(self) -> None:
        while self._left:
            self._make_next()

    def _add(self, *parts: QWidget | QLayout | int) -> None:
        for part in parts:
            if isinstance(part, QWidget):
                self._column.addWidget(part)
            elif isinstance(part, QLayout):
                self._column.addLayout(part)
            else:
                self._column.addSpacing(part)

    def _make_figures(self) -> None:
        self.said, self.head = Sentence("", ""), Sentence()
        self.shown = Segments(_SHOWN, "What the tables show")
        self.shown.chosen.connect(lambda _key: self._fill())
        self.near, self.near_table = self._table("Neighbours", rows.NEAR_HEADS, _NEAR)
        # Versions of a model differ in their last letters.
        self.near_table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._add(self.said, self.head, horizontal(None, self.shown, 0), self.near_table)

    def _make_clusters(self) -> None:
        self.clusters, self.cluster_table = self._table(
            "Clusters against labels", rows.CLUSTER_HEADS, _CLUSTERS
        )
        self._add(self.cluster_table, 8)

    def _make_labels(self) -> None:
        self.labels, self.label_table = self._table("Labels", rows.LABEL_HEADS, _LABELS)
        self.label_table.activated.connect(lambda index: self._open_label(index.row()))
        self._add(heading(self.theme, "Label by label"), self.label_table, 8)

    def _make_picture(self) -> None:
        self.heat = HeatView(self.theme)
        self.heat.opened.connect(self.open_papers)
        self.heat.moved.connect(self._show_cell)
        self.heat.fitted.connect(self._fit_picture)
        around = QWidget()
        ground(around, "reading")
        horizontal(around, self.heat, 0)
        self._picture = scroll_area(around)
        self._picture.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._picture.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._picture.viewport().installEventFilter(self)
        about = label(_HEAT, "muted", wrap=True)
        self._add(heading(self.theme, "Clusters and labels"), about, self._picture, 8)

    def _make_misfiled(self) -> None:
        self.misfiled, self.misfiled_table = self._table(
            "Papers that may be misfiled", rows.MISFILED_HEADS, _MISFILED_WIDTHS
        )
        self.misfiled_table.activated.connect(lambda index: self._go_to_misfiled(index.row()))
        self.misfiled_head = Sentence("", "")
        self.list_misfiled = push_button("List them all", self._list_misfiled)
        self._add(
            heading(self.theme, "Misfiled?"), self.misfiled_head,
            label(_MISFILED, "muted", wrap=True), self.misfiled_table,
            horizontal(None, self.list_misfiled, 0), 8,
        )  # fmt: skip

    def _make_overlap(self) -> None:
        self.overlap, self.notes = OverlapBox(self.session), Sentence()
        self.overlap.opened.connect(self.open_papers)
        self.overlap.followed.connect(self._go_to)
        self.overlap.failed.connect(lambda error: self.tell(error, "Compare two labels"))
        self._add(
            heading(self.theme, "Overlap of two labels"), self.overlap, 8,
            heading(self.theme, "What to know"), self.notes, 12,
        )  # fmt: skip

    def _table(
        self, name: str, heads: tuple[tuple[str, str], ...], widths: tuple[tuple[int, ...], ...]
    ) -> tuple[rows.RowsModel, QTableView]:
        words = {"Carries", "Neighbours carry", "Next label", "Labels", "When", "What it says"}
        right = [place for place, head in enumerate(heads) if place and head[0] not in words]
        model = rows.RowsModel(self.theme, heads, right, self)
        table = list_table(model, name, ())
        extra = len(heads) - 1 if heads is rows.CLUSTER_HEADS else -1
        self._columns[table] = Columns(table, *widths, extra=extra)
        return model, table

    def _lay_out(self) -> None:
        column = QWidget()
        column.setMaximumWidth(_WIDEST)
        vertical(
            column, label(_ABOUT, "muted", wrap=True), self.choice, 8, self.result,
            heading(self.theme, "Former measurements"), self.empty, self.former, 0, spacing=8,
        )  # fmt: skip
        inner = QWidget()
        ground(inner, "reading")
        horizontal(inner, column, spacing=0)
        self._inner, self._area = inner, scroll_area(inner)
        self.body.addWidget(self._area, 1)

    def _connect(self) -> None:
        self.choice.wanted.connect(self.start)
        self.former.selectionModel().currentRowChanged.connect(lambda *_rows: self._look_back())
        self._slot.done.connect(self._take)
        self._slot.failed.connect(lambda error: self.tell(error, "Read labels"))
        self.session.opened.connect(self._opened)
        self.session.jobs.updated.connect(self.choice.running.follow)

    # -- measuring -------------------------------------------------------------------------------

    def start(self, wanted: Wanted) -> None:
        """Measure what is chosen."""
        self.problem.hide()
        holder: list[Entry] = []
        entry = self.session.work(
            "Measure topic separation",
            lambda library, ctx: run_apart(library, measure_separation, ctx, wanted),
            Lane.READ,  # minutes in a process of its own: what is written meanwhile must not wait
            done=self._done,
            failed=lambda error: self._ended(holder[0], error),
            ended=lambda: self._ended(holder[0], None),
        )
        if entry is not None:
            holder.append(entry)
            self.entry = entry
            self.choice.run(entry)

    def _done(self, report: SeparationReport) -> str:
        self.show_report(report)
        self._read()
        first = report.sentences[0] if report.sentences else ""
        if not self.isVisible():
            self.session.say(first, Offer("Show", self._come_back))
        return first

    def _ended(self, entry: Entry, error: BaseException | None) -> None:
        if entry is not self.entry:
            return
        if error is not None:
            self.tell(error, "Measure topic separation")
            if not self.isVisible():
                self.session.trouble(error, "Measure topic separation")
        if entry.state.ended:
            self.entry = None
            self.choice.rest("Cancelled." if entry.state is State.CANCELLED else "")

    def _come_back(self) -> None:
        self.desk.show_page("separation", again=True)

    # -- showing ---------------------------------------------------------------------------------

    def show_report(self, report: SeparationReport | None) -> None:
        """Show a measurement."""
        self.report = report
        if report is None:
            self.result.hide()
            if not self._left:
                self.overlap.follow(None)
            return
        self._make_all()
        self.result.show()
        self.overlap.follow(report)
        self.said.say("\n".join(report.sentences), "")
        self.notes.say("\n".join(report.notes))
        there = bool(report.models)
        for part in self.result.findChildren(
            QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
        ):
            if part not in (self.said, self.notes):
                part.setVisible(there)
        if there:
            self.shown.setVisible(len(report.models) > 1)
            self._fill()

    def _fill(self) -> None:
        report = self.report
        if report is None or not report.models:
            return
        changes = self.shown.choice == "changes" and len(report.models) > 1
        self.head.say(
            f"{report.title}: {report.papers:,} papers, {report.seeds} seeds, 95 % intervals."
        )
        self.near.show(rows.near_rows(report, changes=changes))
        self.clusters.show(rows.cluster_rows(report, changes=changes))
        self._columns[self.cluster_table].take(*(_CHANGES if changes else _CLUSTERS))
        self.cluster_table.clearSpans()
        if len(report.models) > 1:
            each = self.clusters.rowCount() // len(report.models)
            for place in range(len(report.models)):
                self.cluster_table.setSpan(place * each, 0, 1, self.clusters.columnCount())
        self.labels.show(rows.label_rows(report))
        self.misfiled.show(rows.misfiled_rows(report.misfiled))
        self.heat.show_heat(report.heat)
        for table in (self.near_table, self.label_table, self.misfiled_table):
            self._columns[table].fit()
        self._columns[self.cluster_table].fit(self.clusters.rowCount())
        total = report.misfiled_total
        who = "1 paper" if total == 1 else f"{total:,} papers"
        more = (
            f"; the {len(report.misfiled):,} clearest are listed"
            if (total > len(report.misfiled))
            else ""
        )
        self.misfiled_head.say(f"{who} of {report.papers:,}{more}." if total else "None.", "")
        self.misfiled_table.setVisible(total > 0)
        self.list_misfiled.setVisible(total > 0)

    def _fit_picture(self) -> None:
        bar = self._picture.horizontalScrollBar().sizeHint().height()
        self._picture.setFixedHeight(self.heat.height() + bar)

    def _show_cell(self, place: QRect) -> None:
        """Bring the cell into view that the keyboard went to."""
        middle = place.center()
        half = place.width() // 2, place.height() // 2
        self._picture.ensureVisible(middle.x(), middle.y(), *half)
        lower = self.heat.mapTo(self._inner, middle)
        self._area.ensureVisible(lower.x(), lower.y(), 0, place.height())

    def _opened(self) -> None:
        self.entry = None
        self.problem.hide()
        self.choice.rest()
        self.show_report(None)
        self._take(Choices())
        self._read()

    def _read(self) -> None:
        if self.isVisible():
            self.session.read(self._slot, "Read labels", lambda library, _: read_choices(library))

    def _take(self, choices: Choices) -> None:
        self.choice.offer(choices)
        self.reports = choices.past
        self.past.show(rows.past_rows(choices.past))
        self._columns[self.former].fit()
        self.former.setVisible(bool(choices.past))
        self.empty.setVisible(not choices.past)

    def _look_back(self) -> None:
        row = self.former.currentIndex().row()
        if 0 <= row < len(self.reports):
            self.show_report(self.reports[row])

    # -- the papers behind it --------------------------------------------------------------------

    def open_papers(self, title: str, papers: tuple[PaperId, ...]) -> None:
        """List papers in the table."""
        from litscape.paper import PaperFilter

        self.desk.search.set_query("")
        self.desk.leave_page()
        flt = PaperFilter(ids=frozenset(papers))
        self.desk.table.search("", "lexical")
        self.desk.table.show_scope(Scope("import", shorten(title, 60), None, flt))

    def _go_to(self, paper: PaperId) -> None:
        self.desk.leave_page()
        self.desk.table.go_to(paper)

    def _go_to_misfiled(self, row: int) -> None:
        if self.report is not None and 0 <= row < len(self.report.misfiled):
            self._go_to(self.report.misfiled[row].paper)

    def _list_misfiled(self) -> None:
        if self.report is not None:
            papers = tuple(one.paper for one in self.report.misfiled)
            self.open_papers("Misfiled?", papers)

    def _open_label(self, row: int) -> None:
        heat = self.report.heat if self.report is not None else None
        if heat is not None and 0 <= row < len(heat.labels):
            self.open_papers(heat.labels[row], heat.column_papers(row))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The picture has another width."""
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.heat.take_room(watched.width())
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """What there is now."""
        super().showEvent(event)
        self._read()
