"""Why a paper is like others, told at length: each thing told is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.alike.explain import sentences
from litscape.alike.request import Examples, SimilarRequest
from litscape.errors import UserError
from litscape.store.bulk import INSERTS, insert_citations, many

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


def _like(*papers: int, **options: object) -> SimilarRequest:
    return SimilarRequest(Examples(papers), **options)  # type: ignore[arg-type]


@pytest.fixture
def shelf_of_bandits(shelf: Shelf) -> dict[str, int]:
    text = "We study gardens of roses. Contextual bandits bound the regret of arms. It rains a lot."
    found = {
        "seed": shelf.add(
            "Contextual bandits", "Regret of contextual bandits with many arms",
            authors=["Ada Byron", "Bo Li"], collections=[("Arms",)], tags=["bandits"],
        ),
        "hit": shelf.add(
            "Bandits again", text, authors=["Ann Other", "ada byron"],
            collections=[("Arms",)], tags=["bandits"],
        ),
        "between": shelf.add("Middle", "something of arms"),
        "root": shelf.add("A root", "the first of all"),
        "survey": shelf.add("A survey", "of everything"),
    }  # fmt: skip
    for n in range(40):
        shelf.add(f"The paper {n}", f"we use a model of things like subject{n} and topic{n}")
    of = found.__getitem__
    links = [("seed", "between"), ("between", "hit"), ("seed", "root"), ("hit", "root")]
    links += [("survey", "seed"), ("survey", "hit")]
    with shelf.database.write() as conn:
        insert_citations(conn, [(of(a), of(b), "") for a, b in links])
        outside = (None, "10.1/x", "A work elsewhere", 1999, None, "{}")
        many(conn, INSERTS["references"], [(of(name), 0, *outside) for name in ("seed", "hit")])
    return found


def test_everything_that_speaks_for_a_hit_is_named(
    shelf: Shelf, shelf_of_bandits: dict[str, int]
) -> None:
    papers = shelf_of_bandits
    shelf.embed()
    finder = shelf.searcher().alike
    request = _like(papers["seed"])
    hit = next(one for one in finder.similar(request) if one.paper_id == papers["hit"])
    told = finder.explain(request, hit)
    assert told.sentence == "Contextual bandits bound the regret of arms."
    assert told.by == "meaning"
    assert "bandits" in " ".join(told.terms).lower()
    assert [(one.name, one.paper_id) for one in told.references] == [
        ("A root", papers["root"]), ("A work elsewhere", None),
    ]  # fmt: skip
    assert told.path == (papers["seed"], papers["between"], papers["hit"])
    assert (told.cocited_by, told.cocitations) == (papers["survey"], 1)
    assert told.authors == ("ada byron",)
    assert told.groups == ("#bandits", "Arms")
    assert sum(share for _label, share in told.shares) == pytest.approx(1)
    assert {"meaning", "words", "same authors"} <= {label for label, _share in told.shares}


def test_words_choose_the_sentence_until_the_encoder_is_there(
    shelf: Shelf, shelf_of_bandits: dict[str, int]
) -> None:
    papers = shelf_of_bandits
    finder = shelf.searcher().alike
    request = _like(papers["seed"])
    hit = next(one for one in finder.similar(request) if one.paper_id == papers["hit"])
    told = finder.explain(request, hit)
    assert (told.by, told.sentence) == ("words", "Contextual bandits bound the regret of arms.")
    shelf.trash(papers["hit"])
    with pytest.raises(UserError, match="no longer"):
        finder.explain(request, hit)


def test_sentences_end_where_sentences_end() -> None:
    assert sentences("One is 3.5 m. Two ends! (Three) is it? 四。五！六") == [
        "One is 3.5 m.", "Two ends!", "(Three) is it?", "四。", "五！", "六",
    ]  # fmt: skip
    assert sentences("") == []
