"""The program's end of one child process: start, ask, notice its death, end it."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from litscape import paths
from litscape.engine.frames import read_frame, write_frame
from litscape.errors import EnvironmentFault, LitscapeError, UserError

if TYPE_CHECKING:
    from collections.abc import Container

    from litscape.jobs import JobContext

log = logging.getLogger(__name__)
_LOG_BYTES = 1_000_000
_POLL_S = 0.1
_KILLED = 9
_NAMES = {
    "query": "query process",
    "embed": "embedding process",
    "export": "process that prepares the model",
    "task": "process that worked on it",
    "analysis": "process that draws maps and finds topics",
    "pdf": "process that reads PDFs",
}
_BEFORE_THE_LAST = frozenset({"progress", "partial"})
"""What messages hold that come before the answer."""
_MODEL_CHILD = "litscape.engine.child"


class EngineDiedError(LitscapeError):
    """A child of the engine ended unasked; what it had finished is kept and work can go on."""


class Reply:
    """The messages that answer one request, as they come."""

    def __init__(
        self, number: int, inbox: queue.Queue[tuple[Reply, dict[str, Any], bytes]] | None
    ) -> None:
        self.number = number
        self._inbox = inbox if inbox is not None else queue.Queue()

    @property
    def arrived(self) -> bool:
        """Whether :meth:`wait` would find a message at once."""
        return not self._inbox.empty()

    def deliver(self, header: dict[str, Any], payload: bytes) -> None:
        """Called by the child's reader."""
        self._inbox.put((self, header, payload))

    def next(self, timeout: float | None) -> tuple[dict[str, Any], bytes] | None:
        """The next message, which need not be the last; None after ``timeout`` seconds."""
        try:
            _reply, header, payload = self._inbox.get(timeout=timeout)
        except queue.Empty:
            return None
        return header, payload

    def wait(
        self, ctx: JobContext | None = None, *, silent: bool = False
    ) -> tuple[dict[str, Any], bytes]:
        """The final message; ``ctx`` can end the wait and hears of progress unless ``silent``.

        Raises:
            UserError, EnvironmentFault, EngineDiedError: as the child says, or of its death.
            JobCancelledError: ``ctx`` was cancelled.
        """
        while True:
            message = self.next(_POLL_S if ctx else None)
            if message is None:
                if ctx:
                    ctx.check()
                continue
            header, payload = message
            if "progress" in header:
                if ctx and not silent:
                    ctx.progress(*header["progress"])
                continue
            return checked(header), payload


class Child:
    """One child in one role.

    Args:
        role: ``query``, ``embed``, ``export``, ``task``, ``analysis`` or ``pdf``.
        options: the first message, with what the role needs (``card`` as JSON for a model's).
        payload: what goes with it.
        module: what the child runs.
    """

    def __init__(
        self,
        role: str,
        options: dict[str, Any],
        payload: bytes = b"",
        *,
        module: str = _MODEL_CHILD,
    ) -> None:
        self.role = role
        self._numbers = itertools.count(1)
        self._pending: dict[int, Reply] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._process = _spawn(module, int(options.get("threads") or 1))
        self._reader = threading.Thread(target=self._read, name=f"engine-{role}", daemon=True)
        self._reader.start()
        self.ready = self.ask({"op": "start", "role": role, **options}, payload=payload)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return not self._closing and self._reader.is_alive() and self._process.poll() is None

    @property
    def retired(self) -> bool:
        """Whether it ended of its own accord, having had nothing to do."""
        return not self._closing and self._process.poll() == 0

    def ask(
        self,
        request: dict[str, Any],
        inbox: queue.Queue[tuple[Reply, dict[str, Any], bytes]] | None = None,
        payload: bytes = b"",
    ) -> Reply:
        """Send a request; a dead child answers with its death.

        Args:
            request: the message.
            inbox: where the answers go, to wait for several children at once.
            payload: what goes with the message.
        """
        number = next(self._numbers)
        reply = Reply(number, inbox)
        with self._lock:
            self._pending[number] = reply
            try:
                assert self._process.stdin is not None
                write_frame(self._process.stdin, {"id": number, **request}, payload)
            except (OSError, ValueError):
                pass  # the reader sees the end, too, and answers what is pending
            gone = not self._reader.is_alive()
        if gone:  # the reader may have left before this request was there
            self._bury()
        return reply

    def drop(self, replies: Container[Reply]) -> None:
        """Forget requests that are not answered yet."""
        with self._lock:
            numbers = [number for number, reply in self._pending.items() if reply in replies]
            for number in numbers:
                del self._pending[number]
        self.tell({"op": "drop", "ids": numbers})

    def tell(self, message: dict[str, Any]) -> None:
        """Send what needs no answer; nothing happens where the child is gone."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            write_frame(self._process.stdin, message)

    def close(self) -> None:
        """End the child and wait until it is gone."""
        self._closing = True
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with self._lock:
            try:
                process.stdin.close()
            except OSError:
                log.debug("%s was gone already", self.role)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if threading.current_thread() is not self._reader:
            self._reader.join()
        process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while (frame := read_frame(self._process.stdout)) is not None:
            header, payload = frame
            number = header.pop("id")
            with self._lock:
                reply = self._pending.get(number)
                if reply is not None and not _BEFORE_THE_LAST & header.keys():
                    del self._pending[number]
            if reply is not None:
                reply.deliver(header, payload)
        code = self._process.wait()
        if code and not self._closing:
            _note(f"the {_NAMES[self.role]} {self.pid} ended with {_how(code)}")
        self._bury()

    def _bury(self) -> None:
        """Answer everything that is pending with the child's death."""
        with self._lock:
            pending = list(self._pending.values())
            self._pending.clear()
        if pending:
            message = {"error": self.obituary(), "kind": "died"}
            for reply in pending:
                reply.deliver(dict(message), b"")

    def obituary(self) -> str:
        """What a person is told when the child is gone."""
        name = _NAMES[self.role]
        if self._closing:
            return f"The {name} was ended; start it again to go on."
        code = self._process.poll()
        # Nothing else kills by that signal unasked, so only then is memory worth a guess.
        guess = "; the system may have run out of memory" if code == -_KILLED else ""
        log_path = log_file()
        details = os.path.exists(log_path) and os.path.getsize(log_path) > 0
        return (
            f"The {name} ended unexpectedly ({_how(code)}{guess}). "
            "What was finished is kept: start it again to go on."
            f"{f' Details are in {log_path}.' if details else ''}"
        )


def checked(header: dict[str, Any]) -> dict[str, Any]:
    """The message, or the error that it stands for."""
    if "error" not in header:
        return header
    text = str(header["error"])
    if header["kind"] == "user":
        raise UserError(text)
    if header["kind"] == "environment":
        raise EnvironmentFault(text)
    if header["kind"] == "died":
        raise EngineDiedError(text)
    raise RuntimeError(f"a bug in a child of the engine:\n{text}")


def log_file() -> str:
    """Where the children's error output goes."""
    return str(paths.log_dir() / "engine.log")


def _how(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"code {code}"


def _note(what: str) -> None:
    """A line in the children's log, so that it tells of every death."""
    try:
        with open(log_file(), "a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {what}\n")
    except OSError:
        log.warning("%s, and that could not be logged", what)


def _spawn(module: str, threads: int) -> subprocess.Popen[bytes]:
    env = dict(os.environ)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        env[name] = str(threads)
    env.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", DO_NOT_TRACK="1", PYTHONUTF8="1")
    # -P: whatever lies in the current folder must not be taken for one of our modules.
    command = [sys.executable, "-P", "-m", module]
    try:
        paths.log_dir().mkdir(parents=True, exist_ok=True)
        name = log_file()
        full = os.path.exists(name) and os.path.getsize(name) > _LOG_BYTES
        with open(name, "wb" if full else "ab") as errors:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=env,
                # A folder that stays: the current one may be deleted while the child works.
                cwd=paths.log_dir(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
    except OSError as error:
        reason = error.strerror or error
        raise EnvironmentFault(f"A child process can't be started: {reason}.") from error
