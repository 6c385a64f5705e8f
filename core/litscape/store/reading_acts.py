"""Marking papers and ordering the reading list, as parts of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.reading import READ
from litscape.store.bulk import now
from litscape.store.history import Recorder, change_papers
from litscape.store.images import images

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId

_LEAST_GAP = 1e-6


def mark(recorder: Recorder, ids: Sequence[PaperId], values: Mapping[str, Any]) -> None:
    """Set ``read_state``, ``rating`` and ``colour`` of papers where they differ.

    The time of reading goes with the state; what a person set, later imports keep.
    """
    found = images(recorder.conn, ids, ("read_state", "rating", "colour", "user_edits"))
    stamp = now()
    wanted: dict[PaperId, dict[str, Any]] = {}
    for paper, image in found.items():
        fields = {name: value for name, value in values.items() if image[name] != value}
        if "read_state" in fields:
            fields["read_at"] = stamp if fields["read_state"] == READ else None
        if fields:
            fields["user_edits"] = sorted({*image["user_edits"], *fields})
            wanted[paper] = fields
    change_papers(recorder, wanted)


def reading_list(conn: sa.Connection) -> list[tuple[PaperId, float]]:
    """The live papers of the reading list in its order, with their positions."""
    rows = conn.exec_driver_sql(
        "SELECT paper_id, list_position FROM reading JOIN papers ON papers.id = paper_id"
        " WHERE list_position IS NOT NULL AND trashed_at IS NULL ORDER BY list_position, paper_id"
    )
    return [(int(row[0]), float(row[1])) for row in rows]


def put_in_list(recorder: Recorder, ids: Sequence[PaperId], place: int | None) -> None:
    """Put papers into the reading list, one behind the other.

    Args:
        recorder: the change of which this is a part.
        ids: the papers in the order that they are to have.
        place: the place of the first of them, from 1; None: at the end, where those that are in
            the list keep their place.
    """
    listed = reading_list(recorder.conn)
    there = {paper for paper, _position in listed}
    coming = [paper for paper in ids if place is not None or paper not in there]
    others = [one for one in listed if one[0] not in coming]
    at = len(others) if place is None else max(0, min(place - 1, len(others)))
    before = others[at - 1][1] if at else None
    after = others[at][1] if at < len(others) else None
    positions = _between(before, after, len(coming))
    if positions is not None:
        _place(recorder, dict(zip(coming, positions, strict=True)), coming)
        return
    # No room is left between two of them: all are numbered anew.
    order = [paper for paper, _position in others]
    order[at:at] = coming
    _place(recorder, {paper: float(n) for n, paper in enumerate(order, 1)}, coming)


def _between(before: float | None, after: float | None, number: int) -> list[float] | None:
    """Positions between two others, which may be missing; None where there is no room."""
    if after is None:
        return [(before or 0.0) + n for n in range(1, number + 1)]
    start = after - number - 1 if before is None else before
    step = (after - start) / (number + 1)
    return [start + step * n for n in range(1, number + 1)] if step > _LEAST_GAP else None


def _place(
    recorder: Recorder, positions: Mapping[PaperId, float], moved: Sequence[PaperId]
) -> None:
    found = images(recorder.conn, list(positions), ("list_position", "user_edits"))
    wanted: dict[PaperId, dict[str, Any]] = {}
    for paper, position in positions.items():
        image = found[paper]
        if image["list_position"] == position:
            continue
        wanted[paper] = {"list_position": position}
        if paper in moved:
            wanted[paper]["user_edits"] = sorted({*image["user_edits"], "list_position"})
    change_papers(recorder, wanted)


def take_from_list(recorder: Recorder, ids: Sequence[PaperId]) -> None:
    """Take papers out of the reading list."""
    found = images(recorder.conn, ids, ("list_position", "user_edits"))
    change_papers(
        recorder,
        {
            paper: {
                "list_position": None,
                "user_edits": sorted({*image["user_edits"], "list_position"}),
            }
            for paper, image in found.items()
            if image["list_position"] is not None
        },
    )
