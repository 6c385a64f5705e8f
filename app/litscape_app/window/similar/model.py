"""The similar papers as Qt asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from litscape.paper import PaperId, Reference

HIT = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One similar paper as it is shown.

    Attributes:
        paper_id: the paper.
        score: as the reader sees it, ``0.82``.
        title: its title.
        byline: first authors and year.
        why: reasons in one line.
        reference: of a work outside the library, what is known of it; its ``paper_id`` is below 0.
    """

    paper_id: PaperId
    score: str
    title: str
    byline: str
    why: str
    reference: Reference | None = None


class NeighbourModel(QAbstractListModel):
    """A short list, replaced as a whole."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hits: tuple[Neighbour, ...] = ()

    def show(self, hits: tuple[Neighbour, ...]) -> None:
        """Show other papers."""
        if hits != self.hits:
            self.beginResetModel()
            self.hits = hits
            self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Papers shown."""
        return 0 if parent.isValid() else len(self.hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The hit, or its text."""
        hit = self.hits[index.row()]
        if role == HIT:
            return hit
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{hit.title}, {hit.byline}, similarity {hit.score}, {hit.why}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(
                "\n".join(part for part in (hit.title, hit.byline, hit.why) if part)
            )
        return None
