"""``docs/cli.md`` says what the commands are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape_app.cli.reference import reference
from litscape_app.cli.registry import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape_app.cli.command import Command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def leaves(commands: tuple[Command, ...] = COMMANDS) -> Iterator[Command]:
    for command in commands:
        yield from leaves(command.commands) if command.commands else [command]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run: python -m litscape_app.cli.reference > docs/cli.md"
    )


@pytest.mark.parametrize("command", list(leaves()), ids=lambda one: one.name)
def test_every_command_is_described(command: Command) -> None:
    assert command.run is not None
    assert command.keys, "what --json prints"
    assert command.summary
