"""Whether the process of a run still runs: pids are used again, so its birth counts too."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def born(pid: int) -> float | None:
    """When a process began, in seconds of its system's clock; None where that can't be known."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, ValueError, IndexError):
            stat = Path(f"/proc/{pid}/stat").read_text()
            fields = stat.rpartition(")")[2].split()
            if fields[0] != "Z":
                return int(fields[19]) / os.sysconf("SC_CLK_TCK")
    return None


def alive(pid: int | None, since: float | None) -> bool:
    """Whether the process of this number that began then is still there."""
    if pid is None:
        return False
    if sys.platform.startswith("linux"):
        now = born(pid)
        return now is not None and since is not None and now == since
    return _exists(pid)


def _exists(pid: int) -> bool:
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x1000, False, pid)  # to ask, not to change
        if not handle:
            return False
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return code.value == 259  # still active
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
