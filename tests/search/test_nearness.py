"""Texts that nothing in the library is close to: said, and not ranked by what is cited often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.alike.request import Examples, SimilarRequest
from litscape.languages import note_on_text
from litscape.models.bundled import bundled_card
from litscape.store.bulk import insert_citations

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

    from litscape.alike.request import SimilarResult


@pytest.fixture
def popular(shelf: Shelf) -> int:
    """A paper that forty of sixty on other things cite."""
    classic = shelf.add("A classic", "Sequential design of experiments", year=1952)
    others = [
        shelf.add(f"Bandits {n}", f"Regret of bandits with arms and rewards, case {n}", year=2000)
        for n in range(60)
    ]
    shelf.embed()
    with shelf.database.write() as conn:
        insert_citations(conn, [(one, classic, "") for one in others[:40]])
    return classic


def ask(shelf: Shelf, like: Examples) -> SimilarResult:
    return shelf.searcher().similar(SimilarRequest(like, k=70))


def test_far_papers_do_not_vote(shelf: Shelf, popular: int) -> None:
    found = ask(shelf, Examples(texts=("Moss upon damp walls",)))
    (said,) = found.remarks
    assert said.startswith("Nothing in the library is close to this text: the nearest paper")
    assert not any("papers like it" in why for hit in found for why in hit.why)
    assert not any(name == "votes" for hit in found for name, _value in hit.parts)
    many = ask(shelf, Examples(texts=("Moss upon damp walls", "Lichen upon dry roofs")))
    assert many.remarks[0].startswith("Nothing in the library is close to these texts")
    outside = SimilarRequest(Examples(texts=("Moss upon damp walls",)))
    assert shelf.searcher().alike.outside(outside) == ()


def test_near_papers_do(shelf: Shelf, popular: int) -> None:
    found = ask(shelf, Examples(texts=("Regret of bandits with arms and rewards",)))
    assert found.remarks == ()
    (classic,) = (hit for hit in found if hit.paper_id == popular)
    assert any("papers like it" in why for why in classic.why)
    assert ask(shelf, Examples((popular,))).remarks == ()  # a paper of the library is close to it


def test_a_text_in_another_language() -> None:
    said = note_on_text(bundled_card())
    assert said.startswith("The bundled model knows English, but this text is in another language")
    assert said.count(".") == 1
