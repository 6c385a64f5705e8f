"""Watched sources: a look that takes in what changed, and the list of what is followed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.importers.base import ReadOptions
from litscape.importers.marks import is_address, kept_mark, location_of, mark_of, sign_of
from litscape.jobs import JobContext, null_context
from litscape.paper import ImportReport
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import sqlalchemy as sa

    from litscape.importers.marks import Sign
    from litscape.store.database import Database

QUIET_S = 1.0
"""Seconds for which a file must not change before it is read."""
ASK_S = 30.0
"""Seconds between two questions to an address, which nothing tells of changes."""
RETRY_S = 10.0
"""Seconds after which a source that could not be read is looked at again."""
_LIST = "watch.list"
_STEP_S = 0.05
_BLANK = 1 << 16


@dataclass(frozen=True, slots=True)
class Watched:
    """A source on a library's watch list.

    Attributes:
        location: its absolute path or address.
        follow: whether it is followed while the library is open in a window.
        options: what of it to take.
        last_read: when it was read last, UTC; None where it never was.
    """

    location: str
    follow: bool = True
    options: ReadOptions = field(default_factory=ReadOptions)
    last_read: str | None = None


class Watch:
    """Looks at sources of one library again, and keeps the list of those that are watched."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- looking ---------------------------------------------------------------------------------

    def look(
        self,
        location: str | Path,
        ctx: JobContext | None = None,
        *,
        options: ReadOptions | None = None,
        patience: float = 2.0,
    ) -> ImportReport:
        """Take in what changed in a source since it was read last, as one change.

        A file that is short, cut off or empty takes no paper away.

        Args:
            location: a file, a database or an address.
            ctx: as in :meth:`litscape.importers.session.Imports.run`.
            options: what of it to take.
            patience: most seconds to wait for a file that is being written.

        Returns:
            The report; counts of 0 and no batch where the source is as it was.

        Raises:
            UserError: it can't be read.
            LibraryBusyError: another import is running.
            JobCancelledError: ``ctx`` asked for the end.
        """
        from litscape.importers.session import Imports  # the list is read often, readers seldom

        ctx = ctx or null_context()
        _settle(location, ctx, patience)
        if not self.has_news(location):
            return ImportReport(batch=None, sources=(location_of(location),))
        return Imports(self._database).run(
            [location], ctx, kind=self._kind(location), options=options
        )

    def has_news(self, location: str | Path) -> bool:
        """Whether a source holds something else than when it was read last; True if unknown."""
        kept, hashed = kept_mark(self._database, location), mark_of(location)
        return kept is None or hashed is None or hashed != kept.hash

    def _kind(self, location: str | Path) -> str | None:
        """The kind of an empty file is the one that it had; any other tells its own."""
        if is_address(location) or not _is_blank(Path(location)):
            return None
        from litscape.importers.registry import importers

        kept = kept_mark(self._database, location)
        return kept.kind if kept and kept.kind in {one.kind for one in importers()} else None

    # -- the list --------------------------------------------------------------------------------

    def sources(self) -> tuple[Watched, ...]:
        """The watch list, in the order in which sources were put on it."""
        with self._database.read() as conn:
            listed = _listed(conn)
        marks = {one.location: kept_mark(self._database, one.location) for one in listed}
        return tuple(
            replace(one, last_read=mark.at) if (mark := marks[one.location]) else one
            for one in listed
        )

    def add(self, location: str | Path, options: ReadOptions | None = None) -> Watched:
        """Put a source on the list, or follow it again; it is not read yet.

        Raises:
            UserError: there is no such file.
        """
        one = Watched(location_of(location), True, options or ReadOptions())
        if not is_address(location) and sign_of(location) is None:
            raise UserError(f"There is no file {one.location} to watch.")

        def put(before: list[Watched]) -> list[Watched]:
            known = [old.location for old in before]
            if one.location not in known:
                return [*before, one]
            return [one if old.location == one.location else old for old in before]

        self._change(put)
        return one

    def remove(self, location: str | Path) -> str:
        """Take a source off the list; its papers stay. Returns its path or address.

        Raises:
            UserError: it is not on the list.
        """
        name = self._known(location)
        self._change(lambda before: [one for one in before if one.location != name])
        return name

    def set_follow(self, location: str | Path, follow: bool) -> None:
        """Follow a source of the list, or leave it alone for now.

        Raises:
            UserError: it is not on the list.
        """
        name = self._known(location)
        self._change(
            lambda before: [
                replace(one, follow=follow) if one.location == name else one for one in before
            ]
        )

    def _known(self, location: str | Path) -> str:
        name = location_of(location)
        if name not in {one.location for one in self.sources()}:
            raise UserError(f"{name} is not on the watch list.")
        return name

    def _change(self, change: Callable[[list[Watched]], list[Watched]]) -> None:
        with self._database.write() as conn:
            put_setting(conn, _LIST, [_stored(one) for one in change(_listed(conn))])


class Follower:
    """Tells which sources changed and came to rest; asked again and again, it never waits.

    It looks at the file of a name, not at an open file, so that any number of renames over it,
    writes into it, its deletion and its return are seen; a burst of writes is one change.
    """

    def __init__(self, watch: Watch, clock: Callable[[], float] = time.monotonic) -> None:
        self._watch = watch
        self._clock = clock
        self._done: dict[str, Sign] = {}
        self._coming: dict[str, tuple[Sign, float]] = {}
        self._wait: dict[str, float] = {}

    def due(self, sources: Iterable[Watched]) -> list[Watched]:
        """The sources that are to be looked at now; each is told once for one change."""
        return [one for one in sources if self._is_due(one.location)]

    def again(self, location: str) -> None:
        """Look at a source again after a while though it does not change: it could not be read."""
        self._done.pop(location, None)
        self._coming.pop(location, None)
        self._wait[location] = self._clock() + RETRY_S

    def _is_due(self, location: str) -> bool:
        now = self._clock()
        if now < self._wait.get(location, now):
            return False
        if is_address(location):
            self._wait[location] = now + ASK_S
            return True
        sign = sign_of(location)
        if sign is None or sign == self._done.get(location):
            self._coming.pop(location, None)
            return False
        before = self._coming.get(location)
        if before is None or before[0] != sign:
            self._coming[location] = (sign, now)
            return False
        if now - before[1] < QUIET_S:
            return False
        self._done[location] = sign
        del self._coming[location]
        return self._watch.has_news(location)


def _settle(location: str | Path, ctx: JobContext, patience: float) -> None:
    """Wait until a file has not changed for a while."""
    sign, start = sign_of(location), time.monotonic()
    still_since = start
    while sign is not None and _age(sign) < QUIET_S:
        moment = time.monotonic()
        if moment - still_since >= QUIET_S or moment - start >= patience:
            return
        ctx.check()
        time.sleep(_STEP_S)
        now = sign_of(location)
        if now != sign:
            sign, still_since = now, time.monotonic()


def _age(sign: Sign) -> float:
    """Seconds since the newest write, also one by a rename; less than 0 where clocks differ."""
    return time.time() - max(time_ns for one in sign for time_ns in one[1:3]) / 1e9


def _is_blank(path: Path) -> bool:
    try:
        return path.stat().st_size <= _BLANK and not path.read_bytes().strip(b"\xef\xbb\xbf \t\r\n")
    except (OSError, ValueError):
        return False


def _stored(one: Watched) -> dict[str, Any]:
    return {
        "location": one.location,
        "follow": one.follow,
        "encoding": one.options.encoding,
        "zotero_libraries": list(one.options.zotero_libraries),
        "zotero_collections": list(one.options.zotero_collections),
    }


def _listed(conn: sa.Connection) -> list[Watched]:
    return [
        Watched(
            one["location"],
            one["follow"],
            ReadOptions(
                one["encoding"], tuple(one["zotero_libraries"]), tuple(one["zotero_collections"])
            ),
        )
        for one in get_setting(conn, _LIST, [])
    ]
