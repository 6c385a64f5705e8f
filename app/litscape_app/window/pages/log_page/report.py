"""The text of an error report: what happened, on what system; no names of folders or papers."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_app.window.troubles import Trouble

_PACKAGES = ("litscape", "PySide6-Essentials", "SQLAlchemy", "numpy", "torch", "transformers")
_TAIL_BYTES = 256 * 1024
_LINE = re.compile(r"^\S+ \S+ \d+ ([A-Z]+) ")


def read_tail(file: Path, lines: int) -> list[str]:
    """The newest lines of a log file; none where there is no file yet."""
    try:
        with file.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - _TAIL_BYTES))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return []
    return text.splitlines()[-lines:]


def warnings_only(lines: list[str]) -> list[str]:
    """Warnings and errors with what belongs to them (tracebacks), without the rest."""
    kept, keep = [], False
    for line in lines:
        begins = _LINE.match(line)
        if begins:
            keep = begins[1] in ("WARNING", "ERROR", "CRITICAL")
        if keep:
            kept.append(line)
    return kept


def system() -> str:
    """Versions and platform, one a line."""
    rows = [f"System: {platform.platform()}", f"Python: {platform.python_version()}"]
    for name in _PACKAGES:
        try:
            rows.append(f"{name}: {version(name)}")
        except PackageNotFoundError:
            rows.append(f"{name}: not installed")
    rows.append(f"Encoding of file names: {sys.getfilesystemencoding()}")
    return "\n".join(rows)


def without_names(text: str, folders: tuple[Path, ...] = ()) -> str:
    """``text`` with the user's own folders replaced by words."""
    home = str(Path.home())
    for folder in sorted((str(one) for one in folders), key=len, reverse=True):
        text = text.replace(folder, "<library>")
    if len(home) > 1:
        text = text.replace(home, "~")
    return text


def compose(
    doing: str, trouble: Trouble | None, log: list[str], folders: tuple[Path, ...] = ()
) -> str:
    """The whole report.

    Args:
        doing: what the person says that they did.
        trouble: what went wrong, where it is known.
        log: lines of the log to go with it.
        folders: folders that are not to be named.
    """
    parts = ["What I did", doing.strip() or "(not said)"]
    if trouble is not None:
        parts += ["", "What went wrong", trouble.sentence, "", trouble.details.strip()]
    parts += ["", "System", system()]
    if log:
        parts += ["", "Log", *log]
    return without_names("\n".join(parts), folders).strip() + "\n"
