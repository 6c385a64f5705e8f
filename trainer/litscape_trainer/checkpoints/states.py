"""States of a run: written beside and renamed, so that each is whole or not there."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from litscape.errors import EnvironmentFault, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import torch

_KEPT = 2
_WEIGHTS, _OPTIMIZER, _PROGRESS = "weights.safetensors", "optimizer.safetensors", "progress.json"


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is.

    Attributes:
        key: of the job; another job does not go on from it.
        step, steps: made, of how many.
        epoch, batch: where the next batch is.
        best_step, best: of the step that measured best, whether or not it is kept at the end.
        baseline, dev: as in ``TrainedModel``.
        best_values, base_values: what ``best`` and ``baseline`` are the means of, by query.
        waited: measurements since the best.
        pieces: into how many parts a batch is cut for memory.
        seconds: of training so far.
        scale: of gradients (fp16); 1 where none is needed.
        notes: what happened on the way.
    """

    key: str
    step: int
    steps: int
    epoch: int = 0
    batch: int = 0
    best_step: int = 0
    best: float | None = None
    baseline: float | None = None
    dev: tuple[tuple[int, float], ...] = ()
    best_values: tuple[float, ...] = ()
    base_values: tuple[float, ...] = ()
    waited: int = 0
    pieces: int = 1
    seconds: float = 0.0
    scale: float = 1.0
    notes: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """From what ``json.dumps(asdict(…))`` wrote."""
        values = json.loads(text)
        values["dev"] = tuple((int(step), float(value)) for step, value in values["dev"])
        for name in ("notes", "best_values", "base_values"):
            values[name] = tuple(values[name])
        return cls(**values)


class Checkpoints:
    """The checkpoints of one run: the last two, and the best weights that they speak of.

    Args:
        folder: its own; made when something is written.
        key: of the job.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key

    def latest(self) -> tuple[RunProgress, dict[str, torch.Tensor], dict[str, torch.Tensor]] | None:
        """The last whole checkpoint: progress, weights and the optimizer's state; or None.

        Raises:
            UserError: it is of another job.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        for place in reversed(self._places()):
            try:
                text = (place / _PROGRESS).read_text(encoding="utf-8")
                progress = RunProgress.from_json(text)
                found = load_file(place / _WEIGHTS), load_file(place / _OPTIMIZER)
                if progress.best_step:
                    self.best(progress.best_step)
            except (OSError, ValueError, TypeError, KeyError, SafetensorError):
                continue  # damaged: the one before it is as good, only older
            if progress.key != self._key:
                raise UserError(
                    f"The checkpoints in {self._folder} are of another recipe or base model; "
                    "start a new run."
                )
            return progress, *found
        return None

    def save(
        self,
        progress: RunProgress,
        weights: Mapping[str, torch.Tensor],
        optimizer: Mapping[str, torch.Tensor],
    ) -> Path:
        """Write a checkpoint, then take away those that it replaces.

        Raises:
            EnvironmentFault: the disk is full or can't be written; earlier ones are untouched.
        """
        target = self._folder / f"step-{progress.step:07d}"

        def write(place: Path) -> None:
            place.mkdir(parents=True)
            _save(weights, place / _WEIGHTS)
            _save(optimizer, place / _OPTIMIZER)
            (place / _PROGRESS).write_text(json.dumps(asdict(progress)), encoding="utf-8")
            for file in place.iterdir():
                _sync(file)

        self._whole(target, write, progress.step)
        self._tidy()
        return target

    def save_best(self, step: int, weights: Mapping[str, torch.Tensor]) -> None:
        """Write the weights of a step that measured best; the ones before stay until the next save.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """

        def write(place: Path) -> None:
            _save(weights, place)
            _sync(place)

        self._whole(self._best(step), write, step)

    def best(self, step: int) -> dict[str, torch.Tensor]:
        """The weights that :meth:`save_best` wrote at a step."""
        from safetensors.torch import load_file

        return load_file(self._best(step))

    def remove(self) -> None:
        """Take all of them away."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _best(self, step: int) -> Path:
        return self._folder / f"best-{step:07d}.safetensors"

    def _places(self) -> list[Path]:
        return sorted(self._folder.glob("step-*[0-9]"))

    def _whole(self, target: Path, write: Callable[[Path], None], step: int) -> None:
        from safetensors import SafetensorError

        beside = target.with_name(f"{target.name}.new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _remove(beside)
            write(beside)
            _remove(target)
            os.replace(beside, target)
            _sync(self._folder)
        except (OSError, SafetensorError) as error:
            _remove(beside)
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EnvironmentFault(
                f"The checkpoint of step {step:,} could not be written to {self._folder}: {why}. "
                "The one before it is untouched: make room, and go on with the run."
            ) from error

    def _tidy(self) -> None:
        """Keep the last checkpoints and the best weights that they speak of."""
        places = self._places()
        for old in places[:-_KEPT]:
            _remove(old)
        named = set()
        for place in places[-_KEPT:]:
            text = (place / _PROGRESS).read_text(encoding="utf-8")
            named.add(self._best(RunProgress.from_json(text).best_step))
        for file in self._folder.glob("best-*.safetensors"):
            if file not in named:
                _remove(file)


def optimizer_state(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """An optimizer's state as named tensors."""
    state: Mapping[int, Mapping[str, Any]] = optimizer.state_dict()["state"]
    return {f"{i}.{name}": value for i, one in state.items() for name, value in one.items()}


def load_optimizer(optimizer: torch.optim.Optimizer, state: Mapping[str, torch.Tensor]) -> None:
    """Put back what :func:`optimizer_state` gave."""
    parts: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in state.items():
        number, _dot, part = name.partition(".")
        parts.setdefault(int(number), {})[part] = value
    whole = optimizer.state_dict()
    optimizer.load_state_dict({"state": parts, "param_groups": whole["param_groups"]})


def _save(tensors: Mapping[str, torch.Tensor], file: Path) -> None:
    from safetensors.torch import save_file

    save_file({name: one.detach().cpu().contiguous() for name, one in tensors.items()}, file)


def _sync(path: Path) -> None:
    """Have the disk hold it before anything speaks of it."""
    if os.name == "nt" and path.is_dir():
        return  # folders can't be opened there
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
