"""``litscape feed``: new papers from outside, ranked by closeness to a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.explaining import add_notes, with_notes
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.refs import find_collection, resolve_all
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.alike.feed import FeedHit
    from litscape.alike.fresh import Wanted
    from litscape.alike.request import Examples
    from litscape.library import Library
    from litscape_app.cli.records import Record
    from litscape_app.cli.session import Session

PLACES = ("openalex", "arxiv")
MARKED = ("read", "rated")
_NOTHING = "There is nothing new."


def _feed(session: Session) -> Answer:
    from litscape.alike.fresh import fresh

    with session.library(reading=True) as library, job_context() as ctx:
        feed = fresh(library, _wanted(session, library), ctx)
    notes = list(feed.notes)
    if feed.known:
        notes.append(f"{counted(feed.known, 'paper')} of these you have already.")
    for note in notes:
        session.out.message(note)
    if not feed.hits and session.out.as_json and not session.args.notes:
        session.out.message(_NOTHING)
    lines = [
        (f"{hit.score:.3f}", hit.draft.year, hit.draft.title, "; ".join(hit.why))
        for hit in feed.hits
    ]
    whole = with_notes(session.args, [_record(hit) for hit in feed.hits], notes, _NOTHING)
    return Answer(whole, columns(lines) if lines else _NOTHING)


def _like(args: argparse.Namespace, library: Library) -> Examples:
    from litscape.alike.fresh import marked
    from litscape.alike.request import Examples

    like = Examples(
        papers=tuple(resolve_all(library, args.like or ())),
        collections=tuple(find_collection(library, path).id for path in args.collection or ()),
        flt=marked(args.marked).flt if args.marked else None,
    )
    if not like:
        raise UserError(
            "Name what new papers should be close to: --collection, --like or --marked."
        )
    return like


def _wanted(session: Session, library: Library) -> Wanted:
    from litscape.alike.fresh import Wanted

    args = session.args
    like = _like(args, library)
    if args.search and not (session.settings.lookup_consent or args.allow_network):
        raise UserError(
            "Nothing was searched: that asks OpenAlex or arXiv over the internet and needs "
            "your consent. Give --allow-network for this time, or for good "
            "`litscape settings set lookup_consent true`."
        )
    if not (args.search or args.sources):
        raise UserError("Name files or folders with new papers, or give --search.")
    return Wanted(
        like,
        tuple(args.sources),
        args.search or "",
        args.at,
        args.since,
        args.number,
        session.settings.mail,
    )


def _record(hit: FeedHit) -> Record:
    draft = hit.draft
    return {
        "title": draft.title,
        "authors": "; ".join(author.display for author in draft.authors),
        "year": draft.year,
        "venue": draft.venue,
        "doi": draft.doi,
        "arxiv": draft.arxiv,
        "url": draft.url,
        "score": round(hit.score, 6),
        "why": list(hit.why),
    }


def _arguments(parser: argparse.ArgumentParser) -> None:
    more: dict[str, Any] = {"action": "append"}
    parser.add_argument(
        "sources", nargs="*", metavar="FILE", help="a file of records, or a folder of such files"
    )
    parser.add_argument("--collection", metavar="PATH", help="close to this collection", **more)
    parser.add_argument("--like", metavar="REF", help="close to this paper", **more)
    parser.add_argument(
        "--marked", choices=MARKED, help="close to all papers that you marked as read, or rated"
    )
    parser.add_argument("--search", metavar="WORDS", help="search online for these words")
    parser.add_argument("--at", choices=PLACES, default=PLACES[0], help="where (openalex)")
    parser.add_argument(
        "--since", type=whole_number(1, 9999), metavar="YEAR", help="search from this year on"
    )
    parser.add_argument(
        "--allow-network", action="store_true", help="consent to search online this time"
    )
    add_notes(parser)
    number = whole_number(1)
    parser.add_argument(
        "-k", "--number", type=number, default=20, metavar="N", help="at most N papers (20)"
    )


FEED = Command(
    "feed",
    "rank new papers, of files or a search, by closeness to a collection",
    _feed,
    _arguments,
    {
        "title": "its title or null",
        "authors": "its authors as one text",
        "year": "number or null",
        "venue": "text or null",
        "doi": "bare, or null",
        "arxiv": "bare, or null",
        "url": "text or null",
        "score": "higher is better; comparable within one answer only",
        "why": "list of short reasons",
    },
    "list",
)
