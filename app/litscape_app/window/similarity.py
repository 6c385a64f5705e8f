"""Keeps the vectors of the library up to date by itself, and says in a sentence how far it is."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from litscape.embed.onnx_cache import find_export
from litscape.errors import LibraryBusyError
from litscape.jobs.runners import Lane, State
from litscape_app.window.troubles import explain
from litscape_app.window.words import count, time_left

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.qtjobs import Entry
    from litscape_app.window.session import Session

_SETTLE_MS = 800
_RETRY_MS = 30_000
_EXAMINE_MS = 2500
"""How long after opening the vectors are looked at one by one: the list comes first."""


class Phase(enum.Enum):
    """What the vectors are doing."""

    NONE = "none"
    READY = "ready"
    BEHIND = "behind"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the vectors are.

    Attributes:
        phase: what they are doing.
        done: papers with a vector.
        total: papers that can have one.
        damaged: papers of the others that had one, which is damaged.
        model: the active model's name.
        left: time left in words, empty while unknown.
        problem: what went wrong, one sentence.
        note: what else the reader should know (papers without an abstract …).
        prepared: whether the model can encode typed queries, where there are vectors.
    """

    phase: Phase = Phase.NONE
    done: int = 0
    total: int = 0
    damaged: int = 0
    model: str = ""
    left: str = ""
    problem: str = ""
    note: str = ""
    prepared: bool = True

    @property
    def sentence(self) -> str:
        """The state in one line."""
        of = f"{self.done:,} of {count(self.total, 'paper')}"
        if self.phase is Phase.NONE:
            return ""
        if self.phase is Phase.READY:
            return f"Similarity: {'all ' if self.total > 1 else ''}{count(self.total, 'paper')}"
        if self.phase is Phase.RUNNING and self.done >= self.total:
            return "Similarity: preparing search by meaning"
        if self.phase is Phase.RUNNING:
            return f"Similarity: {of} · {self.left}" if self.left else f"Similarity: {of}"
        if self.phase is Phase.FAILED:
            return f"Similarity stopped at {of}"
        if self.phase is Phase.BEHIND and self.damaged:
            vectors = count(self.damaged, "damaged vector")
            return f"Similarity: {of}, {vectors}"
        word = "paused at " if self.phase is Phase.PAUSED else ""
        return f"Similarity: {word}{of}"


class Similarity(QObject):
    """Starts, pauses and resumes the embedding of a library."""

    moved = Signal(object)
    """The :class:`Standing` now."""
    grown = Signal()
    """Vectors were added: similar papers may look different."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.standing = Standing()
        self._entry: Entry | None = None
        self._paused = False
        self._wanted = False
        self._failed_with = ""
        self._prepared_for = ""
        self._examine = QTimer(self)
        self._examine.setSingleShot(True)
        self._examine.setInterval(_EXAMINE_MS)
        self._examine.timeout.connect(self._look_closely)
        self._count = session.slot(self)
        self._count.done.connect(self._counted)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self.look)
        self._base = 0
        session.jobs.updated.connect(self._progressed)
        session.opened.connect(self._opened)
        session.changed.connect(self._changed)
        session.refreshed.connect(lambda: self._settle.start(_SETTLE_MS))

    @property
    def running(self) -> bool:
        """Whether vectors are being made."""
        return self._entry is not None

    def look(self) -> None:
        """Count what is missing, and start on it where that is wished."""
        self._settle.stop()
        self._session.read(self._count, "Count vectors", _standing)

    def _look_closely(self) -> None:
        if not self.running:
            self._session.read(self._count, "Check vectors", _examined)

    def pause(self) -> None:
        """Stop after the texts at hand; what is done is kept."""
        self._paused = True
        if self._entry is not None:
            self._entry.handle.cancel()
        self._set(phase=Phase.PAUSED, left="")

    def resume(self) -> None:
        """Go on with what is missing."""
        self._paused, self._wanted = False, True
        self.look()

    def restart(self) -> None:
        """Start the child processes anew and go on."""
        library = self._session.library
        if library is not None:
            library.engine.restart()
        self.resume()

    # -- following the library ---------------------------------------------------------------

    def _opened(self) -> None:
        self._paused = self._wanted = False
        self._failed_with = self._prepared_for = ""
        self._entry = None
        self.standing = Standing()
        self.moved.emit(self.standing)
        if self._session.library is not None:
            self.look()
            self._examine.start()

    def _changed(self, changes: LibraryChanges) -> None:
        if changes.added or changes.changed or changes.removed:
            self._settle.start(_SETTLE_MS)

    def _counted(self, standing: Standing) -> None:
        if self._entry is not None:
            # Papers came or went meanwhile: what the job has done is counted from anew.
            self._base = standing.done - self._entry.progress.done
            self._set(done=standing.done, total=standing.total, damaged=standing.damaged)
            return
        library = self._session.library
        locked = library is None or library.database.read_only
        automatic = self._wanted or (self._session.settings.embed_after_import and not locked)
        if standing.phase is Phase.BEHIND and self._failed_with and not self._wanted:
            self._set_all(replace(standing, problem=self._failed_with), Phase.FAILED)
        elif standing.phase is Phase.BEHIND and self._paused:
            self._set_all(standing, Phase.PAUSED)
        elif standing.phase is Phase.BEHIND and automatic:
            self._set_all(standing, Phase.RUNNING)
            self._start()
        else:
            self._set_all(standing, standing.phase)
            self._wanted, self._failed_with = False, ""
            if automatic and not standing.prepared and self._prepared_for != standing.model:
                self._prepared_for = standing.model  # once: a model that can't be stays so
                self._start()

    def _start(self) -> None:
        self._wanted, self._failed_with = False, ""
        self._entry = self._session.work(
            "Similarity of papers",
            lambda library, ctx: library.embed(ctx),
            Lane.COMPUTE,
            done=self._done,
            failed=self._failed,
            ended=self._ended,
        )
        if self._entry is not None:
            self._base = self.standing.done

    def _progressed(self, entry: Entry) -> None:
        if entry is not self._entry or entry.state is not State.RUNNING:
            return
        progress = entry.progress
        if progress.total is None or self._paused:
            return
        done = max(self.standing.done, min(self.standing.total, self._base + progress.done))
        grown = done != self.standing.done
        left = time_left(entry.seconds_left) if done < self.standing.total else ""
        self._set(phase=Phase.RUNNING, done=done, left=left)
        if grown:
            self.grown.emit()

    def _done(self, report: Any) -> str:
        if not report.embedded:
            return "Search by meaning is ready"
        return f"{count(int(report.embedded), 'paper')} ready for similarity"

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, LibraryBusyError):
            # Another program does the same work; look again when it may be done.
            self._settle.start(_RETRY_MS)
            self._set(phase=Phase.BEHIND, problem=str(error), left="")
            return
        trouble = explain(error, "Similarity of papers")
        self._failed_with = trouble.sentence
        self._set(phase=Phase.FAILED, problem=trouble.sentence, left="")
        self._session.trouble(trouble)

    def _ended(self) -> None:
        if self._entry is None:
            return
        state, self._entry = self._entry.state, None
        self.grown.emit()
        if state is State.CANCELLED and not self._paused:
            self._paused = True
        if state is not State.FAILED:
            self.look()

    def _set(self, **changes: Any) -> None:
        self.standing = replace(self.standing, **changes)
        self.moved.emit(self.standing)

    def _set_all(self, standing: Standing, phase: Phase) -> None:
        self.standing = standing
        self._set(phase=phase)


def _standing(library: Library, _ctx: JobContext) -> Standing:
    info = library.info()
    total = info.embedded + info.pending
    phase = Phase.NONE if not total else Phase.BEHIND if info.pending else Phase.READY
    prepared = phase is not Phase.READY or find_export(library.models.active()) is not None
    note = " ".join(info.notes)
    return Standing(
        phase, info.embedded, total, info.damaged, info.model, note=note, prepared=prepared
    )


def _examined(library: Library, ctx: JobContext) -> Standing:
    """The standing after every vector was held against what was written of it."""
    library.vectors()
    return _standing(library, ctx)
