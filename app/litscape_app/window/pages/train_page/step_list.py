"""The steps at the left of the wizard: where one is, what was done, and what can be gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from litscape_app.window.widgets.basics import tool_button, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme

WIDTH = 176


class StepList(QWidget):
    """A column of numbered steps; those that can't be gone to yet are dim.

    Signals:
        chosen: the place of the step that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName("Steps")
        self.setFixedWidth(WIDTH)
        self._group = QButtonGroup(self)
        self.buttons: list[QToolButton] = []
        for place, title in enumerate(names):
            name = f"{place + 1}  {title}"
            button = tool_button(theme, "", f"Step {place + 1}: {title}", text=name)
            button.setCheckable(True)
            self._group.addButton(button, place)
            self.buttons.append(button)
        self._group.idClicked.connect(self.chosen)
        vertical(self, *self.buttons, spacing=4)

    def show_step(self, place: int, reach: int) -> None:
        """Mark the step that is shown; those up to ``reach`` can be gone to."""
        for number, button in enumerate(self.buttons):
            button.setEnabled(number <= reach)
            button.setChecked(number == place)
