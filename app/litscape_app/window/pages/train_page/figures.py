"""The figures of a run as a table: a row a measure, the rankings beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from litscape_app.window.pages.evaluate_page.tables import changed, estimated
from litscape_app.window.pages.train_page.telling import MEASURES, TASKS
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from litscape.evaluation.bootstrap import Comparison
    from litscape_app.window.theme import Theme
    from litscape_trainer.runs.records import Row, RunResult

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_TIP = Qt.ItemDataRole.ToolTipRole
_CHANGES = ("change", "hybrid-change")
_ROW_OF = {"n": "new", "change": "new", "hybrid-change": "hybrid-new"}
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SYSTEMS = {
    "current": "Old",
    "new": "New",
    "base": "Base model",
    "words": "Words",
    "tfidf": "TF-IDF",
    "hybrid-current": "Old",
    "hybrid-new": "New",
}
_TIPS = {
    "current": "The model in use when the run was made, alone",
    "new": "The model of this run, alone",
    "base": "The model that the run started from, alone",
    "words": "Search by words (BM25), without any model",
    "tfidf": "Papers by the words that they share, without any model",
    "hybrid-current": "Search by words and by the old model together",
    "hybrid-new": "Search by words and by the new model together",
    "n": "How many papers were asked about",
    "change": "In points, with the 95 % interval over the papers that were asked about; bold where "
    "it leaves out 0",
}
VIEWS: dict[str, tuple[str, ...]] = {
    "change": ("n", "current", "new", "change"),
    "others": ("new", "base", "words", "tfidf"),
    "both": ("hybrid-current", "hybrid-new", "hybrid-change"),
}
"""Columns behind the name of what is asked."""
WIDTHS: dict[str, tuple[int, ...]] = {
    "change": (48, 52, 52, 140),
    "others": (56, 92, 64, 68),
    "both": (64, 64, 140),
}


class ResultModel(QAbstractTableModel):
    """Per cent with 95 % intervals; a change that is certain stands out, for better or worse."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[tuple[str, str, str], Row] = {}
        self.measures: tuple[tuple[str, str, str], ...] = ()
        self.view = "change"

    def show(self, result: RunResult | None) -> None:
        """Show the figures of a run."""
        self.beginResetModel()
        rows = result.rows if result is not None else ()
        self._rows = {(row.task, row.measure, row.system): row for row in rows}
        named = ((row.task, row.measure, row.task_title) for row in rows)
        self.measures = tuple(dict.fromkeys(named))
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row a measure."""
        return 0 if parent.isValid() else len(self.measures)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The name, then the columns of the view."""
        return 0 if parent.isValid() else 1 + len(VIEWS[self.view])

    def choose(self, view: str) -> None:
        """Show other columns."""
        self.beginResetModel()
        self.view = view
        self.endResetModel()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = ("what", *VIEWS[self.view])[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return _SYSTEMS.get(column) or {"what": "What is asked", "n": "n"}.get(column, "Change")
        tip = _TIPS.get(column.removeprefix("hybrid-") if column in _CHANGES else column)
        if role == _TIP and tip is not None:
            return plain_tooltip(tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A value, or a change with its interval."""
        task, measure, title = self.measures[index.row()]
        column = ("what", *VIEWS[self.view])[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        if column == "what":
            if role == Qt.ItemDataRole.DisplayRole:
                return f"{TASKS.get(task, title)}: {MEASURES.get(measure, measure)}"
            return plain_tooltip(f"{title}: {measure}") if role == _TIP else None
        row = self._rows.get((task, measure, _ROW_OF.get(column, column)))
        if column == "n":
            told = role == Qt.ItemDataRole.DisplayRole and row is not None
            return f"{row.estimate.n:,}" if told and row is not None else None
        if column in _CHANGES:
            return self._change(row.over if row is not None else None, role)
        return self._value(row, role)

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
                f"{changed(change)} points. Better in {change.wins:,} queries, equal in "
                f"{change.ties:,}, worse in {change.losses:,}; p = {change.p:.4f}"
            )
        if change.certain and role == Qt.ItemDataRole.FontRole:
            bold = QFont(self._theme.font("body"))
            bold.setBold(True)
            return bold
        if change.certain and role == Qt.ItemDataRole.ForegroundRole:
            tokens = self._theme.tokens
            return QColor(tokens.good if change.difference.mean > 0 else tokens.bad)
        return None
