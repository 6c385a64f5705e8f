"""An import that does not reach its end leaves whole batches, or nothing, and can be undone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from litscape.history import History
from litscape.importers.opened import RecordsAtHand
from litscape.importers.session import Imports
from litscape.jobs import JobCancelledError, JobContext
from litscape.paper import LibraryChanges, PaperDraft
from litscape.papers import Papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litscape.importers.run.BATCH", 10)


def _drafts(context: JobContext, stop: int, total: int = 100) -> Iterator[PaperDraft]:
    for n in range(total):
        if n == stop:
            context.cancel()
            context.check()
        yield PaperDraft(citekey=f"k{n}", title=f"Title {n}", tags=(f"t{n % 3}",))


def _source(drafts: Iterator[PaperDraft]) -> RecordsAtHand:
    return RecordsAtHand("list", "list", drafts)


def _cancelled(world: Any, stop: int = 37, **options: Any) -> list[LibraryChanges]:
    told: list[LibraryChanges] = []

    def listen(event: Any) -> None:
        if event.kind == "partial":
            told.append(event.value)

    context = JobContext(listen)
    if options:
        file = world.folder / "refs.bib"
        file.write_text("\n".join(f"@misc{{k{n}, title = {{Title {n}}}}}" for n in range(100)))
        with pytest.raises(JobCancelledError):
            world.imports.run([file], _cancelling(stop, told), **options)
    else:
        with pytest.raises(JobCancelledError):
            world.imports.run_open([_source(_drafts(context, stop))], context)
    return told


def _cancelling(stop: int, told: list[LibraryChanges]) -> JobContext:
    context: JobContext

    def listen(event: Any) -> None:
        if event.kind == "partial":
            told.append(event.value)
            if sum(len(one.added) for one in told) >= stop:
                context.cancel()

    context = JobContext(listen)
    return context


def test_cancel_leaves_whole_batches_and_one_undo(world: Any) -> None:
    told = _cancelled(world)
    assert world.keys() == [f"k{n}" for n in range(30)]
    assert [len(one.added) for one in told] == [10, 10, 10]
    (batch,) = world.imports.batches()
    assert (batch.finished, batch.undone, batch.counts["added"]) == (False, False, 30)
    report = world.imports.report(batch.id)
    assert (report.records, report.added) == (30, 30)
    world.history.undo()
    assert world.all() == []
    assert world.count("tags") == 0
    world.history.redo()
    assert len(world.all()) == 30


def test_all_or_nothing_leaves_nothing(world: Any) -> None:
    before = world.state()
    told = _cancelled(world, stop=25, all_or_nothing=True)
    assert sum(len(one.added) for one in told) == 30
    after = world.state()
    assert {t: rows for t, rows in after.items() if t != "sources"} == {
        t: rows for t, rows in before.items() if t != "sources"
    }
    assert world.imports.batches() == []
    assert world.history.entries() == []


def test_what_is_taken_back_leaves_nothing_that_belonged_to_it(world: Any) -> None:
    world.bib("@misc{kept, title = {Kept}, keywords = {a; b}, author = {Owl, Amy}}", name="k.bib")
    _cancelled(world, stop=25, all_or_nothing=True)
    with world.database.write() as conn:
        assert conn.exec_driver_sql("PRAGMA foreign_key_check").fetchall() == []
        assert conn.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        # What belongs to a paper has nothing that belongs to it: it is removed table by table.
        belonging = conn.exec_driver_sql(
            "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f"
            " WHERE f.\"table\" = 'papers'"
        ).scalars()
        for name in belonging.all():
            sql = (
                "SELECT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f"
                ' WHERE f."table" = ?'
            )
            assert conn.exec_driver_sql(sql, (name,)).fetchall() == []
    assert world.keys() == ["kept"]
    assert world.papers.get("kept").keywords == ("a", "b")


@pytest.mark.parametrize(
    ("whole", "said"), [(True, "Nothing of it came in."), (False, "are kept (30 added)")]
)
def test_what_a_cancelled_import_leaves_is_said(world: Any, whole: bool, said: str) -> None:
    file = world.folder / "refs.bib"
    file.write_text("\n".join(f"@misc{{k{n}, title = {{Title {n}}}}}" for n in range(100)))
    with pytest.raises(JobCancelledError) as caught:
        world.imports.run([file], _cancelling(25, []), all_or_nothing=whole)
    assert said in str(caught.value)
    assert len(world.all()) == (0 if whole else 30)


def test_all_or_nothing_reads_every_file_before_it_writes(world: Any) -> None:
    good, cut = world.folder / "good.bib", world.folder / "cut.bib"
    for file in (good, cut):
        file.write_text("\n".join(f"@misc{{{file.stem}{n}, title = {{T}}}}" for n in range(20)))
    texts: list[str] = []
    context = JobContext(lambda event: texts.append(getattr(event.value, "text", event.kind)))
    report = world.imports.run([good, cut], context, all_or_nothing=True)
    assert report.added == 40
    assert texts.index("partial") > max(n for n, text in enumerate(texts) if "Reading" in text)


def test_cancel_before_anything_is_written(world: Any) -> None:
    _cancelled(world, stop=3)
    assert world.all() == []
    assert world.imports.batches() == []


def test_a_cancelled_import_is_completed_by_another_run(world: Any) -> None:
    _cancelled(world)
    report = world.imports.run_open([_source(_drafts(JobContext(lambda _event: None), -1))])
    assert (report.added, report.unchanged) == (70, 30)
    assert len(world.all()) == 100


def test_a_bug_in_a_reader_leaves_what_came_before(world: Any) -> None:
    def broken() -> Iterator[PaperDraft]:
        yield from (PaperDraft(citekey=f"k{n}", title="x") for n in range(15))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.imports.run_open([_source(broken())])
    assert len(world.all()) == 10
    world.history.undo()
    assert world.all() == []


CHILD = """
import sys, time
from pathlib import Path
import litscape.importers.run
from litscape.importers.session import Imports
from litscape.paper import PaperDraft
from litscape.store.database import Database
litscape.importers.run.BATCH = 10

def drafts():
    for n in range(5000):
        if n % 10 == 0:
            print(n, flush=True)
        yield PaperDraft(source_id=f"k{n}", citekey=f"k{n}", title=f"T{n}", cites=(f"k{n+25}",))

with Database.open(Path(sys.argv[1])) as database:
    Imports(database).run_drafts(drafts(), source="child", kind="jsonl")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("after", [30, 110, 250])
def test_kill_leaves_whole_batches(tmp_path: Path, after: int) -> None:
    folder = tmp_path / "library"
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= after:
                break
        time.sleep(0.002 * (after % 7))
        os.kill(child.pid, signal.SIGKILL)
    with Database.open(folder) as database:
        papers = Papers(database)
        there = len(papers)
        assert there >= after - 20
        assert there % 10 == 0
        ids = {paper.citekey: paper.id for paper in papers}
        for n, paper in enumerate(papers):
            later = f"k{n + 25}"
            assert paper.cites == ((ids[later],) if later in ids else ())
            assert len(paper.references) == (later not in ids)
        (batch,) = Imports(database).batches()
        assert (batch.finished, batch.counts["added"]) == (False, there)
        (entry,) = History(database).entries()
        assert entry.title.endswith(" (not finished)")
        History(database).undo()
        assert len(papers) == 0
