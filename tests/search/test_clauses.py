"""Clauses of a query as other views put them in and take them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape import Library
from litscape.facets import FacetRequest
from litscape.facets.choices import toggled
from litscape.importers.opened import RecordsAtHand
from litscape.paper import Author, PaperDraft
from litscape.search.clauses import (
    clause,
    has_clause,
    values_of,
    with_clause,
    without_clause,
    without_field,
)
from litscape.search.filtered import filtered
from litscape.search.pieces import QUOTES
from litscape.search.query import parse

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("text", "field", "value", "expected"),
    [
        ("", "tag", "x", "tag:x"),
        ("graph", "tag", "to read", 'graph tag:"to read"'),
        ("graph", "venue", "Nature", 'graph venue:="Nature"'),
        ("graph", "author", "Ann Lee", 'graph author:="Ann Lee"'),
        ("graph", "collection", "Water/Rivers", "graph collection:Water/Rivers"),
        ("a OR b", "tag", "x", "(a OR b) tag:x"),
        ("a tag:x", "tag", "X", "a tag:x"),
        ("a tag:x", "tag", "y", "a tag:x tag:y"),
        ("type:book b", "type", "thesis", "(type:book OR type:thesis) b"),
        ("(type:book OR type:thesis)", "type", "article",
         "(type:book OR type:thesis OR type:article)"),
        ("type:book|thesis", "type", "article", "(type:book OR type:thesis OR type:article)"),
        ("venue:nature", "venue", "Nature", 'venue:nature venue:="Nature"'),
        ('venue:="Nature"', "venue", "Cell", '(venue:="Nature" OR venue:="Cell")'),
        ("year:2010 a", "year", "2015..2020", "a year:2015..2020"),
        ("a (b OR year:2010)", "year", "2015..2020", "a (b OR year:2010) year:2015..2020"),
        ("rating:>=2", "rating", ">=4", "rating:>=4"),
        ("a -tag:x", "tag", "x", "a tag:x"),
        ("a (open", "tag", "x", "a (open) tag:x"),
        ('a "open', "tag", "x", 'a "open" tag:x'),
    ],
)  # fmt: skip
def test_a_clause_is_put_in(text: str, field: str, value: str, expected: str) -> None:
    assert with_clause(text, field, value) == expected
    assert has_clause(expected, field, value)


@pytest.mark.parametrize(
    ("text", "field", "value", "expected"),
    [
        ("a tag:x b", "tag", "x", "a b"),
        ('tag:"to read"', "tag", "to read", ""),
        ("(type:book OR type:thesis) b", "type", "book", "type:thesis b"),
        ("type:book|thesis b", "type", "thesis", "type:book b"),
        ("a (b tag:x)", "tag", "x", "a (b tag:x)"),
        ("NOT tag:x a", "tag", "x", "NOT tag:x a"),
        ('by:="Ann Lee" a', "author", "ann lee", "a"),
        ("year:2015..2020 a", "year", "2015..2020", "a"),
        ("a OR tag:x", "tag", "x", "a OR tag:x"),
    ],
)
def test_a_clause_is_taken_out(text: str, field: str, value: str, expected: str) -> None:
    assert without_clause(text, field, value) == expected
    assert not has_clause(expected, field, value)


ODD = (
    'quote"d', '"', '"all"', "it's", "“curly”", "a“b", "TCP/IP", "a:b", "tag:x", "f(x)", "(a", "a)",
    "-minus", "OR", "AND", "NOT", "a|b", "\\back\\slash", "🎉", "深度学习", "star*", "=x", "@todo",
    "todo", "C++", "#1", "a, b", "ends,", "x;", "a  b", "é", "100%", "<b>", "?",
)  # fmt: skip


@given(st.one_of(st.sampled_from(ODD), st.text(alphabet="ab\"'-/:()|*\\ “”ORé深🎉", min_size=1)))
def test_a_value_is_read_as_it_was_chosen(value: str) -> None:
    """In any field, chosen, left out, as one of two, and after other text."""
    straight = " ".join(value.translate(QUOTES).split())
    if not straight:
        return
    for field in ("tag", "collection", "venue", "author", "keyword", "source", "type"):
        for text in ("", "graph", 'a "b" (c)', f"{clause(field, 'other')}"):
            more = with_clause(text, field, value)
            assert has_clause(more, field, value), more
            assert straight in (" ".join(one.split()) for one in values_of(more, field)), more
            assert without_clause(more, field, value) == text, more
        query = parse(clause(field, value))
        names = query.tags if field == "tag" else tuple(one.value for one in query.marks)
        assert tuple(" ".join(one.split()) for one in names) == (straight,), clause(field, value)
        left_out = parse(clause(field, value, negative=True))
        assert len((*left_out.without_tags, *left_out.without_marks)) == 1


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A paper for each odd name, which is its tag, venue, keyword, author and collection."""
    with Library.open(tmp_path_factory.mktemp("odd") / "library") as library:
        drafts = [
            PaperDraft(
                citekey=f"k{i}", title="Paper", tags=(name,), venue=name, keywords=(name,),
                authors=(Author(literal=name),), collections=(("Nets", name),),
            )
            for i, name in enumerate(ODD)
        ]  # fmt: skip
        library.imports.run_open([RecordsAtHand("odd", "jsonl", tuple(drafts))])
        yield library


@pytest.mark.parametrize("facet", ["tag", "venue", "keyword", "author", "collection"])
def test_what_a_facet_writes_finds_what_it_counted(odd: Library, facet: str) -> None:
    report = odd.facets.count(FacetRequest(names=(facet,), top={facet: 100}))
    assert report is not None
    values = report[facet].values
    assert len(values) >= len(ODD) - 6
    for one in values:
        query = toggled("", facet, one.value)
        assert odd.searcher.count(query) == one.papers, query
        listed = filtered(odd.database, query)
        assert listed is not None
        assert len(listed.ids) == one.papers, query


def test_what_is_left_out_is_another_clause() -> None:
    assert clause("type", "book", negative=True) == "-type:book"
    assert with_clause("a type:book", "type", "book", negative=True) == "a -type:book"
    assert not has_clause("-tag:x", "tag", "x")
    assert has_clause("-tag:x", "tag", "x", negative=True)
    assert without_field("a year:2010 -year:2012 tag:x", "year") == "a -year:2012 tag:x"
    assert values_of("a (type:book OR type:thesis)", "type") == ("book", "thesis")


@given(
    text=st.lists(
        st.sampled_from(
            ["a", "(", ")", "OR", "|", "NOT", "-", "tag:x", "type:book", '"', "venue:", '="', " "]
        ),
        max_size=9,
    ).map(" ".join),
    field=st.sampled_from(["tag", "venue", "year", "type"]),
    value=st.text(min_size=1, max_size=6),
)
def test_putting_in_and_taking_out_never_fails(text: str, field: str, value: str) -> None:
    more = with_clause(text, field, value)
    without_clause(more, field, value)
    assert with_clause(more, field, value) == more or not has_clause(more, field, value)
