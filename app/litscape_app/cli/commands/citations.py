"""``litscape citations``: who cites whom, links to add, works that are missing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape.exporters.written import written_whole
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.export import target_file
from litscape_app.cli.commands.fetch import FETCH
from litscape_app.cli.commands.manuscripts import MANUSCRIPTS
from litscape_app.cli.commands.pdfs import PDFS
from litscape_app.cli.commands.ranking import NEAR, RANK, REFUSE, as_of_argument
from litscape_app.cli.output import counted, printable
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import CHANGE_KEYS, Record, change_record, short
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from litscape.graph.missing import MissingWork
    from litscape.graph.records import AddReport, CitationStats
    from litscape_app.cli.session import Session

_SHOWN = 20
_FORMATS = ("csv", "tsv", "graphml", "vosviewer")
_STATS_KEYS = {
    "papers": "papers of the library, without those in the trash",
    "with_references": "those with any reference, inside the library or outside",
    "linked": "those with a link to or from another one",
    "undated": "those without a year, which no graph as of a year holds",
    "links": "links between papers",
    "sources": "list of {source, name, links}: where the links come from",
    "outside_references": "references to works outside the library, each once a paper",
    "outside_works": "works that these mean",
    "components": "groups of two or more papers that hang together by links",
    "largest": "papers of the largest group",
    "weak": "papers that share a collection or a tag, or that Zotero calls related, by kind: weak "
    "links, which are no citations",
}
_WEAK = {
    "collection": "share a collection",
    "tag": "share a tag",
    "related": "Zotero calls related",
}
_MISSING_KEYS = {
    "count": "how many papers of the library cite it",
    "cited_by": "their ids",
    "doi": "its DOI or null",
    "source_id": "another identifier, as its source has it, or null",
    "title": "its title or null",
    "author": "family name of its first author or null",
    "year": "number or null",
    "raw": "a reference to it as it is written, or null",
}
_ADD_KEYS = {
    **CHANGE_KEYS,
    "lines": "lines of the list; the sum of the next four",
    "links": "new links between papers",
    "references": "works outside the library that became references",
    "known": "lines that say what was known",
    "skipped": "list of {line, text, why}",
}


def _stats(session: Session) -> Answer:
    with session.library(reading=True) as library:
        # Without a word behind ``citations`` there is no year.
        stats = library.citations.stats(as_of=getattr(session.args, "as_of", None))
    names = [name for name in _STATS_KEYS if name not in ("sources", "weak")]
    record: Record = {name: getattr(stats, name) for name in names}
    record["weak"] = dict(stats.weak)
    record["sources"] = [
        {"source": one.source, "name": one.name, "links": one.links} for one in stats.by_source
    ]
    return Answer({name: record[name] for name in _STATS_KEYS}, _describe(stats))


def _describe(stats: CitationStats) -> str:
    with_references = f"{stats.with_references:,} of {counted(stats.papers, 'paper')}"
    lines = [
        f"{with_references} {'has' if stats.with_references == 1 else 'have'} references.",
        f"{counted(stats.links, 'link')} inside the library, between "
        f"{counted(stats.linked, 'paper')}:",
        *(f"  {one.links:,} from {printable(one.name)}" for one in stats.by_source),
    ]
    if not stats.links:
        lines = [*lines[:1], "No links inside the library."]
    lines.append(
        f"{counted(stats.outside_references, 'reference')} to "
        f"{counted(stats.outside_works, 'work')} outside the library."
    )
    if stats.components:
        lines.append(
            f"{counted(stats.components, 'group')} of papers that hang together, "
            f"the largest of {counted(stats.largest, 'paper')}."
        )
    if stats.undated:
        lines.append(f"{counted(stats.undated, 'paper')} without a year.")
    if any(stats.weak.values()):
        weak = [f"{_WEAK[kind]} ({number:,})" for kind, number in stats.weak.items() if number]
        lines.append(f"Weak links, which are no citations: papers that {', '.join(weak)}.")
    return "\n".join(lines)


def _add(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        report = library.citations.add(session.args.file, ctx)
    record = {
        **change_record(report.changes),
        "lines": report.lines,
        "links": report.added,
        "references": report.references,
        "known": report.known,
        "skipped": [{"line": one.line, "text": one.text, "why": one.why} for one in report.skipped],
    }
    return Answer(record, _told(report))


def _told(report: AddReport) -> str:
    parts = [f"{counted(report.added, 'link')} added"]
    if report.references:
        parts.append(f"{counted(report.references, 'reference')} to works outside the library")
    if report.known:
        parts.append(f"{report.known:,} known before")
    if report.skipped:
        parts.append(f"{len(report.skipped):,} skipped")
    lines = [f"{counted(report.lines, 'line')}: {', '.join(parts)}."]
    lines += [
        f"  line {one.line}: {printable(one.text)}: {printable(one.why)}."
        for one in report.skipped[:_SHOWN]
    ]
    if len(report.skipped) > _SHOWN:
        lines.append(f"  … and {len(report.skipped) - _SHOWN:,} more; --json prints all.")
    return "\n".join(lines)


def _match(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        changes = library.citations.match(ctx)
    number = len(changes.changed)
    text = (
        f"References of {counted(number, 'paper')} became links."
        if changes
        else "No reference means a paper that it is not linked to."
    )
    return Answer(change_record(changes), text)


def _export(session: Session) -> Answer | None:
    args = session.args
    ending = args.file.rpartition(".")[2].lower()
    args.format = args.format or (ending if ending in ("tsv", "graphml") else "csv")
    if args.file == "-":
        _to_stdout(session)
        return None
    target = target_file(args.file, force=args.force or args.format == "vosviewer")
    with session.library(reading=True) as library, job_context() as ctx:
        files: tuple[Path, ...] = (target,)
        if args.format == "vosviewer":
            files = maps_file, network_file = _two_files(target, force=args.force)
            with written_whole(maps_file) as maps, written_whole(network_file) as network:
                number = library.citations.export(
                    args.format, maps, network, as_of=args.as_of, ctx=ctx
                )
        else:
            with written_whole(target) as stream:
                number = library.citations.export(args.format, stream, as_of=args.as_of, ctx=ctx)
    record = {"files": [str(file) for file in files], "format": args.format, "links": number}
    where = " and ".join(str(file) for file in files)
    return Answer(record, f"{counted(number, 'link')} written to {where}.")


def _two_files(target: Path, *, force: bool) -> tuple[Path, Path]:
    """VOSviewer's map and network files beside each other."""
    ending = target.suffix or ".txt"
    maps, network = (
        target_file(str(target.with_name(f"{target.stem}-{part}{ending}")), force=force)
        for part in ("map", "network")
    )
    return maps, network


def _to_stdout(session: Session) -> None:
    args = session.args
    if args.format == "vosviewer":
        raise UserError("VOSviewer reads two files: name one, such as links.txt, not stdout.")
    with session.library(reading=True) as library, job_context() as ctx:
        try:
            library.citations.export(args.format, sys.stdout, as_of=args.as_of, ctx=ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise EnvironmentFault(f"The links could not be written: {error.strerror}.") from error


def _missing(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library, job_context() as ctx:
        works = library.citations.missing(args.least, args.limit, ctx, as_of=args.as_of)
    records = [_missing_record(work) for work in works]
    if not works:
        text = f"No work outside the library is cited by {counted(args.least, 'paper')} or more."
        return Answer(records, text)
    lines = [f"Works outside the library, by how many of its papers cite them ({len(works):,}):"]
    lines += [_line(work) for work in works]
    return Answer(records, "\n".join(lines))


def _missing_record(work: MissingWork) -> Record:
    reference = work.reference
    return {
        "count": len(work.cited_by),
        "cited_by": list(work.cited_by),
        "doi": reference.doi,
        "source_id": reference.source_id,
        "title": reference.title,
        "author": work.author,
        "year": reference.year,
        "raw": reference.raw,
    }


def _line(work: MissingWork) -> str:
    reference = work.reference
    named = reference.title or reference.raw or reference.doi or reference.source_id or ""
    start = " ".join(str(part) for part in (work.author, reference.year) if part)
    parts = [part for part in (start if reference.title else "", short(named, 70)) if part]
    doi = f"  {reference.doi}" if reference.doi and named != reference.doi else ""
    return printable(f"{len(work.cited_by):5,}  {': '.join(parts)}{doi}")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="two columns, citing and cited, parted by comma or tab: ids, citation keys, DOIs, "
        "pmid:…, arxiv:…, openalex:…",
    )


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the file to write; - for stdout; VOSviewer gets two, FILE-map and FILE-network",
    )
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="csv and tsv are what `add` reads; by default what the file's name says, else csv",
    )
    as_of_argument(parser, "only papers dated up to this year, and the links between them")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def _missing_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--least",
        type=whole_number(1),
        default=2,
        metavar="N",
        help="cited by at least so many papers; 2 by default",
    )
    parser.add_argument(
        "--limit", type=whole_number(1), default=50, metavar="N", help="at most so many; 50"
    )
    as_of_argument(parser, "only works and papers dated up to this year")


def _stats_arguments(parser: argparse.ArgumentParser) -> None:
    as_of_argument(parser, "only works and papers dated up to this year")


CITATIONS = Command(
    "citations",
    "who cites whom: counts, links to add and to write, works that are missing",
    default="stats",
    commands=(
        Command(
            "stats",
            "count links and references, and how papers hang together (also without a word)",
            _stats,
            _stats_arguments,
            keys=_STATS_KEYS,
        ),
        Command("add", "add links of a list, as one change", _add, _add_arguments, keys=_ADD_KEYS),
        Command(
            "match",
            "look once more whether references mean papers of the library",
            _match,
            keys=CHANGE_KEYS,
        ),
        Command(
            "export",
            "write the links between papers to a file or to stdout",
            _export,
            _export_arguments,
            keys={
                "files": "the files written",
                "format": "their format",
                "links": "how many links are in them",
            },
        ),
        Command(
            "missing",
            "list works that several papers cite and that are not in the library",
            _missing,
            _missing_arguments,
            keys=_MISSING_KEYS,
            shape="list",
        ),
        RANK,
        NEAR,
        REFUSE,
        FETCH,
        MANUSCRIPTS,
        PDFS,
    ),
)
