"""One run at a time in a library: a lock that the system lets go of with its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault, LitscapeError
from litscape_trainer.runs.folder import RUNS, RunFolder, folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = "lock"
_AGAIN_S = 0.1
_MODULE = "litscape_trainer.runs.child"
_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2 << 20), "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64"}
"""With these a long run's memory grows less. From so many bytes on glibc takes memory from the
system and gives it back; else it raises that bound by itself, and batches of all lengths leave
gaps. And oneDNN keeps what it compiled for 1,024 shapes, of which each batch has new ones."""


@contextmanager
def turn(library: Path, patience: float = 0.0) -> Iterator[bool]:
    """Whether it is this process' turn to run what is queued; held while the block lasts.

    Args:
        library: the folder of the library.
        patience: seconds to try again while no run is at work: a process that was killed lets go
            of the lock only when the last of its threads is gone.

    Raises:
        EnvironmentFault: the folder can't be written.
    """
    try:
        (library / RUNS).mkdir(parents=True, exist_ok=True)
        handle = os.open(library / RUNS / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise EnvironmentFault(
            f"{library / RUNS} can't be written: {error.strerror or error}."
        ) from error
    try:
        mine, until = _locked(handle), time.monotonic() + patience
        while not mine and time.monotonic() < until and not _at_work(library):
            time.sleep(_AGAIN_S)
            mine = _locked(handle)
        yield mine
    finally:
        os.close(handle)  # and with it the lock


def _locked(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _at_work(library: Path) -> bool:
    """Whether the process of a run is alive."""
    for folder in folders(library):
        with suppress(LitscapeError):
            if folder.state().status == "running":
                return True
    return False


def waiting(library: Path) -> RunFolder | None:
    """The run whose turn is next; None where none waits."""
    for folder in folders(library):
        try:
            if folder.stored().status == "queued":
                return folder
        except LitscapeError:
            continue  # a damaged folder holds nobody up
    return None


def launch(library: Path) -> int:
    """Start a process that runs what is queued; it outlives whoever started it.

    Returns:
        Its number.

    Raises:
        EnvironmentFault: no process can be started.
    """
    env = {**os.environ, "PYTHONUTF8": "1", "HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1"}
    env.setdefault("TOKENIZERS_PARALLELISM", "false")
    for name, value in _MEMORY.items():
        env.setdefault(name, value)
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {
            "creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        }
    place = library / RUNS
    try:
        place.mkdir(parents=True, exist_ok=True)
        with open(place / "output.log", "ab") as output:
            process = subprocess.Popen(
                # -P: whatever lies in the current folder must not be taken for our modules.
                [sys.executable, "-P", "-m", _MODULE, str(library.absolute())],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=env,
                cwd=place,
                close_fds=True,
                **options,
            )
    except OSError as error:
        raise EnvironmentFault(
            f"The process of the run can't be started: {error.strerror or error}."
        ) from error
    _forget(process)
    return process.pid


_STARTED: list[subprocess.Popen[bytes]] = []


def _forget(process: subprocess.Popen[bytes]) -> None:
    """Keep it until it ended, so that nobody warns of it and no dead process stays behind."""
    _STARTED[:] = [one for one in _STARTED if one.poll() is None]
    _STARTED.append(process)


def reap() -> None:
    """Take note of processes that ended."""
    _STARTED[:] = [one for one in _STARTED if one.poll() is None]
