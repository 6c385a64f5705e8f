"""Whether a linked file is there: looked for on this computer only."""

from __future__ import annotations

import os


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
