"""What a child says of an error: a sentence for faults of the surroundings, all of it for bugs."""

from __future__ import annotations

import errno
import os

import pytest

from litscape.engine.child import _problem


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/cache/x"), "/cache/x"),
        # As the library of tokenizers reports a full disk.
        (Exception("No space left on device (os error 28)"), "No space left on device"),
        (Exception("Permission denied (os error 13)"), "Permission denied"),
    ],
)
def test_a_disk_that_fails_is_a_sentence(error: Exception, words: str) -> None:
    told = _problem(error)
    assert told["kind"] == "environment"
    assert words in told["error"]
    assert "\n" not in told["error"]
    assert "Traceback" not in told["error"]


def test_a_bug_takes_its_traceback_along() -> None:
    told = _problem(ZeroDivisionError("no"))
    assert told["kind"] == "bug"
    assert "ZeroDivisionError: no" in told["error"]
