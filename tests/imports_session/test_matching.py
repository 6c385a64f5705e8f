"""Which records are one work: the rules by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from litscape.importers.matching import (
    brief_of,
    key_reused,
    made_key,
    maybe_one,
    numbers,
    one_by_identifier,
    one_by_isbn,
    one_by_key,
    titles_agree,
    twins,
)
from litscape.paper import Author, PaperDraft


def brief(title: str | None = "A title of some length", *people: str, **fields: Any) -> Any:
    authors = tuple(Author(name, "A.") for name in people)
    return brief_of(PaperDraft(title=title, authors=authors, **fields), 1)


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Mud, part II", {"2"}),
        ("Mud, Part 2", {"2"}),
        ("Mud. Part two", {"2"}),
        ("Mud IV", {"4"}),
        ("Mud I", {"1"}),
        ("I saw mud", set()),
        ("Vitamin C and mud", set()),
        ("Report 2010", {"2010"}),
        ("Report 007", {"7"}),
        ("The 3rd workshop on mud", {"3"}),
        ("Our system at MUD2012", {"2012"}),
        ("Traces of CO2 in mud", set()),
        ("Mix and civil mud", set()),
    ],
)
def test_numbers_in_titles(title: str, found: set[str]) -> None:
    assert numbers(title) == found


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("Mud and water", "MUD AND WATER.", True),
        ("Mud and water", "Mud and water: a study of rivers", True),
        ("Mud and water in rivers", "Mud and watr in rivers", True),
        ("First paper on mud", "First paper on mud (revised title)", True),
        ("Mud and water, part I", "Mud and water, part II", False),
        ("Mud and water", "Mud and water, part II", False),
        ("Mud and water", "Flights of owls", False),
        ("Mud and water", None, True),
        ("Über Schlamm", "Uber Schlamm", True),
    ],
)
def test_titles(one: str, other: str | None, agree: bool) -> None:
    assert titles_agree(brief(one), brief(other)) is agree
    assert titles_agree(brief(other), brief(one)) is agree


def test_an_identifier_joins_only_what_else_agrees() -> None:
    doi = {"doi": "10.5555/a"}
    mine = brief("Mud and water", "Owl", **doi)
    assert one_by_identifier(mine, brief("Mud and water: a study", "Owl", **doi))
    assert one_by_identifier(mine, brief(None, **doi))
    assert not one_by_identifier(mine, brief("Flights of owls", "Owl", **doi))
    assert not one_by_identifier(mine, brief("Mud and water", "Teal", **doi))
    assert not one_by_identifier(mine, brief("Mud and water", "Owl", doi="10.5555/b"))
    book, part = brief("Mud", "Owl", type="book"), brief("Mud", "Owl", type="chapter")
    assert not one_by_identifier(book, part)


def test_two_dois_are_never_one() -> None:
    pair = brief("Mud", "Owl", doi="10.5555/a"), brief("Mud", "Owl", doi="10.5555/b")
    assert not one_by_key(*pair)
    assert not twins(*pair)
    assert maybe_one(*pair)


def test_isbn_joins_books_not_their_chapters() -> None:
    same = {"isbn": "9780000000002"}
    book = brief("Mud", "Owl", type="book", year=1999, **same)
    assert one_by_isbn(book, brief("Mud", "Owl", type="book", year=1999, **same))
    assert not one_by_isbn(book, brief("Mud", "Owl", type="book", year=2004, **same))
    assert not one_by_isbn(book, brief("Mud: part 2", "Owl", type="book", year=1999, **same))
    chapter = brief("Mud", "Owl", type="chapter", year=1999, **same)
    assert not one_by_isbn(chapter, chapter)


def test_twins_need_title_people_and_year() -> None:
    mine = brief("Mud and water", "Owl", year=2010)
    assert twins(mine, brief("Mud and Water", "Owl", "Teal", year=2010))
    assert twins(mine, brief("Mud and Water", "Owl"))
    assert not twins(mine, brief("Mud and Water", "Owl", year=2011))
    assert not twins(mine, brief("Mud and Water", year=2010))
    assert not twins(brief(None), brief(None))


def test_a_key_that_is_used_for_another_work() -> None:
    mine = brief("Mud and water", "Owl", year=2010, doi="10.5555/a")
    assert key_reused(mine, brief("Flights of owls", "Owl", year=2010, doi="10.5555/b"))
    assert not key_reused(mine, brief("Mud and water", "Owl", year=2010, doi="10.5555/b"))
    assert not key_reused(mine, brief("Flights of owls", "Owl", year=2010))
    assert key_reused(mine, brief("Flights of owls", "Teal", year=2012))


def test_pairs_worth_a_look() -> None:
    mine = brief("Mud and water in rivers", "Owl", year=2010, doi="10.48550/arxiv.1")
    published = brief("Mud and Water in Rivers", "Owl", year=2012, doi="10.5555/a")
    assert maybe_one(mine, published)
    assert not maybe_one(mine, brief("Mud and water in rivers", "Teal", year=2012))
    assert not maybe_one(mine, brief("Mud and water in rivers", "Owl", year=2019))
    assert not maybe_one(mine, brief("Mud and water in rivers, part II", "Owl", year=2010))
    column = {"venue": "Night", "year": 2010}
    assert not maybe_one(
        brief("Notes from the marsh", "Owl", volume="1", **column),
        brief("Notes from the marsh", "Owl", volume="2", **column),
    )
    assert maybe_one(
        brief("Notes from the marsh", "Owl", volume="1", pages="3", **column),
        brief("Notes from the marsh", "Owl", volume="1", pages="3-9", **column),
    )


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (
            PaperDraft(title="The mud of rivers", authors=(Author("Øwl", "A."),), year=2010),
            "owl2010mud",
        ),
        (PaperDraft(title="Mud", authors=(Author(literal="Mud Consortium"),)), "mudconsortiummud"),
        (PaperDraft(year=2010), "2010"),
        (PaperDraft(title="泥と水"), "泥と水"),
        (PaperDraft(), "paper"),
    ],
)
def test_made_keys(record: PaperDraft, key: str) -> None:
    assert made_key(record) == key
