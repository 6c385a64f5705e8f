"""What builders draw: the right papers, for the right reasons, the same for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.examples.support import Recipe, everything, field, source

from litscape.errors import UserError
from litscape_trainer.examples.neighbours import Ranks, ranks_for
from litscape_trainer.examples.records import NOBODY, ExampleReport, describe
from litscape_trainer.examples.registry import BUILDERS, builder

if TYPE_CHECKING:
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet

CHEAP = ("citations", "specter", "cocitation", "coupling", "text", "weak", "alike")


@pytest.fixture(scope="module")
def material() -> TrainingMaterial:
    """A field that is large enough for neighbours in its graph; node vectors are made once."""
    years, links = field(420)
    groups = {"collection": [(paper, paper % 20) for paper in range(1, 421)]}
    related = [(400, 17), (5, 250)]
    return everything(source(years, links, groups=groups, related=related))  # type: ignore[arg-type]


def cites(material: TrainingMaterial) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {paper: set() for paper in material.ids.tolist()}
    for one, other in material.graph.edges().tolist():
        found[one].add(other)
    return found


def same(one: ExampleSet, other: ExampleSet) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("anchors", "positives", "negatives", "weights", "kinds", "negative_kinds")
    )


@pytest.mark.parametrize("name", [*CHEAP, "scincl", "scitbert-ci"])
def test_equal_seeds_give_equal_examples_and_known_pairs_are_no_negatives(
    material: TrainingMaterial, name: str
) -> None:
    recipe = Recipe(2, 2, 1)
    made = builder(name).build(material, recipe, 7)
    assert len(made) > 100
    assert same(made, builder(name).build(material, recipe, 7))
    if name != "text":
        assert not same(made, builder(name).build(material, recipe, 7, epoch=1))
        assert not (made.anchors == made.positives).any()
    for column in range(made.negatives.shape[1]):
        there = made.negatives[:, column] != NOBODY
        one, other = made.anchors[there], made.negatives[there, column]
        known = material.known.pairs(material.places(one), material.places(other))
        assert not known.any()
    assert made.weights.mean() == pytest.approx(1, abs=1e-5)
    report = made.report
    assert sum(report.positives.values()) == report.examples == len(made)
    assert ExampleReport.from_json(report.to_json()) == report
    assert all(one.sentence in report.sentences for one in report.dropped)


def test_alike_begins_at_every_paper_with_a_link_or_else_the_nearest_in_words() -> None:
    read = source([2000] * 17, [(1, 2), (1, 3)], titles={17: "zzz"}, abstracts={17: ""})
    material = everything(read)
    first, second = (builder("alike").build(material, Recipe(1, 2), 3, epoch) for epoch in (0, 1))
    # 17 shares no word and has no link; 8 and 9 share only words that half of all have.
    assert first.anchors.tolist() == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16]
    assert {int(first.positives[0]), int(second.positives[0])} == {2, 3}  # by turns
    assert first.positives[1:3].tolist() == [1, 1]
    told = [describe(first, place) for place in range(14)]
    assert [one.why for one in told[:3]] == ["cites it or is cited by it"] * 3
    assert all("by likeness of words" in one.why for one in told[3:])
    assert all(
        why.endswith("by likeness of words, but not linked with it")
        for one in told
        for _paper, why in one.negatives
    )
    assert [one.name for one in first.report.dropped] == ["nothing in common"]
    assert first.report.positives == {"direct citation": 3, "alike in words": 11}


def test_specter_gives_two_hard_and_three_easy(material: TrainingMaterial) -> None:
    own = cites(material)
    made = builder("specter").build(material, Recipe(), 1)
    assert len(made) == 5 * sum(bool(some) for some in own.values())
    hard: dict[int, int] = {}
    for place in range(len(made)):
        told = describe(made, place)
        assert told.positive in own[told.anchor]
        assert told.why == "cited by it"
        ((away, why),) = told.negatives
        assert away not in own[told.anchor]
        assert told.anchor not in own[away]
        if why == "cited by a paper it cites, but not by it":
            hard[told.anchor] = hard.get(told.anchor, 0) + 1
            assert any(away in own[between] for between in own[told.anchor])
    assert max(hard.values()) == 2
    assert made.report.negatives["cited by a cited paper"] == sum(hard.values())


def test_specter_goes_by_words_where_nothing_is_cited_beyond() -> None:
    links = [(paper, paper + 20) for paper in range(1, 21)]
    made = builder("specter").build(everything(source([2000] * 40, links)), Recipe(), 1)
    assert made.report.negatives["near in words"] == 40
    assert made.report.negatives["drawn from all papers"] == 60
    assert "20 of 20 papers have none that a cited paper cites" in made.report.sentences[1]
    assert "by likeness of words, but not linked with it" in describe(made, 0).negatives[0][1]


def test_all_partners_have_their_turn(material: TrainingMaterial) -> None:
    own = cites(material)
    near = {p: own[p] | {q for q in own if p in own[q]} for p in own}
    met: dict[int, set[int]] = {paper: set() for paper in own}
    for epoch in range(max(map(len, near.values()))):
        made = builder("citations").build(material, Recipe(1, 0), 1, epoch)
        assert len(made) == sum(bool(some) for some in near.values())
        for place in range(len(made)):
            told = describe(made, place)
            met[told.anchor].add(told.positive)
            assert told.why == ("cited by it" if told.positive in own[told.anchor] else "cites it")
    assert met == near


def test_cited_together_and_sharing_references_count_as_told(material: TrainingMaterial) -> None:
    own = cites(material)
    for name, reason in (("cocitation", "cited together by {} papers"),
                         ("coupling", "has {} reference")):  # fmt: skip
        made = builder(name).build(material, Recipe(3), 1)
        for place in range(0, len(made), 7):
            told = describe(made, place)
            a, b = told.anchor, told.positive
            together = sum(a in some and b in some for some in own.values())
            number = together if name == "cocitation" else len(own[a] & own[b])
            assert told.why.startswith(reason.format(number)[:-1])
        strong = made.weights[np.argmax(made.weights)]
        assert 1 < strong <= 16


def test_references_outside_count_as_shared() -> None:
    works = [(paper, 1000 + paper % 30) for paper in range(1, 91)]
    made = builder("coupling").build(everything(source([2000] * 90, [], works=works)), Recipe(5), 1)
    pairs = set(zip(made.anchors.tolist(), made.positives.tolist(), strict=True))
    assert pairs == {(a, b) for a in range(1, 91) for b in range(1, 91) if a != b and
                     (a - b) % 30 == 0}  # fmt: skip


def test_neighbours_stand_at_their_ranks(material: TrainingMaterial) -> None:
    made = builder("scincl").build(material, Recipe(), 7)
    nodes = len(material.kept["node vectors 7"].nodes)
    low, high = made.numbers.min(), made.numbers.max()
    assert (high - low, len(made)) == (4, 5 * nodes)
    far = made.negative_kinds[:, 0] == 1
    assert np.bincount(made.anchors[far]).max() == 2
    assert (made.negative_numbers[far, 0] > high).all()
    told = describe(made, 0)
    assert told.why == f"neighbour {low} of {nodes - 1:,} in the citation graph"
    each = builder("scitbert-ci").build(material, Recipe(5, 2, 1), 7)
    assert each.negatives.shape == (5 * nodes, 3)
    # All examples of an anchor have its hard negatives, and near ones are never far.
    assert (each.negatives[0:5, :2] == each.negatives[0, :2]).all()
    for row in range(0, len(each), 5):
        assert not np.isin(each.negatives[row : row + 5], each.positives[row : row + 5]).any()


@pytest.mark.parametrize(
    ("papers", "links", "ranks"),
    [
        (1898, 7.5, Ranks((6, 10), (120, 133))),
        (20_000, 10.0, Ranks((10, 14), (1260, 1400))),
        (60_000, 17.6, Ranks((21, 25), (3600, 4000))),
        (52_620_852, 17.6, Ranks((21, 25), (3600, 4000))),
        (300, 2.0, Ranks((1, 5), (19, 21))),
    ],
)
def test_ranks_are_scaled_to_the_library(papers: int, links: float, ranks: Ranks) -> None:
    assert ranks_for(papers, links) == ranks


def test_small_graphs_fall_back_to_cited_papers() -> None:
    years, links = field(60)
    for name in ("scincl", "scitbert-ci"):
        made = builder(name).build(everything(source(years, links)), Recipe(), 1)
        assert made.report.builder == name
        assert "too few for neighbours" in made.report.sentences[1]
        assert set(made.report.positives) == {"cited by the paper"}


def test_titles_meet_their_abstracts() -> None:
    read = source([2000] * 9, [], titles={2: "", 3: ""}, abstracts={3: "", 4: "", 5: ""})
    made = builder("text").build(everything(read), Recipe(), 1)
    assert made.anchors.tolist() == made.positives.tolist() == [1, 6, 7, 8, 9]
    assert made.sides == ("title", "abstract")
    assert [(one.name, one.count) for one in made.report.dropped] == [
        ("no abstract", 2),
        ("no title", 1),
    ]


def test_weak_links_leave_out_giant_groups() -> None:
    groups = {
        "collection": [(paper, 0) for paper in range(1, 101)],
        "tag": [(1, 0), (2, 0), (3, 0), (4, 1)],
        "related": [(5, 0), (9, 0)],
    }
    material = everything(source([2000] * 100, [], groups=groups))  # type: ignore[arg-type]
    made = builder("weak").build(material, Recipe(1), 1)
    assert set(made.anchors.tolist()) == {1, 2, 3, 5, 9}
    reasons = {describe(made, place).why for place in range(len(made))}
    assert reasons == {"one of 3 papers with the same tag", "called related to it in Zotero"}
    assert made.report.dropped[0].count == 1


@pytest.mark.parametrize("name", list(BUILDERS))
def test_there_may_be_nothing_to_learn(name: str) -> None:
    for read in (source([], []), source([None] * 30, [], titles=dict.fromkeys(range(40), ""),
                                        abstracts=dict.fromkeys(range(40), ""))):  # fmt: skip
        made = builder(name).build(everything(read), Recipe(), 1)
        assert len(made) == 0
        assert "0 examples from 0 papers." in made.report.sentences


def test_an_unknown_builder_is_told() -> None:
    with pytest.raises(UserError, match="specter"):
        builder("spectre")
