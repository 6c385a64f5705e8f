"""Where the files of a Zotero library lie."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers.file_there import file_is_there
from litscape.importers.normalise import fold
from litscape.importers.zotero_items import LinkMode
from litscape.paper import FileLink

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from litscape.importers.zotero_items import Attachment

BASE = "linked-attachment-base-directory"
"""What stands for the folder that paths of linked files start from, where it is set in Zotero."""
_STORED, _LINKED = "storage:", "attachments:"
_KEPT = (LinkMode.IMPORTED_FILE, LinkMode.IMPORTED_URL)


class ZoteroFiles:
    """Makes links to attached files.

    Args:
        folder: Zotero's data folder, or that of an exported file; None where it is not known.
        base: the folder of linked files; None where it is not known.
    """

    def __init__(self, folder: Path | None = None, base: Path | None = None) -> None:
        self._folder = folder
        self._base = base

    def links(self, attachments: Iterable[Attachment]) -> tuple[FileLink, ...]:
        """The files of an item, each once."""
        found = [link for one in attachments if (link := self._link(one)) is not None]
        return tuple({link.path: link for link in reversed(found)}.values())[::-1]

    @staticmethod
    def addresses(attachments: Iterable[Attachment]) -> list[str]:
        """The addresses that are attached without a file."""
        linked = [one for one in attachments if one.mode == LinkMode.LINKED_URL and one.url]
        return [fold(f"{one.title}: {one.url}" if one.title else one.url) for one in linked]

    def _link(self, one: Attachment) -> FileLink | None:
        if one.mode in (LinkMode.LINKED_URL, LinkMode.EMBEDDED_IMAGE) or not one.path:
            return None
        title, mime = fold(one.title) or None, one.mime or None
        if one.path.startswith(_LINKED):
            path = one.path.removeprefix(_LINKED)
            return FileLink(path, title, mime, BASE, _exists(self._base, path))
        if one.mode in _KEPT and (one.path.startswith(_STORED) or not _is_whole(one.path)):
            path = _inside(one.key, one.path.removeprefix(_STORED))
            whole = str(self._folder / path) if self._folder is not None else path
            return FileLink(whole, title, mime, None, _exists(self._folder, path))
        there = _exists(self._folder, one.path)
        return FileLink(one.path, title, mime, None, there)


def _inside(key: str, name: str) -> str:
    """The path of a stored file below the data folder; a name never leads out of its folder."""
    last = re.split(r"[/\\]", name)[-1]
    return (
        f"storage/{re.sub(r'[^A-Za-z0-9]', '', key)}/{last if last not in ('', '.', '..') else '_'}"
    )


def _is_whole(path: str) -> bool:
    """Whether a path is absolute on any system."""
    return bool(re.match(r"[/\\]|[A-Za-z]:[/\\]", path))


def _exists(folder: Path | None, path: str) -> bool | None:
    """Whether a file is there; None for a relative path whose start is not known."""
    return file_is_there(path, str(folder or ""))
