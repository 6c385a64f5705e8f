"""Taking changes back and making them again, without touching what was changed since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from litscape.store.bulk import many, now
from litscape.store.entities import COLUMNS, STRUCTURE
from litscape.store.history import (
    Item,
    Touched,
    delete_row,
    get_row,
    insert_row,
    load_items,
    note_order,
    packed,
    update_row,
)
from litscape.store.images import Image, images, turned_back, typed
from litscape.store.nodes import remove_nodes, users_of
from litscape.store.snapshots import put_back, remove, snapshots
from litscape.store.stand_ins import fewer, stand_ins
from litscape.store.writes import set_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import LibraryChanges, PaperId

Direction = Literal["undo", "redo"]
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class _Step:
    """An item seen in the direction in which it is applied now."""

    entity: str
    entity_id: int
    expected: Image | None
    target: Image | None
    creates: bool
    removes: bool
    position: int


def _step(item: Item, direction: Direction) -> _Step:
    came, went = item.before is None, item.before is not None and item.after is None
    if direction == "undo":
        expected, target, creates, removes = item.after, item.before, went, came
    else:
        expected, target, creates, removes = item.before, item.after, came, went
    return _Step(item.entity, item.entity_id, expected, target, creates, removes, item.position)


def apply_change(
    conn: sa.Connection,
    change_id: int,
    direction: Direction,
    *,
    for_good: bool = False,
    papers_done: Collection[PaperId] = (),
    records_done: Collection[int] = (),
    first: Callable[[], object] = lambda: None,
    then: Callable[[], object] = lambda: None,
) -> LibraryChanges:
    """Take a change back, or make it again, and mark it so.

    A field gets its old value only where it still has the one that the change gave it; members of
    lists (tags, collections, notes, links) are turned back one by one. Papers that the change made
    are removed whole, and kept as snapshots for the other direction, unless it is ``for_good``.
    Papers and records that are ``done`` are left alone; ``first`` is called once papers, tags
    and collections are there, ``then`` before those go that nothing has any more.
    """
    items = load_items(conn, change_id)
    steps = [_step(item, direction) for item in items]
    if direction == "undo":
        steps.reverse()
    touched = Touched()
    structure = [step for step in steps if step.entity in STRUCTURE]
    papers = [s for s in steps if s.entity == "paper" and s.entity_id not in papers_done]
    records = [s for s in steps if s.entity == "record" and s.entity_id not in records_done]
    doomed = [step for step in papers if step.removes]
    late: dict[PaperId, str] = {}  # citekeys that are free only once other papers gave them up
    _build_rows(conn, structure, touched)
    if direction == "redo":  # records make room for those of the papers that come back
        _turn_records(conn, records)
    late |= _bring_papers(conn, papers, touched)
    first()
    late |= _turn_fields(conn, [s for s in papers if not s.creates and not s.removes], touched)
    keeps = direction == "undo" and not for_good
    if keeps:  # what the change made is only now as it will have to come back
        _keep_papers(conn, change_id, doomed)
    gone = remove(conn, [step.entity_id for step in doomed])
    touched.removed.update(gone)
    if direction == "undo":
        turned = _turn_records(conn, records)
        _keep_after(conn, change_id, turned if keeps else ())
    _give_late_keys(conn, late)
    then()
    remove_nodes(conn, change_id, [(s.entity, s.entity_id) for s in structure if s.removes])
    touched.structure = touched.structure or bool(structure) or bool(gone)
    _mark(conn, change_id, direction)
    return touched.told(change_id)


def _mark(conn: sa.Connection, change_id: int, direction: Direction) -> None:
    undone = direction == "undo"
    conn.exec_driver_sql(
        "UPDATE changes SET state = ? WHERE id = ?", ("undone" if undone else "done", change_id)
    )
    note_order(conn, change_id, undone=undone)
    conn.exec_driver_sql(
        "UPDATE batches SET undone_at = ? WHERE change_id = ?",
        (now() if undone else None, change_id),
    )


def _build_rows(conn: sa.Connection, steps: Sequence[_Step], touched: Touched) -> None:
    left = [step for step in steps if step.creates and step.target is not None]
    while left:  # parents before their children, whichever was noted first
        waiting = [step for step in left if not _create(conn, step)]
        left = waiting if len(waiting) < len(left) else []
    for step in steps:
        if step.removes or step.creates or step.target is None or step.expected is None:
            continue
        current = get_row(conn, step.entity, step.entity_id)
        if current is None:
            continue
        values = {
            name: value
            for name, value in step.target.items()
            if current[name] == step.expected[name]
        }
        if _fits(conn, step, current | values):
            update_row(conn, step.entity, step.entity_id, values)
            touched.changed.update(users_of(conn, step.entity, step.entity_id))


def _create(conn: sa.Connection, step: _Step) -> bool:
    """Make a row anew; False where its parent is not there yet, or its name is taken."""
    if get_row(conn, step.entity, step.entity_id) is not None:
        return True
    if step.target is None or not _fits(conn, step, step.target):
        return False
    insert_row(conn, step.entity, step.entity_id, step.target)
    return True


def _fits(conn: sa.Connection, step: _Step, image: Mapping[str, Any]) -> bool:
    """Whether the name is free and the parent, where there is one, still exists."""
    table = COLUMNS[step.entity][0]
    if step.entity in ("topic_tree", "topic"):
        return True
    if step.entity in ("refused_pair", "related_pair"):
        owner = conn.exec_driver_sql(
            f"SELECT id FROM {table} WHERE paper_a = ? AND paper_b = ?",
            (image["paper_a"], image["paper_b"]),
        )
        return owner.scalar() in (None, step.entity_id)
    if step.entity != "collection":
        owner = conn.exec_driver_sql(f"SELECT id FROM {table} WHERE name = ?", (image["name"],))
        return owner.scalar() in (None, step.entity_id)
    parent = image["parent_id"]
    owner = conn.exec_driver_sql(
        "SELECT id FROM collections WHERE ifnull(parent_id, 0) = ? AND name = ?",
        (parent or 0, image["name"]),
    )
    there = parent is None or get_row(conn, "collection", parent) is not None
    return there and owner.scalar() in (None, step.entity_id)


def _give_late_keys(conn: sa.Connection, keys: Mapping[PaperId, str]) -> None:
    many(
        conn,
        "UPDATE papers SET citekey = ? WHERE id = ? AND citekey <> ?"
        " AND NOT EXISTS (SELECT 1 FROM papers WHERE citekey = ?)",
        [(key, paper, key, key) for paper, key in keys.items()],
    )


def _bring_papers(
    conn: sa.Connection, steps: Sequence[_Step], touched: Touched
) -> dict[PaperId, str]:
    """Bring papers back; returns the citekeys that they should have."""
    taken = {s.entity_id: s.target for s in steps if s.creates and s.target is not None}
    back = put_back(conn, taken)
    touched.added.update(paper for paper in back if not taken[paper]["trashed_at"])
    touched.structure = touched.structure or bool(back)
    return {paper: taken[paper]["citekey"] for paper in back}


def _turn_fields(
    conn: sa.Connection, steps: Sequence[_Step], touched: Touched
) -> dict[PaperId, str]:
    """Turn fields of papers back, in rounds in which each paper comes once.

    Returns:
        Citekeys that belong to another paper still.
    """
    late: dict[PaperId, str] = {}
    left = list(steps)
    while left:
        chosen: dict[PaperId, _Step] = {}
        later: list[_Step] = []
        for step in left:
            if step.entity_id in chosen or len(chosen) == _CHUNK:
                later.append(step)
            else:
                chosen[step.entity_id] = step
        late |= _turn_round(conn, chosen, touched)
        left = later
    return late


def _turn_round(
    conn: sa.Connection, steps: Mapping[PaperId, _Step], touched: Touched
) -> dict[PaperId, str]:
    late: dict[PaperId, str] = {}
    names = sorted({name for step in steps.values() for name in step.target or {}})
    found = images(conn, sorted(steps), names)
    for paper, step in steps.items():
        if paper not in found or step.target is None or step.expected is None:
            continue
        current = found[paper]
        after = {
            name: turned_back(name, current[name], step.expected[name], value)
            for name, value in step.target.items()
        }
        if "cites" in after:
            _leave_out_stand_ins(conn, paper, step.expected, step.target, current, after)
        changed = {name: value for name, value in after.items() if value != current[name]}
        if "citekey" in changed and other_has_key(conn, paper, changed["citekey"]):
            late[paper] = changed.pop("citekey")
        if changed:
            set_fields(conn, paper, {name: typed(name, value) for name, value in changed.items()})
            touched.paper(paper, {name: current[name] for name in changed}, changed)
    return late


def _leave_out_stand_ins(
    conn: sa.Connection, paper: PaperId, made: Image, before: Image, current: Image, after: Image
) -> None:
    gone = stand_ins(conn, current["cites"], made["cites"], before["cites"])
    if gone:
        current.update(images(conn, [paper], ("references",))[paper])
        left = after.get("references") or current["references"]
        after["references"] = fewer(left or (), gone)


def other_has_key(conn: sa.Connection, paper: PaperId, key: str) -> bool:
    """Whether a citation key belongs to another paper."""
    sql = "SELECT 1 FROM papers WHERE citekey = ? AND id <> ?"
    return conn.exec_driver_sql(sql, (key, paper)).scalar() is not None


def _turn_records(
    conn: sa.Connection, steps: Sequence[_Step]
) -> list[tuple[int, str | bytes | None]]:
    """Turn source records back; returns them as they were until now, by their item's position."""
    kept = []
    waiting: list[tuple[_Step, Image]] = []
    for step in steps:
        current = get_row(conn, "record", step.entity_id)
        if current is None:
            if step.creates and step.target is not None:
                waiting.append((step, step.target))
        elif step.removes:
            kept.append((step.position, packed(current)))
            delete_row(conn, "record", step.entity_id)
        elif step.target is not None and step.expected is not None:
            kept.append((step.position, packed({name: current[name] for name in step.target})))
            waiting.append((step, current))
            # Records of one source may have swapped keys: all of them make room first.
            update_row(conn, "record", step.entity_id, {"record_key": f"\x00{step.entity_id}"})
    for step, image in waiting:
        if step.creates:
            _insert_record(conn, step.entity_id, image)
        else:
            _update_record(conn, step, image)
    return kept


def _update_record(conn: sa.Connection, step: _Step, current: Image) -> None:
    target = {"record_key": current["record_key"], **(step.target or {})}
    sql = "SELECT 1 FROM records WHERE source_id = ? AND record_key = ?"
    if conn.exec_driver_sql(sql, (current["source_id"], target["record_key"])).scalar():
        target["record_key"] = current["record_key"]  # a later record has the key: it stays there
    update_row(conn, "record", step.entity_id, target)


def _insert_record(conn: sa.Connection, row_id: int, image: Image) -> None:
    there = conn.exec_driver_sql(
        "SELECT (SELECT count(*) FROM papers WHERE id = ?)"
        " - (SELECT count(*) FROM records WHERE source_id = ? AND record_key = ?)",
        (image["paper_id"], image["source_id"], image["record_key"]),
    ).scalar_one()
    if there == 1:
        insert_row(conn, "record", row_id, image)


def _keep_after(
    conn: sa.Connection, change_id: int, kept: Sequence[tuple[int, str | bytes | None]]
) -> None:
    many(
        conn,
        "UPDATE change_items SET after = ? WHERE change_id = ? AND position = ?",
        [(image, change_id, position) for position, image in kept],
    )


def _keep_papers(conn: sa.Connection, change_id: int, steps: Sequence[_Step]) -> None:
    positions = {step.entity_id: step.position for step in steps}
    ids = sorted(positions)
    for start in range(0, len(ids), _CHUNK):
        taken = snapshots(conn, ids[start : start + _CHUNK])
        kept = [(positions[paper], packed(image)) for paper, image in taken.items()]
        _keep_after(conn, change_id, kept)
