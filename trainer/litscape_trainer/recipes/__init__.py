"""Training recipes: what to learn from, by which objective, how long; a TOML file each."""

from litscape_trainer.recipes.recipe import TrainingRecipe
from litscape_trainer.recipes.registry import DEFAULT, QUICK, RECIPES, recipe

__all__ = ["DEFAULT", "QUICK", "RECIPES", "TrainingRecipe", "recipe"]
