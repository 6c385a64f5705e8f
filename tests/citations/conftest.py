"""A library, and how to fill it with papers and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.library import Library
from litscape.store.bulk import NewPaper, insert_citations, insert_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tests.citation_support import Pairs

    from litscape.paper import PaperDraft


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def fill() -> Callable[..., None]:
    """``fill(library, [draft, …], links)`` stores drafts under the ids 1, 2, … with links."""

    def fill(library: Library, drafts: Iterable[PaperDraft], links: Pairs = ()) -> None:
        papers = [
            NewPaper(n, draft.citekey or f"p{n}", draft) for n, draft in enumerate(drafts, start=1)
        ]
        with library.database.write() as conn:
            insert_papers(conn, papers)
            insert_citations(conn, [(a, b, "import") for a, b in links])

    return fill
