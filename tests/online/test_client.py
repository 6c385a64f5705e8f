"""Talking to a service that is slow, busy, broken, or not what it should be."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.online_support import Made, Said

from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.online.client import Client
from litscape.online.faults import (
    NoSuchWorkError,
    OnlineError,
    RefusedQuestionError,
    ServiceStoppedError,
    UnreachableError,
)
from litscape.online.pace import Pace, asked_to_wait, backoff, interval_of

if TYPE_CHECKING:
    from tests.online_support import Server

PACE = Pace(interval=0.0, attempts=3, backoff=0.01, silence=5.0)
QUERY = {"filter": "doi:10.5555/w1", "per-page": "100", "select": "id,doi,abstract_inverted_index"}


def client(server: Server, ctx: JobContext | None = None, **pace: Any) -> Client:
    chosen = Pace(**{**{name: getattr(PACE, name) for name in PACE.__slots__}, **pace})
    return Client("OpenAlex", f"{server.root}/openalex", ctx or null_context(), chosen)


def ask(server: Server, ctx: JobContext | None = None, **pace: Any) -> Any:
    with client(server, ctx, **pace) as asked:
        return asked.get("works", QUERY)


@pytest.fixture(autouse=True)
def one_work(server: Server) -> None:
    server.works[1] = Made(1)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_passes_is_asked_again(server: Server, status: int) -> None:
    server.wrong += [Said(status), Said(status)]
    assert ask(server)["meta"]["count"] == 1
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Said(503), r"has a fault at its end \(503\)"),
        (Said(429), "asked to wait too often"),
        (Said(body=b"<html>Log in</html>", headers={"Content-Type": "text/html"}), "web page"),
        (Said(body=b'{"results": ['), "can't be read"),
        (Said(body=b"[" * 100_000), "can't be read"),
        (Said(body=b'{"results"', cut=True), "broke off"),
        (Said(body=b"not gzip", headers={"Content-Encoding": "gzip"}), "could not be reached"),
    ],
    ids=["5xx", "429", "html", "half", "deep", "cut", "coding"],
)
def test_what_does_not_pass_is_said(server: Server, said: Said, told: str) -> None:
    server.fault = lambda _service, _number: said
    with pytest.raises(UnreachableError, match=told):
        ask(server)
    assert len(server.requests) == 3


def test_a_wrong_content_type_does_no_harm(server: Server) -> None:
    server.wrong.append(Said(body=b'{"meta": {"count": 0}}', headers={"Content-Type": "image/png"}))
    assert ask(server) == {"meta": {"count": 0}}


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, NoSuchWorkError),
        (410, NoSuchWorkError),
        (400, RefusedQuestionError),
        (414, RefusedQuestionError),
        (401, ServiceStoppedError),
        (403, ServiceStoppedError),
        (418, UnreachableError),
    ],
)
def test_what_is_final_is_asked_once(server: Server, status: int, error: type[OnlineError]) -> None:
    server.wrong.append(Said(status, b'{"error": "no"}'))
    with pytest.raises(error):
        ask(server)
    assert len(server.requests) == 1


def test_an_endless_answer_is_not_read(server: Server) -> None:
    server.wrong.append(Said(body=b"[" + b" " * 50_000))
    with pytest.raises(RefusedQuestionError, match="more than 10,000 bytes"):
        ask(server, most_bytes=10_000)


def test_an_answer_that_unpacks_without_end_is_not_read(server: Server) -> None:
    packed = gzip.compress(b" " * 5_000_000)
    assert len(packed) < 10_000
    server.wrong.append(Said(body=packed, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(RefusedQuestionError, match="more than 10,000 bytes"):
        ask(server, most_bytes=10_000)


def test_another_server_is_never_asked(server: Server) -> None:
    other = socket.create_server(("127.0.0.1", 0))
    with other:
        address = f"http://localhost:{other.getsockname()[1]}/works"
        server.wrong.append(Said(302, headers={"Location": address}))
        with pytest.raises(ServiceStoppedError, match=r"another address \(localhost\)"):
            ask(server)
        other.settimeout(0.2)
        with pytest.raises(TimeoutError):
            other.accept()


def test_the_same_server_may_send_on(server: Server) -> None:
    path = "/openalex/works?filter=doi%3A10.5555%2Fw1&per-page=1&select=id,abstract_inverted_index"
    server.wrong.append(Said(301, headers={"Location": path}))
    assert ask(server)["meta"]["count"] == 1


def test_a_server_that_sends_on_for_ever_is_left(server: Server) -> None:
    server.fault = lambda _service, _number: Said(302, headers={"Location": "/openalex/works"})
    with pytest.raises(UnreachableError):
        ask(server)


def test_silence_is_said_to_be_so(server: Server) -> None:
    server.fault = lambda _service, _number: Said(wait=2.0)
    with pytest.raises(UnreachableError, match="did not answer in time"):
        ask(server, silence=0.1, attempts=2)


def test_an_answer_in_drops_ends_with_the_time_for_the_whole() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            talk, _ = listening.accept()
            with talk:
                talk.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in range(40):
                    try:
                        talk.sendall(b" ")
                    except OSError:
                        return
                    time.sleep(0.05)

        thread = threading.Thread(target=drip)
        thread.start()
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        pace = Pace(interval=0, attempts=1, silence=5, total=0.4)
        with (
            Client("OpenAlex", base, null_context(), pace) as asked,
            pytest.raises(UnreachableError, match="did not answer in time"),
        ):
            asked.get("works")
        thread.join()


def test_nobody_there_is_said_to_be_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with (
            Client("OpenAlex", base, null_context(), PACE) as asked,
            pytest.raises(UnreachableError, match="could not be reached"),
        ):
            asked.get("works")


def test_a_wait_that_was_asked_for_is_kept(server: Server) -> None:
    told: list[str] = []
    server.wrong.append(Said(429, headers={"Retry-After": "1"}))
    with Client("OpenAlex", f"{server.root}/openalex", null_context(), PACE, tell=told.append) as c:
        begin = time.monotonic()
        c.get("works", QUERY)
    assert time.monotonic() - begin >= 1.0
    assert told == ["OpenAlex asks to wait 1 s"]


def test_a_wait_of_hours_ends_the_asking(server: Server) -> None:
    server.wrong.append(Said(429, headers={"Retry-After": "36000"}))
    with pytest.raises(ServiceStoppedError, match="asks to wait 10 hours"):
        ask(server)
    assert len(server.requests) == 1


def test_cancelling_ends_a_request_that_runs(server: Server) -> None:
    server.delay = 3600.0
    ctx = null_context()
    threading.Timer(0.2, ctx.cancel).start()
    with pytest.raises(JobCancelledError):
        ask(server, ctx, silence=3600.0, total=3600.0)


def test_cancelling_ends_a_wait(server: Server) -> None:
    server.wrong.append(Said(503, headers={"Retry-After": "3600"}))
    ctx = null_context()
    threading.Timer(0.2, ctx.cancel).start()
    with pytest.raises(JobCancelledError):
        ask(server, ctx, longest=7200.0)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "base", ["http://api.openalex.org", "ftp://127.0.0.1", "https://", "api.openalex.org", ""]
)
def test_only_https_is_asked(base: str) -> None:
    with pytest.raises(UserError, match="only be asked over https"):
        Client("OpenAlex", base, null_context(), PACE)


def test_requests_are_spaced(server: Server) -> None:
    with client(server, interval=0.15) as asked:
        begin = time.monotonic()
        for _ in range(3):
            asked.get("works", QUERY)
    assert time.monotonic() - begin >= 0.3


def test_a_narrower_limit_that_is_told_is_kept(server: Server) -> None:
    told = {"X-Rate-Limit-Limit": "5", "X-Rate-Limit-Interval": "1s"}
    server.wrong += [Said(headers=told), Said(headers=told)]
    with client(server) as asked:
        begin = time.monotonic()
        for _ in range(3):
            asked.get("works", QUERY)
    assert time.monotonic() - begin >= 0.4


def test_retry_after_is_a_number_or_a_date() -> None:
    now = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
    until = (now + timedelta(seconds=90)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    for text, seconds in [
        ("7", 7.0), ("0.5", 0.5), ("-3", 0.0), (until, 90.0), ("soon", None), ("", None),
        ("nan", None), ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
    ]:  # fmt: skip
        assert asked_to_wait({"retry-after": text}, now) == seconds, text
    assert asked_to_wait({}) is None


def test_the_limits_that_headers_tell() -> None:
    def of(limit: str, span: str) -> float | None:
        return interval_of({"x-rate-limit-limit": limit, "x-rate-limit-interval": span})

    assert of("50", "1s") == 0.02
    assert of("3", "60s") == 10.0
    assert of("0", "1s") is of("many", "1s") is of("5", "") is None


def test_the_wait_grows_and_is_spread() -> None:
    pace = Pace(backoff=1.0, longest=10.0)
    for attempt, whole in [(1, 1.0), (2, 2.0), (3, 4.0), (9, 10.0)]:
        waits = {backoff(pace, attempt) for _ in range(50)}
        assert len(waits) > 10
        assert all(whole / 2 <= one <= whole for one in waits)
