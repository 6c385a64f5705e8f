"""The map while two maps are compared: it shows what both have, and no more is read or made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from litscape_app.window.map.legend import WIDTH
from litscape_app.window.map.scopes import Choice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from litscape_app.window.map.comparing import Comparing, Movers
    from litscape_app.window.map.gathering import Comparison
    from litscape_app.window.map.labels import Name
    from litscape_app.window.map.page import MapPage

_WAIT_MS = 50


class CompareMode(QObject):
    """Turns comparing on and off for a page; its widgets are made when they are first wanted."""

    def __init__(self, page: MapPage) -> None:
        super().__init__(page)
        self._page = page
        self.comparing: Comparing | None = None
        self.movers: Movers | None = None
        self._pair = (0, 0)
        self._wait = QTimer(self)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self._show_pair)

    @property
    def on(self) -> bool:
        """Whether two maps are shown, one over the other."""
        return self.comparing is not None and not self.comparing.isHidden()

    def toggle(self) -> None:
        """Choose two maps to fade between; a second time, no more."""
        page = self._page
        if self.on:
            self.leave()
        elif page.picture is not None:
            page.making.stop()
            if self.comparing is None:
                self.comparing = self._prepare()
            self.comparing.offer(page.picture.stored)

    def show_pair(self, before: int, after: int) -> None:
        """Fade between two stored maps, once the page has drawn its own."""
        self._pair = (before, after)
        self._page.read()
        self._wait.start()

    def _show_pair(self) -> None:
        page = self._page
        if page.stage is None or page.picture is None:
            return
        self._wait.stop()
        if not self.on:
            self.toggle()
        if self.comparing is not None:
            self.comparing.choose(*self._pair)

    def _prepare(self) -> Comparing:
        from litscape_app.window.map.comparing import Comparing, Movers

        page = self._page
        self.movers = Movers(page.session, WIDTH)
        comparing = Comparing(page.session, self.movers)
        page.put_beside(self.movers)
        page.put_above(comparing)
        comparing.shown.connect(self._show)
        comparing.moved.connect(self._fade)
        comparing.closed.connect(self.leave)
        page.legend.told.connect(comparing.tell_colours)
        self.movers.chosen.connect(lambda paper: page.desk.table.choose((paper,)))
        return comparing

    def _show(self, found: Comparison) -> None:
        page = self._page
        page.picture = found.picture
        page.bar.show_scope(Choice(shown="Two maps compared"), len(found.aligned))
        page.bar.layouts.hide()
        page.legend.hide()
        if self.movers is not None:
            self.movers.show()
        if page.stage is not None:
            page.stage.show_picture(found.picture)
            page.stage.canvas.fit()
        page.time.set_years(found.picture.years)
        page.told.hide()
        page.recolour()

    def _fade(self, xy: NDArray[np.float32], names: tuple[Name, ...]) -> None:
        if self._page.stage is not None:
            self._page.stage.move_points(xy, fit=False)
            self._page.stage.name_topics(names)

    def stop(self) -> None:
        """Compare no more, without showing anything else."""
        self._wait.stop()
        if self.comparing is not None and self.movers is not None:
            self.comparing.stop()
            self.movers.hide()
            self._page.bar.layouts.show()
            self._page.bar.show_scope(self._page.choice)
            self._page.legend.setVisible(self._page.bar.on("legend"))

    def leave(self) -> None:
        """Go back to the map of before."""
        if self.on:
            self.stop()
            self._page.picture = None
            self._page.read()
