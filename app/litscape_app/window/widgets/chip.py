"""A word in a rounded ground: a tag, a collection, a seed; may be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame

from litscape_app.window.widgets.basics import horizontal, label, tool_button
from litscape_app.window.words import plain_tooltip, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent

    from litscape_app.window.theme import Theme


class Chip(QFrame):
    """Text with an optional cross."""

    clicked = Signal()

    def __init__(
        self,
        theme: Theme,
        text: str,
        remove: Callable[[], object] | None = None,
        what: str = "",
        most: int = 36,
        mark: str = "",
    ) -> None:
        """Make one; ``mark`` stands quietly behind the text."""
        super().__init__()
        self.setProperty("role", "chip")
        self.text, self.mark = text, mark
        shown = label(shorten(text, most))
        shown.setFont(theme.font("small"))
        row = horizontal(self, shown, margins=(8, 2, 8, 2), spacing=2)
        if mark:
            quiet = label(mark, "muted")
            quiet.setFont(theme.font("small"))
            row.addSpacing(4)
            row.addWidget(quiet)
        if len(text) > most:
            self.setToolTip(plain_tooltip(text))
        if remove is not None:
            button = tool_button(theme, "close", what or f"Remove {text}", remove)
            button.setIconSize(QSize(10, 10))
            button.setFixedSize(16, 16)
            row.addWidget(button)
            row.setContentsMargins(8, 2, 3, 2)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the words."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        super().mouseReleaseEvent(event)
