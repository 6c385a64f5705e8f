"""Fourth step: how long it may take, estimated from real steps on this computer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDoubleSpinBox

from litscape.apart import run_apart
from litscape_app.window.pages.page_frame import Sentence, named
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import roomy
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.window.session import Session
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Budget, RunState

_PROBING = "Trying a few real steps on this computer, to see what fits …"
_HINT = (
    "Training, embedding the library anew and measuring are planned to fit into this time; quick "
    "adapt trains within it and measures after. You can go on reading meanwhile, and stop at any "
    "moment."
)
_MOST, _SETTLED_MS, _WIDEST = 1440.0, 600, 140


class BudgetStep(Step):
    """Minutes and memory, and the button that starts the run.

    Signals:
        started: the :class:`RunState` of the run.
    """

    name = "How long"
    question = "How long may it take?"
    started = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Start training")
        self.recipe: TrainingRecipe | None = None
        self.minutes = QDoubleSpinBox()
        self.minutes.setRange(0.5, _MOST)
        self.minutes.setDecimals(1)
        self.minutes.setSuffix(" min")
        self.minutes.setMaximumWidth(_WIDEST)
        roomy(self.minutes)
        self.said, self.queue = Sentence(_PROBING), Sentence()
        self.lay_out(named(self.theme, "At most", self.minutes, _HINT), self.said, self.queue)
        self.go.clicked.disconnect()
        self.go.clicked.connect(lambda _checked=False: self._start())
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        self._settled.timeout.connect(self._estimate)
        self.minutes.valueChanged.connect(lambda _value: self._settled.start())
        self._slot, self._starting = session.slot(self), session.slot(self)
        self._queue = session.slot(self)
        self._queue.done.connect(self._tell_queue)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self._failed)
        self._starting.done.connect(self._began)
        self._starting.failed.connect(self._failed)

    def plan(self, recipe: TrainingRecipe) -> None:
        """Begin with the time that the recipe names."""
        if self.recipe is None or replace(recipe, minutes=None) != replace(
            self.recipe, minutes=None
        ):
            self.recipe = recipe
            self.minutes.setValue(recipe.minutes or self.minutes.maximum())

    def enter(self) -> None:
        """Estimate anew: the device or the library may have changed."""
        self._estimate()
        self.session.read(
            self._queue, "Look at the runs", lambda library, _ctx: Training(library).runs()
        )

    def forget(self) -> None:
        """Another library takes another time."""
        self._settled.stop()
        self._slot.cancel()
        self.recipe = None
        self.queue.say("")

    @property
    def wanted(self) -> TrainingRecipe | None:
        """The recipe with the chosen minutes."""
        return self.recipe and replace(self.recipe, minutes=self.minutes.value())

    def _estimate(self) -> None:
        recipe = self.wanted
        if recipe is None or self.session.library is None or not self.isVisible():
            return
        self.trouble.say("")
        self.said.say(_PROBING)
        self.go.setEnabled(False)

        def probe(library: Library, ctx: JobContext) -> Budget:
            from litscape_trainer.tasks import estimate

            return run_apart(library, estimate, ctx, recipe)

        self.session.read(self._slot, "Estimate a training", probe)

    def _show(self, budget: Budget) -> None:
        self.said.say(budget.sentence, "" if budget.enough else "warn")
        library = self.session.library
        recipe = self.wanted
        # A run of an encoder would refuse at once; a head's minutes bound its training alone.
        goes = budget.enough or recipe is None or recipe.method == "head" or bool(recipe.steps)
        self.go.setEnabled(goes and library is not None and not library.database.read_only)

    def _tell_queue(self, states: tuple[RunState, ...]) -> None:
        """Runs go one after another; a new one says so before it is started."""
        before = sum(state.status in ("running", "queued") for state in states)
        self.go.setText("Put into the queue" if before else "Start training")
        others = "Another run is" if before == 1 else f"{before} other runs are"
        self.queue.say(
            f"{others} at work or waiting: this one begins after, one at a time." if before else ""
        )

    def _failed(self, error: BaseException) -> None:
        self.said.say("")
        self.trouble.say(str(error), "bad")
        self.go.setEnabled(False)

    def _start(self) -> None:
        recipe = self.wanted
        if recipe is None:
            return
        self.go.setEnabled(False)
        self.session.read(
            self._starting,
            "Start a training",
            lambda library, _ctx: Training(library).start(recipe),
        )

    def _began(self, state: RunState) -> None:
        self.started.emit(state)
        self.forward.emit()
