"""``litscape related``: papers that belong together, so that training keeps them near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.records import CHANGE_KEYS, change_record, short
from litscape_app.cli.refs import add_refs, resolve_all

if TYPE_CHECKING:
    from litscape.paper import Paper
    from litscape_app.cli.session import Session

_KEYS = {
    "ids": "two papers that belong together",
    "papers": "list of {id, citekey, title, year, doi}",
    "made_at": "when that was said, UTC",
}


def _add(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.related.mark(ids)
    text = f"{counted(len(ids), 'paper')} are marked as related{'' if changes else ' already'}."
    return Answer(change_record(changes), text)


def _remove(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.related.unmark(ids)
    text = "They are no longer marked as related." if changes else "They were not marked."
    return Answer(change_record(changes), text)


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        pairs = library.related.list()
        ids = list(dict.fromkeys(paper for pair in pairs for paper in (pair.a, pair.b)))
        papers = {paper.id: paper for paper in library.papers.many(ids)}
    records = [
        {
            "ids": [pair.a, pair.b],
            "papers": [
                {
                    name: getattr(papers[paper], name)
                    for name in ("id", "citekey", "title", "year", "doi")
                }
                for paper in (pair.a, pair.b)
            ],
            "made_at": pair.made_at,
        }
        for pair in pairs
    ]
    lines = [
        line
        for pair in pairs
        for line in (pair.made_at, *(f"  {_line(papers[one])}" for one in (pair.a, pair.b)))
    ]
    return Answer(records, "\n".join(lines) or "No papers are marked as related.")


def _line(paper: Paper) -> str:
    year = paper.year or paper.year_raw or "----"
    return printable(
        f"{paper.id}  {paper.citekey}  {year}  {short(paper.title or 'Without title', 70)}"
    )


RELATED = Command(
    "related",
    "say which papers belong together: training never pushes them apart",
    default="list",
    commands=(
        Command(
            "list",
            "list the pairs that were marked (also without a word)",
            _list,
            keys=_KEYS,
            shape="list",
        ),
        Command("add", "mark every two of some papers", _add, add_refs, keys=CHANGE_KEYS),
        Command("remove", "take that back", _remove, add_refs, keys=CHANGE_KEYS),
    ),
)
