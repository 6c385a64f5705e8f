"""Runs as folders: what is asked of them, and what is known of a process that is gone."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.runs.library import TINY

from litscape.errors import UserError
from litscape.library import Library
from litscape.paper import PaperDraft
from litscape_trainer.recipes import recipe
from litscape_trainer.runs import Training, child, lessons
from litscape_trainer.runs.alive import alive, born
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.lessons import Lesson
from litscape_trainer.runs.queue import launch, reap, turn, waiting
from litscape_trainer.runs.records import RunState
from litscape_trainer.runs.teaching import asking, time_left
from litscape_trainer.verdict import judging

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library."""
    with Library.open(tmp_path / "lib") as opened:
        yield opened


def test_runs_queue_and_are_found_again(library: Library) -> None:
    training = Training(library)
    first = training.start(recipe("head"), begin=False)
    second = training.start(recipe("text").with_set("batch=16"), begin=False)
    assert {one.id for one in training.runs()} == {first.id, second.id}
    assert training.get(first.id).status == "queued"
    assert training.recipe(second.id).batch == 16
    found = waiting(library.folder)
    assert found is not None
    assert found.id == min(first.id, second.id)
    with pytest.raises(UserError, match="Known are"):
        training.get("nothing")


@pytest.mark.skipif(sys.platform != "linux", reason="what a process was given is read in /proc")
def test_the_process_of_a_run_gives_memory_back(library: Library) -> None:
    """Batches of all lengths leave gaps that glibc keeps otherwise, and shapes that oneDNN does."""
    pid = launch(library.folder)
    given = (Path("/proc") / str(pid) / "environ").read_bytes().split(b"\0")
    os.waitpid(pid, 0)
    reap()
    assert {b"MALLOC_MMAP_THRESHOLD_=2097152", b"ONEDNN_PRIMITIVE_CACHE_CAPACITY=64"} <= set(given)


def test_a_queued_run_can_be_paused_and_given_up(library: Library) -> None:
    training = Training(library)
    run = training.start(recipe("head"), begin=False).id
    assert training.pause(run).status == "paused"
    assert waiting(library.folder) is None
    assert training.cancel(run).status == "cancelled"
    for act in (training.pause, training.stop, training.cancel, training.resume):
        with pytest.raises(UserError, match=run):
            act(run)
    training.delete(run)
    assert training.runs() == ()


def test_an_error_ends_a_run_that_was_given_up_as_cancelled(library: Library) -> None:
    training = Training(library)
    ends = {}
    for asked in ("cancel", None):
        run = training.start(recipe("head"), begin=False).id
        folder = RunFolder.of(library.folder, run)
        (folder.path / "recipe.toml").write_text("name = [", encoding="utf-8")
        folder.ask("cancel" if asked else None)
        child.main(library.folder)
        ends[asked] = training.get(run).status
        kinds = [event["kind"] for event in training.events(run)]
        assert kinds == (["error", "end"] if asked else ["end"])
    assert ends == {"cancel": "cancelled", None: "failed"}


def test_a_run_whose_process_is_gone_is_interrupted(library: Library) -> None:
    training = Training(library)
    run = training.start(recipe("head"), begin=False).id
    folder = RunFolder.of(library.folder, run)
    mine = os.getpid()
    state = replace(folder.stored(), status="running", pid=mine, born=born(mine))
    folder.put_state(state)
    assert training.get(run).status == "running"
    training.cancel(run)
    assert folder.asked() == "cancel"
    folder.ask(None)
    # The number is in use again, by a process that began at another time.
    folder.put_state(replace(state, born=(born(mine) or 0) + 1))
    found = training.get(run)
    assert (found.status, found.pid) == ("interrupted", None)
    assert run in found.text


def test_processes_are_known_by_number_and_birth() -> None:
    mine = os.getpid()
    assert alive(mine, born(mine))
    assert not alive(None, None)
    assert not alive(2**22 + 1, 1.0)


def test_one_process_at_a_time_has_the_turn(library: Library) -> None:
    with turn(library.folder) as first, turn(library.folder) as second:
        assert (first, second) == (True, False)
    with turn(library.folder) as again:
        assert again


def test_damaged_folders_hold_nobody_up(library: Library) -> None:
    training = Training(library)
    broken = training.start(recipe("head"), begin=False).id
    sound = training.start(recipe("text"), begin=False).id
    RunFolder.of(library.folder, broken).path.joinpath("state.json").write_text("{", "utf-8")
    assert [one.id for one in training.runs()] == [sound]
    with pytest.raises(UserError, match="can't be read"):
        training.get(broken)
    assert waiting(library.folder) is not None


def test_a_state_of_a_later_release_is_read() -> None:
    assert RunState.from_json({"id": "x", "recipe": "head", "colour": "red"}).id == "x"


@pytest.mark.parametrize("name", ["head", "citation-infonce", "text"])
def test_a_library_that_is_too_small_gets_a_verdict_at_once(library: Library, name: str) -> None:
    training = Training(library)
    run = training.start(recipe(name), begin=False).id
    child.main(library.folder)
    result = training.result(run)
    assert result is not None
    assert (result.verdict, result.version) == ("too-small", None)
    assert "0 papers with an abstract (300 are needed)" in result.sentence
    assert training.get(run).status == "done"
    survey = training.survey()
    assert (survey.enough, survey.papers) == (False, 0)


def test_a_recipe_that_cannot_be_carried_out_says_why(library: Library) -> None:
    training = Training(library)
    with pytest.raises(UserError, match="add-hub"):
        training.start(recipe("head").with_set("base=owner/model"))
    for setting, said in (
        ("builder=magic", "'magic' is no way to build examples; choose one of: citations"),
        ("objective=hinge", "'hinge' is no objective; choose one of: infonce"),
        ("collections=Reading", "no collection 'Reading' here. This library has no collections"),
        ("frozen_layers=6", "has only 6; set frozen_layers to 5 or less"),
    ):
        wanted = recipe("citation-infonce").with_set(setting)
        with pytest.raises(UserError, match=said):
            training.start(wanted, begin=False)
    library.edit.add(PaperDraft(title="A paper about coral", year=1990))
    with pytest.raises(UserError, match="its papers are of 1990 to 1990"):
        training.start(recipe("head").with_set("as_of=1989"), begin=False)
    assert training.runs() == ()


def test_examples_are_refused_in_the_words_of_a_run(library: Library) -> None:
    training = Training(library)
    library.edit.add(PaperDraft(title="A paper about coral", year=2012))
    for wanted, said in (
        (recipe("head").with_set("as_of=1990"), "Nothing in this library is dated 1990 or before"),
        (recipe("text"), r"Too small .* 0 papers with an abstract .* would add abstracts\.$"),
        (recipe("head"), "Importing references .* would add abstracts"),
    ):
        with pytest.raises(UserError, match=said) as caught:
            training.preview(wanted)
        assert "recipe" not in str(caught.value)


def test_where_abstracts_are_lacking_no_links_are_asked_for(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.edit.add(PaperDraft(title="A paper about coral", year=2012))
    monkeypatch.setattr(lessons, "LEAST_LINKS", 0)
    monkeypatch.setattr(judging, "LEAST_LINKS", 0)
    sentence = Training(library).survey().sentence
    assert sentence.endswith("looking them up online, would add abstracts.")
    assert "links" not in sentence


def test_half_of_a_two_part_model_is_refused_before_it_is_queued(
    library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "two-part"
    shutil.copytree(TINY, folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "is_encoder_decoder": True}), "utf-8")
    training = Training(library)
    wanted = replace(recipe("citation-infonce"), base=str(folder))
    for act in (
        lambda: training.start(wanted, begin=False),
        lambda: training.estimate(wanted),
        lambda: training.preview(wanted),
    ):
        with pytest.raises(UserError, match="one half of a two-part model, which can't be trained"):
            act()
    assert training.runs() == ()
    quick = replace(recipe("head"), base=str(folder))  # it reads no text with it in training
    assert training.start(quick, begin=False).status == "queued"


def test_the_minutes_hold_the_asking_at_the_end_too() -> None:
    lesson = Lesson(
        recipe("citation-infonce"), None, None, None, None, 100, None, ()  # type: ignore[arg-type]
    )  # fmt: skip
    assert asking(lesson) == pytest.approx(0.06 * (3 * 100 + 500))
    assert time_left(10.0, 60.0, lesson) == pytest.approx(10 - 1 - asking(lesson) / 60, abs=0.01)
    assert 0 < time_left(0.5, 600.0, lesson) < 0.1  # a trial still says how much is needed
