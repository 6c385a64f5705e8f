"""Loads the code of large pages while nobody works, a little at a time.

A page's code is loaded when the page is first wanted. Of the largest that would hold the window up
for a twentieth of a second and more, so it is there before. On the window's own thread, since two
threads that are in the midst of one package can stop each other.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from litscape_app.window.training_watch import LOADING

if TYPE_CHECKING:
    from litscape_app.window.session import Session

_MAP, _PAGES = "litscape_app.window.map", "litscape_app.window.pages"
PARTS = (
    f"{_MAP}.bar",
    f"{_MAP}.legend",
    f"{_MAP}.compare_mode",
    f"{_MAP}.page",
    "litscape.evaluation.records",
    "litscape.evaluation.tasks.base",
    "litscape.evaluation.tasks",
    f"{_PAGES}.evaluate_page.tables",
    f"{_PAGES}.train_page.curve",
    f"{_PAGES}.train_page.learning",
    f"{_PAGES}.train_page.examples",
    f"{_PAGES}.train_page.budget",
    f"{_PAGES}.train_page.progress",
    f"{_PAGES}.train_page.result",
    f"{_PAGES}.train_page.page",
    "litscape.separation.records",
    f"{_PAGES}.separation_page.choosing",
    f"{_PAGES}.separation_page.page",
    "litscape.embed.incremental",
    f"{_PAGES}.models_page.offers",
    f"{_PAGES}.models_page.page",
    f"{_PAGES}.feed_page.results",
    f"{_PAGES}.feed_page.form",
    f"{_PAGES}.feed_page.page",
)
"""What is loaded, in this order: each draws in a few modules more, none many."""
_FIRST_MS, _BEAT_MS = 2500, 150
"""After a library opened, when its list and its trainings have been read; then between two."""
_BEFORE = "litscape_trainer.runs"
"""What a worker loads when it looks at the trainings for the first time; pages build on it."""


class Ahead(QObject):
    """Goes through :data:`PARTS` once a program, while no job is at work."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._left = list(PARTS)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._next)
        session.opened.connect(self._opened)

    def _opened(self) -> None:
        if self._session.library is None:
            self._timer.stop()
        elif self._left:
            self._timer.start(_FIRST_MS)

    def _next(self) -> None:
        if self._session.busy or _BEFORE not in sys.modules or not LOADING.acquire(blocking=False):
            return
        try:
            importlib.import_module(self._left.pop(0))
        finally:
            LOADING.release()
        self._timer.setInterval(_BEAT_MS)
        if not self._left:
            self._timer.stop()
