"""The counts of facets against plain SQL, over random libraries with names in many spellings."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.facets.index import FacetIndex, build, key_of
from litscape.paper import Author, PaperDraft, PaperFilter
from litscape.store import bulk
from litscape.store.database import Database
from litscape.store.facets import PAIRS, source_names
from litscape.store.papers import find_ids

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import sqlalchemy as sa

VENUES = (
    "Nature", "NATURE", " nature ", "Nature  Physics", "nature physics", "Straße", "STRASSE",
    "Erdős Reports", "erdős reports", "Erdos Reports", "会议 录", "a \x1f b", "?!", None,
)  # fmt: skip
PEOPLE = (
    Author("Smith", "J."), Author("smith", "J"), Author("Smith", "John"), Author("Smith", "Jane"),
    Author("Berg", "Jan", "van den"), Author("King", "M. L.", suffix="Jr."), Author("Plato"),
    Author(given="Only"), Author(literal="World Health  Organization"), Author(literal="Smith, J."),
    Author("Erdős", "Pál"), Author("Erdos", "Pal"), Author("王", "小明"), Author(literal="…"),
)  # fmt: skip
SOURCES = ("/a/refs.bib", "/b/refs.bib", "/x/more.ris", "C:\\lib\\old.nbib", "zotero:http://h:1")
COUNTED = {
    "year": "SELECT CAST(year AS TEXT) v, id p FROM papers",
    "venue": "SELECT same_value(venue) v, id p FROM papers",
    "author": (
        "SELECT same_value(replace(trim(CASE WHEN literal IS NOT NULL THEN literal WHEN given IS"
        " NULL THEN family WHEN family IS NULL THEN given WHEN suffix IS NOT NULL THEN family ||"
        " ', ' || given || ', ' || suffix WHEN particle IS NOT NULL THEN particle || ' ' || family"
        " || ', ' || given ELSE family || ', ' || given END), '.', ' ')) v, paper_id p FROM authors"
    ),
    "keyword": "SELECT same_value(term) v, paper_id p FROM keywords",
    "tag": "SELECT name v, paper_id p FROM paper_tags JOIN tags ON id = tag_id",
    "type": "SELECT lower(type) v, id p FROM papers",
    "rating": "SELECT rating v, paper_id p FROM reading",
    "read": "SELECT ifnull((SELECT read_state FROM reading WHERE paper_id = id), 'unread') v, id p"
    " FROM papers",
}


def fill(database: Database, seed: int) -> None:
    rng = random.Random(seed)
    drafts = []
    for n in range(1, 151):
        known = rng.random() < 0.9
        draft = PaperDraft(
            title=f"Paper {n}",
            year=rng.choice((None, 1999, 2003, 2004, 2004)),
            venue=rng.choice(VENUES),
            type=rng.choice(("article", "Article", "book", None)),
            authors=tuple(rng.choices(PEOPLE, k=rng.randrange(4))) if known else (),
            keywords=tuple(rng.sample(("Deep  Learning", "deep learning", "CNN", "ÉTÉ"), k=2)),
            tags=tuple(rng.sample(("to read", "To read", "x"), k=rng.randrange(3))),
            collections=tuple(
                rng.sample((("A",), ("A", "B"), ("A", "B", "C"), ("B",)), k=rng.randrange(3))
            ),
        )
        drafts.append(bulk.NewPaper(7 * n, f"k{n}", draft))
    with database.write() as conn:
        bulk.insert_papers(conn, drafts)
        for n, location in enumerate(SOURCES, start=1):
            conn.exec_driver_sql(
                "INSERT INTO sources(id, location, kind) VALUES (?, ?, 'x')", (n, location)
            )
        for n in range(300):
            paper = 7 * rng.randint(1, 150)
            conn.exec_driver_sql(
                "INSERT INTO records(source_id, record_key, paper_id, hash) VALUES (?, ?, ?, x'')",
                (rng.randint(1, len(SOURCES)), f"r{n}", paper),
            )
        for n in rng.sample(range(1, 151), 40):
            conn.exec_driver_sql(
                "INSERT INTO reading(paper_id, read_state, rating) VALUES (?, ?, ?)",
                (7 * n, rng.choice(("read", "reading", None)), rng.choice((None, 1, 5))),
            )
        conn.exec_driver_sql("UPDATE papers SET trashed_at = 'x' WHERE id % 5 = 0")


@pytest.fixture(params=(1, 2, 3), scope="module")
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, FacetIndex]]:
    folder: Path = tmp_path_factory.mktemp("facets")
    with Database.open(folder) as database:
        fill(database, request.param)
        with database.read() as conn:
            index = build(conn, 1)
        yield database, index


def results(index: FacetIndex, seed: int) -> Iterator[list[int]]:
    """Results of all sizes: everything, nothing, and some, one with ids that are not there."""
    rng = np.random.default_rng(seed)
    yield index.ids.tolist()
    yield []
    yield [7, 8, 10**9, -1]
    for size in (1, 2, 20, 140):
        yield rng.choice(index.ids, size, replace=False).tolist()


@pytest.mark.parametrize("facet", sorted(COUNTED))
def test_counts_are_those_of_sql(library: tuple[Database, FacetIndex], facet: str) -> None:
    database, index = library
    for ids in results(index, 20):
        with database.read() as conn:
            expected = grouped(conn, COUNTED[facet], ids)
        assert counted(index, facet, ids) == expected


def grouped(conn: sa.Connection, pairs: str, ids: list[int]) -> dict[str, int]:
    rows = conn.exec_driver_sql(
        f"SELECT v, count(DISTINCT p) FROM ({pairs}) WHERE v <> ''"
        " AND p IN (SELECT value FROM json_each(?)) GROUP BY v",
        (str(ids),),
    )
    return {str(value): number for value, number in rows}


def counted(index: FacetIndex, facet: str, ids: list[int]) -> dict[str, int]:
    part = index.facets[facet]
    numbers = part.counts(index.mask(ids)).tolist()
    return {
        key_of(facet, part.label(code)): number for code, number in enumerate(numbers) if number
    }


def test_a_collection_counts_what_is_below_it(library: tuple[Database, FacetIndex]) -> None:
    database, index = library
    with database.read() as conn:
        nodes = conn.exec_driver_sql("SELECT id, name, parent_id FROM collections").all()
        expected = {}
        for path in ("A", "A/B", "A/B/C", "B"):
            node = None
            for name in path.split("/"):
                node = next(one[0] for one in nodes if (one[1], one[2]) == (name, node))
            found = find_ids(conn, PaperFilter(collection=node))
            trashed = find_ids(conn, PaperFilter(collection=node, trashed=True))
            expected[path] = len(found) + len(trashed)
    assert counted(index, "collection", index.ids.tolist()) == expected


@pytest.mark.parametrize("facet", ["venue", "author", "keyword", "source"])
def test_a_filter_passes_what_its_facet_counts(
    library: tuple[Database, FacetIndex], facet: str
) -> None:
    database, index = library
    part = index.facets[facet]
    numbers = part.counts(index.live)
    with database.read() as conn:
        for code in range(len(part)):
            value = part.label(code)
            flt = PaperFilter(**{f"{facet}s": (value,)})  # type: ignore[arg-type]
            found = find_ids(conn, flt)
            assert part.code(value) == code
            assert len(found) == numbers[code], value
            mask = part.having([value], len(index)) & index.live
            assert index.ids[mask].tolist() == sorted(found)


def test_spellings_of_one_name_are_one_and_other_people_are_not(
    library: tuple[Database, FacetIndex],
) -> None:
    _, index = library
    names = {index.facets["author"].label(code) for code in range(len(index.facets["author"]))}
    assert {"Smith, John", "Smith, Jane", "Erdős, Pál", "Erdos, Pal"} <= names
    assert len(names & {"Smith, J.", "smith, J"}) == 1
    venues = {key_of("venue", one) for one in VENUES if one}
    assert len(index.facets["venue"]) == len(venues)


def test_a_text_finds_the_values_it_stands_in(library: tuple[Database, FacetIndex]) -> None:
    _, index = library
    part = index.facets["author"]
    for typed, pattern in (
        ("ERDOS", ("rdős", "rdos")),
        ("j smi", ("mith, J",)),
        ("smith, john", ("Smith, John",)),
        ("zz", ()),
        ("", ("",)),
    ):
        found = {part.label(int(code)) for code in part.containing(typed)}
        names = {part.label(code) for code in range(len(part))}
        assert found == {name for name in names if any(one in name for one in pattern)}


def test_sources_are_told_apart_by_as_much_of_their_path_as_it_takes() -> None:
    assert source_names(list(SOURCES)) == ["a/refs.bib", "b/refs.bib", "more.ris", "old.nbib",
                                           "Zotero"]  # fmt: skip
    assert source_names(["/x/refs.bib", "/y/x/refs.bib"]) == ["/x/refs.bib", "y/x/refs.bib"]


def test_an_empty_library_has_facets_without_values(tmp_path: Path) -> None:
    with Database.open(tmp_path) as database, database.read() as conn:
        index = build(conn, 1)
    assert set(index.facets) == set(PAIRS)
    assert all(len(part) == 0 for part in index.facets.values())
    assert not index.mask([1, 2]).any()
