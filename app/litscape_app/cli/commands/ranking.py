"""``litscape citations rank``, ``near`` and ``refuse``: papers by their links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns
from litscape_app.cli.records import CHANGE_KEYS, Record, change_record, row_line
from litscape_app.cli.refs import resolve_all
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.graph.neighbours import Neighbours
    from litscape.library import Library
    from litscape.paper import PaperRow
    from litscape_app.cli.session import Session

_KINDS = {
    "cocited": "Cited together with it",
    "coupled": "With references in common",
    "two_hop": "Two links away",
}
_RANK_KEYS = {
    "id": "the paper's id",
    "citekey": "its citation key",
    "title": "its title or null",
    "year": "number or null",
    "pagerank": "its PageRank; those of all papers add up to 1",
    "cited_by": "how many papers of the library cite it",
    "cites": "how many papers of the library it cites",
}
_NEAR_KEYS = {
    "cocited": "list of {id, citekey, title, year, count, weight}: papers that are cited together "
    "with it, by how many works; the weight counts one with many references less",
    "coupled": "the same of papers that cite the same works",
    "two_hop": "the same of papers two links away in whichever direction, by how many ways; "
    "the weight counts a paper between that has many links less",
}


def _rank(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        ranked = library.citations.ranked(args.limit, as_of=args.as_of)
        rows = {row.id: row for row in library.papers.rows([one.paper for one in ranked])}
    ranked = tuple(one for one in ranked if one.paper in rows)
    records: list[Record] = [
        {
            **_paper(rows[one.paper].id, rows),
            "pagerank": one.pagerank,
            "cited_by": one.cited_by,
            "cites": one.cites,
        }
        for one in ranked
    ]
    lines = [
        (f"{one.pagerank:.5f}", one.cited_by, one.cites, *row_line(rows[one.paper]))
        for one in ranked
    ]
    head = ("PageRank", "cited by", "cites", "id", "key", "year", "authors", "title")
    return Answer(records, columns([head, *lines]) if lines else "No papers.")


def _paper(paper: int, rows: dict[int, PaperRow]) -> Record:
    row = rows[paper]
    return {"id": row.id, "citekey": row.citekey, "title": row.title, "year": row.year}


def _near(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        (paper,) = resolve_all(library, [args.ref])
        asked = library.citations
        found = {
            "cocited": asked.cocited(paper, args.limit, as_of=args.as_of),
            "coupled": asked.coupled(paper, args.limit, as_of=args.as_of),
            "two_hop": asked.two_hop(paper, args.limit, as_of=args.as_of),
        }
        told = {kind: _told(library, near) for kind, near in found.items()}
    parts = [
        f"{title}:\n{columns([_line(one) for one in told[kind]])}"
        for kind, title in _KINDS.items()
        if told[kind]
    ]
    return Answer(told, "\n\n".join(parts) or "No paper is near it by citations.")


def _line(one: Record) -> tuple[object, ...]:
    return (f"{one['weight']:.3f}", one["count"], one["id"], one["citekey"], one["year"],
            one["title"])  # fmt: skip


def _told(library: Library, near: Neighbours) -> list[Record]:
    rows = {row.id: row for row in library.papers.rows(near.ids.tolist())}
    told = zip(near.ids.tolist(), near.counts.tolist(), near.weights.tolist(), strict=True)
    return [
        {**_paper(paper, rows), "count": count, "weight": round(weight, 6)}
        for paper, count, weight in told
        if paper in rows
    ]


def _refuse(session: Session) -> Answer:
    with session.library() as library:
        changes = library.citations.refuse(session.args.citing, session.args.cited)
    return Answer(
        change_record(changes),
        "The link was taken back; the reference stands outside the library again.",
    )


def as_of_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the year up to which things are looked at."""
    parser.add_argument("--as-of", type=whole_number(0, 9999), metavar="YEAR", help=what)


def _limited(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limit", type=whole_number(1), default=20, metavar="N", help="at most so many; 20"
    )
    as_of_argument(parser, "only papers dated up to this year, and the links between them")


def _near_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="a paper: its id, citation key or DOI")
    _limited(parser)


def _refuse_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("citing", metavar="CITING", help="the paper whose reference it is")
    parser.add_argument("cited", metavar="CITED", help="the paper that it does not mean")


RANK = Command("rank", "list papers by PageRank", _rank, _limited, keys=_RANK_KEYS, shape="list")
NEAR = Command("near", "list papers near one by citations", _near, _near_arguments, _NEAR_KEYS)
REFUSE = Command(
    "refuse",
    "take back a link that leads to the wrong paper, for good",
    _refuse,
    _refuse_arguments,
    keys=CHANGE_KEYS,
)
