"""Notes as they were written, beside the form that a format has for notes.

BibTeX and RIS keep a note as one line, CSL JSON all notes as one text, and other programs write
mark-up into them. Where that changes a note, this program writes the notes once more, as a list,
into a field of its own.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from litscape.importers.markup import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NOTES_FIELD = "litscape-notes"
"""The field of BibTeX, and the variable of CSL JSON."""
NOTES_SIGN = "notes: "
"""What the line of RIS begins with."""
_KEPT = re.compile(r"[{}%#@~]|(?<= ) ")
"""Signs that a reader of lines or of BibTeX might take for its own."""


_PLAIN = re.compile(r"(?!References:)[^$\\{}~`^]{5,}")
"""Notes that no reader takes for a formula, a command, a list of works or for nothing."""


def notes_text(notes: Sequence[str]) -> str:
    """Notes as one line of ASCII."""
    return _KEPT.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(list(notes)))


def read_notes(text: str) -> tuple[str, ...]:
    """The notes of :func:`notes_text`; none where it is no such text."""
    with suppress(ValueError, RecursionError):
        return notes_in(json.loads(text))
    return ()


def notes_in(value: Any) -> tuple[str, ...]:
    """A list of texts; nothing where it is none."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(dict.fromkeys(one for one in value if one.strip()))
    return ()


def exact(
    kept: tuple[str, ...], read: tuple[str, ...], stands: Callable[[str], bool] = bool
) -> tuple[str, ...]:
    """The notes as they were, unless another program has changed what stands for them.

    Args:
        kept: as this program kept them beside.
        read: as they are read from the format's own place.
        stands: whether a note can be read from there at all.
    """
    said = _words(note for note in kept if stands(plain(note)))
    return kept if kept and said == _words(read) else read


def altered(notes: Sequence[str]) -> bool:
    """Whether a note might not come back as it is from a line of plain text."""
    return any(not _PLAIN.fullmatch(note) or plain(note) != note for note in notes)


def _words(notes: Iterable[str]) -> str:
    """What notes say, however it is broken into lines and notes."""
    return " ".join(filter(None, map(plain, notes)))
