"""One count over a whole measurement, however many rankings are asked one after another."""

from __future__ import annotations

from litscape.jobs.context import JobContext


class Part(JobContext):
    """A context that counts on from what was done before it; wishes are those of the whole.

    Args:
        whole: hears of everything; may ask for the end.
        before: how much was done before.
        total: how much there is to do in all.
        about: what is done, for people; the name of each part follows it.
    """

    def __init__(self, whole: JobContext, before: int, total: int, about: str) -> None:
        super().__init__(lambda _event: None)
        self._whole, self._before, self._total, self._about = whole, before, total, about

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked the whole to end."""
        return self._whole.cancelled

    def cancel(self) -> None:
        """Ask the whole to end."""
        self._whole.cancel()

    def check(self) -> None:
        """Raise as the whole does."""
        self._whole.check()

    def progress(self, done: int, total: int | None = None, text: str = "") -> None:
        """Tell how far the whole is; ``total`` of the part says nothing about it."""
        del total
        told = f"{self._about} ({text})" if text else self._about
        self._whole.progress(self._before + done, self._total, told)

    def partial(self, value: object) -> None:
        """Hand a partial result on."""
        self._whole.partial(value)


class Counting:
    """Gives each part of a measurement its context.

    Args:
        ctx: hears of progress; may ask for the end.
        total: how many questions are asked in all.
        about: what is done, for people.
    """

    def __init__(self, ctx: JobContext, total: int, about: str) -> None:
        self._ctx, self._total, self._about = ctx, total, about
        self._done = 0

    def part(self, number: int) -> JobContext:
        """The context of the next ``number`` questions."""
        before, self._done = self._done, self._done + number
        return Part(self._ctx, before, self._total, self._about)
