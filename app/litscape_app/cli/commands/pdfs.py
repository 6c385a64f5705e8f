"""``litscape citations pdfs``: references out of attached PDFs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import CHANGE_KEYS, change_record

if TYPE_CHECKING:
    import argparse

    from litscape.pdfs.records import PdfReport
    from litscape_app.cli.session import Session

_SHOWN = 20


def _pdfs(session: Session) -> Answer:
    args = session.args
    with session.library() as library, job_context() as ctx:
        report = library.pdfs.read(args.refs or None, ctx, again=args.again)
    record = {
        **change_record(report.changes),
        "read": report.read,
        "papers": report.papers,
        "references": report.references,
        "links": report.links,
        "unread": [{"id": one.paper, "path": one.path, "why": one.why} for one in report.unread],
    }
    return Answer(record, _told(report))


def _told(report: PdfReport) -> str:
    if not report.read and not report.unread:
        return "No paper without references has a PDF attached."
    lines = [
        f"{counted(report.references, 'reference')} in {counted(report.read, 'PDF')}; "
        f"{counted(report.links, 'new link')} to papers of the library."
    ]
    lines += [printable(f"Not taken: {one.path}: {one.why}") for one in report.unread[:_SHOWN]]
    if len(report.unread) > _SHOWN:
        lines.append(f"… and {len(report.unread) - _SHOWN:,} more; --json prints all.")
    return "\n".join(lines)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "refs",
        metavar="REF",
        nargs="*",
        help="papers by id, citation key or DOI; without any, all that have a PDF",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="read also the PDFs of papers that have references already",
    )


PDFS = Command(
    "pdfs",
    "read the references that stand in attached PDFs (needs the extra pdf)",
    _pdfs,
    _arguments,
    keys={
        **CHANGE_KEYS,
        "read": "files in which references were found",
        "papers": "papers that have more references now",
        "references": "references in these files",
        "links": "new links between papers of the library",
        "unread": "list of {id, path, why}: files of which nothing was taken",
    },
)
