"""Which pairs of papers are worth comparing: those that stand in a common block.

A block holds papers with an equal key: an identifier, the title, its beginning or end, or two of
its rarest words. Each paper has about a dozen keys, and a block that is too large to compare all
with all is sorted, so that each paper meets its neighbours. So the work grows with the number of
papers, not with its square.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from litscape.importers.matching import untitled_mark
from litscape.importers.normalise import title_key
from litscape.sorting import sort_text
from litscape.store.candidates import base_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from litscape.importers.matching import Brief
    from litscape.jobs import JobContext

    _Keys = Iterable[tuple[int, int]]

LARGE = 30
"""Papers of a block that are compared all with all."""
NEIGHBOURS = 10
"""Papers before it that each one of a larger block is compared with."""
_END = 24
_SHORT = 12
_RAREST = 4
_STEP = 5000
_WORD = re.compile(r"[^\W_]+")
# Scripts without blanks between words: their words are taken to be pairs of signs.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def candidate_pairs(briefs: Sequence[Brief], ctx: JobContext) -> set[tuple[int, int]]:
    """Pairs of places in ``briefs``, lower first, that may be one work.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    found: set[tuple[int, int]] = set()
    kinds = (_identifier_keys, _title_keys, _edge_keys, _word_keys)
    for number, keys in enumerate(kinds):
        ctx.progress(number, len(kinds), "Looking for similar papers")
        for block in _blocks(keys(briefs)):
            ctx.check()
            found.update(_pairs(block, briefs))
    return found


def _identifier_keys(briefs: Sequence[Brief]) -> _Keys:
    for place, brief in enumerate(briefs):
        for scheme, value in brief.ids.items():
            yield hash((base_scheme(scheme) if "." in scheme else scheme, value)), place
        for isbn in brief.isbns:
            yield hash(("isbn", isbn)), place


def _title_keys(briefs: Sequence[Brief]) -> _Keys:
    for place, brief in enumerate(briefs):
        if brief.key:
            yield hash(brief.key), place
            main = title_key(brief.title.partition(":")[0]) if ":" in brief.title else ""
            if _SHORT < len(main) < len(brief.key):
                yield hash(main), place
        elif mark := untitled_mark(brief):
            yield hash(mark), place


def _edge_keys(briefs: Sequence[Brief]) -> _Keys:
    for place, brief in enumerate(briefs):
        if len(brief.key) > _SHORT:
            yield hash(("first", brief.key[:_END])), place
            yield hash(("last", brief.key[-_END:])), place


def _word_keys(briefs: Sequence[Brief]) -> _Keys:
    """Pairs of the rarest words that a title shares with any other title."""
    numbers: dict[str, int] = {}
    titles = [
        sorted({numbers.setdefault(w, len(numbers)) for w in _words(b.title)}) for b in briefs
    ]
    shared = Counter(word for title in titles for word in title)
    for place, title in enumerate(titles):
        common = [word for word in title if shared[word] > 1]
        rarest = sorted(sorted(common, key=lambda word: (shared[word], word))[:_RAREST])
        for first, second in combinations(rarest, 2):
            yield first * len(numbers) + second, place


def _words(title: str) -> Iterator[str]:
    for word in _WORD.findall(sort_text(title)):
        if not word.isascii() and len(word) > 2 and _UNSPACED.search(word):
            yield from (word[n : n + 2] for n in range(len(word) - 1))
        else:
            yield word


def _blocks(keys: _Keys) -> Iterator[list[int]]:
    """The places of each key that several have."""
    found = np.fromiter(keys, dtype=np.dtype((np.int64, 2)))
    if len(found) < 2:
        return
    found = found[np.lexsort((found[:, 1], found[:, 0]))]
    starts = np.flatnonzero(np.diff(found[:, 0], prepend=found[0, 0] - 1))
    ends = np.append(starts[1:], len(found))
    for start, end in zip(
        *(part[ends - starts > 1].tolist() for part in (starts, ends)), strict=True
    ):
        block = list(dict.fromkeys(found[start:end, 1].tolist()))
        if len(block) > 1:
            yield block


def _pairs(block: list[int], briefs: Sequence[Brief]) -> Iterator[tuple[int, int]]:
    if len(block) <= LARGE:
        yield from combinations(block, 2)
        return
    ordered = sorted(block, key=lambda place: _order(briefs[place]))
    for n, place in enumerate(ordered):
        for other in ordered[max(0, n - NEIGHBOURS) : n]:
            yield (place, other) if place < other else (other, place)


def _order(brief: Brief) -> tuple[str, str, int, tuple[str, ...]]:
    """What brings like papers of a series beside each other."""
    place = tuple(part or "" for part in brief.place)
    return brief.key, min(brief.families, default=""), brief.year or 0, place
