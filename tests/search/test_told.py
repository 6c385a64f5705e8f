"""What a search says of queries that can't be read as they stand, and of words nobody has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.alike.request import Examples, SimilarRequest
from litscape.facets.results import result_ids
from litscape.search.highlights import passage
from litscape.search.query import parse

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

NOTHING = "Nothing in it can be searched for: type words or a name."


@pytest.fixture
def three(shelf: Shelf) -> Shelf:
    shelf.add("Attention for translation", "Networks attend.")
    shelf.add("Attention and memory", "Both are learned.")
    shelf.add("Grasping long things", "A robot grasps.")
    return shelf


@pytest.mark.parametrize("query", ["((((", "))))", "*", "%", '""', "\N{PARTY POPPER}", 'title:"'])
def test_what_says_nothing_finds_nothing_and_is_told(three: Shelf, query: str) -> None:
    searcher = three.searcher()
    result = searcher.search(query, "lexical")
    assert (result.hits, result.understood) == ((), "nothing")
    assert result.notes[-1] == NOTHING
    assert searcher.count(query) == 0
    assert not len(result_ids(three.database, searcher, query, "lexical"))


def test_a_quote_that_is_not_closed_is_told(three: Shelf) -> None:
    said = "A quote is not closed; it was taken to end with the query."
    for query in ('"attention', 'title:"attention'):
        result = three.searcher().search(query, "lexical")
        assert (len(result), result.notes) == (2, (said,))
    assert parse('"attention', as_you_type=True).notes == ()
    assert parse('"attention"').notes == ()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("wavelet", "No paper has “wavelet”."),
        ("author:wavelet", "No paper has “wavelet” in its authors."),
        ("x" * 900, f"No paper has “{'x' * 60}…”."),
    ],
)
def test_one_word_that_no_paper_has_is_told(three: Shelf, query: str, said: str) -> None:
    result = three.searcher().search(query, "lexical")
    assert (result.hits, result.notes) == ((), (said,))
    outside = three.searcher().search("memory year:1800", "lexical")
    assert (outside.hits, outside.notes) == ((), ())


def test_what_meant_a_field_is_no_slip(three: Shelf) -> None:
    result = three.searcher().search("lang:attention", "lexical")
    assert result.notes == (
        "There is no field “lang”; it was searched as words.",
        "No paper has “lang”; searched without it.",
    )
    assert "did you mean “title:”?" in parse("titel:x").notes[0]
    assert "did you mean “author:”?" in parse("uathor:x").notes[0]


def test_a_star_before_a_word_and_whole_values_of_titles_are_told(three: Shelf) -> None:
    result = three.searcher().search("*ttention", "lexical")
    said = "A star stands for the end of a word: “*ttention” was read as “ttention”."
    assert (result.hits, result.notes) == ((), (said, "No paper has “ttention”."))
    result = three.searcher().search("title:=grasps", "lexical")
    assert len(result) == 1
    assert result.notes[0].startswith("“title:=” asks for words as “title:” does")


def test_of_a_query_that_is_cut_no_operator_is_told() -> None:
    query = parse(" OR ".join(f"word{number}" for number in range(1000)))
    assert query.notes == ("Only the first 400 parts of it were searched.",)


def test_signs_that_nobody_sees_are_not_searched(three: Shelf) -> None:
    result = three.searcher().search("atten\u200btion mem\u00adory", "lexical")
    assert ([hit.paper_id for hit in result], result.notes) == ([2], ())


def test_limits_of_similar_papers_are_read_as_a_search_is(three: Shelf) -> None:
    searcher = three.searcher()
    found = searcher.similar(SimilarRequest(Examples((1,)), within="atention"))
    assert [hit.paper_id for hit in found.hits] == [2]
    assert any("“atention”: searched “attention” instead" in said for said in found.notes)
    none = searcher.similar(SimilarRequest(Examples((1,)), within="wavelet"))
    assert not none.hits
    assert "No paper has “wavelet”." in none.notes


def test_a_passage_begins_near_its_match() -> None:
    text = "many words stand before the word that is looked for " * 3 + "attention and more"
    at = text.index("attention")
    part = passage(text, [(at, at + 9)])
    assert part.spans[0][0] < 24
    assert part.text[slice(*part.spans[0])] == "attention"
