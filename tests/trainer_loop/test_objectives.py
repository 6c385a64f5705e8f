"""Each loss against its formula, written out in NumPy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from tests.trainer_loop.support import RECIPE, Known, example_set

from litscape.errors import UserError
from litscape_trainer.loop.batches import Epoch, order_of
from litscape_trainer.objectives.registry import objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape_trainer.objectives.records import BatchPlaces

# Papers 1, 2 and 3 cite 11, 12 and 13; 1 cites 14 too; 12 and 13 are linked to each other.
PAIRS = [(1, 11), (2, 12), (3, 13), (1, 14), (4, 12)]
NEGATIVES = [[21], [22], [11], [-1], [13]]
KNOWN = Known([*PAIRS, (2, 13), (3, 11)])


class Own:
    """A paper's number is its own."""

    def add(self, papers: NDArray[np.int64], side: str) -> None: ...

    def places(self, papers: NDArray[np.int64], side: str) -> NDArray[np.int64]:
        return papers


def batch(known: Known = KNOWN) -> tuple[NDArray[np.int64], BatchPlaces]:
    epoch = Epoch(example_set(PAIRS, NEGATIVES), Own(), known, order_of(0, 0))
    return epoch.batch(0, len(PAIRS))


def vectors(papers: NDArray[np.int64], unit: bool = True) -> dict[int, NDArray[np.float64]]:
    rng = np.random.default_rng(5)
    drawn = {paper: rng.normal(size=6) for paper in range(1, 30)}
    scaled = {paper: one / np.linalg.norm(one) for paper, one in drawn.items()}
    return {int(paper): (scaled if unit else drawn)[int(paper)] for paper in papers}


def loss_of(name: str, unit: bool = True, **values: object) -> float:
    papers, places = batch()
    of = vectors(papers, unit)
    stacked = torch.tensor(np.array([of[int(paper)] for paper in papers]), dtype=torch.float64)
    made = objective(replace(RECIPE, objective=name, **values))  # type: ignore[arg-type]
    assert made.unit is unit
    return float(made.loss(stacked, places).detach())


def may_push(anchor: int, other: int) -> bool:
    return not KNOWN.between(np.array([anchor]), np.array([other]))[0, 0]


def info_nce(
    asked: int, wanted: int, others: set[int], tau: float, log_q: dict[int, float] | None = None
) -> float:
    of = vectors(np.arange(1, 30))
    scores = {
        other: of[asked] @ of[other] / tau - (log_q or {}).get(other, 0.0)
        for other in others | {wanted}
    }
    return float(math.log(sum(math.exp(one) for one in scores.values())) - scores[wanted])


CANDIDATES = {b for _, b in PAIRS} | {c for (c,) in NEGATIVES if c > 0}


def forward(tau: float) -> float:
    each = [info_nce(a, b, {c for c in CANDIDATES if may_push(a, c)} - {b}, tau) for a, b in PAIRS]
    return float(np.mean(each))


def test_infonce_passes_over_what_belongs_together() -> None:
    assert loss_of("infonce", temperature=0.1) == pytest.approx(forward(0.1), abs=1e-9)
    unmasked = [info_nce(a, b, CANDIDATES - {b}, 0.1) for a, b in PAIRS]
    assert abs(float(np.mean(unmasked)) - forward(0.1)) > 0.01


def test_infonce_weighs_how_often_a_candidate_is_one() -> None:
    stand = [b for _, b in PAIRS] + [c for (c,) in NEGATIVES if c > 0]  # 11, 12 and 13 twice
    log_q = {one: math.log(stand.count(one) / 9) for one in stand}
    each = [
        info_nce(a, b, {c for c in CANDIDATES if may_push(a, c)} - {b}, 0.1, log_q)
        for a, b in PAIRS
    ]
    found = loss_of("infonce", temperature=0.1, log_q=True)
    assert found == pytest.approx(float(np.mean(each)), abs=1e-6)
    assert abs(found - forward(0.1)) > 0.01


def test_symmetric_infonce_weighs_anchors_too() -> None:
    plain, weighed = (loss_of("symmetric", temperature=0.1, log_q=log_q) for log_q in (False, True))
    one_way = loss_of("infonce", temperature=0.1, log_q=True)
    back = 2 * weighed - one_way  # the anchors are all different but 1, which stands twice
    log_q = {1: math.log(2 / 5), 2: math.log(1 / 5), 3: math.log(1 / 5), 4: math.log(1 / 5)}
    each = [
        info_nce(b, a, {c for c in log_q if may_push(b, c)} - {a}, 0.1, log_q) for a, b in PAIRS
    ]
    assert back == pytest.approx(float(np.mean(each)), abs=1e-6)
    assert plain != weighed


def test_symmetric_infonce_with_a_learned_temperature() -> None:
    anchors = {a for a, _ in PAIRS}
    back = [info_nce(b, a, {c for c in anchors if may_push(b, c)} - {a}, 0.07) for a, b in PAIRS]
    expected = (forward(0.07) + float(np.mean(back))) / 2
    found = loss_of("symmetric", learned_temperature=True)
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_learned_temperature_goes_no_lower_than_a_hundredth() -> None:
    papers, places = batch()
    made = objective(replace(RECIPE, learned_temperature=True))
    (scale,) = made.parameters().values()
    stacked = torch.tensor(np.array(list(vectors(papers).values())), dtype=torch.float32)
    with torch.no_grad():
        scale.fill_(99.0)
    found = made.loss(stacked, places)
    assert float(found.detach()) == pytest.approx(forward(0.01), rel=1e-4)


@pytest.mark.parametrize(("name", "unit"), [("triplet", True), ("triplet-l2", False)])
def test_triplets(name: str, unit: bool) -> None:
    of = vectors(np.arange(1, 30), unit)

    def distance(a: int, b: int) -> float:
        return float(1 - of[a] @ of[b] if unit else np.linalg.norm(of[a] - of[b] + 1e-6))

    triplets = [
        (a, b, c) for (a, b), (c,) in zip(PAIRS, NEGATIVES, strict=True) if c > 0 and may_push(a, c)
    ]
    assert len(triplets) == 3
    each = [max(distance(a, b) - distance(a, c) + 0.7, 0) for a, b, c in triplets]
    assert loss_of(name, unit, margin=0.7) == pytest.approx(np.mean(each), rel=1e-6)


def test_own_other_positives_and_equal_texts_are_no_negatives() -> None:
    """Even where nothing is known of them: neighbours in a graph are not linked, twins neither."""

    class Texts(Own):
        def places(self, papers: NDArray[np.int64], side: str) -> NDArray[np.int64]:
            return np.where(papers == 22, 2, papers)  # 22 has the very text of 2

    epoch = Epoch(example_set(PAIRS, NEGATIVES), Texts(), Known(), order_of(0, 0))
    papers, places = epoch.batch(0, len(PAIRS))
    barred = {
        (int(papers[places.anchors[row]]), int(papers[places.candidates[column]]))
        for row, column in zip(*np.nonzero(places.barred.numpy()), strict=True)
    }
    assert barred == {*PAIRS, (2, 2)}
    assert len(set(papers.tolist())) == len(papers)


def test_no_such_objective() -> None:
    with pytest.raises(UserError, match="'hinge' is no objective; choose one of: infonce,"):
        objective(replace(RECIPE, objective="hinge"))
