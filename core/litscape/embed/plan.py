"""What is left to embed: papers whose text has no sound vector of the model yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.embed.text import fingerprint, paper_text
from litscape.store.papers import texts_for_embedding

if TYPE_CHECKING:
    from litscape.models.card import ModelCard
    from litscape.paper import PaperId
    from litscape.store.database import Database
    from litscape.vectors.store import VectorStore

FAMILY = "float"


@dataclass(frozen=True, slots=True)
class EmbedPlan:
    """The live papers of a library, sorted by what there is to do.

    Attributes:
        todo: papers to embed, with the length of their text.
        fresh: how many have a vector of their present text.
        without_text: papers with neither title nor abstract; they are never embedded.
        without_abstract: how many of the others have a title alone.
        damaged: how many of those to embed had a vector that is no longer as it was written.
    """

    todo: dict[PaperId, int]
    fresh: int
    without_text: tuple[PaperId, ...]
    without_abstract: int
    damaged: int


def plan(database: Database, vectors: VectorStore, card: ModelCard) -> EmbedPlan:
    """Compare every live paper's text with the stored vectors of a model version."""
    marks = vectors.marks(card.version)
    known = marks.sound
    todo: dict[PaperId, int] = {}
    without_text: list[PaperId] = []
    fresh = without_abstract = 0
    with database.read() as conn:
        for paper_id, title, abstract in texts_for_embedding(conn):
            text = paper_text(card, title, abstract)
            if text is None:
                without_text.append(paper_id)
                continue
            without_abstract += not (abstract or "").strip()
            mark, backend = known.get(paper_id, (b"", ""))
            # Vectors of another family (a coarser number format) are made again, never mixed.
            if mark == fingerprint(card, text) and backend.split("/", 1)[0] == FAMILY:
                fresh += 1
            else:
                todo[paper_id] = len(text)
    damaged = sum(paper_id in todo for paper_id in marks.damaged)
    return EmbedPlan(todo, fresh, tuple(without_text), without_abstract, damaged)
