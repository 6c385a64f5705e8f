"""What is asked of a measurement of topic separation, and what came out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.paper import PaperId

LEAST_PAPERS = 20
"""Papers that a label needs to be measured."""
LEAST_LABELS = 3
MOST_LABELS = 60
"""The largest labels are measured, so many at most: more can't be told apart on a picture."""
NEIGHBOURS = 10
LEAST_SEEDS, SEEDS = 2, 10
MOST_MISFILED = 500
"""So many papers that may be misfiled are kept in a report, the clearest first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure.

    Attributes:
        labels: name of a kind of label, see :data:`litscape.separation.labels.KINDS`.
        versions: model versions, the first is the one that others are compared with; the active
            one where empty.
        seeds: how many starts of whatever draws.

    Raises:
        UserError: there are too few seeds to see how far they matter.
    """

    labels: str
    versions: tuple[str, ...] = ()
    seeds: int = SEEDS

    def __post_init__(self) -> None:
        if self.seeds < LEAST_SEEDS:
            raise UserError(f"Use at least {LEAST_SEEDS} seeds, or nothing is seen of chance.")


@dataclass(frozen=True, slots=True)
class Clustering:
    """How the clusters of one method agree with the labels.

    Attributes:
        method: ``kmeans``, ``leiden`` or ``hdbscan``.
        title: the same for people.
        clusters: how many clusters; of several starts the median.
        estimates: homogeneity, completeness, v, ami, ari, each 0 to 1 (ami and ari 0 by chance),
            the mean over the seeds; the 95 % interval covers the draw of papers and the seeds.
        seeds: by measure, the value of each seed.
        noise: share of papers that the method left without a cluster; None where it never does.
        over: what it changes over the first model, by measure; empty for that itself.
        note: what a reader should know of it.
    """

    method: str
    title: str
    clusters: int
    estimates: Mapping[str, Estimate]
    seeds: Mapping[str, tuple[float, ...]]
    noise: Estimate | None = None
    over: Mapping[str, Comparison] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class LabelFigures:
    """How far one label keeps to itself.

    Attributes:
        label: its name.
        papers: how many papers carry it.
        agreement: share of its papers' neighbours that carry it too.
        chance: what that share would be if labels lay anyhow.
        silhouette: mean over its papers.
        next_label: the other label that neighbours of its papers without that label carry most;
            None where no neighbour carries another.
        next_share: their share.
    """

    label: str
    papers: int
    agreement: Estimate
    chance: float
    silhouette: Estimate
    next_label: str | None
    next_share: float


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """What came out for one model version.

    Attributes:
        version: the model version.
        agreement: share of the nearest neighbours that share a label with their paper.
        silhouette: of the labels, by cosine distance, −1 to 1; mean over papers.
        clusterings: k-means, Leiden, HDBSCAN.
        labels: one for each label, the largest first.
        over: ``agreement`` and ``silhouette`` against the first model; empty for that itself.
    """

    version: str
    agreement: Estimate
    silhouette: Estimate
    clusterings: tuple[Clustering, ...]
    labels: tuple[LabelFigures, ...]
    over: Mapping[str, Comparison] = field(default_factory=dict)

    def clustering(self, method: str) -> Clustering | None:
        """The figures of one method; None where it was not measured."""
        return next((one for one in self.clusterings if one.method == method), None)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The clusters of k-means against the labels.

    Attributes:
        seed: the start whose clusters these are: that of the median V-measure.
        clusters: a name for each row.
        labels: a name for each column.
        papers: (rows, columns) the papers of each cell. A paper with several labels stands in
            several cells of its row.
        row_papers: the papers of each cluster, each once.
    """

    seed: int
    clusters: tuple[str, ...]
    labels: tuple[str, ...]
    papers: tuple[tuple[tuple[PaperId, ...], ...], ...]
    row_papers: tuple[tuple[PaperId, ...], ...]

    def column_papers(self, column: int) -> tuple[PaperId, ...]:
        """All papers that carry a label."""
        return tuple(paper for row in self.papers for paper in row[column])


@dataclass(frozen=True, slots=True)
class Misfiled:
    """A paper most of whose neighbours carry another label than its own.

    Attributes:
        paper: its id.
        title: its title.
        labels: what it carries.
        other: the label that most of its neighbours carry.
        share: of its neighbours that carry it.
        own_share: of its neighbours that share one of its own labels.
    """

    paper: PaperId
    title: str
    labels: tuple[str, ...]
    other: str
    share: float
    own_share: float


@dataclass(frozen=True, slots=True)
class SeparationReport:
    """One measurement.

    Attributes:
        labels: the kind of label.
        title: the same for people.
        made_at: when (UTC, ISO 8601).
        papers: how many papers were measured.
        seeds: how many starts.
        k: how many neighbours were looked at.
        chance: the share of neighbours that would share a label by chance.
        models: one for each model version; empty where there was too little to measure.
        heat: clusters against labels, of the first model.
        misfiled: papers among another label's, of the first model, the clearest first.
        misfiled_total: how many there are.
        sentences: what came out, in plain words.
        notes: what a reader should know: what was left out, and why.
        seconds: how long it took.
        number: its number in the library; None where it was not stored.
    """

    labels: str
    title: str
    made_at: str
    papers: int = 0
    seeds: int = SEEDS
    k: int = NEIGHBOURS
    chance: float = 0.0
    models: tuple[ModelFigures, ...] = ()
    heat: HeatMap | None = None
    misfiled: tuple[Misfiled, ...] = ()
    misfiled_total: int = 0
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    number: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain values; :func:`litscape.separation.plain.report_from` reads them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Between:
    """A paper that stands between two labels.

    Attributes:
        paper: its id.
        title: its title.
        labels: of the two, those that it carries.
        share: of its neighbours that carry the second label; near a half it stands between.
    """

    paper: PaperId
    title: str
    labels: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far two labels are mixed, among their papers alone.

    Attributes:
        first, second: the labels.
        first_papers, second_papers: papers with each, those with both among them.
        both: the papers that carry both.
        k: how many neighbours were looked at.
        crossing: share of the neighbours of the first's papers that carry the second alone.
        crossing_chance: what that would be if the papers of both lay anyhow.
        back: the same from the second to the first.
        back_chance: likewise.
        told_apart: share of papers (each label counts half) nearer to the centre of their own
            label than to that of the other: 0.5 mixed, 1 apart.
        centres: cosine between the two centres.
        between: papers whose neighbours are of both, the most even first.
        sentence: how mixed they are, in plain words.
    """

    first: str
    second: str
    first_papers: int
    second_papers: int
    both: tuple[PaperId, ...]
    k: int
    crossing: Estimate
    crossing_chance: float
    back: Estimate
    back_chance: float
    told_apart: Estimate
    centres: float
    between: tuple[Between, ...]
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)
