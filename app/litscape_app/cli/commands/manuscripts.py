"""``litscape citations manuscripts``: works that the user's own texts cite together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import Record, short

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.manuscripts.records import ManuscriptReport, Together
    from litscape_app.cli.session import Session

_SHOWN = 20
_KEYS = {
    "manuscripts": "list of {path, kind, read_at, citations, works}",
    "read": "how many were read anew",
    "unchanged": "how many needn't be",
    "gone": "paths that are there no more, and were forgotten",
    "left_out": "list of {path, why}: files of which nothing was taken",
    "forgotten": "how many were forgotten by --forget",
    "citations": "citations in the manuscripts; one may name several works",
    "papers": "papers of the library that they cite",
    "unknown": "list of {citekey, path, line}: keys that no paper has, and where they stand first",
    "pairs": "pairs of papers by the closest part: citation, sentence, paragraph, section",
    "together": "with --with: list of {id, citekey, title, weight, level, manuscripts}",
}


def _manuscripts(session: Session) -> Answer:
    args = session.args
    if args.forget and args.place is None:
        raise UserError("Name the manuscript or folder that is to be forgotten.")
    reading = args.place is None
    with session.library(reading=reading) as library, job_context() as ctx:
        manuscripts, forgotten = library.manuscripts, 0
        if args.forget:
            forgotten = manuscripts.forget(args.place)
            report = manuscripts.report()
        elif args.place is not None:
            report = manuscripts.read(args.place, ctx)
        else:
            report = manuscripts.report()
        together = manuscripts.together(args.ref) if args.ref is not None else ()
        beside = _beside(library, args.ref, together)
    record = {**_record(report), "forgotten": forgotten, "together": beside}
    lines = [f"{counted(forgotten, 'manuscript')} forgotten."] if forgotten else []
    lines += _lines(report)
    if args.ref is not None:
        lines += _told_together(args.ref, beside)
    return Answer({name: record[name] for name in _KEYS}, "\n".join(lines))


def _record(report: ManuscriptReport) -> Record:
    return {
        "manuscripts": [
            {
                "path": one.path,
                "kind": one.kind,
                "read_at": one.read_at,
                "citations": one.citations,
                "works": one.works,
            }
            for one in report.manuscripts
        ],
        "read": report.read,
        "unchanged": report.unchanged,
        "gone": list(report.gone),
        "left_out": [{"path": one.path, "why": one.why} for one in report.left_out],
        "citations": report.citations,
        "papers": report.papers,
        "unknown": [
            {"citekey": one.citekey, "path": one.path, "line": one.line} for one in report.unknown
        ],
        "pairs": {level.name.lower(): number for level, number in report.pairs.items()},
    }


def _beside(library: Library, ref: str | None, together: tuple[Together, ...]) -> list[Record]:
    if ref is None:
        return []
    paper = library.papers.id_of(ref)
    rows = {row.id: row for row in library.papers.rows([one.other(paper) for one in together])}
    return [
        {
            "id": one.other(paper),
            "citekey": rows[one.other(paper)].citekey,
            "title": rows[one.other(paper)].title,
            "weight": one.weight,
            "level": one.level.name.lower(),
            "manuscripts": list(one.manuscripts),
        }
        for one in together
    ]


def _lines(report: ManuscriptReport) -> list[str]:
    if not report.manuscripts:
        return ["No manuscript was read so far; name a file or a folder of .tex or .md files."]
    lines = [
        f"{counted(len(report.manuscripts), 'manuscript')} ({report.read:,} read now) with "
        f"{counted(report.citations, 'citation')} of {counted(report.papers, 'paper')}."
    ]
    pairs = [f"{number:,} in one {level.name.lower()}" for level, number in report.pairs.items()]
    lines.append(f"Pairs of papers cited together: {', '.join(pairs)}.")
    lines += [f"No longer there, forgotten: {printable(path)}" for path in report.gone]
    lines += [f"Left out: {printable(one.path)}: {printable(one.why)}" for one in report.left_out]
    if report.unknown:
        lines.append(f"{counted(len(report.unknown), 'key')} that no paper of the library has:")
        lines += [
            printable(f"  {one.citekey}  ({one.path}, line {one.line})")
            for one in report.unknown[:_SHOWN]
        ]
        if len(report.unknown) > _SHOWN:
            lines.append(f"  … and {len(report.unknown) - _SHOWN:,} more; --json prints all.")
    return lines


def _told_together(ref: str, beside: list[Record]) -> list[str]:
    if not beside:
        return [f"No manuscript cites {printable(ref)} together with another paper."]
    return [
        f"Cited together with {printable(ref)}:",
        *(
            printable(
                f"  {one['weight']:.3g}  {one['citekey']}  {short(str(one['title'] or ''), 60)}"
                f"  (one {one['level']})"
            )
            for one in beside
        ),
    ]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "place",
        metavar="PLACE",
        nargs="?",
        help="a .tex, .aux or Markdown file, or a folder of them; without it, what was read so far",
    )
    parser.add_argument(
        "--with",
        dest="ref",
        metavar="REF",
        help="list papers cited together with this one: an id, citation key or DOI",
    )
    parser.add_argument("--forget", action="store_true", help="forget what was read of PLACE")


MANUSCRIPTS = Command(
    "manuscripts",
    "read what the user's own texts cite together: in one citation, sentence, paragraph or section",
    _manuscripts,
    _arguments,
    keys=_KEYS,
)
