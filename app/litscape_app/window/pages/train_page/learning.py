"""Second step: the recipe, the model to start from, and which papers are learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QWidget

from litscape.errors import LitscapeError
from litscape_app.window.pages.page_frame import Sentence, named
from litscape_app.window.pages.train_page.collections import CollectionsBox
from litscape_app.window.pages.train_page.numbers import NumbersForm
from litscape_app.window.pages.train_page.recipe_cards import RecipeCards
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import heading, horizontal, label, roomy, vertical
from litscape_app.window.words import told_apart
from litscape_trainer.recipes.registry import all_recipes, recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_app.window.session import Session
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Survey

_ACTIVE = "The model in use"
_OTHER, _OTHER_TITLE = "another", "Another folder or hub model…"
_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_YEAR_WIDE = 64


class LearningStep(Step):
    """The offer first, everything else below it; the recipe is only read when one goes on.

    Signals:
        decided: the :class:`TrainingRecipe` that was put together.
        models_wanted: another model is to be added first.
    """

    name = "What to learn from"
    question = "What should the model learn, and from which papers?"
    decided = Signal(object)
    models_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Look at the examples")
        self.cards = RecipeCards(self.theme)
        self.base = QComboBox()
        self.refused = Sentence("", "bad")
        self.until = QCheckBox("Learn only from papers up to")
        self.year = QSpinBox()
        self.year.setRange(_FIRST_YEAR, _LAST_YEAR)
        self.year.setAccessibleName("Last year that is learned from")
        self.year.setEnabled(False)
        self.year.setMinimumWidth(_YEAR_WIDE)  # the line fits into a narrow window
        roomy(self.year)
        self.until.toggled.connect(self.year.setEnabled)
        self.held = Sentence()
        self.collections = CollectionsBox(session)
        self.numbers = NumbersForm(self.theme)
        below = QWidget()
        cut = horizontal(None, self.until, self.year, 0)
        vertical(
            below,
            vertical(None, label("Learn from"), self.collections, spacing=4),
            named(self.theme, "Start from", self.base), self.refused,
            vertical(None, cut, self.held, spacing=4), self.numbers, spacing=12,
        )  # fmt: skip
        self.lay_out(self.cards, heading(self.theme, "More choices"), below)
        self.cards.chosen.connect(self._choose_recipe)
        self.base.activated.connect(lambda _row: self._choose_base())
        self.go.clicked.disconnect()
        self.go.clicked.connect(lambda _checked=False: self._decide())
        self._slot, self._checking = session.slot(self), session.slot(self)
        self._slot.done.connect(self._fill_bases)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))
        self._checking.done.connect(self._checked)
        self._checking.failed.connect(lambda error: self._checked(str(error)))

    def offer(self, survey: Survey) -> None:
        """Begin with the recipe that fits what there is, and the year that the split has."""
        self.cards.fill(all_recipes(), survey.recipe)
        self.cards.select(survey.recipe)
        self.year.setValue(survey.cut or _LAST_YEAR)
        self.held.say(
            f"The new model is judged by {survey.test_queries:,} test queries ({survey.split})."
            if survey.test_queries
            else ""
        )

    def enter(self) -> None:
        """The models and collections as they are now."""
        self.trouble.say("")
        if self.session.library is not None:
            self.collections.read()
            self.session.read(
                self._slot, "Read models", lambda library, _ctx: library.models.available()
            )

    def forget(self) -> None:
        """Another library has other models and collections."""
        self._slot.cancel()
        self._checking.cancel()
        self._checked("")
        self.until.setChecked(False)
        self.collections.choose(())
        self.base.clear()

    def wanted(self) -> TrainingRecipe:
        """The recipe as chosen.

        Raises:
            UserError: a number or a collection's name can't be.
        """
        return replace(
            self.numbers.into(recipe(self.cards.choice)),
            base=self.base.currentData() or None,
            as_of=self.year.value() if self.until.isChecked() else None,
            collections=self.collections.wanted(),
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

    def _choose_recipe(self, name: str) -> None:
        """Its numbers; what one recipe can be taught with may be too little for another."""
        self.numbers.show_recipe(recipe(name))
        if self.base.count():
            self._choose_base()

    def _choose_base(self) -> None:
        """Say at once what is wrong with a model, or go where others are added."""
        chosen = self.base.currentData()
        if chosen == _OTHER:
            self.base.setCurrentIndex(0)
            self._checked("")
            self.models_wanted.emit()
            return
        name = self.cards.choice
        self.session.read(
            self._checking, "Look at a model", lambda library, _ctx: _refusal(library, chosen, name)
        )

    def _checked(self, refusal: str) -> None:
        self.refused.say(refusal, "bad")
        self.go.setEnabled(not refusal)

    def _fill_bases(self, cards: Sequence[ModelCard]) -> None:
        chosen = self.base.currentData() or ""
        self.base.clear()
        self.base.addItem(_ACTIVE, "")
        titles = told_apart(cards)
        for card in cards:
            self.base.addItem(titles[card.version], card.version)
        self.base.insertSeparator(self.base.count())
        self.base.addItem(_OTHER_TITLE, _OTHER)
        self.base.setCurrentIndex(max(0, self.base.findData(chosen)))
        self._choose_base()


def _refusal(library: Library, version: str, chosen: str) -> str:
    """Why a model can't be trained by a recipe, in a sentence; empty where it can."""
    from litscape.models.folder import read_folder
    from litscape_trainer.runs.bases import base_card, refuse_own_code
    from litscape_trainer.runs.checks import refuse_two_parts

    try:
        card = base_card(library.models, version or None)
        if card.source != "bundled":
            read_folder(card.folder)
        refuse_own_code(card)
        if chosen:
            refuse_two_parts(recipe(chosen), card)
    except LitscapeError as error:
        return str(error)
    return ""
