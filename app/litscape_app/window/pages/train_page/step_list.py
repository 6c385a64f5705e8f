"""The steps of the wizard: where one is, what was done, and what can be gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QToolButton, QWidget

from litscape_app.window.widgets.basics import tool_button, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme

WIDTH = 176
_ANY = 16_777_215  # Qt's QWIDGETSIZE_MAX


def lay_along(part: QWidget, row: QBoxLayout, *, narrow: bool) -> None:
    """A column at the left of the wizard, or a row above it where the page is narrow."""
    way = QBoxLayout.Direction
    row.setDirection(way.LeftToRight if narrow else way.TopToBottom)
    part.setMinimumWidth(0 if narrow else WIDTH)
    part.setMaximumWidth(_ANY if narrow else WIDTH)


class StepList(QWidget):
    """A column of numbered steps; those that can't be gone to yet are dim.

    Where the page is narrow it is a row of numbers, of which the one that is shown has its name.

    Signals:
        chosen: the place of the step that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName("Steps")
        self._group = QButtonGroup(self)
        self.buttons: list[QToolButton] = []
        self._names = tuple(names)
        self._narrow = False
        for place, title in enumerate(names):
            button = tool_button(theme, "", f"Step {place + 1}: {title}", text=self._text(place))
            button.setCheckable(True)
            self._group.addButton(button, place)
            self.buttons.append(button)
        self._group.idClicked.connect(self.chosen)
        self._row = vertical(self, *self.buttons, 0, spacing=4)
        lay_along(self, self._row, narrow=False)

    def _text(self, place: int, *, short: bool = False) -> str:
        return f"{place + 1}" if short else f"{place + 1}  {self._names[place]}"

    def set_narrow(self, narrow: bool) -> None:
        """A row of numbers, or a column of names."""
        self._narrow = narrow
        lay_along(self, self._row, narrow=narrow)
        self._name()

    def _name(self) -> None:
        for place, button in enumerate(self.buttons):
            button.setText(self._text(place, short=self._narrow and not button.isChecked()))

    def show_step(self, place: int, reach: int) -> None:
        """Mark the step that is shown; those up to ``reach`` can be gone to."""
        for number, button in enumerate(self.buttons):
            button.setEnabled(number <= reach)
            button.setChecked(number == place)
        self._name()
