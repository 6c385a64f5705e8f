"""Linked files: their paths, and whether they are there, looked for on this computer only."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote, urlsplit


def file_is_there(path: str, folder: str = "") -> bool | None:
    """Whether a file exists; None where nobody can tell without asking another computer.

    A path of a server (``//host/…``) comes from the source: to look there would tell that server
    who reads it.

    Args:
        path: as the source has it.
        folder: what a relative path starts from; empty where that is not known.
    """
    whole = os.path.join(folder, os.path.expanduser(path))
    if whole.replace("\\", "/").startswith("//") or not os.path.isabs(whole):
        return None
    return os.path.exists(whole)


def local_path(text: str) -> str:
    """A ``file:`` address as a path; all else as it is."""
    if not text.lower().startswith("file:"):
        return text
    try:
        parts = urlsplit(text)
    except ValueError:  # brackets that hold no address
        return text
    path = unquote(parts.path)
    if re.match(r"/[A-Za-z]:", path):
        return path[1:]
    host = parts.netloc if parts.netloc not in ("", "localhost") else ""
    return f"//{host}{path}" if host else path
