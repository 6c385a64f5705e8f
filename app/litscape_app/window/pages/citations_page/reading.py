"""What the page reads, beside the window; missing works of a large library in a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.apart import run_apart
from litscape.apart.tasks import missing_works

if TYPE_CHECKING:
    from litscape.graph.missing import MissingWork
    from litscape.graph.records import CitationStats
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.manuscripts.records import ManuscriptReport

MOST = 500
"""Missing works that are listed."""
_QUICK = 5_000
"""Papers of which missing works are found sooner than a process of its own is there."""


def read_stats(library: Library, ctx: JobContext) -> CitationStats:
    """What the graph is made of."""
    ctx.check()
    return library.citations.stats()


def read_missing(library: Library, ctx: JobContext) -> tuple[MissingWork, ...]:
    """Works that several papers cite and that are not there; one more than is listed, at most."""
    if library.papers.count() > _QUICK:
        return run_apart(library, missing_works, ctx, MOST + 1)
    return missing_works(library, ctx, MOST + 1)


def read_manuscripts(library: Library, ctx: JobContext) -> ManuscriptReport:
    """What the manuscripts cite that were read."""
    ctx.check()
    return library.manuscripts.report()
