"""A small real library to search in."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from litscape.models.registry import ModelRegistry
from litscape.paper import Author, PaperDraft
from litscape.search import Searcher
from litscape.store import bulk
from litscape.store.database import Database
from litscape.vectors.store import VectorStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

DIM = 384


def bag_of_words(text: str) -> NDArray[np.float32]:
    """A unit vector (384,) that is near those of texts with the same words."""
    vector = np.zeros(DIM, dtype=np.float32)
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        sign = 1 if digest[0] % 2 else -1
        vector[int.from_bytes(digest[1:]) % DIM] += sign
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector


@dataclass
class Shelf:
    """A library on disk, and the quickest ways to fill and search it."""

    database: Database
    vectors: VectorStore
    registry: ModelRegistry
    texts: dict[int, str] = field(default_factory=dict)

    encode = staticmethod(bag_of_words)

    def add(
        self,
        title: str | None,
        abstract: str | None = None,
        *,
        authors: Sequence[str | Author] = (),
        year: int | None = None,
        venue: str | None = None,
        keywords: Sequence[str] = (),
        tags: Sequence[str] = (),
        collections: Sequence[tuple[str, ...]] = (),
        citekey: str | None = None,
        **identifiers: str,
    ) -> int:
        named: dict[str, Any] = {
            name: identifiers.pop(name, None) for name in bulk.IDENTIFIER_FIELDS
        }
        draft = PaperDraft(
            title=title,
            abstract=abstract,
            authors=tuple(
                name if isinstance(name, Author) else Author(literal=name) for name in authors
            ),
            year=year,
            venue=venue,
            keywords=tuple(keywords),
            tags=tuple(tags),
            collections=tuple(collections),
            identifiers=identifiers,
            **named,
        )
        with self.database.write() as conn:
            paper = bulk.next_paper_id(conn)
            bulk.insert_papers(conn, [bulk.NewPaper(paper, citekey or f"key{paper}", draft)])
        self.texts[paper] = f"{title or ''} {abstract or ''}"
        return paper

    def embed(
        self,
        papers: Sequence[int] | None = None,
        encode: Callable[[str], NDArray[np.float32]] = bag_of_words,
    ) -> None:
        papers = list(self.texts) if papers is None else list(papers)
        card = self.registry.active()
        self.registry.register(card)
        matrix = np.stack([encode(self.texts[paper]) for paper in papers])
        marks = [hashlib.blake2b(self.texts[p].encode(), digest_size=16).digest() for p in papers]
        self.vectors.write(card.version, papers, matrix, marks, "float/test")

    def trash(self, paper: int) -> None:
        with self.database.write() as conn:
            conn.exec_driver_sql(
                "UPDATE papers SET trashed_at = '2030-01-01T00:00:00Z' WHERE id = ?", (paper,)
            )

    def searcher(
        self,
        encode: Callable[[str], NDArray[np.float32]] | None = bag_of_words,
        setting: str = "auto",
        fusion: str = "scores",
    ) -> Searcher:
        return Searcher(
            self.database,
            self.vectors,
            self.registry,
            encode,
            index_setting=setting,
            fusion=fusion,
            encode_papers=lambda papers: np.stack(
                [bag_of_words(f"{title or ''} {abstract or ''}") for title, abstract in papers]
            ),
        )

    def words(self, query: str, **options: object) -> list[int]:
        found = self.searcher().search(query, "lexical", **options)  # type: ignore[arg-type]
        return [hit.paper_id for hit in found]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Database.open(tmp_path / "library") as database:
        vectors = VectorStore(tmp_path / "library" / "vectors", database)
        yield Shelf(database, vectors, ModelRegistry(database))
