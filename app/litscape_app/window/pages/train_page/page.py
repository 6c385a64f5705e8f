"""Fine-tuning on the library: steps at the left, one question at a time at their right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from litscape.paper import LibraryChanges
from litscape_app.window.pages.compare_page.page import ComparePage
from litscape_app.window.pages.page_frame import PageFrame, Switch
from litscape_app.window.pages.train_page.budget import BudgetStep
from litscape_app.window.pages.train_page.draft import Draft
from litscape_app.window.pages.train_page.examples import ExamplesStep
from litscape_app.window.pages.train_page.learning import LearningStep
from litscape_app.window.pages.train_page.links import LinksStep
from litscape_app.window.pages.train_page.progress import ProgressStep
from litscape_app.window.pages.train_page.result import ResultStep
from litscape_app.window.pages.train_page.runs_list import RunsList
from litscape_app.window.pages.train_page.step_list import StepList
from litscape_app.window.widgets.basics import horizontal, vertical
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.switching import Switched
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.train_page.step import Step
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import RunResult, RunState, Survey


_TRAINING, _RESULT = 4, 5


class TrainPage(PageFrame):
    """The wizard; what it decides is a :class:`Draft`, what runs is a run folder's."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Fine-tune on your library")
        self.draft = Draft()
        self.links = LinksStep(self.session)
        self.learning = LearningStep(self.session)
        self.examples = ExamplesStep(self.session)
        self.budget = BudgetStep(self.session)
        self.progress = ProgressStep(self.session)
        self.result = ResultStep(self.session)
        self.steps: tuple[Step, ...] = (
            self.links, self.learning, self.examples, self.budget, self.progress, self.result,
        )  # fmt: skip
        self.list = StepList(self.theme, [step.name for step in self.steps])
        self._switch = Switch(*self.steps)
        self._reach = 0
        self.runs = RunsList(self.session)
        left = vertical(None, self.list, self.runs, 0, spacing=16)
        row = horizontal(None, left, self._switch, spacing=24)
        row.setStretch(1, 1)
        self.body.addLayout(row, 1)
        self.list.chosen.connect(self.go_to)
        self.runs.chosen.connect(self.show_run)
        self.runs.read.connect(self._found)
        for place in range(len(self.steps) - 1):
            self.steps[place].forward.connect(partial(self.go_to, place + 1))
        self.links.counted.connect(self._counted)
        self.links.fetch.connect(lambda: self.desk.show_page("lookup"))
        self.learning.decided.connect(self._decided)
        self.examples.vetoed.connect(lambda pair: self.draft.vetoed.append(pair))
        self.budget.started.connect(self._started)
        self.progress.ended.connect(self._ended)
        self.result.use.connect(self._use)
        self.result.keep.connect(self._keep)
        self.result.compare.connect(self._compare)
        self.session.opened.connect(self._opened)
        self.list.show_step(0, 0)

    @property
    def place(self) -> int:
        """The step that is shown."""
        part = self._switch.part
        return next(place for place, step in enumerate(self.steps) if step is part)

    def go_to(self, place: int) -> None:
        """Show a step and let it bring itself up to date."""
        self._reach = max(self._reach, place)
        self._switch.show_part(self.steps[place])
        self.list.show_step(place, self._reach)
        self.steps[place].enter()

    def _counted(self, survey: Survey) -> None:
        self.draft.survey = survey
        self.learning.offer(survey)

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
            self._reach = len(self.steps) - 1
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

    def _keep(self, result: RunResult) -> None:
        def remove(library: Library) -> LibraryChanges:
            Training(library).keep_old(result.id)
            return LibraryChanges()

        self.session.write(
            "Keep the old model", remove,
            done=lambda _changes: self.session.say("The old model stays; the new one is removed."),
        )  # fmt: skip

    def _opened(self) -> None:
        self.problem.hide()
        self.draft = Draft()
        self._reach = 0
        for step in self.steps:
            step.forget()
        self.runs.forget()
        self._switch.show_part(self.steps[0])
        self.list.show_step(0, 0)
        if self.isVisible():
            self.steps[0].enter()

    def showEvent(self, event: QShowEvent) -> None:
        """The step that is shown, as things are now."""
        super().showEvent(event)
        self.steps[self.place].enter()
