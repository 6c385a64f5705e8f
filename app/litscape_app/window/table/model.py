"""The list of papers as Qt asks for it: ids whole, rows by the page and only when shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from litscape_app.window.words import authors_line, count, marked_html, plain_tooltip, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.fulltext.records import Passage
    from litscape.paper import PaperId, PaperRow
    from litscape.search.highlights import Shown
    from litscape.store.lexical import Term
    from litscape_app.window.listing import Ids, Listing

PAGE = 128
PAGES_KEPT = 48
MIME = "application/x-litscape-papers"
ROW = Qt.ItemDataRole.UserRole
FOUND = Qt.ItemDataRole.UserRole + 1
SHOWN = Qt.ItemDataRole.UserRole + 2
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        key: its name in the program.
        title: its heading.
        sort: the store's sort key, empty where it can't be sorted by.
        width: usual width in characters.
        tight: least width in characters where there is little room; the usual one where 0.
        growth: its share of spare width.
        numeric: whether it is set to the right, in figures of one width.
    """

    key: str
    title: str
    sort: str = ""
    width: int = 16
    growth: int = 0
    numeric: bool = False
    tight: int = 0


COLUMNS: tuple[Column, ...] = (
    Column("title", "Title", "title", 48),
    Column("authors", "Authors", "authors", 18, 5, tight=13),
    Column("year", "Year", "year", 5, numeric=True),
    Column("venue", "Venue", "venue", 15, 4, tight=9),
    Column("rating", "Rating", "rating", 8),
    Column("tags", "Tags", "", 10, 3, tight=8),
    Column("collections", "Collections", "", 10, 2),
    Column("added", "Added", "added", 10),
    Column("citekey", "Citekey", "citekey", 12, 2, tight=9),
    Column("type", "Type", "type", 9),
    Column("found", "Found by", "", 12, tight=9),
)
COLUMN_OF = {column.key: number for number, column in enumerate(COLUMNS)}


class PaperTableModel(QAbstractTableModel):
    """Rows of a :class:`Listing`.

    Rows are kept by paper, so that a new order or filter shows known papers at once; what is
    missing is asked for through ``wanted`` (row numbers) and comes back through :meth:`put`.
    """

    wanted = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ids: Ids = np.empty(0, np.int64)
        self._rows: dict[PaperId, PaperRow] = {}
        self._found: Mapping[PaperId, str] = {}
        self._passages: Mapping[PaperId, Passage] = {}
        self._why: Mapping[PaperId, tuple[str, ...]] = {}
        self._place: dict[PaperId, int] | None = None
        self.words: tuple[Term, ...] = ()
        self._shown: dict[PaperId, Shown | None] = {}

    # -- content -----------------------------------------------------------------------------

    def show(self, listing: Listing) -> None:
        """Show a listing in place of the shown one."""
        same = np.array_equal(self.ids, listing.ids)
        self._found, self._why = listing.found, listing.why
        self._passages = listing.passages
        if listing.words != self.words:
            self.words, self._shown = listing.words, {}
        if same:
            self.put(listing.rows, listing.shown)
            self._touch(0, len(self.ids) - 1)
            return
        self.beginResetModel()
        self.ids = listing.ids
        self._place = None
        self._keep(listing.rows, listing.shown)
        self.endResetModel()

    def put(self, rows: Iterable[PaperRow], shown: Mapping[PaperId, Shown]) -> None:
        """Take rows that were asked for, with where the words stand in them, and show them."""
        rows = tuple(rows)
        self._keep(rows, shown)
        places = [place for row in rows if (place := self.row_of(row.id)) is not None]
        if places:
            self._touch(min(places), max(places))

    def forget(self, ids: Iterable[PaperId] | None = None) -> None:
        """Drop the rows of papers that changed (of all: None); they are asked for when shown."""
        if ids is None:
            self._rows.clear()
            self._shown.clear()
            return
        for paper_id in ids:
            self._rows.pop(paper_id, None)
            self._shown.pop(paper_id, None)

    def _keep(self, rows: Iterable[PaperRow], shown: Mapping[PaperId, Shown]) -> None:
        for row in rows:
            self._rows.pop(row.id, None)
            self._rows[row.id] = row
            if self.words:
                self._shown[row.id] = shown.get(row.id)
        surplus = len(self._rows) - PAGE * PAGES_KEPT
        for paper_id in list(self._rows)[: max(0, surplus)]:
            del self._rows[paper_id]
            self._shown.pop(paper_id, None)

    def _is_here(self, paper_id: PaperId) -> bool:
        """Whether a row is here whole, with the places of the words."""
        return paper_id in self._rows and (not self.words or paper_id in self._shown)

    def _touch(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))

    # -- places ------------------------------------------------------------------------------

    def row_of(self, paper_id: PaperId) -> int | None:
        """Where a paper stands in the list, None where it does not."""
        if self._place is None:
            self._place = dict(zip(self.ids.tolist(), range(len(self.ids)), strict=True))
        return self._place.get(paper_id)

    def id_at(self, row: int) -> PaperId:
        """The paper in a row."""
        return int(self.ids[row])

    def row_data(self, row: int) -> PaperRow | None:
        """A row's content, None while it is on its way."""
        return self._rows.get(int(self.ids[row]))

    def missing(self, first: int, last: int) -> list[PaperId]:
        """The papers of rows ``first`` to ``last`` whose content is not here."""
        ids: list[int] = self.ids[max(0, first) : last + 1].tolist()
        return [paper_id for paper_id in ids if not self._is_here(paper_id)]

    def why(self, paper_id: PaperId) -> tuple[str, ...]:
        """Why a search found a paper."""
        return self._why.get(paper_id, ())

    # -- Qt's questions ----------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Papers listed."""
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Columns that can be shown."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Headings."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text of a cell, its tooltip, or the whole row."""
        place = index.row()
        paper_id = int(self.ids[place])
        row = self._rows.get(paper_id)
        if not self._is_here(paper_id):
            self.wanted.emit(place)
        if row is None:
            return None
        key = COLUMNS[index.column()].key
        if role == ROW:
            return row
        if role == SHOWN:
            return self._shown.get(paper_id)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self._found.get(paper_id, "") if key == "found" else cell_text(row, key)
            spoken = key == "title" and role != Qt.ItemDataRole.DisplayRole
            return ", ".join([text, *marks_in_words(row)]) if spoken else text
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(row, key)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Papers can be chosen and dragged."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return base | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        """Ids of papers."""
        return [MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        """The papers of the dragged rows."""
        return self.mime_of([self.id_at(row) for row in sorted({i.row() for i in indexes})])

    def mime_of(self, ids: Iterable[PaperId]) -> QMimeData:
        """Ids for this program, and the titles that are here for others."""
        ids = tuple(ids)
        data = QMimeData()
        data.setData(MIME, ",".join(map(str, ids)).encode())
        titles = [row.title or "" for one in ids if (row := self._rows.get(one)) is not None]
        data.setText("\n".join(titles))
        return data

    def _tooltip(self, row: PaperRow, key: str) -> str:
        passage = self._passages.get(row.id) if key in ("found", "title") else None
        inside = passage_tooltip(passage) if passage is not None else ""
        shown = self._shown.get(row.id) if key in ("found", "title") else None
        if shown is not None and shown.snippet is not None and not inside:
            text, spans = shown.snippet
            inside = f'<div style="max-width:420px">{marked_html(text, spans)}</div>'
        if key == "found":
            return plain_tooltip("\n".join(self._why.get(row.id, ()))) + inside
        if key == "authors":
            return plain_tooltip(row.authors)
        told = " · ".join(marks_in_words(row)) if key == "title" else ""
        return plain_tooltip("\n".join(filter(None, (cell_text(row, key), told)))) + inside


def passage_tooltip(passage: Passage) -> str:
    """What stands in a PDF around the words that were found, these in bold."""
    if not passage.text:
        return ""
    return f'<div style="max-width:420px">{marked_html(passage.text, passage.marks)}</div>'


def cell_text(row: PaperRow, key: str) -> str:
    """What a cell says."""
    if key == "title":
        return title_of(row)
    if key == "authors":
        return authors_text(row)
    if key == "year":
        return str(row.year) if row.year is not None else (row.year_raw or "")
    if key == "venue":
        return row.venue or ""
    if key == "tags":
        return ", ".join(row.tags)
    if key == "collections":
        return ", ".join(row.collections)
    if key == "added":
        return row.added_at[:10]
    if key == "citekey":
        return row.citekey
    if key == "type":
        return row.type or ""
    if key == "rating":
        return stars_in_words(row.rating)
    return ""


def stars_in_words(rating: int | None) -> str:
    """``4 stars``; empty for none."""
    return count(rating, "star") if rating else ""


def marks_in_words(row: PaperRow) -> list[str]:
    """What a reader made of a paper, as far as the list draws it beside the title."""
    state = {"reading": "being read", "read": "read"}.get(row.read_state or "")
    label = f"label {row.colour}" if row.colour else None
    return [word for word in (state, label) if word]


def authors_text(row: PaperRow, most: int = 3) -> str:
    """Authors of a row, at most ``most`` of them by name."""
    names = [name.strip() for name in row.authors.split(";")]
    more = names[-1] == "et al."
    return authors_line(names[:-1] if more else names, more, most)


def author_spans(text: str, names: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where whole names stand in a line of authors, in order."""
    found = []
    for name in names:
        pattern = rf"(?:(?<=^)|(?<=, )|(?<=… )){re.escape(name)}(?=$|, | … | \(| et al\.)"
        found += [match.span() for match in re.finditer(pattern, text)]
    return tuple(sorted(set(found)))
