"""Why papers are told, or none: reasons and remarks, as the command line tells them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from litscape_app.cli.records import Record, rows_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from litscape.alike.explain import Explanation
    from litscape.library import Library
    from litscape.paper import PaperRow


def add_notes(parser: argparse.ArgumentParser) -> None:
    """Add the argument that puts what is told beside an answer into it."""
    parser.add_argument(
        "--notes",
        action="store_true",
        help="with --json: one object {notes, nothing, hits} instead of the hits; `nothing` is one "
        "sentence on why there is no hit, or null",
    )


def with_notes(
    args: argparse.Namespace, records: list[Record], notes: Sequence[str], nothing: str
) -> object:
    """The hits, within what was told of them where that was asked for."""
    if not args.notes:
        return records
    return {"notes": list(notes), "nothing": None if records else nothing, "hits": records}


def plain(explanation: Explanation, rows: Mapping[int, PaperRow]) -> Record:
    """An explanation for programs; ``rows`` are those of the papers it names."""
    found = dataclasses.asdict(explanation)
    found.pop("paper_id")
    citing = rows.get(explanation.cocited_by or 0)
    found["cocited_by"] = (
        None
        if citing is None
        else {"id": citing.id, "citekey": citing.citekey, "title": citing.title}
    )
    return {**found, "shares": {name: round(share, 4) for name, share in explanation.shares}}


def told_at_length(library: Library, explanation: Explanation | None) -> list[str]:
    """An explanation as lines for a person."""
    if explanation is None:
        return []
    rows = rows_of(library, list(explanation.path))
    keys = [rows[paper].citekey for paper in explanation.path if paper in rows]
    works = [work.name for work in explanation.references]
    more = f" and {explanation.more_references} more" if explanation.more_references else ""
    shares = (f"{label} {share:.0%}" for label, share in explanation.shares)
    lines = [
        f"“{explanation.sentence}”" if explanation.sentence else "",
        f"both cite: {'; '.join(works)}{more}" if works else "",
        f"path: {' cites '.join(keys)}" if keys else "",
        f"by: {', '.join(explanation.authors)}" if explanation.authors else "",
        f"in: {', '.join(explanation.groups)}" if explanation.groups else "",
        f"score: {', '.join(shares)}",
    ]
    return [line for line in lines if line]
