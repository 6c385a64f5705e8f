"""``litscape facets``: how many papers of a result have which year, venue, author and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.commands.search import MODES
from litscape_app.cli.output import columns, counted
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.facets import FacetCounts, FacetReport
    from litscape_app.cli.session import Session

NAMES = (
    "year", "venue", "author", "keyword", "tag", "collection", "type", "source", "read", "rating",
    "colour", "topic",
)  # fmt: skip
TITLES = {"read": "reading state", "source": "imported from"}


def _facets(session: Session) -> Answer:
    from litscape.facets import FacetRequest

    args = session.args
    query = " ".join(args.query)
    names = tuple(dict.fromkeys(args.facet or NAMES))
    with session.library(reading=True) as library:
        flt = read_filter(session, library)
        if query.strip():
            for note in library.search(query, mode=args.mode, k=1, flt=flt).notes:
                session.out.message(note)
        asked = FacetRequest(
            query,
            args.mode,
            flt,
            names,
            dict.fromkeys(names, args.top),
            dict.fromkeys(names, args.containing or ""),
        )
        report = library.facets.count(asked)
    assert report is not None  # it waits for the facets
    return Answer(_record(report), _page(report))


def _record(report: FacetReport) -> dict[str, Any]:
    return {
        "papers": report.papers,
        "facets": [
            {
                "name": one.name,
                "distinct": one.distinct,
                "without": one.without,
                "values": [
                    {
                        "value": value.value,
                        "count": value.papers,
                        "chosen": value.chosen,
                        "left_out": value.left_out,
                    }
                    for value in one.values
                ],
            }
            for one in report.facets
        ],
    }


def _page(report: FacetReport) -> str:
    parts = [counted(report.papers, "paper")]
    for one in report.facets:
        if one.values:
            parts.append(_lines(one))
    return "\n\n".join(parts)


def _lines(facet: FacetCounts) -> str:
    title = TITLES.get(facet.name, facet.name)
    rows = []
    for one in facet.values:
        mark = "chosen" if one.chosen else "left out" if one.left_out else ""
        rows.append((f"{one.papers:,}", one.value, mark))
    hidden = facet.distinct - sum(one.papers > 0 for one in facet.values)
    notes = [f"{hidden:,} more"] if hidden > 0 else []
    notes += [f"{counted(facet.without, 'paper')} without"] if facet.without else []
    heading = f"{title} ({', '.join(notes)})" if notes else title
    return f"{heading}\n{columns(rows)}"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query", nargs="*", metavar="QUERY", help="as for `litscape search`; all papers without one"
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="lexical",
        help="lexical: all papers with the words; else the best hundred by meaning, or by both",
    )
    parser.add_argument(
        "--facet",
        action="append",
        choices=NAMES,
        metavar="FACET",
        help=f"only this one of {', '.join(NAMES)}; repeat",
    )
    parser.add_argument(
        "--top",
        type=whole_number(1),
        default=8,
        metavar="N",
        help="at most N values of each (8); years and ratings are always all",
    )
    parser.add_argument("--containing", metavar="TEXT", help="only values in which this stands")
    add_filters(parser)


FACETS = Command(
    "facets",
    "count the years, venues, authors, tags … of a result",
    _facets,
    _arguments,
    {
        "papers": "how many papers the result has",
        "facets": "list of facets: name; distinct (how many values there are); without (papers "
        "that have none); values (list of value, count, chosen, left_out: whether the query asks "
        "for it or against it; a facet of single values is counted without the query's own choice)",
    },
)
