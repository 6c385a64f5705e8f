"""The list at the left: moves from group to group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from litscape_app.window.pages.duplicates_page.groups import GroupDelegate, GroupModel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from litscape_app.window.pages.duplicates_page.finding import Listed
    from litscape_app.window.theme import Theme


class GroupList(QListView):
    """One line a group; letters are keys of the page."""

    current_changed = Signal()

    def __init__(self, theme: Theme, model: GroupModel) -> None:
        super().__init__()
        self.groups = model
        self.setProperty("role", "list")
        self.setModel(model)
        self.setItemDelegate(GroupDelegate(theme, self))
        self.setAccessibleName("Groups of papers that may be one work")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setMinimumSize(150, 120)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.selectionModel().currentRowChanged.connect(lambda *_rows: self.current_changed.emit())

    @property
    def row(self) -> int:
        """The row of the chosen group; -1 for none."""
        return self.currentIndex().row()

    @property
    def group(self) -> Listed | None:
        """The chosen group."""
        return self.groups.groups[self.row] if 0 <= self.row < len(self.groups.groups) else None

    def show_row(self, row: int) -> None:
        """Choose a row, as far as there is one."""
        number = len(self.groups.groups)
        if number:
            self.setCurrentIndex(self.groups.index(max(0, min(row, number - 1))))

    def step(self, by: int) -> None:
        """Go to a group further down or up; from the last to the first."""
        number = len(self.groups.groups)
        if number:
            self.show_row((self.row + by) % number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters are keys of the page."""
        if is_letter(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def is_letter(event: QKeyEvent) -> bool:
    """Whether a plain letter was pressed, which a view would search its rows for."""
    plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return plain and event.text().isalpha()
