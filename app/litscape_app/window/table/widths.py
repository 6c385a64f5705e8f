"""How the table shares its width out: which columns are shown, and how wide each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.window.table.delegate import SIDE
from litscape_app.window.table.model import COLUMN_OF, COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QTableView

LEAST_TITLE, _TITLE = 170, 200
_TITLE_GROWTH = 10
_ARROW = 12
_HIDDEN_AT_FIRST = ("added", "citekey", "type", "rating", "found")
_FOLDED_FIRST = (
    *("collections", "tags", "rating", "type", "added", "citekey", "venue", "authors"),
)
"""In a narrow window, columns without room are left out in this order; the others stay."""


class ColumnWidths:
    """Widths by content and window, until a person sets them by hand.

    Attributes:
        own: whether a person set widths: they stay, and only the title follows the window.
        bare: columns that are empty in the whole library, which need their headings alone.
        wanted: the columns to show, by key, as far as there is room.
    """

    def __init__(self, table: QTableView) -> None:
        self._table = table
        self._header = table.horizontalHeader()
        self._fitting = False
        self._asked: set[str] = set()
        self.own = False
        self.bare: frozenset[str] = frozenset()
        self.wanted = {column.key for column in COLUMNS} - set(_HIDDEN_AT_FIRST)
        self._hide()
        self._header.sectionResized.connect(self._resized)

    def show(self, key: str, shown: bool) -> None:
        """Show or hide a column; one that is asked for is never left out for want of room."""
        (self.wanted.add if shown else self.wanted.discard)(key)
        (self._asked.add if shown else self._asked.discard)(key)
        self.fit()

    def restore(self, wanted: Iterable[str]) -> None:
        """Show these columns, as far as there is room."""
        self.wanted = {key for key in wanted if key in COLUMN_OF} | {"title"}
        self.fit()

    def fit(self) -> None:
        """Share the width out."""
        room = self._table.viewport().width()
        self._fitting = True
        if self.own:
            self._make_room_used(room)
        else:
            self._share(room)
        others = sum(self._header.sectionSize(n) for n in self._shown())
        self._header.resizeSection(0, max(LEAST_TITLE, room - others))
        self._fitting = False

    def _shown(self) -> list[int]:
        """The shown columns but the title."""
        return [n for n in range(1, len(COLUMNS)) if not self._header.isSectionHidden(n)]

    def _hide(self, folded: Iterable[str] = ()) -> None:
        left_out = set(folded)
        for number, column in enumerate(COLUMNS):
            shown = column.key in self.wanted and column.key not in left_out
            if self._header.isSectionHidden(number) == shown:
                self._header.setSectionHidden(number, not shown)

    def _share(self, room: int) -> None:
        """Leave out what has no room, then give each its least width, its usual one, and more."""
        self._hide(self._folded(room))
        shown = self._shown()
        least = {n: self._pixels(n, tight=True) for n in shown}
        usual = {n: max(least[n], self._pixels(n)) for n in shown}
        more = sum(usual.values()) - sum(least.values()) + _TITLE - LEAST_TITLE
        spare = max(0, room - sum(least.values()) - LEAST_TITLE)
        share = min(1.0, spare / more) if more else 1.0
        rest = max(0, spare - more)
        grown = {n: 0 if COLUMNS[n].key in self.bare else COLUMNS[n].growth for n in shown}
        growth = sum(grown.values()) + _TITLE_GROWTH
        for n in shown:
            width = least[n] + int((usual[n] - least[n]) * share)
            self._header.resizeSection(n, width + rest * grown[n] // growth)

    def _folded(self, room: int) -> list[str]:
        needed = LEAST_TITLE + sum(
            self._pixels(COLUMN_OF[key], tight=True) for key in self.wanted if key != "title"
        )
        folded: list[str] = []
        order = sorted(_FOLDED_FIRST, key=lambda key: key not in self.bare)
        for key in order:
            if needed <= room:
                break
            if key in self.wanted and key not in self._asked:
                folded.append(key)
                needed -= self._pixels(COLUMN_OF[key], tight=True)
        return folded

    def _make_room_used(self, room: int) -> None:
        """Widths are a person's: show what was left out, as far as there is room for it now."""
        needed = LEAST_TITLE + sum(self._header.sectionSize(n) for n in self._shown())
        for number, column in enumerate(COLUMNS):
            hidden = self._header.isSectionHidden(number)
            if column.key not in self.wanted:
                self._header.setSectionHidden(number, True)
            elif hidden:
                needed += self._pixels(number, tight=True)
                if needed <= room or column.key in self._asked or number == 0:
                    self._header.setSectionHidden(number, False)
                    self._header.resizeSection(number, self._pixels(number, tight=True))

    def _pixels(self, number: int, tight: bool = False) -> int:
        column = COLUMNS[number]
        characters = (column.tight or column.width) if tight else column.width
        if column.key in self.bare:
            characters = min(column.width, len(column.title) + 2)
        text = self._table.fontMetrics().averageCharWidth() * characters
        # The arrow of the order stands beside the heading, not over it.
        heading = self._header.fontMetrics().horizontalAdvance(column.title) + _ARROW
        return max(text, heading if column.sort else 0) + 2 * SIDE

    def _resized(self, section: int, before: int, now: int) -> None:
        if self._fitting or not before or not now:
            return
        # Only a person's hand moves sections one by one: from then on their widths stay.
        self.own = True
        if section != 0:
            self.fit()
