"""How hybrid search joins words and meaning: by scores, or by reciprocal ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.errors import UserError
from litscape.search.fusion import blend, reciprocal_ranks

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


def test_reciprocal_ranks_add_up() -> None:
    ids = np.array([3, 5, 7, 9])
    scores = reciprocal_ranks(([5, 3], [3, 7]), ids)
    expected = [1 / 62 + 1 / 61, 1 / 61, 1 / 62, 0.0]
    assert scores.tolist() == pytest.approx(expected)


def test_a_paper_without_a_vector_is_as_near_as_the_middle_one() -> None:
    cosines = np.array([0.8, np.nan, 0.2, 0.4])
    assert blend(cosines, np.zeros(4), 0.5).tolist() == pytest.approx([0.4, 0.2, 0.1, 0.2])


def test_by_ranks_the_scores_are_those_of_the_places(shelf: Shelf) -> None:
    both = shelf.add("Graph networks", "message passing")
    shelf.add("Chess openings", "a game")
    shelf.add("Message in a bottle", "novel of the sea")
    shelf.embed()
    hits = shelf.searcher(fusion="ranks").search("graph message", "hybrid").hits
    assert hits[0].paper_id == both
    assert (hits[0].lexical_rank, hits[0].semantic_rank) == (1, 1)
    for hit in hits:
        ranks = [rank for rank in (hit.lexical_rank, hit.semantic_rank) if rank]
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
        assert hit.why
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    by_scores = shelf.searcher().search("graph message", "hybrid").hits
    assert by_scores[0].paper_id == both
    assert by_scores[0].score > 0.5


def test_there_are_two_ways(shelf: Shelf) -> None:
    with pytest.raises(UserError, match="scores, ranks"):
        shelf.searcher(fusion="sum")
