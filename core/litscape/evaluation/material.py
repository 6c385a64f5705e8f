"""What a library holds that can be measured with: papers, years, texts, links, twins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from litscape.sorting import plain_letters
from litscape.store import lexical
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape.store.lexical import Text

_BETWEEN = re.compile(r"[\W_]+")
_TELLING = 12
"""Titles of fewer letters ("Introduction", "Editorial") make no twins."""
ONE_TIME = 0
"""The year of every paper of a library in which none has a year: all count as of one time."""


@dataclass(frozen=True)
class Material:
    """The live papers of a library.

    Attributes:
        texts: what each says of itself.
        years: year by paper; those without one are left out, unless none has one: then all are
            of ``ONE_TIME``.
        links: (citing, cited), (n, 2) int64.
    """

    texts: Mapping[PaperId, Text]
    years: Mapping[PaperId, int]
    links: NDArray[np.int64]

    @classmethod
    def of(cls, library: Library) -> Material:
        """Read it from a library."""
        graph = library.citations.graph()
        with library.database.read() as conn:
            texts = lexical.texts(conn, graph.ids.tolist())
        years = {
            paper: year
            for paper, year in zip(graph.ids.tolist(), graph.years.tolist(), strict=True)
            if year != NO_YEAR
        }
        return cls(texts, or_one_time(graph.ids, years), graph.edges())

    @property
    def timeless(self) -> bool:
        """Whether no paper has a year, so that none is earlier than another."""
        return ONE_TIME in self.years.values()

    def until(self, year: int) -> int | None:
        """The last year of what may speak for papers of a year; None: any time."""
        return None if self.timeless else year

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """All papers, ascending."""
        return np.array(sorted(self.texts), dtype=np.int64)

    @cached_property
    def _by_title(self) -> Mapping[str, tuple[PaperId, ...]]:
        found: dict[str, list[PaperId]] = {}
        for paper, text in self.texts.items():
            if len(key := title_key(text.title)) >= _TELLING:
                found.setdefault(key, []).append(paper)
        return {key: tuple(papers) for key, papers in found.items() if len(papers) > 1}

    def twins(self, paper: PaperId) -> tuple[PaperId, ...]:
        """The other papers of the same title: a preprint and its journal version are one work."""
        same = self._by_title.get(title_key(self.texts[paper].title), ())
        return tuple(other for other in same if other != paper)

    def with_twins(self, papers: Collection[PaperId]) -> set[PaperId]:
        """Papers and their twins."""
        return {one for paper in papers for one in (paper, *self.twins(paper))}

    @cached_property
    def _dates(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ids = np.array(sorted(self.years), dtype=np.int64)
        return ids, np.array([self.years[paper] for paper in ids.tolist()], dtype=np.int64)

    def dated(self, year: int) -> NDArray[np.int64]:
        """The papers dated up to a year, ascending."""
        ids, years = self._dates
        found: NDArray[np.int64] = ids[years <= year]
        return found


def or_one_time(ids: NDArray[np.int64], years: Mapping[PaperId, int]) -> Mapping[PaperId, int]:
    """Years by paper; where no paper has one, that all are of one time."""
    return years or dict.fromkeys(ids.tolist(), ONE_TIME)


def title_key(title: str) -> str:
    """A title by its letters and digits alone."""
    return _BETWEEN.sub("", plain_letters(title).lower())
