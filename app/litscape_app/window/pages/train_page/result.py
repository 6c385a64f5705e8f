"""Last step: the verdict in one sentence, the figures, the queries, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHeaderView, QLayout, QWidget

from litscape_app.window.pages.page_frame import Sentence, list_table
from litscape_app.window.pages.train_page.figures import WIDTHS, ResultModel
from litscape_app.window.pages.train_page.looking import Outcome, outcome
from litscape_app.window.pages.train_page.queries import QueryLists
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.pages.train_page.telling import changes_in_words, spent
from litscape_app.window.widgets.basics import (
    heading,
    horizontal,
    label,
    push_button,
    restyle,
)
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from litscape_app.window.session import Session
    from litscape_trainer.runs.records import RunResult

_TONES = {"better": "good", "mixed": "warn", "worse": "bad", "no-change": "", "too-small": "warn"}
_TICK = "✓ marks papers that the query cites. Neither list was looked at in training."
_GONE = "The model that this run made was removed. Its figures stay."
_USED = "This model is in use. “Go back to the old one” finds the same neighbours as before."
_VIEWS = (
    ("change", "Old and new", "The model in use until now beside the new one"),
    ("others", "Beside others", "The new model beside its base and beside words alone"),
    ("both", "Words and meaning", "What search by words and meaning together finds"),
)
_FRAME = 4


class ResultStep(Step):
    """What came out; the new model is offered first only where it is proven better.

    Signals:
        use, keep, compare: the :class:`RunResult` whose model is to be used, left alone, or looked
            at beside the old one.
        topics, maps: the :class:`RunResult` whose topics or maps are to be compared.
        back: the model before is wanted again.
        ended: what is being made for a closer look is not wanted any more.
    """

    name = "Result"
    question = "Is the new model better?"
    use = Signal(object)
    keep = Signal(object)
    compare = Signal(object)
    topics = Signal(object)
    maps = Signal(object)
    back = Signal()
    ended = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Use this model")
        self.run: str | None = None
        self.result: RunResult | None = None
        self.verdict, self.changes, self.spent = Sentence(), Sentence(), Sentence()
        self.notes, self.state, self.making = Sentence(), Sentence(), Sentence()
        self.verdict.setFont(self.theme.font("body", bold=True))
        self.model = ResultModel(self.theme, self)
        self.table = list_table(self.model, "Figures", ())
        self.views = Segments(_VIEWS, "Figures shown")
        self.views.chosen.connect(self._choose)
        self.gained = QueryLists(self.theme, "Gained most")
        self.lost = QueryLists(self.theme, "Lost most")
        self.tick = label(_TICK, "muted", wrap=True)
        self.old = push_button("Keep the old one", lambda: self.keep.emit(self.result))
        self.before = push_button("Go back to the old one", self.back.emit)
        self.cancel = push_button("Cancel", self.ended.emit, name="Cancel drawing both maps")
        self.cancel.hide()
        self.closer = self._closer()
        self.closer_title = heading(self.theme, "Look closer")
        self.notes_title = heading(self.theme, "What to know")
        self.lay_out(
            self.verdict, self.state, self.changes, horizontal(None, self.views, 0), self.table,
            self.closer_title, self.closer, self._drawing(), self.tick, self.gained, self.lost,
            self.notes_title, self.spent, self.notes, beside=(self.old, self.before),
        )  # fmt: skip
        self.go.clicked.disconnect()
        self.go.clicked.connect(lambda _checked=False: self.use.emit(self.result))
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))
        self.forget()

    def _drawing(self) -> QLayout:
        """How far the drawing is, and what stops it: beside each other, so that both are seen."""
        row = horizontal(None, self.making, self.cancel, spacing=8)
        row.setStretch(0, 1)
        return row

    def _closer(self) -> QWidget:
        self.both = push_button(
            "Side by side", lambda: self.compare.emit(self.result),
            name="Neighbours of a paper by both models, side by side",
        )  # fmt: skip
        topics = push_button(
            "Topics before and after", lambda: self.topics.emit(self.result),
            name="Measure topic separation under both models",
        )  # fmt: skip
        maps = push_button(
            "Maps before and after", lambda: self.maps.emit(self.result),
            name="Draw all papers by both models and fade between the maps",
        )  # fmt: skip
        self.more = (self.both, topics, maps)
        return flowing(*self.more)

    def watch(self, run: str) -> None:
        """Show the result of a run."""
        self.run = run
        self._read()

    def enter(self) -> None:
        """The result as it is now."""
        self._read()

    def forget(self) -> None:
        """Nothing is shown."""
        self._slot.cancel()
        self.run = None
        self.making.say("")
        self.cancel.hide()
        self._show(Outcome(None))

    def _read(self) -> None:
        run = self.run
        if run is not None and self.session.library is not None:
            self.session.read(
                self._slot, "Read a result", lambda library, _ctx: outcome(library, run)
            )

    def _show(self, found: Outcome) -> None:
        result = self.result = found.result
        self.trouble.say("")
        self.model.show(result)
        rows = bool(self.model.rowCount())
        self.table.setVisible(rows)
        self.views.setVisible(rows)
        self.notes_title.setVisible(result is not None)
        self.gained.show_queries(result.gained if result is not None else ())
        self.lost.show_queries(result.lost if result is not None else ())
        self._offer(found)
        if result is None:
            self.verdict.say("There is no result yet." if self.run else "")
            for part in (self.spent, self.notes, self.changes, self.state):
                part.say("")
            self.tick.hide()
            return
        self.verdict.say(result.sentence, _TONES[result.verdict])
        self.changes.say(changes_in_words(result), "")
        self.spent.say(spent(result))
        self.notes.say("\n".join(result.notes))
        self.tick.setVisible(bool(result.gained or result.lost))
        self._choose(self.model.view)

    def _choose(self, view: str) -> None:
        """Show other columns; the name takes what they leave."""
        self.model.choose(view)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place, width in enumerate(WIDTHS[view], 1):
            header.resizeSection(place, width)
        rows = self.model.rowCount() * self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header.sizeHint().height() + rows + _FRAME)
        self.settle()

    def _offer(self, found: Outcome) -> None:
        """The button that stands out is the one that the figures speak for."""
        result = found.result
        made = result is not None and result.version is not None
        proven = result is not None and result.verdict == "better"
        for button, first in ((self.go, proven), (self.old, not proven)):
            button.setProperty("kind", "primary" if first else "")
            restyle(button)
            button.setVisible(made and found.there and not found.used)
            button.setEnabled(not found.locked)
        self.before.setVisible(found.used and not found.locked)
        for part in (*self.more, self.closer, self.closer_title):
            part.setVisible(made and found.there)
        if made and not found.there:
            self.state.say(_GONE)
        else:
            self.state.say(_USED if made and found.used else "", "good")
