"""Where Zotero can be imported from on this computer, and what there is to choose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from litscape.errors import LitscapeError
from litscape.importers import zotero_api, zotero_sqlite
from litscape.importers.marks import chosen, read_mark
from litscape.importers.zotero_find import PORT, ZoteroFolder, find
from litscape.importers.zotero_http import SCHEME, ZoteroOffError, ZoteroSilentError
from litscape.store.imports import last_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from litscape.importers.base import ReadOptions
    from litscape.importers.zotero_sqlite import ZoteroLibrary
    from litscape.store.database import Database

Standing = Literal["ready", "silent", "off", "broken"]
"""Whether a Zotero can be read; ``silent`` does not run, ``off`` lets no other program ask."""


@dataclass(frozen=True, slots=True)
class ZoteroPlace:
    """A Zotero to import from.

    Attributes:
        source: what :meth:`litscape.importers.session.Imports.run` takes.
        title: what a person calls it.
        libraries: what there is to choose.
        standing: whether it can be read.
        problem: why it can't be read, in a sentence; empty where it can.
        last_read: when it was imported last, UTC; None where it never was.
        counts: records by outcome then; empty where that is not known.
        options: what was chosen of it, or taken last; None where it is new.
        running: whether it is the program and not its database.
    """

    source: str
    title: str
    libraries: tuple[ZoteroLibrary, ...] = ()
    standing: Standing = "ready"
    problem: str = ""
    last_read: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    options: ReadOptions | None = None
    running: bool = False


def places(
    library: Database | None,
    more: Iterable[Path] = (),
    folders: tuple[ZoteroFolder, ...] | None = None,
) -> Iterator[ZoteroPlace]:
    """Look for Zotero: its databases first, then the program; nothing is ever written to it.

    Args:
        library: the library that is imported into; tells when each was read last, and what of it.
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
    standing: Standing = "ready"
    libraries: tuple[ZoteroLibrary, ...] = ()
    problem = ""
    try:
        libraries = look()
    except ZoteroSilentError as error:
        standing, problem = "silent", str(error)
    except ZoteroOffError as error:
        standing, problem = "off", str(error)
    except LitscapeError as error:
        standing, problem = "broken", str(error)
    read, counts, options = _past(library, source)
    return ZoteroPlace(source, title, libraries, standing, problem, read, counts, options, running)


def _past(
    library: Database | None, source: str
) -> tuple[str | None, Mapping[str, int], ReadOptions | None]:
    if library is None:
        return None, {}, None
    with library.read() as conn:
        mark = read_mark(conn, source)
        if mark is None:
            return last_read(conn, source), {}, chosen(conn, source)
        return mark.at, mark.counts, chosen(conn, source)
