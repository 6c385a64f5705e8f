"""Records from outside as examples: those that the library has count as its papers."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.alike.request import Examples
from litscape.alike.seeds import MOST_READ
from litscape.errors import UserError
from litscape.importers import normalise
from litscape.importers.folders import files_in, is_folder
from litscape.importers.registry import open_source
from litscape.jobs import null_context
from litscape.paper import ImportProblem, PaperDraft
from litscape.store import lexical
from litscape.store.alike_reads import titled
from litscape.store.naming import identified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import sqlalchemy as sa

    from litscape.jobs import JobContext
    from litscape.paper import PaperId
    from litscape.store.database import Database

_OWN = ("doi", "arxiv", "pmid")
_TOLD = ("skipped", "warning")


MOST_FILES = 2_000
"""Files of a folder that are looked at for records."""


def read_drafts(
    location: str | Path, ctx: JobContext | None = None, told: list[str] | None = None
) -> tuple[PaperDraft, ...]:
    """The records of a file, or of a folder's files, of any kind; nothing is imported.

    Args:
        location: the file or folder.
        ctx: for progress.
        told: takes what could not be read, one sentence each.

    Raises:
        UserError: it can't be read, its kind is not known, there is no record in it, or it is a
            folder of more than :data:`MOST_FILES` files.
        JobCancelledError: ``ctx`` asked for the end.
    """
    if not str(location).strip():
        raise UserError("The name of the file is empty: name a file of records, or a folder.")
    if is_folder(location):
        return _in_folder(Path(location), ctx or null_context(), told)
    found = tuple(_records(location, told))
    if not found:
        raise UserError(f"There is no record in {location}.")
    return found


def _records(location: str | Path, told: list[str] | None) -> Iterator[PaperDraft]:
    """The records of a file; what is amiss in it is told with its line."""
    for one in open_source(location).read():
        if isinstance(one, PaperDraft):
            yield one
        elif isinstance(one, ImportProblem) and one.severity in _TOLD and told is not None:
            line = f", line {one.line}" if one.line else ""
            told.append(f"{Path(location).name}{line}: {one.message}")


def every_nth(drafts: Sequence[PaperDraft]) -> tuple[PaperDraft, ...]:
    """Of many records as many as are compared, so that they stand for all."""
    return tuple(drafts[:: -(-len(drafts) // MOST_READ) or 1])


def _in_folder(folder: Path, ctx: JobContext, told: list[str] | None) -> tuple[PaperDraft, ...]:
    files = list(islice(files_in(folder), MOST_FILES + 1))
    if len(files) > MOST_FILES:
        raise UserError(
            f"{folder} holds more than {MOST_FILES:,} files: name the files of records, or a "
            "smaller folder."
        )
    found: list[PaperDraft] = []
    for place, file in enumerate(files):
        ctx.progress(place, len(files), f"Reading {folder.name or folder}")
        before = len(found)
        try:
            found += _records(file, told)
        except UserError as error:  # other files may lie there as well
            if told is not None:
                told.append(f"{error} It was left out.")
            continue
        if len(found) == before and told is not None:
            told.append(f"There is no record in {file.name}.")
    if not found:
        raise UserError(f"There is no record in the files of {folder}.")
    return tuple(found)


def examples_of(database: Database, drafts: Sequence[PaperDraft]) -> Examples:
    """Records as examples: the papers of the library that they are, and the others."""
    with database.read() as conn:
        known = [known_as(conn, draft) for draft in drafts]
    papers = [paper for paper in known if paper is not None]
    return Examples(
        papers=tuple(dict.fromkeys(papers)),
        drafts=tuple(draft for draft, paper in zip(drafts, known, strict=True) if paper is None),
    )


def known_as(conn: sa.Connection, draft: PaperDraft) -> PaperId | None:
    """The live paper that a record is, by its identifiers or else by its whole title."""
    pairs = [(name, value) for name in _OWN if (value := getattr(draft, name))]
    pairs += list(draft.identifiers.items())
    for paper in lexical.among(conn, identified(conn, pairs), lexical.EVERYTHING):
        return paper
    return titled(conn, draft.title, draft.year) if draft.title else None


def known_by(database: Database, identifier: str) -> PaperId | None:
    """The live paper that has a DOI or arXiv id; None where none has, or it is none.

    The identifier may have a prefix or be an address.
    """
    doi, arxiv = normalise.doi(identifier), normalise.arxiv(identifier)
    pairs = [(name, value) for name, value in (("doi", doi), ("arxiv", arxiv)) if value]
    with database.read() as conn:
        found = lexical.among(conn, identified(conn, pairs), lexical.EVERYTHING)
    return found[0] if found else None
