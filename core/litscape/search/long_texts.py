"""Whole texts as queries, such as a pasted abstract: compared with papers word for word.

BM25 was made for a few words. Of a hundred it adds up whatever a paper has; a cosine of TF-IDF
vectors asks besides what the paper is about otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.search import profile
from litscape.search.words import required
from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.search.query import Query

LONG = 20
"""A query of so many words, without stop words, is a text."""


def is_text(query: Query) -> bool:
    """Whether a query is a whole text rather than a few words."""
    return sum(term.column is None for term in required(query.terms)) >= LONG


def fits(
    conn: sa.Connection, text: str, ids: NDArray[np.int64], papers: int
) -> NDArray[np.float64]:
    """How similar papers are to a text by words, (n,) 0 … 1: titles count twice.

    Args:
        conn: a connection.
        text: what is searched for.
        ids: (n,) the papers.
        papers: how many the library has.
    """
    words = list(profile.term_frequencies(text))
    counts = lexical.document_counts(conn, [Term(word) for word in words], papers + 1)
    idf = profile.inverse_frequencies(dict(zip(words, counts, strict=True)), papers)
    wanted = profile.build([text], [], idf, 0.0)
    there = lexical.texts(conn, ids.tolist())
    found = [
        profile.fit(wanted, f"{there[paper].title} {there[paper].prose} {there[paper].keywords}")
        for paper in ids.tolist()
    ]
    return np.maximum(np.array(found, dtype=np.float64), 0.0)
