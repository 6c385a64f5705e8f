"""What a running command has at hand: its arguments, the settings, the library."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from litscape import settings as app_settings
from litscape.errors import EnvironmentFault, UserError
from litscape_app.cli.output import Output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from litscape.library import Library
    from litscape.settings import AppSettings

log = logging.getLogger(__name__)
LIBRARY_FILE = "library.sqlite"


class Session:
    """One run of one command."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.out = Output(as_json=args.json)

    @cached_property
    def settings(self) -> AppSettings:
        """The program's settings; what is wrong with the file is told once, on stderr."""
        loaded = app_settings.load()
        for notice in loaded.notices:
            self.out.message(notice)
        return loaded.settings

    @property
    def folder(self) -> Path:
        """The folder of ``--library``, else that of the library opened last.

        Raises:
            UserError: neither is known.
        """
        if self.args.library is not None:
            if not self.args.library.strip():
                raise UserError("--library needs a folder: nothing follows it.")
            return Path(self.args.library).expanduser().absolute()
        if not self.settings.recent:
            raise UserError(
                "No library has been opened yet: name a folder with --library DIR, "
                "or try `litscape library example`."
            )
        return Path(self.settings.recent[0])

    @contextmanager
    def library(
        self,
        *,
        create: bool = False,
        reading: bool = False,
        settings: AppSettings | None = None,
    ) -> Iterator[Library]:
        """The library, open, closed afterwards, and noted as the one used last unless ``reading``.

        A new library is taken away again where the command fails before anything is in it.

        Args:
            create: whether a missing folder becomes a new library, as an empty one always does.
            reading: whether nothing will be written: an empty folder stays empty, a missing one
                missing.
            settings: other settings than the stored ones, for this time.

        Raises:
            UserError: the folder holds no library and may not become one.
        """
        folder = self.folder
        new = not (folder / LIBRARY_FILE).exists()
        if self.args.library is None and not (folder / LIBRARY_FILE).is_file():
            raise UserError(
                f"The library opened last, {folder}, is no longer there: name another with "
                "--library DIR, or open one with `litscape library open DIR`."
            )
        check_folder(folder, create=create)
        chosen = settings or self.settings
        from litscape.library import Library  # a quarter of a second: only once it is needed

        if new and reading:
            with TemporaryDirectory() as name, Library.open(name, settings=chosen) as library:
                yield library
            return
        with (
            _taken_away_if_unused(folder) if new else nullcontext(_Made()) as made,
            Library.open(folder, read_only=_read_only(folder), settings=chosen) as library,
        ):
            made.here = library.database.made
            if not (new or reading):
                self._remember(folder)
            yield library
        if new:
            self._remember(folder)

    def _remember(self, folder: Path) -> None:
        try:
            app_settings.remember(folder)
        except EnvironmentFault as error:  # not worth failing a command that can be done
            log.warning("the last library was not noted: %s", error)


@dataclass(slots=True)
class _Made:
    """Whether this command itself made the library that it works on."""

    here: bool = False


@contextmanager
def _taken_away_if_unused(folder: Path) -> Iterator[_Made]:
    """Leave no new library behind a command that made it and failed before it did anything."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    made = _Made()
    try:
        yield made
    except BaseException:
        if made.here:
            from litscape.store.unused import remove_unused

            remove_unused(folder)
        with suppress(OSError):  # only folders in which nothing lies
            for one in missing:
                one.rmdir()
        raise


def _read_only(folder: Path) -> bool:
    """Whether a library can be read but not written; writing to it then fails with a sentence."""
    file = folder / LIBRARY_FILE
    return file.exists() and not (os.access(file, os.W_OK) and os.access(folder, os.W_OK))


def check_folder(folder: Path, *, create: bool) -> None:
    """Hold a folder against what a library's folder may be.

    An empty folder is a new library for every command; a missing one only where ``create`` says
    so, since elsewhere it is a slip of the keyboard.

    Raises:
        UserError: it is a file, is missing, or holds other things and no library.
    """
    if (folder / LIBRARY_FILE).exists():
        return
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file; a library is a folder.")
    if not folder.exists():
        if not create:
            raise UserError(f"There is no library at {folder}; `litscape library new` makes one.")
        return
    try:
        others = next(folder.iterdir(), None)
    except OSError as error:
        raise EnvironmentFault(f"The folder {folder} can't be read: {error.strerror}.") from error
    if others is not None:
        raise UserError(
            f"{folder} holds other files and no library; name an empty folder or a new one."
        )
