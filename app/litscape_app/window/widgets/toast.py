"""A sentence that appears over the foot of the window for a while, with one thing to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from litscape_app.window.widgets.basics import horizontal, label, tool_button

if TYPE_CHECKING:
    from litscape_app.window.session import Offer
    from litscape_app.window.theme import Theme

_SHOWN_MS = 7000
_ABOVE_FOOT = 44


class Toast(QFrame):
    """One message at a time; stays while the pointer rests on it."""

    def __init__(self, theme: Theme, parent: QWidget, over: QWidget) -> None:
        """Over the foot of ``parent``, and over ``over`` where that is shown."""
        super().__init__(parent)
        self._over = over
        self._parent = parent
        self.setProperty("role", "toast")
        self.text = label()
        self.button = tool_button(theme, "", "Undo", self._accept, text="Undo")
        self._offer: Offer | None = None
        self._row = horizontal(self, self.text, self.button, margins=(16, 8, 8, 8), spacing=8)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
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
        right = 8 if offer is not None else 16
        self._row.setContentsMargins(16, 8, right, 8)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def _accept(self) -> None:
        offer, self._offer = self._offer, None
        self.hide()
        if offer is not None:
            offer.act()

    def _place(self) -> None:
        parent = self._parent
        self.setMaximumWidth(max(200, parent.width() - 48))
        self.adjustSize()
        lift = self._over.height() if self._over.isVisible() else 0
        top = parent.height() - self.height() - _ABOVE_FOOT - lift
        self.move((parent.width() - self.width()) // 2, top)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the middle of the foot."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def enterEvent(self, event: QEvent) -> None:
        """Stay while it is read."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Go soon after."""
        self._timer.start()
