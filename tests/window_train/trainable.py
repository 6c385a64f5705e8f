"""A library of ten subjects with citations, vectors of two tiny models, and runs as on disk."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.evaluation.small_library import SUBJECTS, draft
from tests.evaluation.small_library import make as make_small

from litscape.embed.text import fingerprint, paper_text
from litscape.evaluation.bootstrap import Comparison, Estimate
from litscape.library import Library
from litscape_trainer.recipes import recipe
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.records import QueryChange, Row, RunResult, RunState

if TYPE_CHECKING:
    from litscape.models.card import ModelCard
    from litscape_trainer.runs.records import Status

PAPERS = 320
TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


def make(folder: Path) -> Path:
    """Make the library; the first of the tiny models is in use."""
    place = folder / "Trainable"
    make_small(place, vectors=False, papers=PAPERS)
    with Library.open(place, create=False) as library:
        library.edit.add_to_collection(range(1, 161), "Early")
        library.edit.add_to_collection(range(161, 321), ("Late", "Half"))
        for seed, name in enumerate(("first", "second")):
            card = add_tiny(library, place / "models" / f"tiny-{name}", seed)
            write_vectors(library, card, seed)
            if not seed:
                library.models.activate(card.version)
    return place


def add_tiny(library: Library, place: Path, seed: int) -> ModelCard:
    """A copy of the tiny encoder whose weights are another by a few bytes."""
    shutil.copytree(TINY, place)
    weights = place / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] = seed
    weights.write_bytes(content)
    return library.models.add_folder(place)


def write_vectors(library: Library, card: ModelCard, seed: int) -> None:
    """Vectors near to those of the same subject."""
    rng = np.random.default_rng(seed)
    axes = rng.standard_normal((len(SUBJECTS), card.dim))
    own = rng.standard_normal((PAPERS, card.dim))
    matrix = axes[np.arange(1, PAPERS + 1) % len(SUBJECTS)] + own
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    marks = [
        fingerprint(card, paper_text(card, one.title, one.abstract) or "")
        for one in map(draft, range(1, PAPERS + 1))
    ]
    library.vector_store.write(
        card.version, range(1, PAPERS + 1), matrix.astype(np.float32), marks, "float/made"
    )


def put_run(library: Path, status: Status, name: str = "one", **values: Any) -> RunFolder:
    """A run as it lies on disk."""
    state = RunState(
        id=f"20261130-100000-{name}", recipe="head", status=status,
        made_at="2026-11-30T10:00:00+00:00", **values,
    )  # fmt: skip
    return RunFolder.make(library, recipe("head"), state)


def put_result(folder: RunFolder, old: str, new: str | None, verdict: str, points: float) -> None:
    """A result of a run: one measure that changed by some points, one that stayed."""
    rows = []
    for measure, change in (("nDCG@10", points), ("Recall@20", 0.001)):
        low, high = sorted((change * 0.5, change * 1.5)) if measure == "nDCG@10" else (-0.01, 0.01)
        told = Comparison(Estimate(change, low, high, 60), wins=20, ties=30, losses=10, p=0.01)
        for system, over in (("current", None), ("new", told)):
            mean = 0.4 if over is None else 0.4 + change
            rows.append(
                Row(
                    "citations", "What a paper cites, in the whole library", system, system,
                    measure, Estimate(mean, mean - 0.02, mean + 0.02, 60), over,
                    None if over is None else "current",
                )
            )  # fmt: skip
    lists = ((2, "coral mark002 studies", True), (3, "glacier mark003 studies", False))
    query = QueryChange(1, "glacier mark001 studies", 0.2, 0.6, lists[::-1], lists)
    folder.put_result(
        RunResult(
            folder.id, recipe("head").to_json(), verdict, f"{verdict}: as measured.", old, old,  # type: ignore[arg-type]
            new, "by paper", 60, rows=tuple(rows), gained=(query,), lost=(query,),
            notes=("A note.",), seconds=90.0, steps=30,
        )
    )  # fmt: skip
