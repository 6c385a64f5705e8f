"""New papers in a list, the closest first; several can be chosen, and Enter adds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QRect, QSize, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView

from litscape_app.window.similar.delegate import NeighbourDelegate
from litscape_app.window.similar.model import Neighbour, NeighbourModel
from litscape_app.window.words import authors_line, shorten

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QResizeEvent

    from litscape.alike.feed import FeedHit
    from litscape.paper import PaperDraft
    from litscape_app.window.theme import Theme

_SHOWN = 120


class _Drawn(NeighbourDelegate):
    """As similar papers are drawn, without the buttons that steer."""

    def buttons(self, rect: QRect, hit: Neighbour) -> dict[str, QRect]:
        """None."""
        return {}


class FoundList(QListView):
    """The new papers; those that were added since are left out."""

    add_wanted = Signal()
    chosen_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.hits: tuple[FeedHit, ...] = ()
        self.papers = NeighbourModel(self)
        self.setModel(self.papers)
        self.setItemDelegate(_Drawn(theme, self))
        self.setAccessibleName("New papers, the closest first")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.activated.connect(lambda _index: self.add_wanted.emit())
        self.selectionModel().selectionChanged.connect(lambda *_both: self.chosen_changed.emit())

    def show_hits(self, hits: tuple[FeedHit, ...], hidden: Collection[int] = ()) -> None:
        """List papers but those at the places ``hidden``; the one at the old place is chosen."""
        row = max(0, self.currentIndex().row())
        self.hits = hits
        self.papers.show(tuple(shown(hit, at) for at, hit in enumerate(hits) if at not in hidden))
        if self.papers.hits:
            index = self.papers.index(min(row, len(self.papers.hits) - 1), 0)
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        self.chosen_changed.emit()

    @property
    def places(self) -> tuple[int, ...]:
        """Where the chosen papers stand among all hits, the closest first."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        return tuple(-1 - self.papers.hits[row].paper_id for row in rows)

    @property
    def chosen(self) -> tuple[PaperDraft, ...]:
        """The chosen papers, the closest first."""
        return tuple(self.hits[place].draft for place in self.places)

    def viewportSizeHint(self) -> QSize:
        """Any."""
        return QSize(240, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


def shown(hit: FeedHit, place: int) -> Neighbour:
    """A new paper as the list shows it; its id, below 0, tells its place among the hits."""
    draft = hit.draft
    names = [one.display for one in draft.authors]
    parts = (str(draft.year or ""), authors_line(names), draft.venue or "")
    title = draft.title or shorten(draft.abstract or "", _SHOWN) or draft.doi or "Without a title"
    return Neighbour(
        -1 - place,
        f"{hit.score:.2f}",
        title,
        " · ".join(part for part in parts if part),
        " · ".join(hit.why).replace("meaning ", "meaning\u00a0"),
    )
