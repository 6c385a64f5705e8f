"""Adding as a job: looking identifiers up, reading records, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError, UserError
from litscape.importers.base import SourceText
from litscape.paper import PaperDraft
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.lookup import Services
    from litscape.paper import ImportProblem, ImportReport, PaperId

_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding something.

    Attributes:
        sentence: what happened, for the screen.
        report: of the import that did it.
        paper: the paper to go to, where it is one.
        failed: sentences of identifiers that could not be looked up.
    """

    sentence: str
    report: ImportReport
    paper: PaperId | None = None
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the services know: drafts, and a sentence for each identifier that was not found."""

    drafts: tuple[PaperDraft, ...]
    failed: tuple[str, ...]


def look_up(
    identifiers: Sequence[str], mail: str, services: Services | None, ctx: JobContext
) -> LookedUp:
    """Ask for each identifier; nothing is written.

    Raises:
        UserError: none of them was found; the sentence is the service's.
    """
    from litscape.lookup import lookup

    drafts, failed = [], []
    for number, identifier in enumerate(identifiers):
        ctx.progress(number, len(identifiers), f"Asking for {identifier}")
        try:
            drafts.append(lookup(identifier, mail=mail, services=services))
        except LitscapeError as error:
            failed.append(str(error))
    ctx.check()
    told = tuple(dict.fromkeys(failed))
    if not drafts:
        raise UserError(" ".join(told))
    return LookedUp(tuple(drafts), told)


def add_looked_up(
    library: Library, found: LookedUp, collection: tuple[str, ...] | None, ctx: JobContext
) -> Added:
    """Add what was looked up."""
    return _add(library, found.drafts, "papers looked up online", collection, ctx, found.failed)


def read_and_add(
    library: Library, text: str, collection: tuple[str, ...] | None, ctx: JobContext
) -> Added:
    """Read pasted records and add them.

    Raises:
        UserError: there is no record in the text.
    """
    from litscape.importers.pasted import recognise

    reader = recognise(text).importer
    found = list(reader.read(SourceText("pasted text", text, "utf-8"))) if reader else []
    if not any(isinstance(one, PaperDraft) for one in found):
        said = [one.message for one in found if not isinstance(one, PaperDraft)]
        raise UserError(" ".join(["There is no whole record in this text.", *said[:2]]))
    return _add(library, found, "pasted text", collection, ctx)


def add_draft(
    library: Library, draft: PaperDraft, collection: tuple[str, ...] | None, ctx: JobContext
) -> Added:
    """Add a paper written by hand."""
    return _add(library, [draft], "a paper written by hand", collection, ctx)


def add_new(
    library: Library,
    drafts: Sequence[PaperDraft],
    collection: tuple[str, ...] | None,
    ctx: JobContext,
) -> Added:
    """Add new papers that were found to be like others."""
    return _add(library, drafts, "new papers like others", collection, ctx)


def _add(
    library: Library,
    found: Sequence[PaperDraft | ImportProblem],
    source: str,
    collection: tuple[str, ...] | None,
    ctx: JobContext,
    failed: tuple[str, ...] = (),
) -> Added:
    report = library.imports.run_drafts(found, ctx, source=source, collection=collection)
    drafts = [one for one in found if isinstance(one, PaperDraft)]
    paper = _paper_of(library, drafts[0], report) if len(drafts) == 1 else None
    return Added(_sentence(drafts, report), report, paper, failed)


def _paper_of(library: Library, draft: PaperDraft, report: ImportReport) -> PaperId | None:
    touched = report.changes.added or report.changes.changed
    if len(touched) == 1:
        return next(iter(touched))
    for kind, name in (("doi", draft.doi), ("key", draft.citekey)):
        if name and (paper := library.papers.resolve(f"{kind}:{name}")) is not None:
            return paper
    return None


def _sentence(drafts: Sequence[PaperDraft], report: ImportReport) -> str:
    if len(drafts) == 1:
        title = f"“{shorten(drafts[0].title or drafts[0].citekey or 'The paper', _SHOWN)}”"
        if report.added:
            return f"Added {title}."
        if report.merged or report.updated:
            gained = " and gained what it lacked" if report.changes else ""
            return f"{title} was in the library already: the two became one{gained}."
        return f"{title} is in the library already; nothing changed."
    parts = []
    if report.added:
        parts.append(f"Added {count(report.added, 'paper')}")
    known = report.merged + report.updated + report.unchanged
    if known:
        parts.append(f"{known:,} {'was' if known == 1 else 'were'} in the library already")
    if report.skipped:
        parts.append(f"{report.skipped:,} could not be read")
    return "; ".join(parts) + "."
