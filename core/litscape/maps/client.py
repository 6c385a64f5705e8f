"""Maps for a program that must stay quick: made in the analysis child, where UMAP is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.maps import tasks
from litscape.maps.layouts.pca import PCA
from litscape.maps.records import WHOLE_LIBRARY

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapLayout, MapScope


def warm(library: Library) -> None:
    """Let the analysis child get ready, at a time when nobody waits; returns at once."""
    library.analysis.warm(library, tasks.warm_up)


def make_map(
    library: Library,
    ctx: JobContext,
    scope: MapScope = WHOLE_LIBRARY,
    layout: str = "umap",
    seed: int = 0,
    *,
    start: MapLayout | None = None,
    version: str | None = None,
) -> MapLayout:
    """Make and keep a map; :meth:`litscape.maps.facade.Maps.make` says how.

    ``ctx`` gets a picture by PCA at once, even while the child still compiles, and others as the
    layout goes on. PCA itself takes less than starting a child, and is drawn here. Call it in a
    job, not on a window's thread.

    Raises:
        UserError, EnvironmentFault, JobCancelledError: as :meth:`~litscape.maps.facade.Maps.make`.
        EngineDiedError: the child ended unasked; nothing is stored, and the map can be asked for
            again.
    """
    if layout == PCA.name:
        return library.maps.make(scope, layout, seed, ctx, start, version)
    if not library.analysis.ready:
        ctx.partial(library.maps.first_picture(scope, version))
    return library.analysis.run(
        library, tasks.make, ctx, scope, layout, seed, start=start, version=version
    )
