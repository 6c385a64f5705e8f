"""What was said of each model that a run of this library made."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape_trainer.choosing import NOT_BETTER
from litscape_trainer.runs.folder import folders

if TYPE_CHECKING:
    from pathlib import Path

    from litscape_trainer.runs.records import Word


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on a model.

    Attributes:
        run: that made it.
        recipe: its recipe's name.
        verdict: one word.
        sentence: the verdict with its figures.
        made_at: UTC, ISO 8601.
        unchanged: it is the same as its base: nothing that was learnt was kept.
    """

    run: str
    recipe: str
    verdict: Word
    sentence: str
    made_at: str
    unchanged: bool = False


def judged_models(library: Path) -> dict[str, Judged]:
    """Verdicts by the version of the model, the last one of each; damaged runs are passed over."""
    found: dict[str, Judged] = {}
    for folder in folders(library):
        with suppress(LitscapeError):
            result = folder.result()
            if result is not None and result.version is not None:
                name = str(result.recipe.get("name") or "")
                # An encoder that began with a layer has that: then it is not its base.
                kept = any(NOT_BETTER in note for note in result.notes)
                same = kept and not folder.stored().layered
                found[result.version] = Judged(
                    folder.id, name, result.verdict, result.sentence, result.made_at, same
                )
    return found


def warning(judged: Judged | None) -> str:
    """What to say where a model is used that was not judged better; else empty."""
    if judged is None or judged.verdict == "better":
        return ""
    return f"Judged on {judged.made_at[:10]}, when it was trained: {judged.sentence}"
