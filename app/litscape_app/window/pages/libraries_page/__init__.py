"""The page of libraries, and the one way to open one from the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.libraries_page.page import LibrariesPage


def libraries_page(desk: Desk) -> LibrariesPage:
    """The page of this window."""
    from litscape_app.window.pages.libraries_page.page import LibrariesPage

    page = desk.page("libraries")
    assert isinstance(page, LibrariesPage)
    return page


def open_library(
    desk: Desk, folder: Path, *, create: bool = False, read_only: bool = False
) -> None:
    """Open the library in ``folder``; where that can't be done, the page says why and what helps.

    Args:
        desk: the window.
        folder: the library's folder.
        create: whether a missing library is made.
        read_only: open it for reading alone.
    """
    from litscape_app.window.pages.libraries_page.cloud import cloud_service, cloud_warning
    from litscape_app.window.troubles import Trouble

    def opened() -> None:
        service = cloud_service(folder)
        if service:
            desk.session.trouble(Trouble(cloud_warning(service), ""))

    def refused(error: BaseException) -> None:
        page = libraries_page(desk)
        desk.show_page("libraries", again=True)
        page.show_refusal(folder, error)

    desk.session.open(folder, opened, refused, create=create, read_only=read_only)
