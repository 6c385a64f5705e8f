"""Names and beginnings of words are found as they are written, though the index knows stems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.facets import FacetRequest, Facets
from litscape.facets.results import result_ids
from litscape.paper import Author
from litscape.search.highlights import Highlighter
from litscape.store import letters, vocabulary
from litscape.store.lexical import Term
from litscape.store.vocabulary import stems_of, unstemmed

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

AUTHORS = (
    ["Ansel Adams"], ["Adam Smith"], ["Robert Platt"], ["Dan Roberts", "Adam Li"],
    ["Ashish Vaswani"], ["Laurens van der Maaten"], ["Peter Müllers"], ["Ann O'Brien"],
)  # fmt: skip


@pytest.fixture
def names(shelf: Shelf) -> Shelf:
    for number, authors in enumerate(AUTHORS):
        shelf.add(f"Paper {number} on attention", authors=authors)
    return shelf


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("author:Adams", [0]),
        ('author:"adams"', [0]),
        ("author:Adam", [1, 3]),
        ("author:roberts", [3]),
        ("author:müller", []),
        ("author:Mullers", [6]),
        ("author:vas*", [4]),
        ("author:adam*", [0, 1, 3]),
        ("author:ad*", [0, 1, 3]),
        ("author:va* -author:vas*", [5]),
        ("author:adams*", [0]),
        ('author:"Adams, Ansel"', [0]),
        ('author:"o\'brien"', [7]),
        ("attention -author:Adam", [0, 2, 4, 5, 6, 7]),
        ("-author:Roberts", [0, 1, 2, 4, 5, 6, 7]),
        ("author:Adams OR author:Vaswani", [0, 4]),
        ("attention (author:Robert OR author:Adams)", [0, 2]),
    ],
)
def test_names_are_those_of_the_authors_letter_by_letter(
    names: Shelf, query: str, found: list[int]
) -> None:
    searcher = names.searcher()
    assert sorted(hit.paper_id - 1 for hit in searcher.search(query, "lexical")) == found
    assert searcher.count(query) == len(found)
    ids = result_ids(names.database, searcher, query, "lexical")
    assert sorted((ids - 1).tolist()) == found


WRITTEN = (
    ["Yoshua Bengio"], ["Samy Bengio", "Yann Dauphin"], ["Quoc V. Le"], ["Quoc Le"],
    ["T. Mikolov", "Q. Le"], ["Anh Le", "Quoc Tran"], ["Jean-Pierre Serre"], ["QV Le"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ('"Y. Bengio"', [0]),
        ('"Bengio, Y."', [0]),
        ("Bengio,Y", [0]),
        ('"Bengio Y"', [0]),
        ('"Bengio, Yoshua"', [0]),
        ('"S Bengio"', [1]),
        ('"Q. Le"', [2, 3, 4, 7]),
        ('"Le Q"', [2, 3, 4, 7]),
        ('"Le, Q. V."', [2, 7]),
        ('"Le QV"', [2, 7]),
        ('"Quoc Le"', [2, 3, 4]),
        ('"Le, Quoc"', [2, 3, 4]),
        ('"Quoc V. Le"', [2]),
        ('"V. Le"', [2]),
        ('"A. Tran"', []),
        ('"J.-P. Serre"', [6]),
        ('"Tomas Mikolov"', [4]),
    ],
)
def test_initials_stand_for_the_names_that_begin_with_them(
    shelf: Shelf, name: str, found: list[int]
) -> None:
    for authors in WRITTEN:
        shelf.add("On attention", authors=authors)
    searcher = shelf.searcher()
    for query, which in (
        (f"author:{name}", found),
        (f"attention -author:{name}", [one for one in range(len(WRITTEN)) if one not in found]),
        (f"(author:{name} OR author:nobody)", found),
    ):
        result = searcher.search(query, "lexical")
        assert sorted(hit.paper_id - 1 for hit in result) == which, query
        assert searcher.count(query) == len(which)


SHOWN = (
    Author("Wang", "Yi"), Author("Wangs", "Yi"), Author(literal="Wei Wang"),
    Author("Wang", "Ann", literal="The Bank"), Author(literal="O.Wang"), Author("Wäng", "Bo"),
    Author("Li", "WANG"), Author("Wangen"), Author(literal="Wang"), Author(literal="wang Ltd"),
    Author("Wang", literal=""), Author("Berg", "Jan", "wang"),
)  # fmt: skip


def test_a_name_is_found_wherever_an_author_shows_it(shelf: Shelf) -> None:
    """Of most papers the index of authors says so, of the others only their own text."""
    for author in SHOWN:
        shelf.add("On attention", authors=[author])
    whole = [0, 2, 4, 5, 6, 8, 9, 10, 11]
    with shelf.database.read() as conn:
        for text in ("Wang", "wang", "wäng"):
            count, others = letters.named(conn, Term(text, "authors_text"))
            assert (count, others) == (len(whole) + 1, [2])  # “Wangs” has the stem
        begun = letters.named(conn, Term("Wang", "authors_text", prefix=True))
        assert begun == (len(SHOWN) - 1, [])
    assert [one - 1 for one in sorted(shelf.words("author:wang"))] == whole
    assert [one - 1 for one in sorted(shelf.words("-author:wang attention"))] == [1, 3, 7]


def test_a_name_with_an_initial_keeps_it_where_its_other_word_is_a_slip(shelf: Shelf) -> None:
    for authors in WRITTEN:
        shelf.add("On attention", authors=authors)
    result = shelf.searcher().search('author:"Y. Bengoi"', "lexical")
    assert [hit.paper_id for hit in result] == []  # in quotes it is as typed
    typed = shelf.searcher().search("author:Bengoi,Y", "lexical")
    assert [hit.paper_id for hit in typed] == [1]
    assert "“bengio,Y”" in typed.notes[0]


def test_a_name_being_typed_is_found_at_every_letter(shelf: Shelf) -> None:
    for authors in WRITTEN:
        shelf.add("On attention", authors=authors)
    for text in ('author:"Yosh', 'author:"Yoshua B', 'author:"Y. Beng', 'author:"Bengio, Yo'):
        found = shelf.searcher().search(text, "lexical", as_you_type=True)
        assert [hit.paper_id for hit in found] == [1], text


def test_two_letters_begin_names_not_their_stems(shelf: Shelf) -> None:
    """The stem of “Ay” is “ai”."""
    for name in ("Jo Ay", "Mo Aiken", "Lo Ly", "Ko Lindt"):
        shelf.add("On attention", authors=[name])
    assert shelf.words("author:ai*") == [2]
    assert shelf.words("author:li*") == [4]
    assert shelf.words("author:ay*") == [1]


def test_a_name_that_only_its_stem_finds_is_told_of(names: Shelf) -> None:
    result = names.searcher().search("author:Müller", "lexical")
    assert not result.hits
    assert result.notes == ("No author is called “Müller”.",)


def test_facets_read_a_year_that_is_none_as_the_search_does(names: Shelf) -> None:
    facets = Facets(names.database, names.searcher)
    for query in ("year:abc", "year:paper"):
        report = facets.count(FacetRequest(query, names=("year",)))
        assert report is not None
        assert report.papers == len(names.searcher().search(query, "lexical"))


def test_a_name_being_typed_finds_those_that_begin_so(names: Shelf) -> None:
    found = names.searcher().search("author:vas", "lexical", as_you_type=True)
    assert [hit.paper_id for hit in found] == [5]


def test_a_beginning_is_what_was_typed_not_its_stem(shelf: Shelf) -> None:
    for title in ("Gas turbines", "Gastric cancer", "Gated networks", "Galaxies"):
        shelf.add(title)
    found = shelf.searcher().search("title:gas*", "lexical")
    assert sorted(hit.paper_id for hit in found) == [1, 2]
    typed = shelf.searcher().search("networks", "lexical", as_you_type=True)
    assert [hit.paper_id for hit in typed] == [3]


@pytest.mark.parametrize("text", ["vas", "gas", "transformer", "learning", "graph networks"])
def test_the_index_can_be_asked_for_any_beginning(text: str) -> None:
    asked = unstemmed(text)
    assert stems_of([asked])[asked][-1] == text.split()[-1]


def test_what_begins_as_typed_is_marked_and_no_more() -> None:
    marker = Highlighter([Term("vas", "authors_text", prefix=True)])
    assert marker.spans(["Vaswani, van Dam"], "authors_text") == [((0, 7),)]


def test_stems_are_the_same_however_many_words_were_asked_about_before() -> None:
    texts = ["running", "two words", "", "深度学习", "x" * 60, "running"]
    first = stems_of(texts)
    vocabulary._met.clear()
    fresh = stems_of(texts)
    assert list(fresh) == list(first) == list(dict.fromkeys(texts))
    assert fresh == first
    assert first["running"] == ("run",)
    assert first["two words"] == ("two", "word")
    assert "x" * 60 not in vocabulary._met
    vocabulary._met.update((f"w{n}", ("w",)) for n in range(vocabulary._MOST_MET + 1))
    assert stems_of(["running", "w1", "w2 walked"]) == {
        "running": ("run",),
        "w1": ("w",),
        "w2 walked": ("w2", "walk"),
    }
    assert len(vocabulary._met) <= 3
