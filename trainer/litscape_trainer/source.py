"""What is read of a library at the start of a run, once: splits and materials are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.evaluation.material import Material, title_key
from litscape.graph.weak import KINDS, weak_links
from litscape.near import no_such
from litscape.outline import read_outline
from litscape.paper import PaperFilter
from litscape.store import pairs, same_works

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.graph.weak import WeakKind, WeakLinks
    from litscape.library import Library

_TELLING = 12
"""Titles of fewer letters ("Introduction", "Editorial") make no twins."""


@dataclass(frozen=True, eq=False)
class Source:
    """The live papers of a library as they were when it was read.

    Attributes:
        material: texts, years and links, as measurements have them.
        graph: the same links with the works cited outside.
        twins: (n,) int32, by the order of ``material.ids``: papers of one number are one work.
        related: (k, 2) int64 ids of papers that a person said are related.
        weak: who shares collections and tags, and who is related in Zotero.
        collections: the papers of each collection, those below it among them, by its path.
    """

    material: Material
    graph: CitationGraph
    twins: NDArray[np.int32]
    related: NDArray[np.int64]
    weak: Mapping[WeakKind, WeakLinks]
    collections: Mapping[str, frozenset[int]]

    def among(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """(n,) which papers are in any of some collections, named by path; all for no name.

        Raises:
            UserError: there is no such collection.
        """
        wanted = list(names)
        ids = self.material.ids
        if not wanted:
            return np.ones(len(ids), dtype=np.bool_)
        inside: set[int] = set()
        for name in wanted:
            if name not in self.collections:
                raise UserError(no_such("collection", name, self.collections))
            inside |= self.collections[name]
        return np.isin(ids, np.array(sorted(inside), dtype=np.int64))


def read_source(library: Library) -> Source:
    """Read what splits and materials are made of."""
    material = Material.of(library)
    # The graph again, as works outside are in it; what came in between is in neither.
    graph = library.citations.graph()
    if not np.array_equal(graph.ids, material.ids):
        return read_source(library)
    with library.database.read() as conn:
        shared = same_works.same_identifiers(conn)
        told = pairs.all_pairs(conn, pairs.RELATED)
        weak = {kind: weak_links(conn, kind) for kind in KINDS}
    collections = {
        "/".join(one.path): frozenset(library.papers.ids(PaperFilter(collection=one.id)).tolist())
        for one in read_outline(library.database).collections
    }
    return Source(
        material,
        graph,
        twins_of(material, shared),
        np.array(sorted(told), dtype=np.int64).reshape(-1, 2),
        weak,
        collections,
    )


def twins_of(material: Material, shared: Iterable[tuple[str, int]]) -> NDArray[np.int32]:
    """(n,) int32: a number for each paper, the same for papers that are one work.

    They have an identifier in common or the same title: a preprint and its journal version.

    Args:
        material: the papers.
        shared: (identifier, paper) of identifiers that several papers have.
    """
    place = {paper: n for n, paper in enumerate(material.ids.tolist())}
    leader = list(range(len(place)))

    def lead(one: int) -> int:
        while leader[one] != one:
            leader[one] = leader[leader[one]]
            one = leader[one]
        return one

    first: dict[str, int] = {}
    named = [
        (f"title {key}", paper)
        for paper, text in material.texts.items()
        if len(key := title_key(text.title)) >= _TELLING
    ]
    for name, paper in (*named, *shared):
        if paper in place:
            one, other = lead(place[paper]), lead(first.setdefault(name, place[paper]))
            leader[max(one, other)] = min(one, other)
    return np.array([lead(n) for n in range(len(leader))], dtype=np.int32)
