"""``litscape fulltext``: the text of attached PDFs, read, searched, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import columns, counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import passage_record, rows_of, starred
from litscape_app.cli.refs import resolve_all
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.fulltext.records import Passage, TextReport, TextStatus, UnreadFile
    from litscape.library import Library
    from litscape_app.cli.records import Record
    from litscape_app.cli.session import Session

_SHOWN = 20
_PASSAGES = 20
_UNREAD = "list of {papers, file, why}: PDFs without text"


def _build(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        report = library.fulltext.build(ctx, again=session.args.again)
    record: Record = {name: getattr(report, name) for name in ("files", "read", "known", "pages")}
    record |= {
        "anew": report.anew,
        "seconds": round(report.seconds, 3),
        "unread": _unread(report.unread),
    }
    return Answer({name: record[name] for name in _BUILD_KEYS}, _told(report))


def _told(report: TextReport) -> str:
    if not report.files:
        return "No paper has a PDF attached."
    lines = [
        f"{counted(report.read, 'PDF')} read now ({counted(report.pages, 'page')}), "
        f"{report.known:,} known before, {len(report.unread):,} without text."
    ]
    if report.anew:
        lines.insert(0, "What was there was damaged; all was read anew.")
    return "\n".join([*lines, *_lines(report.unread)])


def _status(session: Session) -> Answer:
    with session.library(reading=True) as library, job_context() as ctx:
        status = library.fulltext.status(ctx)
    return Answer(_status_record(status), "\n".join([_sentence(status), *_lines(status.unread)]))


def _status_record(status: TextStatus) -> Record:
    counts = status.counts
    record: Record = {
        "linked": status.linked,
        "files": counts.files,
        "read": counts.read,
        "texts": counts.documents,
        "pages": counts.pages,
        "without_text": counts.bare,
        "pending": status.pending,
        "bytes": status.bytes,
        "damaged": status.damaged,
        "running": status.running,
        "unread": _unread(status.unread),
    }
    return {name: record[name] for name in _STATUS_KEYS}


def _sentence(status: TextStatus) -> str:
    text = f"{status.sentence}."
    if status.running:
        return f"{text} It is being built."
    return f"{text} {counted(status.pending, 'PDF')} to read." if status.pending else text


def _unread(files: Sequence[UnreadFile]) -> list[Record]:
    return [{"papers": list(one.papers), "file": one.file, "why": one.why} for one in files]


def _lines(files: Sequence[UnreadFile]) -> list[str]:
    lines = [
        printable(one.why if one.file in one.why else f"{one.file}: {one.why}")
        for one in files[:_SHOWN]
    ]
    if len(files) > _SHOWN:
        lines.append(f"… and {len(files) - _SHOWN:,} more; --json prints all.")
    return lines


def _search(session: Session) -> Answer:
    args = session.args
    query = " ".join(args.query)
    if not query.strip():
        raise UserError("Say which words to look for inside PDFs.")
    with session.library(reading=True) as library:
        found = _in_papers(library, query, args.paper) if args.paper else _found(session, library)
        rows = rows_of(library, [paper for paper, _passage in found])
        there = library.fulltext.exists
    records = [
        {
            "id": paper,
            "citekey": rows[paper].citekey,
            "title": rows[paper].title,
            "year": rows[paper].year,
            **passage_record(passage),
        }
        for paper, passage in found
        if paper in rows
    ]
    lines = [
        (rows[paper].citekey, f"p. {passage.page}", starred(passage))
        for paper, passage in found
        if paper in rows
    ]
    nothing = "No PDF that was read has it." if there else _NOT_READ
    return Answer(records, columns(lines) if lines else nothing)


def _found(session: Session, library: Library) -> list[tuple[int, Passage]]:
    from litscape.search.inside import InsidePdfs

    flt = read_filter(session, library)
    pdfs = InsidePdfs(library.database, library.fulltext, library.searcher.meant)
    hits, notes = pdfs.alone(" ".join(session.args.query), session.args.number, flt)
    for note in notes:
        session.out.message(note)
    if not hits and (meant := library.searcher.meant(" ".join(session.args.query))):
        session.out.message(f"Perhaps you meant {', '.join(f'“{one}”' for one in meant)}.")
    return [(hit.paper, hit.passage) for hit in hits]


def _in_papers(library: Library, query: str, refs: Sequence[str]) -> list[tuple[int, Passage]]:
    from litscape.search.query import parse

    terms = parse(query).wanted
    return [
        (paper, passage)
        for paper in resolve_all(library, refs)
        for passage in library.fulltext.passages(paper, terms, _PASSAGES)
    ]


def _clear(session: Session) -> Answer:
    with session.library() as library:
        freed = library.fulltext.cache.bytes
        library.fulltext.clear()
    text = "The text of PDFs was removed." if freed else "No text of PDFs was there."
    return Answer({"freed": freed}, text)


def _build_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--again", action="store_true", help="try also the files that could not be read last time"
    )


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query", nargs="+", metavar="QUERY", help="words and phrases, and fields as in `search`"
    )
    parser.add_argument(
        "--paper",
        action="append",
        metavar="REF",
        help=f"the pages of this paper, at most {_PASSAGES}; may be repeated",
    )
    parser.add_argument(
        "-k",
        "--number",
        type=whole_number(1),
        default=20,
        metavar="N",
        help="at most N papers (20)",
    )
    add_filters(parser)


_NOT_READ = "The text of PDFs has not been read: run `litscape fulltext build`."
_BUILD_KEYS = {
    "files": "PDFs that papers are linked to",
    "read": "files read now",
    "known": "files whose text was there, from an earlier build or from an equal file",
    "pages": "pages read now",
    "anew": "whether what was there was damaged, so that all was read anew",
    "seconds": "how long it took",
    "unread": _UNREAD,
}
_STATUS_KEYS = {
    "linked": "PDFs that papers outside the trash are linked to",
    "files": "files that were looked at",
    "read": "files with a text",
    "texts": "different texts among these",
    "pages": "pages that were read",
    "without_text": "of these, pages without text, such as pictures",
    "pending": "files that are new or changed since",
    "bytes": "size on disk",
    "damaged": "whether what was read can't be used",
    "running": "whether it is being built",
    "unread": _UNREAD,
}
_SEARCH_KEYS = {
    "id": "the paper's id",
    "citekey": "its citation key",
    "title": "its title or null",
    "year": "number or null",
    "file": "the PDF",
    "page": "from 1, in the order of the file",
    "text": "what stands around the words",
    "marks": "list of [from, to]: where the words stand in the text",
}
FULLTEXT = Command(
    "fulltext",
    "the text of attached PDFs: read it, search in it, remove it",
    default="status",
    commands=(
        Command(
            "status",
            "how much is read, and which PDFs are not and why (also without a word)",
            _status,
            keys=_STATUS_KEYS,
        ),
        Command(
            "build",
            "read the PDFs that are new or changed (needs the extra pdf); Ctrl-C keeps what is "
            "done, the next run goes on",
            _build,
            _build_arguments,
            keys=_BUILD_KEYS,
        ),
        Command(
            "search",
            "find words inside PDFs, with page and what stands around",
            _search,
            _search_arguments,
            keys=_SEARCH_KEYS,
            shape="list",
        ),
        Command(
            "clear",
            "remove the text that was read; the PDFs stay",
            _clear,
            keys={"freed": "bytes freed"},
        ),
    ),
)
