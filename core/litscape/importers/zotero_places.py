"""Where Zotero can be imported from on this computer, and what there is to choose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.importers import zotero_api, zotero_sqlite
from litscape.importers.zotero_find import PORT, ZoteroFolder, find
from litscape.importers.zotero_http import SCHEME
from litscape.store.imports import last_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from litscape.importers.zotero_sqlite import ZoteroLibrary
    from litscape.store.database import Database


@dataclass(frozen=True, slots=True)
class ZoteroPlace:
    """A Zotero to import from.

    Attributes:
        source: what :meth:`litscape.importers.session.Imports.run` takes.
        title: what a person calls it.
        libraries: what there is to choose.
        problem: why it can't be read, in a sentence; empty where it can.
        last_read: when it was imported last, UTC; None where it never was.
        running: whether it is the program and not its database.
    """

    source: str
    title: str
    libraries: tuple[ZoteroLibrary, ...] = ()
    problem: str = ""
    last_read: str | None = None
    running: bool = False


def places(
    library: Database | None,
    more: Iterable[Path] = (),
    folders: tuple[ZoteroFolder, ...] | None = None,
) -> Iterator[ZoteroPlace]:
    """Look for Zotero: its databases first, then the program; nothing is ever written to it.

    Args:
        library: the library that is imported into; tells when each was read last.
        more: databases that a person named.
        folders: data folders; by default those that are found.
    """
    known = find() if folders is None else folders
    files = dict.fromkeys([*(one.database for one in known), *(path.absolute() for path in more)])
    for file in files:
        look = partial(zotero_sqlite.libraries, file)
        yield _place(str(file), "Zotero database", look, library)
    addresses = dict.fromkeys(one.address for one in known) or [f"{SCHEME}http://127.0.0.1:{PORT}"]
    for address in addresses:
        look = partial(zotero_api.libraries, address)
        yield _place(address, "Running Zotero", look, library, running=True)


def _place(
    source: str,
    title: str,
    look: Callable[[], tuple[ZoteroLibrary, ...]],
    library: Database | None,
    *,
    running: bool = False,
) -> ZoteroPlace:
    read = None
    if library is not None:
        with library.read() as conn:
            read = last_read(conn, source)
    try:
        return ZoteroPlace(source, title, look(), "", read, running)
    except LitscapeError as error:
        return ZoteroPlace(source, title, (), str(error), read, running)
