"""Vectors of several models for one measurement: each text is read once, heads read none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.derived import derive, head_of
from litscape.embed.plan import plan
from litscape.embed.text import fingerprint, paper_text
from litscape.evaluation.remembered import FOLDER, Remembered
from litscape.store.papers import texts_for_embedding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.embed.derived import Head
    from litscape.embed.tokens import Kind
    from litscape.embed.torch_encoder import TorchEncoder
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.vectors.store import VectorSnapshot

_PART = 128


class Reader:
    """Reads texts with models, in this process: it loads torch.

    Args:
        library: a private copy; vectors of its papers are stored in it.
        kept: where vectors of abstracts and titles are kept for the next time; None: nowhere.
        device, threads: as for any encoder.
        ctx: hears of progress; may ask for the end.
    """

    def __init__(
        self,
        library: Library,
        ctx: JobContext,
        kept: Path | None = None,
        device: str = "auto",
        threads: int | None = None,
    ) -> None:
        self._library, self._ctx, self._kept = library, ctx, kept
        self._device, self._threads = device, threads
        self._encoder: tuple[str, TorchEncoder] | None = None
        self.notes: list[str] = []

    def papers(self, card: ModelCard) -> VectorSnapshot:
        """Vectors of all papers, stored in the copy; what is there already is not read again.

        Raises:
            UserError, EnvironmentFault: the model can't be run.
            JobCancelledError: the context asked for the end.
        """
        library, store = self._library, self._library.vector_store
        library.models.register(card)
        todo = list(plan(library.database, store, card).todo)
        head = head_of(card, library.models) if todo else None
        if head is not None:
            self.papers(head.below)
            for _done in derive(library.database, store, card, head, todo):
                self._ctx.check()
            todo = list(plan(library.database, store, card).todo)
        for start in range(0, len(todo), _PART):
            self._read_papers(card, todo[start : start + _PART], start, len(todo))
        return store.snapshot(card.version)

    def _read_papers(self, card: ModelCard, papers: Sequence[int], done: int, total: int) -> None:
        self._ctx.progress(done, total, f"{card.name} reads {done:,} of {total:,} papers")
        with self._library.database.read() as conn:
            rows = list(texts_for_embedding(conn, list(papers)))
        texts = {p: text for p, title, body in rows if (text := paper_text(card, title, body))}
        if not texts:
            return
        encoder = self._loaded(card)
        vectors = encoder.encode(list(texts.values()), "paper", self._silent())
        marks = [fingerprint(card, text) for text in texts.values()]
        self._library.vector_store.write(card.version, list(texts), vectors, marks, encoder.backend)

    def texts(
        self, card: ModelCard, texts: Sequence[str], kind: Kind, what: str
    ) -> NDArray[np.float32]:
        """Unit vectors (n, d) of texts that are no papers as they are: abstracts, titles.

        Raises:
            UserError, EnvironmentFault: the model can't be run.
            JobCancelledError: the context asked for the end.
        """
        head = head_of(card, self._library.models)
        if head is not None:
            return self._through(head, texts, kind, what)
        if self._kept is None:
            return self._encoded(card, texts, kind, what)
        known = Remembered(self._kept / FOLDER / f"{card.version}.npz", card)
        marks = [_mark(card, text, kind) for text in texts]
        missing = dict(zip(marks, texts, strict=True))
        todo = {mark: text for mark, text in missing.items() if mark not in known.rows}
        if todo:
            found = self._encoded(card, list(todo.values()), kind, what)
            known.rows.update(zip(todo, found, strict=True))
            known.save()
        return np.stack([known.rows[mark] for mark in marks])

    def _through(
        self, head: Head, texts: Sequence[str], kind: Kind, what: str
    ) -> NDArray[np.float32]:
        return head.apply(self.texts(head.below, texts, kind, what))

    def _encoded(
        self, card: ModelCard, texts: Sequence[str], kind: Kind, what: str
    ) -> NDArray[np.float32]:
        encoder = self._loaded(card)
        found = np.empty((len(texts), card.dim), dtype=np.float32)
        for start in range(0, len(texts), _PART):
            # No share of the whole: it is a part of a measurement, which counts its questions.
            told = f"{card.name} reads {start:,} of {len(texts):,} {what}"
            self._ctx.progress(start, None, told)
            part = texts[start : start + _PART]
            found[start : start + len(part)] = encoder.encode(part, kind, self._silent())
        return found

    def _silent(self) -> JobContext:
        from litscape.jobs import null_context

        return null_context()

    def _loaded(self, card: ModelCard) -> TorchEncoder:
        """One model at a time stays in memory."""
        from litscape.embed.torch_encoder import TorchEncoder

        if self._encoder is None or self._encoder[0] != card.version:
            self._encoder = None
            self._ctx.progress(0, None, f"Loading {card.name}")
            encoder = TorchEncoder(card, self._device, threads=self._threads)
            self.notes += encoder.notes
            self._encoder = (card.version, encoder)
        return self._encoder[1]


def _mark(card: ModelCard, text: str, kind: Kind) -> bytes:
    """A query is read with another prefix than a paper, so it has another mark."""
    return fingerprint(card, text if kind == "paper" else f"query\0{text}")


def rows_of(snapshot: VectorSnapshot) -> Mapping[int, int]:
    """The row of each paper."""
    return {paper: row for row, paper in enumerate(snapshot.ids.tolist())}
