"""Watched sources of the open library: they are followed as long as the window is open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from litscape.apart import run_apart
from litscape.apart.tasks import look_again
from litscape.jobs.runners import State
from litscape.paper import LibraryChanges
from litscape_app.window.importing import summary
from litscape_app.window.pages.page_frame import when
from litscape_app.window.troubles import explain
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from litscape.importers.base import ReadOptions
    from litscape.importers.follower import Follower
    from litscape.importers.watch import Watch, Watched
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import ImportReport
    from litscape_app.qtjobs import Entry
    from litscape_app.window.session import Session

TICK_MS = 1000
GONE = "It is not there at the moment; it is followed again once it is back."


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look found.

    Attributes:
        sources: the watch list.
        due: those of it that changed.
        gone: the places where there is no file.
        faults: why an address gave no answer.
    """

    sources: tuple[Watched, ...] = ()
    due: tuple[Watched, ...] = ()
    gone: frozenset[str] = frozenset()
    faults: Mapping[str, str] = field(default_factory=dict)


class Watching(QObject):
    """Looks at the watched sources now and then, beside the window's thread, and takes in news."""

    changed = Signal()
    """The list or what is said of a source is another."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.sources: tuple[Watched, ...] = ()
        self._said: dict[str, str] = {}
        self._last = Seen()
        self._running: set[str] = set()
        self._follower: tuple[Library, Follower] | None = None
        self._slot = session.slot(self)
        self._slot.done.connect(self._seen)
        self.timer = QTimer(self)
        self.timer.setInterval(TICK_MS)
        self.timer.timeout.connect(self.look)
        session.opened.connect(self._opened)

    # -- what is known ---------------------------------------------------------------------------

    def problem(self, location: str) -> str:
        """What is wrong with a source, in a sentence; empty where nothing is."""
        if location in self._last.gone:
            return GONE
        return self._last.faults.get(location) or self._said.get(location, "")

    def is_running(self, location: str) -> bool:
        """Whether it is read at the moment."""
        return location in self._running

    # -- looking ---------------------------------------------------------------------------------

    def _opened(self) -> None:
        self._slot.cancel()
        self.sources, self._follower, self._last = (), None, Seen()
        self._said.clear()
        self._running.clear()
        self.changed.emit()
        if self.session.library is None:
            self.timer.stop()
        else:
            self.timer.start()

    def look(self) -> None:
        """See which sources changed, unless the last look still goes on."""
        library = self.session.library
        if library is None or self._slot.running:
            return
        busy = frozenset(self._running)
        self.session.read(
            self._slot, "Look at watched files", lambda *_: self._sight(library, busy)
        )

    def _sight(self, library: Library, busy: frozenset[str]) -> Seen:
        """In a reader's thread; only one look runs at a time."""
        from litscape.importers.follower import Follower
        from litscape.importers.marks import is_address, sign_of

        watch = _watch(library)
        sources = watch.sources()
        if self._follower is None or self._follower[0] is not library:
            self._follower = (library, Follower(watch))
        follower = self._follower[1]
        followed = [one for one in sources if one.follow and one.location not in busy]
        due = () if library.database.read_only else tuple(follower.due(followed))
        files = [one.location for one in sources if not is_address(one.location)]
        gone = frozenset(place for place in files if sign_of(place) is None)
        faults = {one.location: follower.faults.get(one.location, "") for one in followed}
        return Seen(sources, due, gone, {place: said for place, said in faults.items() if said})

    def _seen(self, seen: Seen) -> None:
        before, self._last = replace(self._last, due=()), seen
        self.sources = seen.sources
        if replace(seen, due=()) != before:
            self.changed.emit()
        for one in seen.due:
            self.take(one)

    def take(self, one: Watched, *, by_hand: bool = False) -> None:
        """Take in what changed in a source; a person who asked is told also that nothing did."""
        place = one.location
        if place in self._running:
            return
        holder: list[Entry] = []

        def ended() -> None:
            self._running.discard(place)
            if holder and holder[0].state is State.CANCELLED:
                self._said[place] = "The last update was stopped; it goes on with the next change."
                self.session.announce(LibraryChanges(structure=True))
            self.changed.emit()

        def act(library: Library, ctx: JobContext) -> ImportReport:
            return run_apart(library, look_again, ctx, place, one.options)

        entry = self.session.work(
            f"Update from {shorten(name_of(place), 60)}",
            act,
            done=lambda report: self._done(place, report, by_hand=by_hand),
            failed=lambda error: self._failed(place, error),
            ended=ended,
        )
        if entry is not None:
            holder.append(entry)
            self._running.add(place)
            self.changed.emit()

    def _done(self, place: str, report: ImportReport, *, by_hand: bool) -> str:
        told = [issue.message for issue in report.issues if issue.severity != "note"]
        self._said[place] = told[0] if told and not report.records else ""
        if report.batch is None:
            if by_hand and not self._said[place]:
                self.session.say(f"Nothing changed in {name_of(place)} since it was read last.")
            return self._said[place] or "Nothing changed"
        said = summary(report)
        self.session.announce(report.changes, f"{name_of(place)} changed: {said}")
        return said

    def _failed(self, place: str, error: BaseException) -> None:
        self._said[place] = explain(error, f"Reading {name_of(place)}").sentence
        if self._follower is not None:
            self._follower[1].again(place)

    # -- the list --------------------------------------------------------------------------------

    def add(self, location: str | Path, options: ReadOptions | None = None) -> None:
        """Put a source on the list and follow it."""
        self._change("Watch a file", lambda watch: watch.add(location, options))

    def remove(self, location: str) -> None:
        """Take a source off the list; its papers stay."""
        self._change("Stop watching", lambda watch: watch.remove(location))

    def choose(self, location: str, options: ReadOptions) -> None:
        """Keep what is to be taken of a source from its next read on."""
        self._change("Choose what to take", lambda watch: watch.choose(location, options))

    def set_follow(self, location: str, follow: bool) -> None:
        """Follow a source, or leave it alone for now."""
        self._change("Follow a file", lambda watch: watch.set_follow(location, follow))

    def _change(self, title: str, act: Callable[[Watch], object]) -> None:
        def write(library: Library) -> LibraryChanges:
            act(_watch(library))
            return LibraryChanges()

        self.session.write(title, write, done=lambda _changes: self.look())


def _watch(library: Library) -> Watch:
    # Readers are loaded here, beside the window's thread: that takes longer than a frame.
    from litscape.importers.watch import Watch

    return Watch(library.database)


def name_of(location: str) -> str:
    """What a person calls a source."""
    return "Running Zotero" if location.startswith("zotero:") else Path(location).name


def last_time(at: str | None, counts: Mapping[str, int]) -> str:
    """When a source was read last, and what came of it; empty where it never was."""
    if at is None:
        return ""
    records = sum(counts.values())
    parts = [f"{number:,} {word}" for word, number in counts.items() if number]
    if not records:
        return f"Read last {when(at)}"
    if len(parts) == 1:
        return f"Read last {when(at)}: {count(records, 'record')}, all {parts[0].split(' ')[1]}"
    return f"Read last {when(at)}: {count(records, 'record')}: {', '.join(parts)}"
