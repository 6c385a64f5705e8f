"""Undo and redo of one change among others: it is taken out from under the later ones.

A paper keeps what later imports gave it and what a person made of it; what the change alone gave
goes. A paper that the change brought stays where a later import found it again in another place:
then it is what that import tells of it, and belongs to that one from now on.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from litscape.importers.without import LINKS, History, Way, Without
from litscape.store import later as store
from litscape.store.duplicates import citing
from litscape.store.history import Item, load_items, write_items
from litscape.store.images import PAPER_FIELDS, Image, images, turned_back, typed
from litscape.store.later import GIVEN, Later
from litscape.store.stand_ins import fewer, stand_ins
from litscape.store.undo import apply_change, other_has_key
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import sqlalchemy as sa

    from litscape.paper import LibraryChanges, PaperId

REPLAYED = "replayed"
"""The item of an undone change that tells how to make it again under later ones."""


def take_back(
    conn: sa.Connection, change_id: int, *, because_of: int | None = None
) -> LibraryChanges:
    """Undo a change, whatever came after it; what later changes did stays done.

    Args:
        conn: a connection inside ``Database.write()``.
        change_id: the change.
        because_of: an import that is undone next; the papers that it brought will be gone.
    """
    doomed = set() if because_of is None else store.brought_by(conn, because_of)
    with _marks_kept(conn, change_id):
        if not store.any_later(conn, change_id):
            return apply_change(conn, change_id, "undo")
        work = _TakeOut(conn, change_id, doomed)
        papers = {way.paper for way in work.ways}
        told = apply_change(
            conn,
            change_id,
            "undo",
            papers_done=frozenset(papers),
            records_done=work.records,
            then=lambda: papers.update(work.finish()),
        )
        return _with(told, papers)


def again(conn: sa.Connection, change_id: int) -> LibraryChanges:
    """Make a change again that was undone last."""
    with _marks_kept(conn, change_id):
        kept = [i for i in load_items(conn, change_id) if i.entity == REPLAYED and i.after]
        images_kept = [item.after or {} for item in kept]
        papers = {paper for image in images_kept for paper in image["papers"]}
        told = apply_change(
            conn,
            change_id,
            "redo",
            papers_done=papers,
            records_done={record for image in images_kept for record in image["records"]},
            first=lambda: _put_in(conn, images_kept),
        )
        for item in kept:
            store.drop_item(conn, change_id, item.position)
        return _with(told, papers)


def _with(told: LibraryChanges, papers: Collection[PaperId]) -> LibraryChanges:
    changed = told.changed | (frozenset(papers) - told.added - told.removed)
    return replace(told, changed=changed)


@contextmanager
def _marks_kept(conn: sa.Connection, change_id: int) -> Iterator[None]:
    """Let papers be marked as missing in their sources where all of their records are."""
    papers = store.papers_touched(conn, change_id)
    before = store.missing_marks(conn, papers)
    yield
    papers |= store.papers_touched(conn, change_id)
    for paper, (marked, missing) in store.missing_marks(conn, papers).items():
        was = before.get(paper)
        if marked != missing and (was is None or was[0] == was[1]):
            store.mark_papers(conn, [paper], missing)


def _put_in(conn: sa.Connection, images_kept: Sequence[Image]) -> None:
    """The way back from :class:`_TakeOut`."""
    for kept in images_kept:
        for change, position in kept["new"]:
            store.drop_item(conn, change, position)
        for change, position, entity, entity_id, before, after in kept["items"]:
            store.write_item(conn, Later(change, position, entity, entity_id, before, after))
        for name, turned in kept["fields"].items():
            _put_fields(conn, int(name), turned)
        store.put_records_back(conn, kept["rows"])


def _put_fields(conn: sa.Connection, paper: PaperId, turned: Image) -> None:
    found = images(conn, [paper], list(turned)).get(paper) if turned else None
    if found is None:
        return
    back = {n: typed(n, turned_back(n, found[n], made, was)) for n, (was, made) in turned.items()}
    if "citekey" in back and other_has_key(conn, paper, back["citekey"]):
        del back["citekey"]
    set_fields(conn, paper, back)


class _TakeOut:
    """One change on its way out."""

    def __init__(self, conn: sa.Connection, change: int, doomed: Collection[PaperId]) -> None:
        self.conn, self.change, self.doomed = conn, change, doomed
        self.history = History(conn)
        self.rows: list[list[Any]] = []
        self.records: set[int] = set()
        self.heirs: dict[PaperId, list[Later]] = {}
        own = load_items(conn, change)
        self.moved = {
            i.entity_id: i.before["paper_id"]
            for i in own
            if i.entity == "record" and i.after is not None and i.before and "paper_id" in i.before
        }
        self.own: dict[PaperId, list[Item]] = {}
        for item in own:
            if item.entity in ("paper", GIVEN):
                self.own.setdefault(item.entity_id, []).append(item)
        for paper in store.papers_touched(conn, change):
            self.own.setdefault(paper, [])
        later: dict[PaperId, list[Later]] = {paper: [] for paper in self.own}
        for one in store.later_items(conn, change, ("paper", GIVEN), self.own):
            later[one.entity_id].append(one)
        staying = [paper for paper in later if self._stays(paper, later[paper])]
        self.gone = store.brought_by(conn, change).difference(staying)
        cite = set(citing(conn, self.gone)) - later.keys() if self.gone else set()
        for one in store.later_items(conn, change, ("paper", GIVEN), cite):
            later.setdefault(one.entity_id, []).append(one)
        for paper in sorted(cite & later.keys()):
            self.own.setdefault(paper, [])
            later[paper] = _since_it_came(later[paper])
            staying += [paper] if later[paper] else []
        there = images(conn, staying, PAPER_FIELDS)
        self.ways = [self._way(p, there[p], later[p]) for p in staying if p in there]
        self._turn_records([i for i in own if i.entity == "record"], later)

    def finish(self) -> set[PaperId]:
        """Make the papers anew; returns those of undone merges that changed by it."""
        fields = Without(self.conn, self.ways, self.history).run()
        self._keep(fields, [way.paper for way in self.ways])
        return self._hand_over() if self.heirs else set()

    def _keep(self, fields: dict[PaperId, Image], papers: list[PaperId]) -> None:
        """Store the way back; ``papers`` are to be left alone then."""
        kept = self.history.way_back() | {
            "papers": papers,
            "fields": fields,
            "rows": self.rows,
            "records": sorted(self.records),
        }
        if any(kept.values()):
            write_items(self.conn, self.change, [Item(REPLAYED, 0, None, kept)])

    def _stays(self, paper: PaperId, events: Sequence[Later]) -> bool:
        """Whether a paper outlives the change, and has to be made anew for that."""
        if any(map(_is_bringing, events)):
            return False
        mine = [one for one in self.own[paper] if one.entity == "paper"]
        if any(one.before is not None and one.after is None for one in mine):
            return False
        if any(one.before is None for one in mine):
            return any(one.entity == GIVEN for one in events)
        # What is linked to a paper that stays is linked anew.
        return bool(events) or any(name in (one.before or {}) for one in mine for name in LINKS)

    def _way(self, paper: PaperId, now: Image, events: Sequence[Later]) -> Way:
        """Where a paper stood before the change, and what is to be done from there."""
        base = dict(now)
        for one in reversed(events):
            if one.entity == "paper":
                base |= one.before or {}
        base["missing_in_source"] = now["missing_in_source"]
        brought = False
        signs: dict[int, bytes] = {}
        for own in reversed(self.own[paper]):
            if own.entity == GIVEN and own.after:
                signs[own.after["record"]] = bytes.fromhex(own.after["before"])
            elif own.before is None:
                brought = True
            else:
                if "cites" in own.before and own.after:
                    lost = stand_ins(
                        self.conn, base["cites"], own.after["cites"], own.before["cites"]
                    )
                    base["references"] = fewer(base["references"], lost)
                turned = {n: v for n, v in own.before.items() if n != "missing_in_source"}
                base |= {
                    n: turned_back(n, base[n], (own.after or {})[n], v) for n, v in turned.items()
                }
        parted = [link[0] for link in base["cites"] if link[0] in self.gone]
        for image in images(self.conn, parted, ("doi", "title", "year")).values() if parted else ():
            stand_in = {name: value for name, value in image.items() if value is not None}
            base["references"] = [*base["references"], stand_in]
        base["cites"] = [link for link in base["cites"] if link[0] not in self.gone]
        left = self._without_moved(paper, events)
        return Way(paper, now, None if brought else base, left, signs)

    def _without_moved(self, paper: PaperId, events: Sequence[Later]) -> list[Later]:
        """Leave what records gave that go back to a paper of their own to that paper."""
        left = []
        for one in events:
            of = self.moved.get(one.after["record"]) if one.entity == GIVEN and one.after else None
            if of is None:
                left.append(one)
            else:
                self.heirs.setdefault(of, []).append(one)
        heirs = dict.fromkeys(self.moved.values())
        if paper in self.doomed and heirs:
            by_hand = [one for one in left if one.entity == "paper" and not one.imported]
            self.heirs.setdefault(next(iter(heirs)), []).extend(by_hand)
        return left

    def _turn_records(self, own: Sequence[Item], later: dict[PaperId, list[Later]]) -> None:
        """Take the records of the change out; what was read of them later stays."""
        given: dict[int, list[Later]] = {}
        for events in later.values():
            for one in events:
                if one.entity == GIVEN and one.after:
                    given.setdefault(one.after["record"], []).append(one)
        rows = store.record_rows(self.conn, "paper_id", [w.paper for w in self.ways if w.brought])
        olds: dict[int, Image | None] = {
            row[0]: None for row in rows if not any(map(_is_first, given.get(row[0], ())))
        }
        mine = frozenset(olds)
        for item in own:
            if item.before is None or "record_key" in item.before:
                olds.setdefault(item.entity_id, item.before)
        marks: dict[int, list[Later]] = {}
        for one in store.later_items(self.conn, self.change, ("record",), olds):
            marks.setdefault(one.entity_id, []).append(one)
        for record, old in olds.items():
            if record in given:
                self._goes_on(old, marks.get(record, []), given[record])
                self.records.add(record)
            elif record in mine:
                self.rows += store.record_rows(self.conn, "id", [record])
                store.delete_records(self.conn, [record])
            elif record in marks and old is not None:
                if marks[record][0].before is not None:  # else a later change brings it now
                    self._read_before(record, old, marks[record][0])
                self.records.add(record)

    def _goes_on(self, old: Image | None, marks: Sequence[Later], given: Sequence[Later]) -> None:
        """A record that a later import read anew: from now on that one brought it."""
        first = min(one.change for one in given)
        for one in marks:
            if one.change == first and one.before is not None:
                self.history.rewrite(one, old, None if old is None else one.after)
                return

    def _read_before(self, record: int, old: Image, mark: Later) -> None:
        """A record that was only marked as missing later: it stays so, but reads as before."""
        self.rows += store.record_rows(self.conn, "id", [record])
        store.turn_record(self.conn, record, {k: v for k, v in old.items() if k != "missing"})
        missing = (mark.before or {}).get("missing", 0)
        self.history.rewrite(mark, {**old, "missing": missing}, mark.after)

    def _hand_over(self) -> set[PaperId]:
        """Do to papers that a merge gave back what later changes did while they were merged."""
        history = self.history = History(self.conn)
        self.rows, self.records = [], set()
        found = images(self.conn, sorted(self.heirs), PAPER_FIELDS)
        ways = []
        for paper in (paper for paper in self.heirs if paper in found):
            events = [history.pass_on(one, paper) for one in self.heirs[paper]]
            ways.append(Way(paper, found[paper], dict(found[paper]), events))
        fields = Without(self.conn, ways, history).run()
        self._keep(fields, [])
        return {paper for paper, changed in fields.items() if changed}


def _is_bringing(one: Later) -> bool:
    """Whether the paper came or went with this change."""
    return one.entity == "paper" and None in (one.before, one.after)


def _since_it_came(events: Sequence[Later]) -> list[Later]:
    """What happened to a paper after it came into being; nothing for one that went."""
    places = [n for n, one in enumerate(events) if _is_bringing(one)]
    if any(events[n].before is not None for n in places):
        return []
    return list(events[places[-1] + 1 :] if places else events)


def _is_first(one: Later) -> bool:
    """Whether it is a record that came to the paper with this change."""
    return one.entity == GIVEN and one.after is not None and not one.after["before"]
