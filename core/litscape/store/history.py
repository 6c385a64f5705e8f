"""The undo history: changes, and before and after images of what each of them touched.

A change is one act of the user. Its items hold, per paper, only the fields that changed. A paper
that a change created has neither image (it is there to be read); a paper that a change removed for
good has its snapshot as the before image.
"""

from __future__ import annotations

import json
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from litscape.paper import LibraryChanges, PaperId
from litscape.store.bulk import many, now
from litscape.store.entities import COLUMNS, STRUCTURE
from litscape.store.images import COUNTED, Image, images, plain
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import sqlalchemy as sa

STEPS_KEPT = 100
"""How many changes can be undone one by one; imports stay undoable beyond that."""
IMPORT = "import"
NOBODYS = 0
"""In place of a change's id: what is written is no act of a person."""
_TURN = -1
"""The position of the item that tells in which order changes were undone."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a change touched, as it was and as it became."""

    entity: str
    entity_id: int
    before: Image | None
    after: Image | None
    position: int = -1


@dataclass(slots=True)
class Touched:
    """Collects what a write touched, to be told as :class:`LibraryChanges`."""

    added: set[PaperId] = field(default_factory=set)
    changed: set[PaperId] = field(default_factory=set)
    removed: set[PaperId] = field(default_factory=set)
    structure: bool = False

    def paper(self, paper: PaperId, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Note a paper some fields of which changed."""
        was, became = before.get("trashed_at"), after.get("trashed_at")
        if "trashed_at" in after and was and not became:
            self.added.add(paper)
        elif "trashed_at" in after and became and not was:
            self.removed.add(paper)
        else:
            self.changed.add(paper)
        if not COUNTED.isdisjoint(after):
            self.structure = True  # the counts in the tree

    def told(self, change_id: int | None) -> LibraryChanges:
        """What was touched; a paper is named once, as new, gone or changed."""
        came, went = self.added - self.removed, self.removed - self.added
        changed = self.changed - self.added - self.removed
        return LibraryChanges(
            frozenset(came), frozenset(changed), frozenset(went), self.structure, change_id
        )


class Recorder:
    """Writes the items of one change as they happen; everything goes through one transaction."""

    def __init__(self, conn: sa.Connection, change_id: int) -> None:
        """``change_id`` :data:`NOBODYS`: what is written can't be undone, and isn't kept."""
        self.conn = conn
        self.change_id = change_id
        self.touched = Touched()
        self._items: list[Item] = []

    @classmethod
    def begin(cls, conn: sa.Connection, title: str, kind: str) -> Recorder:
        """Start a change; what was undone before can't be redone any more."""
        forget_undone(conn)
        made = conn.exec_driver_sql(
            "INSERT INTO changes(made_at, title, kind) VALUES (?, ?, ?) RETURNING id",
            (now(), title, kind),
        )
        return cls(conn, int(made.scalar_one()))

    def add(self, item: Item) -> None:
        """Keep one item."""
        self._items.append(item)
        if item.entity in STRUCTURE:
            self.touched.structure = True

    def created(self, papers: Iterable[PaperId]) -> None:
        """Keep that papers came into being."""
        for paper in papers:
            self._items.append(Item("paper", paper, None, None))
            self.touched.added.add(paper)

    def paper(self, paper: PaperId, before: Image, after: Image) -> None:
        """Keep the fields of a paper that changed."""
        self._items.append(Item("paper", paper, before, after))
        self.touched.paper(paper, before, after)

    def flush(self) -> LibraryChanges:
        """Write the items; a change without any is taken out again.

        Returns:
            What was touched since the start or the last flush.
        """
        if self.change_id == NOBODYS:
            self._items = []
            touched, self.touched = self.touched, Touched()
            return touched.told(None)
        if self._items:
            write_items(self.conn, self.change_id, self._items)
            self._items = []
        touched, self.touched = self.touched, Touched()
        empty = self.conn.exec_driver_sql(
            "DELETE FROM changes WHERE id = ? AND kind <> ? AND NOT EXISTS"
            " (SELECT 1 FROM change_items WHERE change_id = changes.id)",
            (self.change_id, IMPORT),
        ).rowcount
        prune(self.conn)
        return touched.told(None if empty else self.change_id)


def write_items(conn: sa.Connection, change_id: int, items: Sequence[Item]) -> None:
    """Append items to a change."""
    last = conn.exec_driver_sql(
        "SELECT max(position) FROM change_items WHERE change_id = ?", (change_id,)
    ).scalar()
    start = 0 if last is None else int(last) + 1
    many(
        conn,
        "INSERT INTO change_items(change_id, position, entity, entity_id, before, after)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (change_id, n, item.entity, item.entity_id, packed(item.before), packed(item.after))
            for n, item in enumerate(items, start)
        ],
    )


def load_items(conn: sa.Connection, change_id: int) -> list[Item]:
    """The items of a change in the order in which they happened."""
    rows = conn.exec_driver_sql(
        "SELECT entity, entity_id, before, after, position FROM change_items"
        " WHERE change_id = ? ORDER BY position",
        (change_id,),
    )
    return [Item(row[0], row[1], unpacked(row[2]), unpacked(row[3]), row[4]) for row in rows]


_LONG = 512


def packed(image: Image | None) -> str | bytes | None:
    """An image as it is stored: JSON, compressed where it is long."""
    if image is None:
        return None
    text = json.dumps(image, ensure_ascii=False)
    return text if len(text) < _LONG else zlib.compress(text.encode(), 1)


def unpacked(kept: str | bytes | None) -> Image | None:
    """The inverse of :func:`packed`."""
    if kept is None:
        return None
    text = kept if isinstance(kept, str) else zlib.decompress(kept).decode()
    loaded: Image = json.loads(text)
    return loaded


def forget_undone(conn: sa.Connection) -> None:
    """Make what was undone no longer redoable, and drop its images."""
    conn.exec_driver_sql(
        "DELETE FROM change_items WHERE change_id IN (SELECT id FROM changes WHERE state='undone')"
    )
    conn.exec_driver_sql("UPDATE changes SET state = 'dropped' WHERE state = 'undone'")


def prune(conn: sa.Connection) -> None:
    """Forget changes beyond the last hundred, but never an import that can still be undone."""
    conn.exec_driver_sql(
        "DELETE FROM changes WHERE NOT (kind = ? AND state = 'done') AND id <="
        " ifnull((SELECT id FROM changes ORDER BY id DESC LIMIT 1 OFFSET ?), 0)",
        (IMPORT, STEPS_KEPT),
    )


def change_papers(recorder: Recorder, values: Mapping[PaperId, Mapping[str, Any]]) -> set[PaperId]:
    """Set fields of papers (typed values) and keep what really changed.

    Returns:
        The papers of which something changed; ids without a paper are passed over.
    """
    conn = recorder.conn
    by_fields: dict[tuple[str, ...], list[PaperId]] = {}
    for paper, fields in values.items():
        by_fields.setdefault(tuple(fields), []).append(paper)
    touched: set[PaperId] = set()
    with watched_nodes(recorder):
        for names, papers in by_fields.items():
            found = images(conn, papers, names)
            for paper in papers:
                if paper in found and _change_paper(recorder, paper, found[paper], values[paper]):
                    touched.add(paper)
    return touched


def _change_paper(
    recorder: Recorder, paper: PaperId, current: Image, values: Mapping[str, Any]
) -> bool:
    wanted = {name: plain(name, value) for name, value in values.items()}
    changed = [name for name in wanted if current[name] != wanted[name]]
    if not changed:
        return False
    set_fields(recorder.conn, paper, {name: values[name] for name in changed})
    recorder.paper(
        paper,
        {name: current[name] for name in changed},
        {name: wanted[name] for name in changed},
    )
    return True


@contextmanager
def watched_nodes(recorder: Recorder) -> Iterator[None]:
    """Keep the tags and collections that come into being inside the block."""
    conn = recorder.conn
    last = {
        entity: int(conn.exec_driver_sql(f"SELECT ifnull(max(id), 0) FROM {table}").scalar_one())
        for entity, table in (("tag", "tags"), ("collection", "collections"))
    }
    # The items stand before those of the papers that use the new nodes.
    start = len(recorder._items)
    yield
    came = [
        Item(entity, row, None, get_row(conn, entity, row))
        for entity, known in last.items()
        for (row,) in conn.exec_driver_sql(
            f"SELECT id FROM {COLUMNS[entity][0]} WHERE id > ? ORDER BY id", (known,)
        ).fetchall()
    ]
    recorder._items[start:start] = came
    if came:
        recorder.touched.structure = True


def get_row(conn: sa.Connection, entity: str, row_id: int) -> Image | None:
    """The image of one collection, tag, saved search, refused pair or record."""
    table, columns = COLUMNS[entity]
    row = conn.exec_driver_sql(
        f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (row_id,)
    ).one_or_none()
    if row is None:
        return None
    return {column: as_json(value) for column, value in zip(columns, row, strict=True)}


def as_json(value: Any) -> Any:
    """A column's value as an image holds it: bytes become ``{"hex": …}``."""
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def stored(value: Any) -> Any:
    """The inverse of :func:`as_json`."""
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def insert_row(conn: sa.Connection, entity: str, row_id: int | None, image: Image) -> int:
    """Write a row that is no paper, with its old id where it had one."""
    table, columns = COLUMNS[entity]
    made = conn.exec_driver_sql(
        f"INSERT INTO {table}(id, {', '.join(columns)})"
        f" VALUES ({', '.join('?' * (len(columns) + 1))}) RETURNING id",
        (row_id, *[stored(image[column]) for column in columns]),
    )
    return int(made.scalar_one())


def update_row(conn: sa.Connection, entity: str, row_id: int, values: Mapping[str, Any]) -> None:
    """Set columns of a row that is no paper."""
    if values:
        conn.exec_driver_sql(
            f"UPDATE {COLUMNS[entity][0]} SET {', '.join(f'{name} = ?' for name in values)}"
            " WHERE id = ?",
            (*[stored(value) for value in values.values()], row_id),
        )


def delete_row(conn: sa.Connection, entity: str, row_id: int) -> None:
    """Remove a row that is no paper."""
    conn.exec_driver_sql(f"DELETE FROM {COLUMNS[entity][0]} WHERE id = ?", (row_id,))


def create_row(recorder: Recorder, entity: str, image: Image) -> int:
    """Make a row that is no paper as part of a change; returns its id."""
    row_id = insert_row(recorder.conn, entity, None, image)
    recorder.add(Item(entity, row_id, None, image))
    return row_id


def change_row(recorder: Recorder, entity: str, row_id: int, values: Image) -> None:
    """Set columns of such a row as part of a change."""
    current = get_row(recorder.conn, entity, row_id)
    changed = {k: v for k, v in values.items() if current is not None and current[k] != v}
    if current is not None and changed:
        update_row(recorder.conn, entity, row_id, changed)
        recorder.add(Item(entity, row_id, {k: current[k] for k in changed}, changed))


def remove_row(recorder: Recorder, entity: str, row_id: int) -> None:
    """Remove such a row as part of a change."""
    current = get_row(recorder.conn, entity, row_id)
    if current is not None:
        delete_row(recorder.conn, entity, row_id)
        recorder.add(Item(entity, row_id, current, None))


def note_order(conn: sa.Connection, change_id: int, *, undone: bool) -> None:
    """Keep that a change was undone after all others that are, or that it is so no more."""
    conn.exec_driver_sql(
        "DELETE FROM change_items WHERE change_id = ? AND position = ?", (change_id, _TURN)
    )
    if undone:
        conn.exec_driver_sql(
            "INSERT INTO change_items(change_id, position, entity, entity_id)"
            " SELECT ?, ?, 'undone', 1 + ifnull(max(i.entity_id), 0) FROM changes c"
            " JOIN change_items i ON i.change_id = c.id AND i.position = ?"
            " WHERE c.state = 'undone'",
            (change_id, _TURN, _TURN),
        )


@dataclass(frozen=True, slots=True)
class NextChange:
    """A change that can be undone or redone now."""

    id: int
    is_import: bool


def next_change(
    conn: sa.Connection, direction: str, change_id: int | None = None
) -> NextChange | None:
    """The change to undo (the newest done) or to redo (the one undone last), or a given one."""
    state, order = ("done", "c.id DESC") if direction == "undo" else ("undone", "turn DESC, c.id")
    row = conn.exec_driver_sql(
        "SELECT c.id, c.kind, (SELECT max(i.entity_id) FROM change_items i WHERE i.change_id = c.id"
        " AND i.position = ?) AS turn FROM changes c WHERE c.state = ? AND (? IS NULL OR c.id = ?)"
        f" ORDER BY {order} LIMIT 1",
        (_TURN, state, change_id, change_id),
    ).first()
    return None if row is None else NextChange(row[0], row[1] == IMPORT)


def change_of_batch(conn: sa.Connection, batch_id: int) -> int | None:
    """The change that an import is, None where there is no such import."""
    sql = "SELECT change_id FROM batches WHERE id = ?"
    found: int | None = conn.exec_driver_sql(sql, (batch_id,)).scalar()
    return found


def list_changes(conn: sa.Connection, limit: int) -> list[tuple[int, str, str, str]]:
    """The last changes as (id, title, made_at, state), newest first; all for a limit of -1.

    The title of an import that did not reach its end says so.
    """
    rows = conn.exec_driver_sql(
        "SELECT id, title || CASE WHEN id IN"
        " (SELECT change_id FROM batches WHERE finished_at IS NULL) THEN ' (not finished)'"
        " ELSE '' END, made_at, state FROM changes ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]
