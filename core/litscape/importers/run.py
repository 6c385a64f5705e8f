"""One import as it runs: records in, batches of a thousand written, counts and issues kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from litscape.importers.base import Before, StillThere
from litscape.importers.batch import Batch
from litscape.importers.folders import FOLDER
from litscape.importers.normalise import title_key
from litscape.importers.plan import Entry
from litscape.importers.signature import signature
from litscape.importers.sources import Source, record_key, same_source
from litscape.importers.tidy import tidied
from litscape.paper import ImportProblem, ImportReport, LibraryChanges, PaperDraft, PaperId
from litscape.store.duplicates import open_pairs
from litscape.store.history import IMPORT, Recorder, change_papers
from litscape.store.imports import (
    abstracts,
    add_batch_papers,
    add_issues,
    begin_batch,
    drop_batch,
    keep_state,
    known_records,
    list_sources,
    mark_missing,
    save_report,
    source_state,
    touch_source,
)
from litscape.store.linking import link_by_citekey
from litscape.store.undo import apply_change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import sqlalchemy as sa

    from litscape.importers.base import Found, OpenSource
    from litscape.jobs import JobContext
    from litscape.store.database import Database

BATCH = 1000
"""Records written in one transaction."""
_SHOWN = 60
"""Characters of a title in the history."""
_OUTCOMES = ("added", "updated", "merged", "unchanged", "skipped")
_OWN_KEYS = frozenset({"jsonl", "csv"})
"""Kinds that say themselves whether a citekey is the source's own."""
_OWN = frozenset({"jsonl"})
"""Kinds that this program writes itself, of which it said everything before."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A source whose records are to be written.

    Attributes:
        items: its records and problems.
        total: how many they are; 0 where they are still being read.
        text: what is done with them, for the progress.
    """

    source: Source
    opened: OpenSource
    items: Iterator[Entry | ImportProblem]
    total: int = 0
    text: str = ""


class ImportRun:
    """An import between its first record and its report.

    A batch of records is one transaction, so that an import that ends in the middle leaves a whole
    number of records, under one change that can be undone.
    """

    def __init__(
        self,
        database: Database,
        ctx: JobContext,
        locations: tuple[str, ...],
        *,
        collection: tuple[str, ...] | None = None,
        by_hand: bool = False,
        still_mine: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._ctx = ctx
        self._locations = locations
        self._collection = collection
        self._by_hand = by_hand
        self._still_mine = still_mine
        self._change: int | None = None
        self._batch: int | None = None
        self._counts = dict.fromkeys(("records", *_OUTCOMES), 0)
        self._issues: list[ImportProblem] = []
        self._stored_issues = 0
        self._pairs: set[tuple[PaperId, PaperId]] = set()
        self._added: set[PaperId] = set()
        self._came: set[PaperId] = set()
        self._changed: set[PaperId] = set()
        self._structure = False

    def read(self, opened: OpenSource) -> None:
        """Bring in one source."""
        self.write(self.prepare(opened))

    def prepare(self, opened: OpenSource, *, whole: bool = False) -> Prepared:
        """Begin to read a source, or read it whole; nothing is written.

        A source that was read before is always read whole: all its names first, to tell a new key
        for an old record from one more record of the same work.
        """
        source, before = Source(opened.location, opened.kind), Before()
        with self._database.read() as conn:
            known = same_source(source.location, list_sources(conn))
            if known is not None:
                source.id, source.location = known
            if source.id is not None and self._by_hand:
                # What is typed, pasted or looked up is no new version of what was before.
                source.reserve(known_records(conn, source.id))
            elif source.id is not None:
                source.know(known_records(conn, source.id))
                # Records that are to be put into a collection are read all.
                state = None if self._collection else source_state(conn, source.id)
                before = Before(source.standing(), state)
        name = _names((source.location,))
        found = opened.read(
            lambda done, total: self._ctx.progress(done, total, f"Reading {name}"), before
        )
        items = self._prepared(source, opened, found)
        again = source.id is not None and not self._by_hand
        if not again and not whole:
            return Prepared(source, opened, items)
        ready = list(items)
        if again:
            self._survey(source, [item for item in ready if isinstance(item, Entry)])
        verb = "Updating" if again else "Importing"
        return Prepared(source, opened, iter(ready), len(ready), f"{verb} from {name}")

    def write(self, prepared: Prepared) -> None:
        """Write the records of a source, a batch at a time."""
        done = 0
        while chunk := list(islice(prepared.items, BATCH)):
            self._still_mine()
            if prepared.total:  # else the reader tells its progress
                self._ctx.progress(done, prepared.total, prepared.text)
            self._ctx.check()
            self._write(prepared.source, chunk)
            done += len(chunk)
        self._ctx.check()
        self._close(prepared.source, prepared.opened.state)

    def _survey(self, source: Source, entries: Sequence[Entry]) -> None:
        for one in entries:
            self._recognise(source, one)
        changed = (one for one in entries if one.way != "same")
        source.present = {one.base: title_key(one.draft.title) for one in changed}

    def _prepared(
        self, source: Source, opened: OpenSource, found: Iterator[Found]
    ) -> Iterator[Entry | ImportProblem]:
        told = False
        for item in found:
            told = told or _tells(item)
            if isinstance(item, StillThere):
                self._stands(source, item)
            elif isinstance(item, ImportProblem):
                source.judge(item)
                own = item.source in ("", opened.location)
                yield replace(item, source=source.location) if own else item
            else:
                draft, said = tidied(item)
                for one in said if source.kind not in _OWN else ():
                    yield replace(one, source=source.location)
                yield _entry(source, draft)
        if not told and source.kind != FOLDER:
            text = f"There is no record in it, read as {opened.title}: nothing was changed."
            yield ImportProblem("no-record", "warning", text, source=source.location)

    def _stands(self, source: Source, one: StillThere) -> None:
        """Note a record that is in the source as it was, and that was not read."""
        for record in source.unseen(one.key):
            record.seen = True
            if one.counted:
                source.meet(one.key, record.paper)
                source.records += 1
                self._counts["records"] += 1
                self._counts["unchanged"] += 1

    def _write(self, source: Source, chunk: Sequence[Entry | ImportProblem]) -> None:
        """Write a batch of records and what the report says of them."""
        entries = []
        for item in chunk:
            if isinstance(item, ImportProblem):
                self._issues.append(item)
                skipped = item.is_record and item.severity == "skipped"
                self._counts["records"] += skipped
                self._counts["skipped"] += skipped
            else:
                entries.append(item)
        if all(self._nothing_new(one) for one in entries):
            for one in entries:
                source.meet(one.base, one.paper)
            self._counts["records"] += len(entries)
            self._counts["unchanged"] += len(entries)
            return
        self._write_batch(source, entries)

    def _recognise(self, source: Source, one: Entry) -> None:
        """Find the record that is in the source as it was, without asking the library."""
        same = next((r for r in source.unseen(one.base) if r.hash == one.hash), None)
        if same is not None:
            one.way, one.paper, one.known, same.seen = "same", same.paper, same, True

    def _nothing_new(self, one: Entry) -> bool:
        known = one.known
        return (
            one.way == "same" and known is not None and not known.missing and not self._collection
        )

    def _write_batch(self, source: Source, entries: Sequence[Entry]) -> None:
        with self._database.write() as conn:
            batch = Batch(
                conn, source, entries, self._added, self._collection, by_hand=self._by_hand
            )
            changes = batch.plan()
            self._counts["records"] += len(entries)
            for _paper, outcome in batch.outcomes:
                self._counts[outcome] += 1
            self._issues += batch.issues
            self._pairs |= batch.pairs
            batch.write_quietly()
            if not changes:
                return
            recorder, batch_id = self._begin(conn, source, entries)
            batch.write(recorder, batch_id)
            add_batch_papers(
                conn,
                batch_id,
                {p: outcome for p, outcome in reversed(batch.outcomes) if outcome != "unchanged"},
            )
            told = self._end(conn, recorder, batch_id)
        self._committed(recorder, batch_id, told)

    def _begin(
        self, conn: sa.Connection, source: Source, entries: Sequence[Entry] = ()
    ) -> tuple[Recorder, int]:
        """The import's change and batch, made for the first thing that is to be written."""
        if source.id is None:
            source.id = touch_source(conn, source.location, source.kind)
        if self._change is not None and self._batch is not None:
            return Recorder(conn, self._change), self._batch
        title = f"Import {_names(self._locations)}"
        if self._by_hand and entries:
            title = f"Add {_papers(entries)}"
        recorder = Recorder.begin(conn, title, IMPORT)
        return recorder, begin_batch(conn, recorder.change_id, self._locations)

    def _end(self, conn: sa.Connection, recorder: Recorder, batch_id: int) -> LibraryChanges:
        add_issues(conn, batch_id, self._issues[self._stored_issues :])
        save_report(conn, batch_id, self._told(), finished=False)
        return recorder.flush()

    def _committed(self, recorder: Recorder, batch_id: int, told: LibraryChanges) -> None:
        self._change, self._batch = recorder.change_id, batch_id
        self._stored_issues = len(self._issues)
        self._changed |= told.changed
        self._came |= told.added
        self._structure = self._structure or told.structure
        self._ctx.partial(told)

    def _told(self) -> dict[str, Any]:
        return {**self._counts, "suggested_merges": sorted(self._pairs)}

    def _close(self, source: Source, state: str | None) -> None:
        """What can be said of a source only at its end."""
        gone = [] if self._by_hand else source.gone()
        if source.id is None:
            return
        with self._database.write() as conn:
            touch_source(conn, source.location, source.kind)
            keep_state(conn, source.id, state if source.whole else None)
            if not gone and (self._batch is None or not source.cites):
                return
            recorder, batch_id = self._begin(conn, source)
            lost = mark_missing(recorder, gone)
            change_papers(recorder, {key: {"missing_in_source": True} for key in lost})
            link_by_citekey(recorder, source.id, batch_id, self._added)
            told = self._end(conn, recorder, batch_id)
        self._committed(recorder, batch_id, told)

    def break_off(self, *, take_back: bool) -> None:
        """Leave an import that did not reach its end: as far as it came, or without a trace."""
        if not take_back or self._change is None or self._batch is None:
            return
        with self._database.write(cascades=False) as conn:
            apply_change(conn, self._change, "undo", for_good=True)
            drop_batch(conn, self._batch, self._change)

    def so_far(self) -> str:
        """What is in the library of an import that fails, in a sentence; empty for nothing."""
        came, changed = len(self._came), len(self._changed - self._came)
        if not came and not changed:
            return ""
        parts = [f"{n:,} {word}" for n, word in ((came, "added"), (changed, "changed")) if n]
        return (
            f"Papers that had come in by then are kept ({', '.join(parts)}): "
            "import the same again to go on."
        )

    def finish(self) -> ImportReport:
        """Close the batch and tell what came of the import."""
        with self._database.read() as conn:
            self._pairs = open_pairs(conn, self._pairs)
            having, lacking = (0, 0) if self._batch is None else abstracts(conn, self._batch)
        if self._batch is not None:
            with self._database.write() as conn:
                add_issues(conn, self._batch, self._issues[self._stored_issues :])
                save_report(conn, self._batch, self._told(), finished=True)
        return ImportReport(
            batch=self._batch,
            **self._counts,
            issues=tuple(self._issues),
            suggested_merges=tuple(sorted(self._pairs)),
            changes=LibraryChanges(
                frozenset(self._came),
                frozenset(self._changed - self._came),
                frozenset(),
                self._structure,
                self._change,
            ),
            sources=self._locations,
            with_abstract=having,
            without_abstract=lacking,
        )


def _entry(source: Source, draft: PaperDraft) -> Entry:
    if draft.citekey and draft.citekey_original is None and source.kind not in _OWN_KEYS:
        draft = replace(draft, citekey_original=draft.citekey)
    hashed = signature(draft)
    source.records += 1
    source.cites = source.cites or bool(draft.cites)
    return Entry(draft, hashed, record_key(draft, hashed), source.records - 1)


def _tells(item: Found) -> bool:
    """Whether it is a record, or says that there is none."""
    return not isinstance(item, ImportProblem) or item.is_record or item.code == "source-empty"


def _papers(entries: Sequence[Entry]) -> str:
    """Papers that a person adds, as the history names them."""
    if len(entries) > 1:
        return f"{len(entries):,} papers"
    title = entries[0].draft.title or entries[0].draft.citekey or "a paper"
    return f"“{title if len(title) <= _SHOWN else title[: _SHOWN - 1] + '…'}”"


def _names(locations: Sequence[str]) -> str:
    if len(locations) > 1:
        return f"{len(locations)} files"
    return locations[0].replace("\\", "/").rpartition("/")[2] or locations[0]
