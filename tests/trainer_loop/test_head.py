"""A head on stored vectors: it learns, it keeps to what it may see, and saves as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.trainer_loop.support import RECIPE, TINY, Known, example_set, papers

from litscape.embed.onnx_encoder import OnnxEncoder
from litscape.embed.onnx_export import export
from litscape.embed.torch_encoder import TorchEncoder
from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.models.folder import read_folder
from litscape_trainer.choosing import NOT_BETTER
from litscape_trainer.head.records import HeadJob, HeadLayer, TrainedHead
from litscape_trainer.head.save import save_head
from litscape_trainer.head.train import train_head

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape_trainer.head.records import Apply
    from litscape_trainer.loop.records import Wish

GROUPS, EACH, NOISE = 12, 8, 20
HEAD = replace(
    RECIPE, method="head", batch=64, steps=None, epochs=1.0, learning_rate=3e-3, dev_every=0.1
)


def grouped(seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Papers of groups: four numbers tell the group, twenty are the paper's own."""
    rng = np.random.default_rng(seed)
    centres = np.repeat(rng.normal(size=(GROUPS, 4)), EACH, axis=0)
    own = rng.normal(size=(GROUPS * EACH, NOISE))
    vectors = np.concatenate((centres, own), axis=1).astype(np.float32)
    ids = np.arange(100, 100 + len(vectors), dtype=np.int64)
    return ids, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


IDS, VECTORS = grouped()
GROUP = np.repeat(np.arange(GROUPS), EACH)
HELD_OUT = GROUP >= GROUPS - 3
PAIRS = [
    (int(a), int(b))
    for a, i in zip(IDS, GROUP, strict=True)
    for b, j in zip(IDS, GROUP, strict=True)
    if i == j and a < b and i < GROUPS - 3
]


def together(apply: Apply) -> NDArray[np.float64]:
    """How often two held-out papers of a group are nearer than two of different groups."""
    vectors, group = apply(VECTORS)[HELD_OUT], GROUP[HELD_OUT]
    left, right = np.triu_indices(len(vectors), 1)
    scores, same = (vectors[left] * vectors[right]).sum(axis=1), group[left] == group[right]
    return np.array((scores[same][:, None] > scores[~same][None, :]).mean(axis=1))


def job(**values: Any) -> HeadJob:
    plain = HeadJob(
        recipe=HEAD,
        card=read_folder(TINY),
        ids=IDS,
        vectors=VECTORS,
        examples=lambda _epoch: example_set(PAIRS),
        known=Known(PAIRS),
        dev=together,
        threads=1,
    )
    return replace(plain, **values)


@pytest.mark.parametrize("hidden", [0, 32])
@pytest.mark.parametrize("objective", ["infonce", "symmetric"])
def test_it_learns_what_groups_share(hidden: int, objective: str) -> None:
    events: list[Any] = []
    head = train_head(
        job(recipe=replace(HEAD, hidden=hidden, objective=objective)), None, events.append
    )
    assert head.baseline == together(lambda vectors: vectors).mean()
    assert head.baseline is not None
    assert head.best is not None
    assert head.best > head.baseline + 0.02
    assert head.best == together(head.apply).mean() == dict(head.dev)[head.best_step]
    assert len(head.layers) == (2 if hidden else 1)
    assert events[-1]["kind"] == "state"


def test_where_nothing_is_gained_it_is_the_identity() -> None:
    head = train_head(job(dev=lambda apply: -np.abs(apply(VECTORS) - VECTORS).max(axis=1)))
    assert head.best_step == 0
    assert np.allclose(head.apply(VECTORS), VECTORS, atol=1e-6)
    assert head.step < 60  # it gave up
    assert head.notes == (NOT_BETTER,)


def test_a_gain_within_its_noise_is_none() -> None:
    """Three of four queries gain, the fourth loses nearly as much: a look that chance made."""
    base = np.array([0.2, 0.4, 0.6, 0.8])
    for gain, step in (([0.1, 0.1, 0.1, -0.25], 0), ([0.1, 0.1, 0.1, -0.05], 1)):
        looks = iter([base, base + np.array(gain), base])
        recipe = replace(HEAD, steps=2, dev_every=0.5)
        head = train_head(job(recipe=recipe, dev=lambda _apply, looks=looks: next(looks)))
        assert dict(head.dev)[1] == pytest.approx(0.5 + np.mean(gain))
        assert (head.best_step, len(head.notes)) == (step, 1 - step)
        assert np.allclose(head.apply(VECTORS), VECTORS, atol=1e-6) == (step == 0)


def test_who_stops_it_keeps_the_best_so_far() -> None:
    asked: list[int] = []

    def wish() -> Wish:
        asked.append(len(asked) + 1)
        return "stop" if len(asked) == 7 else "go"

    head = train_head(job(recipe=replace(HEAD, steps=100), wish=wish))
    assert head.step == 7
    assert head.dev[-1][0] == 7  # what was learnt since the last look counts too
    assert head.best == max(value for _step, value in head.dev) == together(head.apply).mean()
    assert head.notes == ("Stopped by hand after step 7 of 100; the best is kept.",)


def test_held_out_papers_have_no_part_in_it() -> None:
    others = VECTORS.copy()
    others[HELD_OUT] = grouped(9)[1][HELD_OUT]
    recipe = replace(HEAD, steps=5)
    one, other = (
        train_head(job(recipe=recipe, vectors=vectors, dev=None)) for vectors in (VECTORS, others)
    )
    assert np.array_equal(one.layers[0].weight, other.layers[0].weight)
    wider = train_head(job(recipe=recipe, pool=IDS, dev=None))
    assert not np.array_equal(one.layers[0].weight, wider.layers[0].weight)


def test_papers_without_a_vector_are_passed_over() -> None:
    head = train_head(
        job(ids=IDS[1:], vectors=VECTORS[1:], recipe=replace(HEAD, steps=2), dev=None)
    )
    assert "14 examples have a side without text" in head.notes[0]


def test_what_a_head_can_not_learn_from() -> None:
    sides = example_set([(100, 100)], sides=("title", "abstract"))
    with pytest.raises(UserError, match="trained on vectors of whole papers"):
        train_head(job(examples=lambda _epoch: sides))
    with pytest.raises(UserError, match="not one example to learn from"):
        train_head(job(examples=lambda _epoch: example_set([])))


def test_cancelling() -> None:
    ctx = JobContext(lambda _event: None)
    with pytest.raises(JobCancelledError):
        train_head(job(), ctx, lambda event: ctx.cancel() if event["kind"] == "step" else None)


@pytest.mark.parametrize("hidden", [0, 10])
@pytest.mark.parametrize("normalised", [True, False])
def test_saved_it_gives_the_vectors_that_it_gave(
    tmp_path: Path, hidden: int, normalised: bool
) -> None:
    """By torch, by the exported form and by sentence-transformers, whatever the base ends with."""
    base = read_folder(TINY)
    if not normalised:
        base = replace(base, normalise=False)
    rng = np.random.default_rng(8)
    outer = rng.normal(size=(24, hidden or 24)).astype(np.float32)
    inner = rng.normal(size=(hidden, 24)).astype(np.float32)
    one = np.eye(24, dtype=np.float32)
    layers: tuple[HeadLayer, ...] = () if hidden else (HeadLayer(one + outer),)
    if hidden:
        layers = (
            HeadLayer(np.concatenate((one, -one, inner)), activation="relu"),
            HeadLayer(np.concatenate((one, -one, outer), axis=1)),
        )
    head = TrainedHead(layers, 1, 1, None, None, (), 0.0)
    texts = [f"{title} {abstract}" for title, abstract in papers().values()]
    stored = TorchEncoder(base, device="cpu", dtype="float32").encode(texts)
    expected = head.apply(stored)
    plain = stored + (np.maximum(stored @ inner.T, 0) if hidden else stored) @ outer.T
    assert np.allclose(expected, plain / np.linalg.norm(plain, axis=1, keepdims=True), atol=1e-5)
    card = save_head(base, head, tmp_path / "new", "Adapted")
    assert (card.name, card.source, card.normalise) == ("Adapted", "trained", True)
    found = TorchEncoder(card, device="cpu", dtype="float32").encode(texts)
    assert np.allclose(found, expected, atol=1e-5)
    if hidden or normalised:
        exported = OnnxEncoder(card, export(card)).encode(texts, "paper")
        assert np.allclose(exported, expected, atol=1e-5)
        library = pytest.importorskip("sentence_transformers")
        theirs = library.SentenceTransformer(str(tmp_path / "new"), device="cpu").encode(texts)
        assert np.allclose(theirs, expected, atol=1e-5)


def test_a_head_on_a_head(tmp_path: Path) -> None:
    """A base that has a layer behind a scaling of its own keeps both."""
    rng = np.random.default_rng(8)
    first, second = (
        TrainedHead(
            (HeadLayer(rng.normal(size=(24, 24)).astype(np.float32)),), 1, 1, None, None, (), 0
        )
        for _ in range(2)
    )
    base = read_folder(TINY)
    texts = ["soil and birds", "graph networks", "many words"]
    stored = TorchEncoder(base, device="cpu", dtype="float32").encode(texts)
    once = save_head(base, first, tmp_path / "once", "Once")
    twice = save_head(once, second, tmp_path / "twice", "Twice")
    assert (len(twice.dense), twice.unit_before) == (2, (0, 1))
    found = TorchEncoder(twice, device="cpu", dtype="float32").encode(texts)
    assert np.allclose(found, second.apply(first.apply(stored)), atol=1e-5)
