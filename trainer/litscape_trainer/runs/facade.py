"""Training on a library: what there is to learn from, runs, their results, and the choice."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from litscape.errors import LitscapeError, UserError
from litscape_trainer.runs.alive import alive
from litscape_trainer.runs.bases import trainable_base
from litscape_trainer.runs.folder import RunFolder, folders, new_id
from litscape_trainer.runs.queue import launch, waiting
from litscape_trainer.runs.records import RunState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.models.switching import Switched
    from litscape.paper import LibraryChanges, PaperId
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.examples import ShownExample
    from litscape_trainer.runs.judged import Judged
    from litscape_trainer.runs.records import Budget, Request, RunResult, Survey


class Training:
    """The training of one library in ``folder``; cheap to make, and keeps nothing in memory.

    ``survey``, ``preview``, ``estimate``, ``adopt`` and whatever else computes long load SciPy or
    torch: in a window they are called in a child (:mod:`litscape_trainer.tasks`).
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self.folder = library.folder

    def survey(self, ctx: JobContext | None = None) -> Survey:
        """What there is to learn from, and whether a run could be measured."""
        from litscape_trainer.runs.surveying import survey

        return survey(self._library, ctx)

    def preview(
        self, recipe: TrainingRecipe, n: int = 10, seed: int = 0, ctx: JobContext | None = None
    ) -> tuple[ShownExample, ...]:
        """Some of the examples that a recipe learns from, with texts and reasons.

        Args:
            recipe: whose.
            n: how many.
            seed: another one draws others.
            ctx: hears of progress; may ask for the end.

        Raises:
            UserError: a run of the recipe would be refused, or finds nothing to learn from.
        """
        from litscape_trainer.runs.checks import check_recipe
        from litscape_trainer.runs.examples import show

        # No example hangs on the base model, but the recipe would be refused.
        check_recipe(self._library, recipe, trainable_base(self._library.models, recipe.base))
        return show(self._library, recipe, n, seed, ctx)

    def veto(self, a: PaperId, b: PaperId) -> LibraryChanges:
        """Two papers are related: no training pushes them apart; can be undone.

        Raises:
            UserError: one of them is not there.
        """
        return self._library.related.mark([a, b])

    def estimate(self, recipe: TrainingRecipe, ctx: JobContext | None = None) -> Budget:
        """What a run would take here, from real steps on this device.

        Raises:
            UserError: there is too little to learn from, or the base model can't be run.
        """
        from litscape_trainer.runs.budgets import estimate

        return estimate(self._library, recipe, ctx)

    def start(self, recipe: TrainingRecipe, *, begin: bool = True) -> RunState:
        """Queue a run; it begins at once where no other is at work.

        It has a process of its own that goes on when the program ends.

        Args:
            recipe: what to do; its base model must be there.
            begin: whether a process is started for it; else with the next one.

        Raises:
            UserError: the base model is not there or can't be trained, the recipe names what is
                not there, or the library is open for reading only.
            EnvironmentFault: the disk is full or can't be written.
        """
        from litscape_trainer.runs.checks import check_recipe

        library = self._library
        if library.database.read_only:
            raise UserError(
                f"The library in {library.folder} is open for reading only: a run keeps its "
                "folder in it."
            )
        base = trainable_base(library.models, recipe.base)
        check_recipe(library, recipe, base)
        library.models.register(base)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        state = RunState(
            id=new_id(library.folder, recipe.name),
            recipe=recipe.name,
            made_at=now,
            text="Waiting for its turn",
            base=base.version,
            current=library.models.active_version(),
        )
        folder = RunFolder.make(library.folder, recipe, state)
        if begin:
            self.wake()
        return folder.state()

    def wake(self) -> bool:
        """Start a process for what is queued, where none is at work; whether something waits."""
        if waiting(self._library.folder) is None:
            return False
        if not any(state.status == "running" for state in self.runs()):
            launch(self._library.folder)
        return True

    def runs(self) -> tuple[RunState, ...]:
        """All runs of this library, newest first; a damaged folder is passed over."""
        found = []
        for folder in folders(self._library.folder):
            with suppress(LitscapeError):
                found.append(folder.state())
        return tuple(sorted(found, key=lambda state: (state.made_at, state.id), reverse=True))

    def get(self, run: str) -> RunState:
        """How far a run is.

        Raises:
            UserError: there is no such run.
        """
        return self._folder(run).state()

    def recipe(self, run: str) -> TrainingRecipe:
        """The recipe of a run.

        Raises:
            UserError: there is no such run.
        """
        return self._folder(run).recipe()

    def events(self, run: str) -> Iterator[dict[str, Any]]:
        """What happened so far, a line of its log each, as dicts with a ``kind``.

        Raises:
            UserError: there is no such run.
        """
        return self._folder(run).events()

    def asked(self, run: str) -> Request | None:
        """A wish to pause, stop or cancel that the run has not answered yet.

        Raises:
            UserError: there is no such run.
        """
        return self._folder(run).asked()

    def pause(self, run: str) -> RunState:
        """Ask a run to keep its place and end its process; a queued one waits no longer.

        Raises:
            UserError: there is no such run, or it is over.
        """
        folder, state = self._open(run, "paused")
        if state.status == "running":
            folder.ask("pause")
        elif state.status in ("queued", "interrupted"):
            folder.put_state(replace(state, status="paused", text="Paused"))
        return folder.state()

    def resume(self, run: str) -> RunState:
        """Let a run go on that was paused, interrupted or failed.

        Raises:
            UserError: there is no such run, or it came to its end.
        """
        folder = self._folder(run)
        state = folder.state()
        if state.status in ("done", "stopped", "cancelled"):
            raise UserError(f"The run {folder.id} came to its end ({state.status}).")
        if state.status == "running":
            if folder.asked() == "pause":
                folder.ask(None)
            return folder.state()
        folder.ask(None)
        text = "Waiting for its turn"
        folder.put_state(replace(state, status="queued", text=text, pid=None, born=None))
        self.wake()
        return folder.state()

    def stop(self, run: str) -> RunState:
        """End the training of a run now, keep the best weights and judge them.

        Raises:
            UserError: there is no such run, or it is over.
        """
        folder, state = self._open(run, "stopped")
        if state.status != "running":
            self.resume(run)
        folder.ask("stop")
        return folder.state()

    def cancel(self, run: str) -> RunState:
        """Give a run up: nothing is kept but its recipe and log.

        Raises:
            UserError: there is no such run, or it is over.
        """
        folder, state = self._open(run, "cancelled")
        if state.status == "running":
            folder.ask("cancel")
            return folder.state()
        folder.clear()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        text = "Cancelled. The library is as it was."
        over = replace(state, status="cancelled", phase="ended", text=text, ended_at=now)
        folder.put_state(over)
        return over

    def delete(self, run: str) -> None:
        """Remove a run that is over; the model that it made stays.

        Raises:
            UserError: there is no such run, or it is at work.
        """
        folder = self._folder(run)
        state = folder.state()
        if state.status == "running" and alive(state.pid, state.born):
            raise UserError(f"The run {folder.id} is at work: stop or cancel it first.")
        shutil.rmtree(folder.path, ignore_errors=True)

    def judged(self) -> dict[str, Judged]:
        """What was said of each model that a run made, by its version."""
        from litscape_trainer.runs.judged import judged_models

        return judged_models(self.folder)

    def models(self) -> tuple[ModelCard, ...]:
        """The models that are there now; one that a run made may have been removed."""
        return self._library.models.available()

    def result(self, run: str) -> RunResult | None:
        """What came out; None where the run has not come to that.

        Raises:
            UserError: there is no such run.
        """
        return self._folder(run).result()

    def adopt(self, run: str, ctx: JobContext | None = None) -> Switched:
        """Use the model that a run made; the old one serves until its vectors are complete.

        Raises:
            UserError: the run made none.
            EngineDiedError, LibraryBusyError: the change did not come about; the old one stays.
        """
        from litscape.models.switching import switch

        result = self.result(run)
        if result is None or result.version is None:
            raise UserError(f"The run {run} made no model to use.")
        return switch(self._library, result.version, ctx)

    def _folder(self, run: str) -> RunFolder:
        return RunFolder.of(self._library.folder, run)

    def _open(self, run: str, what: str) -> tuple[RunFolder, RunState]:
        folder = self._folder(run)
        state = folder.state()
        if state.ended:
            raise UserError(f"The run {folder.id} is over ({state.status}): it can't be {what}.")
        return folder, state
