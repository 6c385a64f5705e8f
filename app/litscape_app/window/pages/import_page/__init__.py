"""The page that brings papers in: choose, look, import; and the ways to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.import_page.page import ImportPage


def import_page(desk: Desk) -> ImportPage:
    """The page of this window."""
    from litscape_app.window.pages.import_page.page import ImportPage

    page = desk.page("import")
    assert isinstance(page, ImportPage)
    return page


def preview_files(desk: Desk, paths: Sequence[Path]) -> None:
    """Show what is in files, ready to be imported."""
    import_page(desk).take_files(paths)
    desk.show_page("import", again=True)


def paste(desk: Desk) -> None:
    """Take what the clipboard holds: files, records, or an identifier to look up."""
    from PySide6.QtGui import QGuiApplication

    from litscape_app.window.pages.import_page.sources import local_files

    data = QGuiApplication.clipboard().mimeData()
    files = local_files(data)
    if files:
        preview_files(desk, files)
    else:
        import_page(desk).recognise(data.text())
