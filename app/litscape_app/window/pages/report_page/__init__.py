"""The page that tells what an import did, to the last record."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.report_page.page import ReportPage


def report_page(desk: Desk) -> ReportPage:
    """The page of this window."""
    from litscape_app.window.pages.report_page.page import ReportPage

    page = desk.page("report")
    assert isinstance(page, ReportPage)
    return page
