"""New papers as they are asked for: like what, and whence they come; gathered, then ranked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from litscape.alike.request import Examples, SimilarRequest
from litscape.errors import UserError
from litscape.jobs import null_context
from litscape.paper import PaperFilter

if TYPE_CHECKING:
    from litscape.alike.feed import Feed
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.lookup import Services
    from litscape.news import Place

MOST_TOLD = 20
"""Most records and files that are told one by one as not read."""
Marked = Literal["read", "rated"]
"""Papers that a person marked in one of these ways."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What new papers are looked for.

    Attributes:
        like: what they should be close to.
        sources: files of records, and folders of such files.
        search: words to search online for, after consent; empty for no search.
        at: where to search.
        since: search from this year on.
        k: how many.
        mail: the user's address, which the service is told.
        services: where to ask; tests put a server of their own here.
    """

    like: Examples
    sources: tuple[str, ...] = ()
    search: str = ""
    at: Place = "openalex"
    since: int | None = None
    k: int = 20
    mail: str = ""
    services: Services | None = None


def marked(how: Marked) -> Examples:
    """All papers that are marked as read, or that have a rating, as examples."""
    return Examples(flt=PaperFilter(is_=(how,)))


def fresh(library: Library, wanted: Wanted, ctx: JobContext | None = None) -> Feed:
    """New papers, the closest first; those of the library are left out and counted.

    Raises:
        UserError: there is nothing to look in, a source can't be read, a service can't be asked,
            or there are no examples.
        JobCancelledError: ``ctx`` asked for the end.
    """
    from litscape.alike.drafts import read_drafts

    ctx = ctx or null_context()
    if not (wanted.sources or wanted.search):
        raise UserError("Name files or folders with new papers, or give words to search for.")
    told: list[str] = []
    found = [draft for source in wanted.sources for draft in read_drafts(source, ctx, told)]
    if wanted.search:
        from litscape.news import recent

        ctx.progress(0, None, "Searching online")
        found += recent(
            wanted.search,
            wanted.at,
            since=wanted.since,
            mail=wanted.mail,
            services=wanted.services,
        )
    ctx.check()
    feed = library.searcher.alike.feed(SimilarRequest(wanted.like, k=wanted.k), found, ctx)
    more = (f"{len(told) - MOST_TOLD:,} more could not be read.",) if len(told) > MOST_TOLD else ()
    return replace(feed, notes=(*feed.notes, *told[:MOST_TOLD], *more))
