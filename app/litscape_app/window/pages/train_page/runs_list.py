"""The runs of this library beside the steps: one that goes on can be watched, a former one read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.page_frame import when
from litscape_app.window.pages.train_page.step_list import lay_along
from litscape_app.window.widgets.basics import clear, heading, tool_button, vertical
from litscape_app.window.widgets.flow import FlowLayout
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from litscape_app.window.session import Session
    from litscape_trainer.runs.records import RunState

_LOOK_MS = 3000
_SHOWN = 8
_WORDS = {
    "queued": "waits",
    "running": "at work",
    "paused": "paused",
    "interrupted": "broken off",
    "done": "done",
    "stopped": "stopped",
    "failed": "failed",
    "cancelled": "cancelled",
}


class RunsList(QWidget):
    """A button a run, newest first.

    Signals:
        chosen: the :class:`RunState` of the run that was clicked.
        read: the states of all runs, whenever they were read.
    """

    chosen = Signal(object)
    read = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName("Runs")
        self.states: tuple[RunState, ...] = ()
        self._inner = QWidget()
        self._column = FlowLayout(self._inner, gap=2)  # one a line in the narrow column
        self._title = heading(session.theme, "Runs")
        self._row = vertical(self, self._title, self._inner, spacing=4)
        self.set_narrow(False)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._title.hide()

    def look(self) -> None:
        """Read the runs as they are now."""
        if self._session.library is not None:
            self._session.read(
                self._slot, "Look at the runs", lambda library, _ctx: Training(library).runs()
            )

    def _show(self, states: tuple[RunState, ...]) -> None:
        named = [(state.id, state.status) for state in states]
        if named != [(state.id, state.status) for state in self.states]:
            clear(self._column)
            for state in states[:_SHOWN]:
                text = f"{when(state.made_at)}  {_WORDS[state.status]}"
                name = f"Run of {state.recipe}, {when(state.made_at)}: {_WORDS[state.status]}"
                button = tool_button(
                    self._session.theme, "", name, partial(self.chosen.emit, state), text=text
                )
                self._column.addWidget(button)
        self.states = states
        self._title.setVisible(bool(states))
        self.read.emit(states)

    def set_narrow(self, narrow: bool) -> None:
        """Lines of several, or a column."""
        lay_along(self, self._row, narrow=narrow)
        self._row.setStretch(1, int(narrow))

    def forget(self) -> None:
        """Another library has other runs."""
        self._slot.cancel()
        self._show(())

    def showEvent(self, event: QShowEvent) -> None:
        """Look now, and every few seconds."""
        super().showEvent(event)
        self.look()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not read."""
        super().hideEvent(event)
        self._timer.stop()
