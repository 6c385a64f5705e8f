"""The card that tells of the paper under the pointer, beside it and never over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QFrame, QWidget

from litscape_app.window.widgets.basics import label, vertical
from litscape_app.window.words import shorten, title_of

if TYPE_CHECKING:
    from litscape.paper import PaperRow
    from litscape_app.window.theme import Theme

_WIDTH, _AWAY = 240, 16


class Card(QFrame):
    """Title, authors, year and topic of one paper."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedWidth(_WIDTH)
        self.title = label("", wrap=True)
        self.title.setFont(theme.font("body", bold=True))
        self.about = label("", "muted", wrap=True)
        self.more = label("", "muted", wrap=True)
        for part in (self.about, self.more):
            part.setFont(theme.font("small"))
        vertical(self, self.title, self.about, self.more, margins=(12, 9, 12, 9), spacing=3)
        self.hide()

    def tell(self, row: PaperRow, more: str) -> None:
        """Tell of a paper."""
        self.title.setText(shorten(title_of(row), 110))
        parts = (row.authors, str(row.year or row.year_raw or ""), row.venue or "")
        self.about.setText(" · ".join(shorten(part, 60) for part in parts if part))
        self.about.setVisible(bool(self.about.text()))
        self.more.setText(more)
        self.more.setVisible(bool(more))

    def stand_by(self, at: QPoint) -> None:
        """Stand beside a place of the parent, away from its middle if there is room, and show."""
        parent = self._over
        layout = self.layout()
        height = layout.heightForWidth(_WIDTH) if layout is not None else self.height()
        self.resize(QSize(_WIDTH, height))
        right = at.x() + _AWAY
        outwards = at.x() - _AWAY - _WIDTH  # away from the middle, where most papers are
        if right + _WIDTH > parent.width() - 4 or (outwards >= 4 and at.x() < parent.width() / 2):
            right = outwards
        top = min(max(4, at.y() - height // 2), max(4, parent.height() - height - 4))
        if right < 4:  # no room at either side: above or below
            right = min(max(4, at.x() - _WIDTH // 2), max(4, parent.width() - _WIDTH - 4))
            below = at.y() + _AWAY + height <= parent.height()
            top = at.y() + _AWAY if below else max(0, at.y() - _AWAY - height)
        self.move(right, top)
        self.raise_()
        self.show()
