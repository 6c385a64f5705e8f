from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from litscape.paper import Author, FileLink, PaperDraft, Reference
from litscape.papers import Papers
from litscape.store.bulk import (
    NewPaper,
    delete_papers,
    derived_columns,
    ensure_collections,
    ensure_tags,
    insert_citations,
    insert_papers,
    next_paper_id,
)
from litscape.store.citations import cited_by, cites_of, count_citations, edges
from litscape.store.integrity import check

if TYPE_CHECKING:
    from litscape.store.database import Database

AddPapers = Callable[..., list[int]]
WHOLE = PaperDraft(
    citekey="Heron2019",
    type="article",
    title="“Étude” of rivers",
    authors=(
        Author(family="Heron", given="Max", particle="van", suffix="Jr."),
        Author(literal="Pond Trust"),
    ),
    more_authors=True,
    year=2019,
    year_raw="2019/2020",
    month=3,
    month_raw="mar",
    day=4,
    venue="Journal of Water",
    publisher="Pond",
    volume="1",
    issue="2",
    pages="3-4",
    doi="10.5555/heron",
    arxiv="1903.00001",
    pmid="90000001",
    isbn="9780000000002",
    url="https://example.org",
    abstract="About rivers.",
    abstract_note="from a note",
    keywords=("water", "Models, Molecular", "water flow"),
    tags=("to read", "Alpha"),
    collections=(("Water", "Rivers"), ("Other",)),
    notes=("One.", "Two."),
    files=(FileLink("a.pdf", "A", "application/pdf", None, True), FileLink("b.pdf")),
    raw_fields={"langid": "english", "ü": "ß"},
    identifiers={"openalex": "W1", "issn": "1234-5678"},
    references=(Reference("raw", "10.5555/x", "Title", 1999, "s1", {"pages": "7"}), Reference()),
    fields=("Hydrology",),
    library="group:7",
    zotero_key="ABCD",
    citekey_original="Heron 2019",
    citekey_aliases=("heron19", "HERON"),
    missing_in_source=True,
)


def test_a_whole_draft_comes_back_as_it_was(database: Database, add: AddPapers) -> None:
    (paper_id,) = add(database, WHOLE)
    paper = Papers(database).get(paper_id)
    same = [name for name in PaperDraft.__slots__ if hasattr(paper, name)]
    different = {name for name in same if getattr(paper, name) != getattr(WHOLE, name)}
    # Sorted by name or by their own id, since their order is free.
    assert different == {"tags", "citekey_aliases", "collections"}
    assert sorted(paper.collections) == sorted(WHOLE.collections)
    assert paper.tags == ("Alpha", "to read")
    assert paper.citekey_aliases == ("HERON", "heron19")
    assert paper.added_at == paper.modified_at
    assert paper.added_at.endswith("Z")
    assert check(database) == []


def test_an_empty_draft_is_a_paper_too(database: Database, add: AddPapers) -> None:
    (paper_id,) = add(database, PaperDraft())
    paper = Papers(database).get(paper_id)
    assert paper.title is None
    assert paper.authors == ()
    assert paper.identifiers == {}
    assert check(database) == []


def test_papers_in_any_order_of_ids(database: Database) -> None:
    with database.write() as conn:
        insert_papers(
            conn, [NewPaper(n, f"k{n}", replace(WHOLE, zotero_key=str(n))) for n in (30, 10, 20)]
        )
        insert_papers(conn, [])
        assert next_paper_id(conn) == 31
    assert [paper.id for paper in Papers(database)] == [10, 20, 30]
    assert check(database) == []


def test_an_id_is_never_used_twice(database: Database, add: AddPapers) -> None:
    with database.read() as conn:
        assert next_paper_id(conn) == 1
    last = add(database, WHOLE, PaperDraft())[-1]
    with database.write() as conn:
        delete_papers(conn, [last])
        assert next_paper_id(conn) == last + 1


def test_a_taken_citekey_undoes_the_whole_write(database: Database, add: AddPapers) -> None:
    add(database, PaperDraft(citekey="same"))
    with pytest.raises(sa.exc.IntegrityError):
        add(database, PaperDraft(tags=("new",)), PaperDraft(citekey="same"))
    assert len(Papers(database)) == 1
    add(database, PaperDraft(citekey="Same"))  # exact case counts
    with database.read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM tags").scalar() == 0


def test_a_deleted_paper_takes_all_of_its_own_along(database: Database, add: AddPapers) -> None:
    one, two = add(database, WHOLE, replace(WHOLE, citekey="other"))
    with database.write() as conn:
        insert_citations(conn, [(one, two, "import"), (two, one, "import")])
        delete_papers(conn, [one])
        tables = conn.exec_driver_sql(
            "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p"
            " WHERE m.type = 'table' AND p.name IN ('paper_id', 'citing', 'cited')"
        ).all()
        assert len(tables) > 10
        for table, column in tables:
            assert (
                conn.exec_driver_sql(
                    f'SELECT count(*) FROM "{table}" WHERE {column} = ?', (one,)
                ).scalar()
                == 0
            ), table
    assert Papers(database).get(two).cites == ()
    assert Papers(database).get(two).title == WHOLE.title
    assert check(database) == []


def test_text_is_found_after_writing_and_not_after_deleting(
    database: Database, add: AddPapers
) -> None:
    def found(word: str) -> list[int]:
        with database.read() as conn:
            rows = conn.exec_driver_sql(
                "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?", (word,)
            )
            return list(rows.scalars())

    (paper_id,) = add(database, WHOLE)
    for word in ("etude", "rivers", "Heron", "pond", "journal", "molecular"):
        assert found(word) == [paper_id], word
    with database.write() as conn:
        delete_papers(conn, [paper_id])
    assert found("rivers") == []


def test_derived_columns() -> None:
    derived = derived_columns(WHOLE)
    assert derived.authors_text == "Max van Heron Jr.; Pond Trust"
    assert derived.sort_title == "etude” of rivers"
    assert derived.sort_authors == "heron max; pond trust"
    assert derived.keywords_text == "water; Models, Molecular; water flow"
    assert derived_columns(PaperDraft()) == ("", "", "", "")


def test_tags_and_collections_are_made_once(database: Database) -> None:
    with database.write() as conn:
        tags = ensure_tags(conn, ["b", "a", "b"])
        assert sorted(tags) == ["a", "b"]
        assert ensure_tags(conn, ["a"]) == {"a": tags["a"]}
        assert ensure_tags(conn, []) == {}
        made = ensure_collections(conn, [("A", "B"), ("B",)])
        assert sorted(made) == [("A",), ("A", "B"), ("B",)]
        assert len(set(made.values())) == 3
        again = ensure_collections(conn, [("A", "B", "C")])
        assert again[("A", "B")] == made[("A", "B")]


def test_citations_both_ways(database: Database, add: AddPapers) -> None:
    add(database, *(PaperDraft() for _ in range(4)))
    with database.write() as conn:
        insert_citations(conn, [(3, 1, "import"), (1, 2, "import"), (3, 2, "import")])
        insert_citations(conn, [(3, 1, "crossref"), (4, 1, "crossref")])
        insert_citations(conn, [])
    with database.read() as conn:
        assert cites_of(conn, [1, 2, 3]) == {1: (2,), 3: (1, 2)}
        assert cited_by(conn, [1, 2, 3]) == {1: (3, 4), 2: (1, 3)}
        assert edges(conn).tolist() == [[1, 2], [3, 1], [3, 2], [4, 1]]
        assert count_citations(conn) == 4
        sources = conn.exec_driver_sql(
            "SELECT source FROM citations WHERE citing = 3 AND cited = 1"
        )
        assert sources.scalar() == "import"
    assert Papers(database).get(3).cites == (1, 2)


def test_a_library_without_links_has_no_edges(database: Database) -> None:
    with database.read() as conn:
        assert edges(conn).shape == (0, 2)


def test_a_link_to_no_paper_is_refused(database: Database, add: AddPapers) -> None:
    add(database, PaperDraft())
    with pytest.raises(sa.exc.IntegrityError), database.write() as conn:
        insert_citations(conn, [(1, 99, "import")])
