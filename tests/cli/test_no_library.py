"""A library that is not there: every command says so in one sentence and makes nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from subprocess import DEVNULL
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library
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
    "models activate": ("version",),
    "models compare": ("version", "other"),
    "models export": ("version", "model.zip"),
    "models import": ("model.zip",),
    "models remove": ("version",),
    "evaluate model": ("version",),
    "train start": ("--recipe", "head"),
    "train show": ("run",),
    "train resume": ("run",),
    "train pause": ("run",),
    "train stop": ("run",),
    "train cancel": ("run",),
    "train delete": ("run",),
    "train examples": ("--recipe", "head"),
    "train estimate": ("--recipe", "head"),
    "reports undo": ("1",),
    "restore": ("1",),
    "feed": ("new.bib", "--collection", "Water"),
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
NO_LIBRARY = {
    "library list", "library forget", "library open", "settings", "train recipes",
    "train write-recipe",
}  # fmt: skip
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


def test_a_refused_import_leaves_the_library_of_another(
    cli: Cli, bib: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find no library; the other makes it, and is at work when this one is refused."""
    folder = tmp_path / "library"
    opened = Library.open
    others: list[Library] = []

    def open_second(place: Path | str, **how: Any) -> Library:
        if not others:
            others.append(opened(place))
        return opened(place, **how)

    monkeypatch.setattr(Library, "open", open_second)
    # Nothing is committed by the other yet, as in the first moments of a long import.
    cli("--library", folder, "import", tmp_path / "none.bib").refused("none.bib")
    (other,) = others
    assert other.import_file(bib).added == 2
    other.close()
    with opened(folder, create=False) as library:
        assert len(library.papers) == 2


@pytest.mark.parametrize("late", [0.0, 0.2])
def test_two_imports_at_once_into_a_new_library_lose_nothing(
    home: Path, bib: Path, tmp_path: Path, late: float
) -> None:
    folder = tmp_path / "library"
    command = [sys.executable, "-m", "litscape_app", "--library", str(folder), "import"]
    long = tmp_path / "long.jsonl"
    long.write_text("".join(f'{{"id": "{n}", "title": "Title {n}"}}\n' for n in range(4000)))
    with ExitStack() as stack:
        runs = []
        for source in (long, bib):
            runs.append(
                stack.enter_context(
                    subprocess.Popen([*command, str(source)], stdout=DEVNULL, stderr=DEVNULL)
                )
            )
            time.sleep(late)
        codes = [one.wait(120) for one in runs]
    assert 0 in codes
    assert set(codes) <= {0, 2}
    expected = [number for number, code in zip((4000, 2), codes, strict=True) if code == 0]
    with Library.open(folder, create=False) as library:
        assert len(library.papers) == sum(expected)


def test_looking_at_an_empty_folder_leaves_it_empty(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for name in ("list", "info", "history", "tag", "trash", "collection", "models", "watched"):
        assert cli("--library", empty, name).code == 0
    assert cli("--library", empty, "library", "check").code == 0
    cli("--library", empty, "library", "restore", tmp_path / "none.sqlite").refused("none.sqlite")
    assert list(empty.iterdir()) == []
