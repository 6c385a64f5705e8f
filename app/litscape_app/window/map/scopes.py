"""Which papers are mapped: the whole library, the listed place, the search result, the chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.maps.records import MapScope
    from litscape.paper import PaperFilter
    from litscape_app.actions.command import Desk

_LEAST = 2
_PLACES = {
    "collection": "Collection", "tag": "Tag", "topic": "Topic", "import": "", "unread": "",
    "list": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Papers to be mapped.

    Attributes:
        title: as the map keeps it; empty for the whole library.
        shown: as the button shows it.
        ids: the papers; None where they are to be read.
        flt: what reads them.
    """

    title: str = ""
    shown: str = "All papers"
    ids: NDArray[np.int64] | tuple[int, ...] | None = None
    flt: PaperFilter | None = None

    def resolve(self, library: Library) -> MapScope:
        """Read which papers these are."""
        from litscape.maps.records import WHOLE_LIBRARY, MapScope

        if not self.title:
            return WHOLE_LIBRARY
        ids = library.papers.ids(self.flt) if self.ids is None else self.ids
        return MapScope(self.title, tuple(int(one) for one in ids))


WHOLE = Choice()


def choices(desk: Desk) -> list[Choice]:
    """What can be mapped now, the whole library first."""
    found = [WHOLE]
    scope, listing = desk.scope, desk.table.listing
    if scope.kind in _PLACES:
        title = " ".join(filter(None, (_PLACES[scope.kind], scope.title)))
        found.append(Choice(title, shorten(title, 40), flt=scope.filter))
    if listing is not None and listing.request.query and len(listing.ids) >= _LEAST:
        query = shorten(listing.request.query.strip(), 60)
        shown = f"Search: {shorten(query, 28)} ({len(listing.ids):,})"
        found.append(Choice(f"Search: {query}", shown, listing.ids))
    if len(desk.chosen) >= _LEAST:
        papers = count(len(desk.chosen), "paper")
        found.append(Choice(f"Selection of {papers}", f"Selection of {papers}", desk.chosen))
    return found
