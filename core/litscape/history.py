"""Undo and redo over everything that can change a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from litscape.errors import UserError
from litscape.paper import LibraryChanges
from litscape.store import history as store
from litscape.store.duplicates import merges_of
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from litscape.store.database import Database

IMPORT_LEASE = "import"
"""The lease that an import holds: what it is still writing can't be taken back meanwhile."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change: ``state`` is done, undone, or dropped where it can't be made again."""

    id: int
    title: str
    made_at: str
    state: str


class History:
    """The changes of one library, newest last, and the way back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def undo(self) -> LibraryChanges:
        """Take the last change back whole; what was changed since stays.

        Raises:
            UserError: there is nothing to undo.
            LibraryBusyError: the last change is an import that is still running.
        """
        return self._turn(None, "undo")

    def redo(self) -> LibraryChanges:
        """Make the change again that was undone last.

        Raises:
            UserError: there is nothing to redo.
        """
        return self._turn(None, "redo")

    def undo_batch(self, batch_id: int) -> LibraryChanges:
        """Take one import back, whatever was done after it.

        Where its papers were merged with others since, those merges are taken back first: what
        came from elsewhere stays.

        Raises:
            UserError: there is no such import, or it is undone already.
            LibraryBusyError: it is still running.
        """
        with self._database.read() as conn:
            change = store.change_of_batch(conn, batch_id)
        if change is None:
            raise UserError(f"There is no import {batch_id} to undo.")
        return self._turn(change, "undo")

    def entries(self, limit: int = 100) -> list[HistoryEntry]:
        """The last changes, newest first."""
        with self._database.read() as conn:
            return [HistoryEntry(*row) for row in store.list_changes(conn, limit)]

    def title(self, change: int | None) -> str | None:
        """What a change was; None where there is no such change (any more)."""
        with self._database.read() as conn:
            return next((row[1] for row in store.list_changes(conn, -1) if row[0] == change), None)

    def _turn(self, change: int | None, direction: Literal["undo", "redo"]) -> LibraryChanges:
        with self._database.read() as conn:
            found = store.next_change(conn, direction, change)
        if found is None:
            raise UserError(
                f"Nothing to {direction}." if change is None else "This import is undone already."
            )
        if not found.is_import:
            return self._apply(found.id, direction)
        with Lease(self._database, IMPORT_LEASE):
            return self._apply(found.id, direction)

    def _apply(self, change_id: int, direction: Literal["undo", "redo"]) -> LibraryChanges:
        # Opening a library is quick without what imports are undone by.
        from litscape.importers.replay import again, take_back

        with self._database.write() as conn:
            if store.next_change(conn, direction, change_id) is None:
                raise UserError(f"Another program was faster: there is nothing to {direction} now.")
            if direction == "redo":
                return again(conn, change_id)
            told = LibraryChanges()
            for merge in merges_of(conn, change_id):
                told = _both(told, take_back(conn, merge, because_of=change_id))
            return _both(told, take_back(conn, change_id))


def _both(first: LibraryChanges, then: LibraryChanges) -> LibraryChanges:
    """Two changes, one after the other, as one."""
    added = (first.added | then.added) - then.removed
    removed = (first.removed - then.added) | (then.removed - first.added)
    changed = (first.changed | then.changed) - added - removed
    return LibraryChanges(
        added, changed, removed, first.structure or then.structure, then.change_id
    )
