"""The page of models: which there are, which is in use, and how to get others."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.models_page.acting import ModelActs
from litscape_app.window.pages.models_page.adding import AddModel
from litscape_app.window.pages.models_page.card_view import read_card
from litscape_app.window.pages.models_page.offers import ModelOffer, last_pace, read_offers
from litscape_app.window.pages.models_page.row import ModelRow
from litscape_app.window.pages.page_frame import PageFrame, Sentence, scrolled
from litscape_app.window.widgets.basics import clear, horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.models.card import ModelCard
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.compare_page.page import ComparePage

_BACK = "The model that was in use before: its vectors are kept, so the same papers are near again"


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
        self.said = Sentence("", "")
        self.back = push_button("Go back to the model before", self.desk.switching.roll_back)
        self.tune = push_button("Fine-tune on your library…", lambda: desk.show_page("train"))
        self.back.hide()
        line = horizontal(None, self.tune, self.back, 0)
        self.body.addWidget(
            scrolled(intro, line, 4, self.none, self.said, self._list, 12, self.adding), 1
        )
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._fill)
        self._slot.failed.connect(self.tell)
        self._cards = self.session.slot(self)
        self._cards.done.connect(self._show_card)
        self._cards.failed.connect(self.tell)
        self.adding.added.connect(self._added)
        self.adding.refused.connect(lambda error: self.tell(error, "Adding a model"))
        self.session.opened.connect(self._opened)
        self.desk.similarity.moved.connect(lambda _standing: self._refresh_soon())
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(1000)
        self._soon.timeout.connect(self.read)
        self.desk.switching.ended.connect(self._switched)
        self.acting = ModelActs(self.session, self)
        self.acting.said.connect(self.said.say)
        self.acting.refused.connect(self.tell)
        self.acting.changed.connect(self.read)
        self.adding.wanted.connect(self.acting.choose_import)

    def read(self) -> None:
        """Read which models there are."""
        if self.session.library is None or not self.isVisible():
            return
        pace = last_pace(self.session.jobs.entries)
        self.session.read(
            self._slot, "Read models",
            lambda library, _ctx: (read_offers(library, pace), library.models.former()),
        )  # fmt: skip

    def _refresh_soon(self) -> None:
        asking = any(row.question.isVisible() for row in self.rows)
        if self.isVisible() and not asking and not self._soon.isActive():
            self._soon.start()

    def _fill(self, found: tuple[tuple[ModelOffer, ...], ModelCard | None]) -> None:
        offers, former = found
        library = self.session.library
        locked = library is None or library.database.read_only
        self.back.setVisible(former is not None)
        self.back.setEnabled(not locked and not self.desk.switching.busy)
        if former is not None:
            self.back.setText(f"Go back to {former.name}")
            self.back.setToolTip(_BACK)
        if library is None or offers == tuple(row.offer for row in self.rows):
            return
        focused = next((row.offer.card.version for row in self.rows if row.use.hasFocus()), "")
        read = {row.offer.card.version for row in self.rows if row.card is not None}
        clear(self._column)
        self.rows = [
            ModelRow(self.theme, one, locked, [other for other in offers if other is not one])
            for one in offers
        ]
        for row in self.rows:
            row.wanted.connect(self._switch)
            row.asked.connect(self._act)
            row.compared.connect(self.acting.compare)
            self._column.addWidget(row)
            if row.offer.card.version == focused:
                row.use.setFocus()
            if row.offer.card.version in read:
                self._read_card(row.offer.card.version)

    def _opened(self) -> None:
        self.problem.hide()
        self.back.hide()
        self.said.say("")
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

    def _act(self, what: str, version: str) -> None:
        if what == "card":
            self._read_card(version)
        elif what == "beside":
            page = cast("ComparePage", self.desk.page("compare"))
            self.desk.show_page("compare", again=True)
            page.compare(version)
        else:
            self.acting.act(what, version)

    def _read_card(self, version: str) -> None:
        self.session.read(
            self._cards, "Read a model card",
            lambda library, _ctx: (version, read_card(library.models.find(version))),
        )  # fmt: skip

    def _show_card(self, found: tuple[str, str]) -> None:
        version, text = found
        for row in self.rows:
            if row.offer.card.version == version:
                row.show_card(text)

    def _switch(self, version: str) -> None:
        self.said.say("")
        self.desk.switching.use(version)

    def _switched(self, error: BaseException | None) -> None:
        if error is not None:
            self.tell(error, "Change the model")
        else:
            self.problem.hide()
        self.read()

    def showEvent(self, event: QShowEvent) -> None:
        """What is there may have changed."""
        super().showEvent(event)
        self.none.setVisible(self.session.library is None)
        self.adding.refresh()
        self.read()
