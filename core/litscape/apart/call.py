"""Work on a library in a process of its own.

Python runs one thread at a time. A window that shares its process with an import waits for its
turn after every call into Qt, and stalls; beside a process it does not, and it outlives the crash
of one.
"""

from __future__ import annotations

import contextlib
import pickle
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from litscape.jobs import JobCancelledError, JobContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.engine.process import Child, Reply
    from litscape.library import Library

P = ParamSpec("P")
T = TypeVar("T")
_POLL_S = 0.1
NICE = 5
MODULE = "litscape.apart.child"
"""What the child runs."""


def run_apart(
    library: Library,
    task: Callable[Concatenate[Library, JobContext, P], T],
    ctx: JobContext,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run ``task`` in a process that opens the same library, and return its result.

    Args:
        library: the library as this process has it; its folder and settings are passed on.
        task: a function of a module (it is found again by its name), which takes a library, a
            context and the arguments.
        ctx: hears of progress and partial results; asked to cancel, it lets the task end at its
            next check, and waits for that.
        *args: what can be pickled.
        **kwargs: likewise.

    Raises:
        LitscapeError: what the task raised.
        JobCancelledError: the task ended because ``ctx`` was cancelled.
        EngineDiedError: the process ended unasked; what it had committed is kept.
    """
    from litscape.engine.process import Child  # numpy comes with it, and windows open without

    ctx.check()
    payload = packed(library, task, *args, **kwargs)
    child = Child("task", {"nice": NICE}, payload, module=MODULE)
    try:
        result: T = result_of(child, child.ready, ctx)
    finally:
        child.close()
    return result


def packed(
    library: Library,
    task: Callable[Concatenate[Library, JobContext, P], object],
    *args: P.args,
    **kwargs: P.kwargs,
) -> bytes:
    """A task as the child reads it."""
    return pickle.dumps((task, library.folder, library.settings, args, kwargs))


def result_of(child: Child, reply: Reply, ctx: JobContext) -> Any:
    """What a task gave that a child was asked for; ``ctx`` hears of it meanwhile.

    Raises:
        LitscapeError: what the task raised.
        JobCancelledError: the task ended because ``ctx`` was cancelled.
        EngineDiedError: the process ended unasked.
    """
    from litscape.engine.process import checked

    stopping = False
    while True:
        if ctx.cancelled and not stopping:
            stopping = True
            child.tell({"op": "cancel", "job": reply.number})
        message = reply.next(_POLL_S)
        if message is None:
            continue
        header, payload = message
        checked(header)
        value = pickle.loads(payload)  # from our own child's pipe
        if "raised" in header:
            raise value
        if "partial" in header or "progress" in header:
            # Cancelling is the task's to notice: only it knows what it has committed.
            with contextlib.suppress(JobCancelledError):
                _pass_on(header, value, ctx)
            continue
        return value


def _pass_on(header: dict[str, Any], value: Any, ctx: JobContext) -> None:
    if "partial" in header:
        ctx.partial(value)
    else:
        ctx.progress(value.done, value.total, value.text)
