"""The citation view as a page of the middle: what it is about, its legend, its limits."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget

from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.network_page.gathering import Network
    from litscape_app.window.pages.network_page.plot import NetworkPlot

_LIMITS = (
    ("200", "200 papers", "Draw the 200 papers that matter most"),
    ("2000", "2,000 papers", "Draw up to 2,000 papers"),
)
_LEGEND = (
    ("●", "accent", "chosen", "chosen"),
    ("●", "good", "cited by it", "cited by them"),
    ("●", "warn", "cites it", "cites them"),
    ("○", "muted", "cited together with it", ""),
)
"""Mark, colour, and words where one paper is chosen or several."""
_REFRESH_MS = 300
_TITLE, _END = 100, "\n"


class NetworkPage(PageFrame):
    """Follows the chosen papers; what is clicked in it becomes the chosen paper everywhere."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Citation view")
        self.limits = Segments(_LIMITS, "How many papers are drawn")
        self.centre = push_button("Show the citations of this paper", self._centre)
        self.whole = push_button("Show all", self._fit)
        self.whole.setToolTip("Bring all of the drawing into view (0)")
        self.said = Sentence("", "muted")
        self.state = Sentence("", "")
        self.fill = push_button("What brings citations…", lambda: desk.show_page("citations"))
        empty = QWidget()
        vertical(empty, self.state, horizontal(None, self.fill, 0), 0)
        self.stage = QWidget()
        self._stage = vertical(self.stage)
        self._switch = Switch(empty, self.stage)
        self._empty = empty
        self._signs = [(label(sign, tone), label("", "muted")) for sign, tone, *_words in _LEGEND]
        self.legend = flowing(*(_pair(*pair) for pair in self._signs), gap=14)
        self.legend.setToolTip("Arrows go from the paper that cites to the one that is cited.")
        self.body.addWidget(flowing(self.limits, self.centre, self.whole))
        self.body.addWidget(self.said)
        self.body.addWidget(self._switch, 1)
        self.body.addWidget(self.legend)
        self.plot: NetworkPlot | None = None
        self.network: Network | None = None
        self.around: tuple[PaperId, ...] = ()
        self._awaited: PaperId | None = None
        self._stale = True
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self._failed)
        self._loading = self.session.slot(self)
        self._loading.done.connect(self._loaded)
        self._loading.failed.connect(self._failed)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_REFRESH_MS)
        self._again.timeout.connect(self._read)
        self._connect()
        self._say("Choose a paper, or several, to see who cites whom.")

    def _connect(self) -> None:
        session = self.session
        self.limits.chosen.connect(lambda _key: self._read())
        session.selected.connect(self._selected)
        session.changed.connect(lambda _changes: self._later())
        session.refreshed.connect(self._later)
        session.opened.connect(self._opened)

    # -- reading ---------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what was chosen meanwhile."""
        super().showEvent(event)
        if self._stale:
            self._follow(self.session.selection)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard is for the drawing."""
        super().focusInEvent(event)
        if self.plot is not None and self.plot.isVisible():
            self.plot.setFocus()

    def _opened(self) -> None:
        self.around, self.network, self._awaited = (), None, None
        self._selected(())

    def _later(self) -> None:
        self._stale = True
        if self.isVisible():
            self._again.start()

    def _selected(self, ids: tuple[PaperId, ...]) -> None:
        if not self.isVisible():
            self._stale = True
        elif len(ids) == 1 and ids[0] == self._awaited:
            self._mark(ids[0])
        else:
            self._follow(ids)

    def _follow(self, ids: tuple[PaperId, ...]) -> None:
        """Draw what is around other papers."""
        self._awaited = None
        self.around = ids
        self._read()

    def _read(self) -> None:
        self._again.stop()
        self._stale = False
        ids, session = self.around, self.session
        if session.library is None:
            self._say("No library is open.")
        elif not ids:
            self._slot.cancel()
            self._say("Choose a paper, or several, to see who cites whom.")
        elif self.plot is None:
            if not self._loading.running:
                self._load()
        else:
            most = int(self.limits.choice)
            if self.network is None:
                self._say("Reading citations …")

            session.read(self._slot, "Draw citations", partial(_gather, ids, most))

    def _load(self) -> None:
        """Import what draws, which takes longer than a frame, beside the window."""
        self._say("Reading citations …")
        self.session.look(self._loading, "Load the drawing", lambda _ctx: _import_plot())

    def _loaded(self, _nothing: object) -> None:
        from litscape_app.window.pages.network_page.plot import NetworkPlot

        self.plot = NetworkPlot(self.theme)
        self.plot.picked.connect(self._pick)
        self.plot.opened.connect(self._open)
        self._stage.addWidget(self.plot, 1)
        QTimer.singleShot(0, self._read)

    # -- showing ---------------------------------------------------------------------------------

    def _show(self, network: Network) -> None:
        self.network = network
        if not network.linked:
            self._say(_none(network, len(self.around)), fill=True)
            return
        plot, held = self.plot, self.hasFocus()
        if plot is None:
            return
        plot.show_network(network)
        self._switch.show_part(self.stage)
        for part in (self.legend, self.whole, self.limits, self.centre):
            part.show()
        self.said.say(_told(network))
        for (sign, words), (_sign, _tone, one, several) in zip(self._signs, _LEGEND, strict=True):
            words.setText(one if len(network.chosen) == 1 else several)
            sign.setVisible(bool(words.text()))
        self._mark(self._awaited)
        if held:
            plot.setFocus()

    def _say(self, text: str, *, fill: bool = False) -> None:
        self.state.say(text, "")
        self.fill.setVisible(fill)
        self.said.say("")
        for part in (self.legend, self.whole, self.limits, self.centre):
            part.hide()
        self._switch.show_part(self._empty)

    def _failed(self, error: BaseException) -> None:
        self.tell(error, "Draw citations")

    def _fit(self) -> None:
        if self.plot is not None:
            self.plot.fit()

    def _mark(self, paper: PaperId | None) -> None:
        plot = self.plot
        if plot is None:
            return
        number = plot.number_of(paper) if paper is not None else None
        plot.mark(number)
        self.centre.setEnabled(number is not None and (paper,) != self.around)

    # -- choosing --------------------------------------------------------------------------------

    def _pick(self, number: int) -> None:
        """A paper of the drawing becomes the chosen one; the drawing stays."""
        if self.network is None:
            return
        paper = int(self.network.ids[number])
        self._awaited = paper
        self._mark(paper)
        # The list brings it into view, and tells all other parts of the window.
        self.desk.table.go_to(paper)

    def _open(self, number: int) -> None:
        """Draw what is around a paper of the drawing."""
        if self.network is not None:
            paper = int(self.network.ids[number])
            self.desk.table.go_to(paper)
            self._follow((paper,))

    def _centre(self) -> None:
        if self._awaited is not None:
            self._follow((self._awaited,))


def _pair(sign: QLabel, words: QLabel) -> QWidget:
    """A mark of the legend and what it means."""
    pair = QWidget()
    horizontal(pair, sign, words, spacing=4)
    return pair


def _import_plot() -> None:
    pyqtgraph = importlib.import_module("pyqtgraph")
    # Its own tidying up at the end would touch parts of the window that are gone.
    pyqtgraph.setConfigOptions(exitCleanup=False)
    importlib.import_module("litscape_app.window.pages.network_page.plot")


def _gather(ids: tuple[PaperId, ...], most: int, library: Library, ctx: JobContext) -> Network:
    from litscape_app.window.pages.network_page.gathering import gather

    return gather(library, ids, most, ctx)


def _told(network: Network) -> str:
    """What is drawn, and what is not."""
    drawn = len(network)
    if len(network.chosen) == 1:
        around = f"around “{shorten(network.titles[0].partition(_END)[0], _TITLE)}”"
    else:
        around = f"around {count(len(network.chosen), 'chosen paper')}"
    links = f"{count(len(network.links), 'link')} between them"
    if drawn < network.there:
        text = (
            f"Showing the {drawn:,} most cited of {network.there:,} papers {around}, and {links}."
        )
    else:
        text = f"{count(drawn, 'paper')} {around}, and {links}."
    if network.hidden_links:
        text += f" {network.hidden_links:,} more links are not drawn."
    return text


def _none(network: Network, chosen: int) -> str:
    if chosen == 1 and len(network):
        title = network.titles[0].partition(_END)[0]
        return (
            f"No paper of this library cites “{shorten(title, 100)}”, and nothing that it cites "
            "is in the library."
        )
    if chosen == 1:
        return "This paper is in the trash; citations of papers in the trash are not drawn."
    return f"None of these {chosen:,} papers cites, or is cited by, a paper of this library."
