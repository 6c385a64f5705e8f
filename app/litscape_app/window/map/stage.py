"""The canvas with what lies over it: the card, the small map, links and neighbours, the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtWidgets import QWidget

from litscape.maps.labelling import Placer
from litscape_app.window.map.canvas import MapCanvas
from litscape_app.window.map.menu import chosen_menu
from litscape_app.window.map.minimap import Minimap
from litscape_app.window.map.points import GHOST, Points
from litscape_app.window.map.scopes import selection
from litscape_app.window.map.shown import citation_sizes, codes_of, colours_of
from litscape_app.window.map.telling import Telling
from litscape_app.window.widgets.basics import vertical
from litscape_resources import palette_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.maps.ground import Ground
    from litscape_app.window.map.camera import Camera
    from litscape_app.window.map.gathering import Picture
    from litscape_app.window.map.labels import Name
    from litscape_app.window.map.page import MapPage

_SOON_MS = 70
_NAMED = 60
"""Papers in view up to which their titles are written."""
_MOST_LINKED = 2_000
_ADDS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class Stage(QWidget):
    """Draws a picture for its page and shares the chosen papers with the rest of the window."""

    def __init__(self, page: MapPage) -> None:
        super().__init__()
        self._page = page
        self._session = page.session
        theme = self._session.theme
        self.canvas = MapCanvas(theme)
        self.minimap = Minimap(theme, self.canvas)
        self.telling = Telling(page, self.canvas)
        self._sizes: NDArray[np.uint8] | None = None
        vertical(self, self.canvas)
        self._connect()

    def _connect(self) -> None:
        canvas, page = self.canvas, self._page
        canvas.picked.connect(self._picked)
        canvas.opened.connect(self._opened)
        canvas.enclosed.connect(self._enclosed)
        canvas.named.connect(self._name_picked)
        canvas.menu_wanted.connect(self.show_menu)
        canvas.all_wanted.connect(self._choose_all)
        canvas.none_wanted.connect(self._choose_none)
        canvas.moved.connect(self._settled)
        self._session.selected.connect(lambda _ids: self.choose())
        self._session.theme.changed.connect(self.repaint_points)
        self.minimap.gone_to.connect(self._go_to)
        page.legend.changed.connect(self.repaint_points)
        page.legend.by_size.toggled.connect(lambda _on: self.repaint_points())
        page.time.moved.connect(self.repaint_points)
        page.bar.tool_wanted.connect(canvas.hand.choose)
        page.bar.fit_wanted.connect(canvas.fit)
        page.bar.toggled.connect(self._toggled)

    # -- showing -------------------------------------------------------------------------------

    def show_picture(self, picture: Picture) -> None:
        """Draw a picture; where it is of the papers that are drawn, they move to their places."""
        points = self.canvas.drawing.points
        self._sizes = citation_sizes(picture.cited)
        if points is None or not np.array_equal(points.ids, picture.ids):
            self.show_points(Points(picture.ids, picture.xy))
        elif not np.array_equal(np.column_stack((points.x, points.y)), picture.xy):
            self.move_points(picture.xy, fit=self.canvas.fitted)
        self.name_topics(picture.names, picture.ground)
        self.choose()

    def show_points(self, points: Points) -> None:
        """Draw other points."""
        self.canvas.drawing.names = ()
        self.canvas.show_points(points)
        self.repaint_points()

    def name_topics(self, names: tuple[Name, ...], ground: Ground | None = None) -> None:
        """Other names, or the same elsewhere; ``ground`` knows whose points lie where."""
        self.telling.topics, self.telling.ground = names, ground
        self.canvas.drawing.placer = Placer(ground)
        self.telling.name_all(())

    def move_points(self, xy: NDArray[np.float32], *, fit: bool = True) -> None:
        """The same papers are elsewhere; ``fit`` brings all of them into view."""
        points = self.canvas.drawing.points
        if points is None:
            return
        points.place(xy)
        self.canvas.drawing.renew(places=True)
        if fit:
            self.canvas.fit()
        self.canvas.redraw()
        self.minimap.draw(points, self.canvas.drawing.colours)

    def repaint_points(self) -> None:
        """Colours, the choice, the search or the year changed."""
        drawing, page = self.canvas.drawing, self._page
        points, found = drawing.points, page.colours
        if points is None:
            return
        palette = palette_of(self._session.theme.tokens)
        if found is None or len(found.of) != len(points):
            drawing.colours = [palette.ghost, palette.of(0)]
            points.paint(np.full(len(points), 2, dtype=np.uint8))
        else:
            years = page.picture.years if page.picture is not None else None
            codes = codes_of(
                found, page.legend.hidden, self._focus(points), years, page.time.year,
                pale=page.time.pale.isChecked(),
            )  # fmt: skip
            drawing.colours = colours_of(found, palette)
            drawing.sized = page.legend.by_size.isChecked() and self._sizes is not None
            sizes = self._sizes if drawing.sized else None
            points.paint(codes, sizes if sizes is not None and len(sizes) == len(codes) else None)
        drawing.renew(places=drawing.dense)
        self.telling.name_all(None)
        self.tell()
        page.legend.count_shown(found, points.codes > GHOST)
        self.canvas.redraw()
        self.minimap.draw(points, drawing.colours)

    def tell(self) -> None:
        """Say why papers are pale, and which links are not drawn."""
        points = self.canvas.drawing.points
        why = "" if points is None else self._why_pale(points)
        self._page.legend.tell_pale(" ".join(filter(None, (why, self.telling.said))))

    def _why_pale(self, points: Points) -> str:
        """Why some papers are pale; empty where none is."""
        if not (points.codes == GHOST).any():
            return ""
        listing = self._page.desk.table.listing
        if len(self._session.selection) > 1:
            return "Papers that are not chosen are pale. Esc chooses none."
        if listing is None or self._found(points) is None:
            return "Later papers and those without a year are pale."
        if listing.request.query:
            return "Papers that the search does not find are pale."
        where = listing.request.scope.title
        return f"Papers that are not in the list “{where}” are pale." if where else ""

    def _focus(self, points: Points) -> NDArray[np.bool_] | None:
        """The papers that others step back behind: several chosen ones, else those found."""
        chosen = self._session.selection
        return points.mask(chosen) if len(chosen) > 1 else self._found(points)

    def _found(self, points: Points) -> NDArray[np.bool_] | None:
        """The papers that the list shows; None where it shows all."""
        listing = self._page.desk.table.listing
        if listing is not None and (listing.request.query or listing.request.scope.kind != "all"):
            return points.mask(listing.ids)
        return None

    def open_to_choice(self, points: Points) -> NDArray[np.bool_]:
        """Which papers a region, a name or all takes: those found, of the years and values shown.

        Papers that are pale only because others are chosen can be chosen next.
        """
        page, found = self._page, self._page.colours
        focus = self._found(points)
        if found is None or len(found.of) != len(points):
            return np.ones(len(points), dtype=bool) if focus is None else focus
        years = page.picture.years if page.picture is not None else None
        codes = codes_of(found, page.legend.hidden, focus, years, page.time.year)
        return np.asarray(codes > GHOST)

    # -- the choice ----------------------------------------------------------------------------

    def choose(self) -> None:
        """Mark the papers that are chosen in the window."""
        drawing, ids = self.canvas.drawing, self._session.selection
        points = drawing.points
        if points is None or not self._page.isVisible():
            return
        before = len(drawing.chosen)
        drawing.chosen = points.numbers(ids)
        if len(ids) == 1 and len(drawing.chosen):
            drawing.current = int(drawing.chosen[0])
        elif drawing.current is not None and drawing.current not in drawing.chosen:
            drawing.current = None
        drawing.links = drawing.near = np.empty((0, 2), dtype=np.int64)
        if before > 1 or len(drawing.chosen) > 1 or len(ids) > 1:
            self.repaint_points()
        self.canvas.redraw()
        self.telling.read_links()

    def _share(self, ids: NDArray[np.int64]) -> None:
        self._page.desk.table.choose(tuple(ids.tolist()))

    def _picked(self, number: int, modifiers: Qt.KeyboardModifier) -> None:
        points, chosen = self.canvas.drawing.points, self._session.selection
        if points is None:
            return
        adds = bool(modifiers & _ADDS)
        if number < 0:
            if chosen and not adds:
                self._share(np.empty(0, dtype=np.int64))
            return
        paper = int(points.ids[number])
        self.canvas.drawing.current = number
        if not adds:
            self._share(np.array([paper]))
        elif paper in chosen:
            self._share(np.array([one for one in chosen if one != paper], dtype=np.int64))
        else:
            self._share(np.array([*chosen, paper], dtype=np.int64))

    def _enclosed(self, numbers: NDArray[np.int64], how: str) -> None:
        points = self.canvas.drawing.points
        if points is None:
            return
        if how != "less":
            numbers = numbers[self.open_to_choice(points)[numbers]]
        self._combine(points.ids[numbers], how)

    def _combine(self, ids: NDArray[np.int64], how: str) -> None:
        chosen = np.array(self._session.selection, dtype=np.int64)
        if how == "more":
            ids = np.concatenate((chosen, ids[~np.isin(ids, chosen)]))
        elif how == "less":
            ids = chosen[~np.isin(chosen, ids)]
        self._share(ids)

    def _name_picked(self, key: int, modifiers: Qt.KeyboardModifier) -> None:
        """A click on the name of a topic chooses its papers; on that of a paper, that."""
        if key < 0:
            self._share(np.array([-key]))
            return
        points = self.canvas.drawing.points
        slot = self._session.slot(self)
        how = "more" if modifiers & _ADDS else "only"

        def put(ids: NDArray[np.int64]) -> None:
            if points is not None:
                shown = points.ids[self.open_to_choice(points)]
                self._combine(ids[np.isin(ids, shown)], how)
            slot.deleteLater()

        slot.done.connect(put)
        self._session.read(
            slot, "Papers of a topic", lambda library, _ctx: library.topics.papers_of(key)
        )

    def _choose_all(self) -> None:
        points = self.canvas.drawing.points
        if points is not None:
            self._combine(points.ids[self.open_to_choice(points)], "only")

    def _choose_none(self) -> None:
        if self._session.selection:
            self._share(np.empty(0, dtype=np.int64))
        else:
            self._page.desk.leave_page()

    def _opened(self, number: int) -> None:
        points = self.canvas.drawing.points
        if points is not None:
            self._share(points.ids[[number]])
            self._page.desk.details.page.ways.open_best()

    def show_menu(self, at: QPoint) -> None:
        """Show what can be done to the chosen papers; the one under the pointer, if none is."""
        drawing = self.canvas.drawing
        pointed, points = drawing.pointed, drawing.points
        if points is not None and pointed is not None:
            paper = int(points.ids[pointed])
            if paper not in self._session.selection:
                self._share(np.array([paper]))
        self.telling.card.hide()
        menu = chosen_menu(self._page.desk, self, self._map_chosen)
        menu.exec(at)
        menu.deleteLater()

    def _map_chosen(self) -> None:
        self._page.show_scope(selection(self._page.desk.chosen))

    # -- what is in view -------------------------------------------------------------------------

    def _toggled(self, key: str, shown: bool) -> None:
        drawing, page = self.canvas.drawing, self._page
        if key == "legend":
            page.legend.setVisible(shown)
        elif key == "names":
            self.telling.name_papers(self.canvas.camera)
        elif key == "minimap":
            self.minimap.wanted = shown
            self._settled(self.canvas.camera)
        elif key == "density":
            drawing.dense = shown
            drawing.renew(places=True)
        elif key in ("links", "near"):
            self.telling.read_links()
        elif key == "time":
            page.time.setVisible(shown)
            self.repaint_points()
        self.canvas.redraw()

    def _settled(self, camera: Camera) -> None:
        """The small map frames what is in view; names leave its corner free."""
        minimap, drawing = self.minimap, self.canvas.drawing
        minimap.follow(camera, drawing.home)
        drawing.taken = [QRectF(minimap.geometry())] if minimap.isVisible() else []
        self.canvas.redraw()

    def _go_to(self, x: float, y: float) -> None:
        across, down = self.canvas.camera.spot(x, y)
        camera = self.canvas.camera
        self.canvas.pan(camera.width / 2 - across, camera.height / 2 - down)
