"""The advanced settings of a recipe as a form, folded until they are wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QFormLayout, QSpinBox, QWidget

from litscape_app.window.pages.train_page.fields import NUMBERS
from litscape_app.window.widgets.basics import label, roomy, tool_button, vertical
from litscape_trainer.objectives.registry import has_teacher

if TYPE_CHECKING:
    from litscape_app.window.pages.train_page.fields import NumberField
    from litscape_app.window.theme import Theme
    from litscape_trainer.recipes.recipe import TrainingRecipe

_AS_BASE = "as the model"
_LEAST, _WIDEST = 80, 160


class NumbersForm(QWidget):
    """The numbers of a recipe; what is not touched stays as the recipe has it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.fold = tool_button(
            theme, "chevron-right", "Show or hide the advanced settings", self._turn,
            text="Advanced settings",
        )  # fmt: skip
        self.boxes: dict[str, QSpinBox | QDoubleSpinBox] = {}
        self._form = QWidget()
        form = QFormLayout(self._form)
        form.setContentsMargins(24, 0, 0, 0)
        form.setHorizontalSpacing(16)
        for one in NUMBERS:
            box = _box(one)
            self.boxes[one.field] = box
            words = label(one.title)
            words.setBuddy(box)
            words.setToolTip(one.hint)
            form.addRow(words, box)
        self.layer = QCheckBox("Begin with a quick layer")
        self.layer.setToolTip(
            "Quick adapt first, a minute; then the layer is learnt further with the model."
        )
        form.addRow(self.layer)
        self._form.hide()
        vertical(self, self.fold, self._form, spacing=8)

    def show_recipe(self, recipe: TrainingRecipe) -> None:
        """Show the numbers of a recipe."""
        for one in NUMBERS:
            value = getattr(recipe, one.field)
            box = self.boxes[one.field]
            shown = box.minimum() if value is None else value
            if isinstance(box, QSpinBox):
                box.setValue(int(shown))
            else:
                box.setValue(float(shown))
        self.layer.setChecked(recipe.head_first)
        self.layer.setEnabled(recipe.method != "head" and recipe.primary == "citations")
        for name in ("teacher_words", "teacher_links"):
            self.boxes[name].setEnabled(has_teacher(recipe.objective))
        self.boxes["max_length"].setEnabled(recipe.method != "head")
        self.boxes["frozen_layers"].setEnabled(recipe.method == "lower-frozen")

    def into(self, recipe: TrainingRecipe) -> TrainingRecipe:
        """The recipe with the numbers of the form.

        Raises:
            UserError: a number does not fit the others.
        """
        values: dict[str, float | int | None] = {"head_first": self.layer.isChecked()}
        for one in NUMBERS:
            box = self.boxes[one.field]
            value: float | int | None = box.value()
            if box.specialValueText() and value == box.minimum():
                value = None
            values[one.field] = value
        return replace(recipe, **values)  # type: ignore[arg-type]

    def _turn(self) -> None:
        shown = self._form.isHidden()
        self._form.setVisible(shown)
        self._theme.set_icon(self.fold, "chevron-down" if shown else "chevron-right", "muted")


def _box(one: NumberField) -> QSpinBox | QDoubleSpinBox:
    box: QSpinBox | QDoubleSpinBox
    if one.decimals:
        box = QDoubleSpinBox()
        box.setDecimals(one.decimals)
        box.setRange(one.least, one.most)
        box.setSingleStep(one.step)
    else:
        box = QSpinBox()
        box.setRange(int(one.least), int(one.most))
        box.setSingleStep(int(one.step))
    if one.field == "max_length":
        box.setSpecialValueText(_AS_BASE)
    box.setAccessibleName(one.title)
    box.setAccessibleDescription(one.hint)
    box.setToolTip(one.hint)
    box.setMinimumWidth(_LEAST)  # narrower than Qt would have it, in a narrow window
    box.setMaximumWidth(_WIDEST)
    roomy(box)
    return box
