"""From what a report says of a record to the paper that the record became."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.store.candidates import find_citekeys

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import ImportProblem, PaperId

_ZOTERO = ("user:", "group:")
"""How the names of Zotero's records begin, which hold the library before the item's key."""


def papers_of_records(
    conn: sa.Connection, batch_id: int | None, issues: Iterable[ImportProblem]
) -> list[PaperId]:
    """The papers of the records that issues are about, each once, as far as they are there.

    A record is known by its line or place, as far as its source was not read anew since; else by
    what the source calls it, or by a citation key that only one paper has.
    """
    found: dict[PaperId, None] = {}
    sources: dict[str, _Places] = {}
    for issue in issues:
        if issue.source not in sources:
            sources[issue.source] = _places(conn, issue.source, batch_id)
        paper = sources[issue.source].paper(issue)
        if paper is None and issue.citekey:
            owners = find_citekeys(conn, {issue.citekey}).get(issue.citekey, [])
            paper = owners[0] if len(owners) == 1 else None
        if paper is not None:
            found[paper] = None
    return list(found)


@dataclass(slots=True)
class _Places:
    """The papers of one source's records, by all that an issue may say of a record."""

    lines: dict[int, PaperId] = field(default_factory=dict)
    positions: dict[int, PaperId] = field(default_factory=dict)
    keys: dict[str, PaperId] = field(default_factory=dict)

    def paper(self, issue: ImportProblem) -> PaperId | None:
        """The paper of the record that an issue is about."""
        if issue.line is not None and issue.line in self.lines:
            return self.lines[issue.line]
        if issue.index is not None and issue.index in self.positions:
            return self.positions[issue.index]
        return self.keys.get(issue.citekey or "") or self.keys.get(issue.zotero_key or "")


def _places(conn: sa.Connection, location: str, batch_id: int | None) -> _Places:
    rows = conn.exec_driver_sql(
        "SELECT r.record_key, r.line, r.position, r.batch_id, r.paper_id FROM records r"
        " JOIN sources s ON s.id = r.source_id JOIN papers p ON p.id = r.paper_id"
        " WHERE s.location = ? ORDER BY r.id DESC",
        (location,),
    )
    places = _Places()
    for key, line, position, batch, paper in rows:
        places.keys[key] = paper
        if key.startswith(_ZOTERO):
            places.keys.setdefault(key.rpartition(":")[2], paper)
        if batch_id is None or batch != batch_id:
            continue
        if line is not None:
            places.lines[line] = paper
        elif position is not None:
            places.positions[position] = paper
    return places
