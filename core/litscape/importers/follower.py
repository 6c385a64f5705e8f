"""Following sources: which of them changed and came to rest, asked again and again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.importers.marks import is_address, sign_of
from litscape.importers.watch import QUIET_S
from litscape.importers.zotero_find import at_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from litscape.importers.base import ReadOptions
    from litscape.importers.marks import Sign
    from litscape.importers.watch import Watch, Watched

ASK_S = 30.0
"""Seconds between two questions to an address, and between two reads of a database in use."""
SELDOM_S = 300.0
"""Seconds between two reads of a Zotero that can't say whether anything changed."""
RETRY_S = 10.0
"""Seconds after which a source that could not be read is looked at again; then ever later."""
LONGEST_S = 600.0
_DATABASE = ".sqlite"
State = tuple["Sign | None", "ReadOptions"]
"""How a source stands, and what of it is to be taken."""


class Follower:
    """Tells which sources changed and came to rest; asked again and again, it never waits.

    It looks at the file of a name, not at an open file, so that any number of renames over it,
    writes into it, its deletion and its return are seen; a burst of writes is one change. What is
    asked over the network is asked now and then; why it gave no answer stands in ``faults``.
    """

    def __init__(self, watch: Watch, clock: Callable[[], float] = time.monotonic) -> None:
        self._watch = watch
        self._clock = clock
        self._done: dict[str, State] = {}
        self._coming: dict[str, tuple[State, float]] = {}
        self._rest: dict[str, float] = {}
        self._failed: dict[str, tuple[State | None, int, float]] = {}
        self.faults: dict[str, str] = {}

    def due(self, sources: Iterable[Watched]) -> list[Watched]:
        """The sources that are to be looked at now; each is told once for one change."""
        return [one for one in sources if self._is_due(one)]

    def again(self, location: str) -> None:
        """Look at a source again after a while though it does not change: it could not be read.

        The same thing failing again and again is tried ever less often.
        """
        state = self._done.pop(location, None)
        self._coming.pop(location, None)
        before = self._failed.get(location)
        times = before[1] + 1 if before is not None and before[0] == state else 1
        pause = min(RETRY_S * 2 ** (times - 1), LONGEST_S)
        self._failed[location] = (state, times, self._clock() + pause)

    def _is_due(self, one: Watched) -> bool:
        now = self._clock()
        if now < self._rest.get(one.location, now):
            return False
        return self._is_due_address(one) if is_address(one.location) else self._is_due_file(one)

    def _is_due_file(self, one: Watched) -> bool:
        location, now = one.location, self._clock()
        sign = sign_of(location)
        state = (sign, one.options)
        if sign is None or state == self._done.get(location):
            self._coming.pop(location, None)
            return False
        failed = self._failed.get(location)
        if failed is not None and failed[0] == state and now < failed[2]:
            return False
        before = self._coming.get(location)
        if before is None or before[0] != state:
            self._coming[location] = (state, now)
            return False
        if now - before[1] < QUIET_S:
            return False
        self._done[location] = state
        del self._coming[location]
        due = self._watch.has_news(location, one.options)
        if due and location.endswith(_DATABASE):
            # Its program writes all the time while somebody works with it.
            self._rest[location] = now + ASK_S
        return due

    def _is_due_address(self, one: Watched) -> bool:
        location, now = one.location, self._clock()
        failed = self._failed.get(location)
        if failed is not None and now < failed[2]:
            return False
        self._rest[location] = now + ASK_S
        place = at_address(location)
        sign = sign_of(place.database) if place is not None else None
        state = (sign, one.options)
        if sign is not None and state == self._done.get(location):
            return False
        try:
            due = self._watch.has_news(location, one.options)
        except LitscapeError as error:
            self.faults[location] = str(error)
            self._done.pop(location, None)
            return False
        self.faults.pop(location, None)
        if sign is not None:
            self._done[location] = state
        elif due and self._watch.must_be_read_whole(location):
            self._rest[location] = now + SELDOM_S
        return due
