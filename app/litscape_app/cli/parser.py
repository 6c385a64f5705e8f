"""The parser of the whole command line, put together from the registry."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, NoReturn

from litscape_app.cli.registry import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape_app.cli.command import Command

DESCRIPTION = "Your library of papers: import it, search it, find similar papers."
EPILOG = "Without a command the window opens."


class Parser(argparse.ArgumentParser):
    """Tells a mistake in one line and takes no shortened options."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"allow_abbrev": False, **options})  # type: ignore[arg-type]
        # What begins like a negative number is a value, if a wrong one: no option is called so.
        self._negative_number_matcher = re.compile(r"^-\d")

    def error(self, message: str) -> NoReturn:
        """End with status 2 and one line on stderr."""
        line = " ".join(message.splitlines())
        self.exit(2, f"{self.prog}: {line} (see `{self.prog} --help`)\n")


def build_parser() -> Parser:
    """The parser; what it returns has ``command``, None where the window is wanted."""
    parser = Parser(prog="litscape", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--version", action="store_true", dest="show_version", help="print the version and end"
    )
    parser.add_argument(
        "--example", action="store_true", help="open the window on the example library"
    )
    _add_common(parser, top=True)
    parser.set_defaults(command=None)
    _add_commands(parser, COMMANDS)
    return parser


def _add_common(parser: argparse.ArgumentParser, *, top: bool) -> None:
    """``--library`` and ``--json``, which may stand before and after the command."""
    common = parser.add_argument_group("for every command")
    common.add_argument(
        "--library",
        metavar="DIR",
        default=None if top else argparse.SUPPRESS,
        help="folder of the library; by default the one opened or changed last",
    )
    common.add_argument(
        "--json",
        action="store_true",
        default=False if top else argparse.SUPPRESS,
        help="print one JSON value",
    )


def _add_commands(parser: argparse.ArgumentParser, commands: Iterable[Command]) -> None:
    places = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for command in commands:
        own = places.add_parser(command.name, help=command.summary, description=command.summary)
        command.arguments(own)
        _add_common(own, top=False)
        own.set_defaults(command=command)
        if command.commands:
            _add_commands(own, command.commands)
            named = {one.name: one for one in command.commands}
            # Without a word of its own a group runs its default, or says what it takes.
            own.set_defaults(command=named[command.default] if command.default else command)
