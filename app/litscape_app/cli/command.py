"""What a command is: its name, its arguments, what it prints, and the function behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from litscape_app.cli.session import Session

Shape = Literal["object", "list", "none"]
INTERRUPTED = 130
"""The exit status after Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found: a value for ``--json``, lines for a person, the exit status."""

    value: object
    text: str
    status: int = 0


def no_arguments(_parser: argparse.ArgumentParser) -> None:
    """For commands that take nothing of their own."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command, or a group of them.

    Attributes:
        name: the word on the command line.
        summary: one line for the help.
        run: does it; None for a group.
        arguments: adds what the command takes to its parser.
        keys: each key of the printed JSON object (or of the list's objects) and its meaning.
        shape: whether ``--json`` prints one object, a list of objects, or the command prints
            something of its own.
        commands: the commands of a group.
        default: the command of a group that runs when none is named.
    """

    name: str
    summary: str
    run: Callable[[Session], Answer | None] | None = None
    arguments: Callable[[argparse.ArgumentParser], None] = no_arguments
    keys: Mapping[str, str] = field(default_factory=dict)
    shape: Shape = "object"
    commands: tuple[Command, ...] = ()
    default: str | None = None
