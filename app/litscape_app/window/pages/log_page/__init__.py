"""The page that helps when something went wrong: the log, and a report to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.log_page.page import LogPage
    from litscape_app.window.session import Offer
    from litscape_app.window.troubles import Trouble


def log_page(desk: Desk) -> LogPage:
    """The page of this window."""
    from litscape_app.window.pages.log_page.page import LogPage

    page = desk.page("log")
    assert isinstance(page, LogPage)
    return page


def report_offer(desk: Desk, trouble: Trouble) -> Offer | None:
    """A button that leads to the error report, for a mistake of the program's own."""
    from litscape_app.window.session import Offer

    if trouble.expected:
        return None

    def show() -> None:
        log_page(desk).take(trouble)
        desk.show_page("log", again=True)

    return Offer("Report…", show)
