"""The page that adds single papers: looked up, pasted or written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.add_paper.page import AddPage


def add_page(desk: Desk) -> AddPage:
    """The page of this window."""
    from litscape_app.window.pages.add_paper.page import AddPage

    page = desk.page("add")
    assert isinstance(page, AddPage)
    return page
