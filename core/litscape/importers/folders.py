"""Folders as sources: their files of known kinds, and what is said of the others."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.decode import known_binary
from litscape.importers.opened import RecordsAtHand
from litscape.importers.registry import importer, open_source, refuse_library
from litscape.paper import ImportProblem
from litscape.store.places import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litscape.importers.base import ReadOptions

FOLDER = "folder"
"""The kind of what is said of a folder itself; its files are sources of their own kinds."""
_ZOTERO = "zotero.sqlite"
_HEAD = 64


def is_folder(location: str | Path) -> bool:
    """Whether a source is a folder of files; one with a Zotero database stands for that."""
    with suppress(OSError, ValueError):
        path = Path(location)
        return path.is_dir() and not (path / _ZOTERO).is_file()
    return False


def files_in(folder: str | Path) -> Iterator[Path]:
    """The files of a folder and of those in it, by name.

    Hidden ones, those of a library of this program, and folders that are links are left out.

    Raises:
        UserError: the folder can't be read.
    """
    top = Path(folder).absolute()

    def failed(error: OSError) -> None:
        if Path(error.filename) == top:
            raise UserError(f"The folder {top} can't be read: {error.strerror}.") from error

    for place, folders, names in os.walk(top, onerror=failed):
        if FILE in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if not name.startswith(".") and path.is_file():
                yield path


def without_folders(
    locations: Sequence[str | Path], kind: str | None, options: ReadOptions
) -> tuple[list[str | Path], list[RecordsAtHand]]:
    """Put in the place of every folder those of its files that some reader knows.

    Args:
        locations: sources, folders among them.
        kind: the reader to use; then of a folder only files with its endings are taken.
        options: what else was said of the sources.

    Returns:
        The sources, and the notes on files of folders that were left out.

    Raises:
        UserError: a folder can't be read, or has no file of a known kind.
    """
    sources: list[str | Path] = []
    left_out: list[RecordsAtHand] = []
    for location in locations:
        if is_folder(location):
            files, notes = _known(location, kind, options)
            sources += files
            if notes:
                name = str(Path(location).absolute())
                left_out.append(RecordsAtHand(name, FOLDER, notes))
        else:
            refuse_library(location)
            sources.append(location)
    return sources, left_out


def _known(
    folder: str | Path, kind: str | None, options: ReadOptions
) -> tuple[list[Path], list[ImportProblem]]:
    suffixes = importer(kind).suffixes if kind else ()
    files: list[Path] = []
    notes: list[ImportProblem] = []
    for path in files_in(folder):
        if suffixes and not path.name.lower().endswith(suffixes):
            continue
        try:
            _look(path, kind, options)
            files.append(path)
        except UserError as error:
            notes.append(ImportProblem("file-left-out", "note", str(error), source=str(path)))
    if not files:
        raise UserError(f"The folder {Path(folder).absolute()} has no file of a known kind.")
    return files, notes


def _look(path: Path, kind: str | None, options: ReadOptions) -> None:
    """See whether some reader knows a file; documents, pictures and packages are not read whole.

    Raises:
        UserError: none does.
    """
    try:
        with path.open("rb") as file:
            what = known_binary(file.read(_HEAD))
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error
    if what and "SQLite" not in what:
        raise UserError(f"{path} is {what}: no known kind of library file.")
    open_source(path, kind, options)
