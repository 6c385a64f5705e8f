"""Facets of a search by meaning: the hits that a list shows are the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.facets import FacetRequest, Facets
from litscape.facets.results import LISTED

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


def test_by_meaning_the_listed_hits_are_counted(shelf: Shelf) -> None:
    for n in range(150):
        shelf.add("whales sing", f"song {n}" if n < 120 else "bread dough", year=2000 + n % 3)
    shelf.embed()
    facets = Facets(shelf.database, shelf.searcher)
    found = facets.count(FacetRequest("whales sing song", "semantic"))
    assert found is not None
    assert found.papers == LISTED["semantic"]
    assert sum(one.papers for one in found["year"].values) == found.papers
    chosen = facets.count(FacetRequest("whales sing song year:2001", "semantic"))
    assert chosen is not None
    hits = shelf.searcher().search("whales sing song year:2001", "semantic", LISTED["semantic"])
    assert chosen.papers == len(hits.hits)
    # What else could be chosen is counted among the hits that there are without the choice.
    assert chosen["year"].values[1].papers == found["year"].values[1].papers
    assert [one.chosen for one in chosen["year"].values] == [False, True, False]
