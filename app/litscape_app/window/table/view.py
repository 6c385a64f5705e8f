"""The table widget: choosing, scrolling, dragging and headers; reads only the rows it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from litscape_app.window.table.delegate import PaperDelegate
from litscape_app.window.table.model import COLUMNS, MIME, Index, PaperTableModel
from litscape_app.window.table.widths import ColumnWidths
from litscape_app.window.widgets.basics import as_list
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from litscape.paper import PaperId
    from litscape_app.window.listing import Ids, Listing
    from litscape_app.window.theme import Theme

_SETTLE_MS = 40
_MIRRORED = 2_000


class PaperTable(QTableView):
    """The papers of one listing."""

    chosen = Signal(object)
    """Ids of the chosen papers, once the choice has settled for a moment."""
    sort_wanted = Signal(str, bool)
    """Sort key and whether descending."""
    opened = Signal(object)
    """A paper to open (double click, Enter)."""
    moved = Signal(object, int)
    """Papers that were dropped inside a list that has an order of its own, and their new place."""
    entered = Signal()
    """The keyboard came into the list."""
    menu_wanted = Signal(object)
    """A place on screen for the context menu."""

    def __init__(self, theme: Theme, model: PaperTableModel) -> None:
        super().__init__()
        self.papers = model
        self.setModel(model)
        self.delegate = PaperDelegate(theme, self)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName("Papers")
        as_list(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.reorders = False
        self._gap = -1
        self._dress_headers()
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(lambda: self.chosen.emit(self.selected_ids()))
        self.selectionModel().selectionChanged.connect(lambda *_: self._settle.start())
        self.doubleClicked.connect(lambda index: self.opened.emit(model.id_at(index.row())))

    def _dress_headers(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(16)
        self.set_lines(2)
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(False)
        header.setMinimumSectionSize(48)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setStretchLastSection(False)
        self.widths = ColumnWidths(self)
        header.sectionClicked.connect(self._header_clicked)
        self.show_order("added", True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title column follows the window's width."""
        super().resizeEvent(event)
        self.widths.fit()

    def set_lines(self, lines: int) -> None:
        """One line a row (compact) or two."""
        self.delegate.lines = lines
        self.verticalHeader().setDefaultSectionSize(self.delegate.row_height())
        self.viewport().update()

    # -- order -------------------------------------------------------------------------------

    def show_order(self, sort: str, descending: bool) -> None:
        """Mark the column that the list is sorted by; none for relevance."""
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        keys = {column.sort: number for number, column in enumerate(COLUMNS) if column.sort}
        self._sort = (sort, descending)
        self.horizontalHeader().setSortIndicator(keys.get(sort, -1), order)

    def _header_clicked(self, section: int) -> None:
        column = COLUMNS[section]
        if not column.sort:
            self.show_order(*self._sort)
            return
        sort, descending = self._sort
        turned = (
            not descending if column.sort == sort else column.key in ("year", "added", "rating")
        )
        self.show_order(column.sort, turned)
        self.sort_wanted.emit(column.sort, turned)

    # -- listings and choice -----------------------------------------------------------------

    def show_listing(self, listing: Listing, keep: bool, follow: bool = False) -> None:
        """Show another list; with ``keep``, the chosen papers stay chosen and in view.

        With ``follow``, the paper below chosen ones that left the list takes their place.
        """
        chosen = self.selected_ids() if keep else ()
        current = self.current_id() if keep else None
        bar = self.verticalScrollBar()
        before = bar.value()
        before_ids = self.papers.ids
        changed = not np.array_equal(before_ids, listing.ids)
        blocked = self.selectionModel().blockSignals(True)
        self.papers.show(listing)
        self.selectionModel().blockSignals(blocked)
        if self.widths.bare != listing.bare:
            self.widths.bare = listing.bare
            self.widths.fit()
        if not changed:
            return
        if keep and follow and chosen and not np.isin(chosen, listing.ids).any():
            near = neighbour(before_ids, chosen, listing.ids)
            chosen, current = ((near,), near) if near is not None else ((), None)
            self._settle.start()
        if keep:
            self.select_ids(chosen, current)
            bar.setValue(before)
        else:
            bar.setValue(0)
        if not keep or chosen != self.selected_ids():  # what was chosen elsewhere is so no more
            self._settle.start()

    def selected_ids(self) -> tuple[PaperId, ...]:
        """The chosen papers in the list's order."""
        ids: list[int] = []
        picked = self.selectionModel().selection()
        spans = [picked.at(number) for number in range(picked.count())]
        for span in sorted(spans, key=lambda span: span.top()):
            ids.extend(self.papers.ids[span.top() : span.bottom() + 1].tolist())
        return tuple(ids)

    def current_id(self) -> PaperId | None:
        """The paper that keys act from."""
        index = self.currentIndex()
        return self.papers.id_at(index.row()) if index.isValid() else None

    def select_ids(self, ids: Iterable[PaperId], current: PaperId | None = None) -> None:
        """Choose those of ``ids`` that are listed."""
        model = self.papers
        rows = sorted(row for one in ids if (row := model.row_of(one)) is not None)
        picked = QItemSelection()
        start = 0
        for end in range(1, len(rows) + 1):
            if end == len(rows) or rows[end] != rows[end - 1] + 1:
                picked.select(
                    model.index(rows[start], 0), model.index(rows[end - 1], len(COLUMNS) - 1)
                )
                start = end
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        at = model.row_of(current) if current is not None else None
        if at is None and rows:
            at = rows[0]
        if at is not None:
            place = model.index(at, 0)
            self.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(picked, flags)

    def mirror(self, ids: Sequence[PaperId]) -> None:
        """Mark the listed ones of papers that were chosen elsewhere, and tell nobody.

        Not while the choice is of very many apart, which takes the widget long: then none is.
        """
        if ids == self.selected_ids():
            return
        self.select_ids(ids if len(ids) <= _MIRRORED else ())
        self._settle.stop()

    def go_to(self, paper_id: PaperId) -> bool:
        """Choose one paper and bring it into view; False where it is not listed."""
        row = self.papers.row_of(paper_id)
        if row is None:
            return False
        self.select_ids((paper_id,), paper_id)
        self.scrollTo(self.papers.index(row, 0))
        return True

    def step(self, by: int) -> None:
        """Move the choice down or up the list."""
        rows = self.papers.rowCount()
        if rows:
            index = self.currentIndex()
            row = max(0, min(rows - 1, index.row() + by)) if index.isValid() else 0
            self.go_to(self.papers.id_at(row))

    def shown_rows(self) -> tuple[int, int]:
        """The first and last row in view, with a page around them."""
        first = self.rowAt(0)
        last = self.rowAt(self.viewport().height() - 1)
        end = self.papers.rowCount() - 1
        return max(0, first), end if last < 0 else min(end, last)

    # -- Qt ----------------------------------------------------------------------------------

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Keep the focus mark's old and new rows fresh."""
        super().currentChanged(current, previous)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens; Home and End go to the ends; typing does not search."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            paper = self.current_id()
            if paper is not None:
                self.opened.emit(paper)
            return
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and not event.modifiers():
            rows = self.papers.rowCount()
            self.step(-rows if event.key() == Qt.Key.Key_Home else rows)
            return
        if event.text() and event.text().isprintable() and not event.modifiers():
            event.ignore()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say that keys now act on what is chosen here."""
        super().focusInEvent(event)
        self.entered.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the chosen papers."""
        self.menu_wanted.emit(event.globalPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The whole row under the pointer is marked, not one cell."""
        self._hover(self.rowAt(round(event.position().y())))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No row is under the pointer."""
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        old, self.delegate.hovered = self.delegate.hovered, row
        if old != row:
            for one in (old, row):
                top, height = self.rowViewportPosition(one), self.rowHeight(one)
                self.viewport().update(0, top, self.viewport().width(), height)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the chosen papers as one small card that says how many."""
        ids = self.selected_ids()
        if not ids:
            return
        drag = QDrag(self)
        drag.setMimeData(self.papers.mime_of(ids))
        text = count(len(ids), "paper")
        metrics = self.fontMetrics()
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(
            round((metrics.horizontalAdvance(text) + 24) * ratio),
            round((metrics.height() + 12) * ratio),
        )
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self.palette().highlight().color())
        painter = QPainter(pixmap)
        painter.setPen(self.palette().text().color())
        painter.setFont(self.font())
        painter.drawText(12, metrics.ascent() + 6, text)
        painter.end()
        drag.setPixmap(pixmap)
        drag.exec(Qt.DropAction.CopyAction)

    # -- an order of its own -----------------------------------------------------------------

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Papers of a list that has an order of its own can be dropped between others."""
        mine = self.reorders and event.source() is self and event.mimeData().hasFormat(MIME)
        self._show_gap(self._gap_at(event.position().toPoint()) if mine else -1)
        if mine:
            event.acceptProposedAction()
        else:  # a file is meant for the window
            event.ignore()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """As when they are moved."""
        self.dragMoveEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """No gap is meant any more."""
        self._show_gap(-1)
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell which papers are to stand where, counted without them."""
        gap = self._gap
        self._show_gap(-1)
        if gap < 0:
            event.ignore()
            return
        event.acceptProposedAction()
        ids = self.selected_ids()
        above = self.papers.ids[:gap]
        self.moved.emit(ids, 1 + int(len(above) - np.isin(above, ids).sum()))

    def _gap_at(self, at: QPoint) -> int:
        """The row before which something is dropped."""
        row = self.rowAt(at.y())
        if row < 0:
            return self.papers.rowCount()
        below = at.y() - self.rowViewportPosition(row) > self.rowHeight(row) / 2
        return row + int(below)

    def _show_gap(self, gap: int) -> None:
        if gap != self._gap:
            self._gap = gap
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows, and a line where something would be dropped."""
        super().paintEvent(event)
        if self._gap >= 0:
            last = self.papers.rowCount() - 1
            row = min(self._gap, last)
            top = self.rowViewportPosition(row) + (self.rowHeight(row) if self._gap > last else 0)
            painter = QPainter(self.viewport())
            painter.fillRect(0, max(0, top - 1), self.viewport().width(), 2, self._accent())
            painter.end()

    def _accent(self) -> QColor:
        return self.palette().link().color()

    def set_column_shown(self, key: str, shown: bool) -> None:
        """Show or hide a column."""
        self.widths.show(key, shown)

    def column_shown(self, key: str) -> bool:
        """Whether a column is to be shown; in a narrow window there may be no room for it."""
        return key in self.widths.wanted


def neighbour(before: Ids, gone: Iterable[PaperId], now: Ids) -> PaperId | None:
    """The paper of ``now`` that stood next below ``gone`` in ``before``, or else next above."""
    places = np.flatnonzero(np.isin(before, list(gone)))
    if not len(places):
        return None
    below = before[places[-1] + 1 :]
    above = before[: places[0]][::-1]
    for side in (below, above):
        left = side[np.isin(side, now)]
        if len(left):
            return int(left[0])
    return None
