"""The tables of the page: rows of text made of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from litscape_app.window.pages.page_frame import when
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.evaluation.bootstrap import Comparison, Estimate
    from litscape.separation.records import (
        Clustering,
        Misfiled,
        ModelFigures,
        Overlap,
        SeparationReport,
    )
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
MEASURES = (
    ("homogeneity", "Homogeneity", "1: one label in each cluster"),
    ("completeness", "Completeness", "1: each label in one cluster"),
    ("v", "V-measure", "Harmonic mean of both"),
    ("ami", "AMI", "0: chance, 1: the same parts"),
    ("ari", "ARI", "0: chance, 1: the same parts"),
)
LONG = {
    "homogeneity": "Homogeneity: 1 where each cluster holds papers of one label alone",
    "completeness": "Completeness: 1 where all papers of each label lie in one cluster",
    "v": "V-measure: the harmonic mean of homogeneity and completeness",
    "ami": "Adjusted mutual information: 0 as by chance, 1 for the same parts",
    "ari": "Adjusted Rand index, of pairs of papers: 0 as by chance, 1 for the same parts",
}
NEAR_HEADS = (
    ("Model", ""),
    ("Neighbours that\nshare a label", "Of the nearest neighbours of each paper, on average"),
    ("By\nchance", "What that would be if labels lay anyhow"),
    ("Silhouette", "By cosine distance, −1 to 1: how much nearer a paper lies to its own label"),
)
CLUSTER_HEADS = (
    ("Measure", ""),
    ("k-means", "As many clusters as labels"),
    ("Leiden", "On the graph of nearest neighbours; about as many clusters as labels"),
    ("HDBSCAN", "By density; finds the number of clusters itself, and leaves papers unassigned"),
    ("What it says", ""),
)
METHODS = ("kmeans", "leiden", "hdbscan")
LABEL_HEADS = (
    ("Label", ""),
    ("Papers", "How many papers carry it"),
    ("Neighbours\nwith it", "Of the nearest neighbours of its papers"),
    ("By\nchance", "What that would be if labels lay anyhow"),
    ("Silhouette", "−1 to 1: how much nearer its papers lie to it than to the next label"),
    ("Next label", "The other label that its papers' neighbours carry most"),
    ("Share", "Of the neighbours, those that carry the next label"),
)
MISFILED_HEADS = (
    ("Paper", ""),
    ("Carries", "The labels that it has"),
    ("Neighbours carry", "The label that most of its neighbours have"),
    ("Share", "Of its neighbours, those that carry that label"),
)
PAST_HEADS = (("When", ""), ("Labels", ""), ("Papers", ""), ("Neighbours", ""), ("V-measure", ""))


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: what it says.
        tip: what the pointer shows; the text itself where it is empty.
        tone: a token's name, for what stands out.
        right: whether it stands at the right, as numbers do.
    """

    text: str
    tip: str = ""
    tone: str = ""
    right: bool = False


class RowsModel(QAbstractTableModel):
    """Rows of cells under named columns."""

    def __init__(
        self, theme: Theme, heads: Sequence[tuple[str, str]], right: Sequence[int], parent: QObject
    ) -> None:
        """``right`` are the columns whose heads stand at the right."""
        super().__init__(parent)
        self._theme = theme
        self._heads, self._right = tuple(heads), frozenset(right)
        self.rows: tuple[tuple[Cell, ...], ...] = ()

    def show(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = tuple(map(tuple, rows))
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns."""
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names, and what they mean."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        title, tip = self._heads[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole and tip:
            return plain_tooltip(tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._right else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell; what stands out is bold and in its tone."""
        cell = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(cell.tip or cell.text) if cell.text else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in self._right else _LEFT
        if cell.tone and role == Qt.ItemDataRole.ForegroundRole:
            return QColor(getattr(self._theme.tokens, cell.tone))
        if cell.tone and role == Qt.ItemDataRole.FontRole:
            bold = QFont(self._theme.font("body"))
            bold.setBold(True)
            return bold
        return None


def value(one: Estimate, *, percent: bool = False, digits: int = 2) -> Cell:
    """``0.41 [0.38, 0.44]``, or ``71 % [69, 72]``."""
    if percent:
        text = f"{100 * one.mean:.0f} % [{100 * one.low:.0f}, {100 * one.high:.0f}]"
    else:
        mean, low, high = (f"{part:.{digits}f}" for part in (one.mean, one.low, one.high))
        text = f"{mean} [{low}, {high}]"
    return Cell(text.replace("-", "−"), f"95 % interval over {one.n:,} papers")


def changed(change: Comparison | None, *, percent: bool = False) -> Cell:
    """``+0.02 [+0.01, +0.03]``; certain ones stand out."""
    if change is None:
        return Cell("–")
    told = change.difference
    scale, digits = (100, 1) if percent else (1, 3)
    parts = (f"{scale * one:+z.{digits}f}" for one in (told.mean, told.low, told.high))
    mean, low, high = (part.replace("-", "−") for part in parts)
    tone = ("good" if told.mean > 0 else "bad") if change.certain else ""
    tip = f"Of the same {told.n:,} papers; p = {change.p:.4f}"
    return Cell(f"{mean} [{low}, {high}]", tip, tone)


def near_rows(report: SeparationReport, *, changes: bool) -> list[list[Cell]]:
    """Neighbours and silhouettes, a row a model."""
    rows = []
    for one in report.models:
        if changes and one.over:
            found = [changed(one.over["agreement"], percent=True), Cell("")]
            found.append(changed(one.over["silhouette"]))
        else:
            found = [value(one.agreement, percent=True), Cell(f"{100 * report.chance:.0f} %")]
            found.append(value(one.silhouette, digits=3))
        rows.append([Cell(one.version), *found])
    return rows


def cluster_rows(report: SeparationReport, *, changes: bool) -> list[list[Cell]]:
    """Clusters against labels: a row a measure, a column a method, one model after the other."""
    rows = []
    for model in report.models:
        if len(report.models) > 1:
            rows.append([Cell(model.version, tone="text"), *[Cell("")] * 4])
        rows += _model_rows(model, changes=changes and bool(model.over))
    return rows


def _model_rows(model: ModelFigures, *, changes: bool) -> list[list[Cell]]:
    found = [model.clustering(method) for method in METHODS]
    counts = [Cell(f"{one.clusters:,}", one.note) if one else Cell("–") for one in found]
    rows = [[Cell("Clusters"), *counts, Cell("How many", "How many; of several starts the median")]]
    for name, title, tip in MEASURES:
        cells = [_measure(one, name, changes=changes) if one else Cell("–") for one in found]
        rows.append([Cell(title, LONG[name]), *cells, Cell(tip, LONG[name])])
    noise = [
        value(one.noise, percent=True) if one is not None and one.noise is not None else Cell("–")
        for one in found
    ]
    rows.append(
        [
            Cell("Unassigned"),
            *noise,
            Cell("Papers left out", "Papers that the method leaves out count as one more cluster"),
        ]
    )
    return rows


def _measure(one: Clustering, name: str, *, changes: bool) -> Cell:
    if changes:
        return changed(one.over.get(name))
    told = value(one.estimates[name])
    each = ", ".join(f"{seed:.3f}" for seed in one.seeds[name])
    return Cell(told.text, f"{told.tip} and {len(one.seeds[name])} seeds. By seed: {each}")


def label_rows(report: SeparationReport) -> list[list[Cell]]:
    """How far each label keeps to itself."""
    return [
        [
            Cell(one.label),
            Cell(f"{one.papers:,}"),
            value(one.agreement, percent=True),
            Cell(f"{100 * one.chance:.0f} %"),
            value(one.silhouette, digits=3),
            Cell(one.next_label or "–"),
            Cell(f"{100 * one.next_share:.0f} %"),
        ]
        for one in report.models[0].labels
    ]


def misfiled_rows(papers: Sequence[Misfiled]) -> list[list[Cell]]:
    """Papers among those of another label."""
    return [
        [
            Cell(one.title or "(no title)"),
            Cell(", ".join(one.labels)),
            Cell(one.other),
            Cell(
                f"{100 * one.share:.0f} %",
                f"{100 * one.share:.0f} % of its neighbours carry {one.other}; "
                f"{100 * one.own_share:.0f} % share one of its own labels",
            ),
        ]
        for one in papers
    ]


def between_rows(overlap: Overlap) -> list[list[Cell]]:
    """Papers between two labels."""
    return [
        [
            Cell(one.title or "(no title)"),
            Cell(", ".join(one.labels)),
            Cell(f"{100 * one.share:.0f} % {overlap.second}"),
        ]
        for one in overlap.between
    ]


def past_rows(reports: Sequence[SeparationReport]) -> list[list[Cell]]:
    """Former measurements, newest first."""
    rows = []
    for one in reports:
        first = one.models[0]
        kmeans = first.clustering("kmeans")
        rows.append(
            [
                Cell(when(one.made_at)),
                Cell(f"{one.title} · {', '.join(model.version for model in one.models)}"),
                Cell(f"{one.papers:,}"),
                value(first.agreement, percent=True),
                value(kmeans.estimates["v"]) if kmeans is not None else Cell("–"),
            ]
        )
    return rows
