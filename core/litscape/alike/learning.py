"""Learning what each signal counts for from a library's own links, and measuring whether it helps.

Two kinds of questions, both without any link that is to be found (:mod:`litscape.evaluation`): what
does a later paper cite, known by its text alone; and what is cited together with a known paper by
later ones.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.alike.fitting import Query, fit, ndcg
from litscape.alike.request import Examples, SimilarRequest
from litscape.alike.signals import DEFAULTS
from litscape.alike.weights import Learned, put_learned
from litscape.errors import NotReadyError
from litscape.evaluation.bootstrap import compare
from litscape.evaluation.splits import split
from litscape.graph.csr import Rows
from litscape.jobs import null_context
from litscape.paper import PaperFilter
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from litscape.alike.finder import Finder
    from litscape.evaluation.splits import HeldOutPaper, Split
    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId

MIN_LINKS = 500
MIN_QUERIES = 50
"""With fewer nothing is learned: it would be chance."""
MOST_TEXTS, MOST_KNOWN = 300, 150
"""Questions of each kind, on each side, at most."""
TOGETHER = 2
"""Cited together by so many later papers counts as alike."""
_DEPTH = 300
_NAMES = tuple(DEFAULTS)
MEASURE = "nDCG@10"


def learn(library: Library, ctx: JobContext | None = None) -> Learned:
    """Learn weights, measure them on held-out questions, and adopt them if they are no worse.

    Raises:
        NotReadyError: the library has too few links to learn from or to measure by.
        EnvironmentFault: it is open for reading only.
        JobCancelledError: ``ctx`` asked for the end; nothing is changed then.
    """
    ctx = ctx or null_context()
    library.database.check_writable()
    graph = library.citations.graph()
    years = {
        paper: year
        for paper, year in zip(graph.ids.tolist(), graph.years.tolist(), strict=True)
        if year != NO_YEAR
    }
    parts = split(years, graph.edges())
    if len(parts.training) < MIN_LINKS or min(len(parts.dev), len(parts.test)) < MIN_QUERIES:
        raise NotReadyError(
            f"There are too few links to learn from: {len(parts.training):,} between papers with a "
            f"year, and {len(parts.test):,} papers to measure on. Some {MIN_LINKS} and "
            f"{MIN_QUERIES} are needed; looking references up adds them."
        )
    learner = _Questions(library.searcher.alike, _only(graph, parts), parts, ctx)
    chosen = _scaled(fit(list(learner.of(parts.dev, "Learning")), _defaults()))
    held = list(learner.of(parts.test, "Measuring"))
    before, after = np.array(ndcg(held, _defaults())), np.array(ndcg(held, chosen))
    gain = compare(before, after)
    found = Learned(
        weights={
            name: round(value, 4) for name, value in zip(_NAMES, chosen.tolist(), strict=True)
        },
        made_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        links=graph.edge_count,
        queries=learner.asked - len(held),
        held_out=len(held),
        measure=MEASURE,
        before=float(before.mean()),
        gain=gain.difference.mean,
        low=gain.difference.low,
        high=gain.difference.high,
        # What is worse, or as likely worse as better, is not taken.
        adopted=gain.difference.mean > 0 and gain.difference.low > -0.005,
    )
    with library.database.write() as conn:
        put_learned(conn, found)
    return found


class _Questions:
    """Asks what is held out, with the links that may be known."""

    def __init__(self, finder: Finder, graph: CitationGraph, parts: Split, ctx: JobContext) -> None:
        self._finder, self._graph, self._ctx = finder, graph, ctx
        self._cut = parts.cut
        self.asked = 0

    def of(self, held: Sequence[HeldOutPaper], what: str) -> Iterator[Query]:
        """The candidates of questions by text, then of those by known papers."""
        texts = held[:: -(-len(held) // MOST_TEXTS)]
        known = list(together(held).items())
        known = known[:: -(-len(known) // MOST_KNOWN) or 1]
        total = len(texts) + len(known)
        for done, one in enumerate(texts):
            self._ctx.progress(done, total, what)
            yield self._ask(one.paper, one.year, one.relevant, text_only=True)
        for done, (paper, others) in enumerate(known, start=len(texts)):
            self._ctx.progress(done, total, what)
            yield self._ask(paper, self._cut, others, text_only=False)

    def _ask(
        self, paper: PaperId, year: int | None, relevant: frozenset[PaperId], *, text_only: bool
    ) -> Query:
        self.asked += 1
        request = SimilarRequest(
            Examples((paper,)),
            k=_DEPTH,
            flt=None if year is None else PaperFilter(year_to=year),
            # Every signal is measured, whatever it counts for by default.
            weights={name: max(weight, 0.01) for name, weight in DEFAULTS.items()},
            as_of=self._cut,
            text_only=text_only,
        )
        scored = self._finder.scored(request, self._graph)
        nothing = np.zeros(len(scored.ids))
        columns = [scored.signals.get(name, nothing) for name in _NAMES]
        there = np.isin(scored.ids, np.fromiter(relevant, dtype=np.int64))
        return Query(np.column_stack(columns), there, len(relevant) - int(there.sum()))


def together(held: Sequence[HeldOutPaper]) -> Mapping[PaperId, frozenset[PaperId]]:
    """For papers that held-out papers cite, the others that several of these cite as well."""
    counts: dict[PaperId, dict[PaperId, int]] = {}
    for one in held:
        for paper in one.relevant:
            own = counts.setdefault(paper, {})
            for other in one.relevant:
                if other != paper:
                    own[other] = own.get(other, 0) + 1
    found = {
        paper: frozenset(other for other, times in own.items() if times >= TOGETHER)
        for paper, own in sorted(counts.items())
    }
    return {paper: others for paper, others in found.items() if others}


def _only(graph: CitationGraph, parts: Split) -> CitationGraph:
    """The graph with the links that may be learned from, and no others."""
    citing = np.searchsorted(graph.ids, parts.training[:, 0]).astype(np.int32)
    cited = np.searchsorted(graph.ids, parts.training[:, 1]).astype(np.int32)
    return replace(graph, out=Rows.of(citing, cited, len(graph)))


def _scaled(weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Any:
    """Weights by which scores are about as high as by the default ones; the order is the same."""
    texts = [_NAMES.index(name) for name in ("vector", "lexical")]
    sum_of_texts = float(weights[texts].sum())
    return weights * (_defaults()[texts].sum() / sum_of_texts) if sum_of_texts else weights


def _defaults() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([DEFAULTS[name] for name in _NAMES])
