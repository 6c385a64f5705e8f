"""How far two labels are mixed: their papers' neighbours among these papers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.evaluation.bootstrap import Estimate, estimate
from litscape.jobs import null_context
from litscape.maps.neighbours import find_neighbours
from litscape.near import no_such
from litscape.separation.labels import kind_named, read_labels
from litscape.separation.material import papers_with_vectors, vectors_of
from litscape.separation.measures import neighbour_shares
from litscape.separation.records import NEIGHBOURS, Between, Overlap
from litscape.sorting import same_value
from litscape.store.label_reads import titles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library

LEAST = 5
"""Papers that each of two labels needs, those with both aside."""
MOST_BETWEEN = 100
_RESAMPLES = 2000
_EVEN = 0.2
_MIXED, _APART = 0.8, 0.35


def overlap(
    library: Library,
    labels: str,
    first: str,
    second: str,
    version: str | None = None,
    ctx: JobContext | None = None,
) -> Overlap:
    """Measure the overlap of two labels; see :meth:`.facade.Separation.overlap`."""
    ctx = ctx or null_context()
    version = version or library.models.active().version
    kind = kind_named(labels)
    known = read_labels(library.database, kind)
    names = tuple(_named(one, known) for one in (first, second))
    if names[0] == names[1]:
        raise UserError("Choose two different labels to compare.")
    there = papers_with_vectors(library, (version,))
    sides = [np.intersect1d(np.array(known[name], np.int64), there) for name in names]
    ids = np.union1d(*sides)
    member = np.stack([np.isin(ids, side) for side in sides], axis=1)
    for name, alone in zip(names, _alone(member), strict=True):
        if alone.sum() < LEAST:
            raise UserError(_too_few(name, int(alone.sum())))
    matrix = vectors_of(library, version, ids)
    graph = find_neighbours(ids, matrix, NEIGHBOURS, ctx)
    return _told(library, names, ids, member, matrix, graph.indices)


def _too_few(name: str, papers: int) -> str:
    has = {0: "has no paper", 1: "has only 1 paper"}.get(papers, f"has only {papers} papers")
    return (
        f"“{name}” {has} with a vector that does not carry the other label too; {LEAST} are needed "
        "to see how far the two are mixed."
    )


def _named(name: str, known: Iterable[str]) -> str:
    wanted = same_value(name)
    for one in known:
        if same_value(one) == wanted:
            return one
    raise UserError(no_such("label", name, list(known)))


def _alone(member: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return member[:, 0] & ~member[:, 1], member[:, 1] & ~member[:, 0]


def _told(
    library: Library,
    names: tuple[str, ...],
    ids: NDArray[np.int64],
    member: NDArray[np.bool_],
    matrix: NDArray[np.float32],
    neighbours: NDArray[np.int32],
) -> Overlap:
    one, other = _alone(member)
    shares = neighbour_shares(neighbours, np.stack([one, other], axis=1))
    n = len(ids) - 1
    crossing = estimate(shares[one, 1], _RESAMPLES)
    back = estimate(shares[other, 0], _RESAMPLES)
    chances = float(other.sum() / n), float(one.sum() / n)
    apart, centres = _centres(matrix, one, other)
    between = _between(library, names, ids, member, shares)
    return Overlap(
        first=names[0],
        second=names[1],
        first_papers=int(member[:, 0].sum()),
        second_papers=int(member[:, 1].sum()),
        both=tuple(ids[member.all(axis=1)].tolist()),
        k=neighbours.shape[1],
        crossing=crossing,
        crossing_chance=chances[0],
        back=back,
        back_chance=chances[1],
        told_apart=apart,
        centres=centres,
        between=between,
        sentence=_sentence(names, (crossing, back), chances, int(member.all(axis=1).sum())),
    )


def _centres(
    matrix: NDArray[np.float32], one: NDArray[np.bool_], other: NDArray[np.bool_]
) -> tuple[Estimate, float]:
    """Who is nearer to the centre of their own label (themselves left out), and how near both are.

    The two labels count alike whatever their sizes: the interval resamples within each.
    """
    sums = [matrix[side].sum(axis=0, dtype=np.float64) for side in (one, other)]
    right = []
    for place, side in enumerate((one, other)):
        own = sums[place][None, :] - matrix[side]
        near = (matrix[side] * own).sum(axis=1) / np.linalg.norm(own, axis=1).clip(1e-12)
        far = matrix[side] @ sums[1 - place] / max(float(np.linalg.norm(sums[1 - place])), 1e-12)
        right.append((near > far).astype(np.float64) + 0.5 * (near == far))
    rng = np.random.default_rng(5)
    draws = [
        side[rng.integers(len(side), size=(_RESAMPLES, len(side)))].mean(axis=1) for side in right
    ]
    low, high = np.percentile((draws[0] + draws[1]) / 2, [2.5, 97.5])
    mean = float(right[0].mean() + right[1].mean()) / 2
    lengths = [max(float(np.linalg.norm(one_sum)), 1e-12) for one_sum in sums]
    cosine = float(sums[0] @ sums[1]) / (lengths[0] * lengths[1])
    return Estimate(mean, float(low), float(high), int(one.sum() + other.sum())), cosine


def _between(
    library: Library,
    names: tuple[str, ...],
    ids: NDArray[np.int64],
    member: NDArray[np.bool_],
    shares: NDArray[np.float64],
) -> tuple[Between, ...]:
    """Papers whose neighbours are of both labels, the most even first."""
    told = shares.sum(axis=1)
    share = np.divide(shares[:, 1], told, out=np.zeros_like(told), where=told > 0)
    off = np.abs(share - 0.5)
    rows = np.flatnonzero((off <= _EVEN) & (told > 0))
    rows = rows[np.lexsort((ids[rows], off[rows]))][:MOST_BETWEEN]
    with library.database.read() as conn:
        named = titles(conn, ids[rows].tolist())
    return tuple(
        Between(
            paper=int(ids[row]),
            title=named.get(int(ids[row]), ""),
            labels=tuple(name for name, has in zip(names, member[row], strict=True) if has),
            share=float(share[row]),
        )
        for row in rows.tolist()
    )


def _how(sides: tuple[Estimate, Estimate], chances: tuple[float, float]) -> str:
    """How mixed two labels are, as far as the intervals tell."""
    fewer = [side.high < chance for side, chance in zip(sides, chances, strict=True)]
    mixed = sum(side.mean / chance for side, chance in zip(sides, chances, strict=True)) / 2
    if not any(fewer):
        return "are mixed: their papers lie among each other as often as by chance"
    if all(fewer) and mixed <= _APART:
        return "are apart: their papers lie among each other far less often than by chance"
    where = "less often than by chance" if all(fewer) else "less often than by chance one way"
    if mixed >= _MIXED:
        return f"overlap widely: their papers lie among each other {where}, but not by much"
    return f"overlap: their papers lie among each other {where}"


def _sentence(
    names: tuple[str, ...], sides: tuple[Estimate, Estimate], chances: tuple[float, float],
    both: int,
) -> str:  # fmt: skip
    first, second = names
    how = _how(sides, chances)
    shared = f" {both:,} papers carry both." if both > 1 else " One paper carries both." * both
    return (
        f"“{first}” and “{second}” {how}. {100 * sides[0].mean:.0f} % of the neighbours of "
        f"“{first}” are of “{second}” ({100 * chances[0]:.0f} % by chance), "
        f"{100 * sides[1].mean:.0f} % the other way round ({100 * chances[1]:.0f} %).{shared}"
    )
