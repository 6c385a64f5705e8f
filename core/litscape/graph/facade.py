"""The citations of a library: asking the graph, adding to it, and what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import numpy as np

from litscape.errors import UserError
from litscape.graph import exports, neighbours, origins
from litscape.graph.adding import add_lines
from litscape.graph.cited import Cited, fit
from litscape.graph.current import CurrentGraph
from litscape.graph.missing import LEAST, missing_works, told_by
from litscape.graph.ranking import RankedPaper, rank_papers
from litscape.graph.records import CitationStats, LinkedPaper, OutsideWork, SourceCount
from litscape.graph.refusing import refuse_link
from litscape.graph.weak import count_weak, weak_links
from litscape.jobs import null_context
from litscape.online.kept import kept_names, name_bare
from litscape.store import link_reads
from litscape.store.edits import begin
from litscape.store.linking import link_papers
from litscape.store.papers import resolve
from litscape.store.reference_blocks import read_known, read_texts_anew

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from litscape.graph.cited import Known
    from litscape.graph.missing import MissingWork
    from litscape.graph.model import CitationGraph
    from litscape.graph.neighbours import Neighbours
    from litscape.graph.records import AddReport
    from litscape.graph.weak import WeakKind, WeakLinks
    from litscape.graph.whole import NeighbourLists
    from litscape.jobs import JobContext
    from litscape.paper import LibraryChanges, PaperId, Reference
    from litscape.store.database import Database

_MATCHED = 500
"""Papers whose references are matched in one go."""


class Citations:
    """Who cites whom in one library. Making one reads nothing; for any thread.

    All but :meth:`all_cocited` is plain NumPy, so that the window may ask it, in its reading lane:
    the first question, and the first after a change, read the database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._current = CurrentGraph(database)

    def graph(self, as_of: int | None = None) -> CitationGraph:
        """The graph as the library is now, or of papers and links dated up to a year."""
        return self._current.get() if as_of is None else self._current.as_of(as_of)

    def references(self, ref: int | str) -> tuple[LinkedPaper, ...]:
        """The papers of the library that a paper cites, each with where the link comes from.

        Raises:
            UserError: there is no such paper.
        """
        return self._linked(ref, cited_by=False)

    def citing(self, ref: int | str) -> tuple[LinkedPaper, ...]:
        """The papers of the library that cite a paper, each with where the link comes from.

        Raises:
            UserError: there is no such paper.
        """
        return self._linked(ref, cited_by=True)

    def outside(self, ref: int | str) -> tuple[OutsideWork, ...]:
        """The works outside the library that a paper cites, in its order, itself left out.

        A work to which several of its references lead is told once, by all that they say.

        Raises:
            UserError: there is no such paper.
        """
        graph = self.graph()
        paper = self._paper(ref)
        with self._database.read() as conn:
            rows = link_reads.references_at(conn, paper)
            itself = link_reads.own_names(conn, paper)
            known = read_known(conn, [paper])
        rows = [row for row in rows if not _is(row[2], itself, known.get(paper))]
        said: dict[object, list[tuple[int, int | None, Reference]]] = {}
        for row in rows:
            said.setdefault(_work_of(graph, row), []).append(row)
        return tuple(
            OutsideWork(
                *some[0][:2], told_by([one[2] for one in some]), graph.citations_of_work(some[0][1])
            )
            for some in said.values()
        )

    def cocited(
        self, ref: int | str, k: int | None = neighbours.DEFAULT, *, as_of: int | None = None
    ) -> Neighbours:
        """The papers most cited together with one; see :func:`~.neighbours.cocited`.

        Raises:
            UserError: there is no such paper.
        """
        return neighbours.cocited(self.graph(as_of), self._paper(ref), k)

    def coupled(
        self, ref: int | str, k: int | None = neighbours.DEFAULT, *, as_of: int | None = None
    ) -> Neighbours:
        """The papers that share most references with one; see :func:`~.neighbours.coupled`.

        Raises:
            UserError: there is no such paper.
        """
        return neighbours.coupled(self.graph(as_of), self._paper(ref), k)

    def all_cocited(
        self,
        k: int = neighbours.DEFAULT,
        *,
        as_of: int | None = None,
        ctx: JobContext | None = None,
    ) -> NeighbourLists:
        """The papers most cited together with each one. Loads SciPy: not for the window's process.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
        from litscape.graph.whole import all_cocited

        return all_cocited(self.graph(as_of), k, ctx)

    def weak(self, kind: WeakKind, *, as_of: int | None = None) -> WeakLinks:
        """Links that are no citations: shared ``collection`` or ``tag``, Zotero's ``related``.

        Args:
            kind: of links.
            as_of: only between papers dated up to a year.

        Raises:
            UserError: there is no such kind.
        """
        with self._database.read() as conn:
            return weak_links(conn, kind, as_of)

    def missing(
        self,
        least: int = LEAST,
        limit: int | None = None,
        ctx: JobContext | None = None,
        *,
        as_of: int | None = None,
    ) -> tuple[MissingWork, ...]:
        """Works outside the library that at least so many of its papers cite, most cited first.

        With a year only works and papers dated up to it count.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
        graph = self.graph(as_of)
        with self._database.read() as conn:
            return missing_works(conn, graph, least, limit, ctx or null_context())

    def two_hop(
        self, ref: int | str, k: int | None = neighbours.DEFAULT, *, as_of: int | None = None
    ) -> Neighbours:
        """The papers two links away from one; see :func:`~.neighbours.two_hop`.

        Raises:
            UserError: there is no such paper.
        """
        return neighbours.two_hop(self.graph(as_of), self._paper(ref), k)

    def ranked(
        self, limit: int | None = None, *, as_of: int | None = None
    ) -> tuple[RankedPaper, ...]:
        """The papers by their PageRank along citations, the highest first."""
        return rank_papers(self.graph(as_of), limit)

    def stats(self, *, as_of: int | None = None) -> CitationStats:
        """Counts of links and references, and how the papers hang together.

        With a year only works and papers dated up to it count.
        """
        graph = self.graph(as_of)
        with self._database.read() as conn:
            by_source = link_reads.count_by_source(conn, as_of)
            locations = link_reads.source_locations(conn)
            weak = count_weak(conn, as_of)
        return CitationStats.of(
            graph,
            tuple(
                SourceCount(source, origins.name_of(source, locations), links)
                for source, links in by_source.items()
            ),
            weak,
        )

    def add(self, path: Path | str, ctx: JobContext | None = None) -> AddReport:
        """Add the links of a two-column list (citing, cited) as one change that can be undone.

        A cited work that is not in the library becomes a reference where it is named by an
        identifier, and a link once it comes in.

        Raises:
            UserError: the file can't be read, or holds no two columns.
        """
        return add_lines(self._database, path, ctx or null_context())

    def export(
        self,
        kind: str,
        stream: TextIO,
        network: TextIO | None = None,
        *,
        as_of: int | None = None,
        ctx: JobContext | None = None,
    ) -> int:
        """Write the links between papers and return how many.

        Args:
            kind: ``csv`` or ``tsv`` (citing, cited), ``graphml``, ``vosviewer``.
            stream: where to; VOSviewer's map file.
            network: VOSviewer's network file.
            as_of: links and papers dated up to a year.
            ctx: told of the progress.

        Raises:
            UserError: there is no such format, or VOSviewer's second file is not given.
            JobCancelledError: ``ctx`` asked for the end.
        """
        kind, ctx = exports.check_format(kind), ctx or null_context()
        graph = self.graph(as_of)
        with self._database.read() as conn:
            if kind == "graphml":
                return exports.write_graphml(conn, graph, stream, ctx)
            if kind == "vosviewer":
                if network is None:
                    raise UserError("VOSviewer reads two files, a map and a network: name both.")
                return exports.write_vosviewer(conn, graph, stream, network, ctx)
            return exports.write_table(conn, graph, stream, "," if kind == "csv" else "\t", ctx)

    def match(self, ctx: JobContext | None = None) -> LibraryChanges:
        """Look once more whether references mean papers of the library, as one change.

        Every import does so for what it brings; this is for what came before the program knew.
        Works cited by an id alone get the names that look-ups learnt and the library keeps.

        Raises:
            JobCancelledError: ``ctx`` asked for the end; nothing is changed then.
        """
        ctx = ctx or null_context()
        names = kept_names(self._database)
        with self._database.write() as conn:
            read_texts_anew(conn)
            bare = link_reads.bare_references(conn) if names else {}
            nameless = {paper for name in names for paper in bare.get(name, ())}
            papers = link_reads.papers_with_references(conn)
            recorder = begin(conn, "Match references with papers")
            for start in range(0, len(papers), _MATCHED):
                ctx.progress(start, len(papers), "Matching references")
                part = papers[start : start + _MATCHED]
                name_bare(recorder, sorted(nameless.intersection(part)), names)
                link_papers(recorder, part, ())
            return recorder.flush()

    def refuse(self, citing: int | str, cited: int | str) -> LibraryChanges:
        """Take back a link that leads to the wrong paper, as one change that can be undone.

        The reference stands as a work outside the library again, and is never taken for that
        paper any more.

        Raises:
            UserError: there is no such paper, or no such link.
        """
        return refuse_link(self._database, citing, cited)

    def _linked(self, ref: int | str, *, cited_by: bool) -> tuple[LinkedPaper, ...]:
        paper = self._paper(ref)
        with self._database.read() as conn:
            links = link_reads.links_of(conn, paper, cited_by=cited_by)
            locations = link_reads.source_locations(conn)
        return tuple(
            LinkedPaper(
                link.citing if cited_by else link.cited,
                link.source,
                link.method,
                link.score,
                origins.sentence(link.source, link.method, link.score, locations),
            )
            for link in links
        )

    def _paper(self, ref: int | str) -> PaperId:
        with self._database.read() as conn:
            paper = resolve(conn, ref)
        if paper is None:
            raise UserError(f"There is no paper {ref} in this library.")
        return paper


def _work_of(graph: CitationGraph, row: tuple[int, int | None, Reference]) -> object:
    """What is equal where two references of a paper mean one work."""
    position, work, _reference = row
    if work is None:
        return None, position  # it says nothing
    column = int(graph.outside.columns_of(np.array([work], dtype=np.int64))[0])
    return column if column >= 0 else (work,)


def _is(reference: Reference, names: Collection[str], paper: Known | None) -> bool:
    """Whether a reference means the paper that it is in."""
    if paper is None:
        return False
    if reference.doi or reference.source_id:
        return reference.doi in paper.dois or reference.source_id in names
    told = Cited(reference.title, reference.year, None, reference.raw, reference.extra)
    return fit(told, paper) is not None
