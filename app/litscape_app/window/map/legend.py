"""The legend: what the colours mean; a click hides or shows, a double click shows only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QFrame, QWidget

from litscape_app.window.pages.page_frame import scroll_area
from litscape_app.window.widgets.basics import (
    clear,
    ground,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.words import count
from litscape_resources import palette_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from litscape.maps.colouring import Colouring, Entry
    from litscape_app.window.theme import Theme

WIDTH = 208
_WIDEST, _SHARE = 340, 0.27
"""Pixels up to which long names widen it, and of the map, that it may take."""
_EDGE, _DOT = 10, 5.0
_LEFT, _GAP, _LINES = 24, 20, 3
"""Pixels before a name and around its number, and lines over which it goes before it is cut."""


class _Row(QAbstractButton):
    """One colour, what it means, and how many papers have it."""

    only = Signal()

    def __init__(self, theme: Theme, entry: Entry) -> None:
        super().__init__()
        self._theme = theme
        self.entry = entry
        self.found: int | None = None
        self.lines = [entry.label]
        self.setCheckable(True)
        self.setChecked(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(theme.font("small"))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.toggled.connect(lambda _on: self.name())
        self.name()

    def count(self, found: int | None) -> None:
        """Tell how many of its papers are not pale; None for all."""
        if found != self.found:
            self.found = found
            self.name()
            self.update()

    @property
    def number(self) -> str:
        """How many papers: of all, or those found of all."""
        whole = f"{self.entry.papers:,}"
        return whole if self.found is None else f"{self.found:,} / {whole}"

    def name(self) -> None:
        """Say what it is and whether it is shown."""
        state = "shown" if self.isChecked() else "hidden"
        papers = count(self.entry.papers, "paper")
        told = papers if self.found is None else f"{self.found:,} of {papers} found"
        text = f"{self.entry.label}: {told}, {state}"
        self.setAccessibleName(text)
        self.setToolTip(f"{text}. Click to hide or show, double click to show only this.")

    def wanted(self) -> int:
        """Pixels that its name and number take."""
        text = self.fontMetrics().horizontalAdvance(f"{self.entry.label}{self.number}")
        return text + _LEFT + _GAP

    def fit(self, width: int) -> None:
        """Be as high as its name needs where the row is so wide."""
        self.lines = self._wrapped(width)
        self.setFixedHeight(len(self.lines) * self.fontMetrics().height() + 8)

    def _wrapped(self, width: int) -> list[str]:
        """The name over a few lines; what does not fit there is cut."""
        metrics = self.fontMetrics()
        room = width - _LEFT - _GAP - metrics.horizontalAdvance(self.number)
        lines = [""]
        for word in self.entry.label.split():
            longer = f"{lines[-1]} {word}".lstrip()
            if len(lines) < _LINES and lines[-1] and metrics.horizontalAdvance(longer) > room:
                lines.append(word)
            else:
                lines[-1] = longer
        return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(WIDTH - 2 * _EDGE, len(self.lines) * self.fontMetrics().height() + 8)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show only this."""
        self.only.emit()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space hides or shows, Enter shows only this."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.only.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The colour, the value, the number."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, middle = self._theme, 4 + self.fontMetrics().height() / 2
        if self.underMouse() or self.hasFocus():
            painter.setPen(
                QPen(theme.colour("accent"), 1) if self.hasFocus() else Qt.PenStyle.NoPen
            )
            painter.setBrush(theme.colour("hover"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        colour = QColor(self.entry.colour(palette_of(theme.tokens)))
        shown = self.isChecked()
        painter.setPen(QPen(colour if shown else theme.colour("mark"), 1.4))
        painter.setBrush(colour if shown else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(12, middle), _DOT, _DOT)
        painter.setPen(theme.colour("text" if shown else "muted"))
        number = self.number
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(number)
        line = Qt.AlignmentFlag.AlignVCenter
        for place, text in enumerate(self.lines):
            top = 4 + place * metrics.height()
            room = QRectF(_LEFT, top, self.width() - _LEFT, metrics.height())
            painter.drawText(room, line, text)
        painter.setPen(theme.colour("muted"))
        right = QRectF(self.width() - wide - 6, 4, wide, metrics.height())
        painter.drawText(right, line, number)
        painter.end()


class Legend(QFrame):
    """What can be coloured by, and the values with their colours."""

    by_chosen = Signal(str)
    told = Signal(str)
    """What the colours tell now, a key."""
    changed = Signal()
    """Other values are shown."""
    sized = Signal(bool)
    topics_wanted = Signal()
    """Find topics."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        ground(self, "reading")
        self.setAccessibleName("Legend")
        self.setFixedWidth(WIDTH)
        self.pale = label("", "muted", wrap=True)
        self.pale.setFont(theme.font("small"))
        self.pale.hide()
        self.colouring: Colouring | None = None
        self.rows: list[_Row] = []
        self.by = QComboBox()
        self.by.setAccessibleName("Colour by")
        self.by.setToolTip("What the colours of papers tell")
        self.by.currentIndexChanged.connect(lambda _at: self.by_chosen.emit(self.by.currentData()))
        self.by_size = QCheckBox("Larger if cited more")
        self.by_size.setToolTip("Draw papers larger that more papers of this library cite")
        self.by_size.toggled.connect(self.sized)
        self.note = label("", "muted", wrap=True)
        self.note.setFont(theme.font("small"))
        self.all = push_button("Show all", self.show_all)
        self.find_topics = push_button("Find topics", self.topics_wanted.emit)
        self.find_topics.setToolTip("Part the papers of this map into topics by what they say")
        self._list = QWidget()
        ground(self._list, "reading")
        self._column = vertical(self._list, spacing=0)
        words = label("Colour by", "muted")
        words.setFont(theme.font("small"))
        words.setBuddy(self.by)
        top = vertical(None, words, self.by, margins=(_EDGE, 8, _EDGE, 0), spacing=2)
        whole = vertical(self, top, spacing=6)
        area = scroll_area(self._list)
        self._column.setContentsMargins(_EDGE - 4, 0, _EDGE - 4, 0)
        whole.addWidget(area, 1)
        whole.addLayout(
            vertical(
                None, self.pale, self.note, horizontal(None, self.all, self.find_topics, 0),
                self.by_size,
                margins=(_EDGE, 0, _EDGE, 8), spacing=6,
            )
        )  # fmt: skip
        self.all.hide()
        self.find_topics.hide()
        self.note.hide()

    def show_colouring(self, colouring: Colouring) -> None:
        """List other values; hidden ones of the same name stay hidden."""
        hidden = self.hidden if self._same(colouring) else set()
        self.colouring = colouring
        clear(self._column)
        self.rows = []
        for entry in colouring.entries:
            row = _Row(self._theme, entry)
            row.setChecked(entry.label not in hidden)
            row.toggled.connect(lambda _on: self._toggled())
            row.only.connect(lambda row=row: self.show_only(row.entry.label))
            self.rows.append(row)
            self._column.addWidget(row)
        self._column.addStretch(1)
        self._widen()
        self.note.setText(colouring.note)
        self.note.setVisible(bool(colouring.note))
        self.by.blockSignals(True)
        if not self.by.count():
            self._fill()
        self.by.setCurrentIndex(self.by.findData(colouring.by))
        self.by.blockSignals(False)
        self.told.emit(colouring.by)
        self.all.setVisible(bool(self.hidden))

    def count_shown(self, colouring: Colouring | None, shown: NDArray[np.bool_]) -> None:
        """Count how many papers of each value are found, of the years and chosen; (n,) bool."""
        if colouring is None or colouring is not self.colouring or len(shown) != len(colouring.of):
            return
        for at, row in enumerate(self.rows):
            mine = colouring.of == at if colouring.member is None else colouring.member[:, at]
            number = int((mine & shown).sum())
            row.count(number if row.isChecked() and number < row.entry.papers else None)
        self._widen()

    def tell_pale(self, text: str) -> None:
        """Say why some papers are pale; nothing where none is."""
        self.pale.setText(text)
        self.pale.setVisible(bool(text))

    def showEvent(self, event: QShowEvent) -> None:
        """From now on it follows the width of what it is in."""
        super().showEvent(event)
        around = self.parentWidget()
        if around is not None:
            around.removeEventFilter(self)
            around.installEventFilter(self)
            self._widen()

    def eventFilter(self, _around: QObject, event: QEvent) -> bool:
        """More room is more room for names."""
        if event.type() == QEvent.Type.Resize:
            self._widen()
        return False

    def _widen(self) -> None:
        """As wide as the longest name asks for, where there is room."""
        around = self.parentWidget()
        room = min(_WIDEST, round(_SHARE * around.width())) if around is not None else WIDTH
        asked = max((row.wanted() for row in self.rows), default=0) + 2 * _EDGE
        width = max(WIDTH, min(room, asked))
        self.setFixedWidth(width)
        for row in self.rows:
            row.fit(width - 2 * _EDGE)

    def _fill(self) -> None:
        """Offer what can be coloured by; known by now, as something has been."""
        from litscape.maps.colouring import BY

        for key, text in BY.items():
            self.by.addItem(text, key)

    def _same(self, colouring: Colouring) -> bool:
        return self.colouring is not None and self.colouring.by == colouring.by

    @property
    def hidden(self) -> set[str]:
        """The values whose papers are not shown."""
        return {row.entry.label for row in self.rows if not row.isChecked()}

    def show_only(self, wanted: str) -> None:
        """Show the papers of one value alone; all again where that is so already."""
        alone = {row.entry.label for row in self.rows if row.isChecked()} == {wanted}
        self._set(lambda text: alone or text == wanted)

    def show_all(self) -> None:
        """Hide nothing."""
        self._set(lambda _text: True)

    def _set(self, wanted: Callable[[str], bool]) -> None:
        for row in self.rows:
            row.blockSignals(True)
            row.setChecked(wanted(row.entry.label))
            row.name()
            row.blockSignals(False)
            row.update()
        self._toggled()

    def _toggled(self) -> None:
        self.all.setVisible(bool(self.hidden))
        self.changed.emit()
