"""``litscape import``: take in files of papers."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from litscape.importers.base import ReadOptions
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import REPORT_KEYS, report_record, rows_of, short
from litscape_app.cli.refs import split_path

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.paper import ImportProblem, ImportReport
    from litscape_app.cli.session import Session

_TOLD_NOTES = frozenset({"encoding-guessed"})
"""Notes that a person should see: what is wrong with them, only a person can tell."""
_SHOWN = 20


def _import(session: Session) -> Answer:
    args = session.args
    options = ReadOptions(
        args.encoding,
        tuple(args.zotero_library or ()),
        zotero_group_names=args.zotero_group_names,
    )
    collection = split_path(args.collection) if args.collection else None
    with session.library(create=True) as library, job_context() as ctx:
        report = library.imports.run(
            args.sources,
            ctx,
            kind=args.kind,
            options=options,
            collection=collection,
            all_or_nothing=args.all_or_nothing,
        )
        return Answer(report_record(report), describe_report(report, library))


def describe_report(report: ImportReport, library: Library) -> str:
    """An import report for a person."""
    outcomes = [
        f"{getattr(report, name):,} {name}"
        for name in ("added", "updated", "merged", "unchanged", "skipped")
        if getattr(report, name)
    ]
    lines = [f"{counted(report.records, 'record')}: {', '.join(outcomes) or 'nothing to do'}."]
    told = [one for one in report.issues if one.severity != "note" or one.code in _TOLD_NOTES]
    lines += [_issue_line(issue, _file_name(issue, report)) for issue in told[:_SHOWN]]
    if len(told) > _SHOWN:
        lines.append(f"… and {len(told) - _SHOWN:,} more; --json prints all.")
    lines += _pair_lines(report, library)
    if report.added and report.without_abstract and not report.with_abstract:
        lines.append("None of them has an abstract: similarity will compare by title only.")
    return "\n".join(lines)


def _file_name(issue: ImportProblem, report: ImportReport) -> str:
    """Which of several sources an issue is about; nothing where there is but one."""
    places = set(report.sources)
    if len(places) < 2:
        return ""
    name = PurePath(issue.source).name
    alike = [place for place in places if PurePath(place).name == name]
    return name if len(alike) == 1 else issue.source


def _issue_line(issue: ImportProblem, name: str) -> str:
    parts = [part for part in (name, f"line {issue.line}" if issue.line else "") if part]
    place = f"{', '.join(parts)}: " if parts else ""
    return printable(f"{issue.severity}: {place}{issue.message}")


def _pair_lines(report: ImportReport, library: Library) -> list[str]:
    """The pairs that may be one work each, by their keys."""
    pairs = report.suggested_merges
    if not pairs:
        return []
    rows = rows_of(library, sorted({paper for pair in pairs[:_SHOWN] for paper in pair}))
    each = "" if len(pairs) == 1 else " each"
    lines = [f"{counted(len(pairs), 'pair')} of papers may{each} be one work:"]
    for pair in pairs[:_SHOWN]:
        keys = " and ".join(rows[paper].citekey for paper in pair if paper in rows)
        title = rows[pair[0]].title if pair[0] in rows else None
        lines.append(printable(f"  {keys}: {short(title, 60)}" if title else f"  {keys}"))
    if len(pairs) > _SHOWN:
        lines.append(f"  … and {len(pairs) - _SHOWN:,} more; --json prints all.")
    return lines


def _arguments(parser: argparse.ArgumentParser) -> None:
    from_content = "by default its content tells"
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a file of papers, a folder of such files, Zotero's zotero.sqlite or its folder, or "
        "zotero:http://127.0.0.1:23119 for the Zotero that is running",
    )
    parser.add_argument(
        "--kind", metavar="KIND", help=f"bibtex, ris, csl-json, jsonl, …; {from_content}"
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help=f"of the file's text, such as latin-1; {from_content}"
    )
    parser.add_argument(
        "--zotero-library",
        action="append",
        metavar="NAME",
        help="of Zotero: user for your own library, group:N for the group with that number, all "
        "(the default); may be repeated",
    )
    parser.add_argument(
        "--zotero-group-names",
        action="store_true",
        help="of Zotero: put the papers of a group into a collection with the group's name; else "
        "collections of equal names become one",
    )
    parser.add_argument("--collection", metavar="PATH", help="put the papers in this collection")
    parser.add_argument(
        "--all-or-nothing",
        action="store_true",
        help="take everything back when the import does not reach its end, also after Ctrl-C; "
        "else what came in by then stays, as one change that undo takes back",
    )


IMPORT = Command("import", "take in files of papers", _import, _arguments, REPORT_KEYS)
