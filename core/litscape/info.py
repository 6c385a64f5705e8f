"""What a library holds and how ready it is, in one record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.index.choice import choose
from litscape.languages import note, other_share
from litscape.store.counts import count_all

if TYPE_CHECKING:
    from litscape.library import Library


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """What a library holds, and how ready it is to be searched by meaning.

    Attributes:
        folder: where it lies.
        papers: live papers; ``with_abstracts`` of them have one, ``trashed`` are besides.
        citations: links inside the library; ``references`` are works cited outside it.
        embedded: live papers with a vector of the active model; ``pending`` are the others, and
            of these ``damaged`` had one that is no longer as it was written.
        without_text: live papers with neither title nor abstract; they are never pending.
        model: name of the active model, ``model_version`` its version.
        index_kind: exact or hnsw; ``index_state``: empty, partial or ready.
        notes: what the reader should know, one sentence each.
    """

    folder: str
    papers: int
    with_abstracts: int
    trashed: int
    citations: int
    references: int
    collections: int
    tags: int
    embedded: int
    pending: int
    damaged: int
    without_text: int
    model: str
    model_version: str
    index_kind: str
    index_state: str
    notes: tuple[str, ...] = ()


def describe(library: Library) -> LibraryInfo:
    """Count what ``library`` holds."""
    with library.database.read() as conn:
        counts = count_all(conn)
        others = other_share(conn)
    card = library.models.active()
    embedded = library.vector_store.count(card.version)
    choice = choose(embedded, card.dim, library.settings.index_kind)
    damaged = library.vector_store.lost(card.version)
    notes = [choice.note] if choice.note else []
    if damaged:
        whose = "The vector of 1 paper is" if damaged == 1 else f"{damaged:,} vectors are"
        notes.append(f"{whose} damaged: compute similarity again; nothing else is lost.")
    compared = counts.papers - counts.without_text
    if counts.without_text:
        notes.append(_without_text(counts.without_text))
    if compared and not counts.with_abstracts:
        notes.append("No paper has an abstract: similarity compares titles only.")
    elif counts.with_abstracts * 2 < compared:
        without = compared - counts.with_abstracts
        notes.append(
            f"{without:,} of {compared:,} papers have no abstract: "
            "similarity compares those by title only."
        )
    if said := note(others, card):
        notes.append(said)
    return LibraryInfo(
        folder=str(library.folder),
        papers=counts.papers,
        with_abstracts=counts.with_abstracts,
        trashed=counts.trashed,
        citations=counts.citations,
        references=counts.references,
        collections=counts.collections,
        tags=counts.tags,
        embedded=embedded,
        pending=max(0, compared - embedded),
        damaged=damaged,
        without_text=counts.without_text,
        model=card.name,
        model_version=card.version,
        index_kind=choice.kind,
        index_state=_state(embedded, compared),
        notes=tuple(notes),
    )


def _state(embedded: int, papers: int) -> str:
    if not embedded:
        return "empty"
    return "ready" if embedded >= papers else "partial"


def _without_text(number: int) -> str:
    verb = "paper has" if number == 1 else "papers have"
    return f"{number:,} {verb} neither title nor abstract and can't be compared."
