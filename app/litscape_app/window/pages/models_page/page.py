"""The page of models: which there are, which is in use, and how to get others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.models_page.adding import AddModel
from litscape_app.window.pages.models_page.offers import ModelOffer, last_pace, read_offers
from litscape_app.window.pages.models_page.row import ModelRow
from litscape_app.window.pages.page_frame import PageFrame, Sentence, scrolled
from litscape_app.window.widgets.basics import clear, label, vertical

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.paper import LibraryChanges
    from litscape_app.actions.command import Desk

_WAIT_MS = 100


class ModelsPage(PageFrame):
    """Switching asks first, with the time it takes; the way back is always there."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Models")
        self.rows: list[ModelRow] = []
        self.none = Sentence("Open a library first: each library has its own model.")
        intro = label(
            "A model turns the title and abstract of each paper into a vector; papers with near "
            "vectors are similar. Everything is computed on this computer.",
            "muted",
            wrap=True,
        )
        self._list = QWidget()
        self._column = vertical(self._list, spacing=8)
        self.adding = AddModel(self.session)
        self.body.addWidget(scrolled(intro, 4, self.none, self._list, 12, self.adding), 1)
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._fill)
        self._slot.failed.connect(self.tell)
        self.adding.added.connect(self._added)
        self.adding.refused.connect(lambda error: self.tell(error, "Adding a model"))
        self.session.opened.connect(self._opened)
        self.desk.similarity.moved.connect(lambda _standing: self._refresh_soon())
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(1000)
        self._soon.timeout.connect(self.read)
        self._wanted = ""
        self._idle = QTimer(self)
        self._idle.setInterval(_WAIT_MS)
        self._idle.timeout.connect(self._switch_when_idle)

    def read(self) -> None:
        """Read which models there are."""
        if self.session.library is None or not self.isVisible():
            return
        pace = last_pace(self.session.jobs.entries)
        self.session.read(
            self._slot, "Read models", lambda library, _ctx: read_offers(library, pace)
        )

    def _refresh_soon(self) -> None:
        asking = any(row.question.isVisible() for row in self.rows)
        if self.isVisible() and not asking and not self._soon.isActive():
            self._soon.start()

    def _fill(self, offers: tuple[ModelOffer, ...]) -> None:
        library = self.session.library
        if library is None or offers == tuple(row.offer for row in self.rows):
            return
        focused = next((row.offer.card.version for row in self.rows if row.use.hasFocus()), "")
        clear(self._column)
        self.rows = [ModelRow(self.theme, one, library.database.read_only) for one in offers]
        for row in self.rows:
            row.wanted.connect(self._switch)
            self._column.addWidget(row)
            if row.offer.card.version == focused:
                row.use.setFocus()

    def _opened(self) -> None:
        self.problem.hide()
        self._idle.stop()
        self._wanted = ""
        self.none.setVisible(self.session.library is None)
        clear(self._column)
        self.rows = []
        self.adding.refresh()
        self.read()

    # -- acting ----------------------------------------------------------------------------------

    def _added(self, card: ModelCard) -> None:
        self.problem.hide()
        self.session.say(f"{card.name} can be used now.")
        self.read()

    def _switch(self, version: str) -> None:
        self._wanted = version
        # What is being computed for the old model ends first; its vectors so far are kept.
        self.desk.similarity.pause()
        self._idle.start()

    def _switch_when_idle(self) -> None:
        if self.desk.similarity.running:
            return
        self._idle.stop()
        version = self._wanted

        def activate(library: Library) -> LibraryChanges:
            from litscape.paper import LibraryChanges

            library.models.activate(version)
            return LibraryChanges()

        self.session.write("Switch the model", activate, done=lambda _changes: self._switched())

    def _switched(self) -> None:
        self.problem.hide()
        self.desk.similarity.resume()
        self.read()

    def showEvent(self, event: QShowEvent) -> None:
        """What is there may have changed."""
        super().showEvent(event)
        self.none.setVisible(self.session.library is None)
        self.adding.refresh()
        self.read()
