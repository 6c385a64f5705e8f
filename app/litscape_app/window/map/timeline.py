"""How the field grew: a slider over the years that plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QSlider

from litscape_app.window.widgets.basics import horizontal, label, tool_button
from litscape_app.window.words import count

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QHideEvent

    from litscape_app.window.theme import Theme

_STEP_MS, _TAKES_MS = 110, 9_000
"""Least time of a year, and about how long all years take."""


class Timeline(QFrame):
    """Shows papers up to a year; later ones are pale or hidden."""

    moved = Signal()
    """Another year, or other way of showing later papers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self._theme = theme
        self._years: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._known = False
        self.play = tool_button(theme, "play", "Play the years", self.toggle)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Papers up to this year")
        self.slider.valueChanged.connect(lambda _year: self._moved())
        self.said = label("")
        self.said.setMinimumWidth(self.said.fontMetrics().horizontalAdvance("to 2026: 888,888 "))
        self.pale = QCheckBox("Later ones pale")
        self.pale.setChecked(True)
        self.pale.setToolTip("Show later papers, and those without a year, pale; else not at all")
        self.pale.toggled.connect(lambda _on: self.moved.emit())
        row = horizontal(self, self.play, margins=(10, 4, 10, 4), spacing=10)
        row.addWidget(self.slider, 1)
        row.addWidget(self.said)
        row.addWidget(self.pale)
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._step)
        self.hide()

    def set_years(self, years: NDArray[np.int32]) -> None:
        """Know the years of the papers, 0 where there is none; the last year is shown."""
        self._years = years
        known = years[years > 0]
        self.slider.blockSignals(True)
        at_end = not self._known or self.slider.value() >= self.slider.maximum()
        self._known = bool(len(known))
        if len(known):
            # A few strays long before all others would make most of the slider empty.
            first = int(np.quantile(known, 0.002, method="nearest"))
            self.slider.setRange(first, int(known.max()))
            self.slider.setPageStep(max(1, (int(known.max()) - first) // 10))
        if at_end or not len(known):
            self.slider.setValue(self.slider.maximum())
        self.slider.setEnabled(len(known) > 0)
        self.slider.blockSignals(False)
        self.play.setEnabled(len(known) > 0)
        self._say()

    @property
    def year(self) -> int | None:
        """The last year that is shown; None where all are, or there is no timeline."""
        if self.isHidden() or not self.slider.isEnabled():
            return None
        return None if self.slider.value() >= self.slider.maximum() else self.slider.value()

    def toggle(self) -> None:
        """Play, from the start where it is at the end; or stop."""
        if self._clock.isActive():
            self.stop()
            return
        if self.slider.value() >= self.slider.maximum():
            self.slider.setValue(self.slider.minimum())
        years = max(1, self.slider.maximum() - self.slider.minimum())
        self._clock.start(max(_STEP_MS, min(600, _TAKES_MS // years)))
        self._theme.set_icon(self.play, "pause", "muted")
        self.play.setToolTip("Stop")
        self.play.setAccessibleName("Stop")

    def stop(self) -> None:
        """Stay at this year."""
        self._clock.stop()
        self._theme.set_icon(self.play, "play", "muted")
        self.play.setToolTip("Play the years")
        self.play.setAccessibleName("Play the years")

    def _step(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.slider.value() >= self.slider.maximum():
            self.stop()

    def _moved(self) -> None:
        self._say()
        self.moved.emit()

    def _say(self) -> None:
        year = self.slider.value()
        there = int(((self._years > 0) & (self._years <= year)).sum())
        known = self.slider.isEnabled()
        self.said.setText(f"to {year}: {count(there, 'paper')}" if known else "No years are known")

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing plays unseen."""
        self.stop()
        super().hideEvent(event)
