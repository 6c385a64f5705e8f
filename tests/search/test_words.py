"""Search by words in a real full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litscape.paper import PaperFilter
from litscape.search import words
from litscape.store import bulk, lexical
from litscape.store.integrity import check
from litscape.store.lexical import Scope, Term
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

RELAXED: dict[str, Any] = {
    "suppress_health_check": [HealthCheck.function_scoped_fixture],
    "deadline": None,
}


def test_the_title_weighs_more_than_keywords_authors_venue_and_abstract(shelf: Shelf) -> None:
    filler = "one two three four five six"
    abstract = shelf.add("First of all", f"bandit {filler}")
    venue = shelf.add("Second of all", f"again {filler}", venue="bandit")
    authors = shelf.add("Third of all", f"again {filler}", authors=["bandit"])
    keyword = shelf.add("Fourth of all", f"again {filler}", keywords=["bandit"])
    title = shelf.add("bandit of all", f"again {filler}")
    assert shelf.words("bandit") == [title, keyword, authors, venue, abstract]


def test_all_words_must_be_there(shelf: Shelf) -> None:
    both = shelf.add("Graph networks")
    shelf.add("Graph theory")
    shelf.add("Computer networks")
    assert shelf.words("networks graph") == [both]


def test_without_any_paper_with_all_words_some_do_and_it_is_said(shelf: Shelf) -> None:
    graph = shelf.add("Graph theory")
    nets = shelf.add("Computer networks")
    result = shelf.searcher().search("graph networks", "lexical")
    assert sorted(hit.paper_id for hit in result) == [graph, nets]
    assert result.notes == ("No paper has all the words; these have some of them.",)


def test_a_word_that_no_paper_has_is_dropped_and_named(shelf: Shelf) -> None:
    both = shelf.add("Graph networks")
    shelf.add("Graph theory")
    result = shelf.searcher().search("graph quarks networks", "lexical")
    assert [hit.paper_id for hit in result] == [both]
    assert result.notes == ("No paper has “quarks”; searched without it.",)


def test_nothing_found_is_nothing_and_says_what_is_missing(shelf: Shelf) -> None:
    shelf.add("Graph theory")
    assert len(shelf.searcher().search("quark", "lexical")) == 0
    result = shelf.searcher().search("quark lepton", "lexical")
    assert result.notes == ("No paper has “quark” or “lepton”.",)


def test_stop_words_are_not_required_unless_alone_or_quoted(shelf: Shelf) -> None:
    plain = shelf.add("History of chess")
    the = shelf.add("The history of the game of chess")
    assert sorted(shelf.words("the history of chess")) == [plain, the]
    assert shelf.words("the") == [the]
    assert shelf.words('"the game"') == [the]
    assert shelf.words("title:the chess") == [the]


def test_forms_of_a_word_and_accents_do_not_matter(shelf: Shelf) -> None:
    paper = shelf.add("Généralisation of Networks", authors=["Jürgen Müller"])
    assert shelf.words("network generalisations muller") == [paper]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Łukasz", "lukasz"),
        ("Søren", "soren"),
        ("Straße", "strasse"),
        ("Øre", "ore"),
        ("Æther", "aether"),
        ("Đura", "dura"),
        ("Ħamrun", "hamrun"),
        ("Işıl", "isil"),
        ("Þór", "thor"),
        ("Œuvre", "oeuvre"),
        ("ﬁnal", "final"),
        ("CO₂", "co2"),
        ("con\u00adtent", "content"),
    ],
)
def test_letters_are_found_as_they_are_and_as_plain_ones(
    shelf: Shelf, written: str, plain: str
) -> None:
    folded = [shelf.add(f"{written} one", authors=[written]), shelf.add(f"{plain} two")]
    shelf.add("Something else")
    for typed in (written, plain, written.upper(), f'"{written}"', f"title:{plain}"):
        assert sorted(shelf.words(typed)) == folded, typed
    assert shelf.words(f"author:{plain}") == folded[:1]
    assert sorted(shelf.words(written[:-1], as_you_type=True)) == folded
    with shelf.database.write() as conn:
        set_fields(conn, folded[0], {"title": "Renamed", "authors": []})
    assert shelf.words(plain) == folded[1:]
    with shelf.database.write() as conn:
        bulk.delete_papers(conn, folded[1:])
    assert shelf.words(plain) == []
    assert check(shelf.database) == []


def test_phrases_stand_as_they_are(shelf: Shelf) -> None:
    phrase = shelf.add("Message passing in graphs")
    shelf.add("Passing a message in graphs")
    assert shelf.words('"message passing"') == [phrase]
    assert shelf.words("message-passing") == [phrase]


def test_fields_look_in_their_place_only(shelf: Shelf) -> None:
    title = shelf.add("Hinton diagrams", venue="NeurIPS")
    author = shelf.add("Capsules", authors=["Geoffrey Hinton"], venue="Nature", year=2017)
    assert shelf.words("author:hinton") == [author]
    assert shelf.words("title:hinton") == [title]
    assert shelf.words("venue:nature author:hinton") == [author]
    assert shelf.words("hinton -author:hinton") == [title]


def test_years(shelf: Shelf) -> None:
    papers = {year: shelf.add("Chess", year=year) for year in (2014, 2015, 2020, 2021)}
    none = shelf.add("Chess")
    assert sorted(shelf.words("chess year:2015-2020")) == [papers[2015], papers[2020]]
    assert shelf.words("chess year:>2020") == [papers[2021]]
    assert shelf.words("year:2015..2020 year:>2016 chess") == [papers[2020]]
    assert sorted(shelf.words("chess -year:2015-2021")) == [papers[2014], none]
    assert shelf.words("year:>=2020") == [papers[2021], papers[2020]]
    assert sorted(shelf.words("chess", flt=PaperFilter(year_to=2015))) == [
        papers[2014],
        papers[2015],
    ]


def test_tags_whatever_the_case(shelf: Shelf) -> None:
    read = shelf.add("Chess", tags=["To Read"])
    plain = shelf.add("Chess openings")
    assert shelf.words('tag:"to read" chess') == [read]
    assert shelf.words("chess -tag:TO") != []
    assert shelf.words('chess -tag:"to read"') == [plain]
    result = shelf.searcher().search("chess tag:nope", "lexical")
    assert (len(result), result.notes) == (0, ("There is no tag “nope”.",))


def test_only_words_to_leave_out(shelf: Shelf) -> None:
    old = shelf.add("Graph theory", year=1990)
    new = shelf.add("Graph networks", year=2020)
    shelf.add("A survey", year=2021)
    result = shelf.searcher().search("-survey")
    assert [hit.paper_id for hit in result] == [new, old]
    assert result.mode_used == "lexical"
    assert [hit.score for hit in result] == [0.0, 0.0]
    assert [hit.paper_id for hit in shelf.searcher().search("")][-2:] == [new, old]


def test_as_you_type(shelf: Shelf) -> None:
    paper = shelf.add("Generalization of transformers")
    shelf.add("Chess")
    for typed in ("gene", "generaliz", "generalizatio", "generalization transf"):
        assert shelf.words(typed, as_you_type=True) == [paper], typed
    assert shelf.words("transf") == []
    assert shelf.words("transf*") == [paper]


def test_a_whole_word_is_not_taken_for_the_start_of_another(shelf: Shelf) -> None:
    memory = shelf.add("Working memory", venue="Quarterly Journal of Psychology")
    quarks = shelf.add("Quarks and gluons")
    drift = shelf.add("Drift of continents in different epochs")
    diffusion = shelf.add("Diffusion of innovations")
    searcher = shelf.searcher()
    for query, papers in (
        ("memory quarks", {memory, quarks}),
        ("drift diffusion", {drift, diffusion}),
    ):
        asked, typed = (
            searcher.search(query, "lexical", as_you_type=typing) for typing in (False, True)
        )
        assert {hit.paper_id for hit in typed} == {hit.paper_id for hit in asked} == papers
        assert typed.notes == asked.notes != ()
    absent = searcher.search("memory quarkonia", "lexical", as_you_type=True)
    assert [hit.paper_id for hit in absent] == [memory]
    assert absent.notes == ("No paper has “quarkonia”; searched without it.",)
    assert shelf.words("memory quart", as_you_type=True) == [memory]


def test_the_start_of_a_word_is_found_beyond_its_stem(shelf: Shelf) -> None:
    general = shelf.add("Generalization of transformers", authors=["Ian Fleming"])
    shelf.add("Genes of geese", venue="Flemish letters")
    for typed in ("generaliz", "generalizat", "transformers generaliza", "flemin", "author:flemin"):
        assert shelf.words(typed, as_you_type=True) == [general], typed
    assert shelf.words("generazzzw", as_you_type=True) == []


def test_trashed_papers_are_found_only_in_the_trash(shelf: Shelf) -> None:
    kept, gone = shelf.add("Chess one"), shelf.add("Chess two")
    shelf.trash(gone)
    assert shelf.words("chess") == [kept]
    assert shelf.words("-quark") == [kept]
    assert shelf.words("chess", flt=PaperFilter(trashed=True)) == [gone]
    assert shelf.words("chess -year:1999", flt=PaperFilter(trashed=True)) == [gone]


def test_a_filter_narrows(shelf: Shelf) -> None:
    inside = shelf.add("Chess one", collections=[("Games",)])
    shelf.add("Chess two")
    with shelf.database.read() as conn:
        place = conn.exec_driver_sql("SELECT id FROM collections").scalar_one()
    assert shelf.words("chess", flt=PaperFilter(collection=place)) == [inside]


class TestVeryFrequentWords:
    """A budget of four papers stands for the real one."""

    @pytest.fixture(autouse=True)
    def budget(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(words, "BUDGET", 4)

    def test_papers_with_the_word_in_the_title_come_first_then_the_newest(
        self, shelf: Shelf
    ) -> None:
        text = [shelf.add(f"Paper {i}", "a model of things") for i in range(8)]
        title = [shelf.add(f"Model {i}", "a model of things") for i in range(3)]
        late = [shelf.add(f"Late {i}", "a model of things") for i in range(4)]
        found = shelf.words("model", k=6)
        assert sorted(found[:3]) == title
        assert set(found[3:]) <= {*late, *text[-1:]}
        scores = [hit.score for hit in shelf.searcher().search("model", "lexical", k=7)]
        assert scores == sorted(scores, reverse=True)

    def test_filters_and_the_trash_hold(self, shelf: Shelf) -> None:
        papers = [shelf.add(f"Model {i}", "a model", year=2000 + i) for i in range(9)]
        shelf.trash(papers[3])
        assert shelf.words("model year:2002-2004", k=9) != []
        assert set(shelf.words("model year:2002-2004", k=9)) <= {papers[2], papers[4]}
        assert papers[3] not in shelf.words("model", k=9)

    def test_some_of_the_words_means_the_rarest(self, shelf: Shelf) -> None:
        common = [shelf.add(f"Model {i}") for i in range(9)]
        rare = [shelf.add("Quark one"), shelf.add("Quark two")]
        found = shelf.words("model quark lepton", k=9)
        assert sorted(found) == rare
        assert not set(found) & set(common)


def test_the_budget_changes_nothing_where_it_is_not_reached(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(30):
        shelf.add(f"Paper {i} model" if i % 3 else f"Paper {i}", "model " * (i % 5) + "of a thing")
    whole = shelf.words("model", k=30)
    monkeypatch.setattr(words, "BUDGET", len(whole))
    assert shelf.words("model", k=30) == whole


def test_asking_the_best_papers_first_finds_the_same(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(60):
        shelf.add(f"Paper {i} model", "model " * (i % 7), year=2000 + i % 10)
    shelf.trash(1)
    queries = (
        "model year:2003..",
        "(model OR paper) year:2001..2008",
        "model year:2009",
        "model -year:2004",
    )
    asked: list[bool] = []
    choose = lexical._ask_best_alone

    def noted(*given: Any) -> bool:
        asked.append(choose(*given))
        return asked[-1]

    monkeypatch.setattr(lexical, "_ask_best_alone", noted)
    each_asked = [shelf.words(query, k=12) for query in queries]
    assert not any(asked)
    monkeypatch.setattr(lexical, "_MANY_FOR_EACH", 3)
    assert [shelf.words(query, k=12) for query in queries] == each_asked
    assert any(asked)
    assert not asked[-2]  # one paper of ten: most would be asked in vain


def test_the_best_in_scope_are_found_however_many_better_ones_are_not(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the best six are asked at first."""
    monkeypatch.setattr(lexical, "_MANY_FOR_EACH", 2)
    for i in range(20):
        shelf.add("model model model" if i < 8 else "model of roads", year=2000 + i)
    with shelf.database.read() as conn:
        for first, found in ((2002, [3, 4, 5]), (2006, [7, 8, 9]), (2018, [19, 20])):
            scope = Scope(PaperFilter(year_from=first))
            best = lexical._best_in_scope(conn, '"model"', 3, scope)
            assert [paper for paper, _score in best] == found
            assert best == lexical.rank(conn, '"model"', 3, scope, listed=True)


def test_a_pasted_text_is_searched_for_its_longest_words(shelf: Shelf) -> None:
    text = " ".join(f"word{i:03d}" for i in range(200))
    paper = shelf.add(text)
    shelf.add("word001 only")
    assert shelf.words(text) == [paper]
    assert len(words.required([Term(word) for word in text.split()])) == words.MAX_TERMS


@settings(max_examples=150, **RELAXED)
@given(
    text=st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from(
                ['"', "chess", "-", "title:", "*", "NEAR(", "AND", "NOT", "^", "{", "}", ":", " ",
                 "\0", "'", "(", ")", "\ud800", "author:", "a*", "é", "年", "+", "tag:", "year:"]
            ),
            max_size=10,
        ).map("".join),
    ),
    typing=st.booleans(),
)  # fmt: skip
def test_no_query_is_an_error(shelf: Shelf, text: str, typing: bool) -> None:
    if not shelf.texts:
        shelf.add("Chess openings", "about a game é 年", authors=["Ann Other"], year=2001)
    searcher = shelf.searcher()
    result = searcher.search(text, "lexical", k=3, as_you_type=typing)
    assert len(result) <= 1
    assert result.understood


@given(text=st.text(min_size=1, max_size=12))
@settings(max_examples=100, **RELAXED)
def test_any_text_can_stand_in_an_expression(shelf: Shelf, text: str) -> None:
    if not shelf.texts:
        shelf.add("Chess")
    term = Term(text, prefix=True)
    if term.empty:
        return
    with shelf.database.read() as conn:
        expression = lexical.all_of([term, Term(text, "title")], [Term("quark"), term])
        assert lexical.rank(conn, expression, 3, Scope(PaperFilter(year_from=1))) == []


def test_meaning_is_searched_where_no_paper_has_the_words(shelf: Shelf) -> None:
    shelf.add("Chess openings")
    shelf.embed()
    result = shelf.searcher().search("quark lepton", "hybrid")
    assert len(result) == 1
    assert "No paper has “quark” or “lepton”." in result.notes
