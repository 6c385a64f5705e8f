"""Fifth step: the run as its folder tells it, so that the window may be closed meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QProgressBar

from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.pages.train_page.curve import Course, CurvePanel, course, ended
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.pages.train_page.telling import (
    TRAINED,
    run_figures,
    run_sentence,
    stages,
)
from litscape_app.window.widgets.basics import push_button
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from litscape.library import Library
    from litscape_app.window.session import Session
    from litscape_trainer.runs.records import Request, RunState

_LOOK_MS = 1000
_WHOLE = 1000


@dataclass(frozen=True, slots=True)
class Look:
    """One look into a run's folder.

    Attributes:
        state: of the run.
        course: of its training.
        asked: a wish that it has not answered yet.
        ahead, behind: runs that are done before it, and that wait behind it.
        anew: whether its training begins anew after a rest, as that of a head.
        minutes: into which all of it was planned to fit; None where only training is bounded.
    """

    state: RunState
    course: Course
    asked: Request | None = None
    ahead: int = 0
    behind: int = 0
    anew: bool = False
    minutes: float | None = None


class ProgressStep(Step):
    """Loss, development figure, speed, time left; pause, stop and keep the best, cancel.

    Signals:
        ended: the :class:`RunState` of a run that came to its end while it was shown.
    """

    name = "Training"
    question = "Training"
    ended = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "See the result")
        self.run: str | None = None
        self.state: RunState | None = None
        self.stages, self.said, self.figures = Sentence(), Sentence(), Sentence()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the training")
        self.curve = CurvePanel(self.theme)
        self.pause = push_button("Pause", self._pause)
        self.stop = push_button("Stop, keep the best", partial(self._ask, "stop"))
        self.cancel = push_button("Cancel", partial(self._ask, "cancel"), name="Cancel the run")
        self.lay_out(
            self.stages, self.said, self.bar, self.figures, self.curve,
            beside=(self.pause, self.stop, self.cancel),
        )  # fmt: skip
        self.go.setEnabled(False)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._read)
        self._slot, self._asking = session.slot(self), session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))
        self._asking.done.connect(lambda _state: self._read())
        self._asking.failed.connect(lambda error: self.trouble.say(str(error), "bad"))

    def watch(self, run: str) -> None:
        """Watch a run from now on."""
        self.run, self.state = run, None
        self.curve.show_course(Course())
        self.curve.hide()
        self._read()

    def enter(self) -> None:
        """The run as it is now."""
        self._read()

    def forget(self) -> None:
        """Another library has other runs."""
        self._slot.cancel()
        self.run = self.state = None

    def _read(self) -> None:
        run = self.run
        if run is None or self.session.library is None or not self.isVisible():
            return

        def look(library: Library, _ctx: object) -> Look:
            return _look(Training(library), run)

        self.session.read(self._slot, "Look at the training", look)

    def _show(self, look: Look) -> None:
        before, state = self.state, look.state
        self.state = state
        self.trouble.say("")
        bad = state.status in ("failed", "interrupted")
        told = run_sentence(state, look.asked, look.ahead, look.behind, anew=look.anew)
        self.said.say(told, "bad" if bad else "")
        self.stages.say(stages(state))
        self._show_bar(state)
        self.figures.say(run_figures(state, look.minutes))
        self.curve.show_course(look.course)
        # Before the training there is nothing to draw, and after one that was given up neither.
        self.curve.setVisible(bool(look.course.loss or look.course.dev))
        self.pause.setText("Pause" if state.status in ("running", "queued") else "Go on")
        for button in (self.pause, self.stop, self.cancel):
            button.setVisible(not state.ended)
            button.setEnabled(look.asked is None or state.status != "running")
        if state.status == "failed":
            self.pause.setVisible(True)
        judged = state.status in ("done", "stopped")
        self.go.setEnabled(judged)
        self.go.setVisible(judged or not state.ended)
        if state.ended and (before is None or not before.ended):
            self.ended.emit(state)

    def _show_bar(self, state: RunState) -> None:
        """The share of the whole run; before anything is known of it, it moves to and fro."""
        waits = state.status == "running" and not state.share
        self.bar.setRange(0, 0 if waits else _WHOLE)
        self.bar.setValue(round(_WHOLE * state.share))
        self.bar.setVisible(not state.ended and state.status != "queued")
        self.bar.setAccessibleDescription(state.text)

    def _pause(self) -> None:
        state = self.state
        going = state is not None and state.status in ("running", "queued")
        self._ask("pause" if going else "resume")

    def _ask(self, what: str) -> None:
        run = self.run
        if run is not None:
            self.session.read(
                self._asking, "Tell the training",
                lambda library, _ctx: getattr(Training(library), what)(run),
            )  # fmt: skip

    def showEvent(self, event: QShowEvent) -> None:
        """Look at it every second while it is shown."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not read."""
        super().hideEvent(event)
        self._timer.stop()


def _look(training: Training, run: str) -> Look:
    state = training.get(run)
    others = [one for one in training.runs() if one.id != run]
    queued = [one for one in others if one.status == "queued"]
    ahead = sum((one.made_at, one.id) < (state.made_at, state.id) for one in queued)
    behind = len(queued) if state.status == "running" else len(queued) - ahead
    ahead += sum(one.status == "running" for one in others)
    recipe = training.recipe(run)
    anew = recipe.method == "head"
    found = course(training.events(run))
    found = replace(found, steps=state.steps or found.steps)  # known before the first was taken
    if state.ended or state.phase in TRAINED:
        found = ended(found, state.dev_best)
    minutes = None if anew else recipe.minutes
    return Look(state, found, training.asked(run), ahead, behind, anew, minutes)
