"""The trainings of the open library, seen from anywhere: told of at the start and at their end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from litscape_app.window.session import Offer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.actions.command import Desk
    from litscape_trainer.runs.records import RunState

    States = Mapping[str, RunState]

LOADING = threading.Lock()
"""Held while what trains is imported: two threads in the midst of one package stop each other."""
_LOOK_MS = 2000
_OFTEN, _SELDOM = 1, 5
"""Looks between two reads of all runs: while one is open, and else."""
_DOING = {
    "preparing": "preparing",
    "probing": "preparing",
    "embedding": "reading",
    "measuring": "measuring",
}
_ENDS = ("done", "stopped", "failed", "interrupted")


class TrainingWatch(QObject):
    """Looks at the runs now and then, beside the window's thread.

    Signals:
        moved: what the line at the foot says of them; empty where none goes on.
    """

    moved = Signal(str)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._states: States | None = None
        self._shown = ""
        self._rest = 0
        self._slot = desk.session.slot(self)
        self._slot.done.connect(self._take)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._tick)
        desk.session.opened.connect(self._opened)

    def look(self) -> None:
        """Read the runs now, unless that goes on."""
        if not self._slot.running:
            self._desk.session.read(self._slot, "Look at the trainings", _runs)

    def show(self) -> None:
        """Show the newest run that goes on, or else the newest."""
        states = list((self._states or {}).values())
        going = [state for state in states if not state.ended]
        if states:
            self._show((going or states)[0].id)

    def _opened(self) -> None:
        self._slot.cancel()
        self._states, self._rest = None, 0
        self._say("")
        if self._desk.session.library is None:
            self._timer.stop()
        else:
            self.look()
            self._timer.start()

    def _tick(self) -> None:
        going = any(not state.ended for state in (self._states or {}).values())
        self._rest += 1
        if self._rest >= (_OFTEN if going else _SELDOM):
            self._rest = 0
            self.look()

    def _take(self, states: States) -> None:
        before, self._states = self._states, states
        if before is None:
            self._greet(states)
        else:
            for state in states.values():
                old = before.get(state.id)
                was = old.status if old is not None else "queued"
                if state.status != was and state.status in _ENDS and was not in _ENDS:
                    self._tell(state, _ended(state))
        self._say(_foot(states))

    def _greet(self, states: States) -> None:
        """Of several open runs the one that is told of is the one to be looked at first."""
        found = [state for state in states.values() if not state.ended]
        found.sort(key=lambda state: ("running", "interrupted", "paused").index(state.status)
                   if state.status != "queued" else 3)  # fmt: skip
        if found:
            self._tell(found[0], _met(found[0], len(found) - 1))

    def _tell(self, state: RunState, text: str) -> None:
        page = self._desk.page("train") if self._made() else None
        if page is None or not page.isVisible():
            self._desk.session.say(text, Offer("Show", lambda: self._show(state.id)))

    def _made(self) -> bool:
        """Whether the page of trainings was ever shown: it is not made for a look at it."""
        return self._desk.has_page("train")

    def _say(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self.moved.emit(text)

    def _show(self, run: str) -> None:
        from litscape_app.window.pages.train_page.page import TrainPage

        page = self._desk.page("train")
        assert isinstance(page, TrainPage)
        state = (self._states or {}).get(run)
        if state is not None:
            page.show_run(state)
        self._desk.show_page("train", again=True)


def _runs(library: Library, _ctx: JobContext) -> States:
    with LOADING:
        from litscape_trainer.runs import Training

    return {state.id: state for state in Training(library).runs()}


def _met(state: RunState, more: int) -> str:
    at = f" at step {state.step:,} of {state.steps:,}" if state.steps else ""
    said = {
        "running": f"A training goes on{at}",
        "paused": f"A training is paused{at}",
        "interrupted": f"A training broke off{at}; it can go on",
        "queued": "A training waits for its turn",
    }[state.status]
    return f"{said}, and there {'is' if more == 1 else 'are'} {more} more." if more else f"{said}."


def _ended(state: RunState) -> str:
    if state.status == "interrupted":
        return "The training broke off; it can go on from where it was."
    if state.status == "failed":
        return f"The training failed: {state.text}"
    return state.text


def _foot(states: States) -> str:
    open_runs = [state for state in states.values() if not state.ended]
    going = next((state for state in open_runs if state.status == "running"), None)
    if going is None:
        held = next((state for state in open_runs if state.status != "queued"), None)
        if held is not None:
            return "Training: paused" if held.status == "paused" else "Training: broken off"
        return "Training: waits" if open_runs else ""
    waiting = sum(state.status == "queued" for state in open_runs)
    parts = ["Training"]
    if going.share and going.phase == "training":
        parts.append(f"{100 * going.share:.0f} %")
    elif going.phase in _DOING:
        parts.append(_DOING[going.phase])
    if waiting:
        parts.append(f"{waiting} waiting")
    return " · ".join(parts)
