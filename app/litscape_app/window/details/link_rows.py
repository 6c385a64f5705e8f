"""The papers and works at the other ends of a paper's links, as Qt asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from litscape_app.window.words import authors_line, count, plain_tooltip, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.graph.records import OutsideWork
    from litscape.paper import PaperId, PaperRow, Reference

ROW = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One end of a link as it is shown.

    Attributes:
        title: of the paper or work, or a reference's text.
        byline: authors, year, how many papers cite it.
        origin: the sentence of where the link comes from.
        paper: the paper; None for a work outside the library.
        reference: what is known of a work outside the library.
        matched: whether the link was found by comparing words, so that it may be wrong.
    """

    title: str
    byline: str
    origin: str
    paper: PaperId | None = None
    reference: Reference | None = None
    matched: bool = False


def paper_row(row: PaperRow, origin: str, *, matched: bool = False) -> LinkRow:
    """A paper of the library."""
    names = [name.strip() for name in row.authors.split(";") if name.strip()]
    year = str(row.year) if row.year is not None else (row.year_raw or "")
    byline = " · ".join(part for part in (year, authors_line(names)) if part)
    return LinkRow(title_of(row), byline, origin, row.id, matched=matched)


def origin_of(work: OutsideWork) -> str:
    """The sentence of where it is known from that a work is cited."""
    from litscape.graph.origins import name_of

    service = work.reference.extra.get("service")
    if not service:
        return "In the list of references of this paper."
    if service.startswith("pdf:"):
        return f"In the list of references in {name_of(service, {})}."
    return f"In the list of references that {name_of(service, {})} has of this paper."


def work_row(work: OutsideWork, author: str | None) -> LinkRow:
    """A work outside the library; its text is shown where it has no title."""
    from litscape.graph.outside import name_of_work  # numpy comes with it: not at the start

    reference = work.reference
    known = [str(reference.year or ""), author or ""] if reference.title else []
    if work.citing > 1:
        known.append(f"cited by {count(work.citing, 'paper')} of yours")
    origin = [origin_of(work)]
    if reference.title and reference.raw:
        origin.append(f"As it is cited there: {reference.raw}")
    if reference.doi:
        origin.append(f"DOI {reference.doi}")
    return LinkRow(
        name_of_work(reference),
        " · ".join(part for part in known if part),
        "\n".join(origin),
        reference=reference,
    )


class LinkModel(QAbstractListModel):
    """Rows that grow at their end."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[LinkRow] = []

    def show(self, rows: Sequence[LinkRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def extend(self, rows: Sequence[LinkRow]) -> None:
        """Show more rows below."""
        if rows:
            first = len(self.rows)
            self.beginInsertRows(_NOWHERE, first, first + len(rows) - 1)
            self.rows.extend(rows)
            self.endInsertRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A row, its words, where the link comes from."""
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(f"{row.title}\n{row.origin}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.byline}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.origin
        return None
