"""``litscape citations fetch``: look up online what papers cite, and what they lack."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.progress import job_context
from litscape_app.cli.refs import resolve_all

if TYPE_CHECKING:
    from litscape.library import Library
    from litscape.online.records import FetchOptions
    from litscape_app.cli.session import Session

_KEYS = {
    "papers": "papers that were to be looked up",
    "asked": "papers about which each service was asked now, by service",
    "kept": "papers whose answer was kept from before, by service",
    "requests": "requests that were sent",
    "found": "papers that some service knows",
    "not_found": "ids of papers that no service asked knows",
    "references": "works cited that were named",
    "links": "new links inside the library",
    "outside": "works outside the library that became references",
    "filled": "values filled in, by field",
    "failures": "list of {service, reason, papers}: what could not be asked, and why",
    "change_id": "the step of undo, or null where nothing changed",
}


def _fetch(session: Session) -> Answer:
    from litscape.online import describe
    from litscape.online.fetch import fetch

    with session.library() as library, job_context() as ctx:
        options = _options(session, library)
        if not (session.args.yes or session.settings.citations_consent):
            raise UserError(_question(library, options))
        report = fetch(library.database, options, ctx)
    if report.failures and not report.found:
        reasons = dict.fromkeys(failure.reason for failure in report.failures)
        raise EnvironmentFault(f"Nothing was found. {' '.join(reasons)}")
    return Answer(report.as_json(), describe.reported(report))


def _options(session: Session, library: Library) -> FetchOptions:
    from litscape.online.options import fetch_options

    args = session.args
    return fetch_options(
        session.settings,
        args.source or (),
        papers=tuple(resolve_all(library, args.ids)) if args.ids else None,
        fill=args.fill,
        again=args.again,
        citing=args.citing,
    )


def _question(library: Library, options: FetchOptions) -> str:
    """What would be sent where, for who has not agreed to it yet."""
    from litscape.online import describe
    from litscape.online.planning import estimate

    sent = describe.consent(options.services, options.mail, tuple(options.keys))
    takes = describe.estimated(estimate(library.database, options))
    return (
        f"Nothing was looked up: that needs your consent. {sent} {takes} Give --yes to look up "
        "this time, or for good `litscape settings set citations_consent true`."
    )


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        metavar="SERVICE",
        help="openalex (by default), crossref, semanticscholar, opencitations; a later one is "
        "asked about what the ones before leave open",
    )
    parser.add_argument(
        "--ids",
        nargs="+",
        action="extend",
        metavar="REF",
        help="only these papers: ids, citation keys or DOIs; by default all",
    )
    parser.add_argument(
        "--fill",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="fill in missing abstracts, years, venues, topics and MeSH terms (by default), or "
        "links alone",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="ask again what was not found, and what was found a month ago or more",
    )
    parser.add_argument(
        "--citing",
        action="store_true",
        help="of the sources that are named, ask Semantic Scholar and OpenCitations also who cites "
        "the papers: a request more for each",
    )
    parser.add_argument(
        "--yes", action="store_true", help="consent for this time to what is sent where"
    )


FETCH = Command(
    "fetch",
    "look up online what papers cite and lack; answers are kept, each thing is asked once",
    _fetch,
    _arguments,
    keys=_KEYS,
)
