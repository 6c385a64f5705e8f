"""Progress on stderr, and Ctrl-C as a request before it is an order."""

from __future__ import annotations

import io
import os
import signal
import sys

import pytest

from litscape.jobs import JobCancelledError, Progress
from litscape_app.cli.progress import describe, job_context


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_one_changing_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with job_context() as ctx:
        ctx.progress(1, 4180, "Embedding")
        ctx.partial(object())
    assert terminal.getvalue() == "\r\x1b[KEmbedding (0 %)\r\x1b[K"


def test_a_pipe_gets_no_line_for_short_work(capsys: pytest.CaptureFixture[str]) -> None:
    with job_context() as ctx:
        for done in range(1000):
            ctx.progress(done, 1000, "Reading")
    assert capsys.readouterr().err == ""


def test_how_far() -> None:
    assert describe(Progress(0, None, "Loading")) == "Loading"
    assert describe(Progress(1200, None, "Reading")) == "Reading"
    assert describe(Progress(1, 3, "")) == "Working (33 %)"


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_ctrl_c_asks_first_and_orders_second(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)

    def interrupted(times: int) -> None:
        with job_context() as ctx:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
            ctx.check()

    with pytest.raises(JobCancelledError):
        interrupted(1)
    assert "Stopping" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        interrupted(2)
    assert signal.getsignal(signal.SIGINT) is before
