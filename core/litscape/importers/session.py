"""Importing: read a source, match each record, write in whole batches, and report."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError, UserError
from litscape.history import IMPORT_LEASE
from litscape.importers.base import ReadOptions, SourceText
from litscape.importers.folders import FOLDER, is_folder, without_folders
from litscape.importers.marks import keep_marks, location_of, marks_of
from litscape.importers.opened import RecordsAtHand
from litscape.importers.registry import open_source, text_source
from litscape.importers.run import ImportRun
from litscape.importers.sources import tidy
from litscape.importers.zotero_since import counted
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.paper import ImportProblem, ImportReport, LibraryChanges, PaperDraft, PaperId
from litscape.store.duplicates import open_pairs
from litscape.store.imports import abstracts, read_batches, read_issues
from litscape.store.leases import Lease
from litscape.store.origins import papers_of_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from litscape.importers.base import OpenSource
    from litscape.store.database import Database
    from litscape.store.imports import BatchRow

PREVIEWED = 20


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """The beginning of a source as it would be read.

    Attributes:
        location: path of the source.
        kind: the reader's name.
        title: what a person calls the kind.
        encoding: how the text was decoded.
        guessed: whether the encoding was guessed.
        drafts: the first records.
        problems: what the reader said up to there.
    """

    location: str
    kind: str
    title: str
    encoding: str
    guessed: bool
    drafts: tuple[PaperDraft, ...]
    problems: tuple[ImportProblem, ...]


@dataclass(frozen=True, slots=True)
class BatchInfo:
    """One import of the past.

    Attributes:
        counts: added, updated, merged, unchanged and skipped records.
        finished: False where it was cancelled or broke off; what had come in by then is there.
    """

    id: int
    started_at: str
    sources: tuple[str, ...]
    counts: Mapping[str, int]
    undone: bool
    finished: bool


class Imports:
    """Brings records into one library; every import is one change that can be undone whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def preview(
        location: str | Path,
        *,
        kind: str | None = None,
        encoding: str | None = None,
        options: ReadOptions | None = None,
    ) -> ImportPreview:
        """Read the beginning of a source without importing anything.

        Raises:
            UserError: it can't be read, or its kind is not known.
        """
        chosen = _options(options, encoding)
        if is_folder(location):
            return _preview_folder(location, kind, chosen)
        return _preview(open_source(location, kind, chosen))

    @staticmethod
    def preview_text(text: str, *, kind: str | None = None) -> ImportPreview:
        """The same for pasted text."""
        return _preview(text_source(SourceText("pasted text", text, "utf-8"), kind))

    def run(
        self,
        locations: Sequence[str | Path],
        ctx: JobContext | None = None,
        *,
        kind: str | None = None,
        encoding: str | None = None,
        options: ReadOptions | None = None,
        collection: tuple[str, ...] | None = None,
        all_or_nothing: bool = False,
    ) -> ImportReport:
        """Import sources as one change; a source imported before is an update.

        Args:
            locations: files, databases of other programs, addresses, or folders of files.
            ctx: told the progress; asked whether to end. What is committed by then stays, and
                the import can be undone; the partial results are :class:`LibraryChanges`.
            kind: the reader to use, where the content should not decide.
            encoding: the codec to use, where it should not be found out.
            options: what else was said of the sources.
            collection: path of a collection that all papers are put into.
            all_or_nothing: take back what came in when the import does not reach its end.

        Raises:
            UserError: a source can't be read, or its kind is not known; nothing was imported.
            LibraryBusyError: another import into this library is running.
            JobCancelledError: ``ctx`` asked for the end.
        """
        if not locations:
            raise UserError("No file was named to import.")
        chosen = _options(options, encoding)
        locations, left_out = without_folders(locations, kind, chosen)
        marks = marks_of(locations)
        opened = _open_all(locations, kind, chosen)
        report = self.run_open(
            [*opened, *left_out], ctx, collection=collection, all_or_nothing=all_or_nothing
        )
        # Of what is asked over the network there is no file: its own count tells where it stands.
        marks = [mark or counted(one.state) for mark, one in zip(marks, opened, strict=True)]
        kinds = [one.kind for one in opened]
        keep_marks(self._database, locations, marks, kinds, chosen, report)
        return report

    def run_open(
        self,
        sources: Sequence[OpenSource],
        ctx: JobContext | None = None,
        *,
        collection: tuple[str, ...] | None = None,
        all_or_nothing: bool = False,
    ) -> ImportReport:
        """Import sources that are open already, as :meth:`run` does."""
        return self._run(sources, ctx, collection=collection, all_or_nothing=all_or_nothing)

    def run_text(
        self,
        text: str,
        ctx: JobContext | None = None,
        *,
        kind: str | None = None,
        collection: tuple[str, ...] | None = None,
        all_or_nothing: bool = False,
    ) -> ImportReport:
        """Import pasted text; its records are taken as those of :meth:`run_drafts` are.

        Raises:
            UserError: the text is of no known kind.
        """
        return self._run(
            [text_source(SourceText("pasted text", text, "utf-8"), kind)],
            ctx,
            collection=collection,
            all_or_nothing=all_or_nothing,
            by_hand=True,
        )

    def run_drafts(
        self,
        drafts: Iterable[PaperDraft | ImportProblem],
        ctx: JobContext | None = None,
        *,
        source: str = "added by hand",
        kind: str = "by-hand",
        collection: tuple[str, ...] | None = None,
    ) -> ImportReport:
        """Import records that a person typed, pasted or looked up.

        None of them is a new version of one that came before: a record with the identifiers of a
        paper adds to it what it lacks, any other becomes a paper. Papers that are in the trash
        come out of it, and nothing is ever marked as missing.

        Args:
            drafts: the records, and problems for the report.
            ctx: as in :meth:`run`.
            source: what the report calls their origin.
            kind: a word for the way they came.
            collection: as in :meth:`run`.
        """
        return self._run(
            [RecordsAtHand(source, kind, drafts)], ctx, collection=collection, by_hand=True
        )

    def batches(self) -> list[BatchInfo]:
        """Former imports that changed something, newest first."""
        with self._database.read() as conn:
            return [batch_info(row) for row in read_batches(conn)]

    def report(self, batch_id: int) -> ImportReport:
        """The report of a former import; of the pairs that it suggested, those open still.

        Raises:
            UserError: there is none with this number.
        """
        with self._database.read() as conn:
            rows = read_batches(conn, batch_id)
            if not rows:
                raise UserError(f"There is no import {batch_id}.")
            issues = read_issues(conn, batch_id)
            pairs = open_pairs(conn, rows[0].report.get("suggested_merges", ()))
            having, lacking = abstracts(conn, batch_id)
        row = rows[0]
        return ImportReport(
            batch=row.id,
            **{name: row.report.get(name, 0) for name in _COUNTS},
            issues=issues,
            suggested_merges=tuple(sorted(pairs)),
            changes=LibraryChanges(change_id=row.change_id),
            sources=row.sources,
            with_abstract=having,
            without_abstract=lacking,
        )

    def suggestions(self, report: ImportReport) -> tuple[tuple[PaperId, PaperId], ...]:
        """The pairs of a report that nobody merged, refused or threw away by now."""
        with self._database.read() as conn:
            pairs: Iterable[tuple[PaperId, PaperId]] = report.suggested_merges
            for row in read_batches(conn, report.batch) if report.batch is not None else ():
                pairs = row.report.get("suggested_merges", ())
            return tuple(sorted(open_pairs(conn, pairs)))

    def papers_of(self, batch_id: int | None, issues: Sequence[ImportProblem]) -> list[PaperId]:
        """The papers that records of a report became, each once; those that are gone are left out.

        Args:
            batch_id: the import; None for one that changed nothing.
            issues: what the report says of the records.
        """
        with self._database.read() as conn:
            return papers_of_records(conn, batch_id, issues)

    def _run(
        self,
        sources: Sequence[OpenSource],
        ctx: JobContext | None,
        *,
        collection: tuple[str, ...] | None = None,
        all_or_nothing: bool = False,
        by_hand: bool = False,
    ) -> ImportReport:
        with Lease(self._database, IMPORT_LEASE) as lease, _collector_paused():
            run = ImportRun(
                self._database,
                ctx or null_context(),
                tuple(source.location for source in sources),
                collection=collection,
                by_hand=by_hand,
                still_mine=lease.check,
            )
            done = False
            try:
                if all_or_nothing:  # all is read first: until then there is nothing to take back
                    for one in [run.prepare(source, whole=True) for source in sources]:
                        run.write(one)
                else:
                    for source in sources:
                        run.read(source)
                done = True
            except (LitscapeError, JobCancelledError) as error:
                kept = "" if all_or_nothing else run.so_far()
                if isinstance(error, JobCancelledError):
                    kept = kept or "Nothing of it came in."
                error.args = (f"{error} {kept}".strip(),)
                raise
            finally:
                if not done:
                    run.break_off(take_back=all_or_nothing)
            return run.finish()


_COUNTS = ("records", "added", "updated", "merged", "unchanged", "skipped")


def _open_all(
    locations: Sequence[str | Path], kind: str | None, options: ReadOptions
) -> list[OpenSource]:
    """Open all sources before anything of one is written.

    Raises:
        UserError: some can't be read; each is named with its reason.
    """
    opened: list[OpenSource] = []
    faults: list[LitscapeError] = []
    for location in locations:
        try:
            opened.append(open_source(tidy(str(location)), kind, options))
        except LitscapeError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        sentences = dict.fromkeys(map(str, faults))
        raise UserError(" ".join([*sentences, "Nothing was imported."]))
    return opened


def _options(options: ReadOptions | None, encoding: str | None) -> ReadOptions:
    options = options or ReadOptions()
    return replace(options, encoding=encoding) if encoding else options


def _preview(source: OpenSource) -> ImportPreview:
    drafts: list[PaperDraft] = []
    problems: list[ImportProblem] = []
    for found in source.beginning():
        if isinstance(found, PaperDraft):
            drafts.append(found)
            if len(drafts) == PREVIEWED:
                break
        else:
            problems.append(found)
    return ImportPreview(
        source.location,
        source.kind,
        source.title,
        source.encoding,
        source.guessed,
        tuple(drafts),
        tuple(problems),
    )


def _preview_folder(folder: str | Path, kind: str | None, options: ReadOptions) -> ImportPreview:
    """The first records of its files, and which files are left out."""
    files, left_out = without_folders([folder], kind, options)
    drafts: list[PaperDraft] = []
    problems = [note for one in left_out for note in one.drafts if isinstance(note, ImportProblem)]
    for file in files:
        found = _preview(open_source(file, kind, options))
        drafts += found.drafts
        problems += found.problems
        if len(drafts) >= PREVIEWED:
            break
    number = f"{len(files):,} file{'' if len(files) == 1 else 's'}"
    return ImportPreview(
        location_of(folder),
        FOLDER,
        f"Folder of {number}",
        "utf-8",
        False,
        tuple(drafts[:PREVIEWED]),
        tuple(problems),
    )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for garbage cycles again and again among ever more records.

    Records hold no cycles; looking through them costs an eighth of an import's time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def batch_info(row: BatchRow) -> BatchInfo:
    """A stored batch as told to callers."""
    counts = {name: int(row.report.get(name, 0)) for name in _COUNTS}
    return BatchInfo(
        row.id,
        row.started_at,
        row.sources,
        counts,
        row.undone_at is not None,
        bool(row.finished_at),
    )
