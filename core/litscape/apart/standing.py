"""A child that stays: for work whose libraries take longer to get ready than the work itself.

UMAP's loops are compiled anew in every process, for longer than a map of 20,000 papers takes. The
child does that once, when nobody waits for it, and then one task after the other. It opens the
library for each, so that it holds nothing between them.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from litscape.apart.call import MODULE, NICE, packed, result_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.engine.process import Child, Reply
    from litscape.jobs import JobContext
    from litscape.library import Library

P = ParamSpec("P")
T = TypeVar("T")
_IDLE_S = 1800.0
"""After that long without work it ends and frees its memory, some 300 MB."""


class StandingChild:
    """One child for analyses, started when first needed and again after its end.

    Its death costs the task at work, which can be asked for again, and those that waited behind it.
    """

    def __init__(self, idle_s: float = _IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._warming: Reply | None = None

    @property
    def ready(self) -> bool:
        """Whether what :meth:`warm` asked for is done, so that work begins at once."""
        child, warming = self._child, self._warming
        return child is not None and child.alive and warming is not None and warming.arrived

    @property
    def pid(self) -> int | None:
        """The process's id while there is one."""
        child = self._child
        return child.pid if child is not None and child.alive else None

    def warm(self, library: Library, task: Callable[[Library, JobContext], object]) -> None:
        """Start the child, unless it runs, and let it get ready by a task; doesn't wait."""
        with self._lock:
            child = self._start()
            if self._warming is None:
                self._warming = child.ask({"op": "work"}, payload=packed(library, task))

    def run(
        self,
        library: Library,
        task: Callable[Concatenate[Library, JobContext, P], T],
        ctx: JobContext,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run ``task`` in the child, after those asked for before; as :func:`run_apart` otherwise.

        Raises:
            LitscapeError: what the task raised.
            JobCancelledError: ``ctx`` was cancelled, while it waited or while it ran.
            EngineDiedError: the child ended unasked; the next call starts it again.
        """
        ctx.check()
        payload = packed(library, task, *args, **kwargs)
        from litscape.engine.process import EngineDiedError

        while True:
            with self._lock:
                child = self._start()
                reply = child.ask({"op": "work"}, payload=payload)
            try:
                result: T = result_of(child, reply, ctx)
            except EngineDiedError:
                if not child.retired:
                    raise
                continue  # it had ended of its own accord just before it was asked
            return result

    def close(self) -> None:
        """End the child; what waits for it gets an error."""
        with self._lock:
            child, self._child, self._warming = self._child, None, None
        if child is not None:
            child.close()

    def _start(self) -> Child:
        from litscape.engine.process import Child

        if self._child is None or not self._child.alive:
            if self._child is not None:
                self._child.close()
            self._warming = None
            options = {"nice": NICE, "idle_s": self._idle_s}
            self._child = Child("analysis", options, module=MODULE)
        return self._child
