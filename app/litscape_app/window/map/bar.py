"""The line above the map: which papers, which layout, what dragging does, what else is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QToolButton

from litscape_app.window.map.hand import LASSO, MOVE, RECTANGLE
from litscape_app.window.widgets.basics import horizontal, literal, tool_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction

    from litscape_app.window.map.scopes import Choice
    from litscape_app.window.theme import Theme

_LAYOUTS = (
    ("umap", "UMAP", "Groups and what lies between them; quick"),
    ("tsne", "t-SNE", "Keeps nearest neighbours best; slower"),
    ("pca", "PCA", "The two directions in which papers differ most; at once"),
)
_TOOLS = (
    (
        MOVE,
        "Move",
        "Drag moves the map; with Shift it draws a lasso that adds, with Alt one that takes away",
    ),
    (RECTANGLE, "Rectangle", "Drag a rectangle around papers; Shift adds, Alt takes away"),
    (LASSO, "Lasso", "Drag a line around papers; Shift adds, Alt takes away"),
)
TOGGLES = (
    ("legend", "Legend", True),
    ("names", "Names of topics", True),
    ("minimap", "Small map in the corner", True),
    ("density", "Lines of equal density", False),
    ("links", "Citations of the chosen papers", True),
    ("near", "Nearest neighbours of a paper", True),
    ("time", "Years: how the field grew", False),
)
"""What can be shown or not, and whether it is at first."""


class MapBar(QFrame):
    """Chooses what the map is of and how it is shown."""

    scope_wanted = Signal(object)
    layout_wanted = Signal(str)
    tool_wanted = Signal(str)
    toggled = Signal(str, bool)
    fit_wanted = Signal()
    again_wanted = Signal()
    compare_wanted = Signal()
    export_wanted = Signal()
    separation_wanted = Signal()

    def __init__(
        self, theme: Theme, choices: Callable[[], Sequence[Choice]], close: QToolButton
    ) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self._choices = choices
        self.scope = tool_button(theme, "library", "Which papers are mapped", text="All papers ▾")
        self.scope.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._scopes = QMenu(self)
        self._scopes.aboutToShow.connect(self.fill_scopes)
        self.scope.setMenu(self._scopes)
        self.layouts = Segments(_LAYOUTS, "Layout")
        self.layouts.chosen.connect(self.layout_wanted)
        self.tools = Segments(_TOOLS, "What dragging does")
        self.tools.chosen.connect(self.tool_wanted)
        self.fit = tool_button(theme, "fit", "Show all of the map (0)", self.fit_wanted.emit)
        self.more = tool_button(theme, "more", "What else is shown; comparing and exporting maps")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self.switches: dict[str, QAction] = {}
        self._fill_menu()
        self.more.setMenu(self._menu)
        self.parts = flowing(self.scope, self.layouts, self.tools, self.fit, self.more, gap=6)
        row = horizontal(None, spacing=4)
        row.addWidget(self.parts, 1)
        row.addWidget(close)
        vertical(self, row, margins=(10, 5, 8, 5))

    def _fill_menu(self) -> None:
        for key, text, on in TOGGLES:
            action = self._menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(on)
            action.toggled.connect(lambda shown, key=key: self.toggled.emit(key, shown))
            self.switches[key] = action
        self._menu.addSeparator()
        self.again = self._menu.addAction("Make this map again")
        self.again.triggered.connect(lambda _on: self.again_wanted.emit())
        self.compare = self._menu.addAction("Compare two maps…")
        self.compare.triggered.connect(lambda _on: self.compare_wanted.emit())
        self.export = self._menu.addAction("Export this map…")
        self.export.triggered.connect(lambda _on: self.export_wanted.emit())
        self.separation = self._menu.addAction("How far labels lie apart: topic separation")
        self.separation.triggered.connect(lambda _on: self.separation_wanted.emit())

    def on(self, key: str) -> bool:
        """Whether something is shown."""
        return self.switches[key].isChecked()

    def fill_scopes(self) -> None:
        """Offer what can be mapped now."""
        self._scopes.clear()
        below: QMenu | None = None
        for choice in self._choices():
            if choice.kept is not None and below is None:
                below = self._scopes.addMenu("Maps of other papers that were made")
            menu = self._scopes if choice.kept is None or below is None else below
            action = menu.addAction(literal(choice.shown))
            action.triggered.connect(lambda _on, choice=choice: self.scope_wanted.emit(choice))

    def show_scope(self, choice: Choice, papers: int | None = None) -> None:
        """Name the papers that are mapped, and how many have a place."""
        many = "" if papers is None else f"  {papers:,}"
        self.scope.setText(f"{literal(choice.shown)}{many} ▾")
        self.scope.setAccessibleName(f"Which papers are mapped: {choice.shown}")
