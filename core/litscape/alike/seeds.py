"""What hits should be like, and unlike, gathered from everything it can be named by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.paper import PaperFilter
from litscape.search.scope import scope_within
from litscape.store import lexical
from litscape.store.lexical import Text
from litscape.store.naming import identified
from litscape.store.papers import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.links import Links
    from litscape.alike.request import Examples
    from litscape.index.base import Vectors
    from litscape.paper import PaperDraft, PaperId
    from litscape.search.semantic import Loaded

    Encode = Callable[[Sequence[tuple[str | None, str | None]]], Vectors]
    """From (title, abstract) of papers to their unit vectors (n, d) under the active model."""

MOST_READ = 300
"""Of a large collection so many papers are read for their words, and looked at for their links:
every n-th, so that they stand for all. Their vectors all count."""
UNLIKE = 0.25
"""What the mean of the unwanted counts for against that of the wanted (Rocchio 1971). Chosen by
simulated likes and dislikes, see ``benchmarks/plus_minus.py``: more takes good papers away along
with the bad."""


@dataclass(frozen=True, slots=True)
class Side:
    """The examples of one side, wanted or unwanted.

    Attributes:
        papers: those that are papers of the library; they are never hits.
        numbers: the numbers among all papers of those whose links, authors and groups may be
            used; every n-th of many.
        texts: what they say, by example; every n-th of many.
        vectors: (m, d) of those that have one.
        drafts: records from outside the library.
        cited: numbers of papers of the library that the drafts cite.
        size: how many examples there are.
    """

    papers: tuple[PaperId, ...]
    numbers: NDArray[np.int32]
    texts: tuple[Text, ...]
    vectors: Vectors
    drafts: tuple[PaperDraft, ...]
    cited: NDArray[np.int32]
    size: int


def named(conn: sa.Connection, examples: Examples) -> tuple[PaperId, ...]:
    """The papers of the library that examples name, each once.

    Raises:
        UserError: a paper is not there.
    """
    found: dict[PaperId, None] = {}
    for ref in examples.papers:
        paper = resolve(conn, ref)
        if paper is None:
            raise UserError(f"There is no paper “{ref}” in this library.")
        found[paper] = None
    filters = [PaperFilter(within=(examples.collections,))] if examples.collections else []
    for flt in (*filters, examples.flt):
        if flt is not None:
            ids = lexical.scoped_ids(conn, scope_within(flt))
            found.update(dict.fromkeys(np.sort(ids).tolist()))
    return tuple(found)


def gather(
    conn: sa.Connection,
    examples: Examples,
    links: Links,
    loaded: Loaded | None,
    outside: Vectors | None,
    *,
    text_only: bool,
) -> Side:
    """Read what examples hold.

    Args:
        conn: a connection.
        examples: what was named.
        links: all papers.
        loaded: the vectors, None where there are none.
        outside: (m, d) vectors of the examples that are not in the library; None where they could
            not be computed.
        text_only: whether to leave links, authors and groups out.
    """
    papers = named(conn, examples)
    read = _some(papers)
    texts = lexical.texts(conn, read)
    drafts = () if text_only else examples.drafts
    parts: list[Vectors] = []
    if loaded is not None:
        parts.append(loaded.rows_of(np.array(papers, dtype=np.int64))[1])
    if outside is not None and len(outside):
        parts.append(outside)
    used = np.array(() if text_only else read, dtype=np.int64)
    return Side(
        papers=papers,
        numbers=links.numbers_of(used),
        texts=(*(texts[paper] for paper in read), *map(as_text, outsiders(examples))),
        vectors=np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32),
        drafts=drafts,
        cited=links.numbers_of(_cited(conn, drafts)),
        size=len(papers) + len(examples.texts) + len(examples.drafts),
    )


def outsiders(examples: Examples) -> list[tuple[str | None, str | None]]:
    """Title and abstract of the examples that are not in the library."""
    pasted: list[tuple[str | None, str | None]] = [parted(text) for text in examples.texts]
    return pasted + [(draft.title, draft.abstract) for draft in examples.drafts]


def parted(text: str) -> tuple[str | None, str | None]:
    """Title and abstract of a pasted text: its first line is the title if more follows it."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if len(lines) > 1 and len(lines[0]) <= _TITLE and not lines[0].endswith((".", ",", ";")):
        return lines[0], " ".join(lines[1:])
    return None, " ".join(lines) or None


_TITLE = 250


def sentences_by(encode: Encode, sentences: Sequence[str]) -> Vectors:
    """The vectors (n, d) of sentences, each a text of its own."""
    return encode([(None, sentence) for sentence in sentences])


def as_text(outsider: tuple[str | None, str | None]) -> Text:
    """An example from outside as a paper's text."""
    return Text(outsider[0] or "", outsider[1] or "", "")


def _some(papers: Sequence[PaperId]) -> list[PaperId]:
    """Every n-th of the papers, at most :data:`MOST_READ`."""
    step = -(-len(papers) // MOST_READ) or 1
    return list(papers[::step])


def _cited(conn: sa.Connection, drafts: Iterable[PaperDraft]) -> NDArray[np.int64]:
    """The papers of the library that drafts cite, as far as identifiers tell."""
    return np.array([paper for draft in drafts for paper in cited_papers(conn, draft)], np.int64)


def cited_papers(conn: sa.Connection, draft: PaperDraft) -> list[PaperId]:
    """The papers of the library that a record cites, as far as identifiers tell."""
    pairs = [("doi", one.doi) for one in draft.references if one.doi]
    named = [one.source_id.partition(":") for one in draft.references if one.source_id]
    pairs += [(scheme, value) for scheme, colon, value in named if colon]
    return identified(conn, pairs)
