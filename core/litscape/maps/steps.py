"""How far a map is: its parts share one scale, so that the bar never goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.jobs import JobContext

if TYPE_CHECKING:
    from litscape.jobs.context import Event

_WHOLE = 1000
GRAPH = (0.02, 0.3)
LAYOUT = (0.3, 1.0)
ROUNDS = (0.1, 1.0)
"""Which stretch of a map the neighbour graph and the layout take, and rounds of a layout."""


class Part(JobContext):
    """The context of a part: what it tells is told as a stretch of the whole."""

    def __init__(self, whole: JobContext, stretch: tuple[float, float]) -> None:
        super().__init__(_nobody)
        # A part of a part is a stretch of what is whole.
        first, last = whole.stretch if isinstance(whole, Part) else (0.0, 1.0)
        begin, end = (first + (last - first) * one for one in stretch)
        self.stretch: tuple[float, float] = (begin, end)
        self._job: JobContext = whole._job if isinstance(whole, Part) else whole

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked the whole to end."""
        return self._job.cancelled

    def cancel(self) -> None:
        """Ask the whole to end."""
        self._job.cancel()

    def check(self) -> None:
        """Raise where the whole was asked to end."""
        self._job.check()

    def progress(self, done: int, total: int | None = None, text: str = "") -> None:
        """Tell how far the whole is."""
        first, last = self.stretch
        share = min(1.0, done / total) if total else 0.0
        self._job.progress(round(_WHOLE * (first + (last - first) * share)), _WHOLE, text)

    def partial(self, value: object) -> None:
        """Hand on what can be shown."""
        self._job.partial(value)


def _nobody(_event: Event) -> None:
    """A part tells nothing itself."""
