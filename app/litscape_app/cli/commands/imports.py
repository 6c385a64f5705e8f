"""``litscape import``: take in files of papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.base import ReadOptions
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import REPORT_KEYS, report_record
from litscape_app.cli.refs import split_path

if TYPE_CHECKING:
    import argparse

    from litscape.paper import ImportProblem, ImportReport
    from litscape_app.cli.session import Session

_SHOWN = 20


def _import(session: Session) -> Answer:
    args = session.args
    options = ReadOptions(args.encoding, tuple(args.zotero_library or ()))
    collection = split_path(args.collection) if args.collection else None
    with session.library(create=True) as library, job_context() as ctx:
        report = library.imports.run(
            args.sources, ctx, kind=args.kind, options=options, collection=collection
        )
    return Answer(report_record(report), describe_report(report))


def describe_report(report: ImportReport) -> str:
    """An import report for a person."""
    outcomes = [
        f"{getattr(report, name):,} {name}"
        for name in ("added", "updated", "merged", "unchanged", "skipped")
        if getattr(report, name)
    ]
    lines = [f"{counted(report.records, 'record')}: {', '.join(outcomes) or 'nothing to do'}."]
    told = [issue for issue in report.issues if issue.severity != "note"]
    lines += [_issue_line(issue) for issue in told[:_SHOWN]]
    if len(told) > _SHOWN:
        lines.append(f"… and {len(told) - _SHOWN:,} more; --json prints all.")
    if report.suggested_merges:
        lines.append(f"{counted(len(report.suggested_merges), 'pair')} may be one work each.")
    if report.added and report.without_abstract >= report.added:
        lines.append("None of them has an abstract: similarity will be by title only.")
    return "\n".join(lines)


def _issue_line(issue: ImportProblem) -> str:
    place = f"line {issue.line}: " if issue.line else ""
    return printable(f"{issue.severity}: {place}{issue.message}")


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
    parser.add_argument("--collection", metavar="PATH", help="put the papers in this collection")


IMPORT = Command("import", "take in files of papers", _import, _arguments, REPORT_KEYS)
