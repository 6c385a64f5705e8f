"""The supervisor of the child processes that run models; the program itself never loads one."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from litscape.embed.onnx_cache import find_export
from litscape.engine.bulk import Encoded, Item, WorkerOptions, Workers
from litscape.engine.process import Child
from litscape.engine.query import QueryClient

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from types import TracebackType

    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard

_QUERY_THREADS = 1


class Preparation:
    """A model being exported by a child process."""

    def __init__(self, card: ModelCard, done: Callable[[ModelCard], None]) -> None:
        self._card = card
        self._done = done
        self._folder = find_export(card)
        self._child: Child | None = None

    @property
    def finished(self) -> bool:
        """Whether the export is there."""
        return self._folder is not None

    def look(self) -> None:
        """Let queries use the export as soon as it is there; doesn't wait."""
        if self._folder is None and self._child is not None:
            self._folder = find_export(self._card)
            if self._folder is not None:
                self._done(self._card)

    def start(self) -> None:
        """Start the process unless it runs or isn't needed; doesn't wait."""
        if self._folder is None and self._child is None:
            # It doesn't step back for bulk work: somebody may wait to search by meaning.
            self._child = Child("export", {"card": self._card.to_json()})

    def wait(self, ctx: JobContext | None = None, *, silent: bool = False) -> Path:
        """The folder of the export, once it is there; ``silent`` keeps progress from ``ctx``.

        Raises:
            EngineDiedError: the process ended.
            UserError, EnvironmentFault: the model can't be exported, or not stored.
            JobCancelledError: ``ctx`` was cancelled.
        """
        self.start()
        if self._child is not None and self._folder is None:
            hello, _payload = self._child.ready.wait(ctx, silent=silent)
            self._folder = Path(hello["folder"])
            self._done(self._card)
        assert self._folder is not None
        return self._folder

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.close()


class Engine:
    """Children on demand: one for queries, some for bulk encoding, one to prepare a model.

    None of them outlives the program, and none runs the program's main module. The death of one
    raises :class:`~litscape.engine.process.EngineDiedError` where its work was awaited; the next
    call starts a new one.
    """

    def __init__(self, options: WorkerOptions | None = None) -> None:
        self.options = options or WorkerOptions()
        self._lock = threading.RLock()
        self._query: QueryClient | None = None
        self._workers: Workers | None = None

    def query(self, card: ModelCard) -> QueryClient:
        """The client that encodes queries of a model; its process starts without waiting."""
        with self._lock:
            if self._query is None or self._query.card != card:
                if self._query is not None:
                    self._query.close()
                self._query = QueryClient(card, _QUERY_THREADS)
            return self._query

    def embed(
        self, card: ModelCard, items: Iterable[Item], ctx: JobContext | None = None
    ) -> Generator[Encoded]:
        """Vectors of papers' texts, as they are done.

        Args:
            card: the model.
            items: (paper id, text); read only as fast as the work goes.
            ctx: cancels the work; the processes stay ready for more for a while.

        Yields:
            ids int64 (n,), unit vectors float32 (n, d), the backend's tag, notes.

        Raises:
            EngineDiedError: a process ended; what was yielded is sound.
            UserError, EnvironmentFault: the model can't be run.
            JobCancelledError: ``ctx`` was cancelled.
        """
        workers = self._ready_workers(card)
        try:
            while not workers.hold(ctx):
                workers = self._ready_workers(card)
            yield from workers.encode(items, ctx)
        finally:
            if workers.usable:
                workers.release()
            else:
                self._close_workers()

    def export(self, card: ModelCard, ctx: JobContext | None = None) -> Path:
        """Prepare a model for queries unless it is; returns the folder of the export.

        Raises:
            EngineDiedError: the process ended.
            UserError, EnvironmentFault: the model can't be exported, or not stored.
            JobCancelledError: ``ctx`` was cancelled.
        """
        with self.exporting(card) as preparation:
            return preparation.wait(ctx)

    @contextmanager
    def exporting(self, card: ModelCard) -> Iterator[Preparation]:
        """Prepare a model beside other work; leaving the block ends the process."""
        preparation = Preparation(card, self._prepared)
        try:
            yield preparation
        finally:
            preparation.close()

    def _prepared(self, card: ModelCard) -> None:
        with self._lock:
            if self._query is not None and self._query.card == card:
                self._query.start()

    def restart(self) -> None:
        """End every child; queries start again at once, bulk work with its next call."""
        with self._lock:
            self._close_workers()
            if self._query is not None:
                self._query.close()
                self._query.start()

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the children that were started and not yet ended."""
        with self._lock:
            query = self._query.pid if self._query else None
            bulk = self._workers.pids if self._workers else ()
            return (*([query] if query else []), *bulk)

    def close(self) -> None:
        """End every child and wait until they are gone."""
        with self._lock:
            self._close_workers()
            if self._query is not None:
                self._query.close()
                self._query = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ready_workers(self, card: ModelCard) -> Workers:
        with self._lock:
            workers = self._workers
            fits = workers and workers.card == card and workers.options == self.options
            if workers is None or not fits or not workers.usable:
                self._close_workers()
                workers = self._workers = Workers(card, self.options)
            return workers

    def _close_workers(self) -> None:
        with self._lock:
            if self._workers is not None:
                self._workers.close()
                self._workers = None
