"""The four views of the middle, side by side: the list, the map, citations, and the measuring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from litscape_app.window.widgets.basics import horizontal
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QStackedWidget, QWidget

_VIEWS = (
    ("papers", "Table", "The list of papers (Ctrl+1)"),
    ("map", "Map", "Papers as points, near what they are like (Ctrl+2, M)"),
    ("network", "Citations", "Who cites whom around the chosen papers (Ctrl+3)"),
    ("evaluate", "Evaluate", "How well searching works in this library (Ctrl+4)"),
)


class ViewSwitch(QFrame):
    """Follows the page in the middle; gone while that is none of the four."""

    def __init__(
        self, middle: QStackedWidget, pages: dict[str, QWidget], show: Callable[[str], object]
    ) -> None:
        """``pages`` are those made so far by name; ``show`` shows one."""
        super().__init__()
        self.setProperty("role", "bar")
        self._middle, self._pages = middle, pages
        self.views = Segments(_VIEWS, "View")
        self.views.chosen.connect(show)
        horizontal(self, self.views, 0, margins=(12, 4, 12, 4))
        middle.currentChanged.connect(lambda _at: self.follow())

    def follow(self) -> None:
        """Mark the view that is shown."""
        current = self._middle.currentWidget()
        name = next((key for key, page in self._pages.items() if page is current), "")
        ours = any(name == key for key, _text, _tip in _VIEWS)
        self.setVisible(ours)
        if ours:
            self.views.choose(name)
