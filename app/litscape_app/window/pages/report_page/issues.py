"""The issues of a report as a table that is filtered by severity and code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from litscape.paper import ImportProblem
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
SEVERITIES = (("skipped", "Skipped"), ("warning", "Warnings"), ("note", "Notes"))
COLUMNS = (("", 28), ("Line", 64), ("Key", 150), ("What", 0), ("File", 140))
FILE = 4
_LINE = 1
_MARKS = {"skipped": ("close", "bad"), "warning": ("warning", "warn"), "note": ("info", "muted")}
_ROOT = QModelIndex()


def place_of(issue: ImportProblem) -> str:
    """Where in its source a record stands: its line, else its number, else nothing."""
    if issue.line is not None:
        return f"{issue.line:,}"
    return f"no. {issue.index + 1:,}" if issue.index is not None else ""


def as_text(issue: ImportProblem) -> str:
    """One line for the clipboard."""
    parts = (issue.severity, place_of(issue), issue.citekey or issue.zotero_key or "", issue.code)
    return "\t".join((*parts, issue.message))


class IssueModel(QAbstractTableModel):
    """The issues that pass the filter, in the order of the report."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: Sequence[ImportProblem] = ()
        self._severity = self._code = ""
        self.shown: list[ImportProblem] = []

    def show(self, issues: Sequence[ImportProblem]) -> None:
        """Show the issues of another report, unfiltered."""
        self._all, self._severity, self._code = issues, "", ""
        self._filter()

    def filter(self, severity: str, code: str) -> None:
        """Keep those of a severity and a code; empty lets all through."""
        self._severity, self._code = severity, code
        self._filter()

    def _filter(self) -> None:
        self.beginResetModel()
        self.shown = [
            one
            for one in self._all
            if self._severity in ("", one.severity) and self._code in ("", one.code)
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row an issue."""
        return 0 if parent.isValid() else len(self.shown)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Severity, line, key, message, file."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words, mark and tooltip of a cell."""
        issue, column = self.shown[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            key = issue.citekey or issue.zotero_key or ""
            file = Path(issue.source).name
            return ("", place_of(issue), key, issue.message, file)[column]
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return self._theme.icon(*_MARKS[issue.severity])
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(
                f"{issue.severity}, {issue.code}: {issue.message}\n{issue.source}".strip()
            )
        if role == Qt.ItemDataRole.AccessibleTextRole and column == 0:
            return issue.severity
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        return None


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column == _LINE else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
