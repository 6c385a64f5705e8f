"""The pairs of papers that may be one work each, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from litscape.library import Library
    from litscape.paper import ImportReport, PaperRow

Index = QModelIndex | QPersistentModelIndex
Pair = tuple["PaperRow", "PaperRow"]
PAIR_COLUMNS = (("One paper", 0), ("Perhaps the same", 0))
_ROOT = QModelIndex()


def read_pairs(library: Library, report: ImportReport) -> list[Pair]:
    """The pairs of a report of which both papers are there still."""
    ids = sorted({paper for pair in report.suggested_merges for paper in pair})
    rows = {row.id: row for row in library.papers.rows(ids)}
    return [(rows[a], rows[b]) for a, b in report.suggested_merges if a in rows and b in rows]


class PairModel(QAbstractTableModel):
    """One row a pair, the titles beside each other."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.pairs: Sequence[Pair] = ()

    def show(self, pairs: Sequence[Pair]) -> None:
        """Show other pairs."""
        self.beginResetModel()
        self.pairs = pairs
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a pair."""
        return 0 if parent.isValid() else len(self.pairs)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """One and the other."""
        return 0 if parent.isValid() else len(PAIR_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return PAIR_COLUMNS[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title and year; authors and venue in the tooltip."""
        row = self.pairs[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            told = (row.title, row.authors, row.venue, row.citekey)
            return plain_tooltip("\n".join(part for part in told if part))
        return None


def title_of(row: PaperRow) -> str:
    """A paper in one line."""
    year = row.year if row.year is not None else row.year_raw
    title = " ".join((row.title or f"(no title) {row.citekey}").split())
    return f"{title} ({year})" if year else title
