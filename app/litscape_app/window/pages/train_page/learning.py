"""Second step: the recipe, the model to start from, and which papers are learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QWidget

from litscape.errors import LitscapeError
from litscape_app.window.pages.collection_choice import CollectionChoice
from litscape_app.window.pages.page_frame import named
from litscape_app.window.pages.train_page.numbers import NumbersForm
from litscape_app.window.pages.train_page.recipe_cards import RecipeCards
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import heading, horizontal, vertical
from litscape_trainer.recipes.registry import all_recipes, recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.models.card import ModelCard
    from litscape_app.window.session import Session
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Survey

_ACTIVE = "The model in use"
_FIRST_YEAR, _LAST_YEAR = 1800, 2100


class LearningStep(Step):
    """The offer first, everything else below it; the recipe is only read when one goes on.

    Signals:
        decided: the :class:`TrainingRecipe` that was put together.
    """

    name = "What to learn from"
    question = "What should the model learn, and from which papers?"
    decided = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Look at the examples")
        self.cards = RecipeCards(self.theme)
        self.base = QComboBox()
        self.until = QCheckBox("Learn from papers up to")
        self.year = QSpinBox()
        self.year.setRange(_FIRST_YEAR, _LAST_YEAR)
        self.year.setAccessibleName("Last year that is learned from")
        self.year.setEnabled(False)
        self.until.toggled.connect(self.year.setEnabled)
        self.collection = CollectionChoice(session)
        self.numbers = NumbersForm(self.theme)
        below = QWidget()
        cut = horizontal(None, self.until, self.year, 0)
        vertical(
            below,
            named(self.theme, "Start from", self.base),
            named(
                self.theme, "Learn from one collection", self.collection, "Empty: from all papers"
            ),
            cut, self.numbers, spacing=12,
        )  # fmt: skip
        self.lay_out(self.cards, heading(self.theme, "More choices"), below)
        self.cards.chosen.connect(lambda name: self.numbers.show_recipe(recipe(name)))
        self.go.clicked.disconnect()
        self.go.clicked.connect(lambda _checked=False: self._decide())
        self._slot = session.slot(self)
        self._slot.done.connect(self._fill_bases)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))

    def offer(self, survey: Survey) -> None:
        """Begin with the recipe that fits what there is, and the year that the split has."""
        self.cards.fill(all_recipes(), survey.recipe)
        self.cards.select(survey.recipe)
        self.year.setValue(survey.cut or _LAST_YEAR)

    def enter(self) -> None:
        """The models and collections as they are now."""
        self.trouble.say("")
        if self.session.library is not None:
            self.collection.read()
            self.session.read(
                self._slot, "Read models", lambda library, _ctx: library.models.available()
            )

    def forget(self) -> None:
        """Another library has other models and collections."""
        self._slot.cancel()
        self.until.setChecked(False)
        self.collection.setCurrentText("")
        self.base.clear()

    def wanted(self) -> TrainingRecipe:
        """The recipe as chosen.

        Raises:
            UserError: a number or the collection's name can't be.
        """
        path = self.collection.path()
        return replace(
            self.numbers.into(recipe(self.cards.choice)),
            base=self.base.currentData() or None,
            as_of=self.year.value() if self.until.isChecked() else None,
            collections=() if path is None else ("/".join(path),),
        )

    def _decide(self) -> None:
        try:
            wanted = self.wanted()
        except LitscapeError as error:
            self.trouble.say(str(error), "bad")
            return
        self.trouble.say("")
        self.decided.emit(wanted)
        self.forward.emit()

    def _fill_bases(self, cards: Sequence[ModelCard]) -> None:
        chosen = self.base.currentData()
        self.base.clear()
        self.base.addItem(_ACTIVE, "")
        for card in cards:
            self.base.addItem(card.name, card.version)
        self.base.setCurrentIndex(max(0, self.base.findData(chosen)))
