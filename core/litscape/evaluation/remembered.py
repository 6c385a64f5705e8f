"""Vectors of texts that exist for measuring alone, kept so that a second run is quick."""

from __future__ import annotations

import os
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.text import fingerprint, paper_text

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.paper import PaperId

FOLDER = "evaluation"
_MARK = 16


def embed_copy(copy: Library, original: Library, ctx: JobContext) -> None:
    """Give the papers of a copy vectors of the texts that they have there.

    Those of texts that were embedded before come from ``<library>/evaluation``.

    Raises:
        EngineDiedError: a child process ended.
        UserError, EnvironmentFault: the model can't be run.
        JobCancelledError: ``ctx`` asked for the end; what was done is kept.
    """
    from litscape.evaluation.material import Material

    card = copy.models.active()
    copy.models.register(card)
    texts = {
        paper: text
        for paper, told in Material.of(copy).texts.items()
        if (text := paper_text(card, told.title, told.abstract)) is not None
    }
    marks = {paper: fingerprint(card, text) for paper, text in texts.items()}
    known = Remembered(original.folder / FOLDER / f"{card.version}.npz", card)
    todo = [(paper, text) for paper, text in texts.items() if marks[paper] not in known.rows]
    try:
        done = 0
        for part in original.engine.embed(card, todo, ctx) if todo else ():
            for paper, vector in zip(part.ids.tolist(), part.vectors, strict=True):
                known.rows[marks[paper]] = vector
            done += len(part.ids)
            ctx.progress(done, len(todo), f"Reading {done:,} of {len(todo):,} abstracts")
    finally:
        if todo and not original.database.read_only:
            known.save()
    _store(copy, card, marks, known)


def _store(copy: Library, card: ModelCard, marks: dict[PaperId, bytes], known: Remembered) -> None:
    papers = list(marks)
    if papers:
        matrix = np.stack([known.rows[marks[paper]] for paper in papers])
        copy.vector_store.write(
            card.version, papers, matrix, [marks[paper] for paper in papers], "torch/measuring"
        )


class Remembered:
    """Vectors of one model by the mark of their text, in a file that may be lost."""

    def __init__(self, file: Path, card: ModelCard) -> None:
        self._file = file
        self.rows: dict[bytes, NDArray[np.float32]] = {}
        # A file that is missing or was cut off costs time, nothing else.
        with (
            suppress(OSError, ValueError, KeyError, zipfile.BadZipFile),
            np.load(file, allow_pickle=False) as stored,
        ):
            marks, matrix = stored["marks"], stored["matrix"]
            if matrix.shape == (len(marks), card.dim) and marks.shape[1] == _MARK:
                self.rows = {mark.tobytes(): row for mark, row in zip(marks, matrix, strict=True)}

    def save(self) -> None:
        """Write them; where that fails, they are made anew next time."""
        if not self.rows:
            return
        partial = self._file.with_suffix(".new.npz")
        with suppress(OSError):
            partial.parent.mkdir(parents=True, exist_ok=True)
            marks = np.frombuffer(b"".join(self.rows), dtype=np.uint8).reshape(-1, _MARK)
            np.savez(partial, marks=marks, matrix=np.stack(list(self.rows.values())))
            os.replace(partial, self._file)
