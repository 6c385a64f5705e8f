"""Why the chosen hit is there: its best sentence, what both share, and shares of the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from litscape_app.window.widgets.basics import clear, ground, label, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.similar.seeds import Told
    from litscape_app.window.theme import Theme

_BAR = 6
_LEAST, _MOST = 56, 116
_FADE = (1.0, 0.7, 0.48, 0.34, 0.24, 0.17)
_NAMED = 3


class ShareBar(QWidget):
    """What each signal adds to the score, as parts of one bar with the largest named below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shares: Sequence[tuple[str, float]] = ()
        theme.changed.connect(self.update)

    def show_shares(self, shares: Sequence[tuple[str, float]]) -> None:
        """Show others."""
        self._shares = shares
        text = ", ".join(f"{name} {share:.0%}" for name, share in shares)
        self.setToolTip(text)
        self.setAccessibleName(f"Shares of the score: {text}")
        self.update()

    def sizeHint(self) -> QSize:
        """A bar and a line of words."""
        metrics = QFontMetrics(self._theme.font("small"))
        return QSize(120, _BAR + 2 + metrics.lineSpacing())

    def minimumSizeHint(self) -> QSize:
        """As high."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the parts from the left."""
        painter = QPainter(self)
        left = 0.0
        for place, (_name, share) in enumerate(self._shares):
            colour = QColor(self._theme.colour("accent"))
            colour.setAlphaF(_FADE[min(place, len(_FADE) - 1)])
            width = share * self.width()
            painter.fillRect(QRect(round(left), 0, max(1, round(width) - 1), _BAR), colour)
            left += width
        font = self._theme.font("small")
        painter.setFont(font)
        painter.setPen(self._theme.colour("muted"))
        said = " · ".join(f"{name} {share:.0%}" for name, share in self._shares[:_NAMED])
        metrics = QFontMetrics(font)
        text = metrics.elidedText(said, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(0, _BAR + 2 + metrics.ascent(), text)


class Explained(QScrollArea):
    """Hidden until there is something to tell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.told: Told | None = None
        self._most = _MOST
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Why this paper is similar")
        self._inside = QWidget()
        ground(self._inside, "reading")
        self._bar = ShareBar(theme)
        self._lines = QWidget()
        self._rows = vertical(self._lines, spacing=3)
        vertical(self._inside, self._bar, self._lines, 0, margins=(16, 8, 16, 8), spacing=6)
        self.setWidget(self._inside)
        self.hide()

    def tell(self, told: Told | None) -> None:
        """Show another explanation, or none."""
        self.told = told
        self.setVisible(told is not None)
        if told is None:
            return
        self._bar.show_shares(told.shares)
        clear(self._rows)
        small = self._theme.font("small")
        sentence = (f"“{told.sentence}”",) if told.sentence else ()
        for place, text in enumerate((*sentence, *told.lines)):
            line = label(text, "" if place < len(sentence) else "muted", wrap=True, select=True)
            line.setFont(small)
            self._rows.addWidget(line)
            line.show()  # else it has no height until later
        self._fit()

    def bound(self, most: int) -> None:
        """Take at most so many pixels of height; the rest scrolls."""
        most = max(_LEAST, min(_MOST, most))
        if most != self._most:
            self._most = most
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as what it tells, up to a part of the panel."""
        layout = self._inside.layout()
        if layout is not None:
            layout.activate()
            wanted = layout.totalHeightForWidth(self.viewport().width())
            self.setFixedHeight(max(40, min(self._most, wanted)))
