"""Clauses of a query as other views put them in and take them out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.search.clauses import (
    clause,
    has_clause,
    values_of,
    with_clause,
    without_clause,
    without_field,
)


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
