"""The figures of a run as a table: a row a measure, the rankings beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from litscape_app.window.pages.evaluate_page.tables import changed, estimated
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from litscape.evaluation.bootstrap import Comparison
    from litscape_app.window.theme import Theme
    from litscape_trainer.runs.records import Row, RunResult

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SYSTEMS = (
    ("current", "Old"),
    ("new", "New"),
    ("base", "Base model"),
    ("words", "Words (BM25)"),
    ("tfidf", "TF-IDF"),
)
_CHANGES = (("new", "Change"), ("hybrid-new", "Change of search by both"))
# What is asked, n, the change, old and new, then what they are held against.
_ORDER = (0, 1, 7, 2, 3, 8, 4, 5, 6)
WIDTHS = (230, 48, 130, 60, 60, 170, 90, 100, 70)


class ResultModel(QAbstractTableModel):
    """Per cent with 95 % intervals; a change that is certain stands out, for better or worse."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[tuple[str, str, str], Row] = {}
        self.measures: tuple[tuple[str, str, str], ...] = ()

    def show(self, result: RunResult | None) -> None:
        """Show the figures of a run."""
        self.beginResetModel()
        rows = result.rows if result is not None else ()
        self._rows = {(row.task, row.measure, row.system): row for row in rows}
        named = ((row.task, row.measure, f"{row.measure}: {row.task_title}") for row in rows)
        self.measures = tuple(dict.fromkeys(named))
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row a measure."""
        return 0 if parent.isValid() else len(self.measures)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Name, n, rankings, changes."""
        return 0 if parent.isValid() else 2 + len(_SYSTEMS) + len(_CHANGES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = [title for _name, title in (*_SYSTEMS, *_CHANGES)]
            return ("What is asked", "n", *titles)[_ORDER[section]]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A value, or a change with its interval."""
        task, measure, title = self.measures[index.row()]
        column = _ORDER[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column else _LEFT
        if column == 0:
            shown = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            return title if shown else None
        if column == 1:
            row = self._rows.get((task, measure, "new"))
            told = role == Qt.ItemDataRole.DisplayRole and row is not None
            return f"{row.estimate.n:,}" if told and row is not None else None
        place = column - 2
        if place < len(_SYSTEMS):
            return self._value(self._rows.get((task, measure, _SYSTEMS[place][0])), role)
        change = self._rows.get((task, measure, _CHANGES[place - len(_SYSTEMS)][0]))
        return self._change(change.over if change is not None else None, role)

    def _value(self, row: Row | None, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            if row is None:
                return "–"
            return f"{100 * row.estimate.mean:.1f}"
        if role == Qt.ItemDataRole.ToolTipRole and row is not None:
            return plain_tooltip(f"{row.system_title}: {estimated(row.estimate)}")
        return None

    def _change(self, change: Comparison | None, role: int) -> Any:
        if change is None:
            return "–" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return changed(change)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(
                f"Better in {change.wins:,} queries, equal in {change.ties:,}, worse in "
                f"{change.losses:,}; p = {change.p:.4f}"
            )
        if change.certain and role == Qt.ItemDataRole.FontRole:
            bold = QFont(self._theme.font("body"))
            bold.setBold(True)
            return bold
        if change.certain and role == Qt.ItemDataRole.ForegroundRole:
            tokens = self._theme.tokens
            return QColor(tokens.good if change.difference.mean > 0 else tokens.bad)
        return None
