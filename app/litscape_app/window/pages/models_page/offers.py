"""What is known of each model before one decides: vectors that are there, time for the rest."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.embed.estimate import operations, seconds
from litscape.embed.incremental import EmbedReport
from litscape.jobs.runners import State
from litscape_app.window.training_watch import LOADING
from litscape_app.window.words import told_apart

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_app.qtjobs import Entry
    from litscape_trainer.runs.judged import Judged

_TELLING_PAPERS = 100


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """One model of the library.

    Attributes:
        card: the model.
        active: whether the library uses it.
        embedded: papers that have its vector.
        papers: papers that can have one: they have a title or an abstract.
        seconds: what the others would take, roughly.
        missing: why it can't be used, in a sentence; empty where it can.
        megabytes: what its folder takes.
        title: its name, with more where another model has the same.
        judged: what its training was judged as; None where it was not trained here.
    """

    card: ModelCard
    active: bool
    embedded: int
    papers: int
    seconds: float
    missing: str = ""
    megabytes: float = 0.0
    title: str = ""
    judged: Judged | None = None

    @property
    def pending(self) -> int:
        """Papers without its vector."""
        return max(0, self.papers - self.embedded)


@dataclass(frozen=True, slots=True)
class Pace:
    """What was embedded last, and how fast: the version, papers and seconds."""

    version: str
    papers: int
    seconds: float


def last_pace(entries: Iterable[Entry]) -> Pace | None:
    """The pace of the newest embedding of this session that is long enough to tell."""
    for entry in reversed(list(entries)):
        if entry.state is not State.DONE:
            continue
        report = entry.handle.result(0)
        if isinstance(report, EmbedReport) and report.embedded >= _TELLING_PAPERS:
            return Pace(report.version, report.embedded, report.seconds)
    return None


def read_offers(library: Library, pace: Pace | None) -> tuple[ModelOffer, ...]:
    """Every model of a library with what it would cost to use it."""
    info = library.info()
    cards = library.models.available()
    share = info.with_abstracts / info.papers if info.papers else 0.0
    compared = info.papers - info.without_text
    rate = None
    if pace is not None and pace.seconds > 0:
        known = next((one for one in cards if one.version == pace.version), None)
        if known is not None:
            done = operations(known, pace.papers, round(pace.papers * share))
            rate = done / pace.seconds
    with LOADING:
        from litscape_trainer.runs.judged import judged_models
    judged, titles = judged_models(library.folder), told_apart(cards)
    offers = []
    for card in cards:
        embedded = min(compared, library.vector_store.count(card.version))
        left = compared - embedded
        wait = seconds(card, left, round(left * share), rate=rate, threads=library.settings.threads)
        there = card.folder.is_dir()
        missing = "" if there else f"Its folder {card.location} is not there any more."
        offers.append(
            ModelOffer(
                card,
                card.version == info.model_version,
                embedded,
                compared,
                wait,
                missing,
                _megabytes(card.folder),
                titles[card.version],
                judged.get(card.version),
            )
        )
    return tuple(offers)


def _megabytes(folder: Path) -> float:
    with suppress(OSError):
        return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) / 1e6
    return 0.0


def about(wait: float) -> str:
    """A rough time in words: ``under a minute``, ``about 6 min``, ``about 2 hours``."""
    if wait < 50:
        return "under a minute"
    minutes = wait / 60
    if minutes < 90:
        rough = math.ceil(minutes) if minutes < 10 else math.ceil(minutes / 5) * 5
        return f"about {rough} min"
    hours = math.ceil(minutes / 60)
    if hours < 48:
        return f"about {hours} hours"
    return f"about {math.ceil(hours / 24)} days"
