"""The process of a run: ``python -m litscape_trainer.runs.child LIBRARY``.

It runs the next one that is queued, if it is its turn; whoever ends looks whether another waits.
What it was doing is on disk at all times: a process that is killed loses the steps since the last
checkpoint, and the library nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import LibraryBusyError, LitscapeError, UserError
from litscape.jobs.context import JobCancelledError
from litscape_trainer.runs.alive import born
from litscape_trainer.runs.control import Control
from litscape_trainer.runs.meter import Meter
from litscape_trainer.runs.queue import launch, turn, waiting

if TYPE_CHECKING:
    from litscape.settings import AppSettings
    from litscape_trainer.runs.folder import RunFolder
    from litscape_trainer.runs.records import Status

_NICE = 5
_PATIENCE_S = 20.0
_DEVICE_GONE = ("cuda", "cudnn", "cublas", "nccl", "mps backend", "hip error", "device-side")
_NO_SPACE = ("no space left", "disk quota")


def main(library: Path) -> int:
    """Run what is next, and leave the turn to another process where more waits."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(_NICE)
    with turn(library, _PATIENCE_S) as mine:
        if not mine:
            return 0
        folder = waiting(library)
        if folder is not None:
            _run(library, folder)
    if waiting(library) is not None:
        launch(library)
    return 0


def _run(library: Path, folder: RunFolder) -> None:
    """One run, with every end that it can have written down."""
    from litscape import settings as app_settings

    state = folder.stored()
    control = Control(folder, state, Meter(state))
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda _number, _frame: control.interrupt())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C belongs to whoever watches
    pid = os.getpid()
    status: Status = "interrupted"
    text = ""
    try:
        control.update(
            status="running", started_at=state.started_at or _now(), pid=pid, born=born(pid)
        )
        control.start()
        status, text = _outcome(library, control, app_settings.load().settings)
    finally:
        control.close()
    with suppress(LitscapeError):  # a full disk: the state on it says that the process is gone
        _close(control, status, text)


def _outcome(library: Path, control: Control, settings: AppSettings) -> tuple[Status, str]:
    """How the run ended, and the sentence for it."""
    from litscape_trainer.runs.work import PausedError, Work

    try:
        result = Work(library, control, settings).go()
    except Exception as error:  # noqa: BLE001 - the border: told, and kept with its traceback
        if control.request() == "cancel":  # whatever ended it: nobody waits for it any more
            if not isinstance(error, JobCancelledError | PausedError):
                _note(error, control)
            return "cancelled", _CANCELLED
        if isinstance(error, PausedError):
            return "paused", _PAUSED.format(run=control.folder.id)
        return _broken_off(error, control)
    stopped = control.request() == "stop"
    return ("stopped" if stopped else "done"), result.sentence


_PAUSED = "Paused; go on with: litscape train resume {run}"
_CANCELLED = "Cancelled. The library is as it was."


def _broken_off(error: Exception, control: Control) -> tuple[Status, str]:
    """What an error made of a run that nobody gave up."""
    run = control.folder.id
    if isinstance(error, JobCancelledError):
        if control.request() == "pause":
            return "paused", _PAUSED.format(run=run)
        return "cancelled", _CANCELLED
    if isinstance(error, UserError) and not isinstance(error, LibraryBusyError):
        return "failed", f"{error} The library is as it was."
    if isinstance(error, LitscapeError):
        return "interrupted", f"{error} To go on: litscape train resume {run}"
    return _broken(error, control)


def _note(error: Exception, control: Control) -> None:
    control.folder.log({"kind": "error", "text": "".join(traceback.format_exception(error))})


def _broken(error: Exception, control: Control) -> tuple[Status, str]:
    """What the surroundings did, told as such; anything else is a bug with its traceback kept."""
    told, run = str(error).strip(), control.folder.id
    _note(error, control)
    traceback.print_exception(error)
    low = told.lower()
    if isinstance(error, OSError) or any(part in low for part in _NO_SPACE):
        reason = getattr(error, "strerror", None) or told
        return (
            "interrupted",
            f"The run could not write or read what it needs: {reason}. The library is as it was; "
            f"to go on from the last checkpoint: litscape train resume {run}",
        )
    if any(part in low for part in _DEVICE_GONE):
        first = (told.splitlines() or [type(error).__name__])[0].rstrip(".")
        return (
            "interrupted",
            f"The graphics card failed or is gone ({first}). The library is as it was; to go on "
            f"from the last checkpoint, on the processor where there is no card: "
            f"litscape train resume {run}",
        )
    last = (told.splitlines() or [""])[0]
    return (
        "failed",
        f"A fault of the program, not yours, ended the run ({type(error).__name__}: {last}). "
        f"Details are in {control.folder.path / 'log.jsonl'}. The library is as it was.",
    )


def _close(control: Control, status: Status, text: str) -> None:
    """The last state; a paused or broken run keeps what it has for going on."""
    over = status not in ("paused", "interrupted")
    control.folder.log({"kind": "end", "status": status, "text": text})
    if status == "cancelled":
        control.folder.clear()
    phase = "ended" if over else control.state.phase
    control.update(
        status=status,
        text=text,
        phase=phase,
        share=1.0 if status in ("done", "stopped") else control.state.share,
        pid=None,
        born=None,
        seconds_left=None,
        ended_at=_now() if over else None,
    )
    control.folder.ask(None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


if __name__ == "__main__":
    code = main(Path(sys.argv[1]))
    sys.stderr.flush()
    # Not sys.exit: threads of the numeric libraries may hold the interpreter up at its end.
    os._exit(code)
