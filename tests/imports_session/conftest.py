from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from litscape.edits import Editor
from litscape.history import History
from litscape.importers.opened import RecordsAtHand
from litscape.importers.session import Imports
from litscape.paper import Author, PaperDraft
from litscape.papers import Papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from litscape.paper import ImportProblem, ImportReport, Paper

HIDDEN = {
    "changes",
    "change_items",
    "sqlite_sequence",
    "leases",
    "link_changes",
    "batches",
    "import_issues",
}
TIMES = ("modified_at", "last_read_at")
State = dict[str, list[tuple[Any, ...]]]


@dataclass
class World:
    """A library with its services, and shorthands for the tests."""

    database: Database
    folder: Path
    papers: Papers
    edit: Editor
    history: History
    imports: Imports

    def bib(self, *entries: str, name: str = "refs.bib") -> ImportReport:
        """Write a .bib file and import it."""
        file = self.folder / name
        file.write_text("\n".join(entries), "utf-8")
        return self.imports.run([file])

    def drafts(self, *found: PaperDraft | ImportProblem, source: str = "list") -> ImportReport:
        """Import records as a source that is known by its name."""
        return self.imports.run_open([RecordsAtHand(source, "list", found)])

    def all(self) -> list[Paper]:
        return list(self.papers)

    def keys(self) -> list[str]:
        return [paper.citekey for paper in self.papers]

    def count(self, table: str) -> int:
        with self.database.read() as conn:
            sql = f'SELECT count(*) FROM "{table}"'
            return int(conn.exec_driver_sql(sql).scalar_one())

    def state(self) -> State:
        """Every row of every table but those that tell of the past; times are left out."""
        with self.database.read() as conn:
            names = conn.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
                " AND name NOT LIKE 'papers_fts%'"
            ).scalars()
            tables = [name for name in names if name not in HIDDEN]
            found: State = {}
            for table in tables:
                # When and how a source was read last tells of the past as well.
                where = " WHERE key NOT LIKE 'watch.read.%'" if table == "settings" else ""
                result = conn.exec_driver_sql(f'SELECT * FROM "{table}"{where}')
                times = [
                    n for n, c in enumerate(result.keys()) if c in ("modified_at", "last_read_at")
                ]
                rows = [tuple(v for n, v in enumerate(row) if n not in times) for row in result]
                found[table] = sorted(rows, key=repr)
            return found


def counts(report: ImportReport) -> tuple[int, int, int, int, int]:
    """added, updated, merged, unchanged, skipped; their sum is checked."""
    found = (report.added, report.updated, report.merged, report.unchanged, report.skipped)
    assert report.records == sum(found)
    return found


@pytest.fixture(name="counts")
def counts_function() -> Callable[[ImportReport], tuple[int, int, int, int, int]]:
    return counts


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    folder = tmp_path / "sources"
    folder.mkdir()
    with Database.open(tmp_path / "library") as database:
        yield World(
            database,
            folder,
            Papers(database),
            Editor(database),
            History(database),
            Imports(database),
        )


def _entry(key: str, title: str = "", **fields: str) -> str:
    parts = {"author": "Owl, Amy", "title": title or f"Paper {key}", "year": "2010", **fields}
    inner = ", ".join(f"{name} = {{{value}}}" for name, value in parts.items() if value)
    return f"@article{{{key}, {inner}}}"


@pytest.fixture
def entry() -> Callable[..., str]:
    """A function that writes a BibTeX entry."""
    return _entry


def _draft(title: str | None = None, family: str | None = "Owl", **fields: Any) -> PaperDraft:
    authors = (Author(family, "Amy"),) if family else ()
    return PaperDraft(title=title, **{"authors": authors, "year": 2010, **fields})


@pytest.fixture
def draft() -> Callable[..., PaperDraft]:
    """A function that makes a draft."""
    return _draft


def codes(found: Iterable[ImportProblem]) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in found]


@pytest.fixture(name="codes")
def codes_function() -> Callable[[Iterable[ImportProblem]], list[tuple[str, str]]]:
    return codes
