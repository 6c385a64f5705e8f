"""A report in sentences, as text to copy, and as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape_app.cli.records import report_record
from litscape_app.window.importing import summary
from litscape_app.window.pages.page_frame import when
from litscape_app.window.pages.report_page.issues import key_of, place_of
from litscape_app.window.pages.report_page.pairs import title_of
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.importers.session import BatchInfo
    from litscape.paper import ImportProblem, ImportReport
    from litscape_app.window.pages.report_page.pairs import Pair

SAVE_FILTER = "Text (*.txt);;JSON (*.json)"
_UNDONE = (
    "This import was undone: its papers are gone, but for those that later imports gave something; "
    "what it changed is as before."
)
_BROKEN_OFF = (
    "This import was stopped before its end: what had come in by then is there. "
    "Import the same again to get the rest."
)


def sentences(report: ImportReport, undone: bool = False, broken_off: bool = False) -> list[str]:
    """What is to be known of an import beside its counts."""
    said = [_UNDONE] if undone else [_BROKEN_OFF] if broken_off else []
    if report.added and report.without_abstract and not report.with_abstract:
        said.append("None of them has an abstract: similarity compares their titles only.")
    elif report.without_abstract:
        number = count(report.without_abstract, "paper")
        verb = "has" if report.without_abstract == 1 else "have"
        said.append(f"{number} {verb} no abstract: similarity compares those by title only.")
    if report.suggested_merges:
        pairs = count(len(report.suggested_merges), "pair")
        verb = "may be one work" if len(report.suggested_merges) == 1 else "may be one work each"
        said.append(f"{pairs} of papers {verb}; they were kept apart.")
    if not report.records:
        said.append("There was no record in it.")
    return said


def title_of_batch(batch: BatchInfo) -> str:
    """One line for the choice of earlier imports."""
    names = [Path(one).name or one for one in batch.sources]
    name = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    state = "undone" if batch.undone else f"{batch.counts['added']:,} added"
    if not batch.finished and not batch.undone:
        state = f"broken off, {state}"
    return f"{when(batch.started_at)} · {state} · {shorten(name, 60)}"


def as_line(issue: ImportProblem) -> str:
    """An issue in one line: severity, place, key, reason, message."""
    message = " ".join(issue.message.split())
    return f"{issue.severity}\t{place_of(issue)}\t{key_of(issue)}\t{issue.code}\t{message}"


def one_as_text(issue: ImportProblem) -> str:
    """An issue with where it stands and its raw text, to be sent to somebody."""
    place = f"line {issue.line:,}" if issue.line is not None else place_of(issue)
    where = ", ".join(part for part in (issue.source, place, key_of(issue)) if part)
    told = [f"{issue.severity}, {issue.code}: {issue.message}", where, "", issue.raw or ""]
    return "\n".join(told).strip() + "\n"


def as_text(
    report: ImportReport, issues: Sequence[ImportProblem], pairs: Sequence[Pair], said: str
) -> str:
    """A report with some of its issues and pairs; ``said`` are its sentences."""
    lines = [", ".join(report.sources), summary(report), said, "", *map(as_line, issues)]
    if pairs:
        lines += ["", "May be one work each:"]
        lines += [f"{title_of(one)}\t{title_of(other)}" for one, other in pairs]
    return "\n".join(lines).strip() + "\n"


def save(path: Path, report: ImportReport, pairs: Sequence[Pair], said: str) -> None:
    """Write a whole report: as JSON where the name ends so, as text with raw records else.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    if path.suffix.lower() == ".json":
        text = json.dumps(report_record(report), ensure_ascii=False, indent=1) + "\n"
    else:
        text = as_text(report, (), pairs, said)
        text += "".join(f"\n{one_as_text(one)}" for one in report.issues)
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise EnvironmentFault(
            f"{path} could not be written: {error.strerror}. Choose another folder."
        ) from error
