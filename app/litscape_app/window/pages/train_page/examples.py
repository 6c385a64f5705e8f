"""Third step: the examples as they will be used, and the veto: these two are related."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from litscape.apart import run_apart
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.pages.train_page.paper_card import PaperCard
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.window.session import Session
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.examples import ShownExample

_MANY = 20
_DRAWING = "Drawing examples …"


class ExamplesStep(Step):
    """One example at a time: the paper above, what is brought near left, what is kept off right.

    Signals:
        vetoed: two papers that a person said are related.
    """

    name = "Look at the examples"
    question = "Is this what belongs together?"
    vetoed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Choose how long")
        self.recipe: TrainingRecipe | None = None
        self.examples: tuple[ShownExample, ...] = ()
        self.place = self.seed = 0
        self.said = Sentence(_DRAWING)
        self.anchor = PaperCard(self.theme, "The model reads")
        self.positive = PaperCard(self.theme, "Brought near")
        self.negative = PaperCard(self.theme, "Kept at a distance")
        self.related = push_button(
            "They are related (R)", self._veto, name="They are related: never keep them apart"
        )
        self.where = label("", "muted")
        back = push_button("Previous (K)", partial(self.step, -1))
        onwards = push_button("Next (J)", partial(self.step, 1))
        again = push_button("Draw others", self._again)
        self.shown = QWidget()
        sides = horizontal(None, self.positive, self.negative, spacing=12)
        sides.setStretch(0, 1)
        sides.setStretch(1, 1)
        turning = horizontal(None, self.where, 0, back, onwards, again)
        vertical(self.shown, turning, self.anchor, sides, spacing=12)
        self.lay_out(self.said, self.shown, beside=(self.related,))
        for key, act in (("J", 1), ("K", -1)):
            self._key(key, partial(self.step, act))
        self._key("R", self._veto)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self._failed)
        self.forget()

    def draw(self, recipe: TrainingRecipe) -> None:
        """Draw examples for a recipe, unless they are there."""
        if recipe != self.recipe:
            self.recipe, self.examples, self.seed = recipe, (), 0

    def enter(self) -> None:
        """Draw, where that was not done."""
        if self.recipe is not None and not self.examples:
            self._read()

    def forget(self) -> None:
        """Another library has other examples."""
        self._slot.cancel()
        self.recipe, self.examples = None, ()
        self.trouble.say("")
        self._hide()

    def step(self, by: int) -> None:
        """Show the next or previous example."""
        if self.examples:
            self.place = (self.place + by) % len(self.examples)
            self._show_one()

    def _key(self, key: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)

    def _read(self) -> None:
        recipe, seed = self.recipe, self.seed
        assert recipe is not None
        self.trouble.say("")
        self.said.say(_DRAWING)
        self._hide()

        def draw(library: Library, ctx: JobContext) -> tuple[ShownExample, ...]:
            from litscape_trainer.tasks import preview

            return run_apart(library, preview, ctx, recipe, _MANY, seed)

        self.session.read(self._slot, "Draw examples", draw)

    def _again(self) -> None:
        self.seed += 1
        self.place = 0
        self._read()

    def _failed(self, error: BaseException) -> None:
        self.said.say("")
        self.trouble.say(str(error), "bad")
        self._hide()

    def _hide(self) -> None:
        for part in (self.shown, self.related):
            part.hide()
        self.go.setEnabled(False)

    def _show(self, examples: tuple[ShownExample, ...]) -> None:
        self.examples, self.place = examples, 0
        self.said.say("")
        for part in (self.shown, self.related):
            part.show()
        self.go.setEnabled(True)
        self._show_one()

    def _show_one(self) -> None:
        one = self.examples[self.place]
        self.anchor.show_paper(one.anchor)
        self.positive.show_paper(one.positive)
        wrong = one.negatives[0] if one.negatives else None
        self.negative.show_paper(wrong)
        may = self.session.library is not None and not self.session.library.database.read_only
        self.related.setEnabled(wrong is not None and may)
        self.where.setText(f"{self.place + 1} of {len(self.examples)}")
        self.settle()

    def _veto(self) -> None:
        one = self.examples[self.place] if self.examples else None
        if one is None or not one.negatives or not self.related.isEnabled():
            return
        pair = (one.anchor.paper, one.negatives[0].paper)

        def mark(library: Library) -> LibraryChanges:
            return library.related.mark(pair)

        def done(_changes: LibraryChanges) -> None:
            self.vetoed.emit(pair)
            self.examples = tuple(other for other in self.examples if other is not one)
            self.place = min(self.place, max(0, len(self.examples) - 1))
            if self.examples:
                self._show_one()
            else:
                self._again()

        said = "These two papers are related: no training keeps them apart any more"
        self.related.setEnabled(False)
        self.session.write("Two papers are related", mark, said, done=done, failed=self._not_marked)

    def _not_marked(self, _error: BaseException) -> bool:
        self.related.setEnabled(True)
        return False
