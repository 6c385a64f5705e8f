"""Writing files whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def written_whole(target: Path) -> Iterator[TextIO]:
    """A stream whose text becomes the file ``target`` at the end, or nothing does.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    replace = not target.exists() or target.is_file()  # never a device or a pipe
    real = target.resolve()
    written = real.with_name(f"{real.name}.{os.getpid()}.part") if replace else target
    try:
        try:
            with written.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
                stream.flush()
                if replace:
                    os.fsync(stream.fileno())
            if replace:
                written.replace(real)
        finally:
            if replace:
                written.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFault(f"{target} could not be written: {error.strerror}.") from error
