"""Papers that a person said belong together: no training pushes them apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.store import pairs as store
from litscape.store.edits import begin, naming, resolve_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from litscape.paper import LibraryChanges, PaperId
    from litscape.store.database import Database
    from litscape.store.history import Recorder
    from litscape.store.pairs import Pair

    _Act = Callable[[Recorder, str, Iterable[Pair]], None]


@dataclass(frozen=True, slots=True)
class RelatedPair:
    """Two papers that were said to belong together; ``made_at`` is UTC."""

    a: PaperId
    b: PaperId
    made_at: str


class Related:
    """The pairs of one library that a person said are related."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def mark(self, refs: Iterable[int | str]) -> LibraryChanges:
        """Say that every two of these papers belong together, as one change.

        Training uses no two of them as an example of what is far from each other.

        Raises:
            UserError: fewer than two papers, or an unknown one.
        """
        return self._decide(refs, "Mark {} as related", store.put)

    def unmark(self, refs: Iterable[int | str]) -> LibraryChanges:
        """Take that back for every two of these papers, as one change.

        Raises:
            UserError: fewer than two papers, or an unknown one.
        """
        return self._decide(refs, "No longer mark {} as related", store.take)

    def list(self) -> tuple[RelatedPair, ...]:
        """The pairs, both papers of which are still there, by time."""
        with self._database.read() as conn:
            pairs = store.all_pairs(conn, store.RELATED)
        return tuple(RelatedPair(a, b, when) for (a, b), when in pairs.items())

    def _decide(self, refs: Iterable[int | str], title: str, act: _Act) -> LibraryChanges:
        with self._database.write() as conn:
            ids = resolve_all(conn, refs)
            if len(ids) < 2:
                raise UserError("Name at least two papers that belong together.")
            recorder = begin(conn, title.format(naming(conn, ids)))
            act(recorder, store.RELATED, list(combinations(sorted(ids), 2)))
            return recorder.flush()
