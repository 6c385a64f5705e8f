"""Keeps a training within the minutes that were chosen, where steps take longer than was timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_trainer.loop.records import Wish
    from litscape_trainer.runs.control import Control


class Clock:
    """Asks a training to stop and keep its best when what comes after it would be too late.

    The number of steps is fixed before the first one, so that a run can be had again; a machine
    that gets busier meanwhile must not make an hour of ten minutes.

    Args:
        minutes: of the whole run; None: there is no limit.
        control: knows the seconds that went and what the rest of the run takes.
    """

    def __init__(self, minutes: float | None, control: Control) -> None:
        self._minutes, self._control = minutes, control
        self._over = False

    @property
    def notes(self) -> tuple[str, ...]:
        """That it ended a training, if it did."""
        if not self._over:
            return ()
        told = f"Steps took longer than was timed, and the {self._minutes:g} min were nearly over"
        return (f"{told}: the training ended before its last step.",)

    def wish(self) -> Wish:
        """What a person wishes, or ``stop`` when the time is over."""
        wished = self._control.wish()
        if wished != "go" or self._minutes is None:
            return wished
        plan = self._control.plan
        needed = self._control.state.seconds + plan.embedding + plan.measuring
        self._over = needed > 60 * self._minutes
        return "stop" if self._over else "go"
