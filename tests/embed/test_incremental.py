"""Embedding a library: only what changed, resumed after any death, never mixed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from litscape.embed.incremental import embed_library
from litscape.embed.onnx_cache import find_export, folder_of
from litscape.embed.plan import plan
from litscape.embed.text import paper_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.engine import Engine, EngineDiedError, WorkerOptions
from litscape.errors import LibraryBusyError
from litscape.jobs import JobCancelledError, JobContext
from litscape.models import ModelCard, ModelRegistry
from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers
from litscape.store.database import Database
from litscape.store.leases import Lease
from litscape.vectors import VectorStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from litscape.embed.incremental import EmbedReport
    from litscape.jobs.context import Event

PAPERS = 700


class Desk:
    """A library of 700 papers under the small model, with everything that embeds it."""

    def __init__(self, database: Database, engine: Engine, model: Path) -> None:
        self.database = database
        self.engine = engine
        self.registry = ModelRegistry(database)
        self.card: ModelCard = self.registry.add_folder(model)
        self.registry.activate(self.card.version)
        self.vectors = VectorStore(database.folder / "vectors", database)

    def embed(self, listen: Callable[[Event], None] | None = None) -> EmbedReport:
        ctx = JobContext(listen or (lambda _event: None))
        return embed_library(self.database, self.vectors, self.registry, self.engine, ctx)

    def run(self, sql: str, *values: Any) -> None:
        with self.database.write() as conn:
            conn.exec_driver_sql(sql, values)

    def check(self, expected: int) -> None:
        """All stored vectors are those of the papers' present texts."""
        snapshot = VectorStore(self.vectors.folder, self.database).snapshot(self.card.version)
        assert len(snapshot) == expected
        with self.database.read() as conn:
            rows = conn.exec_driver_sql("SELECT id, title, abstract FROM papers").all()
        texts = {row[0]: paper_text(self.card, row[1], row[2]) or "" for row in rows}
        encoder = TorchEncoder(self.card, device="cpu", dtype="float32")
        exact = encoder.encode([texts[number] for number in snapshot.ids.tolist()])
        assert float(np.sum(exact * snapshot.matrix, axis=1).min()) >= 0.9999


def drafts() -> list[PaperDraft]:
    words = ("deep", "soil", "birds", "robots", "graph", "vision", "quantum", "text", "data", "in")
    return [
        PaperDraft(
            title=f"Paper {n} about {words[n % 10]}",
            abstract=" ".join(words[(n * k) % 10] for k in range(1, 5 + n % 40)) if n % 3 else None,
        )
        for n in range(PAPERS)
    ]


def fill(database: Database) -> None:
    with database.write() as conn:
        papers = [NewPaper(n, f"p{n}", draft) for n, draft in enumerate(drafts(), 1)]
        insert_papers(conn, papers)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(WorkerOptions(device="cpu", dtype="float32", threads=1)) as opened:
        yield opened


@pytest.fixture
def desk(tmp_path: Path, engine: Engine, tiny: Path, tiny_prepared: None) -> Iterator[Desk]:
    with Database.open(tmp_path / "library") as database:
        fill(database)
        yield Desk(database, engine, tiny)


def test_whole_library_then_only_what_changed(desk: Desk) -> None:
    events: list[Event] = []
    report = desk.embed(events.append)
    assert (report.embedded, report.reused, report.without_text) == (PAPERS, 0, ())
    assert report.without_abstract == sum(draft.abstract is None for draft in drafts())
    written = [number for event in events if event.kind == "partial" for number in event.value]  # type: ignore[attr-defined]
    assert sorted(written) == list(range(1, PAPERS + 1))
    texts = [event.value.text for event in events if event.kind == "progress"]  # type: ignore[attr-defined]
    assert any(text.startswith("700 of 700 papers") for text in texts)
    desk.check(PAPERS)

    again = desk.embed()
    assert (again.embedded, again.reused) == (0, PAPERS)

    desk.run("UPDATE papers SET title = 'Another title', modified_at = 'later' WHERE id = 7")
    desk.run("UPDATE papers SET venue = 'Another venue' WHERE id = 8")
    assert desk.vectors.pending(desk.card) == 1
    edited = desk.embed()
    assert (edited.embedded, edited.reused) == (1, PAPERS - 1)
    desk.check(PAPERS)

    desk.run("DELETE FROM papers WHERE id IN (1, 2)")
    desk.run("UPDATE papers SET trashed_at = 'now' WHERE id = 3")
    desk.run("UPDATE papers SET title = NULL, abstract = ' ' WHERE id = 4")
    size = (desk.vectors.folder / desk.card.version / "vectors.npy").stat().st_size
    desk.run("UPDATE papers SET abstract = 'new words' WHERE id IN (5, 6)")
    less = desk.embed()
    assert (less.embedded, less.without_text) == (2, (4,))
    assert (desk.vectors.folder / desk.card.version / "vectors.npy").stat().st_size == size
    desk.run("UPDATE papers SET trashed_at = NULL WHERE id = 3")
    assert desk.vectors.pending(desk.card) == 0  # a vector waits in the trash with its paper


def test_cancel_keeps_what_was_committed(desk: Desk) -> None:
    def stop(event: Event) -> None:
        if event.kind == "partial":
            ctx.cancel()

    ctx = JobContext(stop)
    with pytest.raises(JobCancelledError):
        embed_library(desk.database, desk.vectors, desk.registry, desk.engine, ctx)
    kept = desk.vectors.count(desk.card.version)
    assert 0 < kept < PAPERS
    assert desk.embed().embedded == PAPERS - kept
    desk.check(PAPERS)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_worker_loses_little(desk: Desk) -> None:
    def kill(event: Event) -> None:
        if event.kind == "partial":
            os.kill(desk.engine.pids[-1], signal.SIGKILL)

    with pytest.raises(EngineDiedError, match="start it again to go on"):
        desk.embed(kill)
    kept = desk.vectors.count(desk.card.version)
    assert 0 < kept < PAPERS
    report = desk.embed()
    assert (report.embedded, report.reused) == (PAPERS - kept, kept)
    desk.check(PAPERS)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("commits", [1, 2])
def test_killed_program_resumes(desk: Desk, commits: int) -> None:
    """kill -9 in the middle: the library opens, and only the rest is embedded."""
    code = f"""
        import sys
        from pathlib import Path
        from litscape.embed.incremental import embed_library
        from litscape.engine import Engine, WorkerOptions
        from litscape.jobs import JobContext
        from litscape.models import ModelRegistry
        from litscape.store.database import Database
        from litscape.vectors import VectorStore

        def tell(event):
            if event.kind == "partial":
                print(len(event.value), flush=True)

        folder = Path({str(desk.database.folder)!r})
        database = Database.open(folder)
        embed_library(database, VectorStore(folder / "vectors", database),
                      ModelRegistry(database), Engine(WorkerOptions("cpu", "float32", 1)),
                      JobContext(tell))
    """
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    told = sum(int(program.stdout.readline()) for _ in range(commits))
    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdout.close()
    kept = desk.vectors.count(desk.card.version)
    assert told <= kept
    report = desk.embed()
    assert (report.embedded, report.reused) == (PAPERS - kept, kept)
    desk.check(PAPERS)


def test_vectors_of_another_family_are_made_again(desk: Desk) -> None:
    desk.embed()
    desk.run("UPDATE vector_rows SET backend = 'int8/onnx-cpu' WHERE paper_id <= 10")
    assert list(plan(desk.database, desk.vectors, desk.card).todo) == list(range(1, 11))
    assert desk.embed().embedded == 10


def test_one_program_at_a_time(desk: Desk) -> None:
    with Lease(desk.database, "embed"), pytest.raises(LibraryBusyError, match="embed"):
        desk.embed()


def test_damaged_file_is_made_again(desk: Desk) -> None:
    desk.embed()
    os.truncate(desk.vectors.folder / desk.card.version / "vectors.npy", 500)
    desk.vectors = VectorStore(desk.vectors.folder, desk.database)
    assert desk.embed().embedded == PAPERS
    desk.check(PAPERS)


def test_empty_library_only_prepares_the_model(desk: Desk) -> None:
    desk.run("DELETE FROM papers")
    report = desk.embed()
    assert (report.embedded, report.reused) == (0, 0)
    assert desk.engine.query(desk.card).encode("words").shape == (24,)


def test_the_model_is_ready_for_queries_before_the_last_vector(desk: Desk) -> None:
    """Its export is made beside the first vectors, and used as soon as it is there."""
    shutil.rmtree(folder_of(desk.card))
    client = desk.engine.query(desk.card)
    client.close()
    seen: list[tuple[int, str]] = []

    def listen(event: Event) -> None:
        if event.kind == "progress":
            seen.append((event.value.done, client.state))  # type: ignore[attr-defined]
            while find_export(desk.card) is None and len(seen) > 1:
                time.sleep(0.05)

    desk.embed(listen)
    assert seen[0] == (0, "needs-export")
    assert any(done < PAPERS and state in ("starting", "ready") for done, state in seen)


def test_progress_tells_what_is_committed(desk: Desk) -> None:
    told: list[tuple[int, int]] = []

    def listen(event: Event) -> None:
        if event.kind == "progress":
            there = desk.vectors.count(desk.card.version)
            told.append((event.value.done, there))  # type: ignore[attr-defined]

    desk.embed(listen)
    assert all(said == there for said, there in told)
    assert [said for said, _there in told] == sorted(said for said, _there in told)
