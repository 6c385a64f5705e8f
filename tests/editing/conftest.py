from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.edits import Editor
from litscape.history import History
from litscape.paper import Author, FileLink, PaperDraft, Reference
from litscape.papers import Papers
from litscape.store.bulk import NewPaper, insert_citations, insert_papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HIDDEN = {"changes", "change_items", "sqlite_sequence", "leases", "link_changes"}
State = dict[str, list[tuple[Any, ...]]]


def _state(database: Database) -> State:
    """Every row of every table but the history's own; times of change are left out."""
    with database.read() as conn:
        names = conn.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'papers_fts%'"
        ).scalars()
        tables = [name for name in names if name not in HIDDEN]
        found: State = {}
        for table in tables:
            result = conn.exec_driver_sql(f'SELECT * FROM "{table}"')
            columns = list(result.keys())
            place = columns.index("modified_at") if "modified_at" in columns else None
            rows = [tuple(row) for row in result]
            found[table] = sorted(
                (row if place is None else row[:place] + row[place + 1 :] for row in rows), key=repr
            )
        return found


@pytest.fixture
def state() -> Callable[[Database], State]:
    """A function that gives all rows of a library."""
    return _state


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def editor(database: Database) -> Editor:
    return Editor(database)


@pytest.fixture
def history(database: Database) -> History:
    return History(database)


@pytest.fixture
def papers(database: Database) -> Papers:
    return Papers(database)


FULL = PaperDraft(
    citekey="owl2010",
    citekey_original="owl2010",
    citekey_aliases=("old",),
    type="article",
    title="Night flights of owls",
    authors=(Author("Owl", "Amy", "van", "Jr."), Author(literal="Mud Consortium")),
    year=2010,
    month=3,
    month_raw="mar",
    venue="Journal of Night",
    publisher="Harbour Press",
    volume="4",
    issue="2",
    pages="1-9",
    doi="10.5555/night.1",
    arxiv="1903.00001",
    pmid="90000001",
    isbn="9780000000002",
    url="https://example.org/night",
    abstract="Owls fly at night.",
    keywords=("owls", "night"),
    tags=("birds",),
    collections=(("Water", "Rivers"),),
    notes=("Read this.", "Twice."),
    files=(FileLink("night.pdf", "Full text", "application/pdf", None, True),),
    raw_fields={"shelf": "B 12", "howpublished": "paper"},
    identifiers={"openalex": "W1"},
    references=(Reference(raw="Reed 1999", year=1999), Reference(doi="10.5555/gone")),
    fields=("Zoology",),
    read_state="read",
    read_at="2026-01-02T03:04:05Z",
    rating=4,
    colour="green",
    list_position=1.0,
)


@pytest.fixture
def filled(database: Database) -> Database:
    """Three papers: 1 has everything and cites 2, which 3 cites as well."""
    with database.write() as conn:
        insert_papers(
            conn,
            [
                NewPaper(1, "owl2010", FULL),
                NewPaper(2, "reed2011", PaperDraft(title="Reeds", year=2011, tags=("birds",))),
                NewPaper(3, "teal2012", PaperDraft(title="Teals", collections=(("Water",),))),
            ],
        )
        insert_citations(conn, [(1, 2, "crossref"), (3, 2, "import")])
        conn.exec_driver_sql("INSERT INTO user_edits(paper_id, field) VALUES (1, 'venue')")
        conn.exec_driver_sql(
            "INSERT INTO sources(id, location, kind) VALUES (1, '/here/a.bib', 'bibtex')"
        )
        conn.exec_driver_sql(
            "INSERT INTO records(source_id, record_key, paper_id, hash, raw)"
            " VALUES (1, 'owl2010', 1, x'0102', 'raw text'), (1, 'reed2011', 2, x'03', x'78')"
        )
    return database
