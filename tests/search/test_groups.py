"""OR, brackets and NOT: a query finds what the same question finds asked paper by paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.search.conftest import Shelf

from litscape.models.registry import ModelRegistry
from litscape.paper import PaperFilter
from litscape.search.query import describe, parse
from litscape.store.database import Database
from litscape.vectors.store import VectorStore

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = ("alpha", "beta", "gamma", "delta")
YEARS = (2001, 2002, None)
TAGS = ("red", "blue")


@dataclass(frozen=True)
class Seen:
    words: frozenset[str]
    year: int | None
    tags: frozenset[str]


@dataclass(frozen=True)
class Asked:
    """A query and what it should find, paper by paper."""

    text: str
    holds: frozenset[int]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp("groups") / "library"
    with Database.open(folder) as database:
        shelf = Shelf(database, VectorStore(folder / "vectors", database), ModelRegistry(database))
        for paper in PAPERS.values():
            shelf.add(
                " ".join(sorted(paper.words)) or "omega", year=paper.year, tags=sorted(paper.tags)
            )
        yield shelf


PAPERS = {
    number + 1: Seen(
        frozenset(word for place, word in enumerate(WORDS) if number >> place & 1),
        YEARS[number % 3],
        frozenset(tag for place, tag in enumerate(TAGS) if (number * 5 >> 2) >> place & 1),
    )
    for number in range(16)
}
ALL = frozenset(PAPERS)


def leaf_of(kind: str) -> Asked:
    name, _, value = kind.rpartition(":")
    if name == "tag":
        return Asked(kind, frozenset(n for n in ALL if value in PAPERS[n].tags))
    if name == "year":
        return Asked(kind, frozenset(n for n in ALL if str(PAPERS[n].year) == value))
    return Asked(value, frozenset(n for n in ALL if value in PAPERS[n].words))


def joined(parts: list[Asked], how: str) -> Asked:
    sets = [part.holds for part in parts]
    holds = frozenset.union(*sets) if how in (" OR ", " | ") else frozenset.intersection(*sets)
    return Asked(f"({how.join(part.text for part in parts)})", holds)


def negated(part: Asked, sign: str) -> Asked:
    text = f"({part.text})" if part.text.startswith(("-", "NOT")) else part.text
    return Asked(f"{sign}{text}", ALL - part.holds)


LEAVES = st.sampled_from([*WORDS, "tag:red", "tag:blue", "year:2001", "year:2002"]).map(leaf_of)
QUERIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            joined,
            st.lists(inner, min_size=1, max_size=3),
            st.sampled_from([" OR ", " | ", " AND ", " "]),
        ),
        st.builds(negated, inner, st.sampled_from(["-", "NOT "])),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(asked=QUERIES)
def test_a_query_finds_what_it_says(library: Shelf, asked: Asked) -> None:
    found = library.words(asked.text, k=50)
    assert len(found) == len(set(found))
    if asked.holds or parse(asked.text).groups:  # of words alone, some are better than none
        assert set(found) == asked.holds


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-(alpha OR beta)", "-alpha -beta"),
        ("-(alpha beta)", "-alpha OR -beta"),
        ("NOT NOT alpha", "alpha"),
        ("-(-alpha)", "alpha"),
        ("alpha (beta OR gamma)", "(alpha beta) OR (alpha gamma)"),
        ("alpha beta OR gamma", "(alpha AND beta) | gamma"),
        ("tag:red|blue", "(tag:red OR tag:blue)"),
        ("tag:(red OR blue)", "tag:red OR tag:blue"),
        ("alpha tag:red|blue", "alpha (tag:red OR tag:blue)"),
        ("year:(2001 OR 2002)", "year:2001..2002"),
        ("title:(alpha OR beta) -tag:red", "(title:alpha OR title:beta) -tag:red"),
        ("((((alpha))))", "alpha"),
        ("(alpha OR (beta", "alpha OR beta"),
        ("(the alpha) OR (of beta)", "alpha OR beta"),
    ],
)
def test_two_ways_to_say_the_same(library: Shelf, one: str, other: str) -> None:
    first, second = library.words(one, k=50), library.words(other, k=50)
    assert set(first) == set(second)
    assert first


def test_brackets_nest_to_any_depth(library: Shelf) -> None:
    assert library.words("(" * 3000 + "alpha" + ")" * 3000) == library.words("alpha")
    deep = "alpha"
    for number in range(150):
        deep = f"(beta OR ({'gamma' if number % 2 else 'delta'} {deep}))"
    every = {n for n in ALL if {"alpha", "gamma", "delta"} <= PAPERS[n].words}
    assert set(library.words(deep, k=50)) == every | {n for n in ALL if "beta" in PAPERS[n].words}


def test_wanted_words_rank_wherever_they_stand(library: Shelf) -> None:
    more = library.words("alpha (beta OR tag:red)", k=50)
    with_beta = [n for n in more if "beta" in PAPERS[n].words]
    assert more[: len(with_beta)] == with_beta
    mixed = library.words("beta OR year:2001", k=50)
    assert "beta" in PAPERS[mixed[0]].words
    assert "beta" not in PAPERS[mixed[-1]].words


def test_a_group_holds_in_a_place_and_in_the_trash_and_for_meaning(library: Shelf) -> None:
    flt = PaperFilter(year_from=2002)
    expected = {n for n in ALL if PAPERS[n].year == 2002 and PAPERS[n].words & {"alpha", "beta"}}
    assert set(library.words("alpha OR beta", k=50, flt=flt)) == expected
    assert library.words("alpha OR tag:red", flt=PaperFilter(trashed=True)) == []
    library.embed()
    for query in ("(alpha OR beta) year:2002", "year:2002 -(-alpha -beta)"):
        found = library.searcher().search(query, "semantic", k=50)
        assert {hit.paper_id for hit in found} == expected
        both = library.searcher().search(query, "hybrid", k=50)
        assert {hit.paper_id for hit in both} == expected


@pytest.mark.parametrize(
    ("query", "understood", "note"),
    [
        ("alpha (beta OR tag:red)", "alpha; (beta or tag “red”)", ""),
        ("(alpha beta) OR -gamma", "((alpha and beta) or not gamma)", ""),
        ("alpha OR", "alpha or", "“OR” joins nothing where it stands; it was taken as a word."),
        ("alpha )", "alpha", "A bracket closes that was not opened; it was left out."),
        ("(alpha", "alpha", "A bracket is not closed; it was taken to end with the query."),
        ("zebra:alpha", "zebra alpha", "There is no field “zebra”; it was searched as words."),
        ("titel:alpha", "titel alpha",
         "There is no field “titel”; it was searched as words; did you mean “title:”?"),
        ("On alpha: beta", "On alpha beta", ""),
        ("alpha or not beta", "alpha or not beta", ""),
        ("is:unread rating:>=4 in:list", "“unread”; rating “>=4”; in “list”", ""),
    ],
)  # fmt: skip
def test_what_is_understood_is_said(query: str, understood: str, note: str) -> None:
    parsed = parse(query)
    assert describe(parsed) == understood
    assert parsed.notes == ((note,) if note else ())


def test_what_is_being_typed_joins_nothing_yet() -> None:
    for typed in ("alpha OR", "alpha (", "alpha (beta OR", "alpha -", "alpha NOT", "alpha |"):
        assert parse(typed, as_you_type=True).notes == (), typed
    assert parse("alpha (beta OR gam", as_you_type=True).groups[0].parts[1].prefix  # type: ignore[union-attr]


@settings(max_examples=200, deadline=None)
@given(
    text=st.lists(
        st.sampled_from(
            ["(", ")", "((", "-", "NOT", "OR", "|", "AND", '"', "alpha", "beta*", "tag:", "tag:red",
             "year:", "year:1", "is:unread", "is:odd", "rating:>=4", "colour:", "cites:x", ":=",
             ":", 'venue:="', "title:(", "x|y", "in:list", "text:x", "深度", "\0", "key:1"]
        ),
        max_size=12,
    ).map(" ".join),
    typing=st.booleans(),
)  # fmt: skip
def test_no_query_is_an_error(library: Shelf, text: str, typing: bool) -> None:
    for query in (text, text.replace(" ", "")):
        result = library.searcher().search(query, "lexical", k=3, as_you_type=typing)
        assert result.understood


def test_a_very_long_query_is_searched_as_far_as_it_goes(library: Shelf) -> None:
    long = " OR ".join(f"(tag:t{number} alpha)" for number in range(900))
    result = library.searcher().search(long, "lexical", k=50)
    assert "Only the first 400 parts of it were searched." in result.notes
    pasted = library.searcher().search("alpha " * 5000, "lexical", k=50)
    assert "Only the first 20,000 characters were searched." in pasted.notes
    assert len(pasted) == 8
