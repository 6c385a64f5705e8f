"""What the user's manuscripts cite together, remembered while the library stays as it is."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from litscape.store.manuscripts import list_manuscripts

if TYPE_CHECKING:
    from litscape.paper import PaperId
    from litscape.store.database import Database

Partners = dict["PaperId", list[tuple["PaperId", float]]]


class Together:
    """For each paper, those cited together with it in manuscripts, and how strongly."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: tuple[int, int | None, Partners] | None = None

    def __call__(self, as_of: int | None = None) -> Partners:
        """By paper; with a year, of papers dated up to it."""
        version = self._database.data_version()
        with self._lock:
            known = self._known
        if known is not None and known[:2] == (version, as_of):
            return known[2]
        found = self._read(as_of)
        with self._lock:
            self._known = version, as_of, found
        return found

    def _read(self, as_of: int | None) -> Partners:
        with self._database.read() as conn:
            if not list_manuscripts(conn):
                return {}
        from litscape.manuscripts.facade import Manuscripts

        found: Partners = {}
        for pair in Manuscripts(self._database).pairs(as_of):
            found.setdefault(pair.a, []).append((pair.b, pair.weight))
            found.setdefault(pair.b, []).append((pair.a, pair.weight))
        return found
