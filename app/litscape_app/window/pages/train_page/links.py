"""First step: which links the library has to learn from, and whether they are enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from litscape.apart import run_apart
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.pages.train_page.step import Step
from litscape_app.window.widgets.basics import clear, label, push_button

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.window.session import Session
    from litscape_trainer.runs.records import Survey

_COUNTING = "Counting papers, links and what can be held out …"


class LinksStep(Step):
    """Counts per source, papers with abstracts, queries that can be held out, the way forward.

    Signals:
        counted: a :class:`Survey` was read.
        fetch: references are to be looked up.
    """

    name = "Links you have"
    question = "What does your library say about which papers belong together?"
    counted = Signal(object)
    fetch = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Choose what to learn from")
        self.survey: Survey | None = None
        self.said = Sentence(_COUNTING)
        self.table = QWidget()
        self._grid = QGridLayout(self.table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.held = Sentence()
        self.more = push_button("Look up references…", self.fetch.emit)
        self.lay_out(self.said, self.table, self.held, beside=(self.more,))
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: self.trouble.say(str(error), "bad"))
        self.forget()

    def enter(self) -> None:
        """Count, unless that was done for this library."""
        if self.survey is None and self.session.library is not None:
            self.said.say(_COUNTING)
            self.session.read(self._slot, "Count what can be learned from", _survey)

    def forget(self) -> None:
        """Nothing is counted yet."""
        self.survey = None
        self._slot.cancel()
        self.trouble.say("")
        self.held.say("")
        clear(self._grid)
        self.table.hide()
        self.go.setEnabled(False)
        self.more.hide()

    def _show(self, survey: Survey) -> None:
        self.survey = survey
        self.trouble.say("")
        clear(self._grid)
        rows = [
            ("Papers", survey.papers),
            ("Papers with an abstract", survey.abstracts),
            *((name[:1].upper() + name[1:], number) for name, number in survey.sources.items()),
        ]
        for row, (name, number) in enumerate(rows):
            figure = label(f"{number:,}", "" if number else "muted")
            self._grid.addWidget(figure, row, 0, Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(label(name, "" if number else "muted"), row, 1)
        self.table.show()
        self.said.say(survey.sentence, "" if survey.enough else "warn")
        self.held.say(
            f"Another {survey.dev_queries:,} queries say during training which version of the "
            "model is kept; those that judge are asked once, at the end."
            if survey.test_queries
            else ""
        )
        self.more.setVisible(not survey.enough)
        self.go.setEnabled(survey.abstracts > 0)
        self.counted.emit(survey)


def _survey(library: Library, ctx: JobContext) -> Survey:
    from litscape_trainer.tasks import survey

    return run_apart(library, survey, ctx)
