"""The places of a library with their counts: what its tree shows, read in one snapshot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litscape.paper import Collection, PaperFilter
from litscape.store.collections import collection_tree
from litscape.store.imports import read_batches
from litscape.store.papers import collection_paths, count
from litscape.store.saved import SavedSearch, list_saved
from litscape.store.tags import tag_counts
from litscape.topics.reading import places_of

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.store.database import Database
    from litscape.topics.records import Topic


@dataclass(frozen=True, slots=True)
class Outline:
    """The places of one library.

    Attributes:
        papers: number of live papers.
        batch: the newest import that is not undone, None where there is none.
        batch_papers: how many live papers it touched.
        trashed: number of papers in the trash.
        unread: how many live papers nobody began to read.
        listed: how many are in the reading list.
        collections: parents before children; ``count`` includes the collections below.
        tags: (name, number of papers) by name.
        saved: saved searches by name.
        topics: level by level, the largest first.
        topicless: how many live papers have none of them.
        about_topics: what should be known of the topics.
    """

    papers: int = 0
    trashed: int = 0
    unread: int = 0
    listed: int = 0
    batch: int | None = None
    batch_papers: int = 0
    collections: tuple[Collection, ...] = ()
    tags: tuple[tuple[str, int], ...] = ()
    saved: tuple[SavedSearch, ...] = ()
    topics: tuple[Topic, ...] = ()
    topicless: int = 0
    about_topics: str = ""


def read_outline(database: Database) -> Outline:
    """The places of a library as they are now."""
    with database.read() as conn:
        topics, about = places_of(conn)
        newest = next((one.id for one in read_batches(conn) if one.undone_at is None), None)
        return Outline(
            papers=count(conn, PaperFilter()),
            trashed=count(conn, PaperFilter(trashed=True)),
            unread=count(conn, PaperFilter(is_=("unread",))),
            listed=count(conn, PaperFilter(is_=("listed",))),
            batch=newest,
            batch_papers=0 if newest is None else count(conn, PaperFilter(batch=newest)),
            collections=_collections(conn),
            tags=tuple(tag_counts(conn)),
            saved=list_saved(conn),
            topics=topics,
            topicless=count(conn, PaperFilter(topics=((0,),))) if topics else 0,
            about_topics=about,
        )


def read_names(database: Database) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The names of all tags and the paths of all collections, to complete from."""
    with database.read() as conn:
        tags = tuple(name for name, _number in tag_counts(conn))
        return tags, tuple(sorted(collection_paths(conn).values()))


def read_collections(database: Database) -> tuple[Collection, ...]:
    """All collections, parents before children, each with the number of its own papers."""
    with database.read() as conn:
        return tuple(collection_tree(conn))


def _collections(conn: sa.Connection) -> tuple[Collection, ...]:
    nodes = collection_tree(conn)
    parents = {node.parent_id for node in nodes}
    return tuple(
        replace(node, count=count(conn, PaperFilter(collection=node.id)))
        if node.id in parents
        else node
        for node in nodes
    )
