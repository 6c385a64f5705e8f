"""The user's acts as rows: each writes through a :class:`Recorder`, so that it can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.errors import ChangedMeanwhileError, UserError
from litscape.near import no_such
from litscape.store.bulk import NewPaper, ensure_collections, insert_papers, next_paper_id, now
from litscape.store.citekeys import free_citekey
from litscape.store.collections import find_collection, members, subtree
from litscape.store.history import (
    Item,
    Recorder,
    change_papers,
    change_row,
    create_row,
    get_row,
    remove_row,
    watched_nodes,
)
from litscape.store.images import SET_FIELDS, images, plain, typed
from litscape.store.linking import link_papers
from litscape.store.papers import collection_paths, resolve
from litscape.store.snapshots import remove, snapshots
from litscape.store.tags import find_tag, tag_counts, tagged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperDraft, PaperId


TELLING = frozenset(
    {*("doi", "arxiv", "pmid", "identifiers"), *("title", "authors", "year", "volume", "pages")}
)
"""Fields by which references are found to mean a paper."""


def begin(conn: sa.Connection, title: str) -> Recorder:
    """Start a change of the user's."""
    return Recorder.begin(conn, title, "edit")


def resolve_all(conn: sa.Connection, refs: Iterable[int | str]) -> list[PaperId]:
    """The ids that references mean, each once.

    Raises:
        UserError: no paper is meant, or one of the references means none.
    """
    ids: dict[PaperId, None] = {}
    for ref in refs:
        found = resolve(conn, ref if isinstance(ref, str) else int(ref))
        if found is None:
            raise UserError(f"No paper of this library has the id, citekey or DOI {ref!r}.")
        ids[found] = None
    if not ids:
        raise UserError("No paper was named.")
    return list(ids)


def naming(conn: sa.Connection, ids: Sequence[PaperId]) -> str:
    """Papers as a title of a change names them."""
    if len(ids) != 1:
        return f"{len(ids):,} papers"
    sql = "SELECT ifnull(title, citekey) FROM papers WHERE id = ?"
    title = str(conn.exec_driver_sql(sql, (ids[0],)).scalar_one())
    return f"“{title if len(title) <= 60 else title[:59] + '…'}”"


def types_in_use(conn: sa.Connection) -> list[str]:
    """The types that papers have, of whatever vocabulary."""
    found = conn.exec_driver_sql("SELECT DISTINCT type FROM papers WHERE type IS NOT NULL")
    return [str(row[0]) for row in found]


def edit(recorder: Recorder, ids: Sequence[PaperId], values: Mapping[str, Any]) -> None:
    """Set fields of papers (typed values) and remember that the user set them."""
    conn = recorder.conn
    if "citekey" in values:
        _check_citekey(conn, ids, values["citekey"])
    found = images(conn, ids, ("citekey", "citekey_original", "citekey_aliases", "user_edits"))
    wanted: dict[PaperId, dict[str, Any]] = {}
    for paper in ids:
        wanted[paper] = dict(values)
        wanted[paper]["user_edits"] = sorted({*found[paper]["user_edits"], *values})
        old = found[paper]["citekey"]
        if values.get("citekey", old) != old and old == found[paper]["citekey_original"]:
            # A record came in under the old key: it stays a way to name the paper.
            wanted[paper]["citekey_aliases"] = tuple(
                sorted({*found[paper]["citekey_aliases"], old} - {values["citekey"]})
            )
    change_papers(recorder, wanted)
    if not TELLING.isdisjoint(values):  # references may mean the paper now
        link_papers(recorder, ids, ())


def revise(
    recorder: Recorder, paper: PaperId, before: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    """Set fields (typed values) that are still as ``before``, and the difference of lists."""
    found = images(recorder.conn, [paper], tuple(values))[paper]
    wanted: dict[str, Any] = {}
    moved: dict[str, Any] = {}
    for field, value in values.items():
        if field not in before:  # it goes with another one: the words for a year
            wanted[field] = value
            continue
        now, old, new = found[field], plain(field, before[field]), plain(field, value)
        if field in SET_FIELDS:
            wanted[field] = typed(field, _differing(now, old, new))
        elif now == new:
            continue
        elif now == old:
            wanted[field] = value
        else:
            moved[field] = typed(field, now)
    if moved:
        raise ChangedMeanwhileError(
            f"{', '.join(moved).capitalize()} of {naming(recorder.conn, [paper])} changed while "
            "you were writing; yours was not saved over it.",
            moved,
        )
    if wanted:
        edit(recorder, [paper], wanted)


def _differing(now: list[Any], old: list[Any], new: list[Any]) -> list[Any]:
    """``now`` without what only ``old`` has, and with what only ``new`` has in its place."""
    gone = [member for member in old if member not in new]
    come = [member for member in new if member not in old and member not in now]
    place = next((n for n, member in enumerate(now) if member in gone), len(now))
    kept = [member for member in now if member not in gone]
    return [*kept[:place], *come, *kept[place:]]


def _check_citekey(conn: sa.Connection, ids: Sequence[PaperId], key: str) -> None:
    if len(ids) > 1:
        raise UserError("A citekey belongs to one paper; set it for one paper at a time.")
    owner = conn.exec_driver_sql(
        "SELECT id, title FROM papers WHERE citekey = ? AND id <> ?", (key, ids[0])
    ).first()
    if owner is not None:
        raise UserError(
            f"The citekey {key} belongs to another paper ({owner.title or owner.id}); "
            "choose another one."
        )


def add(recorder: Recorder, draft: PaperDraft, key: str) -> PaperId:
    """Add one paper, under a key like the given one where it has none; returns its id."""
    conn = recorder.conn
    for what, kind, value in (("DOI", "doi", draft.doi), ("citekey", "key", draft.citekey)):
        owner = resolve(conn, f"{kind}:{value}") if value else None
        if owner is not None:
            raise UserError(
                f"A paper with the {what} {value} is in the library already: "
                f"{naming(conn, [owner])}."
            )
    paper = next_paper_id(conn)
    key = draft.citekey or free_citekey(conn, key)
    with watched_nodes(recorder):
        insert_papers(conn, [NewPaper(paper, key, draft)])
    recorder.created([paper])
    link_papers(recorder, [paper], {paper})
    return paper


def trash(recorder: Recorder, ids: Sequence[PaperId]) -> None:
    """Move papers to the trash; those that are there keep their date."""
    current = images(recorder.conn, ids, ("trashed_at",))
    stamp = now()
    change_papers(
        recorder,
        {p: {"trashed_at": stamp} for p in ids if not current[p]["trashed_at"]},
    )


def restore(recorder: Recorder, ids: Sequence[PaperId]) -> None:
    """Take papers out of the trash."""
    change_papers(recorder, {key: {"trashed_at": None} for key in ids})


def delete_forever(recorder: Recorder, ids: Sequence[PaperId]) -> None:
    """Remove papers for good, keeping their snapshots in the change."""
    conn = recorder.conn
    for paper, image in snapshots(conn, ids).items():
        recorder.add(Item("paper", paper, image, None))
    recorder.touched.removed.update(remove(conn, ids))
    recorder.touched.structure = True


def add_members(
    recorder: Recorder, ids: Sequence[PaperId], field: str, names: Sequence[Any]
) -> None:
    """Add tags (names) or collections (paths) to papers."""
    current = images(recorder.conn, ids, (field,))
    change_papers(
        recorder,
        {
            paper: {field: typed(field, [*has, *[n for n in names if n not in has]])}
            for paper in ids
            if not all(name in (has := current[paper][field]) for name in names)
        },
    )


def remove_members(
    recorder: Recorder, ids: Sequence[PaperId], field: str, names: Sequence[Any]
) -> None:
    """Take tags (names) or collections (paths) away from papers."""
    current = images(recorder.conn, ids, (field,))
    change_papers(
        recorder,
        {p: {field: typed(field, [n for n in current[p][field] if n not in names])} for p in ids},
    )


def _tag_id(conn: sa.Connection, name: str) -> int:
    found = find_tag(conn, name)
    if found is None:
        raise UserError(no_such("tag", name, (known for known, _count in tag_counts(conn))))
    return found


def rename_tag(recorder: Recorder, old: str, new: str) -> None:
    """Rename a tag, or join it to the one that has the name."""
    conn = recorder.conn
    tag, other = _tag_id(conn, old), find_tag(conn, new)
    if other is None:
        change_row(recorder, "tag", tag, {"name": new})
        recorder.touched.changed.update(tagged(conn, tag))
    elif other != tag:
        papers = sorted(tagged(conn, tag))
        add_members(recorder, papers, "tags", [new])
        remove_members(recorder, papers, "tags", [old])
        remove_row(recorder, "tag", tag)


def delete_tag(recorder: Recorder, name: str) -> None:
    """Delete a tag."""
    tag = _tag_id(recorder.conn, name)
    remove_members(recorder, sorted(tagged(recorder.conn, tag)), "tags", [name])
    remove_row(recorder, "tag", tag)


def path_of(conn: sa.Connection, collection_id: int) -> tuple[str, ...]:
    """The path of a collection.

    Raises:
        UserError: there is no such collection.
    """
    path = collection_paths(conn).get(collection_id)
    if path is None:
        raise UserError(f"There is no collection with the id {collection_id}.")
    return path


def create_collection(recorder: Recorder, path: tuple[str, ...]) -> None:
    """Make a collection and those above it."""
    if find_collection(recorder.conn, path) is not None:
        raise UserError(f"There is a collection {'/'.join(path)} already.")
    with watched_nodes(recorder):
        ensure_collections(recorder.conn, {path})


def _check_place(conn: sa.Connection, node: int, parent: int | None, name: str) -> None:
    taken = conn.exec_driver_sql(
        "SELECT id FROM collections WHERE ifnull(parent_id, 0) = ? AND name = ? AND id <> ?",
        (parent or 0, name, node),
    ).scalar()
    if taken is not None:
        raise UserError(f"There is a collection {'/'.join(path_of(conn, taken))} already.")


def rename_collection(recorder: Recorder, node: int, name: str) -> None:
    """Rename a collection."""
    conn = recorder.conn
    path_of(conn, node)
    row = get_row(conn, "collection", node) or {}
    _check_place(conn, node, row["parent_id"], name)
    change_row(recorder, "collection", node, {"name": name})
    recorder.touched.changed.update(members(conn, subtree(conn, node)))


def move_collection(recorder: Recorder, node: int, parent: int | None) -> None:
    """Put a collection below another one, or at the top."""
    conn = recorder.conn
    path = path_of(conn, node)
    if parent is not None:
        target = path_of(conn, parent)
        if parent in subtree(conn, node):
            raise UserError(
                f"{'/'.join(path)} can't lie below {'/'.join(target)}, which is a part of it."
            )
    _check_place(conn, node, parent, path[-1])
    change_row(recorder, "collection", node, {"parent_id": parent})
    recorder.touched.changed.update(members(conn, subtree(conn, node)))


def delete_collection(recorder: Recorder, node: int) -> None:
    """Delete a collection and those below it."""
    conn = recorder.conn
    paths = collection_paths(conn)
    path_of(conn, node)
    doomed = subtree(conn, node)
    gone = [list(paths[child]) for child in doomed]
    remove_members(recorder, sorted(members(conn, doomed)), "collections", gone)
    for child in reversed(doomed):  # children first: undo then meets parents first
        remove_row(recorder, "collection", child)


def save_search(recorder: Recorder, name: str, query: str, mode: str) -> None:
    """Write a saved search, over one of the same name."""
    known = _saved_id(recorder.conn, name)
    image = {"name": name, "query": query, "mode": mode}
    if known is None:
        create_row(recorder, "saved_search", image)
    else:
        change_row(recorder, "saved_search", known, image)


def change_saved_search(
    recorder: Recorder, name: str, new: str | None, query: str | None, mode: str | None
) -> None:
    """Give a saved search another name, query or mode, each where it is not None."""
    known = _known_saved(recorder.conn, name)
    taken = None if new is None else _saved_id(recorder.conn, new)
    if taken not in (None, known):
        raise UserError(f"There is a saved search “{new}” already; choose another name.")
    image = {"name": new, "query": query, "mode": mode}
    kept = {key: value for key, value in image.items() if value is not None}
    change_row(recorder, "saved_search", known, kept)


def delete_saved_search(recorder: Recorder, name: str) -> None:
    """Delete a saved search."""
    remove_row(recorder, "saved_search", _known_saved(recorder.conn, name))


def _known_saved(conn: sa.Connection, name: str) -> int:
    found = _saved_id(conn, name)
    if found is None:
        known_names = conn.exec_driver_sql("SELECT name FROM saved_searches").scalars()
        raise UserError(no_such("saved search", name, known_names))
    return found


def _saved_id(conn: sa.Connection, name: str) -> int | None:
    sql = "SELECT id FROM saved_searches WHERE name = ?"
    found: int | None = conn.exec_driver_sql(sql, (name,)).scalar()
    return found
