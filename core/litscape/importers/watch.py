"""Watched sources: a look that takes in what changed, and the list of what is followed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.importers.base import ReadOptions
from litscape.importers.marks import (
    choose,
    chosen,
    is_address,
    kept_mark,
    location_of,
    mark_of,
    read_mark,
    read_options,
    sign_of,
    stored_options,
)
from litscape.importers.zotero_scope import Scope
from litscape.jobs import JobContext, null_context
from litscape.paper import ImportReport
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import sqlalchemy as sa

    from litscape.importers.marks import Sign
    from litscape.store.database import Database

QUIET_S = 1.0
"""Seconds for which a file must not change before it is read."""
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
        counts: records by outcome then; empty where that is not known.
    """

    location: str
    follow: bool = True
    options: ReadOptions = field(default_factory=ReadOptions)
    last_read: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


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
            options: what of it to take; by default as it was chosen or read last.
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
        options = options or self.choice(location) or ReadOptions()
        _settle(location, ctx, patience)
        if not self.has_news(location, options):
            return ImportReport(batch=None, sources=(location_of(location),))
        return Imports(self._database).run(
            [location], ctx, kind=self._kind(location), options=options
        )

    def has_news(self, location: str | Path, options: ReadOptions | None = None) -> bool:
        """Whether a source holds something else than when it was read last; True if unknown.

        Args:
            location: a file, a database or an address, which is asked.
            options: what of it is to be taken; by default as it was chosen or read last.

        Raises:
            UserError: an address that does not answer.
        """
        kept = kept_mark(self._database, location)
        options = options or self.choice(location) or ReadOptions()
        as_before = kept is not None and Scope.of(kept.options) == Scope.of(options)
        if is_address(location):
            from litscape.importers.zotero_api import changed_since

            before = kept.hash if kept is not None and as_before else None
            return changed_since(str(location), options, before)
        hashed = mark_of(location)
        return kept is None or not as_before or hashed is None or hashed != kept.hash

    def must_be_read_whole(self, location: str | Path) -> bool:
        """Whether a source can't tell how far it was read: a Zotero before version 10."""
        kept = kept_mark(self._database, location)
        return kept is not None and kept.hash is None

    def _kind(self, location: str | Path) -> str | None:
        """The kind of an empty file is the one that it had; any other tells its own."""
        if is_address(location) or not _is_blank(Path(location)):
            return None
        from litscape.importers.registry import importers

        kept = kept_mark(self._database, location)
        return kept.kind if kept and kept.kind in {one.kind for one in importers()} else None

    # -- what is taken ---------------------------------------------------------------------------

    def choice(self, location: str | Path) -> ReadOptions | None:
        """What is to be taken of a source: as chosen, else as last time; None for a new one."""
        with self._database.read() as conn:
            return chosen(conn, location)

    def choose(self, location: str | Path, options: ReadOptions) -> None:
        """Keep what is to be taken of a source from its next read on; no paper goes by that."""
        choose(self._database, location, options)

    # -- the list --------------------------------------------------------------------------------

    def sources(self) -> tuple[Watched, ...]:
        """The watch list, in the order in which sources were put on it."""
        with self._database.read() as conn:
            return tuple(_with_past(conn, one) for one in _listed(conn))

    def add(self, location: str | Path, options: ReadOptions | None = None) -> Watched:
        """Put a source on the list, or follow it again; it is not read yet.

        Args:
            location: a file, a database or an address.
            options: what of it to take; by default as before.

        Raises:
            UserError: there is no such file, or the address can't be one.
        """
        one = Watched(location_of(location), True, options or ReadOptions())
        if not is_address(location) and sign_of(location) is None:
            if Path(location).is_dir():
                raise UserError(f"{one.location} is a folder: watch the files in it one by one.")
            raise UserError(f"There is no file {one.location} to watch.")
        if options is not None:
            self.choose(location, options)

        def put(before: list[Watched]) -> list[Watched]:
            known = [old.location for old in before]
            if one.location not in known:
                return [*before, one]
            return [one if old.location == one.location else old for old in before]

        self._change(put)
        with self._database.read() as conn:
            return _with_past(conn, one)

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
    return {"location": one.location, "follow": one.follow, **stored_options(one.options)}


def _listed(conn: sa.Connection) -> list[Watched]:
    return [
        Watched(one["location"], one["follow"], read_options(one))
        for one in get_setting(conn, _LIST, [])
    ]


def _with_past(conn: sa.Connection, one: Watched) -> Watched:
    """A source of the list with what is known of its last read, and what is chosen now."""
    mark, options = read_mark(conn, one.location), chosen(conn, one.location)
    one = replace(one, options=options or one.options)
    return replace(one, last_read=mark.at, counts=mark.counts) if mark else one
