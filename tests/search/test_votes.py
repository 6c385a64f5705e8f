"""What the papers most like a paper cite is found too, and said so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.alike.links import Links
from litscape.alike.request import Examples, SimilarRequest
from litscape.alike.signals.votes import cast
from litscape.graph.current import CurrentGraph
from litscape.paper import PaperFilter
from litscape.store.bulk import insert_citations

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


@pytest.fixture
def shelf_of_bandits(shelf: Shelf) -> dict[str, int]:
    """A paper, eight like it that cite a work of other words, and sixty others."""
    found = {"seed": shelf.add("Bandits", "Regret of contextual bandits with many arms", year=2020)}
    for n in range(8):
        text = f"Regret of bandits with arms, case {n} of contextual regret"
        found[f"like{n}"] = shelf.add(f"Bandits {n}", text, year=2010 + n)
    found["classic"] = shelf.add("A classic", "Sequential design of experiments", year=1952)
    found["other"] = shelf.add("Another", "On sampling inspection of lots", year=1933)
    for n in range(60):
        shelf.add(f"The paper {n}", f"we use a model of things like subject{n} and topic{n}")
    with shelf.database.write() as conn:
        insert_citations(conn, [(found[f"like{n}"], found["classic"], "") for n in range(8)])
        insert_citations(conn, [(found["like0"], found["other"], "")])
    return found


def test_what_similar_papers_cite_is_found(shelf: Shelf, shelf_of_bandits: dict[str, int]) -> None:
    papers = shelf_of_bandits
    searcher = shelf.searcher()
    shelf.embed()
    hits = {hit.paper_id: hit for hit in searcher.similar([papers["seed"]], 9)}
    assert papers["classic"] in hits
    assert "cited by 7 papers like it" in hits[papers["classic"]].why
    without = [hit.paper_id for hit in searcher.similar([papers["seed"]], 9, as_of=1900)]
    assert papers["classic"] not in without


def test_links_count_as_of_a_year(shelf: Shelf, shelf_of_bandits: dict[str, int]) -> None:
    papers = shelf_of_bandits
    shelf.embed()
    hits = {
        hit.paper_id: hit.why for hit in shelf.searcher().similar([papers["seed"]], 60, as_of=2012)
    }
    assert "cited by 3 papers like it" in hits[papers["classic"]]


def test_votes_keep_to_what_may_be_found(shelf: Shelf, shelf_of_bandits: dict[str, int]) -> None:
    papers = shelf_of_bandits
    shelf.embed()
    searcher = shelf.searcher()
    young = searcher.similar([papers["seed"]], 60, flt=PaperFilter(year_from=2000))
    assert papers["classic"] not in [hit.paper_id for hit in young]
    shelf.trash(papers["classic"])
    everything = searcher.similar([papers["seed"]], 60)
    assert papers["classic"] not in [hit.paper_id for hit in everything]


def test_papers_that_may_not_be_found_vote(shelf: Shelf, shelf_of_bandits: dict[str, int]) -> None:
    papers = shelf_of_bandits
    shelf.embed()
    searcher = shelf.searcher()
    # None of those like it is of that year, but what they cite is.
    early = {hit.paper_id: hit.why for hit in searcher.similar(
        SimilarRequest(Examples((papers["seed"],)), within="classic"))}  # fmt: skip
    assert any("cited by" in said for said in early[papers["classic"]])
    assert set(early) == {papers["classic"]}
    # Later papers than a last year are unknown in that year.
    then = searcher.similar([papers["seed"]], flt=PaperFilter(year_to=1960))
    assert not any("cited by" in said for hit in then for said in hit.why)


def test_votes_by_hand(shelf: Shelf, shelf_of_bandits: dict[str, int]) -> None:
    papers = shelf_of_bandits
    links = Links.of(CurrentGraph(shelf.database).get())
    first = papers["like0"] - papers["seed"]  # papers are numbered as they were added
    numbers = np.array([first, first + 1, *range(20, 38)], dtype=np.int64)
    scores = np.array([0.3, 0.9, *[0.5] * 18])
    classic, other = (papers[name] - papers["seed"] for name in ("classic", "other"))
    nobody = np.empty(0, dtype=np.int32)
    votes = cast(links, numbers, scores, nobody)
    assert votes.shares[[classic, other]].tolist() == [pytest.approx(1), 0.25]
    assert votes.numbers[[classic, other]].tolist() == [2, 1]
    assert votes.shares.sum() == pytest.approx(1.25)
    seeds = np.array([classic], dtype=np.int32)
    assert np.flatnonzero(cast(links, numbers, scores, seeds).numbers).tolist() == [other]
    assert not cast(links, numbers[:5], scores[:5], nobody).shares.any()
    assert not cast(links, numbers, -scores, nobody).shares.any()
