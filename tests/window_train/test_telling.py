"""What a run is told as: its stages, its time, and the figure of the weights that are kept."""

from __future__ import annotations

import pytest

from litscape.models.bundled import bundled_card
from litscape_app.window.pages.train_page.curve import course, ended, kept_in_words
from litscape_app.window.pages.train_page.telling import run_figures, run_sentence, stages
from litscape_app.window.words import told_apart
from litscape_trainer.runs.records import Phase, RunState

DEV = [
    {"kind": "dev", "step": step, "value": value, "baseline": 0.4, "best": best, "best_step": at}
    for step, value, at, best in ((0, 0.40, 0, 0.40), (4, 0.46, 4, 0.46), (8, 0.43, 4, 0.46))
]


def state(phase: Phase, **values: float) -> RunState:
    return RunState("a", "citation-infonce", "running", phase, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        ("probing", "▸ Preparing   Training   Reading the library   Measuring"),
        ("training", "✓ Preparing   ▸ Training   Reading the library   Measuring"),
        ("measuring", "✓ Preparing   ✓ Training   ✓ Reading the library   ▸ Measuring"),
    ],
)
def test_the_stage_of_a_run_is_pointed_at(phase: Phase, told: str) -> None:
    assert stages(state(phase)) == told


def test_time_left_is_that_of_the_whole_run_or_none() -> None:
    going = state("training", step=5, steps=10, seconds=60.0, seconds_left=50.0)
    assert run_figures(going, 4.0) == "step 5 of 10 · about 3 min left, with measuring"
    assert run_figures(going) == "step 5 of 10"  # a head measures after its minutes
    assert run_figures(going, 1.5) == "step 5 of 10"  # it is late: nothing is promised
    after = state("measuring", step=10, steps=10, seconds=60.0)
    assert run_figures(after, 4.0) == "step 10 of 10"


def test_what_is_behind_a_run_is_a_sentence_of_its_own() -> None:
    going = RunState("a", "head", "running", "embedding", text="Reads 256 of 480 papers")
    assert run_sentence(going, None, 0, 0) == "Reads 256 of 480 papers"
    assert run_sentence(going, None, 0, 2) == ("Reads 256 of 480 papers. 2 more runs in the queue.")


def test_the_figure_shown_is_that_of_the_kept_step() -> None:
    found = course(DEV)
    assert kept_in_words(found) == "best so far: 0.460, step 4"
    assert kept_in_words(ended(found, 0.46)) == "kept: 0.460, step 4"
    # Where the encoder began with a layer, step 0 is that layer, not the base model.
    began = course([{"kind": "start", "text": "It began."}, *DEV[:1]])
    assert kept_in_words(began) == "best so far: 0.400, with the layer it began with"
    # A gain that may be chance: the model before training is kept.
    chance = ended(found, 0.4)
    assert chance.kept == (0, 0.4)
    assert kept_in_words(chance) == "kept: 0.400, before training"


def test_models_of_one_name_are_told_apart() -> None:
    from dataclasses import replace

    card = bundled_card()
    one = replace(card, name="Mine", version="mine-aaaa111111")
    two = replace(card, name="Mine", version="mine-aaaa222222")
    assert told_apart((card, one, two)) == {
        card.version: card.name,
        one.version: "Mine (111111)",
        two.version: "Mine (222222)",
    }
