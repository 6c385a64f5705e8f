"""A choice of one among few, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton

from litscape_app.window.widgets.basics import horizontal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent


class Segments(QFrame):
    """Exclusive buttons; ``chosen`` tells the key of the new choice."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str, str]], name: str) -> None:
        """``options`` are (key, text, tooltip)."""
        super().__init__()
        self.setProperty("role", "segments")
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._keys: list[str] = []
        row = horizontal(self, spacing=0)
        for key, text, tip in options:
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(f"{name}: {text}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(button, len(self._keys))
            self._keys.append(key)
            row.addWidget(button)
        self._group.idClicked.connect(lambda number: self.chosen.emit(self._keys[number]))
        self.choose(self._keys[0])

    @property
    def choice(self) -> str:
        """The key of the chosen option."""
        return self._keys[max(0, self._group.checkedId())]

    def choose(self, key: str) -> None:
        """Check ``key`` without telling."""
        self._group.button(self._keys.index(key)).setChecked(True)

    def button(self, key: str) -> QToolButton:
        """The button of an option."""
        found = self._group.button(self._keys.index(key))
        assert isinstance(found, QToolButton)
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        there = [key for key in self._keys if not self.button(key).isHidden()]
        key = there[(there.index(self.choice) + step) % len(there)]
        self.choose(key)
        self.button(key).setFocus()
        self.chosen.emit(key)
