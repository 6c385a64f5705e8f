"""The recipes to choose from, each in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from litscape_app.window.widgets.basics import horizontal, label, tool_button, vertical
from litscape_trainer.recipes.registry import DEFAULT, QUICK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme
    from litscape_trainer.recipes.recipe import TrainingRecipe

_INDENT = 24
_OTHERS = "Other ways to learn"


class RecipeCards(QWidget):
    """One radio button a recipe, with a sentence below.

    Signals:
        chosen: the recipe's name.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName("Recipes")
        self._theme = theme
        self._group = QButtonGroup(self)
        self._names: list[str] = []
        self._column = vertical(None, spacing=12)
        self._others = QWidget()
        self._below = vertical(self._others, spacing=12)
        self.fold = tool_button(
            theme, "chevron-right", "Show or hide other ways to learn", self._turn, text=_OTHERS
        )
        self._others.hide()
        vertical(self, self._column, self.fold, self._others, spacing=12)
        self._group.idToggled.connect(self._toggled)

    @property
    def choice(self) -> str:
        """The chosen recipe's name; empty before there are any."""
        return self._names[max(0, self._group.checkedId())] if self._names else ""

    def fill(self, recipes: Sequence[TrainingRecipe], first: str) -> None:
        """Offer recipes once, the one to begin with first and chosen; research recipes folded."""
        if self._names:
            return
        plain = (first, QUICK, DEFAULT)
        for recipe in sorted(recipes, key=lambda one: (one.name != first, one.name not in plain)):
            button = QRadioButton(recipe.title)
            button.setAccessibleDescription(recipe.about)
            about = label(recipe.about, "muted", wrap=True)
            about.setFont(self._theme.font("small"))
            self._group.addButton(button, len(self._names))
            self._names.append(recipe.name)
            below = horizontal(None, about, margins=(_INDENT, 0, 0, 0))
            column = self._column if recipe.name in plain else self._below
            column.addLayout(vertical(None, button, below, spacing=2))
        self.select(first)

    def select(self, name: str) -> None:
        """Choose a recipe."""
        if name in self._names:
            button = self._group.button(self._names.index(name))
            button.setChecked(True)
            if button.parentWidget() is self._others and self._others.isHidden():
                self._turn()

    def _turn(self) -> None:
        shown = self._others.isHidden()
        self._others.setVisible(shown)
        self._theme.set_icon(self.fold, "chevron-down" if shown else "chevron-right", "muted")

    def _toggled(self, place: int, on: bool) -> None:
        if on:
            self.chosen.emit(self._names[place])
