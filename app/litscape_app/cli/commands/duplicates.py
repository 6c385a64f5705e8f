"""``litscape duplicates``: papers that may be one work, merged or kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import CHANGE_KEYS, Record, change_record, short
from litscape_app.cli.refs import add_refs, resolve_all

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.duplicates import DuplicateGroup
    from litscape.library import Library
    from litscape.paper import Paper
    from litscape_app.cli.session import Session

_SHOWN = 50
_GROUP_KEYS = {
    "ids": "the papers that may be one work, ascending",
    "papers": "list of {id, citekey, title, year, doi}",
    "score": "of the surest pair, from 0 to 1",
    "certain": "whether `merge --certain` merges the whole group",
    "why": "list of what speaks for and against it",
    "pairs": "list of {ids, score, certain, why}, the surest first",
}
_REFUSED_KEYS = {
    "ids": "two papers that are kept apart",
    "papers": "list of {id, citekey, title, year, doi}",
    "made_at": "when that was said, UTC",
}


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library, job_context() as ctx:
        groups = library.duplicates.list(ctx)
        papers = _papers(library, [paper for group in groups for paper in group.ids])
    records = [_group_record(group, papers) for group in groups]
    return Answer(records, _describe(groups, papers))


def _papers(library: Library, ids: Sequence[int]) -> dict[int, Paper]:
    return {paper.id: paper for paper in library.papers.stream(list(dict.fromkeys(ids)))}


def _paper_record(paper: Paper) -> Record:
    return {name: getattr(paper, name) for name in ("id", "citekey", "title", "year", "doi")}


def _group_record(group: DuplicateGroup, papers: dict[int, Paper]) -> Record:
    return {
        "ids": list(group.ids),
        "papers": [_paper_record(papers[paper]) for paper in group.ids],
        "score": group.score,
        "certain": group.certain,
        "why": list(group.why),
        "pairs": [
            {"ids": [pair.a, pair.b], "score": pair.score, "certain": pair.certain}
            | {"why": list(pair.why)}
            for pair in group.pairs
        ],
    }


def _describe(groups: Sequence[DuplicateGroup], papers: dict[int, Paper]) -> str:
    """The groups for a person."""
    if not groups:
        return "No duplicates were found."
    each = "" if len(groups) == 1 else " each"
    lines = [f"{counted(len(groups), 'group')} of papers that may{each} be one work:"]
    for group in groups[:_SHOWN]:
        sure = "certain" if group.certain else f"{group.score:.0%}"
        lines.append(f"{sure}: {', '.join(group.why)}")
        lines += [f"  {_line(papers[paper])}" for paper in group.ids]
    if len(groups) > _SHOWN:
        lines.append(f"… and {len(groups) - _SHOWN:,} more; --json prints all.")
    return "\n".join(lines)


def _line(paper: Paper) -> str:
    year = paper.year or paper.year_raw or "----"
    doi = f"  {paper.doi}" if paper.doi else ""
    return printable(
        f"{paper.id}  {paper.citekey}  {year}  {short(paper.title or 'Without title', 70)}{doi}"
    )


def _merge(session: Session) -> Answer:
    args = session.args
    chosen = dict(_choice(one) for one in args.value or ())
    if args.certain and (args.refs or args.keep or chosen):
        raise UserError("--certain finds the papers itself: name none, and choose nothing.")
    if not args.certain and not args.refs:
        raise UserError("Name the papers that are to become one, or say --certain.")
    with session.library() as library, job_context() as ctx:
        if args.certain:
            changes = library.duplicates.merge_certain(ctx)
        else:
            ids = resolve_all(library, args.refs)
            changes = library.duplicates.merge(ids, args.keep, chosen)
    gone = len(changes.removed)
    others = "another" if gone == 1 else "others"
    text = f"Merged {counted(gone, 'paper')} into {others}." if changes else "Nothing to merge."
    return Answer(change_record(changes), text)


def _choice(text: str) -> tuple[str, str]:
    name, sign, ref = text.partition("=")
    if not sign or not name.strip() or not ref.strip():
        raise UserError(f"{text!r} is not FIELD=REF, such as title=12 for the title of paper 12.")
    return name.strip(), ref.strip()


def _refuse(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.duplicates.refuse(ids)
    text = f"{counted(len(ids), 'paper')} are kept apart{'' if changes else ' already'}."
    return Answer(change_record(changes), text)


def _refused(session: Session) -> Answer:
    with session.library(reading=True) as library:
        pairs = library.duplicates.refused()
        papers = _papers(library, [paper for pair in pairs for paper in (pair.a, pair.b)])
    records = [
        {
            "ids": [pair.a, pair.b],
            "papers": [_paper_record(papers[paper]) for paper in (pair.a, pair.b)],
            "made_at": pair.made_at,
        }
        for pair in pairs
    ]
    lines = [
        line
        for pair in pairs
        for line in (pair.made_at, *(f"  {_line(papers[paper])}" for paper in (pair.a, pair.b)))
    ]
    return Answer(records, "\n".join(lines) or "No papers are kept apart.")


def _reconsider(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.duplicates.reconsider(ids)
    text = "They may count as duplicates again." if changes else "They were not kept apart."
    return Answer(change_record(changes), text)


def _what_to_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "refs", nargs="*", metavar="REF", help="the papers: each its id, citation key or DOI"
    )
    parser.add_argument(
        "--keep", metavar="REF", help="the paper that stays; by default the one that tells most"
    )
    parser.add_argument(
        "--value",
        action="append",
        metavar="KEY=REF",
        help="take a field, such as title, from this paper; may be repeated; "
        "by default the fullest value",
    )
    parser.add_argument(
        "--certain",
        action="store_true",
        help="merge all that are one work beyond doubt: same identifier and title, or all equal; "
        "never two DOIs",
    )


DUPLICATES = Command(
    "duplicates",
    "find papers that are there twice; merge them, or keep them apart",
    default="list",
    commands=(
        Command(
            "list",
            "list papers that may be one work (also without a word)",
            _list,
            keys=_GROUP_KEYS,
            shape="list",
        ),
        Command("merge", "make one paper of several", _merge, _what_to_merge, keys=CHANGE_KEYS),
        Command("refuse", "say that papers are no duplicates", _refuse, add_refs, keys=CHANGE_KEYS),
        Command(
            "refused",
            "list the papers that are kept apart",
            _refused,
            keys=_REFUSED_KEYS,
            shape="list",
        ),
        Command(
            "reconsider",
            "take back that papers are no duplicates",
            _reconsider,
            add_refs,
            keys=CHANGE_KEYS,
        ),
    ),
)
