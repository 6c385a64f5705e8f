"""What the page reads: in a process of its own where the library is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.apart import run_apart
from litscape.apart.tasks import citation_stats, manuscripts_report, missing_works

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from litscape.graph.missing import MissingWork
    from litscape.graph.records import CitationStats
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.manuscripts.records import ManuscriptReport

    T = TypeVar("T")

MOST = 500
"""Missing works that are listed."""
_QUICK = 5_000
"""Papers of which counts are made sooner than a process of its own is there."""


def read_stats(library: Library, ctx: JobContext) -> CitationStats:
    """What the graph is made of."""
    return _read(library, ctx, citation_stats)


def read_missing(library: Library, ctx: JobContext) -> tuple[MissingWork, ...]:
    """Works that several papers cite and that are not there; one more than is listed, at most."""
    if library.papers.count() > _QUICK:
        return run_apart(library, missing_works, ctx, MOST + 1)
    return missing_works(library, ctx, MOST + 1)


def read_manuscripts(library: Library, ctx: JobContext) -> ManuscriptReport:
    """What the manuscripts cite that were read."""
    return _read(library, ctx, manuscripts_report)


def _read(library: Library, ctx: JobContext, task: Callable[[Library, JobContext], T]) -> T:
    if library.papers.count() > _QUICK:
        return run_apart(library, task, ctx)
    return task(library, ctx)
