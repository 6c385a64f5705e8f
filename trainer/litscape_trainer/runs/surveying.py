"""What a library has to learn from, counted before anything is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.jobs import null_context
from litscape_trainer.recipes.registry import DEFAULT, QUICK, recipe
from litscape_trainer.runs.lessons import TEXT, floors, parted, without_links
from litscape_trainer.runs.records import Survey
from litscape_trainer.source import read_source
from litscape_trainer.verdict.judging import judged_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_trainer.source import Source
    from litscape_trainer.splits import TrainingSplit

_LONG = 150


def survey(library: Library, ctx: JobContext | None = None) -> Survey:
    """Count links, papers and queries.

    Raises:
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    ctx.progress(0, None, "Reading papers and links")
    source = read_source(library)
    ctx.progress(0, None, "Counting what there is to learn from")
    split, queries = parted(source, recipe(DEFAULT))
    abstracts = sum(bool(text.abstract.strip()) for text in source.material.texts.values())
    refusal = floors(source, recipe(DEFAULT), queries)
    first, sentence = QUICK, ""
    if refusal is not None:
        sentence = without_links(source, recipe(DEFAULT), refusal).sentence
        first = TEXT if sentence != refusal.sentence else QUICK
    else:
        by = judged_by(queries, links=split.by == "edge")
        sentence = (
            f"{len(split.training):,} links to learn from, {by} to judge by ({split.name}). "
            f"{_kept_out(source, split)}"
        ).rstrip()
    return Survey(
        papers=len(source.material.texts),
        abstracts=abstracts,
        links=len(np.unique(source.material.links, axis=0)),
        sources=_sources(source),
        training_links=len(split.training),
        dev_queries=len(split.dev),
        test_queries=queries,
        split=split.name,
        cut=split.cut,
        enough=refusal is None,
        sentence=sentence,
        recipe=first,
    )


def _kept_out(source: Source, split: TrainingSplit) -> str:
    """Why it is not by year, and where the links are that are not learnt from."""
    told = list(split.sentences)
    rest = len(np.unique(source.material.links, axis=0)) - len(split.training)
    if rest > 0 and split.by != "edge":  # those that are hidden are told of by the split
        why = f" dated after {split.cut} or without a year" if split.cut is not None else ""
        told.append(f"The other {rest:,} links touch papers{why} that are held out for judging.")
    return " ".join(told)


def _sources(source: Source) -> dict[str, int]:
    """How many pairs of each kind there are, whatever is held out later."""
    texts = source.material.texts.values()
    titled = sum(bool(text.title.strip() and text.abstract.strip()) for text in texts)
    return {
        "citation links": len(np.unique(source.material.links, axis=0)),
        "pairs cited together twice": _shared(source, source.material.links[:, ::-1], 2, _LONG),
        "pairs sharing three references": _shared(source, source.material.links, 3),
        "papers sharing a collection": len(source.weak["collection"].ids),
        "papers sharing a tag": len(source.weak["tag"].ids),
        "pairs related in Zotero": len(source.weak["related"].ids) // 2,
        "pairs said to be related": len(source.related),
        "titles with abstracts": titled,
    }


def _shared(
    source: Source, links: NDArray[np.int64], least: int, longest: int | None = None
) -> int:
    """Pairs of papers that have so many partners in common on the other end of links.

    Partners with more than ``longest`` links do not count: a survey's list pairs anything.
    """
    from scipy.sparse import csr_matrix

    ids = source.material.ids
    if not len(links) or not len(ids):
        return 0
    rows, columns = (np.searchsorted(ids, links[:, side]) for side in (0, 1))
    ones = np.ones(len(links), dtype=np.float32)
    matrix = csr_matrix((ones, (rows, columns)), shape=(len(ids), len(ids)))
    matrix.data[:] = 1
    if longest is not None:
        matrix = matrix[:, np.asarray(matrix.sum(axis=0)).ravel() <= longest]
    shared = (matrix @ matrix.T).tocoo()
    return int(np.count_nonzero((shared.data >= least) & (shared.row < shared.col)))
