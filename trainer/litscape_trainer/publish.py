"""From a trained folder to a model version of the library, with a card that says how it came."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape.models.exchange import settle
from litscape.models.folder import read_folder
from litscape_trainer.splits_by_edge import BY_LINK
from litscape_trainer.verdict.judging import judged_by

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from litscape.models.card import ModelCard
    from litscape.models.registry import ModelRegistry
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Row, RunResult

_LICENCE = re.compile(r"^license:\s*(\S+)\s*$", re.MULTILINE)
_BUNDLED_LICENCE = "apache-2.0"


def trained_card(
    folder: Path, base: ModelCard, recipe: TrainingRecipe, cutoff: int | None
) -> ModelCard:
    """The card of a folder that a training wrote.

    Args:
        folder: a sentence-transformers folder.
        base: the model that it was trained from.
        recipe: how.
        cutoff: the last year that it learnt from; None where papers were drawn.

    Raises:
        UserError: the folder is no model that can be run here.
    """
    card = read_folder(
        folder,
        name=f"{base.name} {recipe.name}",
        source="trained",
        base=base.base,
        separator=base.separator,
    )
    head_of = base.version if recipe.method == "head" else None
    return replace(
        card,
        paper_prefix=base.paper_prefix,
        query_prefix=base.query_prefix,
        recipe=f"{recipe.name} {recipe.hash}",
        cutoff_year=cutoff,
        head_of=head_of,
    ).versioned()


def publish(
    registry: ModelRegistry,
    card: ModelCard,
    base: ModelCard,
    recipe: TrainingRecipe,
    result: RunResult,
) -> ModelCard:
    """Give a trained model its place below ``<library>/models`` and make it known; not active.

    Raises:
        EnvironmentFault: the disk is full or can't be written.
    """
    making = registry.folder / f".making-{card.version}"
    try:
        shutil.rmtree(making, ignore_errors=True)
        # Copied: a run that breaks off here finds its own where it was.
        shutil.copytree(card.folder, making)
        text = model_card(card, base, recipe, result)
        (making / "README.md").write_text(text, encoding="utf-8")
        (making / "recipe.toml").write_text(recipe.to_toml(), encoding="utf-8")
        return settle(registry, replace(card, location=str(making)))
    except OSError as error:
        raise EnvironmentFault(
            f"{making} can't be written: {error.strerror or error}. The library is as it was."
        ) from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


_TEMPLATE = """---
library_name: sentence-transformers
pipeline_tag: sentence-similarity
base_model: {base}
license: {licence}
tags: [sentence-transformers, feature-extraction, sentence-similarity, litscape]
---
# {name}

An encoder of scientific papers (title and abstract) with {dim} dimensions, adapted with
Litscape from **{base}** to one researcher's library of papers.

## Verdict
{sentence}

## Data
Papers of a private library{cut}; examples of one epoch, by source:

{counted}
Held out: {split}

## Measured
On {judged}, asked once. Per cent
with 95 % bootstrap intervals over queries; the change is paired, against the model that was in
use, with queries won/tied/lost.

{figures}
{notes}
## Recipe
Took {steps:,} steps in {minutes:.1f} minutes.

```toml
{recipe}
```

## Use
```python
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("{version}")
vectors = model.encode(["{example}"], normalize_embeddings=True)
```
Texts are title, {separator!r} and abstract; compare by cosine. Read up to {length} tokens.

## Licence
That of the base model: {licence}.
"""


def model_card(card: ModelCard, base: ModelCard, recipe: TrainingRecipe, result: RunResult) -> str:
    """README.md as the Hugging Face hub reads it: data, recipe, measured figures, base, licence."""
    examples = result.examples.get("positives") or {}
    counted = "".join(f"* {name}: {number:,}\n" for name, number in examples.items())
    return _TEMPLATE.format(
        base=base.base,
        licence=licence(base),
        name=card.name,
        dim=card.dim,
        sentence=result.sentence,
        cut=f" up to {card.cutoff_year}" if card.cutoff_year is not None else "",
        counted=counted or "* none\n",
        split=result.split,
        judged=_judged(result),
        figures=figures(result.rows),
        notes="".join(f"* {note}\n" for note in result.notes),
        steps=result.steps,
        minutes=result.seconds / 60,
        recipe=recipe.to_toml().strip(),
        version=card.version,
        example=f"Title{card.separator}Abstract",
        separator=card.separator,
        length=card.max_length,
    )


def _judged(result: RunResult) -> str:
    if result.split.startswith(BY_LINK):
        return f"{judged_by(result.queries, links=True)}, which took part in training themselves"
    return f"{judged_by(result.queries)} that took no part in training in any role"


def figures(rows: Sequence[Row]) -> str:
    """All rows as a table in Markdown."""
    lines = ["| task | ranking | measure | n | figure | change |", "|---|---|---|---|---|---|"]
    for row in rows:
        value, change = row.estimate, ""
        if row.over is not None:
            told = row.over.difference
            change = (
                f"{100 * told.mean:+z.1f} [{100 * told.low:+z.1f}, {100 * told.high:+z.1f}], "
                f"{row.over.wins}/{row.over.ties}/{row.over.losses}"
            )
        lines.append(
            f"| {row.task_title} | {row.system_title} | {row.measure} | {value.n:,} | "
            f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}] | {change} |"
        )
    return "\n".join(lines) + "\n"


def licence(base: ModelCard) -> str:
    """What the base model's own card says; ``other`` where it says nothing."""
    if base.source == "bundled":
        return _BUNDLED_LICENCE
    try:
        text = (base.folder / "README.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "other"
    found = _LICENCE.search(text)
    return found.group(1) if found else "other"
