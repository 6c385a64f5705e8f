"""Fine-tuning on the library: the steps, and one question at a time at their right or below."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QBoxLayout, QWidget

from litscape_app.window.pages.compare_page.page import ComparePage
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch
from litscape_app.window.pages.train_page.budget import BudgetStep
from litscape_app.window.pages.train_page.draft import Draft
from litscape_app.window.pages.train_page.examples import ExamplesStep
from litscape_app.window.pages.train_page.learning import LearningStep
from litscape_app.window.pages.train_page.links import LinksStep
from litscape_app.window.pages.train_page.looking import Looking
from litscape_app.window.pages.train_page.progress import ProgressStep
from litscape_app.window.pages.train_page.result import ResultStep
from litscape_app.window.pages.train_page.runs_list import RunsList
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.pages.train_page.step_list import StepList
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, vertical
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.switching import Switched
    from litscape_app.actions.command import Desk
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import RunResult, RunState, Survey


S = TypeVar("S", bound=Step)
_LEARNING, _TRAINING, _RESULT = 1, 4, 5
_BEAT_MS = 15
"""Between the making of two steps: what was pressed meanwhile comes first."""
_NARROW = 660
"""Pixels of the page; below, a table of figures has no room beside the steps."""
_NAMES = tuple(
    step.name
    for step in (LinksStep, LearningStep, ExamplesStep, BudgetStep, ProgressStep, ResultStep)
)
_NONE = "Open a library first: a model learns from the papers and links of one library."
_LOCKED = (
    "This library is open for reading only. Everything can be looked at, but no training can be "
    "started: a run keeps its folder in the library."
)


class TrainPage(PageFrame):
    """The wizard; what it decides is a :class:`Draft`, what runs is a run folder's."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Fine-tune on your library")
        self.draft = Draft()
        self.links = LinksStep(self.session)
        self.list = StepList(self.theme, _NAMES)
        self._switch = Switch(self.links)
        self._made: dict[int, Step] = {0: self.links}
        self._reach = 0
        self._straight_on = False
        self._narrow = False
        self.runs = RunsList(self.session)
        self.looking = Looking(desk, self)
        self.state = Sentence("", "warn")
        self._left = vertical(None, self.list, self.runs, 0, spacing=16)
        self._whole = QWidget()
        self._row = horizontal(self._whole, self._left, self._switch, spacing=24)
        self._row.setStretch(1, 1)
        self.body.addWidget(self.state)
        self.body.addWidget(self._whole, 1)
        self.body.addStretch(0)
        self._connect()
        self._say_state()
        self.list.show_step(0, 0)
        self._making = QTimer(self)
        self._making.timeout.connect(self._make_next)
        self._making.start(_BEAT_MS)

    def _connect(self) -> None:
        self.list.chosen.connect(self.go_to)
        self.runs.chosen.connect(self.show_run)
        self.runs.read.connect(self._found)
        self.links.forward.connect(partial(self.go_to, _LEARNING))
        self.links.counted.connect(self._counted)
        self.links.fetch.connect(lambda: self.desk.show_page("lookup"))
        self.looking.said.connect(self._say_making)
        self.desk.switching.ended.connect(self._switched)
        self.session.opened.connect(self._opened)

    # -- the steps, each made when it is wanted first, or else one a beat after the page is shown --

    @cached_property
    def learning(self) -> LearningStep:
        """The second step."""
        step = LearningStep(self.session)
        step.decided.connect(self._decided)
        step.models_wanted.connect(lambda: self.desk.show_page("models", again=True))
        return self._take(1, step)

    @cached_property
    def examples(self) -> ExamplesStep:
        """The third step."""
        step = ExamplesStep(self.session)
        step.vetoed.connect(lambda pair: self.draft.vetoed.append(pair))
        return self._take(2, step)

    @cached_property
    def budget(self) -> BudgetStep:
        """The fourth step."""
        step = BudgetStep(self.session)
        step.started.connect(self._started)
        return self._take(3, step)

    @cached_property
    def progress(self) -> ProgressStep:
        """The fifth step."""
        step = ProgressStep(self.session)
        step.ended.connect(self._ended)
        return self._take(_TRAINING, step)

    @cached_property
    def result(self) -> ResultStep:
        """The last step."""
        step = ResultStep(self.session)
        step.use.connect(self._use)
        step.keep.connect(self._keep)
        step.compare.connect(self._compare)
        step.topics.connect(self.looking.topics)
        step.maps.connect(self.looking.maps)
        step.back.connect(self.desk.switching.roll_back)
        step.ended.connect(self.looking.cancel)
        self.looking.drawing.connect(step.cancel.setVisible)
        return self._take(_RESULT, step)

    def _say_making(self, text: str) -> None:
        if text or _RESULT in self._made:
            self.result.making.say(text)

    def _take(self, place: int, step: S) -> S:
        self._made[place] = step
        self._switch.add_part(step)
        if place < _RESULT:
            step.forward.connect(partial(self.go_to, place + 1))
        return step

    def step(self, place: int) -> Step:
        """A step by its place."""
        makers: tuple[Callable[[], Step], ...] = (
            lambda: self.links, lambda: self.learning, lambda: self.examples,
            lambda: self.budget, lambda: self.progress, lambda: self.result,
        )  # fmt: skip
        return makers[place]()

    def _make_next(self) -> None:
        """Make a step that nobody asked for yet; the window answers in between."""
        left = [place for place in range(len(_NAMES)) if place not in self._made]
        if left:
            self.step(left[0])
        else:
            self._making.stop()

    @property
    def place(self) -> int:
        """The step that is shown."""
        part = self._switch.part
        return next(place for place, step in self._made.items() if step is part)

    def go_to(self, place: int) -> None:
        """Show a step and let it bring itself up to date."""
        self._reach = max(self._reach, place)
        step = self.step(place)
        self._switch.show_part(step)
        self.list.show_step(place, self._reach)
        step.enter()
        step.setFocus()

    def learn_from(self, collections: Sequence[str]) -> None:
        """Begin with collections to learn from, named by path, at the step where they stand."""
        self.learning.collections.choose(collections)
        self.draft.run = self.draft.run or ""
        self._straight_on = True
        if self.links.survey is not None:
            self._go_straight_on(self.links.survey)
        else:
            self.go_to(0)

    def _go_straight_on(self, survey: Survey) -> None:
        """What is wrong with the links is read first; else nothing keeps from the second step."""
        if self._straight_on and survey.enough:
            self.go_to(_LEARNING)
        self._straight_on = False

    def _counted(self, survey: Survey) -> None:
        self.draft.survey = survey
        self.learning.offer(survey)
        self._go_straight_on(survey)

    def _decided(self, recipe: TrainingRecipe) -> None:
        self.draft.recipe = recipe
        self.examples.draw(recipe)
        self.budget.plan(recipe)

    def _started(self, state: RunState) -> None:
        self._watch(state)
        self.runs.look()

    def _watch(self, state: RunState) -> None:
        self.draft.run = state.id
        self.progress.watch(state.id)
        self.result.watch(state.id)

    def show_run(self, state: RunState) -> None:
        """Show a run where it stands: its result, or how far it is."""
        self._watch(state)
        over = state.status in ("done", "stopped")
        self._reach = max(self._reach, _RESULT if over else _TRAINING)
        self.go_to(_RESULT if over else _TRAINING)

    def _found(self, states: tuple[RunState, ...]) -> None:
        """A run that goes on is shown to whoever comes to the page anew."""
        going = next((state for state in states if not state.ended), None)
        if going is not None and self.draft.run is None and self.place == 0:
            self.show_run(going)

    def _ended(self, state: RunState) -> None:
        if state.status in ("done", "stopped"):
            self._reach = _RESULT
            self.list.show_step(self.place, self._reach)

    def _use(self, result: RunResult) -> None:
        """Embed the library with the new model while the old one serves, then use it."""

        def switch(library: Library, ctx: JobContext) -> Switched:
            return Training(library).adopt(result.id, ctx)

        self.desk.switching.carry_out(switch)

    def _compare(self, result: RunResult) -> None:
        self.desk.show_page("compare", again=True)
        page = self.desk.page("compare")
        assert isinstance(page, ComparePage)
        page.compare(result.version or "")

    def _keep(self, _result: RunResult) -> None:
        """Nothing is thrown away: the new model can be removed where models are."""
        self.session.say(
            "The old model stays in use. The new one is kept among the models, and can be removed "
            "there.",
            Offer("Models", lambda: self.desk.show_page("models", again=True)),
        )
        self.desk.leave_page()

    def _switched(self, error: BaseException | None) -> None:
        if self.isVisible():
            if error is not None:
                self.tell(error, "Change the model")
            self.step(self.place).enter()

    def _opened(self) -> None:
        self.problem.hide()
        self.draft = Draft()
        self._reach = 0
        self._straight_on = False
        self.looking.stop()
        for step in self._made.values():
            step.forget()
        self.runs.forget()
        self._switch.show_part(self.links)
        self.list.show_step(0, 0)
        self._say_state()
        if self.isVisible():
            self.links.enter()

    def _say_state(self) -> None:
        library = self.session.library
        self._whole.setVisible(library is not None)
        locked = library is not None and library.database.read_only
        self.state.say(_NONE if library is None else (_LOCKED if locked else ""), "warn")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both beside each other, steps stand above."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            way = QBoxLayout.Direction
            self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
            self._row.setSpacing(12 if narrow else 24)
            self._left.setSpacing(4 if narrow else 16)
            self.list.set_narrow(narrow)
            self.runs.set_narrow(narrow)

    def showEvent(self, event: QShowEvent) -> None:
        """The step that is shown, as things are now."""
        super().showEvent(event)
        self._say_state()
        self.step(self.place).enter()
