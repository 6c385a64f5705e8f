"""What a result is looked at with besides its figures: topics and maps, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal

from litscape.jobs.runners import Lane, State
from litscape_app.window.session import Offer
from litscape_app.window.words import time_left
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapLayout
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry
    from litscape_app.window.map.page import MapPage
    from litscape_app.window.pages.separation_page.page import SeparationPage
    from litscape_trainer.runs.records import RunResult

_STOPPED = "Stopped. A map that was whole by then is kept, and is not drawn again."
_NO_LABELS = (
    "No kind of labels of this library has three labels with 20 papers each. Put papers into "
    "collections or tag them, and come back."
)

_WAITS = "Both maps are drawn once other work is done …"
_FIRST = 0.8
"""Share of both maps that the first takes, before which the layout is compiled."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, and what became of its model.

    Attributes:
        result: of the run; None before it has one.
        there: whether the model that it made is still there.
        used: whether the library uses it.
        locked: whether the library is open for reading only.
    """

    result: RunResult | None
    there: bool = False
    used: bool = False
    locked: bool = False


def outcome(library: Library, run: str) -> Outcome:
    """Read a result and where its model is."""
    result = Training(library).result(run)
    if result is None:
        return Outcome(None)
    known = {card.version for card in library.models.available()}
    used = library.models.active_version() == result.version
    return Outcome(result, result.version in known, used, library.database.read_only)


class Looking(QObject):
    """Makes what a comparison needs, in children, and shows it.

    Signals:
        said: how far that is, or what keeps it from being made.
        drawing: whether maps are being drawn, which can be cancelled.
    """

    said = Signal(str)
    drawing = Signal(bool)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._maps: Entry | None = None
        self._labels = desk.session.slot(self)
        self._labels.failed.connect(lambda error: self.said.emit(str(error)))
        desk.session.jobs.updated.connect(self._follow)

    def topics(self, result: RunResult) -> None:
        """Measure how topics keep to themselves under both models, on the page for that."""
        versions = (result.current, result.version or "")

        def show(kind: str | None) -> None:
            self._labels.done.disconnect()
            if kind is None:
                self.said.emit(_NO_LABELS)
                return
            from litscape.separation.records import Wanted

            page = cast("SeparationPage", self._desk.page("separation"))
            self._desk.show_page("separation", again=True)
            page.start(Wanted(kind, versions))

        self._labels.done.connect(show)
        self._desk.session.read(self._labels, "Look for labels", _first_labels)

    def maps(self, result: RunResult) -> None:
        """Lay all papers out by both models, the second map turned onto the first, and fade."""
        if self._maps is not None:
            return

        def act(library: Library, ctx: JobContext) -> tuple[int, int]:
            return _both_maps(library, ctx, result.current, result.version or "")

        def ended() -> None:
            stopped = self._maps is not None and self._maps.state is State.CANCELLED
            self._maps = None
            self._tell(_STOPPED if stopped else "")

        self._maps = self._desk.session.work(
            "Maps before and after", act, Lane.COMPUTE, done=self._mapped, ended=ended
        )
        if self._maps is not None:
            jobs = self._desk.session.jobs.running
            before = [one for one in jobs if one is not self._maps and one.state is State.RUNNING]
            waits = any(one.handle.job.lane is Lane.COMPUTE for one in before)
            self._tell(_WAITS if waits else "Drawing both maps …")

    def cancel(self) -> None:
        """Draw no more; a map that is whole by then is kept."""
        if self._maps is not None:
            self._maps.handle.cancel()
            self._tell("Stopping …")

    def stop(self) -> None:
        """Another library was opened."""
        self._labels.cancel()
        self._maps = None
        self._tell("")

    def _tell(self, text: str) -> None:
        self.drawing.emit(self._maps is not None and not self._maps.handle.context.cancelled)
        self.said.emit(text)

    def _follow(self, entry: Entry) -> None:
        if entry is not self._maps or entry.state.ended or entry.handle.context.cancelled:
            return
        progress = entry.progress
        share = f"{100 * progress.done // progress.total} %" if progress.total else ""
        parts = (progress.text or "getting ready", share, time_left(entry.seconds_left))
        self._tell(f"Drawing both maps: {' · '.join(filter(None, parts))}")

    def _mapped(self, keys: tuple[int, int]) -> str:
        train = self._desk.page("train")
        if train.isVisible():
            self._show_maps(keys)
        else:
            self._desk.session.say(
                "The maps before and after are drawn.",
                Offer("Show", lambda: self._show_maps(keys)),
            )
        return "Both maps are drawn"

    def _show_maps(self, keys: tuple[int, int]) -> None:
        page = cast("MapPage", self._desk.page("map"))
        self._desk.show_page("map", again=True)
        page.comparison.show_pair(*keys)


def _first_labels(library: Library, _ctx: JobContext) -> str | None:
    return next((one.kind.name for one in library.separation.offers() if one.enough), None)


def _both_maps(library: Library, ctx: JobContext, before: str, after: str) -> tuple[int, int]:
    from litscape.maps.client import make_map
    from litscape.maps.steps import Part

    first = _stored(library, before)
    later = (0.0 if first is not None else _FIRST, 1.0)
    if first is None:
        first = make_map(library, Part(ctx, (0.0, _FIRST)), version=before)
    ctx.check()
    second = _stored(library, after)
    if second is None:
        second = make_map(library, Part(ctx, later), start=first, version=after)
    return first.key, second.key


def _stored(library: Library, version: str) -> MapLayout | None:
    """A map of all papers that is there already and lacks none."""
    found = library.maps.latest(version=version, layout="umap")
    whole = found is not None and len(found.ids) == library.vector_store.count(version)
    return found if whole else None
