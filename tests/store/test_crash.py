"""A writer killed at any moment leaves a good library with everything it had committed."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from litscape.papers import Papers
from litscape.store.citations import count_citations
from litscape.store.database import Database
from litscape.store.integrity import check
from litscape.store.places import FILE, backups, log_of

if TYPE_CHECKING:
    from pathlib import Path

WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from litscape.paper import Author, PaperDraft
from litscape.store.backup import backup
from litscape.store.bulk import NewPaper, insert_citations, insert_papers, next_paper_id
from litscape.store.database import Database

with Database.open(Path(sys.argv[1])) as database:
    for turn in range(100_000):
        with database.write() as conn:
            first = next_paper_id(conn)
            insert_papers(conn, [
                NewPaper(n, f"k{n}", PaperDraft(
                    title=f"Title {n}", authors=(Author(f"Family{n}", "Given"),) * 3,
                    abstract=f"word{n} " * 150, tags=(f"t{n % 7}",), keywords=("a", "b")))
                for n in range(first, first + 50)
            ])
            insert_citations(
                conn, [(n, 1 + n * 7919 % first, "") for n in range(first, first + 50)])
        print(first + 49, flush=True)
        if turn % 20 == 19:
            backup(database)
"""
KILLS = 10


def kill_a_writer(folder: Path, seconds: float) -> int:
    """Run a writer, kill it some time after its first commit; the last paper it reported."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_UNTIL_KILLED, str(folder)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        reported = [int(writer.stdout.readline())]
        timer = threading.Timer(seconds, writer.kill)
        timer.start()
        reported += [int(line) for line in writer.stdout if line.endswith("\n")]
        timer.join()
    assert writer.returncode != 0
    return reported[-1]


def test_kill_9_at_random_moments(tmp_path: Path) -> None:
    moments = random.Random(11)
    logs_left = 0
    for _ in range(KILLS):
        last = kill_a_writer(tmp_path, moments.uniform(0.0, 0.5))
        logs_left += log_of(tmp_path / FILE).exists()
        with Database.open(tmp_path, create=False) as database:
            assert check(database) == []
            papers = len(Papers(database))
            assert papers >= last
            assert papers % 50 == 0
            with database.read() as conn:
                assert count_citations(conn) == papers
    assert logs_left > 0  # else the kills came at no interesting moment
    for path in backups(tmp_path):
        assert path.stat().st_size > 0
    assert not list(tmp_path.glob("*.part"))
