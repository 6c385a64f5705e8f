"""The reasons for which papers are chosen."""

from __future__ import annotations

from litscape_trainer.examples.records import Kind

CITED = Kind("cited by the paper", "cited by it")
CITING = Kind("citing the paper", "cites it")
BEYOND = Kind("cited by a cited paper", "cited by a paper it cites, but not by it")
TWO_LINKS = Kind("two links away", "two links away from it, but not linked with it")
LINKED = Kind("direct citation", "cites it or is cited by it")
ALIKE = Kind("alike in words", "number {n} by likeness of words")
NEAR_TEXT = Kind("near in words", "number {n} by likeness of words, but not linked with it")
RANDOM = Kind("drawn from all papers", "drawn at random from all papers")
COCITED = Kind("cited together", "cited together by {n} paper{s}")
COUPLED = Kind("shared references", "has {n} reference{s} in common with it")
COLLECTION = Kind("same collection", "in a collection of {n} papers with it")
TAG = Kind("same tag", "one of {n} papers with the same tag")
RELATED = Kind("related in Zotero", "called related to it in Zotero")
OWN_ABSTRACT = Kind("own abstract", "the abstract of the same paper")


def neighbour(total: int) -> Kind:
    """A near one of so many neighbours in the citation graph."""
    return Kind("neighbour in the graph", f"neighbour {{n}} of {total:,} in the citation graph")


def distant(total: int) -> Kind:
    """One of so many neighbours that is not near any more."""
    return Kind(
        "distant neighbour in the graph", f"only neighbour {{n}} of {total:,} in the citation graph"
    )
