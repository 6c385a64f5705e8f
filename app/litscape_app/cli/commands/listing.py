"""``litscape list`` and ``show``: papers as a list, one paper whole."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from litscape.reading import KINDS
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns
from litscape_app.cli.records import PAPER_KEYS, ROW_KEYS, row_line, row_record
from litscape_app.cli.refs import (
    add_refs,
    find_collection,
    find_tags,
    resolve_all,
    year_range,
)
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from litscape.library import Library
    from litscape.paper import PaperFilter
    from litscape_app.cli.session import Session

SHOW_KEYS = {
    **PAPER_KEYS,
    "looked_up": "fields that `citations fetch` filled in, with the service of each",
}
SORT_KEYS = (
    *("added", "title", "authors", "year", "venue", "citekey", "type"),
    *("rating", "read", "list"),
)


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add the options that narrow a set of papers."""
    parser.add_argument("--collection", metavar="PATH", help="only in this collection and below")
    parser.add_argument("--tag", action="append", metavar="TAG", help="only with this tag; repeat")
    parser.add_argument("--year", metavar="YEARS", help="only of 2010, 2010-2015, 2010- or -2015")
    parser.add_argument("--type", action="append", metavar="TYPE", help="only of this type; repeat")
    parser.add_argument(
        "--is", dest="kinds", action="append", choices=KINDS, help="only what is so; repeat"
    )


def read_filter(session: Session, library: Library) -> PaperFilter | None:
    """The filter that the options of :func:`add_filters` ask for; None for no condition.

    A type that no paper has is told on stderr.

    Raises:
        UserError: there is no such collection or tag, or the years are none.
    """
    from litscape.paper import PaperFilter

    args = session.args
    if not (args.collection or args.tag or args.year or args.type or args.kinds):
        return None
    tags = find_tags(library, args.tag or ())
    _tell_types(session, library, args.type or ())
    first, last = year_range(args.year) if args.year else (None, None)
    return PaperFilter(
        collection=find_collection(library, args.collection).id if args.collection else None,
        tags=tags,
        year_from=first,
        year_to=last,
        types=tuple(args.type or ()),
        is_=tuple(args.kinds or ()),
    )


def _tell_types(session: Session, library: Library, asked: Iterable[str]) -> None:
    known = library.papers.types()
    for name in asked:
        if name not in known:
            session.out.message(
                f"No paper is of the type {name}; types are: {', '.join(known) or 'none yet'}."
            )


def _list(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        flt = read_filter(session, library)
        ids = library.papers.ids(flt, sort=args.sort, descending=args.descending)
        rows = library.papers.rows(ids[: args.number])
    text = columns([row_line(row) for row in rows]) if rows else "No papers."
    return Answer([row_record(row) for row in rows], text)


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument(
        "--sort", choices=SORT_KEYS, default="added", help="by what to sort (added)"
    )
    parser.add_argument("--descending", action="store_true", help="the other way round")
    parser.add_argument(
        "-n", "--number", type=whole_number(1), metavar="N", help="at most N papers (all)"
    )


def _show(session: Session) -> Answer:
    with session.library(reading=True) as library:
        ids = resolve_all(library, session.args.refs)
        lines = io.StringIO()
        library.export("jsonl", lines, ids)  # a paper's one shape for the outside
        looked_up = _looked_up(library, ids)
    records = [json.loads(line) for line in lines.getvalue().split("\n") if line]
    text = "\n\n".join(_page(one, looked_up.get(one["id"], {})) for one in records)
    return Answer([{**one, "looked_up": looked_up.get(one["id"], {})} for one in records], text)


def _looked_up(library: Library, ids: list[int]) -> dict[int, dict[str, str]]:
    """The fields whose value a look-up filled in, with the service, by paper."""
    from litscape.online.marks import looked_up

    return {
        paper: {field: told.source for field, told in found.items()}
        for paper, found in looked_up(library.database, ids).items()
    }


def _page(record: dict[str, Any], looked_up: dict[str, str]) -> str:
    """A paper as lines for a person; what is unknown is left out."""
    from litscape.online.marks import in_words

    known = {name: value for name, value in record.items() if value or value == 0}
    rows: list[tuple[str, str]] = []
    for name, value in known.items():
        if value is not False:
            first, *others = _words(value).split("\n")
            rows += [(name, first), *(("", line) for line in others)]
    rows += [("looked up", in_words(looked_up))] if looked_up else []
    return columns(rows, whole=True)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(value)
    if not isinstance(value, list):
        return str(value)
    return "; ".join(_word(one) for one in value)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "/".join(value)
    if not isinstance(value, dict):
        return str(value)
    parts = [value.get(key) for key in ("given", "particle", "family", "suffix", "literal")]
    name = " ".join(part for part in parts if part)
    keys = ("title", "path", "raw", "doi", "source_id")
    told = name or next((str(value[key]) for key in keys if value.get(key)), "")
    return told or ", ".join(str(one) for one in value.values() if one)


LIST = Command("list", "list papers", _list, _list_arguments, keys=ROW_KEYS, shape="list")
SHOW = Command(
    "show", "print everything about papers", _show, add_refs, keys=SHOW_KEYS, shape="list"
)
