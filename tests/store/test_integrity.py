from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from litscape.paper import Author, PaperDraft
from litscape.store.integrity import check
from litscape.store.papers import get_papers
from litscape.store.repair import repair

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
            "1 paper has source fields that can't be read.",
        ),
        (
            "UPDATE papers SET authors_text = '' WHERE id = 1",
            "1 paper has an author list that differs from its authors.",
        ),
        (
            "UPDATE papers SET title = 'Hills' WHERE id = 1",
            "1 paper is sorted by another title than it has.",
        ),
        (
            "INSERT INTO keywords VALUES (1, 0, 'late')",
            "1 paper is found by other keywords than it has.",
        ),
        (
            "UPDATE collections SET parent_id = id WHERE name = 'B'",
            "1 collection hangs below itself and can't be reached.",
        ),
    ],
)
def test_contradicting_rows_are_found(filled: Database, damage: str, sentence: str) -> None:
    with filled.write() as conn:
        conn.exec_driver_sql(damage)
    assert check(filled) == [sentence]
    assert len(repair(filled)) == 2
    assert check(filled) == []


def test_repair_keeps_what_can_be_kept(filled: Database, add: AddPapers) -> None:
    assert repair(filled) == []
    with filled.write() as conn:
        conn.exec_driver_sql("UPDATE papers SET raw_fields = '{half' WHERE id = 1")
        conn.exec_driver_sql("UPDATE collections SET parent_id = id WHERE name = 'B'")
        conn.exec_driver_sql("INSERT INTO collections(name) VALUES ('B')")
        conn.exec_driver_sql("UPDATE papers SET title = 'Hills' WHERE id = 2")
    assert repair(filled) == [
        "The source fields of 1 paper are kept as one text.",
        "The collection B is at the top now.",
        "1 paper is sorted and found by what it has again.",
        "The text index was made anew.",
    ]
    with filled.read() as conn:
        first, second = get_papers(conn, [1, 2])
        found = conn.exec_driver_sql("SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'hills'")
        assert found.scalars().all() == [2]
    assert first.raw_fields == {"unreadable": "{half"}
    assert first.collections == (("B (2)",),)
    assert first.title == "Rivers"
    assert second.title == "Hills"


def test_rows_without_their_paper_are_found(filled: Database) -> None:
    connection = filled.connect(writable=True)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("DELETE FROM papers WHERE id = 1")
    connection.close()
    assert check(filled) == [
        "1 row of authors belongs to papers that are not there.",
        "1 row of paper_collections belongs to papers that are not there.",
    ]
    assert repair(filled) == [
        "1 row of authors was removed: the papers it belongs to are not there.",
        "1 row of paper_collections was removed: the papers it belongs to are not there.",
        "The text index was made anew.",
    ]
    assert check(filled) == []
    with filled.read() as conn:
        assert conn.exec_driver_sql("SELECT id FROM papers").scalars().all() == [2]


def test_a_stale_text_index_is_found_and_rebuilt(filled: Database) -> None:
    with filled.write() as conn:
        conn.exec_driver_sql(
            "INSERT INTO papers_fts(papers_fts, rowid, title, abstract, authors_text, venue,"
            " keywords_text) VALUES ('delete', 2, 'Lakes', 'water', '', NULL, '')"
        )
    assert check(filled) == ["The text index differs from the papers."]
    assert repair(filled) == ["The text index was made anew."]
    assert check(filled) == []
    with filled.read() as conn:
        found = conn.exec_driver_sql("SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'water'")
        assert found.scalars().all() == [2]
