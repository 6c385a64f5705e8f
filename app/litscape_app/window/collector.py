"""Python's search for garbage cycles, at moments when the window does not feel it.

Left to itself it runs in whichever thread makes the next object, holds all others up (some 30 ms
for a window, 100 and more while an import holds many records), and may end a Qt object outside the
thread that it lives in, which ends the process.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

_LOOK_MS = 1000
YOUNG = 5_000
"""So many new objects are worth a look."""
MANY = 40_000
"""More than this take too long to look through while a job goes on, which holds most of them."""
WHOLE_EVERY = 20
"""After so many small rounds with nothing at work, everything is looked through."""


class Collector(QObject):
    """Collects garbage cycles on the window's thread; from its making to :meth:`close`."""

    def __init__(self, busy: Callable[[], bool], parent: QObject | None = None) -> None:
        """Begin.

        Args:
            busy: whether long work goes on.
            parent: the Qt parent.
        """
        super().__init__(parent)
        self._busy = busy
        self._rounds = 0
        gc.disable()
        gc.freeze()  # modules and widgets made so far stay to the end
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect what has come up since the last time, if it is worth it and quickly done."""
        young = gc.get_count()[0]
        busy = self._busy()
        if young < YOUNG or (busy and young > MANY):
            return
        self._rounds += 1
        whole = not busy and self._rounds >= WHOLE_EVERY
        gc.collect(2 if whole else 1)
        if whole:
            self._rounds = 0

    def close(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
