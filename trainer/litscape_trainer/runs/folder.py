"""The folder of a run: recipe, state, log, checkpoints, result; written so that a crash harms none.

``<library>/runs/<id>/`` holds ``recipe.toml``, ``state.json`` (replaced as a whole),
``log.jsonl`` (a line an event), ``work/`` (checkpoints), ``snapshot/`` (the library as the run
learns from it), ``output/`` (the trained model) and ``result.json``. A request to pause, stop or
cancel is a file ``request``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, cast, get_args

from litscape.errors import EnvironmentFault, UserError
from litscape_trainer.recipes.recipe import TrainingRecipe
from litscape_trainer.runs.alive import alive
from litscape_trainer.runs.records import Request, RunResult, RunState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUNS = "runs"
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")


class RunFolder:
    """One run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name
        self.work = path / "work"
        self.snapshot = path / "snapshot"
        self.output = path / "output"

    @classmethod
    def of(cls, library: Path, run: str) -> Self:
        """The folder of a run of a library, by its id or the beginning of it.

        Raises:
            UserError: there is no such run, or several begin so.
        """
        if not run.strip():
            raise UserError("Which run? Name one, or its beginning; `train list` shows them.")
        names = [one.id for one in folders(library)]
        found = [run] if run in names else [name for name in names if name.startswith(run)]
        if len(found) == 1:
            return cls(library / RUNS / found[0])
        known = f" Known are: {', '.join(names)}." if names else " None was started yet."
        many = "Several runs begin" if found else "There is no run"
        raise UserError(f"{many} {run!r} in this library.{known}")

    @classmethod
    def make(cls, library: Path, recipe: TrainingRecipe, state: RunState) -> Self:
        """A new run.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        folder = cls(library / RUNS / state.id)
        try:
            folder.path.mkdir(parents=True)
            _replace(folder.path / "recipe.toml", recipe.to_toml())
        except OSError as error:
            raise _unwritten(folder.path, error) from error
        folder.put_state(state)
        return folder

    def recipe(self) -> TrainingRecipe:
        """The recipe as it was when the run was made.

        Raises:
            UserError: the file is damaged.
        """
        return TrainingRecipe.from_file(self.path / "recipe.toml")

    def state(self) -> RunState:
        """Where it stands; a run whose process is gone is ``interrupted``.

        Raises:
            UserError: the file is damaged.
        """
        state = self.stored()
        if state.status == "running" and not alive(state.pid, state.born):
            text = f"It was interrupted; go on with: litscape train resume {self.id}"
            return replace(state, status="interrupted", text=text, pid=None, born=None)
        return state

    def stored(self) -> RunState:
        """The state as it was written last.

        Raises:
            UserError: the file is damaged.
        """
        try:
            text = (self.path / "state.json").read_text(encoding="utf-8")
            return RunState.from_json(json.loads(text))
        except (OSError, ValueError, TypeError) as error:
            raise UserError(f"The run in {self.path} can't be read: {error}.") from error

    def put_state(self, state: RunState) -> None:
        """Replace the state as a whole.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        try:
            _replace(self.path / "state.json", json.dumps(state.to_json(), indent=1))
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def log(self, event: dict[str, Any]) -> None:
        """Append an event; a log that can't be written ends no run."""
        line = json.dumps({"t": round(time.time(), 2), **event}) + "\n"
        with suppress(OSError), (self.path / "log.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(line)

    def events(self) -> Iterator[dict[str, Any]]:
        """All events so far; a line that a crash cut off is left out."""
        with suppress(OSError), (self.path / "log.jsonl").open(encoding="utf-8") as stream:
            for line in stream:
                with suppress(ValueError):
                    event = json.loads(line)
                    if isinstance(event, dict):
                        yield event

    def put_text(self, name: str, text: str) -> None:
        """Write a file of the run as a whole.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        try:
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            _replace(self.path / name, text)
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def put_result(self, result: RunResult) -> None:
        """Write what came out.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        try:
            _replace(self.path / "result.json", json.dumps(result.to_json(), indent=1))
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def result(self) -> RunResult | None:
        """What came out; None before that.

        Raises:
            UserError: the file is damaged.
        """
        try:
            text = (self.path / "result.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UserError(f"The result in {self.path} can't be read: {error}.") from error
        try:
            return RunResult.from_json(json.loads(text))
        except (ValueError, TypeError, KeyError) as error:
            raise UserError(f"The result in {self.path} is damaged: {error}.") from error

    def clear(self) -> None:
        """Take away what only a run that goes on needs; recipe, state, log and result stay."""
        for place in (self.snapshot, self.work, self.output):
            shutil.rmtree(place, ignore_errors=True)
            shutil.rmtree(place.with_name(f"{place.name}.new"), ignore_errors=True)

    def ask(self, request: Request | None) -> None:
        """Leave a request for the process, or take one away.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        place = self.path / "request"
        try:
            if request is None:
                place.unlink(missing_ok=True)
            else:
                _replace(place, request)
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def asked(self) -> Request | None:
        """The request that waits; None where there is none."""
        with suppress(OSError, ValueError):
            found = (self.path / "request").read_text(encoding="utf-8")
            if found in get_args(Request):
                return cast("Request", found)
        return None


def folders(library: Path) -> tuple[RunFolder, ...]:
    """All runs of a library, in the order of their making."""
    try:
        found = sorted((library / RUNS).iterdir())
    except OSError:
        return ()
    return tuple(RunFolder(one) for one in found if (one / "state.json").is_file())


def new_id(library: Path, recipe: str) -> str:
    """A name for a new run: day, time and recipe."""
    word = re.sub(r"[^a-z0-9]+", "-", recipe.lower()).strip("-") or "run"
    stem = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{word}"
    number, name = 1, stem
    while (library / RUNS / name).exists():
        number += 1
        name = f"{stem}-{number}"
    return name


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with partial.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _unwritten(path: Path, error: OSError) -> EnvironmentFault:
    return EnvironmentFault(
        f"{path} can't be written: {error.strerror or error}. The library is as it was; make room, "
        "then let the run go on."
    )
