"""The papers of a group as a table: a row for each field, a column for each paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from litscape_app.window.words import authors_line, count, plain_tooltip, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.duplicates import Comparison
    from litscape.paper import Paper

Index = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole
KEEP = "keep"
_ROOT = QModelIndex()
_LABELS = {
    "title": "Title",
    "authors": "Authors",
    "year": "Date",
    "type": "Type",
    "venue": "Venue",
    "volume": "Volume",
    "issue": "Issue",
    "pages": "Pages",
    "publisher": "Publisher",
    "doi": "DOI",
    "arxiv": "arXiv",
    "pmid": "PubMed",
    "isbn": "ISBN",
    "url": "Web page",
    "abstract": "Abstract",
}
_TOOLTIP = 1500
_MOST_AUTHORS = 8
_ALIKE, _BEFORE = 80, 40


@dataclass(frozen=True, slots=True)
class Row:
    """One field of all papers.

    Attributes:
        name: the field, or ``keep`` for the paper that stays.
        label: what a person calls it.
        texts: its value in each paper.
        shown: the same, from shortly before the first difference on where that comes late.
        differs: whether they are not all the same, so that one can be chosen.
        united: whether the merged paper has what all of them have.
    """

    name: str
    label: str
    texts: tuple[str, ...]
    shown: tuple[str, ...]
    differs: bool
    united: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What is drawn in one place: its text, whether it can be chosen, and is."""

    text: str
    shown: str
    choice: bool
    chosen: bool


def rows_of(found: Comparison) -> list[Row]:
    """The rows for papers that are compared; fields that none of them has are left out."""
    stays = tuple("Stays" if p.id == found.kept else "Becomes part of it" for p in found.papers)
    rows = [Row(KEEP, "Paper", stays, stays, True)]
    for name, title in _LABELS.items():
        texts = tuple(_text(paper, name) for paper in found.papers)
        if any(texts):
            differs = name in found.differing
            shown = _from_difference(texts) if differs else texts
            rows.append(Row(name, title, texts, shown, differs))
    for title, tell in _UNITED.items():
        texts = tuple(tell(paper) for paper in found.papers)
        if any(texts):
            rows.append(Row(title.lower(), title, texts, texts, False, united=True))
    return rows


def _from_difference(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Long texts that begin alike, from shortly before the place where they part."""
    told = sorted(text for text in texts if text)
    if len(told) < 2:
        return texts
    # What the first and the last in order have in common, all have.
    ends = zip(told[0], told[-1], strict=False)
    alike = next((n for n, (one, other) in enumerate(ends) if one != other), len(told[0]))
    if alike < _ALIKE or max(map(len, told)) < 2 * _ALIKE:
        return texts
    start = max(0, alike - _BEFORE)
    return tuple("… " + text[start:].partition(" ")[2] if text else "" for text in texts)


def _text(paper: Paper, name: str) -> str:
    if name == "authors":
        names = [author.display for author in paper.authors]
        line = authors_line(names, paper.more_authors, most=_MOST_AUTHORS)
        # Of long lists the number is told first: a narrow column may show no more.
        return f"{len(names):,}: {line}" if len(names) > _MOST_AUTHORS else line
    if name == "year":
        parts = (paper.year or paper.year_raw, paper.month or paper.month_raw, paper.day)
        return "-".join(str(part) for part in parts if part)
    return " ".join(str(getattr(paper, name) or "").split())


_UNITED: dict[str, Callable[[Paper], str]] = {
    "Tags": lambda paper: ", ".join(paper.tags),
    "Collections": lambda paper: ", ".join("/".join(path) for path in paper.collections),
    "Keywords": lambda paper: ", ".join(paper.keywords),
    "Notes": lambda paper: " · ".join(shorten(" ".join(note.split()), 60) for note in paper.notes),
    "Files": lambda paper: ", ".join(
        link.title or link.path.replace("\\", "/").rpartition("/")[2] for link in paper.files
    ),
    "Works cited": lambda paper: (
        count(n, "work") if (n := len(paper.cites) + len(paper.references)) else ""
    ),
}


class FieldModel(QAbstractTableModel):
    """Shows a comparison; a cell that differs from others can be chosen."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: Comparison | None = None
        self.rows: list[Row] = []
        self.choosable = True

    def show(self, found: Comparison | None, *, choosable: bool = True) -> None:
        """Show other papers, or none."""
        self.beginResetModel()
        self.found, self.choosable = found, choosable
        self.rows = rows_of(found)[0 if choosable else 1 :] if found is not None else []
        self.endResetModel()

    def choice(self, index: Index) -> tuple[str, int] | None:
        """The field and the paper of a cell that can be chosen."""
        if self.found is None or not index.isValid() or not self._cell(index).choice:
            return None
        return self.rows[index.row()].name, self.found.papers[index.column()].id

    def _cell(self, index: Index) -> Cell:
        assert self.found is not None
        row, paper = self.rows[index.row()], self.found.papers[index.column()]
        chosen = self.found.kept if row.name == KEEP else self.found.chosen.get(row.name)
        choice = row.differs and self.choosable
        text, shown = row.texts[index.column()], row.shown[index.column()]
        return Cell(text, shown, choice, choice and chosen == paper.id)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a field."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """One column a paper."""
        return 0 if parent.isValid() or self.found is None else len(self.found.papers)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Citation keys and fields."""
        if self.found is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft
            up = orientation == Qt.Orientation.Vertical
            return side | (Qt.AlignmentFlag.AlignTop if up else Qt.AlignmentFlag.AlignVCenter)
        if orientation == Qt.Orientation.Horizontal:
            key = self.found.papers[section].citekey
            if role == Qt.ItemDataRole.DisplayRole:
                return key
            return plain_tooltip(key) if role == Qt.ItemDataRole.ToolTipRole else None
        row = self.rows[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.ToolTipRole and row.united:
            return "The merged paper has those of all"
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The value, and how it stands."""
        cell = self._cell(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == CELL:
            return cell
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(cell.text[:_TOOLTIP])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            label = self.rows[index.row()].label
            return f"{label}: {cell.text or 'nothing'}{', chosen' if cell.chosen else ''}"
        return None
