"""Encoding many papers in worker processes: as many texts in flight as keep all of them busy."""

from __future__ import annotations

import itertools
import os
import queue
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from litscape.engine.process import Child, EngineDiedError, Reply, checked
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard

Item = tuple[int, str]
_CHARS_PER_TOKEN = 4
_IN_FLIGHT = 2
_WINDOW = 16
_MAX_CHUNK = 4096
_POLL_S = 0.1


class Encoded(NamedTuple):
    """Vectors (n, d) of some items (n,), what made them, and what is to be told about it."""

    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    backend: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How bulk encoding runs.

    Attributes:
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        dtype: ``auto`` for the fastest that agrees with float32, or a format by name.
        threads: processor threads in all; 0 takes as many as pay, up to four.
        idle_s: seconds without work after which a worker ends and frees its memory.
        nice: how much the workers step back for other programs.
    """

    device: str = "auto"
    dtype: str = "auto"
    threads: int = 0
    idle_s: float = 30.0
    nice: int = 5

    @property
    def layout(self) -> tuple[int, int]:
        """Workers and threads of each: two workers of one thread beat one of two by a tenth."""
        threads = self.threads or min(os.cpu_count() or 1, 4)
        workers = min(threads, 2)
        return workers, threads // workers


class Workers:
    """The embedding processes of one model."""

    def __init__(self, card: ModelCard, options: WorkerOptions) -> None:
        self.card = card
        self.options = options
        count, threads = options.layout
        start = {
            "card": card.to_json(),
            "device": options.device,
            "dtype": options.dtype,
            "threads": threads,
            "idle_s": options.idle_s,
            "nice": options.nice,
        }
        self._children = [Child("embed", {**start, "spare": n > 0}) for n in range(count)]
        self._settled = False
        self._budget = 0

    @property
    def usable(self) -> bool:
        """Whether every process still runs."""
        return all(child.alive for child in self._children)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes' ids."""
        return tuple(child.pid for child in self._children)

    def hold(self, ctx: JobContext | None = None) -> bool:
        """Wait until every process is there for work, and keep it until :meth:`release`.

        Returns:
            False where one had nothing to do for so long that it ended meanwhile.

        Raises:
            EngineDiedError: one ended otherwise.
            UserError, EnvironmentFault: the model can't be run.
            JobCancelledError: ``ctx`` was cancelled.
        """
        self._settle(ctx or null_context())
        replies = [child.ask({"op": "hold"}) for child in self._children]
        try:
            for reply in replies:
                reply.wait(ctx)
        except EngineDiedError:
            if any(child.retired for child in self._children):
                return False
            raise
        return True

    def release(self) -> None:
        """Let the processes end when they have had nothing to do for a while."""
        for child in self._children:
            child.ask({"op": "release"})

    def encode(self, items: Iterable[Item], ctx: JobContext | None = None) -> Iterator[Encoded]:
        """Vectors of all items, in the order in which they are done; :meth:`hold` comes first.

        Raises:
            EngineDiedError: a process ended; what was yielded is sound.
            UserError, EnvironmentFault: the model can't be run.
            JobCancelledError: ``ctx`` was cancelled.
        """
        ctx = ctx or null_context()
        inbox: queue.Queue[tuple[Reply, dict[str, Any], bytes]] = queue.Queue()
        flying: dict[Reply, tuple[Child, list[Item]]] = {}
        chunks = _chunks(items, self._budget * 2)
        try:
            for child in self._children * _IN_FLIGHT:
                _send(child, chunks, inbox, flying)
            while flying:
                ctx.check()
                try:
                    reply, header, payload = inbox.get(timeout=_POLL_S)
                except queue.Empty:
                    continue
                checked(header)
                child, chunk = flying.pop(reply)
                _send(child, chunks, inbox, flying)
                yield Encoded(
                    np.array([number for number, _text in chunk], dtype=np.int64),
                    np.frombuffer(payload, dtype=np.float32).reshape(len(chunk), -1),
                    str(header["backend"]),
                    tuple(header["notes"]),
                )
        finally:
            if flying:
                for child in self._children:
                    child.drop(flying)

    def close(self) -> None:
        """End the processes."""
        for child in self._children:
            child.close()

    def _settle(self, ctx: JobContext) -> None:
        """Wait until every process has loaded the model; one that is not needed goes."""
        if self._settled:
            return
        needed = []
        for child in self._children:
            hello, _payload = child.ready.wait(ctx)
            if hello.get("spare"):
                child.close()
                continue
            needed.append(child)
            self._budget = int(hello["budget"])
        self._children = needed
        self._settled = True


def _send(
    child: Child,
    chunks: Iterator[list[Item]],
    inbox: queue.Queue[tuple[Reply, dict[str, Any], bytes]],
    flying: dict[Reply, tuple[Child, list[Item]]],
) -> None:
    chunk = next(chunks, None)
    if chunk is not None:
        request = {"op": "encode", "texts": [text for _number, text in chunk]}
        flying[child.ask(request, inbox)] = (child, chunk)


def _chunks(items: Iterable[Item], tokens: int) -> Iterator[list[Item]]:
    """Chunks of about ``tokens`` tokens, each of texts of like length.

    The texts of a window of several chunks are sorted, so that batches hardly need padding and yet
    the first results don't wait for the whole library.
    """
    stream = iter(items)
    letters = tokens * _CHARS_PER_TOKEN
    while window := _take(stream, letters * _WINDOW):
        window.sort(key=lambda item: len(item[1]), reverse=True)
        rest = iter(window)
        while chunk := _take(rest, letters):
            yield chunk


def _take(items: Iterator[Item], letters: int) -> list[Item]:
    """The next items, until they hold that many letters together."""
    taken: list[Item] = []
    held = 0
    for item in itertools.islice(items, _MAX_CHUNK):
        taken.append(item)
        held += len(item[1]) + 40
        if held >= letters:
            break
    return taken
