"""The papers of a library, as its users and the window read them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers import normalise
from litscape.paper import Paper, PaperFilter, PaperId, PaperRow
from litscape.store import papers as store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np

    from litscape.jobs import JobContext
    from litscape.store.database import Database

_PAGE = 500
_COUNTS_KEPT = 64


class Papers:
    """Read access to papers; iterating gives the live ones, whole, in the order they came."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._counted_at = -1
        self._counts: dict[PaperFilter, int] = {}

    def get(self, ref: int | str) -> Paper:
        """The paper with an id, citekey, alias or DOI; the trash is looked into as well.

        Raises:
            UserError: there is no such paper.
        """
        (paper,) = self.many([self.id_of(ref)])
        return paper

    def resolve(self, ref: int | str) -> PaperId | None:
        """The id of the paper that an id, citekey, alias or DOI (also as an address) means.

        A text may say which of these it is: ``id:1``, ``key:bell1876``, ``doi:10.1000/182``.

        Raises:
            UserError: it means one paper by its citekey and another by its id.
        """
        with self._database.read() as conn:
            found = store.resolve(conn, ref)
            if found is None and isinstance(ref, str) and (doi := normalise.doi_only(ref)):
                found = store.resolve(conn, doi)
            return found

    def id_of(self, ref: int | str) -> PaperId:
        """Like :meth:`resolve`, for a paper that must be there.

        Raises:
            UserError: there is no such paper.
        """
        found = self.resolve(ref)
        if found is None:
            raise UserError(f"No paper of this library has the id, citekey or DOI {ref!r}.")
        return found

    def many(self, ids: Iterable[PaperId]) -> list[Paper]:
        """Whole papers in the order of the ids; unknown ids are left out."""
        with self._database.read() as conn:
            return store.get_papers(conn, ids)

    def rows(self, ids: Iterable[PaperId]) -> list[PaperRow]:
        """Table rows in the order of the ids; unknown ids are left out."""
        with self._database.read() as conn:
            return store.get_rows(conn, ids)

    def years(self, ids: Iterable[PaperId]) -> tuple[int, int] | None:
        """The first and the last year of some papers; None where none of them has one."""
        with self._database.read() as conn:
            return store.span_of_years(conn, ids)

    def ids(
        self,
        filter: PaperFilter | None = None,  # noqa: A002 - what it is called everywhere
        sort: str = "added",
        descending: bool = False,
    ) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The ids that a filter lets through (default: all live papers), sorted, (n,) int64.

        Args:
            filter: which papers.
            sort: title, authors, year, venue, added, citekey or type.
            descending: the other way round; papers that lack the key stay last.
        """
        with self._database.read() as conn:
            return store.find_ids(conn, filter or PaperFilter(), sort, descending)

    def count(self, filter: PaperFilter | None = None) -> int:  # noqa: A002
        """How many papers a filter lets through (default: all live papers)."""
        flt = filter or PaperFilter()
        # Asked before reading: what is written meanwhile is counted the next time.
        version = self._database.data_version()
        with self._lock:
            if version != self._counted_at:
                self._counted_at, self._counts = version, {}
            known = self._counts.get(flt)
        if known is not None:
            return known
        with self._database.read() as conn:
            found = store.count(conn, flt)
        with self._lock:
            if version == self._counted_at and len(self._counts) < _COUNTS_KEPT and not flt.ids:
                self._counts[flt] = found
        return found

    def types(self) -> list[str]:
        """The types of the live papers, each once."""
        with self._database.read() as conn:
            return store.known_types(conn)

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[Paper]:
        yield from self.stream(self.ids())

    def citekeys(self, ids: Iterable[PaperId]) -> dict[PaperId, str]:
        """The citation keys of papers, by id; those that are not there are left out."""
        with self._database.read() as conn:
            return store.read_citekeys(conn, ids)

    def stream(
        self,
        ids: Sequence[PaperId] | np.ndarray[tuple[int], np.dtype[np.int64]],
        ctx: JobContext | None = None,
    ) -> Iterator[Paper]:
        """Whole papers in the order of the ids, read by the page, of which ``ctx`` is told.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
        for start in range(0, len(ids), _PAGE):
            if ctx is not None:
                ctx.progress(start, len(ids), "Writing papers")
            yield from self.many([int(one) for one in ids[start : start + _PAGE]])
