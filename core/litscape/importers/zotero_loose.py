"""What a report says of things in Zotero that are no part of a work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.markup import plain
from litscape.paper import ImportProblem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_SHOWN = 60


def loose(key: str | None, kind: str, title: str, note: str) -> ImportProblem:
    """A file or note that hangs on no item."""
    text = plain(title or note)
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    what, code = ("note", kind) if kind == "note" else ("file", "attachment")
    name = shown or key or "without a name"
    return ImportProblem(
        f"{code}-without-parent",
        "note",
        f"The {what} “{name}” belongs to no item in Zotero and was left out. There, drag it onto "
        "an item to import it with that.",
        zotero_key=key,
        raw=note or title or None,
    )


def annotations_left(number: int, library: str) -> Iterator[ImportProblem]:
    """What is said of annotations, where there are any."""
    if number:
        yield ImportProblem(
            "annotations-left-out",
            "note",
            f"{number:,} annotations in files of {library} stay in Zotero: highlights and "
            "comments inside files are not imported.",
        )


def collections_gone(keys: Collection[str], library: str) -> Iterator[ImportProblem]:
    """What is said of collections that were to be taken and are not there."""
    if keys:
        number = len(keys)
        what = "A collection" if number == 1 else f"{number:,} collections"
        yield ImportProblem(
            "collection-gone",
            "warning",
            f"{what} of {library} that {'was' if number == 1 else 'were'} to be taken "
            f"{'is' if number == 1 else 'are'} no longer in Zotero: choose again what to take. "
            "No paper was removed.",
        )
