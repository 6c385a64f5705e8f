"""What papers share by citations: works that they cite, and papers that cite them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.works import joined
from litscape.store.citations import cited_by, cites_of
from litscape.store.filters import AMONG, json_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId


def shared_references(
    conn: sa.Connection, seeds: Sequence[PaperId], others: Sequence[PaperId]
) -> dict[PaperId, int]:
    """How many references of the seeds each of the others has too; those without are left out.

    References to papers of the library count by paper, others by the work that they mean.
    """
    lists = _references(conn, {*seeds, *others})
    wanted = set().union(*(lists.get(seed, ()) for seed in seeds))
    shared = {other: len(wanted & lists.get(other, set())) for other in others}
    return {other: number for other, number in shared.items() if number}


def cited_together(
    conn: sa.Connection, seeds: Sequence[PaperId], others: Sequence[PaperId]
) -> dict[PaperId, int]:
    """How many papers cite each of the others and a seed; those without are left out."""
    citing = cited_by(conn, {*seeds, *others})
    of_seeds = set().union(*(citing.get(seed, ()) for seed in seeds))
    shared = {other: len(of_seeds.intersection(citing.get(other, ()))) for other in others}
    return {other: number for other, number in shared.items() if number}


def linked(
    conn: sa.Connection, seeds: Sequence[PaperId]
) -> tuple[frozenset[PaperId], frozenset[PaperId]]:
    """The papers that the seeds cite, and those that cite a seed."""
    cited = cites_of(conn, seeds)
    citing = cited_by(conn, seeds)
    return frozenset().union(*cited.values()), frozenset().union(*citing.values())


def _references(
    conn: sa.Connection, papers: Iterable[PaperId]
) -> dict[PaperId, set[tuple[str, int]]]:
    ids = list(papers)
    lists: dict[PaperId, set[tuple[str, int]]] = {}
    for paper, cited in cites_of(conn, ids).items():
        lists[paper] = {("paper", other) for other in cited}
    rows = conn.exec_driver_sql(
        'SELECT paper_id, work, ifnull(name, 0), ifnull(also, 0) FROM "references"'
        f" WHERE paper_id {AMONG} AND work IS NOT NULL",
        (json_ids(ids),),
    ).fetchall()
    told = np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, 4)
    works = joined(told[:, 1], told[:, 2], told[:, 3])
    for paper, work in zip(told[:, 0].tolist(), works.tolist(), strict=True):
        lists.setdefault(paper, set()).add(("work", work))
    return lists
