"""From what was read of a library to what a run may learn from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.csr import Rows
from litscape.graph.works import works_of
from litscape.store.graph_reads import NO_YEAR
from litscape_trainer.examples.material import TrainingMaterial

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.graph.weak import WeakLinks
    from litscape_trainer.source import Source
    from litscape_trainer.splits import Asked, TrainingSplit


def gather(source: Source, recipe: Asked, split: TrainingSplit) -> TrainingMaterial:
    """What a run may learn from: nothing held out, dated too late or outside the collections.

    Raises:
        UserError: the recipe names a collection that is not there.
    """
    ids = source.material.ids
    texts = [source.material.texts[paper] for paper in ids.tolist()]
    free = ~np.isin(ids, split.held_out)
    wanted = source.among(recipe.collections)
    told = np.array([bool(text.title.strip() or text.abstract.strip()) for text in texts], bool)
    keep = free & wanted & told
    graph = narrowed(source.graph, keep, split.training, split.last)
    kept = [text for text, stays in zip(texts, keep.tolist(), strict=True) if stays]
    material = TrainingMaterial(
        graph=graph,
        titles=tuple(text.title.strip() for text in kept),
        abstracts=tuple(text.abstract.strip() for text in kept),
        groups={
            kind: _groups(links, graph.ids, split.as_of) for kind, links in source.weak.items()
        },
        vetoes=_places(source.related, graph.ids),
        twins=source.twins[keep],
    )
    late = source.graph.years > (NO_YEAR if split.last is None else split.last)
    reasons = (
        (f"dated after {split.last}, or without a year", ~free & late),
        ("held out to choose and to judge by, or one work with such a paper", ~free & ~late),
        ("outside the chosen collections", free & ~wanted),
        ("without title and abstract", free & wanted & ~told),
    )
    return replace(material, sentences=tuple(_sentences(material, split, reasons)))


def narrowed(
    graph: CitationGraph, keep: NDArray[np.bool_], links: NDArray[np.int64], year: int | None
) -> CitationGraph:
    """A graph of some of its papers, and of its links those that are named.

    Args:
        graph: the whole.
        keep: (n,) papers that stay.
        links: (citing, cited) ids that may stay, (m, 2).
        year: works outside that are dated later, or not at all, are left out.
    """
    ids = graph.ids[keep]
    out = graph.out.kept(keep, keep)
    size = 1 + (int(graph.ids[-1]) if len(graph.ids) else 0)
    own = ids[out.row_numbers()] * size + ids[out.indices]
    named = np.isin(own, links[:, 0] * size + links[:, 1])
    out = Rows.of_sorted(out.row_numbers()[named], out.indices[named], len(ids))
    lists = graph.lists.kept(keep)
    outside = works_of(lists, len(ids))
    return type(graph)(
        ids=ids,
        years=graph.years[keep],
        out=out,
        outside=outside if year is None else outside.up_to(year),
        lists=lists,
        list_lengths=graph.list_lengths[keep],
        year=year,
    )


def _groups(links: WeakLinks, ids: NDArray[np.int64], as_of: int | None) -> Rows:
    """The groups of each paper, by place; none as of a year: nobody knows when they were made."""
    stay = np.isin(links.ids, ids)
    rows = links.groups
    own = rows.row_numbers()
    there = stay[own] if as_of is None else np.zeros(len(own), dtype=np.bool_)
    places = np.searchsorted(ids, links.ids[own[there]]).astype(np.int32)
    return Rows.of(places, rows.indices[there], len(ids))


def _places(pairs: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int32]:
    inside = pairs[np.isin(pairs, ids).all(axis=1)]
    return np.searchsorted(ids, inside).astype(np.int32).reshape(-1, 2)


def _sentences(
    material: TrainingMaterial,
    split: TrainingSplit,
    reasons: tuple[tuple[str, NDArray[np.bool_]], ...],
) -> list[str]:
    told = [
        f"{len(material):,} papers may be learnt from, with {material.graph.edge_count:,} citation "
        "links between them."
    ]
    for reason, which in reasons:
        if number := int(np.count_nonzero(which)):
            told.append(f"{_papers(number, 'is', 'are')} left out: {reason}.")
    if bare := sum(not text for text in material.abstracts):
        told.append(f"{_papers(bare, 'has', 'have')} no abstract, and a title alone to learn from.")
    if split.as_of is not None:
        told.append(
            "Collections and tags do not say when they were made, so none is learnt from as of "
            f"{split.as_of}."
        )
    return told


def _papers(number: int, one: str, more: str) -> str:
    return f"1 paper {one}" if number == 1 else f"{number:,} papers {more}"
