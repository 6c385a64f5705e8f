"""Pairs of like papers put together to groups that a person looks through."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from litscape.paper import PaperId
    from litscape.store.pairs import Pair

    Apart = Callable[[PaperId, PaperId], bool]


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two papers that may be one work.

    Attributes:
        a: the one with the lower id.
        b: the other.
        score: from 0 to 1.
        why: what speaks for and against it, in words.
        certain: whether they may be merged without a look at them.
    """

    a: PaperId
    b: PaperId
    score: float
    why: tuple[str, ...]
    certain: bool

    @property
    def ids(self) -> Pair:
        """Both papers."""
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Papers that may all be one work.

    Attributes:
        ids: the papers, ascending; no two of them were refused as a pair.
        pairs: the pairs that bring them together, best first.
        certain: whether all of them may be merged without a look at them.
    """

    ids: tuple[PaperId, ...]
    pairs: tuple[DuplicatePair, ...]
    certain: bool

    @property
    def score(self) -> float:
        """The score of the best pair."""
        return self.pairs[0].score

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons of all pairs, each once, those of the best pair first."""
        return tuple(dict.fromkeys(word for pair in self.pairs for word in pair.why))


def grouped(
    pairs: Iterable[DuplicatePair], refused: Collection[Pair], apart: Apart
) -> list[DuplicateGroup]:
    """Groups of papers that hang together, best first.

    Two papers of a refused pair are never in one group: a pair that would bring them together
    makes a group of its own, so that a paper can stand in several.

    Args:
        pairs: the pairs found.
        refused: pairs that were refused; none of them is in ``pairs``.
        apart: whether something stands between two papers, so that a group with both of them is
            not certain.
    """
    left = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    found: list[DuplicateGroup] = []
    while left:
        sets, left = _joined(left, refused)
        found += [_group(ids, own, apart) for ids, own in sets]
    return sorted(found, key=lambda group: (-group.score, group.ids))


def certain_sets(groups: Sequence[DuplicateGroup], apart: Apart) -> list[tuple[PaperId, ...]]:
    """What of the groups can be merged without a look: whole groups, or parts of them."""
    found: list[tuple[PaperId, ...]] = []
    used: set[PaperId] = set()
    for group in groups:
        if group.certain:
            parts = [group.ids]
        else:
            sure = [pair for pair in group.pairs if pair.certain]
            parts = [one.ids for one in grouped(sure, (), apart) if one.certain]
        for ids in parts:
            if used.isdisjoint(ids):
                used.update(ids)
                found.append(ids)
    return found


_Sets = list[tuple[set["PaperId"], list[DuplicatePair]]]


def _joined(
    pairs: Sequence[DuplicatePair], refused: Collection[Pair]
) -> tuple[_Sets, list[DuplicatePair]]:
    """Sets that hang together, and the pairs that could not be joined to them."""
    foes: dict[PaperId, set[PaperId]] = {}
    for a, b in refused:
        foes.setdefault(a, set()).add(b)
        foes.setdefault(b, set()).add(a)
    home: dict[PaperId, set[PaperId]] = {}
    inside: dict[int, list[DuplicatePair]] = {}
    left: list[DuplicatePair] = []
    for pair in pairs:
        mine, theirs = (home.setdefault(paper, {paper}) for paper in pair.ids)
        small, large = sorted((mine, theirs), key=len)
        if mine is theirs:
            inside[id(mine)].append(pair)
        elif any(not large.isdisjoint(foes.get(paper, ())) for paper in small):
            left.append(pair)
        else:
            large |= small
            own = inside.setdefault(id(large), [])
            own += [*inside.pop(id(small), ()), pair]
            home.update(dict.fromkeys(small, large))
    return [(home[own[0].a], own) for own in inside.values()], left


def _group(ids: set[PaperId], pairs: list[DuplicatePair], apart: Apart) -> DuplicateGroup:
    best = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    return DuplicateGroup(tuple(sorted(ids)), tuple(best), _all_certain(ids, pairs, apart))


def _all_certain(ids: set[PaperId], pairs: list[DuplicatePair], apart: Apart) -> bool:
    """Whether certain pairs alone bring all together, and nothing stands between any two."""
    sure = [pair for pair in pairs if pair.certain]
    if len(sure) < len(ids) - 1:
        return False
    reached, _left = _joined(sure, ())
    whole = len(reached) == 1 and len(reached[0][0]) == len(ids)
    return whole and not any(apart(a, b) for a, b in combinations(sorted(ids), 2))
