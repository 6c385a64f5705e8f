"""A real library in a temporary folder, filled with a few papers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.store.bulk import NewPaper, insert_papers, next_paper_id
from litscape.store.database import Database

if TYPE_CHECKING:
    from litscape.paper import PaperDraft

AddPapers = Callable[..., list[int]]
NOBODY = 65534


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def add() -> AddPapers:
    """``add(database, draft, …)`` stores drafts and gives their ids; keys are p<id> by default."""

    def add(database: Database, *drafts: PaperDraft) -> list[int]:
        with database.write() as conn:
            first = next_paper_id(conn)
            papers = [
                NewPaper(first + n, draft.citekey or f"p{first + n}", draft)
                for n, draft in enumerate(drafts)
            ]
            insert_papers(conn, papers)
        return [paper.id for paper in papers]

    return add


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user may reach (pytest's own are private)."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    yield place
    for path in [place, *place.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(place)


@pytest.fixture
def without_privileges() -> Callable[[], AbstractContextManager[None]]:
    """A context in which file permissions count even when the tests run as root."""

    @contextmanager
    def context() -> Iterator[None]:
        if os.name != "posix" or os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return context
