"""``litscape mark`` and ``reading-list``: what a reader makes of papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.reading import COLOURS, MOST, STATES
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, ROW_KEYS, change_record, row_record, short
from litscape_app.cli.refs import add_refs, resolve_all
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session

_MOST_PLACES = 1_000_000


def _mark(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        ids = resolve_all(library, args.refs)
        changes = library.edit.mark(
            ids, read_state=args.read_state, rating=args.rating, colour=args.colour
        )
    number = len(changes.changed)
    text = f"Marked {counted(number, 'paper')}." if number else "Marked so already."
    return Answer(change_record(changes), text)


def _mark_arguments(parser: argparse.ArgumentParser) -> None:
    add_refs(parser)
    states = parser.add_mutually_exclusive_group()
    for state in STATES:
        states.add_argument(
            f"--{state}", dest="read_state", action="store_const", const=state, help=f"as {state}"
        )
    parser.add_argument(
        "--rating",
        type=whole_number(0, MOST),
        metavar="STARS",
        help=f"1 to {MOST} stars; 0 takes the rating away",
    )
    parser.add_argument(
        "--colour",
        "--color",
        metavar="NAME",
        help=f"one of {', '.join(COLOURS)}; none takes it away",
    )


def _list(session: Session) -> Answer:
    from litscape.paper import PaperFilter

    with session.library(reading=True) as library:
        ids = library.papers.ids(PaperFilter(is_=("listed",)), sort="list")
        rows = library.papers.rows([int(one) for one in ids])
    records = [{"place": n, **row_record(row)} for n, row in enumerate(rows, 1)]
    cells = [
        (n, row.citekey, row.read_state or "", row.year or row.year_raw, short(row.title, 90))
        for n, row in enumerate(rows, 1)
    ]
    return Answer(records, columns(cells) if cells else "The reading list is empty.")


def _add(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.put_in_list(ids, session.args.place)
    text = f"Put {counted(len(changes.changed), 'paper')} into the reading list."
    if not changes.changed:
        text = f"{'It is' if len(ids) == 1 else 'They are'} in the reading list already."
    return Answer(change_record(changes), text)


def _remove(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.take_from_list(ids)
    text = f"Took {counted(len(changes.changed), 'paper')} out of the reading list."
    if not changes.changed:
        text = f"{'It is' if len(ids) == 1 else 'They are'} not in the reading list."
    return Answer(change_record(changes), text)


def _move(session: Session) -> Answer:
    from litscape.errors import UserError
    from litscape.paper import PaperFilter

    with session.library() as library:
        (paper,) = resolve_all(library, [session.args.ref])
        if not library.papers.rows([paper])[0].listed:
            raise UserError(
                f"“{session.args.ref}” is not in the reading list; "
                "`litscape reading-list add` puts it there."
            )
        changes = library.edit.put_in_list([paper], session.args.place)
        order = library.papers.ids(PaperFilter(is_=("listed",)), sort="list").tolist()
    last = ", the last one," if session.args.place > len(order) else ""
    return Answer(change_record(changes), f"It has place {order.index(paper) + 1}{last} now.")


def _place(parser: argparse.ArgumentParser) -> None:
    add_refs(parser)
    parser.add_argument(
        "--place",
        type=whole_number(1, _MOST_PLACES),
        metavar="N",
        help="the place that the first of them gets, from 1 (the end)",
    )


def _ref_and_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the paper")
    parser.add_argument(
        "place", type=whole_number(1, _MOST_PLACES), metavar="PLACE", help="its new place, from 1"
    )


MARK = Command(
    "mark", "mark papers as read, rate and colour them", _mark, _mark_arguments, keys=CHANGE_KEYS
)
READING_LIST = Command(
    "reading-list",
    "list, fill and order the reading list",
    default="list",
    commands=(
        Command(
            "list",
            "list it in its order (also without a word)",
            _list,
            keys={"place": "its place in the list, from 1", **ROW_KEYS},
            shape="list",
        ),
        Command("add", "put papers into it", _add, _place, keys=CHANGE_KEYS),
        Command("remove", "take papers out of it", _remove, add_refs, keys=CHANGE_KEYS),
        Command(
            "move", "give a paper another place in it", _move, _ref_and_place, keys=CHANGE_KEYS
        ),
    ),
)
