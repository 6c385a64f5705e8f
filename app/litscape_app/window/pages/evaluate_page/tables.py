"""The figures of one measurement, and the list of those that were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from litscape.evaluation.tasks import TASKS
from litscape_app.window.pages.page_frame import when
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.evaluation.past import Past
    from litscape.evaluation.records import Figures, Report
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
PAST_HEADS = ("When", "What", "Queries", "Both, nDCG@10")
PAST_WIDTHS = (120, 0, 130, 150)
_PARTS = {"dev": "to choose by", "test": "final test"}


def estimated(value: Estimate) -> str:
    """``19.6 [17.1, 22.1]``."""
    return f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def changed(change: Comparison) -> str:
    """``+0.6 [−1.2, +2.4]``."""
    told = change.difference
    text = f"{100 * told.mean:+z.1f} [{100 * told.low:+z.1f}, {100 * told.high:+z.1f}]"
    return text.replace("-", "−")


class FiguresModel(QAbstractTableModel):
    """A row for each ranking, a column for each measure; values, or changes against both."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.figures: tuple[Figures, ...] = ()
        self.measures: tuple[str, ...] = ()
        self.changes = False

    def show(self, report: Report | None, *, changes: bool) -> None:
        """Show other figures."""
        self.beginResetModel()
        self.figures = report.figures if report is not None else ()
        names = (name for one in self.figures for name in one.estimates)
        self.measures = tuple(dict.fromkeys(names))
        self.changes = changes
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row a ranking."""
        return 0 if parent.isValid() else len(self.figures)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The ranking's name and the measures."""
        return 0 if parent.isValid() else 1 + len(self.measures)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return ("Ranking", *self.measures)[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A value with its interval; a change that is certain stands out."""
        one = self.figures[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        if not index.column():
            return one.title if role == Qt.ItemDataRole.DisplayRole else None
        name = self.measures[index.column() - 1]
        change = one.over.get(name)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(one, name)
        if role == Qt.ItemDataRole.ToolTipRole and change is not None:
            return plain_tooltip(
                f"{one.title} against both: {changed(change)}; better in {change.wins:,} queries, "
                f"equal in {change.ties:,}, worse in {change.losses:,}; p = {change.p:.4f}"
            )
        if self.changes and change is not None and change.certain:
            if role == Qt.ItemDataRole.FontRole:
                bold = QFont(self._theme.font("body"))
                bold.setBold(True)
                return bold
            if role == Qt.ItemDataRole.ForegroundRole:
                tokens = self._theme.tokens
                return QColor(tokens.good if change.difference.mean > 0 else tokens.bad)
        return None

    def _shown(self, one: Figures, name: str) -> str:
        if self.changes:
            change = one.over.get(name)
            return changed(change) if change is not None else "–"
        value = one.estimates.get(name)
        return estimated(value) if value is not None else "–"


class PastModel(QAbstractTableModel):
    """The measurements, newest first."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: tuple[Past, ...] = ()

    def show(self, rows: Sequence[Past]) -> None:
        """Show other measurements."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row a measurement."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns."""
        return 0 if parent.isValid() else len(PAST_HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return PAST_HEADS[section]
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """When, what, of how many queries, and the main figure."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.ForegroundRole and row.report is None:
            return QColor(self._theme.tokens.muted)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        title = TASKS[row.task].title if row.task in TASKS else row.task
        part = _PARTS.get(row.part, row.part)
        if row.report is None:
            return (when(row.made_at), title, part, "did not end")[index.column()]
        hybrid = row.report.figure("hybrid")
        figure = estimated(hybrid.estimates["nDCG@10"]) if hybrid is not None else "–"
        return (when(row.made_at), title, f"{row.report.queries:,}, {part}", figure)[index.column()]
