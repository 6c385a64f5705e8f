"""A batch in one pass, in many pieces and over kept lower layers: the same gradients."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from tests.trainer_loop.support import RECIPE, TINY, drawn, example_set, job, tiny_of

from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import null_context
from litscape.models.folder import read_folder
from litscape_trainer.encoders.trainable import TrainableEncoder
from litscape_trainer.loop.sentences import halved
from litscape_trainer.loop.steps import Stepper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from litscape_trainer.recipes.recipe import TrainingRecipe


def stepper(folder: Path, recipe: TrainingRecipe = RECIPE, **values: object) -> Stepper:
    made = Stepper(job(folder, recipe, **values), null_context(), lambda _note: None)
    made.start()
    return made


def gradients(made: Stepper, pieces: int = 1) -> dict[str, torch.Tensor]:
    """Of the first batch."""
    epoch = made.epoch(0)
    made._optimizer.zero_grad(set_to_none=True)
    texts, places = epoch.batch(0, 8)
    made._gradients.of(texts, places, seed=[1], pieces=pieces)
    found = {name: one.grad for name, one in made.weights().items() if one.grad is not None}
    assert found
    return {name: one.clone() for name, one in found.items()}


def assert_same(left: dict[str, torch.Tensor], right: dict[str, torch.Tensor], rtol: float) -> None:
    assert left.keys() == right.keys()
    largest = max(float(one.abs().max()) for one in right.values())
    for name in left:
        assert torch.allclose(left[name], right[name], rtol=rtol, atol=rtol * largest), name


@pytest.mark.parametrize(
    ("objective", "learned"), [("infonce", False), ("symmetric", True), ("triplet-l2", False)]
)
def test_caching_gives_the_gradients_of_the_whole_batch(
    tmp_path: Path, objective: str, learned: bool
) -> None:
    recipe = replace(RECIPE, objective=objective, learned_temperature=learned, dropout=0.0)
    made = stepper(tmp_path, recipe)
    whole = gradients(made)
    assert ("objective.log_scale" in whole) == learned
    for pieces in (2, 100):
        assert_same(gradients(made, pieces), whole, 2e-5)


def test_the_short_format_too(tmp_path: Path) -> None:
    """Parts share the weights that were turned into it, and each pass has its own."""
    recipe = replace(RECIPE, dropout=0.0, precision="bf16")
    made = stepper(tmp_path, recipe)
    made.encoder.budget = 40  # several parts in one pass
    whole = gradients(made)
    assert_same(gradients(made, 4), whole, 0.1)
    exact = stepper(tmp_path, replace(recipe, precision="fp32"))
    assert_same(whole, gradients(exact), 0.15)


def test_both_passes_of_a_cached_batch_draw_the_same_dropout(tmp_path: Path) -> None:
    """Their slopes agree with small steps of the loss itself, which two draws would not."""
    made = stepper(tmp_path, replace(RECIPE, dropout=0.5))
    texts, places = made.epoch(0).batch(0, 8)
    slopes = gradients(made, 4)
    name = max(slopes, key=lambda one: float(slopes[one].abs().max()))
    place = int(slopes[name].abs().argmax())
    weight = dict(made.weights())[name].detach().view(-1)

    def loss(shift: float) -> float:
        with torch.no_grad():
            weight[place] += shift
        found = made._gradients.of(texts, places, seed=[1], pieces=4)
        with torch.no_grad():
            weight[place] -= shift
        return found

    slope = (loss(1e-3) - loss(-1e-3)) / 2e-3
    assert slope == pytest.approx(float(slopes[name].view(-1)[place]), rel=0.05)


@pytest.mark.parametrize("kind", ["bert", "mpnet", "modernbert"])
def test_kept_lower_layers_change_nothing(tmp_path: Path, kind: str) -> None:
    card = tiny_of(kind, tmp_path / "model")
    recipe = replace(RECIPE, method="lower-frozen", frozen_layers=2, dropout=0.0)
    made = stepper(tmp_path, recipe, card=card)
    assert made.encoder.store is not None
    kept = gradients(made)
    assert not any(".0." in name or ".1." in name or "embed" in name for name in kept)
    store, made.encoder.store = made.encoder.store, None
    assert_same(kept, gradients(made), 0.03)  # kept in two bytes a number
    store.close()
    texts = ["soil and birds", "graph networks", "many words about vision " * 5]
    before = made.encoder.encode(texts)
    made.step((0, 0), 0, 10)
    assert not np.allclose(before, made.encoder.encode(texts), atol=1e-4)


def test_states_of_lower_layers_are_computed_once(tmp_path: Path) -> None:
    recipe = replace(RECIPE, method="lower-frozen", frozen_layers=1)
    asked: list[int] = []

    def counted(made: Stepper) -> None:
        below = made.encoder._below
        made.encoder._below = lambda rows: asked.append(len(rows)) or below(rows)  # type: ignore[method-assign,func-returns-value]

    first = Stepper(job(tmp_path, recipe), null_context(), lambda _note: None)
    counted(first)
    first.start()
    first.epoch(1)
    known = sum(asked)
    assert known == len(first._texts.rows) == len(first.encoder.store or ())
    again = Stepper(job(tmp_path, recipe), null_context(), lambda _note: None)
    counted(again)
    again.start()
    again.epoch(1)
    assert sum(asked) == known
    other = Stepper(job(tmp_path, replace(recipe, max_length=8)), null_context(), lambda _n: None)
    counted(other)
    other.start()
    assert sum(asked) > known
    for made in (first, again, other):
        made.encoder.release()


def test_each_text_is_encoded_once_a_batch(tmp_path: Path) -> None:
    made = stepper(tmp_path, examples=lambda _epoch: example_set([(1, 2), (1, 3), (2, 3), (4, 1)]))
    seen: list[list[int]] = []
    own = made.encoder.vectors
    made.encoder.vectors = lambda rows, *rest: seen.extend(rows) or own(rows, *rest)  # type: ignore[method-assign,func-returns-value]
    made.step((0, 0), 0, 10)
    assert len(seen) == 4


def short_of_memory(made: Stepper, most: int) -> None:
    """The encoder can't hold more than so many texts at a time."""
    own = made.encoder.vectors
    kept: list[int] = []

    def vectors(rows: list[list[int]], *rest: object) -> torch.Tensor:
        kept[:] = [*kept, len(rows)] if torch.is_grad_enabled() else kept
        if sum(kept) > most or len(rows) > most:
            kept.clear()
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        found: torch.Tensor = own(rows, *rest)  # type: ignore[arg-type]
        if torch.is_grad_enabled():
            found.register_hook(lambda _slope: kept.clear())  # type: ignore[no-untyped-call]
        return found

    made.encoder.vectors = vectors  # type: ignore[method-assign,assignment]


def one_step(made: Stepper) -> dict[str, torch.Tensor]:
    """What the weights were moved by, before the optimizer scales it."""
    made.step((0, 0), 0, 10)
    return {name: one.grad for name, one in made.weights().items() if one.grad is not None}


@pytest.mark.parametrize("accumulation", [1, 2])
def test_out_of_memory_halves_what_is_worked_on_and_not_the_batch(
    tmp_path: Path, accumulation: int
) -> None:
    recipe = replace(RECIPE, dropout=0.0, accumulation=accumulation)
    plain = one_step(stepper(tmp_path, recipe))
    notes: list[str] = []
    short = Stepper(job(tmp_path, recipe), null_context(), notes.append)
    short.start()
    short_of_memory(short, 6)
    found = one_step(short)
    assert short.pieces == 4
    assert notes == [halved(4, 8), halved(2, 8)]
    assert_same(found, plain, 1e-4)


def test_not_even_one_text_fits(tmp_path: Path) -> None:
    made = stepper(tmp_path)
    short_of_memory(made, 0)
    with pytest.raises(EnvironmentFault, match="does not hold even one text in training"):
        made.step((0, 0), 0, 10)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"method": "lower-frozen", "frozen_layers": 2}, "the model has only 2; set frozen_layers"),
        ({"method": "head"}, "'head' does not train an encoder"),
    ],
)
def test_what_can_not_be_trained(tmp_path: Path, change: dict[str, str], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        stepper(tmp_path, replace(RECIPE, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "examples",
    [
        lambda _epoch: example_set([]),
        lambda _epoch: example_set([(1, 99), (98, 2)]),  # papers without a text
        lambda _epoch: example_set([(1, 1)]),
    ],
)
def test_nothing_to_learn_from(tmp_path: Path, examples: Callable[[int], object]) -> None:
    with pytest.raises(UserError, match="There is not one example to learn from"):
        stepper(tmp_path, examples=examples)


def test_triplets_without_negatives(tmp_path: Path) -> None:
    recipe = replace(RECIPE, objective="triplet")
    with pytest.raises(UserError, match="has the negatives that this recipe needs"):
        stepper(tmp_path, recipe, examples=lambda _epoch: example_set([(1, 2), (3, 4)]))
    assert stepper(tmp_path, recipe, examples=drawn).epoch(0).dropped == 0


def test_pooling_keeps_all_digits_within_short_passes() -> None:
    """What is pooled within a pass in bf16 is no bf16 number itself."""
    encoder = TrainableEncoder(read_folder(TINY), replace(RECIPE, precision="bf16"), "cpu")
    encoder.model.eval()
    rows = encoder.tokens.ids(["soil birds robots", "graph neural vision quantum"], "paper")
    with torch.no_grad(), encoder.autocast():
        vectors = encoder.vectors(rows, unit=False)
        for row, vector in zip(rows, vectors, strict=True):
            hidden = encoder.model(input_ids=torch.tensor([row])).last_hidden_state
            assert torch.allclose(hidden[0].float().mean(0), vector, atol=2e-2)
    assert vectors.dtype == torch.float32
    sums = vectors * torch.tensor([[len(row)] for row in rows])
    assert not torch.allclose(sums, sums.bfloat16().float(), rtol=1e-5)


def test_long_texts_take_more_memory_a_token(tmp_path: Path) -> None:
    """MiniLM keeps 46 kB a token and layer at 128 tokens and 63 kB at 256: 16 pairs of the longest
    texts, all weights learning, are cut in two to stay within 3 GB; shorter ones are not."""
    from litscape.models.bundled import bundled_card
    from litscape_trainer.loop import memory

    encoder = TrainableEncoder(bundled_card(), replace(RECIPE, method="full"), "cpu")
    for tokens, measured in ((128, 46_000), (256, 63_000)):
        told = memory.bytes_a_token(encoder, replace(RECIPE, method="full"), tokens) / 6
        assert abs(told / measured - 1) < 0.1
    wanted = replace(RECIPE, method="full", batch=16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "free_bytes", lambda: 64 * 10**9)
        assert memory.pieces_at_first(encoder, wanted, 32, 256) == 2
        assert memory.pieces_at_first(encoder, wanted, 32, 200) == 1
