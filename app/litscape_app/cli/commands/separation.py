"""``litscape evaluate topics``: how far labels keep to themselves in the vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.separation.facade import Offer
    from litscape.separation.records import (
        Clustering,
        HeatMap,
        ModelFigures,
        Overlap,
        SeparationReport,
    )
    from litscape_app.cli.session import Session

KINDS = ("collections", "tags", "venue", "field", "mesh", "keywords")
_SHOWN = 10
_MEASURES = ("homogeneity", "completeness", "v", "ami", "ari")
_HEADS = ("homogeneity", "completeness", "V", "AMI", "ARI")
KEYS = {
    "labels": "the kind of label",
    "title": "the same for people",
    "made_at": "when (UTC)",
    "papers": "how many papers were measured",
    "seeds": "how many starts of whatever draws",
    "k": "how many neighbours were looked at",
    "chance": "share of neighbours that would share a label by chance",
    "models": "list of {version, agreement: share of neighbours that share a label, silhouette: by "
    "cosine, −1 to 1, clusterings: list of {method, title, clusters, estimates: homogeneity, "
    "completeness, v, ami, ari, seeds: by measure the value of each seed, noise, over, note}, "
    "labels: list of {label, papers, agreement, chance, silhouette, next_label, next_share}, "
    "over}; estimates are {mean, low, high, n}, intervals of 95 %; over is what changes over the "
    "first model, with the same papers: {difference, wins, ties, losses, p}; empty: too little to "
    "measure, see sentences",
    "heat": "clusters of k-means against labels: {seed, clusters, labels, papers: ids by row and "
    "column, row_papers}, or null",
    "misfiled": "papers most of whose neighbours carry another label, the clearest first: list of "
    "{paper, title, labels, other, share, own_share}",
    "misfiled_total": "how many there are",
    "sentences": "what came out, in words",
    "notes": "what a reader should know: what was left out, and why",
    "seconds": "how long it took",
    "number": "its number in the library, or null",
    "overlap": "with --overlap: {first, second, first_papers, second_papers, both: ids, k, "
    "crossing: share of the neighbours of the first's papers that carry the second alone, "
    "crossing_chance, back, back_chance, told_apart, centres: cosine, between: papers between the "
    "two, sentence}; null without it, and all else is null with it",
    "kinds": "without --labels: list of {labels, title, about, usable: how many labels are large "
    "enough, papers: how many carry one}; all else is null then",
}


def _run(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape.apart.tasks import measure_separation, overlap_labels
    from litscape.separation.records import Wanted

    args = session.args
    if args.labels is None:
        with session.library(reading=True) as library:
            return _offers(library.separation.offers())
    with session.library() as library, job_context() as ctx:
        versions = tuple(library.models.find(word).version for word in args.model or ())
        if args.overlap:
            first, second = args.overlap
            version = versions[0] if versions else None
            found = run_apart(library, overlap_labels, ctx, args.labels, first, second, version)
            return Answer(_whole(overlap=found.to_json()), _overlap(found))
        wanted = Wanted(args.labels, versions, args.seeds)
        report = run_apart(library, measure_separation, ctx, wanted)
        return Answer(_whole(**report.to_json()), told(report))


def _whole(**found: object) -> dict[str, object]:
    """All keys, those that were not asked for as null."""
    return {**dict.fromkeys(KEYS), **found}


def _offers(offers: tuple[Offer, ...]) -> Answer:
    value = [
        {
            "labels": one.kind.name,
            "title": one.kind.title,
            "about": one.kind.about,
            "usable": one.labels,
            "papers": one.papers,
        }
        for one in offers
    ]
    rows: list[list[object]] = [["--labels", "large enough", "papers", "what they are"]]
    rows += [[one.kind.name, one.labels, one.papers, one.kind.about] for one in offers]
    return Answer(
        _whole(kinds=value),
        f"{columns(rows)}\nChoose with --labels; at least 3 must be large enough.",
    )


def told(report: SeparationReport) -> str:
    """A report as lines."""
    if not report.models:
        return "\n".join((*report.sentences, *report.notes))
    head = (
        f"{report.title} against the vectors: {counted(report.papers, 'paper')}, "
        f"{report.seeds} seeds, 95 % intervals."
    )
    lines = [head, *(f"  {one}" for one in report.sentences), ""]
    for model in report.models:
        lines += [model.version, _table(_figures(model)), ""]
        if model.over:
            lines += [f"against {report.models[0].version}", _table(_changes(model)), ""]
    lines += [_table(_labels(report.models[0])), ""]
    if report.heat is not None:
        lines += ["Clusters of k-means against labels (papers)", _table(_heat(report.heat)), ""]
    lines += _misfiled(report)
    return "\n".join([*lines, *(f"  {one}" for one in report.notes)])


def record(report: SeparationReport) -> dict[str, object]:
    """A report as an entry of the list of what was measured."""
    return {
        "number": report.number,
        "made_at": report.made_at,
        "task": "topics",
        "part": "dev",
        "report": _whole(**report.to_json()),
    }


def row(report: SeparationReport) -> list[object]:
    """The same as a line."""
    first = report.models[0]
    kmeans = first.clustering("kmeans")
    shown = f", V {_value(kmeans.estimates['v'])}" if kmeans else ""
    return [
        report.number, report.made_at, "topics", report.labels,
        f"n = {report.papers:,}, neighbours {_value(first.agreement)}{shown}",
    ]  # fmt: skip


def _table(rows: list[list[object]]) -> str:
    return "\n".join(f"  {line}" for line in columns(rows).splitlines())


def _value(value: Estimate) -> str:
    return f"{value.mean:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _change(value: Comparison | None) -> str:
    if value is None:
        return ""
    told = value.difference
    return f"{told.mean:+z.3f} [{told.low:+z.3f}, {told.high:+z.3f}]"


def _figures(model: ModelFigures) -> list[list[object]]:
    rows: list[list[object]] = [["", "clusters", *_HEADS, "unassigned"]]
    rows += [_clustering(one) for one in model.clusterings]
    neighbours = f"neighbours that share a label {_value(model.agreement)}"
    rows.append([neighbours, "", "", "", "", "", "", ""])
    rows.append([f"silhouette of the labels {_value(model.silhouette)}", *[""] * 7])
    return rows


def _clustering(one: Clustering) -> list[object]:
    noise = f"{100 * one.noise.mean:.0f} %" if one.noise is not None else ""
    return [one.title, one.clusters, *(_value(one.estimates[name]) for name in _MEASURES), noise]


def _changes(model: ModelFigures) -> list[list[object]]:
    rows: list[list[object]] = [["", *_HEADS]]
    for one in model.clusterings:
        rows.append([one.title, *(_change(one.over.get(name)) for name in _MEASURES)])
    for name, title in (("agreement", "neighbours"), ("silhouette", "silhouette")):
        rows.append([title, _change(model.over.get(name)), "", "", "", ""])
    return rows


def _labels(model: ModelFigures) -> list[list[object]]:
    rows: list[list[object]] = [
        ["label", "papers", "neighbours with it", "by chance", "silhouette", "next label", "share"]
    ]
    for one in model.labels:
        rows.append(
            [
                one.label,
                one.papers,
                _value(one.agreement),
                f"{one.chance:.3f}",
                f"{one.silhouette.mean:+z.3f}",
                one.next_label or "",
                f"{one.next_share:.3f}",
            ]
        )
    return rows


def _heat(heat: HeatMap) -> list[list[object]]:
    rows: list[list[object]] = [["", *heat.labels]]
    for name, cells in zip(heat.clusters, heat.papers, strict=True):
        rows.append([name, *(len(cell) for cell in cells)])
    return rows


def _misfiled(report: SeparationReport) -> list[str]:
    if not report.misfiled:
        return ["  No paper has mostly neighbours of another label."]
    rows: list[list[object]] = [["paper", "title", "carries", "neighbours carry", "share"]]
    for one in report.misfiled[:_SHOWN]:
        share = f"{100 * one.share:.0f} %"
        rows.append([one.paper, one.title[:60], ", ".join(one.labels), one.other, share])
    who = "1 paper has" if report.misfiled_total == 1 else f"{report.misfiled_total:,} papers have"
    return [f"Misfiled? {who} mostly neighbours of another label; the clearest:", _table(rows), ""]


def _overlap(found: Overlap) -> str:
    rows: list[list[object]] = [
        ["papers", f"{found.first_papers:,} and {found.second_papers:,}, both {len(found.both):,}"],
        [f"neighbours of {found.first} that are {found.second} alone", _value(found.crossing)],
        ["  by chance", f"{found.crossing_chance:.3f}"],
        [f"neighbours of {found.second} that are {found.first} alone", _value(found.back)],
        ["  by chance", f"{found.back_chance:.3f}"],
        ["nearer to the own centre (0.5 mixed, 1 apart)", _value(found.told_apart)],
        ["cosine of the centres", f"{found.centres:.3f}"],
    ]
    lines = [found.sentence, _table(rows)]
    if found.between:
        papers: list[list[object]] = [["paper", "title", "carries", f"neighbours {found.second}"]]
        for one in found.between[:_SHOWN]:
            carried = ", ".join(one.labels)
            papers.append([one.paper, one.title[:60], carried, f"{100 * one.share:.0f} %"])
        lines += ["", f"{counted(len(found.between), 'paper')} between:", _table(papers)]
    return "\n".join(lines)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--labels",
        choices=KINDS,
        help="which labels are trusted: collections, tags, venue (series of years), field (the "
        "first of each paper, such as its arXiv category), mesh (all fields and MeSH headings), "
        "keywords; without it: which of them this library could measure",
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="VERSION",
        help="a model version whose vectors are measured, the active one by default; repeated: "
        "others are compared with the first, over the same papers",
    )
    parser.add_argument(
        "--overlap",
        nargs=2,
        metavar=("A", "B"),
        help="how far two labels are mixed, in place of measuring all",
    )
    parser.add_argument(
        "--seeds",
        type=whole_number(2),
        default=10,
        metavar="N",
        help="starts of whatever draws; 10 by default",
    )


TOPICS = Command(
    "topics",
    "measure how far labels keep to themselves in the vectors, against clusters and neighbours",
    _run,
    _arguments,
    KEYS,
)
