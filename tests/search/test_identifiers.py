"""A paper is found by what names it, in every mode and before all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.paper import PaperFilter
from litscape.search.hits import MODES

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


@pytest.fixture
def shelf_with_names(shelf: Shelf) -> tuple[Shelf, int]:
    shelf.add("Another of 10.1145 and attention", "1706 03762", year=2020, citekey="other")
    paper = shelf.add(
        "Attention is all you need",
        year=2017,
        citekey="Vaswani2017attention",
        doi="10.1145/3292500.3330701",
        arxiv="1706.03762",
        pmid="31452104",
        isbn="9780262033848",
        openalex="W2963403868",
        pmcid="PMC1234567",
    )
    shelf.add("Old physics", arxiv="hep-th/9901001", doi="10.1145/3292500.9999999")
    shelf.embed()
    return shelf, paper


@pytest.mark.parametrize(
    "query",
    [
        "10.1145/3292500.3330701",
        "https://doi.org/10.1145/3292500.3330701",
        "doi:10.1145/3292500.3330701",
        "DOI: 10.1145/3292500.3330701.",
        "https://dl.acm.org/doi/10.1145/3292500.3330701",
        "1706.03762",
        "1706.03762v5",
        "arXiv:1706.03762",
        "arxiv: 1706.03762v2",
        "https://arxiv.org/abs/1706.03762",
        "https://arxiv.org/pdf/1706.03762v7.pdf",
        "10.48550/arXiv.1706.03762",
        "PMID: 31452104",
        "https://pubmed.ncbi.nlm.nih.gov/31452104/",
        "978-0-262-03384-8",
        "ISBN 9780262033848",
    ],
)
def test_an_identifier_gives_its_paper_alone(
    shelf_with_names: tuple[Shelf, int], query: str
) -> None:
    shelf, paper = shelf_with_names
    for mode in MODES:
        result = shelf.searcher().search(query, mode)
        assert [(hit.paper_id, hit.why) for hit in result] == [(paper, ("identifier",))]
        assert result.notes == ()


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("Vaswani2017attention", "citation key"),
        ("vaswani2017Attention", "citation key"),
        ("key:Vaswani2017attention", "citation key"),
        ("31452104", "identifier"),
        ("W2963403868", "identifier"),
        ("https://openalex.org/W2963403868", "identifier"),
        ("PMC1234567", "identifier"),
    ],
)
def test_what_may_be_words_as_well_comes_first(
    shelf_with_names: tuple[Shelf, int], query: str, why: str
) -> None:
    shelf, paper = shelf_with_names
    for mode in MODES:
        first = shelf.searcher().search(query, mode, k=2).hits[0]
        assert (first.paper_id, first.why[0]) == (paper, why)


def test_a_key_that_is_a_word_does_not_hide_what_the_word_finds(shelf: Shelf) -> None:
    words = shelf.add("Attention in bees", "attention attention")
    keyed = shelf.add("Something else", citekey="attention")
    result = shelf.searcher().search("attention", "lexical")
    assert [hit.paper_id for hit in result] == [keyed, words]
    assert [hit.why for hit in result] == [("citation key",), ("words",)]
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert [hit.paper_id for hit in shelf.searcher().search("attention", "lexical", k=1)] == [keyed]


def test_an_identifier_that_no_paper_has_is_said(shelf_with_names: tuple[Shelf, int]) -> None:
    shelf, _ = shelf_with_names
    result = shelf.searcher().search("https://doi.org/10.5555/nobody")
    assert (len(result), result.notes) == (0, ("No paper here has the DOI 10.5555/nobody.",))
    assert result.understood == "DOI 10.5555/nobody"


def test_filters_and_the_trash_hold(shelf_with_names: tuple[Shelf, int]) -> None:
    shelf, paper = shelf_with_names
    assert shelf.words("1706.03762", flt=PaperFilter(year_to=2000)) == []
    assert shelf.words("1706.03762", flt=PaperFilter(year_from=2017)) == [paper]
    shelf.trash(paper)
    assert shelf.words("1706.03762") == []
    assert shelf.words("Vaswani2017attention", flt=PaperFilter(trashed=True)) == [paper]


def test_a_doi_being_typed_gives_those_that_begin_so(shelf_with_names: tuple[Shelf, int]) -> None:
    shelf, paper = shelf_with_names
    assert len(shelf.words("10.1145/3292500", as_you_type=True)) == 2
    assert shelf.words("10.1145/3292500.33", as_you_type=True) == [paper]
    assert shelf.words("10.1145/3292500.33") == []
