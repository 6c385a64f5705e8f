"""Messages between the program and its children: a JSON header and raw bytes, length first."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTHS = struct.Struct(">IQ")


def write_frame(stream: IO[bytes], header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one message.

    Raises:
        OSError: the other side is gone.
    """
    text = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(text), len(payload)) + text + payload)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Wait for one message; None when the other side is gone, in the middle of one too."""
    head = _read(stream, _LENGTHS.size)
    if head is None:
        return None
    text_size, payload_size = _LENGTHS.unpack(head)
    text, payload = _read(stream, text_size), _read(stream, payload_size)
    if text is None or payload is None:
        return None
    header: dict[str, Any] = json.loads(text)
    return header, payload


def _read(stream: IO[bytes], size: int) -> bytes | None:
    """Exactly ``size`` bytes, or None at the end of the stream."""
    parts: list[bytes] = []
    while size:
        try:
            part = stream.read(size)
        except (OSError, ValueError):
            return None
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
