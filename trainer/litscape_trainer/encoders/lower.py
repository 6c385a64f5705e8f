"""Lower layers that stay as they are: what they give is computed once and kept on disk.

Two bytes a number (bfloat16), token by token: 768 bytes a token for a model 384 wide. Below the
cut there is no dropout, as each text passes there once.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.errors import EnvironmentFault
from litscape_trainer.encoders.methods import layers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import torch
    from numpy.typing import NDArray


class _ReachedError(Exception):
    """Ends a forward pass at the cut."""


class Cut:
    """A place between two layers of a transformer, to take states out and put them in.

    Args:
        model: left as it is until something is put in.
        below: how many layers lie below.
    """

    def __init__(self, model: torch.nn.Module, below: int) -> None:
        self._model = model
        self._layers = layers_of(model)[1]
        self._below = below
        self._given: torch.Tensor | None = None
        self._taken: torch.Tensor | None = None
        self._taking = False
        for layer in self._layers[:below]:
            layer.forward = self._passing(layer.forward)
        self._layers[below].register_forward_pre_hook(self._at_cut, with_kwargs=True)

    def states(self, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """What the layers below give for token ids (n, tokens): (n, tokens, width)."""
        self._taking = True
        try:
            self._model(input_ids=ids, attention_mask=mask)
        except _ReachedError:
            pass
        finally:
            self._taking = False
        taken, self._taken = self._taken, None
        assert taken is not None
        return taken

    def finish(
        self, states: torch.Tensor, ids: torch.Tensor, mask: torch.Tensor | None
    ) -> torch.Tensor:
        """The last hidden states from what :meth:`states` gave."""
        self._given = states
        try:
            hidden: torch.Tensor = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
        finally:
            self._given = None
        return hidden

    def evaluate_below(self) -> None:
        """No dropout below the cut, whatever the mode of the model."""
        for layer in self._layers[: self._below]:
            layer.eval()

    def _passing(self, own: Callable[..., Any]) -> Callable[..., Any]:
        """A layer's own pass, or nothing at all while states are put in."""
        shape: list[bool] = []

        def forward(hidden: torch.Tensor, *rest: Any, **named: Any) -> Any:
            if self._given is not None:
                return (hidden,) if shape and shape[0] else hidden
            out = own(hidden, *rest, **named)
            shape[:] = [isinstance(out, tuple)]
            return out

        return forward

    def _at_cut(self, _layer: torch.nn.Module, args: Any, named: Any) -> Any:
        if self._taking:
            self._taken = args[0] if args else named["hidden_states"]
            raise _ReachedError
        if self._given is None:
            return None
        if args:
            return (self._given, *args[1:]), named
        return args, {**named, "hidden_states": self._given}


class StateStore:
    """States of texts on disk, in the order in which they were added; read through the page cache.

    What was whole when a process died is found again, provided that the same texts are asked for
    in the same order with the same ``key``.

    Args:
        folder: its place; made if needed.
        width: numbers a token.
        key: changes with whatever changes the states.
    """

    def __init__(self, folder: Path, width: int, key: str) -> None:
        self._file = folder / "states.bin"
        self._stamp = folder / "states.json"
        self._width = width
        self._key = key
        self._starts = [0]
        self._digest = hashlib.blake2b(key.encode(), digest_size=16)
        self._map: NDArray[np.uint16] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._whole = self._read_stamp()

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(
        self,
        rows: Sequence[Sequence[int]],
        states: Callable[[Sequence[Sequence[int]]], Sequence[NDArray[np.uint16]]],
        part: int = 64,
    ) -> int:
        """Keep the states of more texts, given as token ids; returns how many had to be computed.

        Raises:
            EnvironmentFault: the disk is full or can't be written.
        """
        for row in rows:
            self._starts.append(self._starts[-1] + len(row))
            self._digest.update(np.asarray([len(row), *row], dtype=np.int64).tobytes())
        mark = [len(self), self._digest.hexdigest()]
        self._map = None
        if mark not in self._whole:
            self._whole = self._read_stamp()  # another process of this run may have kept them
        if mark in self._whole:
            return 0
        try:
            self._append(rows, states, part)
            self._whole.append(mark)
            self._write_stamp()
        except OSError as error:
            raise EnvironmentFault(
                f"The states of the lower layers can't be kept in {self._file.parent}: "
                f"{error.strerror or error}. They take "
                f"{self._starts[-1] * self._width * 2 / 1e6:,.0f} MB; make room, or train with "
                "the method frozen-embeddings."
            ) from error
        return len(rows)

    def get(self, text: int) -> NDArray[np.uint16]:
        """The states of one text, (tokens, width), as the bits of bfloat16."""
        if self._map is None:
            self._map = np.memmap(
                self._file, dtype=np.uint16, mode="r", shape=(self._starts[-1], self._width)
            )
        return self._map[self._starts[text] : self._starts[text + 1]]

    def close(self) -> None:
        """Let go of the file."""
        self._map = None

    def _append(
        self,
        rows: Sequence[Sequence[int]],
        states: Callable[[Sequence[Sequence[int]]], Sequence[NDArray[np.uint16]]],
        part: int,
    ) -> None:
        begin = self._starts[len(self) - len(rows)] * self._width * 2
        with self._file.open("r+b" if self._file.exists() else "w+b") as stream:
            stream.truncate(begin)
            stream.seek(begin)
            for start in range(0, len(rows), part):
                for one in states(rows[start : start + part]):
                    stream.write(np.ascontiguousarray(one).tobytes())
            stream.flush()
            os.fsync(stream.fileno())

    def _read_stamp(self) -> list[list[Any]]:
        try:
            told = json.loads(self._stamp.read_text(encoding="utf-8"))
            size = self._file.stat().st_size
        except (OSError, ValueError):
            return []
        if told.get("key") != self._key or size < told.get("bytes", 0):
            return []
        marks: list[list[Any]] = told["marks"]
        return marks

    def _write_stamp(self) -> None:
        told = {
            "key": self._key,
            "bytes": self._starts[-1] * self._width * 2,
            "marks": self._whole,
        }
        beside = self._stamp.with_suffix(".new")
        beside.write_text(json.dumps(told), encoding="utf-8")
        os.replace(beside, self._stamp)
