"""Maps of a library: made when asked for, kept, completed, compared."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape.maps import align as procrustes
from litscape.maps import making, placing
from litscape.maps.files import MapFiles, StoredMap
from litscape.maps.layouts import LAYOUTS, layout_named
from litscape.maps.layouts.pca import principal_plane
from litscape.maps.material import Material, gather, live_scope, missing_and_said, need
from litscape.maps.neighbours import FOR_ALL, GraphCache, find_neighbours
from litscape.maps.records import (
    WHOLE_LIBRARY,
    MapInfo,
    MapLayout,
    MapScope,
    NeighbourGraph,
    PartialMap,
)
from litscape.maps.steps import GRAPH, Part
from litscape.store import map_reads

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from litscape.jobs import JobContext
    from litscape.maps.records import Aligned
    from litscape.models.registry import ModelRegistry
    from litscape.store.database import Database
    from litscape.vectors.store import VectorStore


class Maps:
    """The maps of one library, below ``<library>/maps``.

    A map belongs to a model version and a scope and is never computed again unasked: papers that
    come later are placed by :meth:`place_new`, and deleted ones are no longer told of.
    """

    def __init__(self, database: Database, vectors: VectorStore, models: ModelRegistry) -> None:
        self._database = database
        self._vectors = vectors
        self._models = models
        self._files = MapFiles(database.folder / "maps")

    def make(
        self,
        scope: MapScope = WHOLE_LIBRARY,
        layout: str = "umap",
        seed: int = 0,
        ctx: JobContext | None = None,
        start: MapLayout | None = None,
        version: str | None = None,
    ) -> MapLayout:
        """Lay papers out in this process, and keep the map.

        Windows call :func:`litscape.maps.client.make_map`, which does this in a child that is warm.

        Args:
            scope: which papers.
            layout: ``umap``, ``tsne`` or ``pca``.
            seed: the same one gives the same picture.
            ctx: hears of progress; gets a :class:`PartialMap` by PCA at once and others on the
                way; cancelled, it leaves nothing behind.
            start: a map whose places to begin with and to be turned onto, so that both can be
                compared (:meth:`align`).
            version: the model version; the active one by default.

        Raises:
            UserError: no such layout or version, or no papers.
            NotReadyError: no paper of the scope has a vector.
            EnvironmentFault: the map can't be stored.
            JobCancelledError: ``ctx`` was cancelled.
        """
        ctx = ctx or null_context()
        how = layout_named(layout)
        version = version or self._models.active().version
        material = self._material(scope, version)
        known = set(self._files.keys())

        def neighbours(k: int) -> NeighbourGraph:
            return self._graph(version, material, k, Part(ctx, GRAPH))

        picture = making.draw(material, how, seed, neighbours, ctx, start)
        ctx.check()
        from_key = start.key if start is not None else None
        with self._database.write():  # one at a time: another process may have made the same
            for key in sorted(set(self._files.keys()) - known):
                if self._same(key, picture, (version, layout, seed, from_key), scope):
                    return self.get(key)
            return self.get(self._keep(picture, scope, version, layout, seed, from_key))

    def first_picture(
        self, scope: MapScope = WHOLE_LIBRARY, version: str | None = None
    ) -> PartialMap:
        """The papers by PCA, at once and not kept: something to look at until a map is made.

        Raises:
            UserError, NotReadyError: as :meth:`make`.
        """
        material = self._material(scope, version or self._models.active().version)
        return PartialMap(material.ids, principal_plane(material.matrix), 0, 1)

    def get(self, key: int) -> MapLayout:
        """A stored map, with those of its papers that are in the library.

        Raises:
            UserError: there is no such map, or it is damaged.
        """
        stored = self._files.read(key)
        info = stored.info
        chosen = None if stored.chosen is None else tuple(stored.chosen.tolist())
        scope = MapScope(info.title, chosen)
        with self._database.read() as conn:
            live = map_reads.live_papers(conn)
            with_vector = map_reads.papers_with_vectors(conn, info.version)
        there = np.isin(stored.ids, live.ids)
        ids = stored.ids[there]
        missing, said = missing_and_said(live, with_vector, scope, ids)
        placed = int(stored.placed[there].sum())
        if placed:
            papers = "paper was" if placed == 1 else "papers were"
            said = (f"{placed:,} {papers} placed later, among the nearest others.", *said)
        return MapLayout(
            key=key,
            version=info.version,
            layout=info.layout,
            seed=info.seed,
            scope=scope,
            made_at=info.made_at,
            ids=ids,
            xy=stored.xy[there],
            placed=stored.placed[there],
            missing=missing,
            sentence=" ".join(filter(None, (stored.note, *said))),
            started_from=info.started_from,
        )

    def places(self, key: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The papers of a stored map, those in the trash too, (n,), and their places, (n, 2).

        Raises:
            UserError: there is no such map, or it is damaged.
        """
        stored = self._files.read(key)
        return stored.ids, stored.xy

    def list(self) -> tuple[MapInfo, ...]:
        """All stored maps, the newest first; one that is damaged is left out."""
        return self._files.infos()

    def latest(
        self,
        scope_title: str | None = None,
        version: str | None = None,
        layout: str | None = None,
        ids: Iterable[int] | None = None,
    ) -> MapLayout | None:
        """The newest map of a scope; None where there is none.

        Args:
            scope_title: the scope's title; the whole library by default.
            version: the model version; the active one by default.
            layout: only of this layout.
            ids: only of just these papers; scopes of one title can hold different ones.
        """
        version = version or self._models.active().version
        wanted = None if ids is None else {int(one) for one in ids}
        for info in self.list():
            fits = info.whole if scope_title is None else info.title == scope_title
            if fits and info.version == version and layout in (None, info.layout):
                found = self.get(info.key)
                if wanted is None or wanted == set(found.scope.ids or ()):
                    return found
        return None

    def remove(self, key: int) -> None:
        """Take a map away; its seed gives the same picture again.

        Raises:
            UserError: there is no such map.
            EnvironmentFault: it can't be removed.
        """
        self._files.remove(key)

    def place_new(self, key: int, ctx: JobContext | None = None) -> MapLayout:
        """Give papers of the scope that came later a place, and move no other.

        On a map by PCA they get the place that PCA would have given them; on others they are put
        among their nearest neighbours, which the map's sentence tells.

        Raises:
            UserError: there is no such map.
            EnvironmentFault: the map can't be stored.
            JobCancelledError: ``ctx`` was cancelled.
        """
        ctx = ctx or null_context()
        stored = self._files.read(key)
        material = gather(self._vectors.snapshot(stored.info.version), stored.chosen)
        new = ~np.isin(material.ids, stored.ids)
        _ids, here, there = np.intersect1d(
            material.ids, stored.ids[~stored.placed], return_indices=True
        )
        if not new.any() or not len(here):
            return self.get(key)
        known, xy = material.matrix[here], stored.xy[~stored.placed][there]
        vectors = material.matrix[new]
        if stored.info.layout == "pca":
            places = placing.by_plane(vectors, known, xy)
        else:
            places = placing.by_neighbours(vectors, known, xy, ctx)
        sound = np.isfinite(places).all(axis=1)
        ctx.check()
        self._files.change(
            replace(
                stored,
                ids=np.concatenate([stored.ids, material.ids[new][sound]]),
                xy=np.concatenate([stored.xy, places[sound]]),
                placed=np.concatenate([stored.placed, np.ones(int(sound.sum()), dtype=bool)]),
            )
        )
        return self.get(key)

    def neighbours(
        self,
        version: str | None = None,
        ids: Iterable[int] | None = None,
        k: int = 15,
        ctx: JobContext | None = None,
    ) -> NeighbourGraph:
        """The ``k`` nearest others of each paper by cosine, from the cache where they are there.

        Args:
            version: the model version; the active one by default.
            ids: among which papers; all by default. Those without a vector are left out.
            k: neighbours wished for; fewer come back where there are not so many papers.
            ctx: hears of progress; can end the work.

        Raises:
            JobCancelledError: ``ctx`` was cancelled.
        """
        version = version or self._models.active().version
        wanted = None if ids is None else np.fromiter(ids, dtype=np.int64)
        material = gather(self._vectors.snapshot(version), wanted)
        return self._graph(version, material, k, ctx or null_context())

    @staticmethod
    def align(before: MapLayout, after: MapLayout) -> Aligned:
        """Lay one map over another; see :func:`litscape.maps.align.align`.

        Raises:
            UserError: they share fewer than three papers.
        """
        return procrustes.align(before, after)

    @staticmethod
    def layouts() -> tuple[str, ...]:
        """The names of the layouts there are, the usual one first."""
        return tuple(LAYOUTS)

    def _same(
        self,
        key: int,
        picture: making.Picture,
        how: tuple[str, str, int, int | None],
        scope: MapScope,
    ) -> bool:
        """Whether a stored map is what was drawn: of the same papers, in the same way."""
        try:
            stored = self._files.read(key)
        except UserError:  # damaged, or removed meanwhile
            return False
        info, chosen = stored.info, _chosen(scope)
        return (
            (info.version, info.layout, info.seed, info.started_from) == how
            and (info.title, info.whole) == (scope.title, scope.ids is None)
            and np.array_equal(stored.ids, picture.ids)
            and (chosen is None or set(chosen.tolist()) == set(_listed(stored.chosen)))
        )

    def _keep(
        self,
        picture: making.Picture,
        scope: MapScope,
        version: str,
        layout: str,
        seed: int,
        started_from: int | None,
    ) -> int:
        info = MapInfo(
            key=0,
            version=version,
            layout=layout,
            seed=seed,
            title=scope.title,
            whole=scope.ids is None,
            papers=len(picture.ids),
            placed=0,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            started_from=started_from,
        )
        placed = np.zeros(len(picture.ids), dtype=bool)
        chosen = _chosen(scope)
        return self._files.add(
            StoredMap(info, picture.ids, picture.xy, placed, chosen, picture.note)
        )

    def _graph(self, version: str, material: Material, k: int, ctx: JobContext) -> NeighbourGraph:
        cache = GraphCache(self._database.folder / "index" / version)
        found = cache.load(material.revision, material.ids, k)
        if found is None:
            # As many for everybody: were there graphs of several sizes, papers with equal vectors
            # could have other neighbours, and a map another look, by which was made first.
            found = find_neighbours(material.ids, material.matrix, max(k, FOR_ALL), ctx)
            cache.save(material.revision, found)
        return found.nearest(k)

    def _material(self, scope: MapScope, version: str) -> Material:
        with self._database.read() as conn:
            live = map_reads.live_papers(conn)
        material = gather(self._vectors.snapshot(version), _chosen(scope))
        need(material, scope, int(live_scope(live, scope).sum()))
        return material


def _listed(chosen: NDArray[np.int64] | None) -> builtins.list[int]:
    return [] if chosen is None else [int(one) for one in chosen.tolist()]


def _chosen(scope: MapScope) -> NDArray[np.int64] | None:
    return None if scope.ids is None else np.unique(np.array(scope.ids, dtype=np.int64))
