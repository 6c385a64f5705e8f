"""Finding papers by what their PDFs say: which, in which order, on which page, with what around."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.fulltext.conftest import bib
from tests.pdf_support import pdf_of

from litscape import Library
from litscape.facets import FacetRequest
from litscape.fulltext.records import Passage, TextHit
from litscape.fulltext.snippets import WIDTH, snippets
from litscape.search.hits import SearchHit
from litscape.search.inside import InsidePdfs, in_tiers
from litscape.store.fulltext import TextCache, add_document
from litscape.store.fulltext_reads import on_one_page, parts_of
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.search.hits import SearchResult

_FILLER = "Nothing of note is said here at all. " * 12
PDFS = {
    "plains": pdf_of(_FILLER, f"{_FILLER} Zebras of the wide plains. {_FILLER}", "A quagga."),
    "gone": pdf_of("The quagga is gone, and so is the bluebuck."),
    "both": pdf_of("A zebra beside a quagga.", "And generalizations of graph-based models."),
    "none": pdf_of("Only the heron."),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("inside")
    for key, content in PDFS.items():
        (folder / f"{key}.pdf").write_bytes(content)
    titled = "@article{titled, title={The zebra in its title}, year={2019}}"
    (folder / "refs.bib").write_text(bib({key: f"{key}.pdf" for key in PDFS}, titled))
    with Library.open(folder / "library") as opened:
        opened.import_file(folder / "refs.bib")
        opened.fulltext.build()
        yield opened


def keys(library: Library, result: SearchResult) -> list[str]:
    return [library.papers.get(hit.paper_id).citekey for hit in result]


def searched(library: Library, query: str, inside: bool = True, typing: bool = False) -> list[str]:
    result = library.search(query, "lexical", inside=inside, as_you_type=typing)
    return keys(library, result)


def test_titles_come_first_then_pdfs_by_their_best_page(library: Library) -> None:
    result = library.search("zebra", "lexical", inside=True)
    assert keys(library, result) == ["titled", "both", "plains"]
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert result.hits[0].passage is None
    assert [hit.why for hit in result.hits[1:]] == [
        ("in its PDF, page 1",),
        ("in its PDF, page 2",),
    ]
    passage = result.hits[2].passage
    assert passage is not None
    assert [passage.text[a:b] for a, b in passage.marks] == ["Zebras"]
    assert "wide plains" in passage.text
    assert len(passage.text) < WIDTH + 20
    assert keys(library, library.search("zebra", "lexical")) == ["titled"]
    assert searched(library, "zebra", inside=True)[:1] == searched(library, "zebra", inside=False)
    assert len(library.search("zebra", "lexical", 2, inside=True)) == 2


def test_slips_after_text_are_mended_as_elsewhere(library: Library) -> None:
    result = library.search('text:zebbra heron text:"a hreon"', "lexical")
    assert result.notes[0] == "No PDF that was read has “zebbra”: searched “zebra” instead."
    plain = library.search("text:zebbra", "lexical", flt=None)
    assert sorted(keys(library, plain)) == ["both", "plains"]
    assert plain.hits[0].why == ("in its PDF, page 1",)
    assert not library.search("text:zebra", "lexical").notes
    assert searched(library, "text:zebbra", typing=True) == []  # it may go on
    pdfs = InsidePdfs(library.database, library.fulltext, library.searcher.meant)
    hits, notes = pdfs.alone("zebbra", 5)
    assert len(hits) == 2
    assert notes == ("No PDF that was read has “zebbra”: searched “zebra” instead.",)
    assert pdfs.alone("okapi", 5) == ([], ())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("zebra quagga", ["both", "plains"]),
        ('"zebra beside a quagga"', ["both"]),
        ("heron quagga", ["both", "plains", "gone"]),  # heron stands in the titles
        ("title:heron zebra", ["both", "plains"]),
        ("title:title quagga", []),
        ("quagga -zebra", ["gone", "both", "plains"]),  # of the record, not of the PDF
        ("quagga -text:zebra", ["gone"]),
        ("(bluebuck OR zebra) quagga", ["gone", "both"]),
        ("text:zebra", ["both", "plains"]),
        ("text:zebra year:2020 heron", ["plains", "both"]),
        ("text:(bluebuck OR graph-based)", ["gone", "both"]),
        ("fulltext:zebra", ["both", "plains"]),
        ('text:"wide plains"', ["plains"]),
        ("text:okapi", []),
    ],
)
def test_what_is_found(library: Library, query: str, expected: list[str]) -> None:
    found = searched(library, query)[: len(expected)]
    assert sorted(found) == sorted(expected)


def test_words_on_one_page_come_before_those_on_several(library: Library) -> None:
    assert searched(library, "zebra quagga") == ["both", "plains", "titled"]


def test_words_being_typed_are_found_by_their_beginning(library: Library) -> None:
    assert searched(library, "text:generaliz", typing=True) == ["both"]
    assert searched(library, "bluebu", typing=True) == ["gone"]
    assert searched(library, "text:bluebu") == []
    assert searched(library, "text:blu*") == ["gone"]
    assert searched(library, "text:bl*") == []


def test_the_pages_of_one_paper(library: Library) -> None:
    paper = library.papers.id_of("plains")
    pages = library.fulltext.passages(paper, [Term("quagga"), Term("zebra")])
    assert [(one.page, [one.text[a:b] for a, b in one.marks]) for one in pages] == [
        (2, ["Zebras"]),
        (3, ["quagga"]),
    ]


def test_only_pdfs_are_asked_where_that_is_wished(library: Library) -> None:
    pdfs = InsidePdfs(library.database, library.fulltext)
    hits, notes = pdfs.alone("zebra year:2020", 10)
    assert [library.papers.get(hit.paper).citekey for hit in hits] == ["both", "plains"]
    assert notes == ()


def test_without_any_text_it_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Library.open(tmp_path_factory.mktemp("empty") / "library") as empty:
        for query, inside in (("text:zebra", False), ("zebra", True)):
            notes = empty.search(query, "lexical", inside=inside).notes
            assert "The text of PDFs has not been read" in " ".join(notes)


def test_snippets_mark_forms_phrases_and_signs() -> None:
    text = (
        "Łódź lies " + "far " * 80 + "where 深度学习模型 and graph-based modelling of models are."
    )
    (city,) = snippets([text], [Term("lodz")])
    assert [city.text[a:b] for a, b in city.marks] == ["Łódź"]
    terms = [Term("model"), Term("学习"), Term("graph based"), Term("whe", prefix=True)]
    (found,) = snippets([text], terms)
    marked = [found.text[a:b] for a, b in found.marks]
    assert marked == ["where", "学习", "graph-based", "modelling", "models"]
    assert found.text.startswith("… ")
    (nothing,) = snippets([text], [Term("okapi")])
    assert nothing.marks == ()


def test_facets_count_what_is_found_inside(library: Library) -> None:
    report = library.facets.count(FacetRequest("text:zebra", names=("year",)))
    assert report is not None
    assert report.papers == 2


def test_pages_are_found_by_plain_letters_and_any_part_of_signs(tmp_path: Path) -> None:
    cache = TextCache(tmp_path)
    with cache.write() as connection:
        pages = ["Łódź", "", "基于深度学习的模型 BERT模型", "Straße naïve e\ufb03cient"]
        add_document(connection, b"1", 4, pages)
    with cache.read() as connection:
        for text, page in (("lodz", 0), ("学习", 2), ("深度", 2), ("bert", 2), ("strasse", 3),
                           ("naive", 3), ("efficient", 3)):  # fmt: skip
            (match,) = on_one_page(connection, parts_of([Term(text)]))
            assert (match.document, match.page) == (1, page), text
        assert on_one_page(connection, parts_of([Term("习度")])) == []
    cache.close()


def test_meaning_and_pdfs_take_turns_behind_titles() -> None:
    hits = [
        SearchHit(1, 0.9, lexical_rank=1, semantic_rank=1),
        SearchHit(2, 0.8, semantic_rank=2),
        SearchHit(3, 0.7, lexical_rank=2, semantic_rank=3, partial=True),
        SearchHit(4, 0.6, semantic_rank=4),
    ]
    inside = [TextHit(paper, paper, Passage("x.pdf", 7), 5.0) for paper in (5, 3, 6, 1)]
    ordered = in_tiers(hits, inside)
    assert [hit.paper_id for hit in ordered] == [1, 3, 2, 5, 4, 6]
    assert [hit.why for hit in ordered if hit.paper_id in (1, 3)] == [("in its PDF, page 7",)] * 2
    by_words = [replace(hit, semantic_rank=None) for hit in hits if hit.lexical_rank]
    assert [hit.paper_id for hit in in_tiers(by_words, inside)] == [1, 5, 3, 6]
