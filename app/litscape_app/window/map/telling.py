"""What is told of papers on the map: the card, their links and neighbours, names of a few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, QTimer

from litscape_app.window.map.card import Card
from litscape_app.window.map.gathering import links_of, nearest_of, rows_of
from litscape_app.window.map.labels import Name
from litscape_app.window.map.points import GHOST, HIDDEN
from litscape_app.window.words import shorten, title_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.ground import Ground
    from litscape.paper import PaperId, PaperRow
    from litscape_app.window.map.camera import Camera
    from litscape_app.window.map.canvas import MapCanvas
    from litscape_app.window.map.gathering import Links
    from litscape_app.window.map.page import MapPage

_SOON_MS = 70
_NAMED, _NEAR, _FEW = 60, 1.5, 30
"""Papers in view up to which their titles are written, come so near; at once on so small a map."""
_MOST_LINKED = 2_000
_BEHIND = 10_000_000
"""What makes the names of papers less important than those of topics."""
_NO_PAIRS = np.empty((0, 2), dtype=np.int64)


class Telling(QObject):
    """Reads beside the window what is told of papers, and shows it on a canvas."""

    def __init__(self, page: MapPage, canvas: MapCanvas) -> None:
        super().__init__(canvas)
        self._page = page
        self._session = session = page.session
        self.canvas = canvas
        self.card = Card(session.theme, canvas)
        self.topics: tuple[Name, ...] = ()
        self.ground: Ground | None = None
        self._rows: dict[PaperId, PaperRow] = {}
        self.said = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._look_up)
        self._telling, self._linking, self._nearing, self._naming = (
            session.slot(self) for _ in range(4)
        )
        self._telling.done.connect(self._told)
        self._linking.done.connect(self._linked)
        self._nearing.done.connect(self._neared)
        self._naming.done.connect(self._named)
        canvas.pointed.connect(lambda _number: self._pointed())
        canvas.picked.connect(lambda _number, _modifiers: self._hush())
        canvas.moved.connect(self.name_papers)
        session.changed.connect(lambda _changes: self._rows.clear())
        session.opened.connect(self._rows.clear)

    def _pointed(self) -> None:
        self.card.hide()
        self._soon.start()
        if self.canvas.drawing.pointed is None:
            self.read_links()

    def _hush(self) -> None:
        """A paper that was clicked is told of at the right of the window: no card over the map."""
        self._soon.stop()
        self._telling.cancel()
        self.card.hide()

    def _look_up(self) -> None:
        points, number = self.canvas.drawing.points, self.canvas.drawing.pointed
        if points is None or number is None or number >= len(points):
            return
        paper = int(points.ids[number])

        def read(library: Library, _ctx: JobContext) -> dict[PaperId, PaperRow]:
            return rows_of(library, [paper])

        if paper in self._rows:
            self._told({})
        else:
            self._session.read(self._telling, "Read a paper", read)
        if self._page.bar.on("near"):
            self._session.read(
                self._nearing, "Nearest papers", lambda library, _ctx: nearest_of(library, paper)
            )

    def _told(self, rows: dict[PaperId, PaperRow]) -> None:
        if len(self._rows) > 2_000:
            self._rows.clear()
        self._rows.update(rows)
        drawing = self.canvas.drawing
        points, number = drawing.points, drawing.pointed
        if points is None or number is None or number >= len(points):
            return
        row = self._rows.get(int(points.ids[number]))
        if row is None:
            return
        self.card.tell(row, " · ".join(self._values(number)))
        across, down = self.canvas.camera.spot(float(points.x[number]), float(points.y[number]))
        self.card.stand_by(QPoint(round(across), round(down)))

    def _values(self, number: int) -> list[str]:
        """The topic of a paper, and what its colour tells if that is something else."""
        picture, found = self._page.picture, self._page.colours
        values = []
        if picture is not None:
            names, of = picture.topics
            if number < len(of) and of[number] >= 0:
                values.append(f"Topic: {names[of[number]]}")
        if found is not None and number < len(found.of) and found.by not in ("none", "topic"):
            values.append(found.entries[found.of[number]].label)
        return values

    def read_links(self) -> None:
        """Read the links of the chosen papers, and the neighbours of a single one."""
        ids, bar, session = self._session.selection, self._page.bar, self._session
        drawing = self.canvas.drawing
        drawing.near = _NO_PAIRS
        points = drawing.points
        if ids and points is not None and len(ids) <= _MOST_LINKED and bar.on("links"):
            shown = points.ids[points.codes != HIDDEN]
            session.read(
                self._linking, "Links", lambda library, _ctx: links_of(library, ids, shown)
            )
        else:
            self._linking.cancel()
            drawing.links = _NO_PAIRS
            many = len(ids) > _MOST_LINKED and bar.on("links")
            self._say(
                f"Citation links are drawn of up to {_MOST_LINKED:,} chosen papers; "
                f"{len(ids):,} are chosen."
                if many
                else ""
            )
        if len(ids) == 1 and bar.on("near"):
            session.read(
                self._nearing, "Nearest papers", lambda library, _ctx: nearest_of(library, ids[0])
            )
        else:
            self._nearing.cancel()
        self.canvas.redraw()

    def _say(self, text: str) -> None:
        """Say something of the links of the chosen papers, for as long as they are drawn."""
        if text != self.said:
            self.said = text
            if self._page.stage is not None:
                self._page.stage.tell()

    def _linked(self, links: Links) -> None:
        self.canvas.drawing.links = self._numbered(links.pairs)
        number = len(links.pairs)
        self._say(
            f"{number:,} of {number + links.left_out:,} citation links are drawn: those between "
            "the chosen papers first, then those to the most cited."
            if links.left_out
            else ""
        )
        self.canvas.redraw()

    def _neared(self, pairs: NDArray[np.int64]) -> None:
        self.canvas.drawing.near = self._numbered(pairs)
        self.canvas.redraw()

    def _numbered(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pairs of ids as pairs of numbers, those on the map."""
        points = self.canvas.drawing.points
        if points is None or not len(pairs):
            return _NO_PAIRS
        known = np.isin(pairs, points.ids).all(axis=1)
        numbers = points.numbers(pairs[known].ravel()).reshape(-1, 2)
        shown: NDArray[np.bool_] = (points.codes[numbers] != HIDDEN).all(axis=1)
        return numbers[shown]

    def name_papers(self, camera: Camera) -> None:
        """Where few papers are in view, they are named."""
        points = self.canvas.drawing.points
        if points is None or not self._page.bar.on("names"):
            self._naming.cancel()
            self.name_all(())
            return
        numbers = points.within(*camera.bounds)
        numbers = numbers[points.codes[numbers] > GHOST]
        near = camera.scale >= _NEAR * self.canvas.drawing.home or len(points) <= _FEW
        if not near or not 0 < len(numbers) <= _NAMED:
            self._naming.cancel()
            self.name_all(())
            return
        ids = points.ids[numbers].tolist()
        self._session.read(
            self._naming, "Names of papers", lambda library, _ctx: rows_of(library, ids)
        )

    def _named(self, rows: dict[PaperId, PaperRow]) -> None:
        points, picture = self.canvas.drawing.points, self._page.picture
        if points is None or picture is None:
            return
        ids = list(rows)
        names = []
        for paper, number in zip(ids, points.numbers(ids).tolist(), strict=True):
            text = shorten(title_of(rows[paper]), 40)
            size = int(picture.cited[number]) if number < len(picture.cited) else 0
            x, y = float(points.x[number]), float(points.y[number])
            names.append(Name(-paper, text, x, y, size=size - _BEHIND, level=3))
        self.name_all(tuple(names))

    def name_all(self, papers: tuple[Name, ...] | None) -> None:
        """Show the names of topics and of some papers, None for those of before; no hidden ones."""
        drawing, picture = self.canvas.drawing, self._page.picture
        points = drawing.points
        if papers is None:
            papers = tuple(name for name in drawing.names if name.key < 0)
        topics = self.topics if self._page.bar.on("names") else ()
        if points is not None and picture is not None:
            topics = with_papers(topics, picture.topics[1], points.codes)
            hidden = points.ids[points.codes == HIDDEN]
            papers = tuple(name for name in papers if -name.key not in hidden)
            self._count(points.codes != HIDDEN)
        drawing.names = (*topics, *papers)
        self.canvas.redraw()

    def _count(self, shown: NDArray[np.bool_]) -> None:
        """Names are placed by the points that are shown."""
        ground = self.ground
        if ground is None or ground.size != len(shown):
            return
        counted = None if shown.all() else shown
        before = ground.counted
        if (counted is None) != (before is None) or (
            counted is not None and before is not None and not np.array_equal(counted, before)
        ):
            ground.show(counted)
            self.canvas.drawing.placer.forget()


def with_papers(
    names: tuple[Name, ...], of: NDArray[np.int64], codes: NDArray[np.uint8]
) -> tuple[Name, ...]:
    """The names of topics of which a paper is shown, and those of their parts.

    Args:
        names: of topics; the coarse ones are those that have papers, in their order.
        of: the number of each paper's coarse topic, (n,), -1 for none.
        codes: how each paper is drawn, (n,).
    """
    coarse = [name.key for name in names if name.level == 0]
    numbers = np.unique(of[of >= 0])
    if len(of) != len(codes) or len(numbers) != len(coarse):
        return names
    there = set(np.unique(of[(of >= 0) & (codes != HIDDEN)]).tolist())
    shown = {key for key, number in zip(coarse, numbers.tolist(), strict=True) if number in there}
    for name in sorted(names, key=lambda name: name.level):
        if name.level and name.parent in shown:
            shown.add(name.key)
    return tuple(name for name in names if name.key in shown)
