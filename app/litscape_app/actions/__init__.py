"""The window's commands as data: what they are called, their keys, when they can be used."""

from litscape_app.actions.command import Command, Needs
from litscape_app.actions.registry import COMMANDS, MENUS

__all__ = ["COMMANDS", "MENUS", "Command", "Needs"]
