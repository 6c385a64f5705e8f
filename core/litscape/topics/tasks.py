"""What :func:`litscape.apart.run_apart` is asked for topics: they load what a window never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapScope
    from litscape.paper import LibraryChanges
    from litscape.topics.records import Method, TopicTree


def make_topics(
    library: Library,
    ctx: JobContext,
    scope: MapScope,
    *,
    method: Method = "leiden",
    seed: int = 0,
    version: str | None = None,
    undoable: bool = True,
) -> TopicTree:
    """:meth:`litscape.topics.facade.Topics.find`, the topics alone."""
    return library.topics.find(scope, method, seed, ctx, version, undoable=undoable)[0]


def find_topics(
    library: Library, ctx: JobContext, scope: MapScope, *, method: Method = "leiden"
) -> tuple[TopicTree, LibraryChanges]:
    """:meth:`litscape.topics.facade.Topics.find`."""
    return library.topics.find(scope, method, ctx=ctx)


def split_topic(library: Library, ctx: JobContext, key: int, *, seed: int = 0) -> LibraryChanges:
    """:meth:`litscape.topics.facade.Topics.split`."""
    return library.topics.split(key, seed, ctx)


def place_new(library: Library, ctx: JobContext, key: int | None = None) -> LibraryChanges:
    """:meth:`litscape.topics.facade.Topics.place_new`."""
    return library.topics.place_new(key, ctx)
