"""The history: every change with its time, and the way back to any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from litscape.paper import LibraryChanges
from litscape_app.window.pages.page_frame import PageFrame, Sentence, list_table, when
from litscape_app.window.widgets.basics import horizontal, push_button
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QShowEvent

    from litscape.history import HistoryEntry
    from litscape.library import Library
    from litscape_app.actions.command import Desk
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_COLUMNS = (("Change", 0), ("When", 104), ("", 100))
_STATES = {"undone": "undone", "dropped": "can't be redone"}
_SHOWN = 200
_ROOT = QModelIndex()


class HistoryModel(QAbstractTableModel):
    """The changes, newest first."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entries: Sequence[HistoryEntry] = ()

    def show(self, entries: Sequence[HistoryEntry]) -> None:
        """Show other changes."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a change."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Title, time, state."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return _COLUMNS[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What was done, when, and whether it stands; what does not stand is pale."""
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            state = _STATES.get(entry.state, "")
            return (entry.title, when(entry.made_at), state)[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and (entry.state != "done" or index.column()):
            return QColor(self._theme.tokens.muted)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(entry.title)
        return None


class HistoryPage(PageFrame):
    """Undo down to a change, or redo up to one."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "History")
        self.model = HistoryModel(self.theme, self)
        self.table = list_table(self.model, "Changes", [width for _title, width in _COLUMNS])
        self.hint = Sentence("The last 100 changes can be undone, and every import.")
        self.empty = Sentence("Nothing was changed in this library yet.")
        self.undo = push_button("Undo to here", self._undo)
        self.redo = push_button("Redo to here", self._redo)
        self.what = Sentence()
        self.body.addWidget(self.hint)
        self.body.addWidget(self.empty)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(horizontal(None, self.undo, self.redo, self.what, 0))
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._fill)
        self._slot.failed.connect(self.tell)
        self.table.selectionModel().currentRowChanged.connect(lambda *_rows: self._show())
        self.session.opened.connect(self.read)
        self.session.history_moved.connect(lambda _state: self.read())
        self._show()

    def read(self) -> None:
        """Read the changes."""
        if not self.isVisible():
            return
        if self.session.library is None:
            self._fill([])
            return
        self.session.read(
            self._slot, "Read the history", lambda library, _ctx: library.history.entries(_SHOWN)
        )

    def _fill(self, entries: list[HistoryEntry]) -> None:
        row = max(0, self.table.currentIndex().row())
        self.model.show(entries)
        self.empty.setVisible(not entries)
        self.table.setVisible(bool(entries))
        self.table.setColumnHidden(2, not any(_STATES.get(one.state) for one in entries))
        if entries:
            self.table.selectRow(min(row, len(entries) - 1))
        self._show()

    # -- undo and redo ---------------------------------------------------------------------------

    def _chosen(self) -> HistoryEntry | None:
        row = self.table.currentIndex().row()
        return self.model.entries[row] if 0 <= row < len(self.model.entries) else None

    def _steps(self) -> tuple[int, int]:
        """How many changes Undo to here and Redo to here would move; 0 where they can't."""
        chosen = self._chosen()
        library = self.session.library
        if chosen is None or library is None or library.database.read_only:
            return 0, 0
        row = self.table.currentIndex().row()
        if chosen.state == "done":
            return sum(one.state == "done" for one in self.model.entries[: row + 1]), 0
        if chosen.state == "undone":
            # Redo takes up the oldest first: all that were undone from there to the chosen one.
            return 0, sum(one.state == "undone" for one in self.model.entries[row:])
        return 0, 0

    def _show(self) -> None:
        back, forth = self._steps()
        self.undo.setEnabled(back > 0)
        self.redo.setEnabled(forth > 0)
        if back > 1:
            self.what.say(f"takes back this and {count(back - 1, 'change')} after it")
        elif forth > 1:
            self.what.say(f"makes this and {count(forth - 1, 'change')} before it again")
        else:
            self.what.say("")

    def _undo(self) -> None:
        back, _forth = self._steps()
        if back:
            self._move("Undo", back, lambda library: library.history.undo())

    def _redo(self) -> None:
        _back, forth = self._steps()
        if forth:
            self._move("Redo", forth, lambda library: library.history.redo())

    def _move(self, title: str, steps: int, step: Callable[[Library], LibraryChanges]) -> None:
        self.undo.setEnabled(False)
        self.redo.setEnabled(False)
        self.session.write(title, lambda library: _all(library, steps, step))

    def showEvent(self, event: QShowEvent) -> None:
        """The changes as they are now."""
        super().showEvent(event)
        self.read()
        self.table.setFocus()


def _all(library: Library, steps: int, step: Callable[[Library], LibraryChanges]) -> LibraryChanges:
    """Several steps as one answer: what is new, changed and gone in the end."""
    added: set[int] = set()
    changed: set[int] = set()
    removed: set[int] = set()
    structure = False
    for _number in range(steps):
        told = step(library)
        added = (added | told.added) - told.removed
        removed = (removed | told.removed) - told.added
        changed |= told.changed
        structure = structure or told.structure
    return LibraryChanges(
        frozenset(added),
        frozenset(changed - added - removed),
        frozenset(removed),
        structure,
    )
