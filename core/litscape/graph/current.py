"""The graph of a library, kept as the library is now."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.model import build
from litscape.memory import give_back
from litscape.store.graph_reads import (
    Columns,
    changed_since,
    last_change,
    read_all,
    read_links,
    read_nodes,
)

if TYPE_CHECKING:
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.store.database import Database

_PART = 0.2
"""Where links of more than this share of the papers changed, all are read again."""
_YEARS_KEPT = 4


class CurrentGraph:
    """Reads the graph once and then only what changed, by whichever program; for any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._version: int | None = None
        self._columns: Columns | None = None
        self._graph: CitationGraph | None = None
        self._past: dict[int, CitationGraph] = {}

    def get(self) -> CitationGraph:
        """The graph as the library is now.

        Reads the database where it changed since the last time: about a second for a million
        links the first time, less afterwards. Never on a thread that draws.
        """
        with self._lock:
            # Asked before reading: what is written meanwhile is looked for the next time.
            version = self._database.data_version()
            if self._graph is None or version != self._version:
                with self._database.read() as conn:
                    self._follow(conn)
                self._version = version
            if self._graph is None:
                raise RuntimeError("the graph was not read")
            return self._graph

    def as_of(self, year: int) -> CitationGraph:
        """The graph as of a year; the last few years asked for are kept."""
        graph = self.get()
        with self._lock:
            if graph is self._graph and year in self._past:
                return self._past[year]
        found = graph.as_of(year)
        with self._lock:
            if graph is self._graph:
                while len(self._past) >= _YEARS_KEPT:
                    self._past.pop(next(iter(self._past)))
                self._past[year] = found
        return found

    def _follow(self, conn: sa.Connection) -> None:
        before = self._columns
        after = read_all(conn) if before is None else self._caught_up(conn, before)
        if after is not before:
            self._columns, self._graph = after, build(after.nodes, after.links, after.works)
            self._past = {}
            if before is None:
                give_back()

    def _caught_up(self, conn: sa.Connection, before: Columns) -> Columns:
        nodes = read_nodes(conn)
        papers = changed_since(conn, before.seq)
        if papers is None or len(papers) > _PART * max(1, len(nodes[0])):
            return read_all(conn)
        same = all(map(np.array_equal, nodes, before.nodes))
        if same and not papers:
            return before
        links, works = before.links, before.works
        if papers:
            new_links, new_works = read_links(conn, papers)
            gone = np.array(papers, dtype=np.int64)
            links, works = _replaced(links, new_links, gone), _replaced(works, new_works, gone)
        return Columns(nodes, links, works, last_change(conn))


def _replaced(
    rows: tuple[NDArray[np.int64], ...],
    new: tuple[NDArray[np.int64], ...],
    papers: NDArray[np.int64],
) -> tuple[NDArray[np.int64], ...]:
    """Columns with the rows of some papers (first column) taken out and others put in."""
    stay = ~np.isin(rows[0], papers)
    return tuple(np.concatenate((old[stay], come)) for old, come in zip(rows, new, strict=True))
