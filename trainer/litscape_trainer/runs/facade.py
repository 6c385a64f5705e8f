"""Training on a library: what there is to learn from, runs, their results, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_trainer.runs.folder import RunFolder, folders

if TYPE_CHECKING:
    from litscape.library import Library
    from litscape_trainer.runs.records import RunResult, RunState


class Training:
    """The training of one library; cheap to make, and keeps nothing in memory."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def runs(self) -> tuple[RunState, ...]:
        """All runs of this library, newest first."""
        found = [one.state() for one in folders(self._library.folder)]
        return tuple(sorted(found, key=lambda state: (state.made_at, state.id), reverse=True))

    def get(self, run: str) -> RunState:
        """How far a run is.

        Raises:
            UserError: there is no such run.
        """
        return RunFolder.of(self._library.folder, run).state()

    def result(self, run: str) -> RunResult | None:
        """What came out; None where the run has not come to that.

        Raises:
            UserError: there is no such run.
        """
        return RunFolder.of(self._library.folder, run).result()
