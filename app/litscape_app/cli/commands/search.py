"""``litscape search``: papers by words and by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import columns
from litscape_app.cli.records import FOUND_KEYS, found_record, rows_of, starred
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.search.highlights import Shown
    from litscape.search.hits import SearchHit, SearchResult
    from litscape_app.cli.records import Record
    from litscape_app.cli.session import Session

MODES = ("lexical", "semantic", "hybrid")
NOTHING = "Nothing was found."
_REASONS = ("There is no ", "No paper has ", "No note has ", "No PDF ", "This library has no ")
"""How notes begin that say what there is not."""
_LONGEST = 300
_MOST_WORDS = 6


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
        return answer_of(session, library, result, " ".join(args.query), whole=args.explain)


def answer_of(
    session: Session, library: Library, result: SearchResult, query: str, *, whole: bool = False
) -> Answer:
    """What a search found; how it was understood is told beside it, and in it if ``whole``."""
    from litscape.search.highlights import Highlighter, Shown, shown

    if tells_more(result.understood, query):
        session.out.message(f"Understood as: {_short(result.understood)}")
    for note in result.notes:
        session.out.message(note)
    ids = [hit.paper_id for hit in result]
    rows = rows_of(library, ids)
    with library.database.read() as conn:
        matches = (
            shown(conn, Highlighter(result.words), ids, everywhere=True) if result.words else {}
        )
    found = [
        (rows[hit.paper_id], hit, matches.get(hit.paper_id, Shown()))
        for hit in result
        if hit.paper_id in rows
    ]
    records: list[Record] = [found_record(row, hit, match) for row, hit, match in found]
    lines = [
        (f"{hit.score:.3f}", row.citekey, row.year or row.year_raw, row.title, _reasons(hit, match))
        for row, hit, match in found
    ]
    # What is not there is told already, and that it finds nothing with it.
    told = [
        note
        for note in result.notes
        if note.startswith(_REASONS) and not note.endswith("searched as words.")
    ]
    said = any(note.startswith("There is no ") for note in told)
    text = columns(lines) if lines else "" if said else NOTHING
    if not whole:
        return Answer(records, text)
    report = {
        "query": query,
        "understood": result.understood,
        "mode": result.mode_used,
        "notes": list(result.notes),
        "nothing": None if records else " ".join(told) or NOTHING,
        "hits": records,
    }
    return Answer(report, text)


def _reasons(hit: SearchHit, match: Shown) -> str:
    """Why a paper was found: the words that match, how near its meaning is, what its PDF says."""
    said = "; ".join(hit.why)
    if match.words and "words" in said:
        said = f"{said} ({', '.join(match.words[:_MOST_WORDS])})"
    return f"{said}: {starred(hit.passage)}" if hit.passage and hit.passage.text else said


def _short(text: str) -> str:
    """A text for the screen: what was pasted by the page is not said again as a whole."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"


def tells_more(understood: str, query: str) -> bool:
    """Whether a query was understood otherwise than it is typed, signs and case apart."""

    def letters(text: str) -> str:
        return "".join(one for one in text.casefold() if one.isalnum())

    return letters(understood) != letters(query)


def add_number(parser: argparse.ArgumentParser, default: int) -> None:
    """Add the argument for how many papers to find."""
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
        help='words, "phrases", -not, a OR b, brackets, title: author: year:2015..2020 venue: '
        "abstract: keyword: tag: collection: topic: type: has: is: rating: colour: source: in:list "
        "cites: citedby: key: text: note:; one that begins with a dash stands behind --, as in "
        "`search -- -image`; a word that no paper has is searched as one near to it, unless quoted",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="hybrid",
        help="by words, by meaning or both (hybrid; only words until papers are embedded)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="with --json: one object {query, understood, mode, notes, nothing, hits} instead of "
        "the hits; `nothing` is one sentence on why there is no hit, or null",
    )
    parser.add_argument(
        "--inside",
        action="store_true",
        help="look for the words inside PDFs too (see `fulltext build`); papers found only there "
        "come after those that have them in title, abstract and the like",
    )
    add_number(parser, 20)
    add_filters(parser)


SEARCH = Command(
    "search", "find papers by words and meaning", _search, _search_arguments, FOUND_KEYS, "list"
)
