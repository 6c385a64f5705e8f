"""Messages through a pipe."""

from __future__ import annotations

import io

import pytest

from litscape.engine.frames import read_frame, write_frame


def test_there_and_back() -> None:
    stream = io.BytesIO()
    write_frame(stream, {"id": 1, "text": "é\n"}, b"\0raw\n")
    write_frame(stream, {"id": 2})
    stream.seek(0)
    assert read_frame(stream) == ({"id": 1, "text": "é\n"}, b"\0raw\n")
    assert read_frame(stream) == ({"id": 2}, b"")
    assert read_frame(stream) is None


@pytest.mark.parametrize("kept", [3, 14, 20])
def test_half_a_message_is_the_end(kept: int) -> None:
    stream = io.BytesIO()
    write_frame(stream, {"id": 1}, b"payload")
    assert read_frame(io.BytesIO(stream.getvalue()[:kept])) is None
