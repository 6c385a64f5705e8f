"""What a run leaves: a verdict with its figures, a model that others open, a library as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from tests.runs.library import PAPERS, quick

from litscape.embed.torch_encoder import TorchEncoder
from litscape.errors import UserError
from litscape.evaluation.material import Material
from litscape.evaluation.past import past
from litscape.evaluation.scratch import without
from litscape.library import Library
from litscape.models import switching
from litscape.models.comparing import compare_models
from litscape.models.exchange import CARD, export_model, import_model
from litscape_app.__main__ import main
from litscape_app.cli.commands.train_words import told_result
from litscape_trainer.recipes import recipe
from litscape_trainer.runs import Training, child, teaching
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.judged import warning
from litscape_trainer.runs.lessons import by_choice, without_links
from litscape_trainer.runs.records import WORDS, RunResult
from litscape_trainer.source import read_source
from litscape_trainer.splits import split_source
from litscape_trainer.verdict.asked import CANDIDATES
from litscape_trainer.verdict.blending import hiding
from litscape_trainer.verdict.judging import too_small

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = ["coral studies of reefs", "A violin, in the field, with methods told at length " * 9]


@pytest.fixture
def library(trained: tuple[Path, str]) -> Iterator[Library]:
    """The library in which a run ended."""
    with Library.open(trained[0], create=False) as opened:
        yield opened


@pytest.fixture
def result(library: Library, trained: tuple[Path, str]) -> RunResult:
    """What came out of the run."""
    found = Training(library).result(trained[1])
    assert found is not None, Training(library).get(trained[1]).text
    return found


def test_the_verdict_has_a_word_a_sentence_and_every_figure(result: RunResult) -> None:
    assert result.verdict in WORDS
    assert result.verdict != "too-small"
    assert result.split.startswith("by link")  # few papers: links alone are hidden
    assert f"held-out links of {result.queries:,} papers" in result.sentence
    assert CANDIDATES in result.notes
    assert not any("test is asked" in note for note in result.notes)  # it was the first time
    for task, measure in (("citations", "Recall@20"), ("reranking", "MAP"), ("titles", "MRR")):
        for system in ("words", "tfidf", "base", "current", "new", "hybrid-current", "hybrid-new"):
            row = result.row(task, system, measure)
            assert row is not None, (task, system)
            assert row.estimate.low <= row.estimate.mean <= row.estimate.high
    for system in ("blend-base", "blend-current", "blend-new"):
        assert result.row("citations", system, "Recall@20") is not None
    changed = result.row("citations", "blend-new", "nDCG@10")
    assert changed is not None
    assert (changed.against, changed.over is None) == ("blend-current", False)
    new = result.row("citations", "new", "nDCG@10")
    assert new is not None
    assert new.over is not None
    assert new.over.wins + new.over.ties + new.over.losses == result.queries
    assert sum(result.examples["positives"].values()) == result.examples["examples"]
    assert result.seconds > 0 < result.peak_mb
    assert RunResult.from_json(result.to_json()) == result


@pytest.mark.parametrize("by", ["year", "paper", "edge"])
def test_similar_papers_are_measured_without_the_links_asked_for(
    library: Library, by: Literal["year", "paper", "edge"]
) -> None:
    source = read_source(library)
    split = split_source(source, recipe("citation-infonce"), by)
    asked = {(one.paper, cited) for one in (*split.dev, *split.test) for cited in one.relevant}
    assert asked & set(map(tuple, source.material.links.tolist()))
    with without(library, hiding(split)) as copy:
        left = {(int(a), int(b)) for a, b in Material.of(copy).links}
    assert left
    assert not left & (asked | {(b, a) for a, b in asked})
    assert set(map(tuple, split.training.tolist())) <= left


def test_a_run_may_begin_with_a_layer_on_the_stored_vectors(
    library: Library, result: RunResult
) -> None:
    assert any("It began with a layer on the stored vectors: 0." in one for one in result.notes)
    card = library.models.get(str(result.version))
    assert [(layer.inputs, layer.activation) for layer in card.dense] == [(24, "identity")]
    plain = library.models.get(result.base)
    assert not plain.dense


def test_queries_that_changed_are_shown_with_both_lists(result: RunResult) -> None:
    for changed, sign in ((result.gained, 1), (result.lost, -1)):
        for one in changed:
            assert (one.after - one.before) * sign > 0
            assert len(one.old) == len(one.new) == 10


def test_the_test_was_opened_once_and_is_noted(library: Library, result: RunResult) -> None:
    noted = [one for one in past(library.database) if one.part == "test"]
    assert len(noted) == 1
    assert noted[0].report is not None
    assert noted[0].report.model == result.version
    assert noted[0].report.sentences == (result.sentence,)


def test_the_model_in_use_stays_and_nothing_is_left_behind(
    library: Library, result: RunResult, trained: tuple[Path, str]
) -> None:
    assert library.models.active_version() == result.current == result.base
    assert library.models.active_version() != result.version
    folder = RunFolder.of(library.folder, trained[1])
    kinds = {path.name for path in folder.path.iterdir()}
    assert {"recipe.toml", "state.json", "log.jsonl", "result.json"} <= kinds
    assert not kinds & {"snapshot", "snapshot.new", "work", "output", "request"}
    # All but the paper that came in meanwhile, of which the result tells.
    assert library.vector_store.pending(library.models.get(str(result.version))) == 1
    assert any("1 paper came in" in note for note in result.notes)


def test_the_card_says_how_it_was_made(library: Library, result: RunResult) -> None:
    card = library.models.get(str(result.version))
    assert (card.source, card.base) == ("trained", library.models.get(result.base).base)
    assert card.recipe is not None
    assert card.recipe.startswith("citation-infonce ")
    readme = (card.folder / "README.md").read_text(encoding="utf-8")
    for part in ("base_model: tiny-encoder", "license: ", result.sentence, "| New model | nDCG@10"):
        assert part in readme
    assert card.folder.is_relative_to(library.folder / "models")


def test_sentence_transformers_opens_it_and_gives_the_same_vectors(
    library: Library, result: RunResult
) -> None:
    from sentence_transformers import SentenceTransformer

    card = library.models.get(str(result.version))
    ours = TorchEncoder(card, "cpu", "float32").encode(TEXTS)
    theirs = SentenceTransformer(str(card.folder), device="cpu").encode(TEXTS)
    assert np.allclose(ours, theirs, atol=1e-5)


def test_a_switch_waits_for_vectors_and_the_way_back_finds_the_same(
    library: Library, result: RunResult
) -> None:
    """The paper that came in since is embedded first."""
    old, new = result.current, str(result.version)
    paper = int(library.papers.ids()[0])
    before = library.vector_store.snapshot(old)
    found = switching.switch(library, new)
    assert found.embedded == 1
    assert (found.before, library.models.active_version()) == (old, new)
    assert library.models.former() is not None
    with pytest.raises(UserError, match="in use"):
        switching.remove(library, new)
    difference = compare_models(library, old, new)
    assert 0 <= difference.shared <= 1
    assert difference.papers == len(before)
    library.models.activate(old)
    after = library.vector_store.snapshot(old)
    assert after.revision == before.revision
    assert np.array_equal(after.matrix, before.matrix)
    assert paper in after.ids


def test_a_model_that_is_not_better_is_used_with_a_warning(
    result: RunResult, trained: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its vectors are there since the last test: nothing is read again."""
    place, new = str(trained[0]), str(result.version)
    folder = RunFolder.of(trained[0], trained[1])
    try:
        for word in ("worse", "better"):
            said = "Worse on 60 papers."
            folder.put_result(replace(result, verdict=word, sentence=said))
            assert main(["models", "activate", new, "--library", place]) == 0
            told, meanwhile = capsys.readouterr()
            assert f"Making ready {new}." in meanwhile
            assert f"{new} is in use" in told
            assert (f"when it was trained: {said}" in told) == (word == "worse")
    finally:
        folder.put_result(result)
        with Library.open(trained[0], create=False) as library:
            library.models.activate(result.current)


def test_models_travel_as_folders_and_archives(
    library: Library, result: RunResult, tmp_path: Path
) -> None:
    card = library.models.get(str(result.version))
    packed = export_model(card, tmp_path / "model.zip")
    with pytest.raises(UserError, match="there already"):
        export_model(card, packed)
    with Library.open(tmp_path / "other") as other:
        taken = import_model(other.models, packed)
        assert (taken.version, taken.recipe) == (card.version, card.recipe)
        assert other.models.get(card.version).folder.is_relative_to(other.folder)
        folder = export_model(taken, tmp_path / "folder")
        with (folder / "model.safetensors").open("r+b") as stream:
            stream.seek(-4, 2)
            stream.write(b"abcd")
        with pytest.raises(UserError, match="changed or damaged"):
            import_model(other.models, folder)
        (folder / "tokenizer.json").unlink()
        with pytest.raises(UserError, match=f"{folder} has no tokenizer"):
            import_model(other.models, folder)
        switching.remove(other, taken.version)
        assert [one.source for one in other.models.available()] == ["bundled"]
        assert not taken.folder.exists()


def test_archives_that_reach_outside_are_refused(library: Library, tmp_path: Path) -> None:
    import zipfile

    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("../outside.json", "{}")
    with pytest.raises(UserError, match="outside its own folder"):
        import_model(library.models, bad)
    (tmp_path / "no.zip").write_text("no archive", encoding="utf-8")
    with pytest.raises(UserError, match=r"no \.zip file"):
        import_model(library.models, tmp_path / "no.zip")
    with pytest.raises(UserError, match="no model at"):
        import_model(library.models, tmp_path / "nothing")


def test_what_is_false_or_foreign_in_an_archive_is_told(
    library: Library, result: RunResult, tmp_path: Path
) -> None:
    card = library.models.get(str(result.version))
    with pytest.raises(UserError, match=f"There is no folder {tmp_path / 'no'}"):
        export_model(card, tmp_path / "no" / "model.zip")
    folder = export_model(card, tmp_path / "folder")
    (folder / "setup.py").write_text("raise SystemExit", encoding="utf-8")
    said = json.loads((folder / CARD).read_text(encoding="utf-8"))
    left: list[str] = []
    with Library.open(tmp_path / "other") as other:
        for wrong, sentence in (
            ({"dim": 768}, "speaks of vectors of 768 numbers, and the weights beside it give 24"),
            ({"version": "../../x"}, "'../../x' as a version, which is none"),
        ):
            (folder / CARD).write_text(json.dumps({**said, **wrong}), encoding="utf-8")
            with pytest.raises(UserError, match=sentence):
                import_model(other.models, folder)
        assert len(other.models.available()) == 1
        (folder / CARD).write_text(json.dumps(said), encoding="utf-8")
        taken = import_model(other.models, folder, left_behind=left.extend)
        assert left == ["setup.py"]
        assert not (taken.folder / "setup.py").exists()


def test_what_was_judged_is_told_wherever_the_model_is(
    library: Library, result: RunResult, trained: tuple[Path, str]
) -> None:
    found = Training(library).judged()[str(result.version)]
    assert (found.run, found.recipe) == (trained[1], "citation-infonce")
    assert (found.verdict, found.sentence) == (result.verdict, result.sentence)
    assert warning(None) == warning(replace(found, verdict="better")) == ""
    worse = replace(found, verdict="worse", sentence="Worse on 9 papers.", made_at="2026-11-30T1")
    assert warning(worse) == "Judged on 2026-11-30, when it was trained: Worse on 9 papers."


def test_too_small_by_choice_says_so(library: Library) -> None:
    wanted = recipe("citation-infonce").with_set("as_of=2001")
    plain = too_small(PAPERS, 1000, 0)
    assert plain is not None
    refusal = by_choice(read_source(library), wanted, plain)
    assert "comes of the year 2001: the whole library has enough" in refusal.sentence
    assert "Importing references" not in refusal.sentence
    assert by_choice(read_source(library), recipe("citation-infonce"), plain) == plain


def test_without_links_the_way_on_is_by_titles_and_abstracts(library: Library) -> None:
    source, plain = read_source(library), too_small(PAPERS, 0, 0)
    assert plain is not None
    found = without_links(source, recipe("head"), plain)
    assert found.sentence == (
        f"{plain.sentence} Titles and abstracts alone can be learnt from without links, by the "
        "recipe 'text'."
    )
    assert without_links(source, recipe("text"), plain) == plain


def test_a_removed_model_is_told_as_removed(library: Library, result: RunResult) -> None:
    state = Training(library).get(result.id)
    assert f"{result.version}, was removed since" in told_result(state, result, removed=True)
    assert f"models activate {result.version}" in told_result(state, result)


@pytest.mark.parametrize("steps", ["steps=6", "steps=none"])
def test_minutes_that_no_step_fits_into_are_refused_whatever_the_steps(
    library: Library, monkeypatch: pytest.MonkeyPatch, steps: str
) -> None:
    monkeypatch.setattr(teaching, "time_left", lambda *_given: 1e-4)
    training = Training(library)
    wanted = quick(recipe("citation-infonce"), "minutes=0.05", steps)
    run = training.start(wanted, begin=False).id
    child.main(library.folder)
    state = training.get(run)
    training.delete(run)
    assert state.status == "failed"
    assert state.text.startswith("Nothing was trained.")
    assert "too short" in state.text
