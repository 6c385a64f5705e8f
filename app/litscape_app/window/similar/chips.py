"""What similar papers are to be like, beside the chosen ones: a chip each, which takes it away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from litscape_app.window.widgets.basics import clear
from litscape_app.window.widgets.chip import Chip
from litscape_app.window.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from litscape.paper import PaperId
    from litscape_app.window.similar.seeds import Seeds
    from litscape_app.window.theme import Theme

_WIDEST = 30


class SeedChips(QWidget):
    """Chips of what was given, and of papers said to be more or less like."""

    forgotten = Signal(object)
    """Something given is to go."""
    dropped = Signal(object)
    """What was said of a paper is to go."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._flow = FlowLayout(self)

    def show_seeds(self, seeds: Seeds, titles: dict[PaperId, str]) -> None:
        """Show others."""
        clear(self._flow)
        for given in seeds.given:
            drop = partial(self.forgotten.emit, given)
            self._add(given.name, drop, f"Forget {given.name}")
        for paper_id, title in titles.items():
            less = paper_id in seeds.less
            what = f"Forget {'less' if less else 'more'} like {title}"
            self._add(f"{'−' if less else '+'} {title}", partial(self.dropped.emit, paper_id), what)
        self.updateGeometry()

    def _add(self, text: str, drop: partial[None], what: str) -> None:
        self._flow.addWidget(Chip(self._theme, text, drop, what, _WIDEST))
