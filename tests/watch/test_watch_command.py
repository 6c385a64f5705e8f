"""``litscape watch`` and ``litscape watched`` as programs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BIB = "@article{mud, title = {On mud}}\n"
_WAIT_S = 60


@pytest.fixture
def bib(tmp_path: Path, home: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(BIB, encoding="utf-8")
    return file


def command(tmp_path: Path, *words: str) -> list[str]:
    library = str(tmp_path / "library")
    return [sys.executable, "-m", "litscape_app", "--library", library, *words, "--json"]


def ran(tmp_path: Path, *words: str) -> Any:
    done = subprocess.run(
        command(tmp_path, *words), capture_output=True, text=True, timeout=_WAIT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_once(tmp_path: Path, bib: Path) -> None:
    assert ran(tmp_path, "watch", str(bib), "--once")["added"] == 1
    again = ran(tmp_path, "watch", str(bib), "--once")
    assert again["batch"] is None
    assert not any(again[key] for key in ("records", "added", "unchanged", "skipped", "issues"))


def test_the_list(tmp_path: Path, bib: Path) -> None:
    added = ran(tmp_path, "watched", "add", str(bib))
    assert added == {"source": str(bib), "follow": True, "last_read": None}
    assert ran(tmp_path, "watched") == [added]
    assert ran(tmp_path, "watched", "remove", str(bib))["follow"] is False
    assert ran(tmp_path, "watched", "list") == []


def test_the_list_makes_no_library(tmp_path: Path, home: Path) -> None:
    (tmp_path / "library").mkdir()
    assert ran(tmp_path, "watched", "list") == []
    assert ran(tmp_path, "watched") == []
    assert list((tmp_path / "library").iterdir()) == []
    assert list((tmp_path / "home").rglob("library.sqlite")) == []


@pytest.fixture
def follower(tmp_path: Path, bib: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command(tmp_path, "watch", str(bib)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as program:
        yield program
        program.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="ends the program by SIGINT")
def test_following_goes_on_after_renames(bib: Path, follower: subprocess.Popen[str]) -> None:
    assert follower.stdout is not None
    assert follower.stderr is not None
    assert json.loads(follower.stdout.readline())["added"] == 1
    assert "Following" in follower.stderr.readline()
    for number in range(2):
        new = bib.with_suffix(".tmp")
        new.write_text(BIB + f"@article{{k{number}, title = {{Tide {number}}}}}\n")
        new.replace(bib)
        assert json.loads(follower.stdout.readline())["added"] == 1
        time.sleep(0.1)
    follower.send_signal(signal.SIGINT)
    assert follower.wait(_WAIT_S) == 130


@pytest.mark.skipif(sys.platform == "win32", reason="ends the program by SIGINT")
def test_a_file_that_goes_is_waited_for(bib: Path, follower: subprocess.Popen[str]) -> None:
    assert follower.stdout is not None
    assert follower.stderr is not None
    assert json.loads(follower.stdout.readline())["added"] == 1
    assert "Following" in follower.stderr.readline()
    bib.unlink()
    assert "is not there at the moment" in follower.stderr.readline()
    bib.write_text(BIB + "@article{tide, title = {Tide}}\n", encoding="utf-8")
    assert json.loads(follower.stdout.readline())["added"] == 1
    bib.write_bytes(b"")
    told = json.loads(follower.stdout.readline())
    assert [(one["code"], one["severity"]) for one in told["issues"]] == [
        ("source-empty", "warning")
    ]
    follower.send_signal(signal.SIGINT)
    assert follower.wait(_WAIT_S) == 130
