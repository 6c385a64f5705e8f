"""Slips in words are seen, said, and mended with words that papers have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.search import spelling
from litscape.search.counts import DocumentCounts
from litscape.search.spelling import Speller, distances
from litscape.store.lexical import Term, document_counts
from litscape.store.vocabulary import read_stems, stems_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tests.search.conftest import Shelf

TEXTS = (
    ("Dense retrieval of passages", "Retrieving passages with transformers."),
    ("Convolutional neural networks", "Optimization by gradient descent."),
    ("Attention and segmentation", "A transformer segments pictures into rings and things."),
)


@pytest.fixture
def three(shelf: Shelf) -> Shelf:
    for title, abstract in TEXTS:
        shelf.add(title, abstract, authors=["Ashish Vaswani", "Łukasz Kaiser"])
    return shelf


@pytest.mark.parametrize(
    ("typed", "meant", "paper"),
    [
        ("retreival", "retrieval", 1),
        ("convolutonal nueral", "convolutional neural", 2),
        ("optmization", "optimization", 2),
        ("tranfsormer segmantation", "transformer segmentation", 3),
        ("Atention", "attention", 3),
        ("author:vaswni passages", "vaswani", 1),
        ("lukazs gradient", "lukasz", 2),
        ("title:(retreival OR dense)", "retrieval", 1),
        ("self-atention", "self-attention", None),
    ],
)
def test_a_slip_is_mended_and_said(three: Shelf, typed: str, meant: str, paper: int | None) -> None:
    result = three.searcher().search(typed, "lexical")
    assert meant in result.understood
    assert any(note.startswith("No paper has “") and "instead" in note for note in result.notes)
    if paper is not None:
        assert result.hits[0].paper_id == paper


@pytest.mark.parametrize(
    "typed", ['"retreival"', "dnse", "NUERAL", "net2works", "quarks", "-retreival dense", "深度"]
)
def test_what_is_no_slip_stays(three: Shelf, typed: str) -> None:
    result = three.searcher().search(typed, "lexical")
    assert not any("instead" in note for note in result.notes)


def test_it_says_how_to_search_a_word_as_it_is_typed(three: Shelf) -> None:
    (note,) = three.searcher().search("retreival", "lexical").notes
    assert note == (
        "No paper has “retreival”: searched “retrieval” instead; in quotes it is not corrected."
    )
    two = three.searcher().search("retreival atention", "lexical").notes[0]
    assert two.startswith("No paper has “retreival” or “atention”: searched “retrieval”, “att")


def test_slips_are_mended_as_one_types(three: Shelf) -> None:
    for typed in ("retreiv", "dense retreiva", "segmantat"):
        result = three.searcher().search(typed, "lexical", as_you_type=True)
        assert len(result) == 1, typed
        assert "instead" in result.notes[0]
    assert three.searcher().search("retriev", "lexical", as_you_type=True).notes == ()


def test_meaning_is_searched_of_the_mended_words(three: Shelf) -> None:
    three.embed()
    asked: list[str] = []

    def encode(query: str) -> NDArray[np.float32]:
        asked.append(query)
        return three.encode(query)

    three.searcher(encode).search("retreival passages", "semantic")
    assert asked == ["retrieval passages"]


def test_new_words_are_known_and_lost_ones_forgotten(three: Shelf) -> None:
    searcher = three.searcher()
    assert searcher.search("quarkk", "lexical").notes == ("No paper has “quarkk”.",)
    quark = three.add("Quark")
    result = searcher.search("quarkk", "lexical")
    assert [hit.paper_id for hit in result] == [quark]
    with three.database.write() as conn:
        conn.exec_driver_sql("DELETE FROM papers WHERE id = ?", (quark,))
    assert searcher.search("quarkk", "lexical").notes == ("No paper has “quarkk”.",)


def test_a_large_library_is_read_before_one_types(
    three: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelling, "SMALL", 2)
    searcher = three.searcher()
    typed = searcher.search("retreiv", "lexical", as_you_type=True)
    assert typed.notes == ("No paper has “retreiv”.",)
    searcher.prepare_words()
    assert searcher.search("retreiv", "lexical", as_you_type=True).notes != ()


def test_stems_tell_in_how_many_papers_words_stand(three: Shelf) -> None:
    three.add("深度学习 and retrieval of 3D things", "An ox, a Naïve one.")
    speller = Speller(three.database)
    words = ["retrieval", "passage", "passages", "3d", "ox", "naive", "unicorn", "深度", "x" * 30]
    assert speller.counts(words, 4) == {}
    speller.prepare(4)
    told = speller.counts(words, 4)
    # Not of numbers, signs, or words too short or long for the stems: the index is asked for those.
    assert told == {"retrieval": 2, "passage": 1, "passages": 1, "naive": 1, "unicorn": 0}
    with three.database.read() as conn:
        assert document_counts(conn, [Term(word) for word in told], 100) == list(told.values())
        everything = [*words, "retrieval of"]
        asked = DocumentCounts(speller.counts).of(conn, everything, 4)
        counted = document_counts(conn, [Term(word) for word in everything], 100)
        assert asked == dict(zip(everything, counted, strict=True))
    assert speller.counts(words, 400) == {}


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ("abc", "abc", 0),
        ("abcd", "abdc", 1),
        ("abc", "ab", 1),
        ("abc", "xbyc", 2),
        ("ca", "abc", 3),
    ],
)
def test_distances(one: str, other: str, far: int) -> None:
    assert distances(one, spelling._letters([other, "zzz"]))[0] == far


def test_the_vocabulary_is_that_of_the_index(three: Shelf) -> None:
    words, counts = read_stems(three.database)
    assert dict(zip(words, counts.tolist(), strict=True))["transform"] == 2
    assert stems_of(["Neural networks", "深度"]) == {
        "Neural networks": ("neural", "network"), "深度": ("深", "度"),
    }  # fmt: skip
    assert Speller(three.database).near("zzzzz", 3) == []
