"""Papers without one of the changes that made them: what later changes did is done anew.

The later changes are gone through in their order, and with each all papers that it touched. What an
import gave a paper is worked out from the records that the history keeps for this; what a person
did is done again as it was. The items of the history follow, so that the later changes can be
undone one by one from then on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from litscape.importers.given import as_paper, cited, content, draft_of, new_image
from litscape.importers.links import more_references
from litscape.importers.matching import made_key
from litscape.store import later as store
from litscape.store.history import Recorder
from litscape.store.images import (
    MAP_FIELDS,
    PAPER_FIELDS,
    SET_FIELDS,
    Image,
    images,
    plain,
    turned_back,
    typed,
)
from litscape.store.later import GIVEN, Later
from litscape.store.linking import link_by_citekey, link_papers
from litscape.store.undo import other_has_key
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId

LINKS = ("cites", "references")


@dataclass(slots=True)
class Way:
    """How one paper is made anew.

    Attributes:
        now: the paper as it is.
        state: the paper as it was up to where the changes have been gone through; None before
            the first change that brings it.
        events: items of later changes, in order.
        own: what the records of the change that is taken out gave before it, by record.
        known: the last signature of each record.
        waiting: what a person did to it before any change that is left brought it.
    """

    paper: PaperId
    now: Image
    state: Image | None
    events: Sequence[Later] = ()
    own: dict[int, bytes] = field(default_factory=dict)
    known: dict[int, bytes] = field(default_factory=dict)
    waiting: list[Later] = field(default_factory=list)
    brought: bool = False

    def __post_init__(self) -> None:
        self.brought = self.state is None


class _Linking(Recorder):
    """Keeps links of papers that are made anew apart from those of others."""

    def __init__(self, conn: sa.Connection, change_id: int, ways: dict[PaperId, Way]) -> None:
        super().__init__(conn, change_id)
        self._ways = ways
        self.linked: set[PaperId] = set()

    def paper(self, paper: PaperId, before: Image, after: Image) -> None:
        """Keep the fields of a paper that changed."""
        if paper in self._ways:
            self.linked.add(paper)
        else:
            super().paper(paper, before, after)


class History:
    """Items of the history as they are rewritten, with the way back."""

    def __init__(self, conn: sa.Connection) -> None:
        self._conn = conn
        self._items: dict[tuple[int, int], list[Any]] = {}
        self._new: list[list[int]] = []

    def rewrite(self, one: Later, before: Image | None, after: Image | None) -> None:
        """Write an item anew."""
        self._keep(one)
        one.before, one.after = before, after
        store.write_item(self._conn, one)

    def pass_on(self, one: Later, paper: PaperId) -> Later:
        """Let an item be of another paper; one that a person made stays, and is done again."""
        if one.entity != GIVEN:
            return self.add(replace(one, entity_id=paper, position=-1))
        self._keep(one)
        moved = replace(one, entity_id=paper)
        store.write_item(self._conn, moved)
        return moved

    def drop(self, one: Later) -> None:
        """Take an item out."""
        self._keep(one)
        store.drop_item(self._conn, one.change, one.position)

    def add(self, one: Later) -> Later:
        """Write one more item of a later change."""
        store.write_item(self._conn, one)
        self._new.append([one.change, one.position])
        return one

    def _keep(self, one: Later) -> None:
        place = (one.change, one.position)
        if list(place) not in self._new:
            old = [*place, one.entity, one.entity_id, one.before, one.after]
            self._items.setdefault(place, old)

    def way_back(self) -> Image:
        """What brings the items back, as JSON values."""
        return {"items": list(self._items.values()), "new": self._new}


class Without:
    """Papers on their way, all of them together."""

    def __init__(self, conn: sa.Connection, ways: Iterable[Way], history: History) -> None:
        self._conn = conn
        self._ways = {way.paper: way for way in ways}
        self._history = history

    def run(self) -> dict[PaperId, Image]:
        """Make the papers anew.

        Returns:
            Of each paper the fields that changed, as ``[before, after]``.
        """
        for way in self._ways.values():
            self._write_links(way)
        self._there = images(self._conn, sorted(self._ways), PAPER_FIELDS)
        by_change: dict[int, dict[PaperId, list[Later]]] = defaultdict(dict)
        for way in self._ways.values():
            for one in way.events:
                by_change[one.change].setdefault(way.paper, []).append(one)
        for change in sorted(by_change):
            self._play(change, by_change[change])
        return {way.paper: self._finish(way) for way in self._ways.values()}

    def _play(self, change: int, events: dict[PaperId, list[Later]]) -> None:
        """Do one later change again."""
        if not any(one.imported for items in events.values() for one in items):
            for paper, items in events.items():
                for one in items:
                    self._by_hand(self._ways[paper], one)
            return
        starts = {way.paper: way.state and dict(way.state) for way in self._ways.values()}
        named = False
        for paper, items in events.items():
            way = self._ways[paper]
            for one in items:
                if one.entity == GIVEN:
                    self._give(way, one)
                    named = named or bool((one.after or {}).get("draft", {}).get("cites"))
            if way.state is None:
                way.waiting += items
            else:
                self._rest(way, items)
        self._link(change, [p for p in events if self._ways[p].state is not None], named)
        for paper, start in starts.items():
            way = self._ways[paper]
            if way.state is not None and (paper in events or way.state != start):
                self._tell(way, change, start, events.get(paper, []))

    def _rest(self, way: Way, items: Sequence[Later]) -> None:
        """What an import did to a paper besides giving it a record and links."""
        state = way.state or {}
        for one in items:
            if one.entity == "paper" and "trashed_at" in (one.after or {}):
                state["trashed_at"] = (one.after or {})["trashed_at"]

    def _tell(self, way: Way, change: int, start: Image | None, items: Sequence[Later]) -> None:
        """Write the items of an import as it does its part now."""
        fields = [one for one in items if one.entity == "paper"]
        state = way.state or {}
        if start is None:  # it is this import that brings the paper now
            for one in fields:
                self._history.drop(one)
            self._history.add(Later(change, -1, "paper", way.paper, None, None))
            for one in way.waiting:
                if one.imported:
                    self._history.drop(one)
                else:
                    self._by_hand(way, one)
            way.waiting = []
            return
        names = [name for name in PAPER_FIELDS if start[name] != state[name]]
        was, made = ({name: image[name] for name in names} for image in (start, state))
        for one in fields[1:]:
            self._history.drop(one)
        if fields:
            self._history.rewrite(fields[0], was, made)
        elif names:
            self._history.add(Later(change, -1, "paper", way.paper, was, made))

    def _by_hand(self, way: Way, one: Later) -> None:
        """Do again what a person did."""
        state = way.state
        if state is None:
            way.waiting.append(one)
            return
        before, after = one.before or {}, one.after or {}
        names = [name for name in after if name != "missing_in_source"]
        was = {name: state[name] for name in names}
        made = {name: _redone(name, was[name], before[name], after[name]) for name in names}
        state |= made
        self._history.rewrite(one, was, made)
        if any(name in LINKS for name in names):
            self._write_links(way)

    def _give(self, way: Way, one: Later) -> None:
        """Give a paper what a record gave it, as an update or as a record new to it."""
        kept = one.after or {}
        record, draft = kept["record"], draft_of(kept)
        told = bytes.fromhex(kept["before"])
        if record not in way.known:
            way.known[record] = way.own.get(record, b"" if way.brought else told)
        before, after = way.known[record], bytes.fromhex(kept["hash"])
        way.known[record] = after
        if before != told:
            self._history.rewrite(one, None, {**kept, "before": before.hex()})
        if way.state is None:
            key = draft.citekey or made_key(draft)
            taken = other_has_key(self._conn, way.paper, key)
            way.state = new_image(kept, way.now["citekey"] if taken else key, way.now)
        else:
            edits = way.state["user_edits"]
            paper = as_paper(way.paper, way.state)
            fields = content(paper, draft, before, after, edits)
            fields["references"] = more_references(paper.references, cited(draft, before, after))
            if "citekey" in fields and other_has_key(self._conn, way.paper, fields["citekey"]):
                del fields["citekey"]
            fields.pop("missing_in_source", None)
            way.state |= {name: plain(name, value) for name, value in fields.items()}
        if kept["collection"] and kept["collection"] not in way.state["collections"]:
            way.state["collections"] = [*way.state["collections"], kept["collection"]]

    def _link(self, change: int, papers: Sequence[PaperId], named: bool) -> None:
        """Link what papers cite, as an import does."""
        if not papers:
            return
        for paper in papers:
            self._write_links(self._ways[paper])
        recorder = _Linking(self._conn, change, self._ways)
        link_papers(recorder, papers, ())
        for source, batch in store.origins(self._conn, papers) if named else ():
            link_by_citekey(recorder, source, batch, ())
        recorder.flush()
        for paper, links in images(self._conn, sorted(recorder.linked), LINKS).items():
            state = self._ways[paper].state
            if state is not None:
                state |= links

    def _write_links(self, way: Way) -> None:
        links = {name: (way.state or {}).get(name, []) for name in LINKS}
        set_fields(self._conn, way.paper, {n: typed(n, v) for n, v in links.items()})

    def _finish(self, way: Way) -> Image:
        """Write a paper as it is without the change."""
        state, now, there = way.state, way.now, self._there.get(way.paper)
        if state is None or there is None:
            return {}
        if other_has_key(self._conn, way.paper, state["citekey"]):
            state["citekey"] = there["citekey"]  # a later paper got the key: it stays there
        left = {n: typed(n, v) for n, v in state.items() if n in LINKS or v != there[n]}
        set_fields(self._conn, way.paper, left)
        return {n: [now[n], v] for n, v in state.items() if v != now[n]}


def _redone(name: str, current: Any, before: Any, after: Any) -> Any:
    """The value after a later change is made again: its own, or with the members it added."""
    if name in SET_FIELDS or name in MAP_FIELDS:
        return turned_back(name, current, before, after)
    return after
