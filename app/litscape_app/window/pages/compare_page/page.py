"""Models side by side: the chosen paper, and whom each model puts beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.compare_page.column import ModelColumn
from litscape_app.window.pages.page_frame import PageFrame, Sentence, scroll_area
from litscape_app.window.widgets.basics import ground, horizontal, label, vertical
from litscape_app.window.words import told_apart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QShowEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.models.comparing import Beside
    from litscape.paper import PaperId, PaperRow
    from litscape_app.actions.command import Desk

_CHOOSE = "Choose a paper in the list (Esc goes there), then come back: it stays chosen."
_ABOUT = "Bold: found by this model alone."


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown: models to choose from, the paper, and both lists."""

    cards: tuple[ModelCard, ...]
    active: str
    beside: Beside | None
    rows: Mapping[PaperId, PaperRow]


class ComparePage(PageFrame):
    """Reads vectors alone, so that no model runs."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Models side by side")
        self.paper: PaperId | None = None
        self.asked = label("", wrap=True, select=True)
        self.asked.setFont(self.theme.font("body", bold=True))
        self.said, self.about = Sentence(_CHOOSE), Sentence(_ABOUT)
        self.first = ModelColumn(self.theme, "First model")
        self.second = ModelColumn(self.theme, "Second model")
        inner = QWidget()
        ground(inner, "reading")
        sides = horizontal(inner, self.first, self.second, spacing=24)
        sides.setStretch(0, 1)
        sides.setStretch(1, 1)
        self.body.addLayout(vertical(None, self.asked, self.said, self.about, spacing=4))
        self.body.addWidget(scroll_area(inner), 1)
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self.tell)
        for column in (self.first, self.second):
            column.model.activated.connect(lambda _row: self.read())
            column.opened.connect(self._look_at)
        self.session.selected.connect(self._follow)
        self.session.opened.connect(self._forget)
        self._wanted = ""

    def compare(self, version: str) -> None:
        """Put a version beside the one in use."""
        self._wanted = version
        self.read()

    def read(self) -> None:
        """Read both lists anew."""
        if self.session.library is None or not self.isVisible():
            return
        paper, first, second = self.paper, self.first.version, self._wanted or self.second.version

        def fetch(library: Library, _ctx: JobContext) -> Shown:
            return _shown(library, paper, first, second)

        self.session.read(self._slot, "Compare two models", fetch)

    def _show(self, shown: Shown) -> None:
        self.problem.hide()
        cards, titles = shown.cards, told_apart(shown.cards)
        wanted = self._wanted or self.second.version
        self._wanted = ""
        first = self.first.version or shown.active
        second = wanted or next((c.version for c in cards if c.version != first), first)
        for column, version in ((self.first, first), (self.second, second)):
            column.model.clear()
            for card in cards:
                name = titles[card.version]
                use = " (in use)" if card.version == shown.active else ""
                column.model.addItem(f"{name}{use}", card.version)
            column.model.setCurrentIndex(max(0, column.model.findData(version)))
        beside = shown.beside
        row = shown.rows.get(beside.paper) if beside is not None else None
        self.asked.setText((row.title or "No title") if row is not None else "")
        self.said.say("" if row is not None else _CHOOSE)
        self.about.setVisible(row is not None)
        shared: frozenset[PaperId] = frozenset()
        if beside is not None:
            one, other = ({paper for paper, _ in side} for side in (beside.first, beside.second))
            shared = frozenset(one & other)
        self.first.show_list(beside.first if beside else (), shown.rows, shared)
        self.second.show_list(beside.second if beside else (), shown.rows, shared)
        for column in (self.first, self.second):
            column.said.setVisible(beside is not None and bool(column.said.text()))

    def _follow(self, ids: tuple[PaperId, ...]) -> None:
        self.paper = ids[0] if ids else None
        self.read()

    def _look_at(self, paper: PaperId) -> None:
        """Choose a paper of a list: it is read at the right, and its own lists follow."""
        self.session.select((paper,))

    def _forget(self) -> None:
        self._slot.cancel()
        self.paper, self._wanted = None, ""
        for column in (self.first, self.second):
            column.model.clear()
            column.show_list((), {}, frozenset())
            column.said.hide()
        self.asked.setText("")

    def showEvent(self, event: QShowEvent) -> None:
        """The paper that is chosen now."""
        super().showEvent(event)
        self.paper = self.session.selection[0] if self.session.selection else None
        self.read()


def _shown(library: Library, paper: PaperId | None, first: str, second: str) -> Shown:
    from litscape.models.comparing import beside

    cards = library.models.available()
    active = library.models.active_version()
    known = [card.version for card in cards]
    one = first if first in known else active
    two = second if second in known else next((v for v in known if v != one), one)
    found = beside(library, paper, one, two) if paper is not None else None
    rows: dict[PaperId, PaperRow] = {}
    if found is not None:
        ids = {found.paper, *(p for p, _ in found.first), *(p for p, _ in found.second)}
        rows = {row.id: row for row in library.papers.rows(ids)}
    return Shown(tuple(cards), active, found, rows)
