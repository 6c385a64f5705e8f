"""The map as a page of the middle: reads, makes, draws, and shares the choice of papers."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from litscape_app.window.map.bar import MapBar
from litscape_app.window.map.compare_mode import CompareMode
from litscape_app.window.map.legend import Legend
from litscape_app.window.map.making import NAMES, Making, told_of
from litscape_app.window.map.scopes import WHOLE, Choice, choices, kept
from litscape_app.window.map.timeline import Timeline
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch
from litscape_app.window.session import Offer
from litscape_app.window.similarity import Phase
from litscape_app.window.widgets.basics import horizontal, push_button, vertical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QFocusEvent, QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.colouring import Colouring
    from litscape.maps.records import PartialMap
    from litscape_app.actions.command import Desk
    from litscape_app.window.map.gathering import Picture
    from litscape_app.window.map.stage import Stage
    from litscape_app.window.similarity import Standing

_REFRESH_MS = 400
_LEAST_TOPICS = 15
"""Papers from which on topics are looked for unasked, once, when their first map is made."""

_LETTERS = (
    "view.map_key", "papers.tag", "papers.collect", "papers.note", "papers.read", "papers.begun",
    "papers.list", "papers.trash",
)  # fmt: skip
"""Commands whose letters work on the map as in the list."""


class MapPage(PageFrame):
    """Shows the map of some papers, made the first time it is looked at."""

    def __init__(self, desk: Desk, actions: Mapping[str, QAction]) -> None:
        """``actions`` are the window's, of which those on chosen papers work on the map too."""
        super().__init__(desk, "Map")
        theme = self.theme
        self._actions = actions
        self.choice = WHOLE
        self.picture: Picture | None = None
        self.colours: Colouring | None = None
        self.stage: Stage | None = None
        self._layout: str | None = None
        self._by: str | None = None
        self._fresh = self._to_canvas = False
        self._refused: set[tuple[object, ...]] = set()
        self._stale = True
        self.bar = MapBar(theme, self._choices, self.close_button)
        self.making = Making(self.session)
        self.said = Sentence("", "muted")
        self.place = push_button("Place them", self._place_new)
        self.legend = Legend(theme)
        self.time = Timeline(theme)
        self.comparison = CompareMode(self)
        self.state = Sentence("", "")
        self.compute = push_button("Compute similarity", desk.similarity.resume, kind="primary")
        self._put_together()
        self._slots()
        self._connect()
        self._say("Reading the map …")

    def _put_together(self) -> None:
        self._empty = QWidget()
        vertical(
            self._empty, self.state, horizontal(None, self.compute, 0), 0, margins=(24, 24, 24, 24)
        )
        self._body = QWidget()
        self._row = horizontal(self._body, spacing=0)
        self._row.addWidget(self.legend)
        self.told = QWidget()
        horizontal(self.told, self.said, self.place, margins=(12, 4, 12, 4)).setStretch(0, 1)
        self._map = QWidget()
        column = vertical(self._map, self.told, spacing=0)
        column.addWidget(self._body, 1)
        column.addWidget(self.time)
        self._switch = Switch(self._empty, self._map)
        self.title.hide()
        self.title_line.insertWidget(0, self.bar, 1_000)
        self.title_line.setContentsMargins(0, 0, 0, 0)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self.body.addWidget(self.making)
        self.body.addWidget(self._switch, 1)
        self.place.hide()

    def _slots(self) -> None:
        session = self.session
        self._reading, self._loading, self._colouring = (session.slot(self) for _ in range(3))
        self._reading.done.connect(self._show)
        self._loading.done.connect(self._loaded)
        self._colouring.done.connect(self._coloured)
        for slot in (self._reading, self._loading, self._colouring):
            slot.failed.connect(self._failed)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_REFRESH_MS)
        self._again.timeout.connect(self.read)

    def _connect(self) -> None:
        session, bar, making = self.session, self.bar, self.making
        session.opened.connect(self._opened)
        session.changed.connect(lambda _changes: self._later())
        session.refreshed.connect(self._later)
        self.desk.similarity.grown.connect(self._later)
        self.desk.similarity.moved.connect(self._follow)
        self.desk.table.listed.connect(lambda _listing: self._listed())
        bar.scope_wanted.connect(self.show_scope)
        bar.layout_wanted.connect(self.show_layout)
        bar.again_wanted.connect(self._make_again)
        bar.compare_wanted.connect(self.comparison.toggle)
        bar.export_wanted.connect(self._export)
        bar.separation_wanted.connect(lambda: self.desk.show_page("separation", again=True))
        making.refined.connect(self._refine)
        making.made.connect(self._made)
        making.failed.connect(self._not_made)
        making.left.connect(self._left)
        self.legend.by_chosen.connect(self.colour_by)
        self.legend.topics_wanted.connect(lambda: making.find_topics(self.choice))

    # -- reading -------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed meanwhile."""
        super().showEvent(event)
        if self._stale:
            self.read()
        if self.stage is not None:
            self.stage.choose()
            self.stage.repaint_points()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard is for the map."""
        super().focusInEvent(event)
        if self.stage is not None and self.stage.canvas.isVisible():
            self.stage.canvas.setFocus()

    def _opened(self) -> None:
        self.making.stop()
        self.comparison.stop()
        self.choice, self._layout, self.picture, self.colours = WHOLE, None, None, None
        self._refused.clear()
        self.bar.show_scope(WHOLE)
        self._later()

    def _later(self) -> None:
        self._stale = True
        if self.isVisible():
            self._again.start()

    def _follow(self, standing: Standing) -> None:
        """When all papers have vectors, the map that waited for them can be made."""
        unmade = self.picture is not None and self.picture.layout is None
        if standing.phase is Phase.READY and unmade:
            self._later()

    def _listed(self) -> None:
        if self.stage is not None and self.isVisible():
            self.stage.repaint_points()
        if self._by == "score" and self.isVisible():
            self.recolour()

    def show_scope(self, choice: Choice) -> None:
        """Map other papers; what is asked for by hand is made though it was refused before."""
        self.making.stop()
        self.comparison.stop()
        self.problem.hide()
        self.choice, self._layout = choice, None
        self.picture = None
        self._refused = {one for one in self._refused if one[0] != choice.key}
        self.bar.show_scope(choice)
        self._to_canvas = self.stage is not None and self.stage.canvas.hasFocus()
        self._say(f"Reading the map of {choice.title or 'all papers'}\N{NO-BREAK SPACE}…")
        self.read()

    def _choices(self) -> list[Choice]:
        stored = self.picture.stored if self.picture is not None else ()
        return [*choices(self.desk), *kept(stored)]

    def show_layout(self, layout: str) -> None:
        """Show another layout, and make it where there is none of these papers yet."""
        self.making.stop()
        self.comparison.leave()
        self._layout = layout
        self._refused.discard((self.choice.key, layout))
        self.read()

    def read(self) -> None:
        """Read the map anew."""
        self._again.stop()
        self._stale = False
        if self.session.library is None:
            self._say("No library is open.")
        elif self.stage is None:
            if not self._loading.running:
                self.session.look(self._loading, "Load the drawing", lambda _ctx: _import_stage())
        elif not self.making.running and not self.comparison.on:
            self.session.read(
                self._reading, "Read the map", partial(_gather, self.choice, self._layout)
            )

    def _loaded(self, _nothing: object) -> None:
        from litscape_app.window.map.stage import Stage

        self.stage = Stage(self)
        self._row.insertWidget(0, self.stage, 1)
        for one, other in ((self.place, self.stage.canvas), (self.stage.canvas, self.legend.by)):
            QWidget.setTabOrder(one, other)
        for name in _LETTERS:
            self.stage.canvas.addAction(self._actions[name])
        QTimer.singleShot(0, self.read)

    # -- showing -------------------------------------------------------------------------------

    def _show(self, picture: Picture) -> None:
        self.picture = picture
        if picture.missing is not None:
            self._none(picture.missing)
            return
        if self.stage is None:
            return
        layout = picture.layout
        if layout is not None:
            self.bar.layouts.choose(layout.layout)
        self._switch.show_part(self._map)
        if self._to_canvas:
            self.stage.canvas.setFocus()
        self._to_canvas = False
        self.stage.show_picture(picture)
        self.time.set_years(picture.years)
        self._tell(picture)
        self.recolour()
        self._go_on(picture)
        self.making.expect()

    def _go_on(self, picture: Picture) -> None:
        """Make what is missing the first time that it is looked at: the map, and its topics."""
        wanted = self._layout or "umap"
        fresh, self._fresh = self._fresh, False
        if picture.layout is None:
            self.bar.layouts.choose(wanted)
            # A map of the first papers alone would have to be made again.
            waits = self.desk.similarity.running
            if not waits and (self.choice.key, wanted) not in self._refused:
                self.making.make(self.choice, wanted)
        elif fresh and not picture.names and len(picture.ids) >= _LEAST_TOPICS:
            self.making.find_topics(self.choice, asked=False)

    def _tell(self, picture: Picture) -> None:
        self.bar.show_scope(self.choice, len(picture.ids))
        said, offer = told_of(picture, waits=self.desk.similarity.running)
        self.said.say(said)
        self.told.setVisible(bool(said))
        self.place.setText(offer)
        self.place.setVisible(bool(offer))

    def _none(self, sentence: str) -> None:
        self._say(sentence)
        library = self.desk.table.listing
        papers = library is not None and library.scope_count > 0
        similarity = self.desk.similarity
        self.compute.setVisible(papers and similarity.standing.total > 0 and not similarity.running)

    def _say(self, text: str) -> None:
        self.state.say(text, "")
        self.compute.hide()
        self._switch.show_part(self._empty)

    def _failed(self, error: BaseException) -> None:
        self.tell(error, "Map")
        if self.picture is None:
            self._say("The map could not be read.")

    # -- colours -------------------------------------------------------------------------------

    def colour_by(self, by: str) -> None:
        """Colour by something else."""
        self._by = by
        self.recolour()

    def recolour(self) -> None:
        """Read the values that papers are coloured by: topics, or what there is without them."""
        from litscape.maps.colouring import Asked, colouring

        picture, request = self.picture, self.desk.table.request
        if picture is None or not len(picture.ids):
            return
        by = self._by or picture.by
        scope = None if picture.scope.ids is None else picture.scope.title
        asked = Asked(by, picture.ids, scope, request.query, request.mode, picture.xy)
        self.session.read(
            self._colouring, "Colour the map", lambda library, ctx: colouring(library, asked, ctx)
        )

    def _coloured(self, found: Colouring) -> None:
        picture = self.picture
        if picture is None or self.stage is None or len(found.of) != len(picture.ids):
            return
        self.colours = found
        self.legend.show_colouring(found)
        without = found.by in ("topic", "none") and not picture.names and not self.making.running
        self.legend.find_topics.setVisible(without)
        self.stage.repaint_points()

    # -- making --------------------------------------------------------------------------------

    def _make_again(self) -> None:
        layout = self.bar.layouts.choice
        self._layout = layout
        seed = 0
        if self.picture is not None and self.picture.layout is not None:
            seed = self.picture.layout.seed
        self.making.make(self.choice, layout, seed)

    def _place_new(self) -> None:
        if self.picture is None or self.picture.layout is None:
            return
        if not self.picture.unplaced:
            self._make_again()
        else:
            self.making.place_new(self.picture.layout.key)

    def _refine(self, found: PartialMap) -> None:
        from litscape_app.window.map.points import Points

        if self.picture is None or self.stage is None:
            return
        if np.array_equal(found.ids, self.picture.ids):
            self.stage.move_points(found.xy, fit=self.stage.canvas.fitted)
        else:
            self.stage.show_points(Points(found.ids, found.xy))

    def _made(self, made: object) -> None:
        """It is read as any stored map is, with what goes with it."""
        from litscape.maps.records import MapLayout

        self.problem.hide()
        self._fresh = isinstance(made, MapLayout)
        # Topics, and the hues that they have on the map, show in other parts of the window too.
        self.session.refreshed.emit()
        QTimer.singleShot(0, self.read)

    def _not_made(self, error: BaseException) -> None:
        self._refused.add((self.choice.key, self.bar.layouts.choice))
        name = NAMES.get(self.bar.layouts.choice, "")
        self.tell(error, f"{name} map", Offer("Try again", self.making.again))

    def _left(self) -> None:
        """What was begun is not wanted: the last map stays, and nothing is begun again unasked."""
        self._refused.add((self.choice.key, self.bar.layouts.choice))
        self._layout = None
        QTimer.singleShot(0, self.read)

    def _export(self) -> None:
        from litscape_app.window.map.exporting import ask_and_export

        by = self.colours.by if self.colours is not None else ""
        layout = self.picture.layout if self.picture is not None else None
        ask_and_export(self.desk, layout, "" if by in ("topic", "score") else by)

    # -- places for others ---------------------------------------------------------------------

    def put_beside(self, part: QWidget) -> None:
        """Give a widget its place at the right of the map."""
        self._row.addWidget(part)

    def put_above(self, part: QWidget) -> None:
        """Give a widget its place above the map."""
        self.body.insertWidget(self.body.indexOf(self._switch), part)


def _import_stage() -> None:
    pyqtgraph = importlib.import_module("pyqtgraph")
    # Its own tidying up at the end would touch parts of the window that are gone.
    pyqtgraph.setConfigOptions(exitCleanup=False)
    importlib.import_module("litscape_app.window.map.stage")


def _gather(choice: Choice, layout: str | None, library: Library, ctx: JobContext) -> Picture:
    from litscape_app.window.map.gathering import gather

    stays = choice.flt is not None
    return gather(library, ctx, choice.resolve(library), layout, stays=stays)
