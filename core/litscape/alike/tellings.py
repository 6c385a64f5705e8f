"""What is said of a request: how it was understood, and how likes and dislikes were weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.alike.seeds import UNLIKE
from litscape.store import lexical
from litscape.store.papers import collection_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.alike.request import Examples, SimilarRequest
    from litscape.alike.seeds import Side
    from litscape.paper import PaperId

_SHOWN = 60
_MARKS = {"read": ("marked as read", "Mark papers as read"), "rated": ("rated", "Rate papers")}
_PARTS = {0.25: "a quarter", 0.5: "half"}


def learner(liked: Side, unliked: Side) -> str:
    """One sentence on how hits were ranked by the examples."""
    like = "it" if liked.size == 1 else f"the mean of the {liked.size:,} that you like"
    if not unliked.size:
        return f"Ranked by closeness to {like}."
    part = _PARTS.get(UNLIKE, f"{UNLIKE:g} times")
    unlike = "the one" if unliked.size == 1 else f"the mean of the {unliked.size:,}"
    like = "the one that you like" if liked.size == 1 else like
    return f"Ranked by closeness to {like}, less {part} of closeness to {unlike} that you don't."


def understood(
    conn: sa.Connection,
    request: SimilarRequest,
    liked: Sequence[PaperId],
    unliked: Sequence[PaperId],
) -> str:
    """The request in words."""
    said = [f"like {_named(conn, request.like, liked)}"]
    if request.unlike:
        said.append(f"unlike {_named(conn, request.unlike, unliked)}")
    return ", ".join((*said, *_limits(conn, request)))


def none_left(conn: sa.Connection, request: SimilarRequest) -> str:
    """What is said where the limits leave no paper; empty where there are no limits."""
    limits = _limits(conn, request)
    if not limits and request.flt is None:
        return ""
    which = "No other paper" if request.like.papers else "No paper"
    return f"{which} is left by the limits{': ' if limits else ''}{', '.join(limits)}."


def nobody(conn: sa.Connection, like: Examples) -> str:
    """Why examples hold no paper, and what to do about it."""
    said = "There is no paper to be like"
    for mark, (which, remedy) in _MARKS.items():
        if like.flt is not None and mark in like.flt.is_:
            return f"{said}: no paper is {which} yet. {remedy}, or name a collection instead."
    if like.collections:
        few = _collections(conn, like.collections)
        what = f"{few} is empty" if len(like.collections) == 1 else f"{few} are empty"
        return f"{said}: {what}. Put papers into it, or name another collection."
    return f"{said}: what was named is empty."


def _limits(conn: sa.Connection, request: SimilarRequest) -> list[str]:
    said = []
    if request.newer_than is not None:
        said.append(f"after {request.newer_than}")
    if request.older_than is not None:
        said.append(f"before {request.older_than}")
    if request.not_in:
        said.append(f"not in {_collections(conn, request.not_in)}")
    if request.within.strip():
        said.append(f"within {request.within.strip()}")
    return said


def _named(conn: sa.Connection, examples: Examples, papers: Sequence[PaperId]) -> str:
    """The first example by its title, and how many more there are."""
    outside = [*examples.texts, *(draft.title or "" for draft in examples.drafts)]
    if examples.collections and not (examples.papers or outside):
        return f"{_collections(conn, examples.collections)} ({len(papers):,} papers)"
    size = len(papers) + len(outside)
    if papers:
        title = lexical.texts(conn, papers[:1])[papers[0]].title
    elif outside:
        title = " ".join(outside[0].split())
        title = title if len(title) <= _SHOWN else title[: _SHOWN - 1].rstrip() + "…"
    else:
        return "nothing"
    first = f"“{title or 'a paper without a title'}”"
    return first if size == 1 else f"{first} and {size - 1} more"


def _collections(conn: sa.Connection, ids: Sequence[int]) -> str:
    paths = collection_paths(conn)
    return ", ".join(f"“{paths[one][-1]}”" for one in ids if one in paths) or "a collection"
