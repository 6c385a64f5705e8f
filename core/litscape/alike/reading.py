"""What to read next: unread papers near to what was read, rated or listed lately."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.alike.request import Examples, SimilarRequest
from litscape.store.alike_reads import reading_of_late

if TYPE_CHECKING:
    from litscape.alike.finder import Finder
    from litscape.paper import PaperFilter, PaperId
    from litscape.search.hits import SearchHit
    from litscape.store.alike_reads import Marked
    from litscape.store.database import Database

READ, RATED, LISTED = 15, 15, 10
"""So many papers of each kind are looked at, the latest."""
LIKED_FROM, DISLIKED_TO = 4, 2
"""Ratings that speak for a paper, and against it."""
NOTHING = (
    "Nothing says yet what you read: mark papers as read, rate them, or put them into the reading "
    "list."
)
NONE_LEFT = "Nothing to read next: no unread paper is left."


@dataclass(frozen=True, slots=True)
class NextHit:
    """A paper to read.

    Attributes:
        hit: the paper with what speaks for it.
        near: the paper of those read, rated or listed that it is nearest to.
        because: what was done with that paper: ``read``, ``rated 5`` or ``listed``.
    """

    hit: SearchHit
    near: PaperId
    because: str


@dataclass(frozen=True, slots=True)
class NextReading:
    """Papers to read next, the best first.

    Attributes:
        hits: the papers.
        notes: what the reader should know.
        nothing: why there is none, one sentence; empty where there are some.
    """

    hits: tuple[NextHit, ...]
    notes: tuple[str, ...]
    nothing: str = ""


def lately(database: Database) -> Marked:
    """The papers that were read, rated or listed last."""
    with database.read() as conn:
        return reading_of_late(conn, READ, RATED, LISTED, LIKED_FROM, DISLIKED_TO)


def read_next(
    finder: Finder,
    database: Database,
    k: int,
    flt: PaperFilter | None = None,
    diversity: float = 0.2,
) -> NextReading:
    """Unread papers that are like what was read, rated well or listed lately.

    Args:
        finder: finds papers like others.
        database: the library.
        k: how many.
        flt: which papers may be found.
        diversity: how much they should differ from each other.
    """
    marked = lately(database)
    if not marked.liked:
        return NextReading((), (NOTHING,), NOTHING)
    liked = tuple(marked.liked)
    request = SimilarRequest(
        Examples(liked),
        Examples(marked.disliked),
        k=k,
        flt=flt,
        within="is:unread",
        diversity=diversity,
    )
    found = finder.similar(request)
    ids = [hit.paper_id for hit in found]
    near = finder.nearest(ids, liked)
    hits = []
    # Chosen so that they differ; told in the order of the score that stands beside them.
    for hit in sorted(found, key=lambda hit: (-hit.score, hit.paper_id)):
        example = near.get(hit.paper_id, liked[0])
        hits.append(NextHit(hit, example, marked.liked[example]))
    nothing = "" if hits else (flt is not None and found.nothing) or NONE_LEFT
    return NextReading(tuple(hits), found.notes, nothing)
