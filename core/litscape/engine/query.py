"""Encoding queries: a small process without torch that is always free for the next query."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litscape.embed.onnx_cache import find_export
from litscape.engine.process import Child
from litscape.errors import LitscapeError, NotReadyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.models.card import ModelCard

QueryState = Literal["starting", "ready", "needs-export", "failed"]


class QueryClient:
    """Encodes queries of one model; its process starts at once, and again after a death.

    Safe to use from any thread; queries wait for each other, ``state`` never waits.
    """

    def __init__(self, card: ModelCard, threads: int = 1) -> None:
        self.card = card
        self._threads = threads
        self._lock = threading.Lock()  # one query at a time
        self._settling = threading.Lock()  # one reader of the first answer
        self._child: Child | None = None
        self._ready = False
        self._error: LitscapeError | None = None
        self.start()

    @property
    def state(self) -> QueryState:
        """Where it stands: ``needs-export`` until the model was prepared once.

        ``failed`` (see :attr:`error`) lasts until :meth:`start` or the next query.
        """
        child = self._child
        unknown = child is not None and not self._ready and self._error is None
        if child and unknown and child.ready.arrived and self._settling.acquire(blocking=False):
            try:
                self._settle(child)
            finally:
                self._settling.release()
        if self._error is not None or (self._ready and child is not None and not child.alive):
            return "failed"
        if child is None:
            return "starting" if find_export(self.card) else "needs-export"
        return "ready" if self._ready else "starting"

    @property
    def error(self) -> str | None:
        """Why it failed, in one sentence."""
        if self._error is not None:
            return str(self._error)
        child = self._child
        return child.obituary() if child is not None and not child.alive else None

    @property
    def pid(self) -> int | None:
        """The process's id while there is one."""
        return self._child.pid if self._child else None

    def start(self) -> None:
        """Start the process unless it runs or the model is not prepared yet; doesn't wait."""
        with self._lock:
            self._start()

    def encode(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a query, float32 (d,); waits while the process starts.

        Raises:
            NotReadyError: the model is not prepared for queries yet.
            EngineDiedError: the process ended; the next call starts it again.
            UserError, EnvironmentFault: the model can't be run.
        """
        return self._asked({"op": "encode", "text": text})

    def encode_papers(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The unit vectors of a few papers' texts, float32 (n, d): for what is not in the library.

        Raises:
            NotReadyError, EngineDiedError, UserError, EnvironmentFault: as :meth:`encode`.
        """
        found = self._asked({"op": "encode", "papers": list(texts)})
        return found.reshape(len(texts), -1)

    def _asked(self, request: dict[str, Any]) -> NDArray[np.float32]:
        with self._lock:
            child = self._start()
            if child is None:
                raise NotReadyError(
                    f"Search by meaning is not ready: {self.card.name} must be prepared first, "
                    "which computing similarity does."
                )
            with self._settling:
                self._settle(child)
            if self._error is not None:
                raise self._error
            try:
                _header, payload = child.ask(request).wait()
            except LitscapeError as error:
                self._error = error
                raise
            return np.frombuffer(payload, dtype=np.float32).copy()

    def close(self) -> None:
        """End the process; what waits for it gets an error."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _start(self) -> Child | None:
        """The running child, a new one, or None where there is nothing to run yet."""
        if self._child is not None and self._child.alive and self._error is None:
            return self._child
        self.close()
        self._ready, self._error = False, None
        if find_export(self.card) is not None:
            options = {"card": self.card.to_json(), "threads": self._threads}
            self._child = Child("query", options)
        return self._child

    def _settle(self, child: Child) -> None:
        """Take the child's first answer, which says whether the model could be loaded."""
        if self._ready or self._error is not None:
            return
        try:
            child.ready.wait()
            self._ready = True
        except LitscapeError as error:
            self._error = error
