"""Learning a teacher's likenesses: the teacher by parts, the loss by formula, a training."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from tests.examples.support import everything, source
from tests.trainer_loop.support import RECIPE, Known, example_set, job

from litscape.errors import UserError
from litscape_trainer.head.records import HeadJob
from litscape_trainer.head.train import train_head
from litscape_trainer.loop.batches import Epoch, order_of
from litscape_trainer.loop.train import train
from litscape_trainer.objectives.registry import has_teacher, objective
from litscape_trainer.sampling.teacher import Teacher

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape_trainer.examples.material import TrainingMaterial

WORDS, LINKS = 0.4, 0.2
SHARES = replace(RECIPE, teacher_words=WORDS, teacher_links=LINKS)


@pytest.fixture
def material() -> TrainingMaterial:
    return everything(source([2000] * 12, [(1, 2), (3, 4), (5, 4)]))


def unit_vectors(number: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(3).normal(size=(number, 5))
    found: NDArray[np.float32] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(
        np.float32
    )
    return found


def test_a_teacher_adds_words_on_the_scale_of_vectors_and_links(
    material: TrainingMaterial,
) -> None:
    stored = unit_vectors(14)  # of papers 0 … 13: not all of them may be learnt from
    teacher = Teacher(material, np.arange(14, dtype=np.int64), stored, SHARES)
    texts = [f"{a} {b}" for a, b in zip(material.titles, material.abstracts, strict=True)]
    reader = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2, max_df=0.5)
    words = reader.fit_transform(texts)
    of_words = (words @ words.T).toarray()
    own = stored[1:13]
    cosines = own @ own.T
    upper = np.triu_indices(12, 1)
    scale = WORDS / (1 - WORDS) * cosines[upper].std() / of_words[upper].std()
    wanted = cosines + scale * of_words
    for a, b in ((1, 2), (3, 4), (4, 5)):
        wanted[a - 1, b - 1] += LINKS
        wanted[b - 1, a - 1] += LINKS
    found = teacher.likeness(np.array([12, 1, 4, 99, 3]))
    assert found.dtype == np.float32
    order = np.array([11, 0, 3, 2])
    some = np.ix_([0, 1, 2, 4], [0, 1, 2, 4])
    away = ~np.eye(4, dtype=bool)
    assert found[some][away] == pytest.approx(wanted[np.ix_(order, order)][away], abs=1e-5)
    assert not found[3].any()
    assert not found[:, 3].any()  # a paper that may not be learnt from


def test_a_teacher_does_without_words_or_vectors(material: TrainingMaterial) -> None:
    none = Teacher(material, np.empty(0, np.int64), np.empty((0, 5), np.float32), SHARES)
    assert np.isfinite(none.likeness(material.ids)).all()
    titles = {paper: f"the of and {'so ' * paper}" for paper in (1, 2, 3)}  # stop words alone
    abstracts = dict.fromkeys(titles, "")
    silent = everything(source([2000] * 3, [(1, 2)], titles=titles, abstracts=abstracts))
    assert len(silent) == 3
    nobody = everything(source([], []))
    assert Teacher(nobody, nobody.ids, unit_vectors(0), SHARES).likeness(nobody.ids).shape == (0, 0)
    stored = unit_vectors(3)
    found = Teacher(silent, silent.ids, stored, SHARES).likeness(silent.ids)
    assert found[0, 2] == pytest.approx(float(stored[0] @ stored[2]), abs=1e-6)
    assert found[0, 1] == pytest.approx(float(stored[0] @ stored[1]) + LINKS, abs=1e-6)


class Own:
    """A paper's number is its own."""

    def add(self, papers: NDArray[np.int64], side: str) -> None: ...

    def places(self, papers: NDArray[np.int64], side: str) -> NDArray[np.int64]:
        return papers


def test_the_loss_is_the_mean_divergence_of_each_text_from_its_teacher(
    material: TrainingMaterial,
) -> None:
    teacher = Teacher(material, material.ids, unit_vectors(12), SHARES)
    examples = example_set([(1, 2), (3, 7), (1, 9)], [[8], [-1], [3]])
    epoch = Epoch(examples, Own(), Known(), order_of(0, 0), teacher=teacher)
    papers, places = epoch.batch(0, 3)
    assert papers.tolist() == [1, 2, 3, 7, 8, 9]
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(6, 4))
    vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    made = objective(replace(RECIPE, objective="soft-infonce", temperature=0.1))
    found = float(made.loss(torch.tensor(vectors), places))

    def shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
        raised = np.exp(scores - scores.max())
        found: NDArray[np.float64] = raised / raised.sum()
        return found

    wanted, told = [], teacher.likeness(papers).astype(np.float64)
    for row in range(6):
        others = [place for place in range(6) if place != row]
        p, q = shares(told[row, others] / 0.1), shares(vectors[others] @ vectors[row] / 0.1)
        wanted.append(float((p * np.log(p / q)).sum()))
    assert found == pytest.approx(np.mean(wanted), rel=1e-5)
    assert Epoch(examples, Own(), Known(), order_of(0, 0)).batch(0, 3)[1].likeness.shape == (0, 0)


def test_an_encoder_comes_nearer_to_its_teacher(tmp_path: Path) -> None:
    field = everything(source([2000] * 24, [(one, one + 1) for one in range(1, 24, 2)]))
    teacher = Teacher(field, field.ids, unit_vectors(24), SHARES)
    losses: list[float] = []
    made = job(tmp_path, recipe=replace(RECIPE, objective="soft-infonce", steps=12, batch=6))
    made = replace(made, teacher=teacher, dev=None)

    def hear(event: Mapping[str, Any]) -> None:
        if event["kind"] == "step":
            losses.append(event["loss"])

    train(made, None, hear)
    assert len(losses) == 12
    assert np.mean(losses[-3:]) < 0.8 * np.mean(losses[:3])


def test_without_a_teacher_it_is_refused(tmp_path: Path, material: TrainingMaterial) -> None:
    recipe = replace(RECIPE, objective="soft-infonce")
    assert has_teacher("soft-infonce")
    assert not any(has_teacher(name) for name in ("infonce", "symmetric", "triplet", "nothing"))
    with pytest.raises(UserError, match="choose another method"):
        train(replace(job(tmp_path, recipe=recipe), teacher=None))
    with pytest.raises(UserError, match="choose another method"):
        train_head(
            HeadJob(
                replace(recipe, method="head"), job(tmp_path).card, material.ids, unit_vectors(12),
                lambda _number: example_set([(1, 2)]), Known(),
            )
        )  # fmt: skip
