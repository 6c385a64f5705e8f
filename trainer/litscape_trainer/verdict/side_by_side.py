"""Any two models of a library on its held-out queries, outside of a run."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.evaluation.records import PARTS, SEED, Report
from litscape.evaluation.tasks.base import LEAST, TRUSTED
from litscape.library import Library
from litscape.store import evaluations
from litscape_trainer.recipes.registry import DEFAULT, recipe
from litscape_trainer.runs.lessons import parted
from litscape_trainer.runs.snapshot import take
from litscape_trainer.source import read_source
from litscape_trainer.verdict.asked import CANDIDATES, TASK_TITLES, asks
from litscape_trainer.verdict.blending import hiding
from litscape_trainer.verdict.judging import judged_by
from litscape_trainer.verdict.measuring import Model, measure_models
from litscape_trainer.verdict.reader import Reader

if TYPE_CHECKING:
    from litscape.evaluation.records import Part
    from litscape.jobs import JobContext
    from litscape_trainer.runs.records import Row


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A measurement of one model, or of two beside each other.

    Attributes:
        models: the versions.
        part: ``dev`` or ``test``.
        split: how queries were held out, in words.
        queries: how many of citations there were.
        rows: every figure; with two models the second is compared with the first.
        notes: what a reader should know.
    """

    models: tuple[str, ...]
    part: str
    split: str
    queries: int
    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        values = asdict(self)
        for name in ("models", "rows", "notes"):
            values[name] = list(values[name])
        return values


def evaluate_models(
    library: Library, versions: tuple[str, ...], part: Part, ctx: JobContext
) -> SideBySide:
    """Measure one or two models on the library's own held-out papers; the library stays as it is.

    Raises:
        UserError: no such model, no such part, or too little to measure.
        EnvironmentFault: the disk is full.
        JobCancelledError: ``ctx`` asked for the end; an opened test stays noted.
    """
    if part not in PARTS:
        raise UserError(f"There are no {part!r} queries; use {' or '.join(PARTS)}.")
    cards = [library.models.find(version) for version in versions]
    with tempfile.TemporaryDirectory(prefix="litscape-models-", dir=library.folder) as name:
        folder = Path(name) / "copy"
        take(library, folder, [card.version for card in cards])
        with Library.open(folder, create=False, settings=library.settings) as copy:
            ctx.progress(0, None, "Drawing queries")
            source = read_source(copy)
            split, _queries = parted(source, recipe(DEFAULT))
            asked = asks(source.material, split, part)
            number = len(asked[0].questions) if asked else 0
            by = judged_by(number, links=split.by == "edge")
            if number < LEAST:
                raise UserError(
                    f"Too small to measure reliably: {by}, and fewer than "
                    f"{LEAST} say nothing. Importing references (Crossref, OpenAlex) adds links."
                )
            opened = _open(library, cards[-1].version) if part == "test" else None
            for card in cards:
                copy.models.register(card)
            settings = library.settings
            reader = Reader(copy, ctx, library.folder, settings.device, settings.threads)
            models = [
                Model(role, card.name, card, "a" if role == "b" else None)
                for role, card in zip(("a", "b"), cards, strict=False)
            ]
            found = measure_models(copy, asked, models, reader, ctx, hide=hiding(split))
    notes = list(reader.notes)
    if number < TRUSTED:
        notes.append(f"Only {by}: fewer than {TRUSTED} give a rough figure.")
    notes += [*split.sentences, *([] if source.material.timeless else [CANDIDATES])]
    if part == "dev":
        notes.append("Development queries: trained models were chosen by these very papers.")
    report = SideBySide(
        tuple(card.version for card in cards), part, split.name, number, tuple(found.rows),
        tuple(notes),
    )  # fmt: skip
    if opened is not None:
        _close(library, opened, report)
    return report


def _open(library: Library, version: str) -> int:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with library.database.write() as conn:
        return evaluations.begin(conn, now, "citations", "test", version, SEED)


def _close(library: Library, number: int, found: SideBySide) -> None:
    report = Report(
        task="citations",
        title=TASK_TITLES["citations"],
        about=f"Models beside each other: {', '.join(found.models)}.",
        part="test",
        split=found.split,
        queries=found.queries,
        papers=0,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        model=found.models[-1],
        seed=SEED,
        notes=found.notes,
        number=number,
    )
    with library.database.write() as conn:
        evaluations.finish(conn, number, report.to_json())
