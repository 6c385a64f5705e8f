"""All commands; a new one is a line in one of the modules named here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.actions import about, editing, files, library, papers, reading, view

if TYPE_CHECKING:
    from litscape_app.actions.command import Command

MENUS = ("File", "Edit", "View", "Library", "Model", "Help")
COMMANDS: tuple[Command, ...] = (
    *files.COMMANDS,
    *editing.COMMANDS,
    *papers.COMMANDS,
    *reading.COMMANDS,
    *view.COMMANDS,
    *library.COMMANDS,
    *about.COMMANDS,
)
