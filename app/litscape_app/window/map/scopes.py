"""Which papers are mapped: the whole library, the listed place, the search result, the chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape_app.window.words import count, shorten, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.library import Library
    from litscape.maps.records import MapInfo, MapScope
    from litscape.paper import PaperFilter
    from litscape_app.actions.command import Desk

_LEAST = 2
_MOST_KEPT = 12
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
        selected: whether they were selected by hand; the map is called after the first of them.
        kept: number of a stored map that is of just these papers, to open it again.
    """

    title: str = ""
    shown: str = "All papers"
    ids: NDArray[np.int64] | tuple[int, ...] | None = None
    flt: PaperFilter | None = None
    selected: bool = False
    kept: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from other choices, also from those of as many papers."""
        ids = b"" if self.ids is None else np.sort(np.asarray(self.ids, np.int64)).tobytes()
        return self.title, ids, self.kept

    def resolve(self, library: Library) -> MapScope:
        """Read which papers these are."""
        from litscape.maps.records import WHOLE_LIBRARY, MapScope

        if not self.title:
            return WHOLE_LIBRARY
        if self.kept is not None:
            return library.maps.get(self.kept).scope
        ids = library.papers.ids(self.flt) if self.ids is None else self.ids
        chosen = tuple(int(one) for one in ids)
        title = self.title
        if self.selected:
            rows = library.papers.rows([min(chosen)])
            title = ": ".join((title, *(shorten(title_of(row), 48) for row in rows)))
        return MapScope(title, chosen)


WHOLE = Choice()


def selection(ids: Sequence[int]) -> Choice:
    """The choice of papers that were selected by hand."""
    title = f"Selection of {count(len(ids), 'paper')}"
    return Choice(title, title, tuple(ids), selected=True)


def kept(stored: Sequence[MapInfo]) -> list[Choice]:
    """Papers of which maps are kept, other than the whole library, the newest first."""
    found: dict[tuple[str, int], Choice] = {}
    for one in stored:
        if not one.whole and len(found) < _MOST_KEPT:
            shown = shorten(one.title, 60)
            found.setdefault((one.title, one.papers), Choice(one.title, shown, kept=one.key))
    return list(found.values())


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
        found.append(selection(desk.chosen))
    return found
