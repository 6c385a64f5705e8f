"""What came out of a measurement of topic separation, in words that anybody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.separation.records import LEAST_PAPERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.separation.labels import Labelled
    from litscape.separation.records import Clustering, ModelFigures, SeparationReport

NOT_THE_PICTURE = (
    "All figures come from the full vectors. Maps by t-SNE, UMAP or PCA are only pictures: no "
    "figure is taken from them."
)
_SEVERAL = 1.05
_MANY = 2.0
_LARGE = 0.5
_ROUGH = 200
_NAMES = {
    "agreement": "neighbours that share a label",
    "silhouette": "silhouette",
    "ami": "AMI of k-means",
}


def interval(value: Estimate, digits: int = 2) -> str:
    """``0.41 (0.38 to 0.44)``, with a true minus."""
    parts = (f"{one:.{digits}f}" for one in (value.mean, value.low, value.high))
    mean, low, high = (part.replace("-", "−") for part in parts)
    return f"{mean} ({low} to {high})"


def percent(value: Estimate) -> str:
    """``71 % (69 to 72)``."""
    return f"{100 * value.mean:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"


def change(value: Comparison, digits: int = 3) -> str:
    """``+0.021 [+0.010, +0.032]``, with a true minus."""
    told = value.difference
    parts = (f"{one:+z.{digits}f}" for one in (told.mean, told.low, told.high))
    mean, low, high = (part.replace("-", "−") for part in parts)
    return f"{mean} [{low}, {high}]"


def sentences(report: SeparationReport, labelled: Labelled) -> tuple[str, ...]:
    """What came out, the most telling first."""
    several = _each(labelled) > _MANY
    first = report.models[0]
    found = [_neighbours(report, first), _silhouette(first)]
    kmeans = first.clustering("kmeans")
    if kmeans is not None:
        found.append(_clusters(kmeans))
    found.extend(_apart(first, several=several))
    for other in report.models[1:]:
        found.append(_against(first.version, other))
    return tuple(found)


def _neighbours(report: SeparationReport, first: ModelFigures) -> str:
    value, chance = first.agreement, report.chance
    head = (
        f"Of a paper's {report.k} nearest neighbours {percent(value)} share a label with it; by "
        f"chance it would be {100 * chance:.0f} %"
    )
    if value.low <= chance <= value.high:
        return f"{head}: these labels can't be told apart in the vectors."
    if value.high < chance:
        return f"{head}: neighbours share labels less often than by chance."
    return f"{head}."


def _silhouette(first: ModelFigures) -> str:
    value = first.silhouette
    if value.low > _LARGE / 2:
        what = "the labels are well apart"
    elif value.low > 0:
        what = "papers lie nearer to their own label than to the next, by a little"
    elif value.high < 0:
        what = (
            "papers lie, on average, nearer to another label than to their own: labels are spread "
            "over several topics, or lie within each other"
        )
    else:
        what = "on average papers lie as near to the next label as to their own"
    return f"The silhouette of the labels (−1 to 1) is {interval(value, 3)}: {what}."


def _clusters(one: Clustering) -> str:
    h, c, ami = (one.estimates[name] for name in ("homogeneity", "completeness", "ami"))
    head = (
        f"{one.clusters} clusters by k-means: homogeneity {interval(h)} (1: a cluster holds one "
        f"label alone), completeness {interval(c)} (1: a label lies in one cluster), AMI "
        f"{interval(ami)} (0: chance, 1: the same parts)"
    )
    if ami.low <= 0:
        return f"{head}. The clusters do not follow these labels."
    if c.low > h.high:
        return f"{head}. Labels stay together more than clusters are pure."
    if h.low > c.high:
        return f"{head}. Clusters are purer than labels stay together: labels fall into parts."
    return f"{head}."


def _each(labelled: Labelled) -> float:
    """Labels a paper, on average."""
    return float(labelled.member.sum(axis=1).mean())


def _apart(first: ModelFigures, *, several: bool) -> list[str]:
    """The label that keeps best to itself, and one that lies within another.

    Where papers carry many labels, most lie within others by what they mean.
    """
    best = max(first.labels, key=lambda one: one.agreement.mean - one.chance)
    found = [
        f"“{best.label}” keeps to itself best: {100 * best.agreement.mean:.0f} % of its papers' "
        f"neighbours carry it ({100 * best.chance:.0f} % by chance)."
    ]
    worst = max(first.labels, key=lambda one: one.next_share - one.agreement.mean)
    within = worst.next_label is not None and worst.next_share > worst.agreement.mean
    if within and not several:
        found.append(
            f"“{worst.label}” lies within “{worst.next_label}”: {100 * worst.next_share:.0f} % of "
            f"its papers' neighbours carry that, {100 * worst.agreement.mean:.0f} % its own."
        )
    return found


def _against(base: str, other: ModelFigures) -> str:
    certain = {name: one for name, one in _changes(other).items() if one.certain}
    head = f"{other.version} against {base}"
    if not certain:
        return f"{head}: no measurable change in how labels separate."
    ups = [name for name, one in certain.items() if one.difference.mean > 0]
    downs = [name for name in certain if name not in ups]
    parts = [
        f"{word} {', '.join(f'{_NAMES[name]} ({change(certain[name])})' for name in names)}"
        for word, names in (("higher:", ups), ("lower:", downs))
        if names
    ]
    return f"{head}: {'; '.join(parts)}."


def _changes(other: ModelFigures) -> Mapping[str, Comparison]:
    kmeans = other.clustering("kmeans")
    ami = {"ami": kmeans.over["ami"]} if kmeans is not None else {}
    return {**other.over, **ami}


def notes(report: SeparationReport, labelled: Labelled) -> tuple[str, ...]:
    """What a reader should know: how it was measured, and what limits it."""
    found = [*labelled.notes]
    each = _each(labelled)
    if each > _SEVERAL:
        found.append(
            f"Papers carry {each:.1f} labels on average. Neighbours and silhouettes take all of "
            "them (a neighbour counts that shares one); clusters are held against one label a "
            "paper, drawn anew for each seed."
        )
    if each > _MANY:
        found.append(
            "With so many labels a paper, homogeneity, completeness, AMI and ARI say little: read "
            "the neighbours."
        )
    share = float(labelled.sizes[0]) / len(labelled.ids)
    if share > _LARGE and each <= _MANY:
        found.append(
            f"“{labelled.names[0]}” is on {100 * share:.0f} % of the papers: papers of smaller "
            "labels have many neighbours in it for its size alone."
        )
    if len(labelled.ids) < _ROUGH:
        found.append(
            f"Only {len(labelled.ids):,} papers: the figures are rough; look at the intervals."
        )
    found.append(
        f"Intervals are of 95 %: they cover which papers there are and {report.seeds} seeds. "
        f"Labels under {LEAST_PAPERS} papers are never measured. Homogeneity and completeness grow "
        "with the number of clusters; AMI and ARI do not."
    )
    found.append(NOT_THE_PICTURE)
    return tuple(found)
