"""Asking one service over HTTP: paced, patient, and never longer or more than agreed."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from litscape.errors import UserError
from litscape.online import pace as pacing
from litscape.online.faults import (
    NoSuchWorkError,
    RefusedQuestionError,
    ServiceStoppedError,
    UnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    import httpx

    from litscape.jobs import JobContext
    from litscape.online.pace import Pace

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_POLL = 0.1
_GRACE = 0.5
"""Seconds that an answer on its way is waited for when the job is to end, so that it is kept."""
_REDIRECTS = 3
_DETAIL = 500
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_TOO_MUCH = frozenset({400, 413, 414, 422, 431})
_KEYS = frozenset({401, 402, 403})


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class _TooLargeError(Exception):
    """An answer goes on beyond what is read."""


def check_base(name: str, base: str) -> str:
    """The address of a service without a slash at its end.

    Raises:
        UserError: it is no https address, and not on this computer either.
    """
    parts = urlsplit(base)
    local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not parts.hostname or not (parts.scheme == "https" or local):
        raise UserError(f"{name} can only be asked over https, not at {base!r}.")
    return base.rstrip("/")


class Client:
    """One service's connection, for one thread; close it, or use it as a context manager.

    Attributes:
        requests: how many requests were sent, repeated ones among them.
    """

    def __init__(
        self,
        name: str,
        base: str,
        ctx: JobContext,
        pace: Pace,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        busy: frozenset[int] = frozenset(),
        tell: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            name: what a person calls the service.
            base: its address.
            ctx: asked to end, whatever runs or waits ends within a moment.
            pace: its limits.
            headers: sent with each request.
            params: added to each address.
            busy: further statuses that mean "later".
            tell: hears of waits.
        """
        self.name = name
        self.requests = 0
        self._base = check_base(name, base)
        self._ctx = ctx
        self._pace = pace
        self._interval = pace.interval
        self._headers = {"Accept": "application/json", **(headers or {})}
        self._params = dict(params or {})
        self._busy = _BUSY | busy
        self._tell = tell
        self._begun = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._http: httpx.AsyncClient | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        loop, http = self._loop, self._http
        self._loop = self._http = None
        if loop is None:
            return
        for task in asyncio.all_tasks(loop):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                loop.run_until_complete(task)
        if http is not None:
            loop.run_until_complete(http.aclose())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    def get(self, path: str, params: Mapping[str, str] | None = None) -> Any:
        """The JSON that stands at a path.

        Raises:
            NoSuchWorkError: it is not there (404).
            RefusedQuestionError: the service does not take the question (400), or answers with
                more than is read.
            UnreachableError: no usable answer after several attempts.
            ServiceStoppedError: there is no use in asking on.
            JobCancelledError: the job is to end.
        """
        return self._ask("GET", path, params or {}, None)

    def post(self, path: str, params: Mapping[str, str], body: Any) -> Any:
        """The JSON that a service answers to JSON; raises as :meth:`get`."""
        return self._ask("POST", path, params, body)

    # -- attempts --------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, params: Mapping[str, str], body: Any) -> Any:
        reason, pause = "", 0.0
        for attempt in range(1, self._pace.attempts + 1):
            if attempt > 1:
                pacing.wait(pause, self._ctx)
            try:
                answer = self._once(method, path, params, body)
            except _TooLargeError:
                raise RefusedQuestionError(
                    f"{self.name} answered with more than {self._pace.most_bytes:,} bytes."
                ) from None
            except (OSError, _http_error()) as error:
                reason, pause = self._unreached(error), pacing.backoff(self._pace, attempt)
                continue
            if answer.status in self._busy:
                self._ctx.check()
                reason, pause = self._later(answer, attempt)
                continue
            self._check(answer)
            try:
                return json.loads(answer.body)
            except (ValueError, RecursionError):
                reason, pause = self._unreadable(answer), pacing.backoff(self._pace, attempt)
        raise UnreachableError(reason)

    def _once(self, method: str, path: str, params: Mapping[str, str], body: Any) -> _Answer:
        pacing.wait(self._begun + self._interval - time.monotonic(), self._ctx)
        self._begun = time.monotonic()
        address = f"{self._base}/{path.lstrip('/')}"
        asked = {**params, **self._params}
        for _ in range(_REDIRECTS):
            answer = self._send(method, address, asked, body)
            if answer.status not in (301, 302, 303, 307, 308):
                break
            address, asked = self._redirected(address, answer), {}
        told = pacing.interval_of(answer.headers)
        self._interval = max(self._pace.interval, told or 0.0)
        return answer

    def _redirected(self, address: str, answer: _Answer) -> str:
        """Where an answer sends us, which must be the same server.

        Raises:
            ServiceStoppedError: it is another one.
        """
        try:
            target = urljoin(address, answer.headers.get("location", ""))
            here, there = urlsplit(address), urlsplit(target)
        except ValueError as error:  # brackets that hold no address
            raise ServiceStoppedError(f"{self.name} sent the question on to no address.") from error
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise ServiceStoppedError(
                f"{self.name} sent the question on to another address ({there.hostname or '?'}), "
                "which was not asked."
            )
        return target

    def _later(self, answer: _Answer, attempt: int) -> tuple[str, float]:
        """Why and how long to wait.

        Raises:
            ServiceStoppedError: longer than is sensible.
        """
        status, told = answer.status, pacing.asked_to_wait(answer.headers)
        pause = pacing.backoff(self._pace, attempt) if told is None else told
        if pause > self._pace.longest:
            minutes = max(1, round(pause / 60))
            length = f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} hours"
            raise ServiceStoppedError(
                f"{self.name} answers no more for now and asks to wait {length}; "
                "what it answered so far is kept, look up again then."
            )
        if status < 500:
            reason = f"{self.name} asked to wait too often ({status}). Try again later."
        else:
            reason = f"{self.name} has a fault at its end ({status}). Try again later."
        if pause >= 1:
            self._tell(f"{self.name} asks to wait {round(pause)} s")
        return reason, pause

    def _check(self, answer: _Answer) -> None:
        status = answer.status
        if status in (404, 410):
            raise NoSuchWorkError(f"{self.name} knows no such work.")
        if status in _KEYS:
            raise ServiceStoppedError(
                f"{self.name} refused to answer ({status}); check the key, if you set one."
            )
        if status in _TOO_MUCH:
            detail = answer.body[:_DETAIL].decode("utf-8", "replace")
            raise RefusedQuestionError(f"{self.name} refused the question ({status}).", detail)
        if not 200 <= status < 300:
            raise UnreachableError(f"{self.name} gave an answer that is none ({status}).")

    def _unreadable(self, answer: _Answer) -> str:
        if answer.body.lstrip()[:1] == b"<":
            return (
                f"{self.name} was answered for by a web page: a login page of your network may "
                "stand before the internet. Open a browser, then try again."
            )
        return f"{self.name} gave an answer that can't be read. Try again later."

    def _unreached(self, error: Exception) -> str:
        import httpx

        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return f"{self.name} did not answer in time. Check the connection, or try again later."
        if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
            return f"{self.name} broke off its answer. Check the connection, or try again later."
        return (
            f"{self.name} could not be reached ({str(error) or type(error).__name__}). "
            "Check the internet connection."
        )

    # -- one request -----------------------------------------------------------------------------

    def _send(self, method: str, address: str, params: Mapping[str, str], body: Any) -> _Answer:
        """One request; the job's end is looked for while it runs."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        loop = self._loop
        self.requests += 1
        task = loop.create_task(self._request(method, address, params, body))
        grace = _GRACE
        while not task.done():
            loop.run_until_complete(asyncio.wait({task}, timeout=_POLL))
            grace -= _POLL if self._ctx.cancelled else 0.0
            if grace <= 0 and not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    loop.run_until_complete(task)
                self._ctx.check()
        return task.result()

    async def _request(
        self, method: str, address: str, params: Mapping[str, str], body: Any
    ) -> _Answer:
        http = self._opened()
        content = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        async with (
            asyncio.timeout(self._pace.total),
            http.stream(
                method, address, params=params or None, content=content, headers=headers
            ) as response,
        ):
            parts, size = [], 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > self._pace.most_bytes:
                    raise _TooLargeError
                parts.append(part)
            return _Answer(response.status_code, response.headers, b"".join(parts))

    def _opened(self) -> httpx.AsyncClient:
        if self._http is None:
            import httpx

            limits, pace = httpx.Limits(max_connections=1), self._pace
            self._http = httpx.AsyncClient(
                headers=self._headers,
                timeout=httpx.Timeout(pace.silence, connect=pace.connect),
                limits=limits,
                follow_redirects=False,
                # What the system sets for the internet does not hold for this computer itself.
                trust_env=urlsplit(self._base).hostname not in _LOOPBACK,
            )
        return self._http


def _http_error() -> type[Exception]:
    import httpx

    return httpx.HTTPError
