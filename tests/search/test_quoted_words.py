"""A single word in quotes stands as it is written: other words of its stem are not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.facets.results import result_ids
from litscape.search.filtered import filtered
from litscape.search.highlights import Highlighter
from litscape.search.query import parse

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


@pytest.fixture
def forms(shelf: Shelf) -> Shelf:
    """The word in the title, in the abstract, and other forms of it."""
    shelf.add("Learning trees", "Deep roots.", year=2001)
    shelf.add("We learn forests", "Things that were learned.", year=2002)
    shelf.add("Woods", "On (Learning), by examples.", year=2003)
    shelf.add("Naïve learners", "Nothing else.", year=2004)
    return shelf


@pytest.mark.parametrize(
    ("query", "papers"),
    [
        ("learning", [1, 2, 3]),
        ('"learning"', [1, 3]),
        ('"Learning" trees', [1]),
        ('"learn"', [2]),
        ('"naive"', [4]),
        ('"learning trees"', [1]),
        ('title:"learning"', [1]),
        ('abstract:"learned"', [2]),
        ('-"learning"', [2, 4]),
        ('"learn" OR "naive"', [2, 4]),
        ('("learning" OR forests) -woods', [1, 2]),
        ('"learning" year:2003', [3]),
    ],
)
def test_only_this_form_is_found(forms: Shelf, query: str, papers: list[int]) -> None:
    assert sorted(forms.words(query)) == papers
    searcher = forms.searcher()
    assert searcher.count(query) == len(papers)
    found = result_ids(forms.database, searcher, query, "lexical")
    assert sorted(found.tolist()) == papers


def test_a_form_that_no_paper_has_is_told_of(forms: Shelf) -> None:
    found = forms.searcher().search('"learns"', "lexical")
    assert found.hits == ()
    assert found.notes == (
        "No paper has “learns” in just this form; without quotes other forms of it are found.",
    )
    assert forms.words('"zebra" trees') == [1]  # of which there is no form: dropped, and said


def test_while_a_quote_is_open_the_word_may_go_on(forms: Shelf) -> None:
    assert sorted(forms.words('"learn', as_you_type=True)) == [1, 2, 3, 4]
    assert sorted(forms.words('"learn"', as_you_type=True)) == [2]


def test_only_this_form_is_marked(forms: Shelf) -> None:
    marker = Highlighter(parse('"learning"').terms)
    assert marker.spans(["He learned learning; LEARNING"], "title") == [((11, 19), (21, 29))]


def test_in_notes_too(forms: Shelf) -> None:
    with forms.database.write() as conn:
        conn.exec_driver_sql(
            "INSERT INTO notes (paper_id, position, text) VALUES (4, 0, 'learned')"
        )
    assert 4 in forms.words("learned")
    assert forms.words('"learned"') == [2, 4]
    assert forms.words('"learning"') == [1, 3]


def test_the_same_word_without_quotes_counts_beside_it() -> None:
    assert len(parse('learning "learning"').terms) == 2


@pytest.fixture
def common(forms: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Where three papers are more than can be looked into, and two are not."""
    monkeypatch.setattr("litscape.search.forms.MOST_READ", 2)
    forms.add("Woods again", "Nothing of the sort.", year=2005)
    return forms


_SAID = "“{}” is read with its other forms: more than 2 papers have one."


@pytest.mark.parametrize(
    ("query", "papers", "note"),
    [
        ('"woods"', [3, 5], None),  # of two papers: as it is written
        ('"wood"', [], None),
        ('-"wood"', [1, 2, 3, 4, 5], None),
        ('"learns"', [1, 2, 3], _SAID.format("learns")),
        ('"learns" year:2003', [3], _SAID.format("learns")),
        ('"learns" "woods"', [3], _SAID.format("learns")),
        ('-"learns"', [4, 5], _SAID.format("learns")),
        ('woods -"learns"', [5], _SAID.format("learns")),
        ('"learns" OR "naive"', [1, 2, 3, 4], _SAID.format("learns")),
        ('("learns" year:2001) OR "naive"', [1, 4], _SAID.format("learns")),
        ('woods (naive OR -"learns")', [5], _SAID.format("learns")),
        ('title:"learning"', [1], None),  # two titles have a form
    ],
)
def test_forms_of_very_common_words_are_found_too(
    common: Shelf, query: str, papers: list[int], note: str | None
) -> None:
    searcher = common.searcher()
    found = searcher.search(query, "lexical")
    assert sorted(hit.paper_id for hit in found) == papers
    assert [one for one in found.notes if "other forms:" in one] == ([note] if note else [])
    assert searcher.count(query) == len(papers)
    counted = result_ids(common.database, searcher, query, "lexical")
    assert sorted(counted.tolist()) == papers


def test_what_is_found_by_its_forms_is_marked_by_them(common: Shelf) -> None:
    found = common.searcher().search('"learns" "woods"', "lexical")
    (spans,) = Highlighter(found.words).spans(["He learned of wood, of woods"], "title")
    assert spans == ((3, 10), (23, 28))


def test_lists_without_words_say_it_too(common: Shelf) -> None:
    listed = filtered(common.database, '-"learns" year:2004')
    assert listed is not None
    assert (listed.ids.tolist(), listed.notes) == ([4], (_SAID.format("learns"),))
