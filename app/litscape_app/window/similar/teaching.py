"""Weights on the page of options: what counts, and learning it from the library's own links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from litscape.errors import LitscapeError
from litscape.jobs.runners import Lane

if TYPE_CHECKING:
    from litscape.alike.weights import Learned
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.window.session import Session
    from litscape_app.window.similar.options_page import OptionsPage
    from litscape_app.window.similar.seeds import Answer


class Teaching(QObject):
    """Shows weights and starts the learning."""

    learned = Signal()

    def __init__(self, session: Session, options: OptionsPage, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._options = session, options
        self._slot = session.slot(self)
        self._slot.done.connect(self._know)
        options.learn_wanted.connect(self.learn)
        options.reset_wanted.connect(self.forget)

    def look(self) -> None:
        """Read what was learned from the library that is open."""
        if self._session.library is not None:
            self._session.read(self._slot, "Weights of similar papers", _read)

    def show(self, answer: Answer) -> None:
        """Say what counted for an answer."""
        if answer.weights:
            from litscape.alike.weights import labels

            self._options.show_weights(answer.weights, labels(), answer.learner)

    def learn(self) -> None:
        """Learn in a process of its own; the page says what came of it."""
        self._options.learn.setEnabled(False)
        self._options.learned.setText("Learning; this takes a minute or two …")
        self._session.work(
            "Learn weights of similar papers", _learn, Lane.COMPUTE, done=self._done,
            failed=self._failed,
        )  # fmt: skip

    def forget(self) -> None:
        """Go back to the default weights."""
        self._session.write("Forget learned weights", _forget, done=self._forgotten)

    def _forgotten(self, _changes: LibraryChanges) -> None:
        self._know(None)
        self.learned.emit()

    def _know(self, found: Learned | None) -> None:
        from litscape.alike.weights import sentence

        self._options.show_learned(sentence(found), there=found is not None)

    def _done(self, found: Learned) -> str:
        self._options.learn.setEnabled(True)
        self._know(found)
        self.learned.emit()
        return "learned" if found.adopted else "no gain, left as they were"

    def _failed(self, error: BaseException) -> None:
        self._options.learn.setEnabled(True)
        said = (
            str(error) if isinstance(error, LitscapeError) else "Learning did not come to an end."
        )
        self._options.show_learned(said, there=False)


def _read(library: Library, _ctx: JobContext) -> Learned | None:
    from litscape.alike.weights import learned

    with library.database.read() as conn:
        return learned(conn)


def _learn(library: Library, ctx: JobContext) -> Learned:
    from litscape.apart import run_apart
    from litscape.apart.tasks import learn_weights

    return run_apart(library, learn_weights, ctx)


def _forget(library: Library) -> LibraryChanges:
    from litscape.alike.weights import put_learned
    from litscape.paper import LibraryChanges

    with library.database.write() as conn:
        put_learned(conn, None)
    return LibraryChanges()
