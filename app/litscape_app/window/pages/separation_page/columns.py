"""Columns of a table that keep room for its first words where the window is narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QTableView

LEAST, ROOMY = 110, 180
"""Pixels that the column that takes what is left has at least, and with the wide columns."""
_ROWS, _FRAME = 12, 4


class Columns(QObject):
    """Wide columns where there is room, tight ones where there is not, else a bar to scroll by."""

    def __init__(
        self, table: QTableView, wide: Sequence[int], tight: Sequence[int] = (), *, extra: int = -1
    ) -> None:
        """Follow the width of a table.

        Args:
            table: the table.
            wide: pixels of each column; the one of 0 takes what is left.
            tight: the same where the window is narrow.
            extra: a column that is left out where it has no room.
        """
        super().__init__(table)
        self._table, self._extra, self._rows = table, extra, _ROWS
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._wide, self._tight = tuple(wide), tuple(tight) or tuple(wide)
        table.viewport().installEventFilter(self)
        self._arrange()

    def take(self, wide: Sequence[int], tight: Sequence[int]) -> None:
        """Other widths."""
        self._wide, self._tight = tuple(wide), tuple(tight)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width."""
        if event.type() is QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        """Share the width."""
        room = self._table.viewport().width()
        widths = self._wide if room - sum(self._wide) >= ROOMY else self._tight
        rest = room - sum(widths)
        header = self._table.horizontalHeader()
        left_out = self._extra >= 0 and rest < LEAST
        for column, width in enumerate(widths):
            header.setSectionHidden(column, left_out and column == self._extra)
            header.resizeSection(column, width or max(LEAST, rest))
        scrolls = rest < (0 if left_out else LEAST)
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        policy = on if scrolls else off
        if policy is not self._table.horizontalScrollBarPolicy():
            self._table.setHorizontalScrollBarPolicy(policy)
            self.fit(self._rows)

    def fit(self, most: int = _ROWS) -> None:
        """As high as its rows, ``most`` at most."""
        self._rows, table = most, self._table
        shown = min(most, table.model().rowCount())
        height = table.horizontalHeader().sizeHint().height() + _FRAME
        if table.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOn:
            height += table.horizontalScrollBar().sizeHint().height()
        table.setFixedHeight(height + shown * table.verticalHeader().defaultSectionSize())
