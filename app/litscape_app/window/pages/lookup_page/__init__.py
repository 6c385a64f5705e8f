"""The page on which citations are looked up online."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.lookup_page.page import LookupPage


def lookup_page(desk: Desk) -> LookupPage:
    """The page, made when it is first asked for."""
    return cast("LookupPage", desk.page("lookup"))
