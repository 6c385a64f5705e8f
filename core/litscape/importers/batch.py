"""One batch of records: what becomes of each is decided first, then all of it is written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from litscape.importers.given import cited, content, kept
from litscape.importers.links import cited_references, more_references
from litscape.importers.matching import made_key
from litscape.importers.merging import Fields, joined
from litscape.importers.plan import Entry, Pool, decide
from litscape.importers.sources import base_name
from litscape.paper import ImportProblem, Paper, PaperDraft, PaperId, Severity
from litscape.store.bulk import NewPaper, insert_citations, insert_papers, next_paper_id
from litscape.store.candidates import taken_citekeys
from litscape.store.citekeys import free_citekey
from litscape.store.history import Item, change_papers, watched_nodes
from litscape.store.images import user_edits
from litscape.store.imports import KnownRecord, RecordWrite, refresh_records, write_records
from litscape.store.later import GIVEN
from litscape.store.linking import SOURCE, link_papers
from litscape.store.papers import get_papers
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.importers.sources import Source
    from litscape.store.history import Recorder

Path = tuple[str, ...]


@dataclass(slots=True)
class Batch:
    """Records of one source that are written together.

    Attributes:
        conn: a connection inside ``Database.write()``.
        source: where they come from.
        entries: the records, in order.
        added: papers that the whole import added so far; this batch adds its own.
        collection: a collection that all papers go into.
        by_hand: the user asked for these very papers: they come out of the trash.
    """

    conn: sa.Connection
    source: Source
    entries: Sequence[Entry]
    added: set[PaperId]
    collection: Path | None = None
    by_hand: bool = False
    issues: list[ImportProblem] = field(default_factory=list)
    outcomes: list[tuple[PaperId, str]] = field(default_factory=list)
    pairs: set[tuple[PaperId, PaperId]] = field(default_factory=set)
    _new: dict[PaperId, PaperDraft] = field(default_factory=dict)
    _keys: dict[PaperId, str] = field(default_factory=dict)
    _papers: dict[PaperId, Paper] = field(default_factory=dict)
    _former: dict[PaperId, str] = field(default_factory=dict)
    _fields: dict[PaperId, Fields] = field(default_factory=dict)
    _records: list[tuple[KnownRecord, RecordWrite]] = field(default_factory=list)
    _quiet: list[tuple[KnownRecord, RecordWrite]] = field(default_factory=list)
    _given: list[tuple[Entry, KnownRecord]] = field(default_factory=list)

    def plan(self) -> bool:
        """Decide everything; nothing is written yet.

        Returns:
            Whether the library changes by this batch.
        """
        pool = Pool()
        pool.fetch(self.conn, [one for one in self.entries if one.way != "same"], self.source)
        self._decide(pool)
        existing = [
            one for one in self.entries if one.paper not in self._new and not self._untouched(one)
        ]
        ids = {one.paper for one in existing}
        self._papers = {paper.id: paper for paper in get_papers(self.conn, sorted(ids))}
        self._former = {paper.id: paper.citekey for paper in self._papers.values()}
        edits = user_edits(self.conn, ids)
        for one in existing:
            self._change(one, edits.get(one.paper, ()))
        self._give_keys()
        for one in self.entries:
            self._tell(one)
        return bool(self._new or self._records or any(self._fields.values()))

    def _untouched(self, one: Entry) -> bool:
        return (
            one.way == "same"
            and self.collection is None
            and one.known is not None
            and not one.known.missing
        )

    def _decide(self, pool: Pool) -> None:
        free = next_paper_id(self.conn)
        for one in self.entries:
            if one.way != "same":
                decide(one, self.source, pool)
            if one.way == "new":
                one.paper, free = free, free + 1
                one.compared().id = one.paper
                pool.add(one)
                self._new[one.paper] = one.draft
            elif one.paper in self._new:
                self._new[one.paper] = _repeated(self._new[one.paper], one.draft)
            self.pairs |= {_pair(one.paper, other) for other in one.similar if other != one.paper}
            self._meet(one)

    def _meet(self, one: Entry) -> None:
        """Tell the source which paper the record is of, and prepare its row."""
        self.source.meet(one.base, one.paper)
        known = one.known
        if known is None:
            key = self.source.free_key(one.base)
            known = KnownRecord(0, key, one.paper, one.hash, seen=True)
            self.source.know([known])
            self._records.append((known, self._row(one, known, None)))
            if one.way != "new":
                self._given.append((one, known))
            return
        one.before = known.hash
        if base_name(known.key) != one.base:
            self.source.rename(known, self.source.free_key(one.base))
        if one.before != one.hash:
            self._given.append((one, known))
        known.hash = one.hash

    def _row(self, one: Entry, known: KnownRecord, row_id: int | None) -> RecordWrite:
        draft = one.draft
        return RecordWrite(
            row_id, known.key, one.paper, one.hash, draft.line, one.position, draft.raw
        )

    def _change(self, one: Entry, kept: Sequence[str]) -> None:
        """Work out what an entry changes in a paper that is in the library."""
        paper = self._papers[one.paper]
        fields = self._content(one, paper, kept)
        if self.collection and self.collection not in paper.collections:
            fields["collections"] = (*fields.get("collections", paper.collections), self.collection)
        if paper.trashed_at and (self.by_hand or one.way == "join"):
            fields["trashed_at"] = None
            one.restored = True
        changed = {name: v for name, v in fields.items() if getattr(paper, name) != v}
        one.changed = bool(changed)
        if self._idle(one):
            self._records = [row for row in self._records if row[1].position != one.position]
        if changed:
            self._fields.setdefault(one.paper, {}).update(changed)
            self._papers[one.paper] = replace(paper, **changed)
        if one.known is not None:
            rows = self._records if one.changed or one.known.missing else self._quiet
            if one.before != one.hash or one.known.missing:
                rows.append((one.known, self._row(one, one.known, one.known.id)))
            one.known.missing = False

    def _idle(self, one: Entry) -> bool:
        """Whether somebody added a paper that is there and lacks nothing of it."""
        return self.by_hand and one.way == "join" and not one.changed

    def _content(self, one: Entry, paper: Paper, kept: Sequence[str]) -> Fields:
        if one.way == "same":
            return {"missing_in_source": False} if one.known and one.known.missing else {}
        before = one.before if one.way == "update" else b""
        fields = content(paper, one.draft, before, one.hash, kept)
        if links := cited(one.draft, before, one.hash):
            fields["references"] = more_references(paper.references, links)
        return fields

    def _give_keys(self) -> None:
        """A citekey of its own for every new paper, and for those whose key changed."""
        renamed = {p: f["citekey"] for p, f in self._fields.items() if "citekey" in f}
        own = {p: draft.citekey for p, draft in self._new.items() if draft.citekey}
        made = {p: made_key(draft) for p, draft in self._new.items() if not draft.citekey}
        taken = taken_citekeys(self.conn, {*own.values(), *made.values(), *renamed.values()})
        promised: set[str] = set()
        freed: set[str] = set()
        for paper, key in renamed.items():
            if key in taken or key in promised:
                del self._fields[paper]["citekey"]
            else:
                freed.add(self._former[paper])
                promised.add(key)
        late: list[tuple[PaperId, str]] = []
        for paper, key in (*own.items(), *made.items()):  # keys of the source's own come first
            if key in promised or (key in taken and key not in freed):
                late.append((paper, key))
            else:
                promised.add(key)
                self._keys[paper] = key
        for paper, key in late:
            self._keys[paper] = free_citekey(self.conn, key, promised)
            promised.add(self._keys[paper])

    def _tell(self, one: Entry) -> None:
        """Count an entry, and report what a person should know of it."""
        if one.way == "new":
            self._tell_new(one)
            return
        if one.restored:
            outcome = "added"
        elif one.way in ("repeat", "join") and not self._idle(one):
            outcome = "merged"
        else:
            outcome = "updated" if one.changed else "unchanged"
        self.outcomes.append((one.paper, outcome))
        if one.way == "repeat":
            text = f"It {one.reason} as a record above: the two became one paper."
            self._say(one, "duplicate-record", text)
        elif one.way == "join":
            title = self._papers[one.paper].title or one.draft.title or "a paper of the library"
            became = "is in the library already as" if self._idle(one) else "became part of"
            self._say(one, "joined", f"It {became} “{title}”: it {one.reason}.", "note")
        elif one.changed and self._papers[one.paper].trashed_at:
            text = "Its paper is in the trash: it was updated and stays there."
            self._say(one, "in-trash", text, "note")

    def _tell_new(self, one: Entry) -> None:
        key, stored = one.draft.citekey, self._keys[one.paper]
        self.outcomes.append((one.paper, "added"))
        if key and stored != key:
            whose = "a record above" if one.clash else "another paper of the library"
            text = f"The key {key} belongs to {whose}: this paper is stored as {stored}."
            self._say(one, "duplicate-key", text)

    def _say(self, one: Entry, code: str, message: str, severity: Severity = "warning") -> None:
        draft = one.draft
        self.issues.append(
            ImportProblem(
                code,
                severity,
                message,
                line=draft.line,
                citekey=draft.citekey,
                zotero_key=draft.zotero_key,
                index=draft.index,
                raw=draft.raw,
                source=self.source.location,
            )
        )

    def write_quietly(self) -> None:
        """Store what leaves no trace in the history: records that read differently, no more."""
        refresh_records(self.conn, [write for _known, write in self._quiet])

    def write(self, recorder: Recorder, batch_id: int) -> None:
        """Write everything that was planned, as part of a change."""
        with watched_nodes(recorder):
            for paper in sorted(self._fields.keys() & self.added):
                set_fields(self.conn, paper, self._fields[paper])
        others = {p: f for p, f in self._fields.items() if p not in self.added}
        change_papers(recorder, others)
        edges: set[tuple[PaperId, PaperId]] = set()
        papers = [self._finished(paper, draft, edges) for paper, draft in self._new.items()]
        with watched_nodes(recorder):
            insert_papers(self.conn, papers)
        recorder.created(self._new)
        self.added.update(self._new)
        source_id = self.source.id
        if source_id is None:
            raise RuntimeError("the source has no row yet")
        writes = [write for _known, write in self._records]
        ids = write_records(recorder, source_id, batch_id, writes, self.added)
        for (known, _write), row_id in zip(self._records, ids, strict=True):
            known.id = row_id
        for one, known in self._given:
            if one.paper not in self.added and not self._idle(one):
                image = kept(one.draft, known.id, one.base, one.before, one.hash, self.collection)
                recorder.add(Item(GIVEN, one.paper, None, image))
        origin = (f"{SOURCE}:{source_id}", "record", 1.0)
        insert_citations(self.conn, [(*edge, *origin) for edge in edges])
        linked = {p for p, f in self._fields.items() if "references" in f}
        link_papers(recorder, sorted({*self._new, *linked}), self.added)

    def _finished(
        self, paper: PaperId, draft: PaperDraft, edges: set[tuple[PaperId, PaperId]]
    ) -> NewPaper:
        """A new paper as it is inserted; what it cites in its own source becomes links."""
        key = self._keys[paper]
        changes: dict[str, Any] = {}
        if draft.cites:
            unknown = []
            for name in dict.fromkeys(draft.cites):
                cited = self.source.paper_named(name)
                if cited is None:
                    unknown.append(name)
                elif cited != paper:
                    edges.add((paper, cited))
            changes["references"] = more_references(draft.references, cited_references(unknown))
        if self.collection and self.collection not in draft.collections:
            changes["collections"] = (*draft.collections, self.collection)
        if key in draft.citekey_aliases:
            changes["citekey_aliases"] = tuple(k for k in draft.citekey_aliases if k != key)
        return NewPaper(paper, key, replace(draft, **changes) if changes else draft)


def _pair(a: PaperId, b: PaperId) -> tuple[PaperId, PaperId]:
    return (a, b) if a < b else (b, a)


def _repeated(draft: PaperDraft, again: PaperDraft) -> PaperDraft:
    """A record of this batch with what another record of the same work adds."""
    fields = joined(draft, again)
    fields["cites"] = tuple(dict.fromkeys((*draft.cites, *again.cites)))
    fields["references"] = more_references(draft.references, again.references)
    key = again.citekey
    if key and key != draft.citekey and key not in draft.citekey_aliases:
        if draft.citekey is None:
            fields["citekey"], fields["citekey_original"] = key, again.citekey_original
        else:
            fields["citekey_aliases"] = (*draft.citekey_aliases, key)
    return replace(draft, **fields)
