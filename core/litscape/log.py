"""Where messages for the developers go: one rotating file; only the app turns it on."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

from litscape import paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_BYTES = 1_000_000
_OLDER_FILES = 3


def log_file() -> Path:
    """The file that errors are written to."""
    return paths.log_dir() / "litscape.log"


@contextmanager
def logging_to_file(level: int = logging.INFO) -> Iterator[Path]:
    """Write log records of ``level`` and above to :func:`log_file` while the block runs.

    A folder that can't be written to costs the log, never the program.
    """
    path = log_file()
    root = logging.getLogger()
    handler = _open(path)
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield path
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()


def _open(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = _QuietHandler(
            path, maxBytes=_BYTES, backupCount=_OLDER_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    return handler


class _QuietHandler(RotatingFileHandler):
    """Does not write to stderr when the log itself fails (full disk, file rotated elsewhere)."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - named by logging
        pass
