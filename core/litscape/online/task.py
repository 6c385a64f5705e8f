"""Looking up as tasks of :func:`litscape.apart.run_apart`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.online.records import Estimate, FetchOptions, FetchReport


def look_up(library: Library, ctx: JobContext, options: FetchOptions) -> FetchReport:
    """:func:`litscape.online.fetch.fetch`."""
    from litscape.online.fetch import fetch

    return fetch(library.database, options, ctx)


def estimate_look_up(library: Library, ctx: JobContext, options: FetchOptions) -> Estimate:
    """:func:`litscape.online.planning.estimate`."""
    from litscape.online.planning import estimate

    return estimate(library.database, options, ctx)
