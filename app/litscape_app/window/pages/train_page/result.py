"""Last step: the verdict in one sentence, the figures, the queries, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from litscape_app.window.pages.page_frame import Sentence, list_table
from litscape_app.window.pages.train_page.figures import WIDTHS, ResultModel
from litscape_app.window.pages.train_page.queries import QueryLists
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import label, push_button, restyle
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from litscape_app.window.session import Session
    from litscape_trainer.runs.records import RunResult

_TONES = {"better": "good", "mixed": "warn", "worse": "bad", "no-change": "", "too-small": "warn"}
_TICK = "✓ marks papers that the query cites. Neither list was looked at in training."
_FRAME = 4


class ResultStep(Step):
    """What came out; the new model is offered first only where it is proven better.

    Signals:
        use, keep, compare: the :class:`RunResult` whose model is to be used, removed, or looked at
            beside the old one.
    """

    name = "Result"
    question = "Is the new model better?"
    use = Signal(object)
    keep = Signal(object)
    compare = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Use this model")
        self.run: str | None = None
        self.result: RunResult | None = None
        self.verdict, self.spent, self.notes = Sentence(), Sentence(), Sentence()
        self.verdict.setFont(self.theme.font("body", bold=True))
        self.model = ResultModel(self.theme, self)
        self.table = list_table(self.model, "Figures", WIDTHS)
        self.gained = QueryLists(self.theme, "Gained most")
        self.lost = QueryLists(self.theme, "Lost most")
        self.tick = label(_TICK, "muted", wrap=True)
        self.old = push_button("Keep the old one", lambda: self.keep.emit(self.result))
        self.both = push_button("Side by side", lambda: self.compare.emit(self.result))
        self.lay_out(
            self.verdict, self.spent, self.table, self.notes, self.tick, self.gained, self.lost,
            beside=(self.both, self.old),
        )  # fmt: skip
        self.go.clicked.disconnect()
        self.go.clicked.connect(lambda _checked=False: self.use.emit(self.result))
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))
        self.forget()

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
        self._show(None)

    def _read(self) -> None:
        run = self.run
        if run is not None and self.session.library is not None:
            self.session.read(
                self._slot, "Read a result", lambda library, _ctx: Training(library).result(run)
            )

    def _show(self, result: RunResult | None) -> None:
        self.result = result
        there = result is not None
        for part in (self.table, self.tick, self.both, self.old, self.go):
            part.setVisible(there)
        self.model.show(result)
        self.gained.show_queries(result.gained if result is not None else ())
        self.lost.show_queries(result.lost if result is not None else ())
        if result is None:
            self.verdict.say("There is no result yet." if self.run else "")
            self.spent.say("")
            self.notes.say("")
            return
        self.verdict.say(result.sentence, _TONES[result.verdict])
        self.spent.say(_spent(result))
        self.notes.say("\n".join(result.notes))
        self._offer(result)
        rows = self.model.rowCount() * self.table.verticalHeader().defaultSectionSize()
        head = self.table.horizontalHeader().sizeHint().height()
        bar = self.table.horizontalScrollBar().sizeHint().height()
        self.table.setFixedHeight(head + rows + bar + _FRAME)
        self.table.setVisible(bool(rows))
        self.tick.setVisible(bool(result.gained or result.lost))

    def _offer(self, result: RunResult) -> None:
        """The button that stands out is the one that the figures speak for."""
        made = result.version is not None
        proven = result.verdict == "better"
        for button, first in ((self.go, proven), (self.old, not proven)):
            button.setProperty("kind", "primary" if first else "")
            restyle(button)
        for button in (self.go, self.old, self.both):
            button.setVisible(made)


def _spent(result: RunResult) -> str:
    parts = [f"Held out {result.split}"] if result.split else []
    parts.append(f"{result.steps:,} steps in {result.seconds / 60:.1f} minutes")
    if result.peak_mb:
        parts.append(f"at most {result.peak_mb:,.0f} MB")
    if result.joules:
        parts.append(f"{result.joules / 3600:.1f} Wh")
    return " · ".join(parts)
