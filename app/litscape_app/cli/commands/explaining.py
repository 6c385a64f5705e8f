"""Why a paper is like others, at length, as the command line tells it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from litscape_app.cli.records import Record, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.alike.explain import Explanation
    from litscape.library import Library
    from litscape.paper import PaperRow


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
