"""The issues of a report as a tree: those of one reason under one line, however many there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from litscape_app.window.pages.report_page.reasons import Reason, reasons
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QFont

    from litscape.paper import ImportProblem
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
COLUMNS = (("What", 0), ("Line", 64), ("Key", 150), ("File", 140))
WHAT, LINE, KEY, FILE = range(4)
FEW = 3
"""A reason with no more issues than these is shown unfolded."""
_MARKS = {"skipped": ("close", "bad"), "warning": ("warning", "warn"), "note": ("info", "muted")}
_ROOT = QModelIndex()


def place_of(issue: ImportProblem) -> str:
    """Where in its source a record stands: its line, else its number, else nothing."""
    if issue.line is not None:
        return f"{issue.line:,}"
    return f"no. {issue.index + 1:,}" if issue.index is not None else ""


def key_of(issue: ImportProblem) -> str:
    """What the source calls the record."""
    return issue.citekey or issue.zotero_key or ""


class IssueModel(QAbstractItemModel):
    """Reasons at the top, their issues below; an issue alone of its reason stands at the top.

    Nothing is made for a row before it is looked at: a report may have many thousands.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bold = theme.font("body", bold=True)
        self._all: Sequence[ImportProblem] = ()
        self._tops: Sequence[Reason | ImportProblem] = ()
        self.shown: list[ImportProblem] = []

    def show(self, issues: Sequence[ImportProblem]) -> None:
        """Take the issues of another report, unfiltered."""
        self._all = issues
        self.filter("", "")

    def filter(self, severity: str, code: str) -> None:
        """Keep those of a severity and a code; empty lets all through."""
        self.beginResetModel()
        self.shown = [
            one for one in self._all if severity in ("", one.severity) and code in ("", one.code)
        ]
        groups = reasons(self.shown)
        alone = len(groups) == 1
        self._tops = (
            groups[0].issues
            if alone
            else [one if len(one.issues) > 1 else one.issues[0] for one in groups]
        )
        self.endResetModel()

    def item(self, index: Index) -> Reason | ImportProblem | None:
        """What a row is about; None beyond the rows."""
        if not index.isValid():
            return None
        above = int(index.internalId())
        if not above:
            return self._tops[index.row()]
        reason = self._tops[above - 1]
        return reason.issues[index.row()] if isinstance(reason, Reason) else None

    def few(self) -> list[QModelIndex]:
        """The reasons that have few issues."""
        return [
            self.index(row, 0)
            for row, one in enumerate(self._tops)
            if isinstance(one, Reason) and len(one.issues) <= FEW
        ]

    # -- as Qt asks ------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """The place of a cell; its number is that of the reason above, 0 at the top."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = _ROOT) -> Any:
        """The reason that an issue stands under."""
        above = int(index.internalId()) if index.isValid() else 0
        return self.createIndex(above - 1, 0, 0) if above else QModelIndex()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a reason, one an issue."""
        if not parent.isValid():
            return len(self._tops)
        if parent.column() or parent.internalId():
            return 0
        top = self._tops[parent.row()]
        return len(top.issues) if isinstance(top, Reason) else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Message, line, key, file."""
        return len(COLUMNS)

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
        found, column = self.item(index), index.column()
        if found is None:
            return None
        if role == Qt.ItemDataRole.DecorationRole and column == WHAT:
            return self._theme.icon(*_MARKS[found.severity])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if isinstance(found, Reason):
            return self._of_reason(found, role) if column == WHAT else None
        return _of_issue(found, column, role)

    def _of_reason(self, reason: Reason, role: int) -> str | QFont | None:
        number = len(reason.issues)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{number:,} × {reason.title}"
        if role == Qt.ItemDataRole.FontRole:
            return self._bold
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(f"{reason.severity}, {reason.code}\n{reason.title}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{reason.severity}: {count(number, 'issue')}, {reason.title}"
        return None


def _of_issue(issue: ImportProblem, column: int, role: int) -> str | None:
    if role == Qt.ItemDataRole.DisplayRole:
        return (issue.message, place_of(issue), key_of(issue), Path(issue.source).name)[column]
    if role == Qt.ItemDataRole.ToolTipRole:
        return plain_tooltip(
            f"{issue.severity}, {issue.code}: {issue.message}\n{issue.source}".strip()
        )
    if role == Qt.ItemDataRole.AccessibleTextRole and column == WHAT:
        return f"{issue.severity}: {issue.message}"
    return None


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column == LINE else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def issue_tree(model: IssueModel) -> QTreeView:
    """A tree of issues that is read and chosen from; rows are laid out as they are looked at."""
    tree = QTreeView()
    tree.setProperty("role", "list")
    tree.setModel(model)
    tree.setAccessibleName("Issues of the import")
    tree.setUniformRowHeights(True)
    tree.setTabKeyNavigation(False)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    tree.setAllColumnsShowFocus(True)
    tree.setIndentation(18)
    tree.setMinimumHeight(72)
    tree.setMinimumWidth(240)
    header = tree.header()
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(24)
    for column, (_title, width) in enumerate(COLUMNS):
        if width:
            header.resizeSection(column, width)
        else:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    return tree
