"""Queries are always read, and mostly as they were meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.search.query import Query, YearRange, describe, finished, parse, read_years
from litscape.store.lexical import Term


def terms(*texts: str) -> tuple[Term, ...]:
    return tuple(Term(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Query()),
        ("   ", Query()),
        ("graph networks", Query(terms=terms("graph", "networks"))),
        ('"message passing" graph', Query(terms=terms("message passing", "graph"))),
        ("“message passing”", Query(terms=terms("message passing"))),
        ('"not closed', Query(terms=terms("not closed"), notes=(
            "A quote is not closed; it was taken to end with the query.",))),
        ("graph -survey", Query(terms=terms("graph"), without=terms("survey"))),
        ('-"a b" x', Query(terms=terms("x"), without=terms("a b"))),
        ("self-attention", Query(terms=terms("self-attention"))),
        ("title:attention", Query(terms=(Term("attention", "title"),))),
        ("title: attention", Query(terms=(Term("attention", "title"),))),
        ('Title:"deep nets"', Query(terms=(Term("deep nets", "title"),))),
        ("author:hinton by:bengio", Query(terms=(
            Term("hinton", "authors_text"), Term("bengio", "authors_text")))),
        ("venue:ACL -journal:nature", Query(
            terms=(Term("ACL", "venue"),), without=(Term("nature", "venue"),))),
        ("year:2019", Query(years=(YearRange(2019, 2019),))),
        ("-year:2019 x", Query(terms=terms("x"), without_years=(YearRange(2019, 2019),))),
        ('tag:"to read" tag:x -tag:y', Query(tags=("to read", "x"), without_tags=("y",))),
        ("BERT: pre-training", Query(terms=terms("BERT", "pre-training"))),
        ("transl* a*", Query(
            terms=(Term("transl", None, True), Term("a")),
            notes=("“a*” was searched as the word “a”: a beginning needs 2 letters.",))),
        ("title:", Query(terms=terms("title"),
                         notes=("Nothing follows “title:”; it was taken as a word.",))),
        ("- -- :", Query(unread=True)),
        ("!!! \N{GRINNING FACE}", Query(unread=True)),
        ("(a) [b], c;", Query(terms=terms("a", "b", "c"))),
        ("twice twice", Query(terms=terms("twice"))),
    ],
)  # fmt: skip
def test_reads(text: str, expected: Query) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2019", YearRange(2019, 2019)),
        ("2015-2020", YearRange(2015, 2020)),
        ("2015–2020", YearRange(2015, 2020)),
        ("2015..2020", YearRange(2015, 2020)),
        ("2020-2015", YearRange(2015, 2020)),
        ("2015-", YearRange(2015, None)),
        ("-2020", YearRange(None, 2020)),
        ("..2020", YearRange(None, 2020)),
        (">2018", YearRange(2019, None)),
        (">=2018", YearRange(2018, None)),
        ("<2000", YearRange(None, 1999)),
        ("<=2000", YearRange(None, 2000)),
        ("19", None),
        ("20192020", None),
        (">", None),
        ("-", None),
        (">2018-2020", None),
        ("soon", None),
        ("", None),
    ],
)
def test_reads_years(text: str, expected: YearRange | None) -> None:
    assert read_years(text) == expected


def test_a_year_that_is_none_is_a_word_and_it_is_said_once() -> None:
    query = parse("year:soon graph year:soon")
    assert query.terms == terms("soon", "graph")
    assert query.notes == (
        "“soon” is not a year or a range such as 2015-2020; it was taken as a word.",
    )
    assert parse('year:"2015-2016"').years == (YearRange(2015, 2016),)


@pytest.mark.parametrize("typed", ["title:", "year:", "year:20", "year:>", "year:2015-", '"', "x -",
                                   'tag:"', "(", "year:2015..20"])  # fmt: skip
def test_what_is_still_being_typed_is_no_mistake(typed: str) -> None:
    query = parse(typed, as_you_type=True)
    assert query.notes == ()
    assert not query.unread or query.terms
    assert parse("year:2015", as_you_type=True).years == (YearRange(2015, 2015),)
    assert parse("😀", as_you_type=True).unread


def test_as_you_type_only_the_last_word_may_go_on() -> None:
    typed = {"as_you_type": True}
    assert parse("graph netw", **typed).terms == (Term("graph"), Term("netw", prefix=True))
    assert parse("graph netw ", **typed).terms == terms("graph", "netw")
    assert parse('graph "netw"', **typed).terms == (Term("graph"), Term("netw", written=True))
    assert parse("title:netw", **typed).terms == (Term("netw", "title", prefix=True),)
    assert parse("graph -netw", **typed) == Query(terms=terms("graph"), without=terms("netw"))
    assert parse("n", **typed).terms == terms("n")
    assert parse("graph netw").terms == terms("graph", "netw")


@pytest.mark.parametrize(
    ("typed", "found", "said"),
    [
        ("C++ code", ("C++", "code"), "“C++” was searched as “C”: signs are not searched."),
        ("C#", ("C#",), "“C#” was searched as “C”: signs are not searched."),
        ("🎉 party", ("party",), "“🎉” was left out: pictures and signs are not searched."),
        ("NOT AND OR", ("not", "or"), "“NOT” joins nothing where it stands;"),
        ("graph NOT AND paper", ("graph", "not", "paper"), "“NOT” joins nothing"),
    ],
)
def test_what_is_not_searched_is_said(typed: str, found: tuple[str, ...], said: str) -> None:
    query = parse(typed)
    assert query.terms == terms(*found)
    assert any(note.startswith(said) for note in query.notes)


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [("[2015 TO 2017]", 2015, 2017), ("[2015 TO *]", 2015, None), ("[* TO 2017]", None, 2017)],
)
def test_a_range_is_read_as_other_programs_write_it(
    typed: str, first: int | None, last: int | None
) -> None:
    query = parse(f"graph year:{typed}")
    assert (query.terms, query.years) == (terms("graph"), (YearRange(first, last),))
    assert query.notes == ()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("graph netw", "graph netw*"), ("graph netw ", "graph netw"),
        ('"graph netw', '"graph netw*'),
        ('"graph netw"', '"graph netw"'), ("a", "a"), ("tag:x", "tag:x"), ("text:wor", "text:wor*"),
        ("netw*", "netw*"), ("-netw", "-netw"), ("", ""),
    ],
)  # fmt: skip
def test_a_word_that_was_being_typed_is_kept_as_the_start_of_one(typed: str, whole: str) -> None:
    assert finished(typed) == whole
    now, kept = parse(typed, as_you_type=True), parse(whole)
    assert (now.terms, now.marks, now.tags) == (kept.terms, kept.marks, kept.tags)


def test_says_how_it_was_understood() -> None:
    query = parse('graph "message passing" title:deep year:2015- tag:x -survey -tag:y transl*')
    assert describe(query) == (
        "graph “message passing” transl…; title: deep; year from 2015; tag “x”; "
        "not survey, not tag “y”"
    )
    assert describe(Query()) == "everything"


def test_names_and_places_have_no_meaning() -> None:
    assert parse("attention title:deep author:hinton venue:ACL").meaning == "attention deep"


@given(st.text(max_size=60), st.booleans())
def test_reading_never_fails(text: str, typing: bool) -> None:
    query = parse(text, as_you_type=typing)
    assert describe(query)
    for term in (*query.terms, *query.without):
        assert not term.empty


@given(st.lists(st.sampled_from([
    '"', "-", "title:", "author:", "year:", "tag:", "a", "b*", "2019", "..", ">", "(", ")", " ",
    "NEAR", "AND", "OR", "NOT", "*", "^", "{", "}", "+", "'", "\\", "\0", ":", "é",
]), max_size=12))  # fmt: skip
def test_reading_never_fails_on_pieces_of_syntax(pieces: list[str]) -> None:
    assert describe(parse("".join(pieces), as_you_type=True))
