"""The recipes that come with the program; a new one is a TOML file beside this and its name here.

A recipe of one's own is a file too, and named by its path.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from litscape.errors import UserError
from litscape.near import no_such
from litscape_trainer.recipes.recipe import TrainingRecipe

RECIPES = ("citation-infonce", "head", "specter", "scincl", "scitbert-ci", "cocitation", "text")
"""By name, in the order of lists."""
DEFAULT = "citation-infonce"
QUICK = "head"
_FOLDER = Path(__file__).parent


def recipe(name: str) -> TrainingRecipe:
    """A recipe by its name, or by the path of its file.

    Raises:
        UserError: there is none, or the file is no recipe.
    """
    if name in RECIPES:
        return _own(name)
    path = Path(name).expanduser()
    if path.suffix.lower() == ".toml":
        return TrainingRecipe.from_file(path)
    if name.strip() and path.is_dir():
        raise UserError(f"{path} is a folder; a recipe is a .toml file.")
    raise UserError(
        f"{no_such('recipe', name, RECIPES)} There are: {', '.join(RECIPES)}; or give the path of "
        "a .toml file."
    )


@cache
def _own(name: str) -> TrainingRecipe:
    return TrainingRecipe.from_file(_FOLDER / f"{name}.toml")


def all_recipes() -> tuple[TrainingRecipe, ...]:
    """Those that come with the program."""
    return tuple(recipe(name) for name in RECIPES)
