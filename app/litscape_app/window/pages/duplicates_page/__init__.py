"""The page of duplicates, and the ways that lead to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.paper import PaperId
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.duplicates_page.page import DuplicatesPage


def duplicates_page(desk: Desk) -> DuplicatesPage:
    """The page of this window."""
    from litscape_app.window.pages.duplicates_page.page import DuplicatesPage

    page = desk.page("duplicates")
    assert isinstance(page, DuplicatesPage)
    return page


def show_group(desk: Desk, ids: Sequence[PaperId]) -> None:
    """Put these papers beside each other, whether they are like duplicates or not."""
    desk.show_page("duplicates", again=True)
    duplicates_page(desk).show_papers(ids)
