"""No builder learns from what is asked later; leaks that are planted are caught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples.support import Recipe, field, prepared, source

from litscape_trainer.examples import kinds
from litscape_trainer.examples.registry import builder
from litscape_trainer.leaks import LeakError, leaks, refuse_leaks
from litscape_trainer.sampling.node_vectors import NodeVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet
    from litscape_trainer.splits import HeldBy, TrainingSplit

    World = tuple[TrainingSplit, TrainingMaterial, ExampleSet]

BY: tuple[HeldBy, ...] = ("year", "paper", "edge")
CHEAP = ("citations", "specter", "cocitation", "coupling", "text", "weak")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    by=st.sampled_from(BY),
    name=st.sampled_from(CHEAP),
    twins=st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), max_size=6),
)
def test_no_builder_leaks(seed: int, by: HeldBy, name: str, twins: list[tuple[int, int]]) -> None:
    years, links = field(90, seed)
    shared = [(f"doi {n}", paper) for n, pair in enumerate(twins) for paper in pair]
    groups = {"tag": [(paper, paper % 9) for paper in range(1, 91)]}
    read = source(years, links, shared=shared, groups=groups)  # type: ignore[arg-type]
    split, material = prepared(read, by=by)
    made = builder(name).build(material, Recipe(2, 1, 1), seed)
    assert leaks(made, split, material) == ()
    work = dict(zip(split.ids.tolist(), split.works.tolist(), strict=True))
    used = {*made.anchors.tolist(), *made.positives.tolist(), *made.negatives.ravel().tolist()}
    if by != "edge":
        asked = {work[one.paper] for one in (*split.dev, *split.test)}
        assert asked.isdisjoint(work[paper] for paper in used - {-1})


def world(by: HeldBy, name: str = "specter", seed: int = 3) -> World:
    years, links = field(120, seed)
    split, material = prepared(source(years, links), by=by)
    return split, material, builder(name).build(material, Recipe(), 1)


def with_one(values: NDArray[np.int64], place: int, value: int) -> NDArray[np.int64]:
    changed = values.copy()
    changed.reshape(-1)[place] = value
    return changed


@settings(max_examples=30, deadline=None)
@given(by=st.sampled_from(("year", "paper")), role=st.sampled_from(
    ("anchors", "positives", "negatives")), data=st.data())  # fmt: skip
def test_a_held_out_paper_in_any_role_is_caught(by: HeldBy, role: str, data: st.DataObject) -> None:
    split, material, made = world(by)
    query = data.draw(st.sampled_from((*split.dev, *split.test))).paper
    place = data.draw(st.integers(0, len(made) - 1))
    changed: dict[str, Any] = {role: with_one(getattr(made, role), place, query)}
    planted = replace(made, **changed)
    assert any(role in one for one in leaks(planted, split, material))
    with pytest.raises(LeakError, match=role):
        refuse_leaks(planted, split, material)


@settings(max_examples=20, deadline=None)
@given(by=st.sampled_from(BY), data=st.data())
def test_a_link_that_is_asked_for_is_caught(by: HeldBy, data: st.DataObject) -> None:
    split, material, _made = world(by)
    query = data.draw(st.sampled_from((*split.dev, *split.test)))
    other = data.draw(st.sampled_from(sorted(query.relevant)))
    link = data.draw(st.sampled_from(((query.paper, other), (other, query.paper))))
    more = np.concatenate((split.training, np.array([link], dtype=np.int64)))
    assert any("asked for" in one for one in leaks(None, replace(split, training=more), material))


def test_a_twin_of_a_query_is_caught_whatever_the_split_says() -> None:
    split, material, made = world("paper")
    free = int(made.anchors[0])
    works = split.works.copy()
    works[np.searchsorted(split.ids, free)] = works[np.searchsorted(split.ids, split.test[0].paper)]
    told = leaks(made, replace(split, works=works), material)
    assert any("one work" in one for one in told)
    assert any("among those to learn from" in one for one in told)


def test_what_needs_a_hidden_link_is_caught() -> None:
    split, material, made = world("edge")
    citing, cited = split.hidden[0].tolist()
    planted = replace(
        made,
        anchors=with_one(made.anchors, 0, citing),
        positives=with_one(made.positives, 0, cited),
    )
    assert any("cited by the paper" in one for one in leaks(planted, split))
    # Two papers that only the hidden end of a third brings together.
    cites: dict[int, set[int]] = {}
    for one, other in split.training.tolist():
        cites.setdefault(one, set()).add(other)
    pairs = [
        (other, cited)
        for citing, cited in split.hidden.tolist()
        for other in cites.get(citing, ())
        if not any({other, cited} <= some for some in cites.values())
    ]
    together = builder("cocitation").build(material, Recipe(), 1)
    a, b = pairs[0]
    planted = replace(
        together,
        anchors=with_one(together.anchors, 0, a),
        positives=with_one(together.positives, 0, b),
    )
    assert leaks(together, split) == ()
    assert any(kinds.COCITED.name in one for one in leaks(planted, split))
    # A bridge over the hidden link.
    far = [
        (citing, beyond)
        for citing, cited in split.hidden.tolist()
        for beyond in cites.get(cited, ())
        if not any(beyond in cites.get(one, ()) for one in cites.get(citing, ()))
    ]
    place = int(np.flatnonzero(made.negative_kinds[:, 0] == made.names.index(kinds.BEYOND))[0])
    a, z = far[0]
    mine = made.anchors == made.anchors[place]
    planted = replace(
        made,
        anchors=np.where(mine, a, made.anchors),
        negatives=with_one(made.negatives, place, z),
    )
    assert any(kinds.BEYOND.name in one for one in leaks(planted, split))


def test_a_graph_that_holds_more_is_caught() -> None:
    split, material, made = world("paper")
    _, whole = prepared(source(*field(120, 3)), by="edge")
    assert leaks(made, split, material) == ()
    told = leaks(made, split, whole)
    assert any("among those to learn from" in one for one in told)
    assert any("training graph" in one for one in told)
    nodes = np.arange(len(whole), dtype=np.int32)
    whole.kept["node vectors 20"] = NodeVectors(nodes, np.zeros((len(nodes), 2), np.float32))
    assert any("embedding of the graph" in one for one in leaks(made, split, whole))
