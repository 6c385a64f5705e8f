"""Libraries with vectors to find topics in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.library import Library


def add_papers(
    library: Library, titles: Sequence[str | None], abstracts: Sequence[str | None] | None = None
) -> None:
    """Put in papers with the ids 1, 2, …"""
    texts = abstracts or [None] * len(titles)
    with library.database.write() as conn:
        insert_papers(
            conn,
            [
                NewPaper(n, f"p{n}", PaperDraft(title=title, abstract=text))
                for n, (title, text) in enumerate(zip(titles, texts, strict=True), 1)
            ],
        )
