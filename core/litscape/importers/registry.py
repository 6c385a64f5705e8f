"""Every reader, one line each, and how the right one is found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.bibtex import BibtexImporter
from litscape.importers.csl_json import CslJsonImporter
from litscape.importers.jsonl import JsonlImporter
from litscape.importers.ris import RisImporter

if TYPE_CHECKING:
    from litscape.importers.base import Importer

_IMPORTERS: tuple[Importer, ...] = (
    BibtexImporter(),
    RisImporter(),
    CslJsonImporter(),
    JsonlImporter(),
)

_WEB_PAGE = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title)\b", re.I | re.S
)
_SURE = 0.3


def importers() -> tuple[Importer, ...]:
    """All readers, in the order in which a person should see them."""
    return _IMPORTERS


def importer(kind: str) -> Importer:
    """The reader of a kind.

    Raises:
        UserError: no reader of that name; the message lists the names.
    """
    for one in _IMPORTERS:
        if one.kind == kind.lower():
            return one
    known = ", ".join(one.kind for one in _IMPORTERS)
    raise UserError(f"There is no importer called “{kind}”; there are {known}.")


def detect(head: str, location: str = "") -> Importer | None:
    """Find the reader for a file from its first 64 kB of text.

    The content decides; the name only where there is no content, or between equals.

    Returns:
        The reader, or None for web pages, binary data and kinds that nobody reads.
    """
    text = head.lstrip("\ufeff")
    name = location.lower()

    def named(one: Importer) -> bool:
        return name.endswith(one.suffixes) or name.removesuffix(".gz").endswith(one.suffixes)

    if not text.strip():
        return next(filter(named, _IMPORTERS), None)
    if "\x00" in text or _WEB_PAGE.match(text):
        return None
    ranked = [(one.recognises(text), named(one), one) for one in _IMPORTERS]
    score, _, best = max(ranked, key=lambda rank: rank[:2])
    return best if score >= _SURE else None
