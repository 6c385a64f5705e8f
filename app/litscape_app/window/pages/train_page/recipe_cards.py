"""The recipes to choose from, each in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from litscape_app.window.widgets.basics import horizontal, label, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme
    from litscape_trainer.recipes.recipe import TrainingRecipe

_INDENT = 24


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
        self._column = vertical(self, spacing=12)
        self._group.idToggled.connect(self._toggled)

    @property
    def choice(self) -> str:
        """The chosen recipe's name."""
        return self._names[max(0, self._group.checkedId())]

    def fill(self, recipes: Sequence[TrainingRecipe], first: str) -> None:
        """Offer recipes once, the one to begin with first and chosen."""
        if self._names:
            return
        for recipe in sorted(recipes, key=lambda one: one.name != first):
            button = QRadioButton(recipe.title)
            button.setAccessibleDescription(recipe.about)
            about = label(recipe.about, "muted", wrap=True)
            about.setFont(self._theme.font("small"))
            self._group.addButton(button, len(self._names))
            self._names.append(recipe.name)
            below = horizontal(None, about, margins=(_INDENT, 0, 0, 0))
            self._column.addLayout(vertical(None, button, below, spacing=2))
        self.select(first)

    def select(self, name: str) -> None:
        """Choose a recipe."""
        if name in self._names:
            self._group.button(self._names.index(name)).setChecked(True)

    def _toggled(self, place: int, on: bool) -> None:
        if on:
            self.chosen.emit(self._names[place])
