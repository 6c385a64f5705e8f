"""A bar over the middle column that states a trouble and stays until it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel

from litscape_app.window.widgets.basics import horizontal, label, restyle, tool_button

if TYPE_CHECKING:
    from litscape_app.window.session import Offer
    from litscape_app.window.theme import Theme
    from litscape_app.window.troubles import Trouble


class Notice(QFrame):
    """What happened, where, what to do; details to copy, and perhaps a button that helps."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._theme = theme
        self._details = ""
        self._offer: Offer | None = None
        self._mark = QLabel()
        self.text = label(wrap=True, select=True)
        self.help = tool_button(theme, "", "Help", self._accept, text="Help", kind="link")
        self.copy = tool_button(
            theme, "copy", "Copy details", self._copy, text="Copy details", kind="link"
        )
        close = tool_button(theme, "close", "Close this message", self.hide)
        row = horizontal(self, self._mark, margins=(16, 8, 8, 8), spacing=8)
        row.addWidget(self.text, 1)
        for part in (self.help, self.copy, close):
            row.addWidget(part)
        self.hide()

    def state(self, trouble: Trouble, offer: Offer | None = None) -> None:
        """Show a trouble in place of what is shown."""
        kind = "warn" if trouble.expected else "bad"
        self.setProperty("kind", kind)
        self._details, self._offer = trouble.details, offer
        self._mark.setPixmap(self._theme.pixmap("warning", 16, kind, self.devicePixelRatioF()))
        self.text.setText(trouble.sentence)
        self.setAccessibleName(trouble.sentence)
        self.copy.setVisible(bool(trouble.details))
        self.help.setVisible(offer is not None)
        if offer is not None:
            self.help.setText(offer.label)
            self.help.setToolTip(offer.label)
            self.help.setAccessibleName(offer.label)
        restyle(self)
        restyle(self.text)
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text.text()}\n\n{self._details}")

    def _accept(self) -> None:
        self.hide()
        if self._offer is not None:
            self._offer.act()
