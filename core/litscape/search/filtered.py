"""Queries without words: they name years, venues, tags …; all that pass are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.search.forms import read
from litscape.search.query import describe
from litscape.search.scope import scope_of
from litscape.store import lexical

if TYPE_CHECKING:
    import numpy as np

    from litscape.paper import PaperFilter
    from litscape.store.database import Database


@dataclass(frozen=True, slots=True)
class Filtered:
    """What a query without words lets through.

    Attributes:
        ids: all papers that pass, newest year first, (n,) int64.
        understood: the query in words.
        notes: what could not be read as it was meant, or is not there.
    """

    ids: np.ndarray[tuple[int], np.dtype[np.int64]]
    understood: str
    notes: tuple[str, ...]


def filtered(
    database: Database, query: str, flt: PaperFilter | None = None, *, as_you_type: bool = False
) -> Filtered | None:
    """The papers that a query without words lets through; None for any other query.

    What has only been begun to be typed (:attr:`~litscape.search.query.Query.awaited`) lets all
    through.
    """
    parsed = read(database, query, as_you_type=as_you_type)
    nothing = parsed.empty and (parsed.unread or not as_you_type)
    if parsed.wanted or parsed.asks_inside or nothing:
        return None
    with database.read() as conn:
        scope, notes = scope_of(conn, parsed, flt)
        ids = lexical.listed_ids(conn, scope, lexical.any_of(parsed.without))
    return Filtered(ids, describe(parsed), (*parsed.notes, *notes))
