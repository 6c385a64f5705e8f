"""How a run's process hears of wishes, and tells how far it is."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from litscape.jobs.context import JobContext, Progress
from litscape_trainer.runs.shares import Seconds, phase_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.jobs.context import Event
    from litscape_trainer.loop.records import Wish
    from litscape_trainer.runs.folder import RunFolder
    from litscape_trainer.runs.meter import Meter
    from litscape_trainer.runs.records import Request, RunState
    from litscape_trainer.runs.shares import Part

_LOOK_S = 0.3
_WRITE_S = 1.0
_TOLD = ("step", "steps", "loss", "examples_per_second", "seconds_left")


class Control:
    """The state of a running run, and the wishes of whoever watches it.

    ``keeps_place`` says whether a training answers wishes itself; ``plan`` what each part takes.

    A wish to pause or stop is answered by the training itself, which keeps its place; in other
    phases a pause breaks off, and the phase is done again later.
    """

    def __init__(self, folder: RunFolder, state: RunState, meter: Meter) -> None:
        self.folder, self.state, self._meter = folder, state, meter
        self.ctx = JobContext(self._publish)
        self._lock = threading.Lock()
        self._written = 0.0
        self._ended = threading.Event()
        self._own: Request | None = None
        self.keeps_place = True
        self.plan = Seconds()
        self._part: Part = "preparing"
        self._watcher = threading.Thread(target=self._watch, name="wishes", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._watcher.start()

    def close(self) -> None:
        """Listen no longer."""
        self._ended.set()
        if self._watcher.is_alive():
            self._watcher.join()

    def request(self) -> Request | None:
        """What is wished for now."""
        return self._own or self.folder.asked()

    def interrupt(self) -> None:
        """The system ends this process: keep the place."""
        self._own = "pause"

    def enter(self, part: Part, text: str) -> None:
        """Begin another part."""
        self._part, phase = part, phase_of(part)
        self.folder.log({"kind": "phase", "phase": phase, "text": text})
        share = self._share(0.0)
        self.update(phase=phase, text=text, seconds_left=None, share=share)
        self.ctx.check()

    def _share(self, inner: float) -> float:
        """How much of the run is done; it never goes back, whatever is estimated anew."""
        return max(self.state.share, round(self.plan.share(self._part, inner), 4))

    def update(self, **values: Any) -> None:
        """Change the state and write it at once."""
        with self._lock:
            self.state = self._meter.into(replace(self.state, **values))
            self._written = time.monotonic()
            self.folder.put_state(self.state)

    def wish(self) -> Wish:
        """For a training: ``go``, ``pause`` or ``stop``."""
        asked = self.request()
        if asked == "cancel":
            self.ctx.cancel()
        return asked if asked == "pause" or asked == "stop" else "go"

    def hear(self, event: Mapping[str, Any]) -> None:
        """An event of a training: into the log, and into the state now and then."""
        self.folder.log({key: value for key, value in event.items() if key != "t"})
        values = {key: event[key] for key in _TOLD if key in event}
        if values.get("steps"):
            values["share"] = self._share(values.get("step", 0) / values["steps"])
        if event.get("kind") == "dev":
            base, best = event.get("baseline"), event.get("best")
            values = {"dev": event.get("value"), "dev_base": base, "dev_best": best}
        if event.get("kind") == "note":
            values = {"text": str(event.get("text"))}
        self._soon(values)

    def _soon(self, values: Mapping[str, Any]) -> None:
        """Change the state; on disk it is a second old at most."""
        with self._lock:
            self.state = replace(self.state, **values)
            late = time.monotonic() - self._written >= _WRITE_S
        if late:
            self.update()

    def _publish(self, event: Event) -> None:
        if not isinstance(event.value, Progress) or self.state.phase == "training":
            return
        told, done, total = event.value.text, event.value.done, event.value.total
        if told and total and f"{done:,} of" not in told:
            told = f"{told}: {done:,} of {total:,}"
        values: dict[str, Any] = {"text": told} if told else {}
        if total:
            values["share"] = self._share(done / total)
        if values:
            self._soon(values)

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_S):
            asked = self.request()
            training = self.state.phase == "training" and self.keeps_place
            if asked == "cancel" or (asked == "pause" and not training):
                self.ctx.cancel()
