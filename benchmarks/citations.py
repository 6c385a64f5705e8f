"""The citation graph at 10,000 and 100,000 papers, ten links each, beside networkx.

``python benchmarks/citations.py [papers …]``. The papers and links are made up: half of what is
cited is older by a power law, a tenth are a few works that very many cite. networkx builds the
same links from a list; its co-citation counts predecessors' successors.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from litscape.graph.current import CurrentGraph
from litscape.graph.measures import components, pagerank
from litscape.graph.neighbours import cocited, coupled
from litscape.graph.whole import all_cocited
from litscape.paper import PaperDraft, Reference
from litscape.store.bulk import NewPaper, insert_citations, insert_papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph

SIZES = (10_000, 100_000)
LINKS_A_PAPER = 10
ASKED = 1000
_BATCH = 5000


def links(papers: int) -> NDArray[np.int64]:
    """Distinct links (citing, cited), (about ten a paper, 2)."""
    rng = np.random.default_rng(4)
    count = papers * LINKS_A_PAPER
    citing = rng.integers(2, papers + 1, count)
    cited = (citing * rng.beta(1.0, 1.5, count) * 0.5).astype(np.int64) + 1
    famous = rng.random(count) < 0.1
    cited[famous] = 1 + rng.zipf(1.6, int(famous.sum())) % 1000
    pairs = np.column_stack((citing, cited))
    return np.unique(pairs[citing != cited], axis=0)


def make(database: Database, papers: int, pairs: NDArray[np.int64]) -> None:
    for start in range(1, papers + 1, _BATCH):
        batch = [
            NewPaper(
                n,
                f"p{n}",
                PaperDraft(
                    title=f"Paper {n}",
                    year=1990 + n * 35 // papers,
                    references=(Reference(doi=f"10.5555/{n * 7919 % (papers // 3)}"),),
                ),
            )
            for n in range(start, min(start + _BATCH, papers + 1))
        ]
        with database.write() as conn:
            insert_papers(conn, batch)
    with database.write() as conn:
        insert_citations(conn, [(a, b, "import") for a, b in pairs.tolist()])


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = act()
    return time.perf_counter() - start, found


def each(ask: Callable[[int], object], papers: list[int]) -> str:
    """Median, 99th percentile and longest of single questions, in ms."""
    times = np.array([timed(lambda paper=paper: ask(paper))[0] for paper in papers]) * 1000
    return (
        f"median {np.median(times):.2f} ms, 99 % below {np.percentile(times, 99):.2f} ms, "
        f"longest {times.max():.1f} ms"
    )


def theirs(graph: nx.DiGraph, paper: int) -> list[tuple[int, int]]:
    counts: Counter[int] = Counter()
    for citing in graph.predecessors(paper):
        counts.update(graph.successors(citing))
    del counts[paper]
    return counts.most_common(50)


def ours(database: Database, pairs: NDArray[np.int64]) -> CitationGraph:
    current = CurrentGraph(database)
    seconds, graph = timed(current.get)
    print(f"  read from the library and built: {seconds:.2f} s")
    seconds, _ = timed(lambda: (graph.into, graph.works_cited_by))
    print(f"  the other direction, once: {seconds:.2f} s")
    with database.write() as conn:
        insert_citations(conn, [(int(pairs[-1, 0]), 1, "new")])
    seconds, _ = timed(current.get)
    print(f"  brought up to date after one link: {seconds:.2f} s")
    return graph


def measure(papers: int) -> None:
    pairs = links(papers)
    print(f"{papers:,} papers, {len(pairs):,} links")
    with (
        tempfile.TemporaryDirectory() as folder,
        Database.open(Path(folder) / "library") as database,
    ):
        make(database, papers, pairs)
        graph = ours(database, pairs)
    asked = np.random.default_rng(5).integers(1, papers + 1, ASKED).tolist()
    famous = graph.ids[np.argsort(-graph.in_degrees())[:5]].tolist()
    print(
        f"  co-citation of one paper ({ASKED:,} asked): {each(lambda p: cocited(graph, p), asked)}"
    )
    most = int(graph.in_degrees().max())
    print(f"  of the five most cited (up to {most:,}): {each(lambda p: cocited(graph, p), famous)}")
    print(f"  coupling of one paper: {each(lambda p: coupled(graph, p), asked)}")
    seconds, lists = timed(lambda: all_cocited(graph))
    print(f"  co-citation of all papers, top 50: {seconds:.1f} s, {len(lists.others):,} pairs kept")
    for name, act in (("components", components), ("PageRank", pagerank)):
        print(f"  {name}: {timed(lambda act=act: act(graph))[0]:.2f} s")
    print(f"  graph as of 2005: {timed(lambda: graph.as_of(2005))[0]:.3f} s")
    seconds, other = timed(lambda: nx.DiGraph(pairs.tolist()))
    print(f"  networkx: built from a list: {seconds:.2f} s")
    there = [paper for paper in asked if paper in other]
    print(f"  networkx: co-citation of one paper: {each(lambda p: theirs(other, p), there)}")
    print(f"  networkx: of the five most cited: {each(lambda p: theirs(other, p), famous)}")
    seconds, _ = timed(lambda: list(nx.weakly_connected_components(other)))
    print(f"  networkx: components {seconds:.2f} s")
    print(f"  networkx: PageRank (SciPy) {timed(lambda: nx.pagerank(other))[0]:.2f} s", flush=True)


if __name__ == "__main__":
    for size in [int(text) for text in sys.argv[1:]] or SIZES:
        measure(size)
