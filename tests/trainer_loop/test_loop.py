"""Runs of the loop: broken off and gone on with, measured, stopped, out of luck."""

from __future__ import annotations

import resource
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.trainer_loop.support import RECIPE, TINY, drawn, example_set, job, papers, tiny_of

from litscape.embed.torch_encoder import TorchEncoder
from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.models.folder import read_folder
from litscape_trainer.choosing import NOT_BETTER
from litscape_trainer.encoders.trainable import TrainableEncoder
from litscape_trainer.loop.probe import probe
from litscape_trainer.loop.train import forget, train

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape_trainer.loop.records import Encode

TEXTS = [f"{title} {abstract}" for title, abstract in papers().values()]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def nearness(encode: Encode) -> NDArray[np.float64]:
    """How near the pairs of the first epoch are: something to measure."""
    vectors = encode(TEXTS)
    first = drawn(0)
    near = (vectors[first.anchors - 1] * vectors[first.positives - 1]).sum(axis=1)
    return np.array(near, dtype=np.float64)


def alike(value: float) -> NDArray[np.float64]:
    """Queries that all gain the same: what is gained is certain."""
    return np.array([value - 0.125, value + 0.125])


class KilledError(Exception):
    """As if the process had been killed."""


def killing(step: int) -> Any:
    def on_event(event: Mapping[str, Any]) -> None:
        if event["kind"] == "step" and event["step"] == step:
            raise KilledError

    return on_event


@pytest.mark.parametrize("method", ["full", "lower-frozen", "lora"])
def test_a_resumed_run_gives_the_same_weights(tmp_path: Path, method: str) -> None:
    """Broken off after each step in turn; dropout on, several epochs, two batches a step."""
    recipe = replace(
        RECIPE,
        method=method,  # type: ignore[arg-type]
        frozen_layers=1,
        steps=5,
        dropout=0.2,
        accumulation=2 if method == "full" else 1,
        objective="symmetric",
        learned_temperature=True,
        patience=9,
    )
    whole = train(job(tmp_path / "whole", recipe, dev=nearness))
    assert whole.ended == "finished"
    assert whole.dev[0] == (0, whole.baseline)
    broken = job(tmp_path / "broken", recipe, dev=nearness)
    for step in range(1, 6):
        with pytest.raises(KilledError):
            train(broken, None, killing(step))
    again = train(broken)
    assert (again.dev, again.best_step, again.step) == (whole.dev, whole.best_step, 5)
    assert whole.folder is not None
    assert again.folder is not None
    mine, theirs = weights(whole.folder), weights(again.folder)
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    base = weights(TINY)
    assert any(not torch.equal(mine[name], base[name]) for name in base)


def test_the_kept_model_is_the_one_that_measured_best(tmp_path: Path) -> None:
    figures = iter([0.5, 0.4, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6])
    seen: list[np.ndarray[Any, Any]] = []

    def dev(encode: Encode) -> NDArray[np.float64]:
        seen.append(encode(TEXTS))
        return alike(next(figures))

    events: list[Mapping[str, Any]] = []
    recipe = replace(RECIPE, dev_every=0.1, patience=3)
    made = train(job(tmp_path, recipe, dev=dev), None, events.append)
    assert (made.ended, made.best_step, made.best, made.baseline) == ("early", 2, 0.7, 0.5)
    assert made.sentence == (
        "Ended after step 5 of 10, as nothing was gained any more. Kept are the weights of step "
        "2, which measured best: 0.7000 against 0.5000 of the base model."
    )
    assert made.folder is not None
    card = read_folder(made.folder)
    found = TorchEncoder(card, device="cpu", dtype="float32").encode(TEXTS)
    assert np.allclose(found, seen[2], atol=1e-5)
    library = pytest.importorskip("sentence_transformers")
    theirs = library.SentenceTransformer(str(made.folder), device="cpu").encode(TEXTS)
    assert np.allclose(theirs, seen[2], atol=1e-5)
    kinds = [event["kind"] for event in events]
    assert (kinds[0], kinds[-1]) == ("state", "state")
    told = [event["value"] for event in events if event["kind"] == "dev"]
    assert told == [0.5, 0.4, 0.7, 0.6, 0.6, 0.6]
    assert kinds.count("checkpoint") == 6
    assert len(list((tmp_path / "checkpoints").iterdir())) == 3  # two states, and the best
    forget(tmp_path)
    assert not (tmp_path / "checkpoints").exists()


def test_no_gain_keeps_the_base_model(tmp_path: Path) -> None:
    figures = iter([0.5, *[0.4] * 9])
    recipe = replace(RECIPE, steps=6)
    made = train(job(tmp_path, recipe, dev=lambda _encode: alike(next(figures))))
    assert (made.ended, made.best_step) == ("early", 0)
    assert made.sentence.endswith(NOT_BETTER)
    assert made.folder is not None
    base = weights(TINY)
    assert all(torch.equal(one, base[name]) for name, one in weights(made.folder).items())


def test_a_gain_within_its_noise_keeps_the_base_model(tmp_path: Path) -> None:
    """The same mean gain, of four queries: once all gain, once two gain and two lose."""
    recipe = replace(RECIPE, steps=2, dev_every=0.5)
    base = np.array([0.2, 0.4, 0.6, 0.8])
    kept = {}
    for name, gain in (("all", [0.1] * 4), ("some", [0.5, 0.5, -0.3, -0.3])):
        looks = iter([base, base + np.array(gain), base])
        asked = job(tmp_path / name, recipe, dev=lambda _encode, looks=looks: next(looks))
        if name == "some":  # what is needed to choose outlives the process
            with pytest.raises(KilledError):
                train(asked, None, killing(2))
        kept[name] = train(asked)
    assert kept["all"].best_step == 1
    assert kept["all"].best == pytest.approx(0.6)
    assert (kept["some"].best_step, kept["some"].best) == (0, 0.5)
    assert dict(kept["some"].dev)[1] == pytest.approx(0.6)
    assert kept["some"].sentence == f"All 2 steps were made. {NOT_BETTER}"
    plain = weights(TINY)
    for name, model in kept.items():
        assert model.folder is not None
        mine = weights(model.folder)
        assert all(torch.equal(mine[one], plain[one]) for one in mine) == (name == "some")


def test_pause_go_on_and_stop(tmp_path: Path) -> None:
    whole = train(job(tmp_path / "whole"))
    wishes = iter(["go", "go", "pause", "go", "stop"])
    broken = job(tmp_path / "broken", wish=lambda: next(wishes))
    paused = train(broken)
    assert (paused.ended, paused.step, paused.folder) == ("paused", 3, None)
    assert paused.sentence == "Paused after step 3 of 10; nothing is lost."
    stopped = train(broken)
    assert (stopped.ended, stopped.step, stopped.best_step) == ("stopped", 5, 5)
    ended = train(replace(broken, wish=lambda: "go"))
    assert whole.folder is not None
    assert ended.folder is not None
    mine, theirs = weights(whole.folder), weights(ended.folder)
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_cancelling_leaves_the_checkpoints(tmp_path: Path) -> None:
    ctx = JobContext(lambda _event: None)

    def on_event(event: Mapping[str, Any]) -> None:
        if event["kind"] == "step" and event["step"] == 5:
            ctx.cancel()

    with pytest.raises(JobCancelledError):
        train(job(tmp_path), ctx, on_event)
    assert (tmp_path / "checkpoints" / "step-0000004" / "progress.json").exists()
    assert not (tmp_path / "model").exists()


def test_a_loss_that_is_no_number_ends_the_run_with_the_last_good_weights(tmp_path: Path) -> None:
    def examples(epoch: int) -> Any:
        found = drawn(epoch)
        return found if epoch < 2 else replace(found, weights=found.weights * np.float32("nan"))

    made = train(job(tmp_path, examples=examples))
    assert (made.ended, made.step, made.best_step) == ("diverged", 4, 4)
    assert "the loss was no number any more" in made.sentence
    assert made.folder is not None
    assert all(bool(torch.isfinite(one).all()) for one in weights(made.folder).values())


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    """A file can't grow beyond a limit that the system holds the process to."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def on_event(event: Mapping[str, Any]) -> None:
        if event["kind"] == "step" and event["step"] == 4:
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))

    sentence = r"of step 4 could not be written to .*: .*[Ff]ile.* one before it is untouched"
    try:
        with pytest.raises(EnvironmentFault, match=sentence):
            train(job(tmp_path), None, on_event)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    names = sorted(path.name for path in (tmp_path / "checkpoints").glob("step-*"))
    assert names == ["step-0000000", "step-0000002"]
    assert train(job(tmp_path)).ended == "finished"


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path) -> None:
    whole = train(job(tmp_path))
    assert whole.folder is not None
    expected = weights(whole.folder)
    last = tmp_path / "checkpoints" / "step-0000010" / "weights.safetensors"
    last.write_bytes(last.read_bytes()[:-100])
    again = train(job(tmp_path))
    assert again.folder is not None
    assert all(torch.equal(one, expected[name]) for name, one in weights(again.folder).items())


def test_checkpoints_of_another_recipe(tmp_path: Path) -> None:
    train(job(tmp_path, replace(RECIPE, steps=1)))
    with pytest.raises(UserError, match="are of another recipe or base model; start a new run"):
        train(job(tmp_path, replace(RECIPE, steps=1, margin=0.9)))


def test_titles_against_abstracts(tmp_path: Path) -> None:
    pairs = [(paper, paper) for paper in range(1, 20)]
    made = train(
        job(
            tmp_path,
            examples=lambda _epoch: example_set(pairs, sides=("title", "abstract")),
            texts={**papers(), 3: ("a title alone", None), 4: (None, None)},
        )
    )
    assert made.ended == "finished"
    assert "2 examples have a side without text" in made.notes[0]


@pytest.mark.parametrize("kind", ["mpnet", "modernbert"])
def test_other_architectures_are_written_whole(tmp_path: Path, kind: str) -> None:
    card = tiny_of(kind, tmp_path / "base")
    made = train(job(tmp_path / "run", replace(RECIPE, method="lora", steps=2), card=card))
    assert made.folder is not None
    assert weights(made.folder).keys() == weights(card.folder).keys()
    found = TrainableEncoder(read_folder(made.folder), RECIPE, "cpu").encode(TEXTS)
    base = TorchEncoder(card, "cpu", "float32").encode(TEXTS)
    assert not np.allclose(found, base, atol=1e-4)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_dense_layer_of_the_base_learns_too(tmp_path: Path, precision: str) -> None:
    from litscape_trainer.checkpoints.folder import write_folder

    rng = np.random.default_rng(2)
    layer = (rng.normal(size=(8, 24)).astype(np.float32), np.zeros(8, np.float32), "tanh")
    write_folder(read_folder(TINY), tmp_path / "base", head=[layer])
    card = read_folder(tmp_path / "base")
    recipe = replace(RECIPE, steps=2, precision=precision)  # type: ignore[arg-type]
    made = train(job(tmp_path / "run", recipe, card=card))
    assert made.folder is not None
    new = read_folder(made.folder)
    assert (new.dense, new.unit_before, new.dim) == (card.dense, card.unit_before, 8)
    before, after = (
        load_file(one.folder / one.dense[0].folder / "model.safetensors") for one in (card, new)
    )
    assert not torch.equal(before["linear.weight"], after["linear.weight"])


def test_a_probe_says_what_fits(tmp_path: Path) -> None:
    asked = job(tmp_path, replace(RECIPE, steps=50), dev=nearness)
    free = probe(asked)
    assert (free.steps, free.micro_batch, free.device, free.precision) == (50, 8, "cpu", "float32")
    assert free.seconds_per_step > 0
    assert free.peak_bytes > 1e8
    assert not (tmp_path / "probe").exists()
    few = probe(asked, minutes=1e-4, dev_texts=10_000, library_texts=10_000)
    assert few.steps == 1
    assert "minutes are too short: a single step with measuring and embedding" in few.sentence
    assert few.needed_minutes > 1e-4
    assert few.notes
    cut = probe(replace(asked, recipe=replace(asked.recipe, steps=9)), minutes=1e-4)
    assert cut.steps == 1
    assert "Of the 9 steps that were asked for, 1 is made." in cut.notes
