"""Changing the model while the old one goes on serving, and going back."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.embed.incremental import embed_library
from litscape.embed.onnx_cache import folder_of
from litscape.errors import UserError
from litscape.jobs import null_context

if TYPE_CHECKING:
    from litscape.embed.incremental import EmbedReport
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard

_ROUNDS = 5
"""Papers may come in while others are embedded: so often what came since is embedded, too."""


@dataclass(frozen=True, slots=True)
class Switched:
    """A change of the model.

    Attributes:
        card: the model in use now.
        before: the version in use until now.
        embedded: papers that got a vector first.
        notes: what a person should know.
    """

    card: ModelCard
    before: str
    embedded: int
    notes: tuple[str, ...] = ()


def switch(library: Library, version: str, ctx: JobContext | None = None) -> Switched:
    """Give every paper a vector of a model, and only then use it.

    Until then the model in use serves as before, also where the work breaks off: it goes on where
    it stopped when it is asked for again. Vectors and index of the model before are kept as they
    are, so that the way back finds the same neighbours.

    Raises:
        UserError: there is no such version, or it can't be run.
        LibraryBusyError: another program embeds this library.
        EngineDiedError: a child process ended.
        EnvironmentFault: the disk is full.
        JobCancelledError: ``ctx`` asked for the end; the model in use is the one before.
    """
    ctx = ctx or null_context()
    card = library.models.find(version)
    before = library.models.active_version()
    embedded = 0
    notes: list[str] = []
    for _round in range(_ROUNDS):
        report = _embed(library, card, ctx)
        embedded += report.embedded
        notes += report.notes
        if not library.vector_store.pending(card):
            break
    library.models.activate(card.version)
    library.searcher.prepare(ctx)
    return Switched(card, before, embedded, tuple(dict.fromkeys(notes)))


def _embed(library: Library, card: ModelCard, ctx: JobContext) -> EmbedReport:
    return embed_library(
        library.database, library.vector_store, library.models, library.engine, ctx, card
    )


def roll_back(library: Library, ctx: JobContext | None = None) -> Switched:
    """Use the version again that was in use before; papers that came since are embedded first.

    Raises:
        UserError: there was no other.
    """
    former = library.models.former()
    if former is None:
        raise UserError(
            "No other model was in use here before: there is nothing to go back to. "
            "`litscape models list` shows those that there are."
        )
    return switch(library, former.version, ctx)


def remove(library: Library, version: str) -> ModelCard:
    """Remove a version with its vectors, index and, where they lie in the library, its weights.

    Raises:
        UserError: it is in use, comes with the program, or is unknown.
    """
    card = library.models.remove(library.models.find(version).version)
    places = [
        library.folder / "vectors" / card.version,
        library.folder / "index" / card.version,
        folder_of(card),
    ]
    if card.folder.is_relative_to(library.models.folder):
        places.append(card.folder)
    for place in places:
        shutil.rmtree(place, ignore_errors=True)
    (library.folder / "evaluation" / f"{card.version}.npz").unlink(missing_ok=True)
    return card
