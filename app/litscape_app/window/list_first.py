"""Lets the list of papers come first when a library opens; what else is read waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from litscape_app.qtjobs import JobSlot

if TYPE_CHECKING:
    from litscape.jobs.runners import JobHandle, Runner
    from litscape_app.qtjobs import Dispatcher

_PAINT_MS = 10
"""From the answer that is waited for until others start: the list is painted in between."""


class ListFirst(QObject):
    """A runner that holds jobs back from the opening of a library until its list is there."""

    def __init__(self, runner: Runner, dispatcher: Dispatcher, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._dispatcher = runner, dispatcher
        self._first: list[JobSlot] = []
        self._held: list[JobHandle[Any]] = []
        self._holding = False
        self._release = QTimer(self)
        self._release.setSingleShot(True)
        self._release.setInterval(_PAINT_MS)
        self._release.timeout.connect(self.let_go)

    def first_slot(self, parent: QObject) -> JobSlot:
        """A place for reads that nothing is held against, and that the others wait for."""
        slot = JobSlot(self._runner, self._dispatcher, parent)
        slot.busy.connect(self._moved)
        self._first.append(slot)
        return slot

    def start(self, handle: JobHandle[Any]) -> JobHandle[Any]:
        """Start the job, or keep it until what comes first is there."""
        if self._holding:
            self._held.append(handle)
            return handle
        return self._runner.start(handle)

    def hold(self) -> None:
        """Keep what is started from now on."""
        self._release.stop()
        self._holding = True

    def settle(self) -> None:
        """Let go unless a place that comes first is at work; it is waited for then."""
        if not any(slot.running for slot in self._first):
            self.let_go()

    def let_go(self) -> None:
        """Start what was kept, in its order; what was cancelled meanwhile ends at once."""
        self._release.stop()
        self._holding = False
        held, self._held = self._held, []
        for handle in held:
            self._runner.start(handle)

    def drop(self) -> None:
        """Cancel what was kept: its library is closed."""
        for handle in self._held:
            handle.cancel()
        self.let_go()

    def _moved(self, busy: bool) -> None:
        if self._holding and not busy and not any(slot.running for slot in self._first):
            self._release.start()
