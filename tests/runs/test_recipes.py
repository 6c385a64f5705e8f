"""Recipes: files that can be shared, and settings that are held against what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape_trainer.examples.registry import BUILDERS
from litscape_trainer.objectives.registry import OBJECTIVES
from litscape_trainer.recipes import RECIPES, TrainingRecipe, recipe

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_can_be_carried_out_and_shared(name: str, tmp_path: Path) -> None:
    found = recipe(name)
    assert found.name == name
    assert found.about.endswith(".")
    assert found.builder in BUILDERS
    assert found.objective in OBJECTIVES
    file = tmp_path / "shared.toml"
    file.write_text(found.to_toml(), encoding="utf-8")
    assert recipe(str(file)) == found
    assert TrainingRecipe.from_json(found.to_json()) == found


def test_a_setting_is_changed_by_its_name() -> None:
    found = recipe("citation-infonce")
    changed = found.with_set("batch = 64").with_set("max-length=none").with_set("base=my model")
    assert (changed.batch, changed.max_length, changed.base) == (64, None, "my model")
    assert changed.hash != found.hash
    assert found.with_set(f"batch={found.batch}").hash == found.hash
    assert TrainingRecipe.from_toml(changed.to_toml()) == changed


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("batch=many", "whole number"),
        ("batch=1", "between 2"),
        ("method=magic", "none of: full"),
        ("learning_rate=fast", "a number"),
        ("colour=red", "no setting 'colour'"),
        ("batch", "batch was given no value: write batch=VALUE"),
        ("learned_temperature=1", "true or false"),
    ],
)
def test_a_wrong_setting_is_refused_in_words(assignment: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        recipe("head").with_set(assignment)


@pytest.mark.parametrize("name", ["../../../etc", "a/b", "a\\b", "", "..", "two\nlines"])
def test_a_name_with_parts_of_a_path_is_none(name: str) -> None:
    with pytest.raises(UserError, match="name"):
        TrainingRecipe(name)
    with pytest.raises(UserError, match="name"):
        TrainingRecipe.from_json({"name": name})


def test_a_file_without_a_name_is_no_recipe(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    for text in ("", "batch = 64\n"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UserError, match=f"{file} is no recipe: it has no name"):
            recipe(str(file))
    file.write_text('name = "Mine, of 2026"', encoding="utf-8")
    assert recipe(str(file)).name == "Mine, of 2026"


def test_what_is_no_recipe_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("name = [", encoding="utf-8")
    for name, said in (
        ("heat", "near it"),
        (str(file), "no recipe"),
        ("no.toml", "no recipe file no.toml"),
    ):
        with pytest.raises(UserError, match=said):
            recipe(name)


def test_what_is_wrong_with_a_file_is_told_plainly(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.toml", tmp_path / "folder.toml"
    folder.mkdir()
    for name in (folder, tmp_path):
        with pytest.raises(UserError, match=r"is a folder; a recipe is a .toml file"):
            recipe(str(name))
    with pytest.raises(UserError, match=r"There are: citation-infonce, head, .*a .toml file"):
        recipe("nope")
    for line, said in (
        ("batchh = 8", "no setting “batchh”; near it: “batch”"),
        ('unset = ["batch"]', "batch can't be unset"),
        ("unset = 3", "unset is a list"),
        ('unset = ["colour"]', "no setting “colour”"),
    ):
        file.write_text(f'name = "mine"\n{line}\n', encoding="utf-8")
        with pytest.raises(UserError, match=said):
            recipe(str(file))
    file.write_bytes(b"\xff")
    with pytest.raises(UserError, match="no text in UTF-8"):
        recipe(str(file))
