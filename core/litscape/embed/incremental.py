"""Embedding a library: only what changed, committed as it goes, resumed where it stopped."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.derived import derive, head_of
from litscape.embed.plan import plan
from litscape.embed.text import fingerprint, paper_text
from litscape.errors import UserError
from litscape.jobs import null_context
from litscape.store.leases import Lease
from litscape.store.papers import texts_for_embedding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from litscape.embed.plan import EmbedPlan
    from litscape.engine import Encoded, Engine
    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard
    from litscape.models.registry import ModelRegistry
    from litscape.paper import PaperId
    from litscape.store.database import Database
    from litscape.vectors.store import VectorStore

_READ = 256
_COMMIT_PAPERS = 256
_COMMIT_S = 2.0


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """The outcome of one run.

    Attributes:
        version: the model version.
        embedded: papers that got a vector now.
        reused: papers whose vector was there already.
        without_text: papers with neither title nor abstract, which are not embedded.
        without_abstract: papers that are compared by their title alone.
        seconds: how long it took.
        notes: what a person should know, such as memory that ran out.
    """

    version: str
    embedded: int
    reused: int
    without_text: tuple[PaperId, ...]
    without_abstract: int
    seconds: float
    notes: tuple[str, ...] = ()


def embed_library(
    database: Database,
    vectors: VectorStore,
    registry: ModelRegistry,
    engine: Engine,
    ctx: JobContext | None = None,
    card: ModelCard | None = None,
) -> EmbedReport:
    """Give every live paper a vector of a model (the active one unless ``card`` names another).

    The model is prepared for queries, too. Each commit is told by ``ctx.partial`` with the ids
    that it holds. Cancelling, an error and a crash lose at most the papers after the last commit.

    Raises:
        LibraryBusyError: another program embeds this library.
        EngineDiedError: a child process ended; run it again to go on.
        UserError, EnvironmentFault: the model can't be run, or the disk is full.
        JobCancelledError: ``ctx`` was cancelled.
    """
    ctx = ctx or null_context()
    began = time.monotonic()
    card = card or registry.active()
    with Lease(database, "embed") as lease:
        registry.register(card)
        vectors.forget_deleted(card.version)
        work, derived = _without_reading(database, vectors, registry, card, ctx)
        run = _Run(database, vectors, card, work.todo, ctx)
        notes = [_mended(work.damaged)] if work.damaged else []
        with engine.exporting(card) as prepared:
            prepared.start()
            if work.todo:
                ctx.progress(0, len(work.todo), f"Loading {card.name}")
                for encoded in engine.embed(card, run.items(), ctx):
                    lease.check()
                    run.take(encoded)
                    prepared.look()
                run.commit()
            if not prepared.finished:
                ctx.progress(run.done, len(work.todo), f"Preparing {card.name} for queries")
            try:
                prepared.wait(ctx, silent=True)
            except UserError as error:
                notes.append(str(error))  # the vectors are good; only typed queries lack
        return _report(card, work, derived + run.done, began, [*notes, *run.notes])


def _report(
    card: ModelCard, work: EmbedPlan, done: int, began: float, notes: list[str]
) -> EmbedReport:
    return EmbedReport(
        version=card.version,
        embedded=done,
        reused=work.fresh,
        without_text=work.without_text,
        without_abstract=work.without_abstract,
        seconds=time.monotonic() - began,
        notes=tuple(dict.fromkeys(notes)),
    )


def _without_reading(
    database: Database,
    vectors: VectorStore,
    registry: ModelRegistry,
    card: ModelCard,
    ctx: JobContext,
) -> tuple[EmbedPlan, int]:
    """What is left to read, after all that follows from another model's vectors; how many did."""
    work = plan(database, vectors, card)
    head = head_of(card, registry) if work.todo else None
    if head is None:
        return work, 0
    done, total = 0, len(work.todo)
    for done in derive(database, vectors, card, head, list(work.todo)):
        ctx.progress(done, total, f"{done:,} of {total:,} papers")
    left = plan(database, vectors, card)
    return replace(left, fresh=work.fresh, damaged=work.damaged), done


def _mended(damaged: int) -> str:
    if damaged == 1:
        return "The vector of 1 paper was damaged and made anew."
    return f"The vectors of {damaged:,} papers were damaged and made anew."


class _Run:
    """The papers of one run: read late, kept until there are enough for a commit."""

    def __init__(
        self,
        database: Database,
        vectors: VectorStore,
        card: ModelCard,
        todo: Mapping[PaperId, int],
        ctx: JobContext,
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._card = card
        self._todo = todo
        self._ctx = ctx
        self._marks: dict[PaperId, bytes] = {}
        self._held: list[Encoded] = []
        self._committed_at = self._started_at = time.monotonic()
        self._letters = 0
        self._all_letters = sum(todo.values())
        self.done = 0
        self.notes: list[str] = []

    def items(self) -> Iterator[tuple[PaperId, str]]:
        """Texts as they are at the moment of reading, with their fingerprints noted."""
        ids = list(self._todo)
        for start in range(0, len(ids), _READ):
            with self._database.read() as conn:
                rows = list(texts_for_embedding(conn, ids[start : start + _READ]))
            for paper_id, title, abstract in rows:
                text = paper_text(self._card, title, abstract)
                if text is not None:
                    self._marks[paper_id] = fingerprint(self._card, text)
                    yield paper_id, text

    def take(self, encoded: Encoded) -> None:
        """Keep vectors, commit when it is time, and tell how far it is."""
        if not self._letters:
            self._started_at = time.monotonic()  # without the time that loading took
        self._held.append(encoded)
        self.notes.extend(encoded.notes)
        self._letters += sum(self._todo.get(number, 0) for number in encoded.ids.tolist())
        waiting = sum(len(part.ids) for part in self._held)
        late = time.monotonic() - self._committed_at >= _COMMIT_S
        if waiting >= _COMMIT_PAPERS or late:
            self.commit()
        total = len(self._todo)
        # Only what is committed counts: it never falls, whatever ends the run.
        self._ctx.progress(self.done, total, f"{self.done:,} of {total:,} papers{self._left()}")

    def commit(self) -> None:
        """Write what is held."""
        held, self._held = self._held, []
        if not held:
            return
        ids = np.concatenate([part.ids for part in held]).tolist()
        self._vectors.write(
            self._card.version,
            ids,
            np.concatenate([part.vectors for part in held]),
            [self._marks.pop(number) for number in ids],
            held[0].backend,
        )
        self.done += len(ids)
        self._committed_at = time.monotonic()
        self._ctx.partial(tuple(ids))

    def _left(self) -> str:
        """How long the rest takes, from the letters so far; nothing while that is unknown."""
        spent = time.monotonic() - self._started_at
        if spent < 2 or not self._letters:
            return ""
        seconds = (self._all_letters - self._letters) * spent / self._letters
        if seconds < 60:
            return ", less than a minute left"
        minutes = round(seconds / 60)
        hours = minutes / 60
        return f", {minutes} min left" if minutes < 120 else f", {hours:.0f} h left"
