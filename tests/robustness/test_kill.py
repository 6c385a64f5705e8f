"""kill -9 of the window and of its children, at random moments of importing and embedding.

``LITSCAPE_KILLS`` sets how often (default 4), ``LITSCAPE_KILL_FILE`` what is imported (default: the
example library), ``LITSCAPE_KILL_SEED`` the moments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from litscape import Library
from litscape.store.integrity import check
from litscape_resources import example_library

KILLS = int(os.environ.get("LITSCAPE_KILLS", "4"))
FILE = Path(os.environ.get("LITSCAPE_KILL_FILE", str(example_library())))
SEED = int(os.environ.get("LITSCAPE_KILL_SEED", "1"))
DRIVER = Path(__file__).with_name("window_driver.py")
LONGEST_S = 12.0
HANG_S = 900


@dataclass
class Window:
    """The window in a process of its own, and what it said so far."""

    library: Path
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER), str(self.library), str(FILE)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())

    def last(self, word: str) -> str | None:
        """The rest of the last line that begins with a word."""
        lines = [line for line in list(self.said) if line.startswith(word)]
        return lines[-1][len(word) :].strip() if lines else None

    @property
    def committed(self) -> int:
        return int(self.last("committed") or 0)

    @property
    def children(self) -> list[int]:
        return [int(pid) for pid in (self.last("children") or "").split()]

    def wait_for(self, word: str, seconds: float) -> bool:
        """Whether the window said the word within some seconds (or ended before)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if self.last(word) is not None:
                return True
            time.sleep(0.02)
        self._reader.join(1.0)
        return self.last(word) is not None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join(5.0)
        assert self.process.stdout is not None
        self.process.stdout.close()


def state(folder: Path) -> tuple[int, int]:
    """Papers and vectors of the library, which must be sound."""
    with Library.open(folder) as library:
        assert check(library.database) == []
        snapshot = library.vectors() if library.info().embedded else None
        return len(library.papers), 0 if snapshot is None else len(snapshot.ids)


def gone(pid: int) -> bool:
    """Whether a process ended (or is only waited for)."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return True
    return status.rsplit(")", 1)[1].split()[0] == "Z"


def no_orphans(pids: list[int]) -> bool:
    """Whether all children end by themselves once their window is gone."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if all(gone(pid) for pid in pids):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_nothing_committed_is_lost(tmp_path: Path) -> None:
    moments = random.Random(SEED)
    folder, number = tmp_path / "library-0", 0
    papers = vectors = 0
    finished = 0
    for _kill in range(KILLS):
        window = Window(folder)
        victim = moments.choice(("window", "window", "child"))
        if moments.random() < 0.5:
            window.wait_for("committed", HANG_S)
        done = window.wait_for("done", moments.uniform(0.2, LONGEST_S))
        assert done or window.process.poll() is None, window.said[-5:]
        if victim == "child" and window.children and not done:
            os.kill(moments.choice(window.children), signal.SIGKILL)
            # The window lives, says what happened, and loses nothing; then it is killed as well.
            said = window.wait_for("failed", 3.0)
            assert window.process.poll() is None
            assert not said or "Traceback" not in (window.last("failed") or "")
        window.kill()
        assert no_orphans(window.children)
        now, embedded = state(folder)
        assert now >= max(papers, window.committed)
        assert embedded >= vectors
        papers, vectors = now, embedded
        if done:
            finished += 1
            number, papers, vectors = number + 1, 0, 0
            folder = tmp_path / f"library-{number}"
    last = Window(folder)
    assert last.wait_for("done", HANG_S), last.said[-5:]
    last.process.wait(60)
    last.kill()
    papers, vectors = state(folder)
    assert papers > 0
    assert vectors == papers
