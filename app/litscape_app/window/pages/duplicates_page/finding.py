"""What is read for the page: groups with their titles, and the pairs that are kept apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.apart import run_apart
from litscape.apart.tasks import find_duplicates
from litscape_app.window.pages.page_frame import when
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId

_PAGE = 200
_QUICK = 2_000
"""Papers among which duplicates are found sooner than a process of its own is there."""
UNTITLED = "Without title"


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list.

    Attributes:
        ids: the papers.
        title: of the first that has one.
        about: what speaks for and against one work, and how many they are where more than two.
        certain: whether they may be merged without a look.
    """

    ids: tuple[PaperId, ...]
    title: str
    about: str
    certain: bool = False


def find(library: Library, ctx: JobContext) -> list[Listed]:
    """The groups of papers that may be one work, the surest first."""
    if library.papers.count() > _QUICK:
        groups = run_apart(library, find_duplicates, ctx)
    else:
        groups = library.duplicates.list(ctx)
    titles = _titles(library, {paper for group in groups for paper in group.ids}, ctx)
    return [
        Listed(group.ids, _title(group.ids, titles), _about(group.ids, group.why), group.certain)
        for group in groups
    ]


def kept_apart(library: Library, ctx: JobContext) -> list[Listed]:
    """The pairs that were said to be two works, the newest first."""
    pairs = library.duplicates.refused()[::-1]
    titles = _titles(library, {paper for pair in pairs for paper in (pair.a, pair.b)}, ctx)
    return [
        Listed(
            (pair.a, pair.b),
            _title((pair.a, pair.b), titles),
            f"Kept apart since {when(pair.made_at)}",
        )
        for pair in pairs
    ]


def by_hand(library: Library, ids: tuple[PaperId, ...], ctx: JobContext) -> Listed:
    """Papers that a person chose themselves."""
    return Listed(ids, _title(ids, _titles(library, ids, ctx)), _about(ids, ("chosen by you",)))


def _about(ids: tuple[PaperId, ...], why: tuple[str, ...]) -> str:
    number = (count(len(ids), "paper"),) if len(ids) > 2 else ()
    return " · ".join((*number, *why))


def _titles(library: Library, ids: Iterable[PaperId], ctx: JobContext) -> dict[PaperId, str]:
    wanted = sorted(ids)
    found: dict[PaperId, str] = {}
    for start in range(0, len(wanted), _PAGE):
        ctx.progress(start, len(wanted), "Reading titles")
        rows = library.papers.rows(wanted[start : start + _PAGE])
        found |= {row.id: " ".join((row.title or "").split()) for row in rows}
    return found


def _title(ids: tuple[PaperId, ...], titles: dict[PaperId, str]) -> str:
    return next((titles[paper] for paper in ids if titles.get(paper)), UNTITLED)
