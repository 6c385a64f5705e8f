"""Finding duplicates in a library, merging them, and remembering what is none."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from litscape.duplicates.blocks import candidate_pairs
from litscape.duplicates.evidence import weigh
from litscape.duplicates.groups import DuplicateGroup, DuplicatePair, certain_sets, grouped
from litscape.duplicates.union import CHOICES, Union, best_kept, unite
from litscape.errors import UserError
from litscape.importers.matching import Brief, one_by_identifier, stored_brief
from litscape.jobs import JobContext, null_context
from litscape.paper import LibraryChanges, PaperFilter
from litscape.store import duplicates as store
from litscape.store.candidates import read_briefs
from litscape.store.edits import begin, naming, resolve_all
from litscape.store.filters import find_ids
from litscape.store.images import user_edits
from litscape.store.pairs import pair_of
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import Paper, PaperId
    from litscape.store.database import Database
    from litscape.store.history import Recorder
    from litscape.store.pairs import Pair

_PAGE = 500
_STEP = 2000


@dataclass(frozen=True, slots=True)
class RefusedPair:
    """Two papers that were said to be two works; ``made_at`` is UTC."""

    a: PaperId
    b: PaperId
    made_at: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Papers beside each other, as a person decides on them.

    Attributes:
        papers: the papers, in the order asked for.
        kept: the one that would stay.
        chosen: the paper whose value each field would get.
        differing: the fields in which the papers differ.
    """

    papers: tuple[Paper, ...]
    kept: PaperId
    chosen: Mapping[str, PaperId]
    differing: frozenset[str]


class Duplicates:
    """The papers of one library that may be one work, and what a person said of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, ctx: JobContext | None = None) -> tuple[DuplicateGroup, ...]:
        """Groups of live papers that may be one work each, the surest first.

        The work grows with the number of papers, not with its square.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
        return self._find(ctx or null_context()).groups

    def merge(
        self,
        refs: Iterable[int | str],
        keep: int | str | None = None,
        fields: Mapping[str, int | str] | None = None,
    ) -> LibraryChanges:
        """Make one paper of several, as one change.

        The paper that stays has the tags, collections, notes, files, keywords, identifiers,
        references and citations of all, and their source records: importing any of the sources
        again updates it. The others are gone; their citation keys and DOIs lead to it.

        Args:
            refs: the papers.
            keep: the one that stays; by default the one that tells most.
            fields: the paper whose value a field of :data:`CHOICES` gets; by default the fullest.

        Raises:
            UserError: fewer than two papers, an unknown one, or a field that can't be chosen.
        """
        with self._database.write() as conn:
            ids = _several(conn, refs)
            kept = None if keep is None else _member(conn, ids, keep)
            wanted = {_field(name): _member(conn, ids, ref) for name, ref in (fields or {}).items()}
            union = _united(conn, ids, kept, wanted)
            text = f"Merge {len(ids):,} papers into {naming(conn, [union.kept])}"
            recorder = begin(conn, text)
            _merge(recorder, ids, union)
            return recorder.flush()

    def merge_all(
        self, groups: Iterable[Iterable[int | str]], ctx: JobContext | None = None
    ) -> LibraryChanges:
        """Merge each of several groups as :meth:`merge` does by default, all as one change.

        A group with a paper of an earlier one is passed over.

        Raises:
            UserError: a group has fewer than two papers, or an unknown one.
            JobCancelledError: ``ctx`` asked for the end; nothing was merged.
        """
        ctx = ctx or null_context()
        with self._database.write() as conn:
            sets = [_several(conn, refs) for refs in groups]
            recorder = begin(conn, _batch_title(sets))
            used: set[PaperId] = set()
            for number, ids in enumerate(sets):
                ctx.progress(number, len(sets), "Merging duplicates")
                if used.isdisjoint(ids):
                    used.update(ids)
                    _merge(recorder, ids, _united(conn, ids, None, {}))
            return recorder.flush()

    def merge_certain(self, ctx: JobContext | None = None) -> LibraryChanges:
        """Merge what is one work beyond doubt: equal identifier and title, or all equal.

        Raises:
            JobCancelledError: ``ctx`` asked for the end; nothing was merged.
        """
        ctx = ctx or null_context()
        found = self._find(ctx)
        sets = certain_sets(found.groups, found.apart)
        return self.merge_all(sets, ctx) if sets else LibraryChanges()

    def compare(
        self,
        refs: Iterable[int | str],
        keep: int | str | None = None,
        fields: Mapping[str, int | str] | None = None,
    ) -> Comparison:
        """What :meth:`merge` would do, with the papers to look at.

        Raises:
            UserError: as :meth:`merge`.
        """
        with self._database.read() as conn:
            ids = _several(conn, refs)
            kept = None if keep is None else _member(conn, ids, keep)
            wanted = {_field(name): _member(conn, ids, ref) for name, ref in (fields or {}).items()}
            papers = tuple(get_papers(conn, ids))
            union = _united(conn, ids, kept, wanted)
        differing = {
            name for name in CHOICES if len({getattr(p, name) or None for p in papers}) > 1
        }
        return Comparison(papers, union.kept, union.chosen, frozenset(differing))

    def refuse(self, refs: Iterable[int | str]) -> LibraryChanges:
        """Remember that no two of these papers are one work.

        Raises:
            UserError: fewer than two papers, or an unknown one.
        """
        return self._decide(refs, "Keep {:,} papers apart", store.refuse)

    def reconsider(self, refs: Iterable[int | str]) -> LibraryChanges:
        """Forget that any two of these papers were said not to be one work.

        Raises:
            UserError: fewer than two papers, or an unknown one.
        """
        title = "Reconsider whether {:,} papers are duplicates"
        return self._decide(refs, title, store.take_back)

    def refused(self) -> tuple[RefusedPair, ...]:
        """The pairs of papers, both still there, that were said not to be one work, by time."""
        with self._database.read() as conn:
            pairs = store.refused_pairs(conn)
        return tuple(RefusedPair(a, b, when) for (a, b), when in pairs.items())

    def _decide(
        self,
        refs: Iterable[int | str],
        title: str,
        act: Callable[[Recorder, Iterable[Pair]], object],
    ) -> LibraryChanges:
        """Do something to every two of some papers, as one change."""
        with self._database.write() as conn:
            ids = _several(conn, refs)
            recorder = begin(conn, title.format(len(ids)))
            act(recorder, _all_pairs(ids))
            return recorder.flush()

    def _find(self, ctx: JobContext) -> _Found:
        with self._database.read() as conn:
            refused = store.refused_pairs(conn).keys()
            noticed = store.suggested_pairs(conn)
            briefs = list(_read(conn, ctx))
        places = {brief.id: place for place, brief in enumerate(briefs)}
        wanted = candidate_pairs(briefs, ctx)
        wanted |= {(places[a], places[b]) for a, b in noticed}
        pairs, total = [], len(wanted)
        while wanted:
            one, other = wanted.pop()
            if len(wanted) % _STEP == 0:
                ctx.progress(total - len(wanted), total, "Comparing similar papers")
            a, b = briefs[one], briefs[other]
            pair = (a.id, b.id)
            told = weigh(a, b, noticed=pair in noticed) if pair not in refused else None
            if told is not None:
                pairs.append(DuplicatePair(*pair, told.score, told.why, told.certain))
        ids = {paper for pair in pairs for paper in pair.ids}
        found = _Found({one.id: one for one in briefs if one.id in ids}, frozenset(refused))
        found.groups = tuple(grouped(pairs, refused, found.apart))
        while briefs:  # freeing all of them at once would hold up other threads for long
            del briefs[-_PAGE:]
        return found


@dataclass(slots=True)
class _Found:
    """Groups, and what they were made from."""

    briefs: Mapping[PaperId, Brief]
    refused: frozenset[Pair]
    groups: tuple[DuplicateGroup, ...] = ()

    def apart(self, a: PaperId, b: PaperId) -> bool:
        """Whether something stands between two papers, so that a person must look."""
        if pair_of(a, b) in self.refused:
            return True
        return not one_by_identifier(self.briefs[a], self.briefs[b])


def _read(conn: sa.Connection, ctx: JobContext) -> Iterator[Brief]:
    """What is compared of all live papers, by id."""
    ids = sorted(find_ids(conn, PaperFilter()).tolist())
    for start in range(0, len(ids), _PAGE):
        ctx.progress(start, len(ids), "Reading papers")
        page = [stored_brief(*row) for row in read_briefs(conn, ids[start : start + _PAGE])]
        yield from sorted(page, key=lambda brief: brief.id)


def _several(conn: sa.Connection, refs: Iterable[int | str]) -> list[PaperId]:
    ids = resolve_all(conn, refs)
    if len(ids) < 2:
        raise UserError("Name at least two papers: these are one paper already.")
    return ids


def _member(conn: sa.Connection, ids: Sequence[PaperId], ref: int | str) -> PaperId:
    (found,) = resolve_all(conn, [ref])
    if found not in ids:
        raise UserError(f"{ref} is none of the papers that are to be merged.")
    return found


def _field(name: str) -> str:
    if name not in CHOICES:
        raise UserError(
            f"There is no choice of {name!r}: a value can be chosen for {', '.join(CHOICES)}."
        )
    return name


def _batch_title(sets: Sequence[Sequence[PaperId]]) -> str:
    if len(sets) == 1:
        return f"Merge {len(sets[0]):,} papers"
    return f"Merge {len(sets):,} groups of duplicates"


def _all_pairs(ids: Sequence[PaperId]) -> list[Pair]:
    return list(combinations(sorted(ids), 2))


def _united(
    conn: sa.Connection,
    ids: Sequence[PaperId],
    kept: PaperId | None,
    wanted: Mapping[str, PaperId],
) -> Union:
    papers = get_papers(conn, ids)
    edits = user_edits(conn, ids)
    return unite(papers, kept or best_kept(papers, edits), edits, wanted)


def _merge(recorder: Recorder, ids: Sequence[PaperId], union: Union) -> None:
    store.merge(recorder, union.kept, [one for one in ids if one != union.kept], union.fields)
