from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from litscape.errors import UserError
from litscape.paper import Author, PaperDraft, PaperFilter
from litscape.papers import Papers
from litscape.store.bulk import now
from litscape.store.database import Database
from litscape.store.papers import collection_paths, find_ids, get_rows, texts_for_embedding
from litscape.store.saved import SavedSearch, delete_saved, list_saved, next_saved_id, put_saved
from litscape_app.window.words import title_of

AddPapers = Callable[..., list[int]]


def trash(database: Database, *ids: int) -> None:
    with database.write() as conn:
        for paper in ids:
            conn.exec_driver_sql("UPDATE papers SET trashed_at = ? WHERE id = ?", (now(), paper))


def test_a_row_without_title_tells_how_its_abstract_begins(
    database: Database, add: AddPapers
) -> None:
    abstract = "A dam for small ponds " * 40
    ids = add(
        database,
        PaperDraft(citekey="US-1", abstract=abstract),
        PaperDraft(citekey="US-2", title="Weir", abstract=abstract),
        PaperDraft(citekey="US-3"),
    )
    rows = Papers(database).rows(ids)
    assert [row.opening for row in rows] == [abstract[:200], None, None]
    told = [title_of(row) for row in rows]
    assert told[0].startswith("A dam for small ponds A dam")
    assert told[0].endswith("…")
    assert told[1:] == ["Weir", "Untitled (US-3)"]


@pytest.fixture
def papers(database: Database, add: AddPapers) -> Papers:
    add(
        database,
        PaperDraft(
            citekey="b",
            title="The Zebra",
            authors=(Author("Ångström", "Å"), Author("Zorn", "Z")),
            year=2001,
            venue="Études",
            type="article",
            abstract="Stripes.",
            doi="10.5555/abc",
            tags=("x", "y"),
            collections=(("A", "B"),),
        ),
        PaperDraft(
            citekey="A",
            title="apes",
            authors=(Author("baker", "c"),),
            year=1990,
            venue="annals",
            type="book",
            collections=(("A",),),
            citekey_aliases=("old", "shared"),
        ),
        PaperDraft(citekey="c", authors=(Author("Cole"),), abstract="", tags=("x",)),
        PaperDraft(
            citekey="7",
            title="“Éclair” <i>9</i>",
            more_authors=True,
            authors=(Author("Adams"),),
            year_raw="in press",
            venue="Zeitschrift",
            citekey_aliases=("shared",),
        ),
        PaperDraft(citekey="gone", title="Trashed", year=2001, tags=("x",)),
    )
    trash(database, 5)
    return Papers(database)


@pytest.mark.parametrize(
    ("sort", "up", "down"),
    [
        ("title", [2, 4, 1, 3], [1, 4, 2, 3]),
        ("authors", [4, 1, 2, 3], [3, 2, 1, 4]),
        ("year", [2, 1, 3, 4], [1, 2, 3, 4]),
        ("venue", [2, 1, 4, 3], [4, 1, 2, 3]),
        ("added", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("citekey", [4, 2, 1, 3], [3, 1, 2, 4]),
        ("type", [1, 2, 3, 4], [2, 1, 3, 4]),
    ],
)
def test_sorting(papers: Papers, sort: str, up: list[int], down: list[int]) -> None:
    ids = papers.ids(sort=sort)
    assert ids.dtype == np.int64
    assert ids.tolist() == up
    assert papers.ids(sort=sort, descending=True).tolist() == down


@pytest.mark.parametrize(
    ("flt", "expected"),
    [
        (PaperFilter(), [1, 2, 3, 4]),
        (PaperFilter(trashed=True), [5]),
        (PaperFilter(tags=("x",)), [1, 3]),
        (PaperFilter(tags=("x", "y")), [1]),
        (PaperFilter(tags=("none",)), []),
        (PaperFilter(collection=1), [1, 2]),
        (PaperFilter(collection=1, with_subcollections=False), [2]),
        (PaperFilter(collection=2), [1]),
        (PaperFilter(year_from=1991), [1]),
        (PaperFilter(year_to=1990), [2]),
        (PaperFilter(year_from=1990, year_to=2001), [1, 2]),
        (PaperFilter(types=("book", "article")), [1, 2]),
        (PaperFilter(has_abstract=True), [1]),
        (PaperFilter(has_abstract=False), [2, 3, 4]),
        (PaperFilter(ids=frozenset({4, 1, 5, 99})), [1, 4]),
        (PaperFilter(ids=frozenset()), []),
        (PaperFilter(terms=(("title", "ZEBRA"),)), [1]),
        (PaperFilter(terms=(("title", "eclair"),)), [4]),
        (PaperFilter(terms=(("title", "“Éclair"),)), [4]),
        (PaperFilter(terms=(("authors", "angstrom å"),)), [1]),
        (PaperFilter(terms=(("venue", "etud"),)), [1]),
        (PaperFilter(terms=(("any", "zeit"),)), [4]),
        (PaperFilter(terms=(("any", "e"), ("any", "a"))), [1, 2, 4]),
        (PaperFilter(terms=(("any", "%"),)), []),
        (PaperFilter(terms=(("any", "GONE"),), trashed=True), [5]),
        (PaperFilter(batch=3), []),
    ],
)
def test_filtering(papers: Papers, flt: PaperFilter, expected: list[int]) -> None:
    assert sorted(papers.ids(flt, sort="title").tolist()) == expected
    assert papers.count(flt) == len(expected)


def test_filtering_by_import(papers: Papers, database: Database) -> None:
    with database.write() as conn:
        conn.exec_driver_sql("INSERT INTO batches(id, started_at) VALUES (3, '')")
        conn.exec_driver_sql("INSERT INTO batch_papers VALUES (3, 2, 'added'), (3, 5, 'added')")
    assert papers.ids(PaperFilter(batch=3)).tolist() == [2]


def test_more_ids_than_a_statement_has_parameters(papers: Papers) -> None:
    many = PaperFilter(ids=frozenset(range(2, 100_000)))
    assert papers.ids(many).tolist() == [2, 3, 4]
    assert len(papers.many(range(2000))) == 5


def test_unknown_keys_are_the_users_mistake(papers: Papers) -> None:
    with pytest.raises(UserError, match="sorted by 'colour'; use one of title, authors"):
        papers.ids(sort="colour")
    with pytest.raises(UserError, match="filtered by 'colour'"):
        papers.ids(PaperFilter(terms=(("colour", "x"),)))


def test_the_list_is_answered_from_its_index(papers: Papers, database: Database) -> None:
    flt = PaperFilter(year_from=1900, types=("book",), terms=(("any", "x"), ("title", "y")))
    for sort in ("title", "authors", "year", "venue", "added", "citekey", "type"):
        with database.read() as conn:
            asked: list[tuple[Any, ...]] = []

            @sa.event.listens_for(conn, "before_cursor_execute")
            def note(_conn: sa.Connection, _cursor: object, *statement: Any) -> None:
                asked.append(statement)  # noqa: B023 - used up within this turn

            find_ids(conn, flt, sort)
            sa.event.remove(conn, "before_cursor_execute", note)
            sql, values = asked[-1][:2]
            plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all()
            assert "SCAN papers USING COVERING INDEX papers_list" in str(plan), sort


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        (1, 1),
        ("1", 1),
        ("7", 4),
        (7, None),
        ("A", 2),
        ("a", None),
        ("old", 2),
        ("id:1", 1),
        ("id:7", None),
        ("key:7", 4),
        ("key:b", 1),
        ("key:old", 2),
        ("key:1", None),
        ("DOI:10.5555/ABC", 1),
        ("01", None),
        ("10.5555/ABC", 1),
        ("https://doi.org/10.5555/abc", 1),
        ("doi:10.5555/abc", 1),
        ("10.5555/other", None),
        ("", None),
        ("9" * 40, None),
        ("gone", 5),
    ],
)
def test_references_to_papers(papers: Papers, ref: int | str, expected: int | None) -> None:
    assert papers.resolve(ref) == expected


def test_what_could_be_two_papers_is_refused(
    papers: Papers, add: AddPapers, database: Database
) -> None:
    add(
        database,
        PaperDraft(citekey="2", title="Two"),
        PaperDraft(citekey="x1", citekey_aliases=("3",)),
    )
    with pytest.raises(UserError, match="say key:2 or id:2"):
        papers.resolve("2")
    with pytest.raises(UserError, match="say key:3 or id:3"):
        papers.get("3")
    assert papers.get("key:2").title == "Two"
    assert papers.get("id:2").citekey == "A"
    assert papers.get(2).citekey == "A"
    with pytest.raises(UserError, match=r"shared is a former citation key .* id:2 or id:4"):
        papers.resolve("shared")


def test_a_key_that_looks_like_another_way_of_naming(
    papers: Papers, add: AddPapers, database: Database
) -> None:
    (paper,) = add(database, PaperDraft(citekey="id:99"))
    assert papers.resolve("id:99") == paper
    assert papers.resolve("key:id:99") == paper


def test_a_live_paper_is_meant_before_one_in_the_trash(
    papers: Papers, database: Database, add: AddPapers
) -> None:
    (new,) = add(database, PaperDraft(doi="10.5555/abc"))
    trash(database, 1)
    assert papers.resolve("10.5555/abc") == new


def test_getting_papers(papers: Papers) -> None:
    assert papers.get("gone").trashed_at is not None
    with pytest.raises(UserError, match="No paper of this library has the id, citekey or DOI 'zz'"):
        papers.get("zz")
    assert [paper.id for paper in papers.many([4, 99, 1, 4])] == [4, 1, 4]
    assert [paper.id for paper in papers] == [1, 2, 3, 4]
    assert len(papers) == 4


def test_table_rows(papers: Papers) -> None:
    four, one = papers.rows(np.array([4, 99, 1]))
    assert (four.id, one.id) == (4, 1)
    assert one.authors == "Å Ångström; Z Zorn"
    assert one.tags == ("x", "y")
    assert one.collections == ("B",)
    assert one.has_abstract
    assert four.authors == "Adams; et al."
    assert not four.has_abstract
    assert four.year_raw == "in press"


def test_reading_a_page_of_rows_touches_only_that_page(papers: Papers, database: Database) -> None:
    with database.read() as conn:
        assert get_rows(conn, []) == []
        plan = conn.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT id, title FROM papers"
            " WHERE id IN (SELECT value FROM json_each('[1]'))"
        ).all()
    assert "SEARCH papers USING INTEGER PRIMARY KEY" in str(plan)


def test_texts_for_embedding(papers: Papers, database: Database) -> None:
    with database.read() as conn:
        assert list(texts_for_embedding(conn))[:2] == [
            (1, "The Zebra", "Stripes."),
            (2, "apes", None),
        ]
        assert [row[0] for row in texts_for_embedding(conn)] == [1, 2, 3, 4]
        assert [row[0] for row in texts_for_embedding(conn, [5, 4, 2])] == [2, 4]


def test_paths_of_collections(papers: Papers, database: Database) -> None:
    with database.read() as conn:
        assert collection_paths(conn) == {1: ("A",), 2: ("A", "B")}


def test_saved_searches(database: Database) -> None:
    with database.write() as conn:
        assert list_saved(conn) == ()
        first = SavedSearch(next_saved_id(conn), "éa", "rivers year:2019", "hybrid")
        put_saved(conn, first)
        second = SavedSearch(next_saved_id(conn), "Eb", "lakes", "lexical")
        put_saved(conn, second)
        assert list_saved(conn) == (first, second)
        renamed = SavedSearch(first.id, "z", "rivers", "lexical")
        put_saved(conn, renamed)
        assert list_saved(conn) == (second, renamed)
        delete_saved(conn, second.id)
        delete_saved(conn, 99)
        assert list_saved(conn) == (renamed,)


def test_papers_are_named_by_whole_numbers_and_texts_of_any_kind_or_not_at_all(
    database: Database, papers: Papers
) -> None:
    (first, *_) = papers.ids()
    assert papers.get(first).id == first  # type: ignore[arg-type]  # NumPy's
    for size in (10**30, -(10**30), 1 << 63):
        with pytest.raises(UserError, match="No paper of this library"):
            papers.get(size)
    for ref in (None, 2.5, b"A"):
        with pytest.raises(UserError, match="A paper is named by"):
            papers.get(ref)  # type: ignore[arg-type]
    for flt in (PaperFilter(year_from=10**30), PaperFilter(collection=1 << 63)):
        with pytest.raises(UserError, match="A number is too large"):
            papers.ids(flt)
    assert papers.many([10**30]) == []
    with pytest.raises(OverflowError), database.read():
        raise OverflowError("math range error")


def test_a_count_that_is_kept_is_of_now(database: Database, add: AddPapers) -> None:
    papers = Papers(database)
    add(database, PaperDraft(title="One", year=2001))
    assert (papers.count(), papers.count(), papers.count(PaperFilter(year_from=2002))) == (1, 1, 0)
    with Database.open(database.folder) as other:
        add(other, PaperDraft(title="Two", year=2002))
    assert (papers.count(), papers.count(PaperFilter(year_from=2002))) == (2, 1)
