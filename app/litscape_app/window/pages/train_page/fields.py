"""The numbers of a recipe that can be changed by hand, with what they mean."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number of a recipe.

    Attributes:
        field: its name in the recipe.
        title: as people read it.
        hint: what it does, and where it usually lies.
        least, most, step: what can be chosen.
        decimals: digits after the point; 0 for whole numbers.
    """

    field: str
    title: str
    hint: str
    least: float
    most: float
    step: float
    decimals: int = 0


NUMBERS = (
    NumberField(
        "learning_rate", "Learning rate",
        "How far one step moves the weights; 0.00002 to 0.00005 is usual, 0.001 for quick adapt.",
        1e-6, 1e-2, 1e-5, 6,
    ),
    NumberField(
        "batch", "Examples a step",
        "Papers of one step are contrasted with each other: more is harder and takes more memory.",
        2, 4096, 8,
    ),
    NumberField(
        "temperature", "Temperature",
        "Lower looks at the nearest wrong papers only; 0.05 is safe for small libraries.",
        0.005, 1.0, 0.01, 3,
    ),
    NumberField(
        "hard_negatives", "Hard negatives",
        "Near but wrong papers shown beside each example.",
        0, 8, 1,
    ),
    NumberField(
        "max_length", "Words read in training",
        "Tokens of title and abstract; searching always reads as much as the model can.",
        16, 8192, 16,
    ),
    NumberField(
        "frozen_layers", "Layers that stay",
        "The lowest layers keep their weights: faster, and less is forgotten.",
        0, 48, 1,
    ),
    NumberField(
        "teacher_words", "Share of words",
        "How much shared words count in what the model is taught; the rest is what it knows.",
        0.0, 0.9, 0.05, 2,
    ),
    NumberField(
        "teacher_links", "Weight of a link",
        "What a citation adds to the likeness of two papers, 0.5 is more than most words do.",
        0.0, 2.0, 0.05, 2,
    ),
    NumberField(
        "epochs", "Passes", "How often each paper is seen at most.", 0.1, 100.0, 1.0, 1,
    ),
    NumberField(
        "seed", "Seed", "The same number gives the same draw of examples.", 0, 2**31 - 1, 1,
    ),
)  # fmt: skip
