"""``litscape search``: papers by words and by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import columns
from litscape_app.cli.records import HIT_KEYS, hit_record, rows_of, starred
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.search.hits import SearchHit, SearchResult
    from litscape_app.cli.session import Session

MODES = ("lexical", "semantic", "hybrid")


def _search(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        flt = read_filter(session, library)
        if flt is None and not " ".join(args.query).strip():
            raise UserError(
                "There is nothing to search for: type words, or narrow with --tag, --collection, "
                "--year or --type; `litscape list` lists all papers."
            )
        result = library.search(
            " ".join(args.query), mode=args.mode, k=args.number, flt=flt, inside=args.inside
        )
        return _answer(session, library, result)


def _answer(
    session: Session, library: Library, result: SearchResult, nothing: str = "Nothing was found."
) -> Answer:
    for note in result.notes:
        session.out.message(note)
    rows = rows_of(library, [hit.paper_id for hit in result])
    found = [(rows[hit.paper_id], hit) for hit in result if hit.paper_id in rows]
    records = [hit_record(row, hit.score, hit.why, hit.passage) for row, hit in found]
    lines = [
        (f"{hit.score:.3f}", row.citekey, row.year or row.year_raw, row.title, _reasons(hit))
        for row, hit in found
    ]
    return Answer(records, columns(lines) if lines else nothing)


def _reasons(hit: SearchHit) -> str:
    """Why a paper was found, and what its PDF says where that is why."""
    said = "; ".join(hit.why)
    return f"{said}: {starred(hit.passage)}" if hit.passage and hit.passage.text else said


def _number(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument(
        "-k",
        "--number",
        type=whole_number(1),
        default=default,
        metavar="N",
        help=f"at most N papers ({default})",
    )


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        nargs="+",
        metavar="QUERY",
        help='words, "phrases", -not, title: author: year: tag: venue: collection: type: has: '
        "cites: citedby:; one that begins with a dash stands behind --, as in `search -- -image`",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="hybrid",
        help="by words, by meaning or both (hybrid; only words until papers are embedded)",
    )
    parser.add_argument(
        "--inside",
        action="store_true",
        help="look for the words inside PDFs too; see `fulltext build`",
    )
    _number(parser, 20)
    add_filters(parser)


SEARCH = Command(
    "search", "find papers by words and meaning", _search, _search_arguments, HIT_KEYS, "list"
)
