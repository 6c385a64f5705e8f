"""What was freed goes back to the system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from litscape.memory import give_back


def _resident_kb() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc keeps it so")
def test_freed_pieces_between_kept_ones_are_given_back() -> None:
    pieces = [bytes(20_000) for _ in range(4_000)]  # below the size that is mapped by itself
    full = _resident_kb()
    kept = pieces[::50]
    del pieces
    give_back()
    assert full - _resident_kb() > 40_000
    assert len(kept) == 80
