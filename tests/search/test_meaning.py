"""Search by meaning with the real encoder: what no word could find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.alike import nearness
from litscape.embed.text import paper_text, query_text
from litscape.embed.torch_encoder import TorchEncoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tests.search.conftest import Shelf

    from litscape.search import Searcher

PAPERS = {
    "infarct": ("Therapy after myocardial infarction", "Beta blockers lower mortality."),
    "whales": ("Songs of humpback whales", "Acoustic recordings of marine mammals."),
    "parsing": ("Dependency parsing of Finnish", "Syntax trees for a rich morphology."),
    "steel": ("Fatigue of welded steel", "Cracks grow under cyclic loads."),
    "stroke": ("Thrombolysis in cerebral ischaemia", "Outcome three months later."),
}


@pytest.fixture
def found(shelf: Shelf) -> tuple[Searcher, dict[str, int]]:
    card = shelf.registry.active()
    encoder = TorchEncoder(card, device="cpu")
    papers = {name: shelf.add(title, abstract) for name, (title, abstract) in PAPERS.items()}
    texts = [paper_text(card, title, abstract) or "" for title, abstract in PAPERS.values()]
    matrix = dict(zip(papers.values(), encoder.encode(texts), strict=True))
    by_text = {shelf.texts[paper]: row for paper, row in matrix.items()}
    shelf.embed(encode=lambda text: by_text[text])

    def encode(query: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = encoder.encode([query_text(card, query)], kind="query")[0]
        return vector

    return shelf.searcher(encode), papers


def test_a_query_finds_papers_that_share_none_of_its_words(
    found: tuple[Searcher, dict[str, int]],
) -> None:
    searcher, papers = found
    assert len(searcher.search("drugs heart attacks", "lexical")) == 0
    hits = searcher.search("drugs against heart attacks", "semantic", k=2).hits
    assert hits[0].paper_id == papers["infarct"]
    hybrid = searcher.search("drugs against heart attacks", "hybrid", k=2).hits
    assert hybrid[0].paper_id == papers["infarct"]
    assert hybrid[0].lexical_rank is None


def test_papers_of_one_subject_are_similar_without_shared_words(
    found: tuple[Searcher, dict[str, int]],
) -> None:
    searcher, papers = found
    assert searcher.similar([papers["stroke"]], 1).hits[0].paper_id == papers["infarct"]
    less = searcher.similar([papers["stroke"]], 4, negatives=[papers["infarct"]])
    assert papers["infarct"] not in [hit.paper_id for hit in less]


def test_quotes_that_no_paper_has_are_told_in_every_mode(
    found: tuple[Searcher, dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher, _papers = found
    query = '"no such phrase"'
    near = "No paper has “no such phrase” as in quotes: these are near in meaning."
    assert searcher.search(query, "semantic").notes == (near,)
    assert searcher.search(query, "hybrid").notes == (near,)
    lexical = searcher.search(query, "lexical")
    assert (lexical.hits, lexical.notes) == ((), ("No paper has “no such phrase”.",))
    both = searcher.search('whales "no such phrase"', "semantic").notes
    assert both == (near.replace("meaning.", "meaning or with the other words."),)
    monkeypatch.setattr(nearness, "LEAST", 1)
    monkeypatch.setattr(nearness, "usual", lambda _loaded: 0.99)
    far = searcher.search("zzzqqzz", "hybrid").notes[-1]
    assert far.startswith("Nothing in the library is close to this query: the nearest paper")
    assert searcher.search("whales", "hybrid").notes == ()
