"""What became of a training, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_trainer.choosing import NOT_BETTER

if TYPE_CHECKING:
    from litscape_trainer.checkpoints.states import RunProgress
    from litscape_trainer.loop.records import Ended


def ending(ended: Ended, progress: RunProgress) -> str:
    """Why a run ended, and which weights are kept."""
    step, steps = f"{progress.step:,}", f"{progress.steps:,}"
    first = {
        "finished": f"All {steps} steps were made."
        if progress.steps != 1
        else "The one step was made.",
        "early": f"Ended after step {step} of {steps}, as nothing was gained any more.",
        "stopped": f"Stopped after step {step} of {steps}.",
        "paused": f"Paused after step {step} of {steps}; nothing is lost.",
        "diverged": (
            f"Training broke down after step {step} of {steps}: the loss was no number any more. "
            "A lower learning rate may help."
        ),
    }[ended]
    return first if ended == "paused" else f"{first} {_kept(progress)}"


def _kept(progress: RunProgress) -> str:
    if progress.best is None or progress.baseline is None:
        return f"Kept are the weights of step {progress.best_step:,}."
    if progress.best_step == 0:
        return NOT_BETTER
    return (
        f"Kept are the weights of step {progress.best_step:,}, which measured best: "
        f"{progress.best:.4f} against {progress.baseline:.4f} of the base model."
    )


def halved(examples: int, batch: int) -> str:
    """What was done when memory ran out."""
    return (
        f"Memory ran out, so {examples:,} examples are worked on at a time; the batch stays "
        f"{batch:,} by gradient caching, which takes about a third longer."
    )


def passed_over(number: int) -> str:
    """Which examples can't be used."""
    return (
        f"{number:,} examples have a side without text, equal texts on both sides, or lack the "
        "negatives that this objective needs; they are passed over."
    )


NO_TEACHER = (
    "The objective {name!r} learns from what the base model, words and links say together, which a "
    "layer on stored vectors can't hold: choose another method, such as lower-frozen."
)
NO_EXAMPLES = (
    "There is not one example to learn from: no paper with a text is linked to another, or none "
    "has the negatives that this recipe needs."
)


def no_room(device: str) -> str:
    """Not even one text fits."""
    return (
        f"The memory of the {device} device does not hold even one text in training; close other "
        "programs that use it, set max_length lower, or train a head."
    )
