"""The page that looks for new papers like those one has."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.feed_page.page import FeedPage


def feed_page(desk: Desk) -> FeedPage:
    """The page, made when it is first asked for."""
    return cast("FeedPage", desk.page("feed"))


def find_new(desk: Desk, collection: int | None) -> None:
    """Show the page, to look for papers like those of a collection where one is given."""
    if collection is not None:
        feed_page(desk).like_collection(collection)
    desk.show_page("feed", again=True)
