"""Changing the model in the window: the old one serves until the new one has all vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from litscape.jobs.runners import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.switching import Switched
    from litscape_app.qtjobs import Entry
    from litscape_app.window.session import Session
    from litscape_app.window.similarity import Similarity

    Switch = Callable[[Library, JobContext], Switched]

_WAIT_MS = 100


class Switching(QObject):
    """One change at a time; a job that shows its progress and can be cancelled.

    Signals:
        ended: nothing is being changed any more; the error, or None.
    """

    ended = Signal(object)

    def __init__(self, session: Session, similarity: Similarity) -> None:
        super().__init__(session)
        self._session = session
        self._similarity = similarity
        self._act: Switch | None = None
        self.entry: Entry | None = None
        self._idle = QTimer(self)
        self._idle.setInterval(_WAIT_MS)
        self._idle.timeout.connect(self._begin)
        session.opened.connect(self._forget)

    @property
    def busy(self) -> bool:
        """Whether a model is being changed."""
        return self._act is not None

    def use(self, version: str) -> None:
        """Embed with a version, then use it."""

        def act(library: Library, ctx: JobContext) -> Switched:
            from litscape.models.switching import switch

            return switch(library, version, ctx)

        self.carry_out(act)

    def roll_back(self) -> None:
        """Use the model again that was in use before."""

        def act(library: Library, ctx: JobContext) -> Switched:
            from litscape.models.switching import roll_back

            return roll_back(library, ctx)

        self.carry_out(act)

    def carry_out(self, act: Switch) -> None:
        """Change the model once nothing else embeds; what was embedded so far is kept."""
        if self.busy:
            return
        self._act = act
        self._similarity.pause()
        self._idle.start()

    def _begin(self) -> None:
        act = self._act
        if self._similarity.running or act is None:
            return
        self._idle.stop()
        self.entry = self._session.work(
            "Change the model", act, Lane.COMPUTE, done=_said, failed=self._end, ended=self._over
        )
        if self.entry is None:
            self._end(None)

    def _over(self) -> None:
        if self.busy:
            self._end(None)

    def _end(self, error: BaseException | None) -> None:
        self._act = self.entry = None
        self._similarity.resume()
        self.ended.emit(error)

    def _forget(self) -> None:
        self._idle.stop()
        self._act = self.entry = None


def _said(switched: Switched) -> str:
    return f"{switched.card.name} is in use now."
