"""What the citations of a library are told in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from litscape.graph.measures import components
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.graph.model import CitationGraph
    from litscape.graph.table import SkippedLine
    from litscape.graph.weak import WeakKind
    from litscape.paper import LibraryChanges, PaperId, Reference


@dataclass(frozen=True, slots=True)
class LinkedPaper:
    """A paper at the other end of a link, and where the link comes from.

    Attributes:
        paper: its id.
        source: ``import:<number of the source>``, ``file:<name>``, a service; as it is stored.
        method: how the cited paper was found (doi, pmid, record, title, …); None: not known.
        score: how sure that is, 0 … 1; None: not known.
        sentence: the same in words.
    """

    paper: PaperId
    source: str
    method: str | None
    score: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class OutsideWork:
    """A work outside the library that a paper cites.

    Attributes:
        position: its place among the paper's references.
        work: what tells it from other works; None where nothing does.
        reference: what is known of it.
        citing: how many papers of the library cite it.
    """

    position: int
    work: int | None
    reference: Reference
    citing: int


@dataclass(frozen=True, slots=True)
class SourceCount:
    """How many links come from one source, and what that is called."""

    source: str
    name: str
    links: int


@dataclass(frozen=True, slots=True)
class CitationStats:
    """What the graph of a library is made of; papers in the trash are in none of it.

    Attributes:
        papers: how many there are.
        with_references: those with any reference, inside or outside.
        linked: those with a link to or from another one.
        undated: those without a year, which are in no graph as of a year.
        links: links between papers.
        by_source: the same by source, the largest first.
        outside_references: references to works outside the library, each once a paper.
        outside_works: works that these mean.
        components: groups of papers that hang together by links, of two or more.
        largest: papers of the largest of them.
        weak: papers that share a collection or a tag with another one, or that Zotero calls
            related, by kind: weak links, which are no citations and in none of these counts.
    """

    papers: int
    with_references: int
    linked: int
    undated: int
    links: int
    by_source: tuple[SourceCount, ...]
    outside_references: int
    outside_works: int
    components: int
    largest: int
    weak: Mapping[WeakKind, int]

    @classmethod
    def of(
        cls,
        graph: CitationGraph,
        by_source: tuple[SourceCount, ...],
        weak: Mapping[WeakKind, int],
    ) -> Self:
        """Count a graph."""
        sizes = np.bincount(components(graph), minlength=1)
        groups = sizes[sizes > 1]
        return cls(
            papers=len(graph),
            with_references=int((graph.list_lengths > 0).sum()),
            linked=int(groups.sum()),
            undated=int((graph.years == NO_YEAR).sum()),
            links=graph.edge_count,
            by_source=by_source,
            outside_references=len(graph.works.indices),
            outside_works=len(graph.work_keys),
            components=len(groups),
            largest=int(groups.max()) if len(groups) else 0,
            weak=weak,
        )


@dataclass(frozen=True, slots=True)
class AddReport:
    """What came of a list of links; the counts and the skipped lines add up to its lines.

    Attributes:
        changes: what was changed; one step of undo.
        lines: how many lines with something in them the list has, without the names of columns.
        added: new links between papers.
        references: works outside the library that became references of the citing paper.
        known: links and references that were there before, or stand twice in the list.
        skipped: the other lines, with the reason.
    """

    changes: LibraryChanges
    lines: int
    added: int
    references: int
    known: int
    skipped: tuple[SkippedLine, ...]
