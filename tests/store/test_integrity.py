from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from litscape.paper import Author, PaperDraft
from litscape.store.integrity import check, rebuild_text_index

if TYPE_CHECKING:
    from litscape.store.database import Database

AddPapers = Callable[..., list[int]]
DRAFTS = [
    PaperDraft(title="Rivers", authors=(Author("Heron", "Max"),), collections=(("A", "B"),)),
    PaperDraft(title="Lakes", abstract="water"),
]


@pytest.fixture
def filled(database: Database, add: AddPapers) -> Database:
    add(database, *DRAFTS)
    return database


def test_a_good_library_has_nothing_to_tell(filled: Database) -> None:
    assert check(filled) == []


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (
            "UPDATE papers SET raw_fields = '{' WHERE id = 1",
            "1 papers have source fields that can't be read.",
        ),
        (
            "UPDATE papers SET authors_text = '' WHERE id = 1",
            "1 papers have an author list that differs from their authors.",
        ),
        (
            "UPDATE papers SET title = 'Hills' WHERE id = 1",
            "1 papers are sorted by another title than they have.",
        ),
        (
            "INSERT INTO keywords VALUES (1, 0, 'late')",
            "1 papers are found by other keywords than they have.",
        ),
        (
            "UPDATE collections SET parent_id = id WHERE name = 'B'",
            "1 collections hang below themselves and can't be reached.",
        ),
    ],
)
def test_contradicting_rows_are_found(filled: Database, damage: str, sentence: str) -> None:
    with filled.write() as conn:
        conn.exec_driver_sql(damage)
    assert check(filled) == [sentence]


def test_rows_without_their_paper_are_found(filled: Database) -> None:
    connection = filled.connect(writable=True)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("DELETE FROM papers WHERE id = 1")
    connection.close()
    assert check(filled) == [
        "1 rows of authors belong to papers that are not there.",
        "1 rows of paper_collections belong to papers that are not there.",
    ]


def test_a_stale_text_index_is_found_and_rebuilt(filled: Database) -> None:
    with filled.write() as conn:
        conn.exec_driver_sql(
            "INSERT INTO papers_fts(papers_fts, rowid, title, abstract, authors_text, venue,"
            " keywords_text) VALUES ('delete', 2, 'Lakes', 'water', '', NULL, '')"
        )
    assert check(filled) == ["The text index differs from the papers; rebuild it."]
    rebuild_text_index(filled)
    assert check(filled) == []
    with filled.read() as conn:
        found = conn.exec_driver_sql("SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'water'")
        assert found.scalars().all() == [2]
