"""Work in a process of its own: its result, progress, errors, cancelling, and its death."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.apart import run_apart
from litscape.apart.tasks import export_file, find_duplicates, import_files, import_text
from litscape.engine import EngineDiedError
from litscape.errors import LibraryBusyError, UserError
from litscape.history import IMPORT_LEASE
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.paper import LibraryChanges
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.jobs.context import Event

ENTRIES = 4000


@pytest.fixture
def library(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    # The tasks below are found again by their names, from wherever the process runs.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def many(tmp_path: Path) -> str:
    """A file that takes more than a transaction."""
    file = tmp_path / "many.bib"
    entries = (
        f"@article{{key{n}, title={{Finding {n} of the survey of {n * 7} ponds}}, year={{2001}}}}"
        for n in range(ENTRIES)
    )
    file.write_text("\n".join(entries), encoding="utf-8")
    return str(file)


def crash(_library: Library, _ctx: JobContext, how: str) -> None:
    """A task that does not end well."""
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError(how)


def settings_of(library: Library, _ctx: JobContext) -> tuple[str, str]:
    print("what a library prints must not disturb")  # noqa: T201
    return str(library.folder), library.settings.device


def test_the_result_comes_back_and_what_was_told_meanwhile(library: Library, many: str) -> None:
    events: list[Event] = []
    report = run_apart(library, import_files, JobContext(events.append), [many])
    assert report.added == ENTRIES == len(library.papers)
    came = [event.value for event in events if event.kind == "partial"]
    added = [paper for one in came if isinstance(one, LibraryChanges) for paper in one.added]
    assert sorted(added) == [int(paper) for paper in sorted(library.papers.ids())]
    assert any(event.kind == "progress" for event in events)
    library.history.undo()
    assert len(library.papers) == 0


def test_the_task_has_the_library_and_its_settings(library: Library) -> None:
    assert run_apart(library, settings_of, null_context()) == (
        str(library.folder),
        library.settings.device,
    )


def test_text_and_duplicates(library: Library) -> None:
    text = "TY  - JOUR\nTI  - A long enough title on ponds\nPY  - 2001\nER  - \n"
    other = "TY  - JOUR\nTI  - A Long Enough Title on Ponds\nPY  - 2002\nAU  - Gull, A\nER  - \n"
    assert run_apart(library, import_text, null_context(), text, kind="ris").added == 1
    assert run_apart(library, import_text, null_context(), other).added == 1
    groups = run_apart(library, find_duplicates, null_context())
    assert groups == library.duplicates.list()
    assert len(groups) == 1


def test_an_export_is_whole_or_not_there(library: Library, many: str, tmp_path: Path) -> None:
    run_apart(library, import_files, null_context(), [many])
    target = tmp_path / "out.ris"
    number, left_out = run_apart(library, export_file, null_context(), target, "ris", None)
    assert (number, left_out) == (ENTRIES, "")
    assert target.read_text(encoding="utf-8").count("ER  - ") == ENTRIES
    ctx = JobContext(lambda event: ctx.cancel() if event.kind == "progress" else None)
    with pytest.raises(JobCancelledError):
        run_apart(library, export_file, ctx, tmp_path / "other.ris", "ris", None)
    assert not list(tmp_path.glob("other*"))


def test_an_error_is_raised_as_it_was(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.bib") as caught:
        run_apart(library, import_files, null_context(), [str(tmp_path / "nowhere.bib")])
    assert type(caught.value) is UserError
    with (
        Lease(library.database, IMPORT_LEASE),
        pytest.raises(LibraryBusyError, match=str(os.getpid())),
    ):
        run_apart(library, import_text, null_context(), "@misc{a, title={A}}")


def test_cancelling_leaves_whole_records(library: Library, many: str) -> None:
    ctx = JobContext(lambda event: ctx.cancel() if event.kind == "partial" else None)
    with pytest.raises(JobCancelledError, match="had come in"):
        run_apart(library, import_files, ctx, [many])
    assert 0 < len(library.papers) < ENTRIES
    [batch] = library.imports.batches()
    assert not batch.finished
    library.history.undo()
    assert len(library.papers) == 0


def test_what_was_cancelled_before_is_not_begun(library: Library, many: str) -> None:
    ctx = null_context()
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        run_apart(library, import_files, ctx, [many])
    assert len(library.papers) == 0


def test_a_bug_takes_its_traceback_along(library: Library) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)in crash.*ValueError: a fault of ours"):
        run_apart(library, crash, null_context(), "a fault of ours")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_death_is_a_sentence(library: Library) -> None:
    with pytest.raises(EngineDiedError, match="ended unexpectedly") as caught:
        run_apart(library, crash, null_context(), "killed")
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
def test_the_death_of_an_import_costs_nothing_committed(library: Library, many: str) -> None:
    def kill(event: Event) -> None:
        if event.kind == "partial":
            for pid in children():
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(EngineDiedError):
        run_apart(library, import_files, JobContext(kill), [many])
    came = len(library.papers)
    assert 0 < came <= ENTRIES
    report = run_apart(library, import_files, null_context(), [many])
    assert (report.added, report.unchanged) == (ENTRIES - came, came)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
def test_no_process_is_left(library: Library, many: str) -> None:
    before = children()
    ctx = null_context()
    timer = threading.Timer(0.3, ctx.cancel)
    timer.start()
    with pytest.raises(JobCancelledError):
        run_apart(library, import_files, ctx, [many] * 3)
    timer.join()
    end = time.monotonic() + 20
    while children() != before and time.monotonic() < end:
        time.sleep(0.05)
    assert children() == before


def children() -> set[int]:
    """Processes that this one started."""
    found: set[int] = set()
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children", encoding="ascii") as listed:
            found |= {int(pid) for pid in listed.read().split()}
    return found
