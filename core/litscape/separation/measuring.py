"""Measuring how far labels keep to themselves in the vectors of one or several models.

Loads scikit-learn and graspologic: for a process of its own (:mod:`litscape.apart`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.bootstrap import compare, estimate
from litscape.jobs import JobContext, null_context
from litscape.maps.neighbours import find_neighbours
from litscape.separation import measures
from litscape.separation.agreement import Runs, figures, run_method
from litscape.separation.clusters import METHODS, Ground
from litscape.separation.heat import heat_map
from litscape.separation.labels import (
    choose,
    kind_named,
    read_labels,
    rolled_up,
    too_few,
    venues_joined,
)
from litscape.separation.material import known_versions, papers_with_vectors, vectors_of
from litscape.separation.misfiled import misfiled
from litscape.separation.records import (
    NEIGHBOURS,
    LabelFigures,
    ModelFigures,
    SeparationReport,
    Wanted,
)
from litscape.separation.sentences import notes, sentences
from litscape.topics.leiden import neighbours_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.separation.labels import Labelled

_EQUAL = 1e-6
LEAST_ALONE = 5
"""Papers with a label and without another from which on their neighbours tell of the other."""
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One model's figures, and what others are compared by.

    Attributes:
        figures: for the report.
        agreement: share of neighbours with a common label, of each paper (n,).
        silhouette: of each paper (n,).
        runs: by method.
        shares: share of each paper's neighbours by label (n, labels).
    """

    figures: ModelFigures
    agreement: NDArray[np.float64]
    silhouette: NDArray[np.float64]
    runs: dict[str, Runs]
    shares: NDArray[np.float64]


def measure(library: Library, wanted: Wanted, ctx: JobContext | None = None) -> SeparationReport:
    """Measure labels against the vectors of models, in this process.

    Args:
        library: whose papers.
        wanted: which labels, models and how many seeds.
        ctx: hears of progress; can end the work.

    Returns:
        Figures with intervals; none, and a sentence, where there is too little to measure.

    Raises:
        UserError: no such kind of labels or model version.
        NotReadyError: no paper has a vector of a model.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    began = time.monotonic()
    kind = kind_named(wanted.labels)
    versions = known_versions(library, wanted.versions)
    ctx.progress(0, None, "Reading labels")
    blank = SeparationReport(
        labels=kind.name,
        title=kind.title,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seeds=wanted.seeds,
    )
    there = papers_with_vectors(library, versions)
    labelled = choose(kind, rolled_up(kind, read_labels(library.database, kind)), there)
    if kind.name == "venue":
        said = venues_joined(library.database)
        labelled = replace(labelled, notes=(*filter(None, (said,)), *labelled.notes))
    blank = replace(blank, papers=len(labelled.ids), notes=labelled.notes)
    said = too_few(labelled)
    if said:
        return replace(blank, sentences=(said,))
    found: list[Measured] = []
    for place, version in enumerate(versions):
        matrix = vectors_of(library, version, labelled.ids)
        if np.ptp(matrix, axis=0).max() < _EQUAL:
            return replace(blank, sentences=(_ALL_EQUAL.format(version=version),))
        part = _Part(ctx, place, len(versions), wanted.seeds, version)
        found.append(_one(version, matrix, labelled, wanted.seeds, part, found[:1]))
    ctx.progress(1, 1, "Naming clusters")
    report = _report(library, blank, labelled, found, ctx)
    return replace(report, seconds=round(time.monotonic() - began, 1))


_ALL_EQUAL = (
    "All vectors of {version} are equal: nothing can be told apart by them. Compute similarity "
    "again, with titles or abstracts that differ."
)


def _report(
    library: Library,
    blank: SeparationReport,
    labelled: Labelled,
    found: list[Measured],
    ctx: JobContext,
) -> SeparationReport:
    first = found[0]
    worst, total = misfiled(library.database, labelled, first.shares, first.agreement)
    report = replace(
        blank,
        k=min(NEIGHBOURS, len(labelled.ids) - 1),
        chance=measures.shared_by_chance(labelled.member),
        models=tuple(one.figures for one in found),
        heat=heat_map(library.database, labelled, first.runs["kmeans"], _Quiet(ctx)),
        misfiled=worst,
        misfiled_total=total,
    )
    return replace(report, sentences=sentences(report, labelled), notes=notes(report, labelled))


class _Quiet(JobContext):
    """Ends when another context is to end, and keeps progress to itself."""

    def __init__(self, outer: JobContext) -> None:
        super().__init__(lambda _event: None)
        self._outer = outer

    def check(self) -> None:
        """Raise where the outer context was asked to end."""
        self._outer.check()


class _Part:
    """The progress of one model as a part of the whole."""

    def __init__(self, ctx: JobContext, place: int, models: int, seeds: int, version: str) -> None:
        self._ctx, self._version = ctx, version
        self.quiet = _Quiet(ctx)
        self._size = 2 + sum(seeds if method.draws else 1 for method in METHODS)
        self._done, self._total = place * self._size, models * self._size

    def step(self, text: str) -> None:
        """One more step begins."""
        self._ctx.progress(self._done, self._total, f"{text} ({self._version})")
        self._done += 1


def _one(
    version: str,
    matrix: NDArray[np.float32],
    labelled: Labelled,
    seeds: int,
    part: _Part,
    first: list[Measured],
) -> Measured:
    part.step("Finding neighbours")
    wider = max(NEIGHBOURS, neighbours_for(len(matrix)))  # Leiden looks at more
    graph = find_neighbours(labelled.ids, matrix, wider, part.quiet)
    nearest = graph.nearest(NEIGHBOURS).indices
    member = labelled.member
    agreement = measures.shared(nearest, member)
    shares = measures.neighbour_shares(nearest, member)
    part.step("Measuring silhouettes")
    silhouette = measures.silhouettes(matrix, member)
    ground = Ground(matrix, graph, len(labelled.names))
    runs, clusterings = {}, []
    for method in METHODS:
        made = run_method(method, ground, labelled, seeds, part.step)
        runs[method.name] = made
        clusterings.append(figures(made, first[0].runs[method.name] if first else None))
    over = {}
    if first:
        over = {
            "agreement": compare(first[0].agreement, agreement, _RESAMPLES),
            "silhouette": compare(first[0].silhouette, silhouette, _RESAMPLES),
        }
    told = ModelFigures(
        version=version,
        agreement=estimate(agreement, _RESAMPLES),
        silhouette=estimate(silhouette, _RESAMPLES),
        clusterings=tuple(clusterings),
        labels=tuple(
            _label(labelled, code, shares, silhouette) for code in range(len(labelled.names))
        ),
        over=over,
    )
    return Measured(told, agreement, silhouette, runs, shares)


def _label(
    labelled: Labelled,
    code: int,
    shares: NDArray[np.float64],
    silhouette: NDArray[np.float64],
) -> LabelFigures:
    own = labelled.member[:, code]
    number = int(own.sum())
    # Those that carry another label as well are left out for that: it is theirs.
    alone = own[:, None] & ~labelled.member
    told = alone.sum(axis=0)
    others = (shares * alone).sum(axis=0) / np.maximum(told, 1)
    others[(told < LEAST_ALONE) | (np.arange(len(told)) == code)] = 0.0
    following = int(others.argmax())
    share = float(others[following])
    return LabelFigures(
        label=labelled.names[code],
        papers=number,
        agreement=estimate(shares[own, code], _RESAMPLES),
        chance=(number - 1) / (len(own) - 1),
        silhouette=estimate(silhouette[own], _RESAMPLES),
        next_label=labelled.names[following] if share > 0 else None,
        next_share=share,
    )
