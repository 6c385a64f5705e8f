"""Reports read back from the plain values in which they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.evaluation.bootstrap import Comparison, Estimate
from litscape.separation.records import (
    Clustering,
    HeatMap,
    LabelFigures,
    Misfiled,
    ModelFigures,
    SeparationReport,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    Values = Mapping[str, Any]


def report_from(values: Values) -> SeparationReport:
    """From what :meth:`SeparationReport.to_json` gave, also through JSON."""
    return SeparationReport(
        **{
            **values,
            "models": tuple(map(_model, values["models"])),
            "heat": _heat(values["heat"]) if values["heat"] else None,
            "misfiled": tuple(
                Misfiled(**{**one, "labels": tuple(one["labels"])}) for one in values["misfiled"]
            ),
            "sentences": tuple(values["sentences"]),
            "notes": tuple(values["notes"]),
        }
    )


def _model(values: Values) -> ModelFigures:
    return ModelFigures(
        version=values["version"],
        agreement=Estimate(**values["agreement"]),
        silhouette=Estimate(**values["silhouette"]),
        clusterings=tuple(map(_clustering, values["clusterings"])),
        labels=tuple(map(_label, values["labels"])),
        over=_changes(values["over"]),
    )


def _clustering(values: Values) -> Clustering:
    return Clustering(
        **{
            **values,
            "estimates": {name: Estimate(**one) for name, one in values["estimates"].items()},
            "seeds": {name: tuple(one) for name, one in values["seeds"].items()},
            "noise": Estimate(**values["noise"]) if values["noise"] else None,
            "over": _changes(values["over"]),
        }
    )


def _label(values: Values) -> LabelFigures:
    return LabelFigures(
        **{
            **values,
            "agreement": Estimate(**values["agreement"]),
            "silhouette": Estimate(**values["silhouette"]),
        }
    )


def _changes(values: Values) -> dict[str, Comparison]:
    return {
        name: Comparison(**{**one, "difference": Estimate(**one["difference"])})
        for name, one in values.items()
    }


def _heat(values: Values) -> HeatMap:
    return HeatMap(
        seed=values["seed"],
        clusters=tuple(values["clusters"]),
        labels=tuple(values["labels"]),
        papers=tuple(tuple(tuple(cell) for cell in row) for row in values["papers"]),
        row_papers=tuple(tuple(row) for row in values["row_papers"]),
    )
