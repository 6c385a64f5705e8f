"""The page on which the model that similarity comes from is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.models_page.page import ModelsPage


def models_page(desk: Desk) -> ModelsPage:
    """The page of this window."""
    from litscape_app.window.pages.models_page.page import ModelsPage

    page = desk.page("models")
    assert isinstance(page, ModelsPage)
    return page
