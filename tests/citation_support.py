"""Graphs for tests, and what plain Python counts in the same links."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from litscape.graph.model import CitationGraph, build
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from pathlib import Path

Pairs = Iterable[tuple[int, int]]


def graph_of(years: dict[int, int | None], links: Pairs, works: Pairs = ()) -> CitationGraph:
    """A graph of papers with years, links (citing, cited) and works cited outside."""
    ids = np.array(sorted(years), dtype=np.int64)
    dates = [years[paper] for paper in ids.tolist()]
    edges = np.array(sorted(set(links)), dtype=np.int64).reshape(-1, 2)
    outside = np.array(sorted(set(works)), dtype=np.int64).reshape(-1, 2)
    return build(
        (ids, np.array([NO_YEAR if one is None else one for one in dates], dtype=np.int64)),
        (edges[:, 0], edges[:, 1]),
        (
            outside[:, 0],
            outside[:, 1],
            np.full(len(outside), NO_YEAR, dtype=np.int64),
            *np.zeros((2, len(outside)), dtype=np.int64),
        ),
    )


@dataclass(frozen=True)
class Counted:
    """What plain sets and counters say."""

    edges: set[tuple[int, int]]
    cocited: Counter[tuple[int, int]]
    cocited_weights: dict[tuple[int, int], float]
    coupled: Counter[tuple[int, int]]
    coupled_weights: dict[tuple[int, int], float]


def count(links: Pairs, lists: dict[int, set[Any]], lengths: dict[int, int]) -> Counted:
    """Count pairs with sets alone.

    Args:
        links: (citing, cited) between papers.
        lists: all that each paper cites, papers and others.
        lengths: how many references each paper has.
    """
    edges = {(a, b) for a, b in links if a != b}
    cited: dict[int, set[int]] = {}
    for a, b in edges:
        cited.setdefault(a, set()).add(b)
    together: Counter[tuple[int, int]] = Counter()
    weights: dict[tuple[int, int], float] = {}
    for a, others in cited.items():
        for pair in combinations(sorted(others), 2):
            together[pair] += 1
            weights[pair] = weights.get(pair, 0) + 1 / (lengths[a] - 1)
    citing: dict[Any, set[int]] = {}
    for a, works in lists.items():
        for work in works:
            citing.setdefault(work, set()).add(a)
    coupled: Counter[tuple[int, int]] = Counter()
    coupled_weights: dict[tuple[int, int], float] = {}
    for papers in citing.values():
        for pair in combinations(sorted(papers), 2):
            coupled[pair] += 1
            coupled_weights[pair] = coupled_weights.get(pair, 0) + 1 / (len(papers) - 1)
    return Counted(edges, together, weights, coupled, coupled_weights)


def pairs_of(graph: CitationGraph, ask: Any) -> tuple[dict[tuple[int, int], int], dict[Any, float]]:
    """All pairs that a question about single papers finds: counts and weights, both ways equal."""
    counts: dict[tuple[int, int], int] = {}
    weights: dict[tuple[int, int], float] = {}
    for paper in graph.ids.tolist():
        found = ask(graph, paper, None)
        for other, number, weight in zip(
            found.ids.tolist(), found.counts.tolist(), found.weights.tolist(), strict=True
        ):
            pair = (min(paper, other), max(paper, other))
            assert counts.setdefault(pair, number) == number
            assert weights.setdefault(pair, weight) == pytest.approx(weight)
    return counts, weights


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
