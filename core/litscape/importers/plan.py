"""What becomes of each record of a batch: a new paper, an update, or part of another paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

from litscape.importers.matching import (
    NO_BLOCK,
    SCHEME_NAMES,
    Brief,
    TitleBlock,
    brief_of,
    key_reused,
    maybe_one,
    of_one_work,
    one_by_identifier,
    one_by_isbn,
    one_by_key,
    placed_apart,
    shared_scheme,
    stored_brief,
    title_block,
    twins,
    untitled_mark,
    untitled_twins,
)
from litscape.importers.signature import gave, own_members, parsed
from litscape.store.candidates import (
    base_scheme,
    find_citekeys,
    find_identifiers,
    find_titles,
    find_untitled,
    find_zotero,
    read_briefs,
    several_records,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.importers.sources import Source
    from litscape.paper import PaperDraft, PaperId
    from litscape.store.imports import KnownRecord

_Key = TypeVar("_Key")
Way = Literal["new", "update", "repeat", "join", "same"]
_CROWD, _FEW = 100, 10
"""In a larger block of similar titles only equal ones are looked at: it is a series."""


@dataclass(slots=True)
class Entry:
    """A record on its way into the library.

    Attributes:
        draft: the record.
        hash: its signature.
        base: what its source calls it.
        position: its place among the records of its source.
        brief: what is compared of it, once that was needed; ``block`` with it.
        way: new paper; update of a paper by its own source; repeat of a record of this run;
            joined to a paper from elsewhere; same as last time.
        paper: the paper that it becomes part of.
        known: its stored record, where it had one.
        clash: whether its key stands for another work of the same source.
        reason: why it was joined, for the report.
        similar: papers that may be the same work, for a person to say.
        before: its signature of last time.
        changed: whether it changed a paper of the library.
        restored: whether it took its paper out of the trash.
    """

    draft: PaperDraft
    hash: bytes
    base: str
    position: int
    brief: Brief | None = None
    block: TitleBlock = NO_BLOCK
    way: Way = "new"
    paper: PaperId = 0
    known: KnownRecord | None = None
    clash: bool = False
    reason: str = ""
    similar: list[PaperId] = field(default_factory=list)
    before: bytes = b""
    changed: bool = False
    restored: bool = False

    def compared(self) -> Brief:
        """What is compared of the record; worked out when first asked for."""
        if self.brief is None:
            self.brief = brief_of(self.draft, self.paper)
            self.block = title_block(self.draft.title)
        return self.brief


class Pool:
    """The papers that the records of one batch may be: of the library, and of the batch itself."""

    def __init__(self) -> None:
        self.briefs: dict[PaperId, Brief] = {}
        self._by_id: dict[tuple[str, str], list[PaperId]] = {}
        self._by_zotero: dict[tuple[str, str], list[PaperId]] = {}
        self._by_title: dict[str, list[PaperId]] = {}
        self._by_key: dict[str, list[PaperId]] = {}
        self._untitled: dict[tuple[object, ...], list[PaperId]] = {}
        self._records: dict[PaperId, list[bytes]] | None = None
        self._read: Callable[[], dict[PaperId, list[bytes]]] = dict

    def fetch(self, conn: sa.Connection, entries: Sequence[Entry], source: Source) -> None:
        """Look up everything in the library that the entries could be."""
        pairs = {pair for one in entries for pair in _pairs(one.compared())}
        self._by_id = find_identifiers(conn, pairs)
        zotero = {(d.library or "", d.zotero_key) for d in _drafts(entries) if d.zotero_key}
        self._by_zotero = find_zotero(conn, zotero)
        starts = {one.block.start for one in entries if one.block.start}
        exact = {text for one in entries for text in one.block.exact}
        self._by_title = find_titles(conn, starts, exact)
        self._by_key = find_citekeys(conn, {d.citekey for d in _drafts(entries) if d.citekey})
        ids = {
            paper
            for index in (self._by_id, self._by_zotero, self._by_title, self._by_key)
            for papers in index.values()
            for paper in papers
        }
        ids.update(paper for one in entries for paper in source.papers_called(one.base))
        years = {one.draft.year for one in entries if untitled_mark(one.compared())}
        untitled = find_untitled(conn, years)
        ids.update(untitled)
        self.briefs = {row[0]: stored_brief(*row) for row in read_briefs(conn, ids)}
        self._read = lambda: several_records(conn, ids)
        for paper in untitled:
            self._note_untitled(self.briefs[paper])

    def add(self, one: Entry) -> None:
        """Make an entry that becomes a new paper known to those after it."""
        brief, paper = one.compared(), one.paper
        self.briefs[paper] = brief
        for pair in _pairs(brief):
            self._by_id.setdefault(pair, []).append(paper)
        if one.draft.zotero_key:
            key = (one.draft.library or "", one.draft.zotero_key)
            self._by_zotero.setdefault(key, []).append(paper)
        for text in one.block.texts:
            self._by_title.setdefault(text, []).append(paper)
        if one.draft.citekey:
            self._by_key.setdefault(one.draft.citekey, []).append(paper)
        self._note_untitled(brief)

    def _note_untitled(self, brief: Brief) -> None:
        mark = untitled_mark(brief)
        if mark is not None:
            self._untitled.setdefault(mark, []).append(brief.id)

    def sharing(self, one: Entry) -> list[PaperId]:
        """Papers that have an identifier of the entry, doi first."""
        return _found(self._by_id, _pairs(one.compared()))

    def in_zotero(self, one: Entry) -> list[PaperId]:
        """Papers of the same item of the same Zotero library."""
        key = (one.draft.library or "", one.draft.zotero_key or "")
        return list(self._by_zotero.get(key, ())) if one.draft.zotero_key else []

    def titled(self, one: Entry) -> list[Brief]:
        """Papers of a like title."""
        ids = _found(self._by_title, one.block.texts)
        briefs = [self.briefs[paper] for paper in ids if paper in self.briefs]
        if len(briefs) > _CROWD:
            key = one.compared().key
            briefs = [brief for brief in briefs if brief.key == key][:_CROWD]
        return briefs

    def untitled(self, one: Entry) -> list[Brief]:
        """Papers without a title that are equal to an entry without one; the last few of many."""
        mark = untitled_mark(one.compared())
        papers = self._untitled.get(mark, []) if mark is not None else []
        return [self.briefs[paper] for paper in papers[-_FEW:]]

    def records(self, paper: PaperId) -> list[bytes]:
        """The signatures of the records of a paper of the library that has more than one."""
        if self._records is None:
            self._records = self._read()
        return self._records.get(paper, [])

    def keyed(self, one: Entry) -> frozenset[PaperId]:
        """Papers that have the entry's key as citekey or alias."""
        return frozenset(self._by_key.get(one.draft.citekey or "", ()))


def _drafts(entries: Iterable[Entry]) -> list[PaperDraft]:
    return [one.draft for one in entries]


def _pairs(brief: Brief) -> list[tuple[str, str]]:
    pairs = [(base_scheme(s) if "." in s else s, value) for s, value in brief.ids.items()]
    if len(pairs) > 1:
        pairs.sort(key=lambda pair: (pair[0] != "doi", pair))
    return [*pairs, *(("isbn", isbn) for isbn in sorted(brief.isbns))] if brief.isbns else pairs


def _found(index: Mapping[_Key, list[PaperId]], keys: Iterable[_Key]) -> list[PaperId]:
    """The papers of any of the keys, each once, in the order of the keys."""
    lists = [index[key] for key in keys if key in index]
    return list(dict.fromkeys(paper for papers in lists for paper in papers)) if lists else []


def decide(one: Entry, source: Source, pool: Pool) -> None:
    """Find the paper that an entry belongs to; ``way`` stays ``new`` where there is none."""
    for way in (
        _by_own_record,
        _by_own_key,
        _by_identifier,
        _by_zotero_key,
        _by_title,
        _by_former_key,
    ):
        if way(one, source, pool):
            return


def _by_own_record(one: Entry, source: Source, pool: Pool) -> bool:
    """The record that had this name in this source before."""
    rows = source.unseen(one.base)
    if not rows:
        return False
    likely = [row for row in rows if _goes_on(one, row, pool.briefs.get(row.paper), len(rows))]
    if likely:
        _take(one, "update", likely[0].paper, known=likely[0])
    return bool(likely)


def _goes_on(one: Entry, row: KnownRecord, before: Brief | None, rivals: int) -> bool:
    if before is None:
        return False
    # Its paper may have become part of another one, which has another title and DOI.
    same = _given_again(one.draft, row)
    if rivals == 1:
        again = any(same) or _same_identifier(one.draft, row.hash)
        return again or not key_reused(one.compared(), before)
    return (bool(same) and all(same)) or one_by_key(one.compared(), before)


def _same_identifier(draft: PaperDraft, stored: bytes, *, isbn: bool = False) -> bool:
    """Whether a record gave one of its identifiers when it was stored; an ISBN if that counts."""
    given = parsed(stored)
    names = ("doi", "arxiv", "pmid", "isbn") if isbn else ("doi", "arxiv", "pmid")
    if any(v and gave(given, name, v) for name in names for v in [getattr(draft, name)]):
        return True
    others = [pair for pair in draft.identifiers.items() if of_one_work(pair[0])]
    return bool(own_members(given, "identifiers", others))


def _given_again(draft: PaperDraft, row: KnownRecord) -> list[bool]:
    """Of title and DOI, where the record has them, whether it gave the same last time."""
    given, values = parsed(row.hash), {"title": draft.title, "doi": draft.doi}
    return [gave(given, name, value) for name, value in values.items() if value]


def _by_own_key(one: Entry, source: Source, pool: Pool) -> bool:
    """A record of this run that has the same name: the same work again, or a clash of keys."""
    met = source.first.get(one.base)
    if not met:
        return False
    for paper in met:
        brief = pool.briefs.get(paper)
        if brief is None or not one_by_key(one.compared(), brief):
            continue
        if source.names(one.base) or source.equal(one.base, one.hash) or _sure(one, brief):
            _take(one, "repeat", paper, reason="is the same entry")
            return True
        one.similar.append(paper)
    one.clash = source.names(one.base)
    return False


def _sure(one: Entry, brief: Brief) -> bool:
    """Whether records without a key of their own have more in common than a title."""
    mine = one.compared()
    return bool(mine.families and brief.families) and not placed_apart(mine, brief)


def _by_identifier(one: Entry, source: Source, pool: Pool) -> bool:
    """A paper with the same DOI, arXiv id, … and nothing that speaks against it."""
    for paper in pool.sharing(one):
        brief = pool.briefs.get(paper)
        if brief is None:
            continue
        scheme = shared_scheme(one.compared(), brief)
        if scheme and (
            one_by_identifier(one.compared(), brief) or _taken_in(one, pool.records(paper))
        ):
            _join(one, source, brief, f"has the same {SCHEME_NAMES.get(scheme, scheme)}")
            return True
        if not scheme and (
            one_by_isbn(one.compared(), brief) or _taken_in(one, pool.records(paper))
        ):
            _join(one, source, brief, "has the same ISBN and title")
            return True
        if scheme:
            one.similar.append(paper)
    return False


def _taken_in(one: Entry, records: Iterable[bytes]) -> bool:
    """Whether a record with this very title and identifier became part of the paper before.

    The paper may be called otherwise, where a person said that both are one work.
    """
    return any(
        gave(parsed(stored), "title", one.draft.title)
        and _same_identifier(one.draft, stored, isbn=True)
        for stored in records
    )


def _by_zotero_key(one: Entry, source: Source, pool: Pool) -> bool:
    """The same item of the same Zotero library, come by another way."""
    for paper in pool.in_zotero(one):
        brief = pool.briefs.get(paper)
        if brief is not None:
            _join(one, source, brief, "is the same Zotero item")
            return True
    return False


def _by_title(one: Entry, source: Source, pool: Pool) -> bool:
    """Equal title, authors and year: enough under one key, or for a key that changed."""
    titled = pool.titled(one)
    keyed = pool.keyed(one) if titled else frozenset()
    for brief in titled:
        if twins(one.compared(), brief):
            moved = source.moved(brief.id, brief.key)
            if moved is not None:
                _take(one, "update", brief.id, known=moved)
                return True
            if brief.id in keyed and not (one.clash and brief.id in source.seen):
                _join(one, source, brief, "has the same key, title, authors and year")
                return True
        if maybe_one(one.compared(), brief):
            one.similar.append(brief.id)
    alike = pool.untitled(one)
    one.similar += [brief.id for brief in alike if untitled_twins(one.compared(), brief)]
    return False


def _by_former_key(one: Entry, source: Source, pool: Pool) -> bool:
    """The very record of a paper that became part of another one, by its key."""
    for paper in sorted(pool.keyed(one)):
        brief = pool.briefs.get(paper)
        if brief is None or brief.citekey == one.draft.citekey:
            continue
        if one.hash in pool.records(paper):
            _join(one, source, brief, "is a record that became part of it before")
            return True
    return False


def _join(one: Entry, source: Source, brief: Brief, reason: str) -> None:
    moved = source.moved(brief.id, brief.key)
    if moved is not None:
        _take(one, "update", brief.id, known=moved)
    elif brief.id in source.seen:
        _take(one, "repeat", brief.id, reason=reason)
    else:
        _take(one, "join", brief.id, reason=reason)


def _take(
    one: Entry, way: Way, paper: PaperId, known: KnownRecord | None = None, reason: str = ""
) -> None:
    one.way, one.paper, one.known, one.reason = way, paper, known, reason
    if known is not None:
        known.seen = True
