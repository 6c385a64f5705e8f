"""A sentence at the foot of the window for a while, with one thing to do; it hides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QFrame

from litscape_app.window.widgets.basics import horizontal, label, tool_button

if TYPE_CHECKING:
    from litscape_app.window.session import Offer
    from litscape_app.window.theme import Theme

_SHOWN_MS = 7000


class Toast(QFrame):
    """One message at a time, in a line of its own that lifts what is above it.

    It stays while the pointer rests on it or the keyboard is in it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "toast")
        self.text = label(wrap=True)
        self.button = tool_button(theme, "", "Undo", self._accept, text="Undo")
        self.cross = tool_button(theme, "close", "Close this message", self.hide, token="surface")
        self._offer: Offer | None = None
        row = horizontal(self, self.text, margins=(16, 4, 8, 4), spacing=8)
        row.setStretch(0, 1)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._go)
        self.hide()

    def say(self, text: str, offer: Offer | None = None) -> None:
        """Show ``text`` in place of what is shown."""
        self._offer = offer
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setVisible(offer is not None)
        if offer is not None:
            self.button.setText(offer.label)
            self.button.setToolTip(offer.label)
            self.button.setAccessibleName(f"{offer.label}: {text}")
        self.show()
        self._timer.start()

    def _accept(self) -> None:
        offer, self._offer = self._offer, None
        self.hide()
        if offer is not None:
            offer.act()

    def _go(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self._timer.start()
        else:
            self.hide()

    def enterEvent(self, event: QEvent) -> None:
        """Stay while it is read."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Go soon after."""
        self._timer.start()
