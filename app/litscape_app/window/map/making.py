"""Making a map beside the window: the job, how far it is, and the line that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QProgressBar

from litscape.jobs.runners import Lane, State
from litscape_app.window.widgets.basics import horizontal, label, push_button
from litscape_app.window.words import count, time_left

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapLayout, MapScope
    from litscape_app.qtjobs import Entry
    from litscape_app.window.map.gathering import Picture
    from litscape_app.window.map.scopes import Choice
    from litscape_app.window.session import Session

_WARM_AFTER_MS = 10_000
NAMES = {"umap": "UMAP", "tsne": "t-SNE", "pca": "PCA"}


def _earlier(library: Library, scope: MapScope, layout: str) -> MapLayout | None:
    """The newest map of the same papers by another model: the new one begins with its places.

    So that both can be compared.
    """
    version = library.models.active().version
    for info in library.maps.list():
        of_these = info.whole if scope.ids is None else info.title == scope.title
        if of_these and info.layout == layout and info.version != version:
            return library.maps.get(info.key)
    return None


def told_of(picture: Picture, *, waits: bool) -> tuple[str, str]:
    """What the line above a map says, and what its button offers; empty for no button.

    Args:
        picture: the map.
        waits: whether it is made only once all papers have vectors.
    """
    layout, parts, offer = picture.layout, [], ""
    if layout is None:
        more = " The map is made once all papers have vectors." if waits else ""
        parts.append(f"A first picture by PCA.{more}")
    elif layout.sentence:
        parts.append(layout.sentence)
    if picture.unplaced:
        have = "has" if picture.unplaced == 1 else "have"
        parts.append(f"{count(picture.unplaced, 'new paper')} {have} no place yet.")
        offer = "Place it" if picture.unplaced == 1 else "Place them"
    elif picture.joined:
        parts.append(f"{count(picture.joined, 'paper')} came in since this map was made.")
        offer = "Make it again"
    return " ".join(parts), offer


class Making(QFrame):
    """Runs one long piece of work on the map at a time, and shows how far it is."""

    refined = Signal(object)
    """A picture on the way, :class:`~litscape.maps.records.PartialMap`."""
    made = Signal(object)
    """What came of it."""
    failed = Signal(object)
    """The error that ended it."""
    left = Signal()
    """It was cancelled."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self._session = session
        self._entry: Entry | None = None
        self._title = ""
        self._last: tuple[str, Callable[[Library, JobContext], Any]] | None = None
        self.text = label("", "muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(6)
        self.bar.setMaximumWidth(220)
        self.bar.setAccessibleName("How far the map is")
        self.cancel = push_button("Cancel", self._cancel)
        row = horizontal(self, self.text, margins=(12, 4, 10, 4), spacing=10)
        row.addWidget(self.bar, 1)
        row.addStretch(1)
        row.addWidget(self.cancel)
        session.jobs.updated.connect(self._follow)
        self._warming = session.slot(self)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_WARM_AFTER_MS)
        self._quiet.timeout.connect(self._warm)
        self.hide()

    @property
    def running(self) -> bool:
        """Whether something is being made."""
        return self._entry is not None

    def make(self, choice: Choice, layout: str, seed: int = 0) -> None:
        """Lay papers out, and keep the map."""

        def act(library: Library, ctx: JobContext) -> Any:
            from litscape.maps.client import make_map

            scope = choice.resolve(library)
            start = _earlier(library, scope, layout)
            return make_map(library, ctx, scope, layout, seed, start=start)

        of = choice.title or "all papers"
        self.start(f"{NAMES.get(layout, layout)} map of {of}", act)

    def find_topics(self, choice: Choice, *, asked: bool = True) -> None:
        """Part papers into topics, and keep them; what nobody ``asked`` for is no step of Undo."""

        def act(library: Library, ctx: JobContext) -> Any:
            from litscape.topics.tasks import make_topics

            scope = choice.resolve(library)
            return library.analysis.run(library, make_topics, ctx, scope, undoable=asked)

        self.start(f"Topics of {choice.title or 'all papers'}", act)

    def place_new(self, key: int) -> None:
        """Give papers that came later a place on a stored map."""
        self.start(
            "Placing new papers on the map",
            lambda library, ctx: library.maps.place_new(key, ctx),
        )

    def start(self, title: str, act: Callable[[Library, JobContext], Any]) -> None:
        """Start work in place of what runs here."""
        self.stop()
        self._title, self._last = title, (title, act)
        entry = self._session.work(
            title, act, Lane.COMPUTE,
            partial=self.refined.emit, done=self._done, failed=self.failed.emit,
        )  # fmt: skip
        if entry is not None:
            self._entry = entry
            self.bar.setRange(0, 0)
            self.text.setText(f"{title}\N{NO-BREAK SPACE}…")
            self.show()

    def again(self) -> None:
        """Start once more what was started last."""
        if self._last is not None:
            self.start(*self._last)

    def expect(self) -> None:
        """Somebody looks at maps: let the child that draws them get ready once nobody waits."""
        self._quiet.start()

    def _warm(self) -> None:
        def act(library: Library, _ctx: JobContext) -> None:
            from litscape.maps.client import warm

            warm(library)

        if not self.running:
            self._session.read(self._warming, "Get ready to draw maps", act)

    def stop(self) -> None:
        """Ask what runs to end, and hear nothing more of it."""
        entry, self._entry = self._entry, None
        self.hide()
        if entry is not None:
            entry.handle.cancel()

    def _cancel(self) -> None:
        """End it at the wish of the person, who is not to get it unasked again."""
        self.stop()
        self.left.emit()

    def _done(self, made: object) -> str:
        self._entry = None
        self.hide()
        self.made.emit(made)
        return "On the map"

    def _follow(self, entry: Entry) -> None:
        if entry is not self._entry:
            return
        if entry.state.ended:
            self._entry = None
            self.hide()
            if entry.state is State.CANCELLED:  # in the list of jobs
                self.left.emit()
            return
        progress = entry.progress
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(min(progress.done, progress.total or 0))
        waits = entry.state is State.QUEUED
        said = "waits for other work" if waits else progress.text or ""
        left = time_left(entry.seconds_left)
        self.text.setText(" · ".join(filter(None, (self._title, said, left))))
