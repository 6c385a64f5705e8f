"""A library that is not there: every command says so in one sentence and makes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape_app.cli.registry import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Cli

    from litscape_app.cli.command import Command

REQUIRED = {
    "citations add": ("links.csv",),
    "citations export": ("-",),
    "collection add": ("Water", "1"),
    "collection create": ("Water",),
    "collection delete": ("Water",),
    "collection move": ("Water",),
    "collection remove": ("Water", "1"),
    "collection rename": ("Water", "Rivers"),
    "delete": ("1",),
    "duplicates merge": ("1", "2"),
    "duplicates reconsider": ("1", "2"),
    "duplicates refuse": ("1", "2"),
    "edit": ("1", "--set", "year=1999"),
    "export": ("--format", "jsonl", "all.jsonl"),
    "library restore": ("backup.sqlite",),
    "models add-folder": ("model",),
    "models add-hub": ("owner/name",),
    "models use": ("version",),
    "reports undo": ("1",),
    "restore": ("1",),
    "search": ("words",),
    "show": ("1",),
    "similar": ("1",),
    "tag add": ("to read", "1"),
    "tag delete": ("to read",),
    "tag remove": ("to read", "1"),
    "tag rename": ("to read", "read"),
    "watched remove": ("refs.bib",),
}
"""What a command can't do without."""
MAKERS = {"import", "add", "watch", "watched add", "library new", "library example"}
NO_LIBRARY = {"library list", "library forget", "library open", "settings"}
"""Commands that make a library, and those that are about none or name it themselves."""


def names(commands: Iterable[Command], before: str = "") -> Iterator[str]:
    for command in commands:
        name = f"{before} {command.name}".strip()
        if command.run is not None:
            yield name
        yield from names(command.commands, name)


ALL = [
    name for name in names(COMMANDS) if name not in MAKERS | NO_LIBRARY and "settings" not in name
]


@pytest.mark.parametrize("name", ALL)
def test_a_missing_library_is_told_and_not_made(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    (place / "file").write_text("no library", encoding="utf-8")
    command = (*name.split(), *REQUIRED.get(name, ()))
    for library in ("missing", "deep/er/missing", "file"):
        cli("--library", library, *command).refused()
    assert [one.name for one in place.iterdir()] == ["file"]
    cli("list").refused("No library has been opened yet")


@pytest.mark.parametrize("name", ["import", "watch", "watched add"])
def test_what_makes_a_library_leaves_none_where_it_fails(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    cli("--library", "deep/missing", *name.split(), "no.bib").refused("no.bib")
    assert list(place.iterdir()) == []


def test_looking_at_an_empty_folder_leaves_it_empty(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for name in ("list", "info", "history", "tag", "trash", "collection", "models", "watched"):
        assert cli("--library", empty, name).code == 0
    assert cli("--library", empty, "library", "check").code == 0
    cli("--library", empty, "library", "restore", tmp_path / "none.sqlite").refused("none.sqlite")
    assert list(empty.iterdir()) == []
