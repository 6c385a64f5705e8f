"""What somebody pasted: an identifier to look up, or records of a kind that a reader knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from litscape.errors import UserError
from litscape.importers import normalise
from litscape.importers.registry import detect

if TYPE_CHECKING:
    from litscape.importers.base import Importer

_MANY = 200


@dataclass(frozen=True, slots=True)
class Pasted:
    """What pasted text was found to be.

    Attributes:
        kind: ``identifiers`` (each can be looked up online, after consent) or ``records``.
        identifiers: bare DOIs and arXiv ids, in order, each once.
        importer: the reader of the records.
        text: the text as pasted.
    """

    kind: Literal["identifiers", "records"]
    text: str
    identifiers: tuple[str, ...] = ()
    importer: Importer | None = None


def _identifier(word: str) -> str | None:
    return normalise.arxiv(word) or normalise.doi_only(word)


def _identifiers(text: str) -> tuple[str, ...]:
    """The identifiers where the text consists of nothing else, one a line or parted by blanks."""
    tidy = re.sub(r"(?i)\b(doi|arxiv)\s*:\s*", r"\1:", text.strip())
    whole = _identifier(tidy)
    if whole and "\n" not in tidy:
        return (whole,)
    words = [word.strip(",;<>()") for word in tidy.split()]
    found = [_identifier(word) for word in words if word]
    if not found or len(found) > _MANY or None in found:
        return ()
    return tuple(dict.fromkeys(filter(None, found)))


def recognise(text: str) -> Pasted:
    """Find out what was pasted; nothing is looked up.

    Raises:
        UserError: it is empty, or nothing that the program reads.
    """
    if not text.strip():
        raise UserError("There is nothing to add: the text is empty.")
    identifiers = _identifiers(text)
    if identifiers:
        return Pasted("identifiers", text, identifiers)
    reader = detect(text[: 1 << 16], "")
    if reader is None:
        raise UserError(
            "The text is neither a DOI nor an arXiv id, and no BibTeX, RIS, CSL JSON or JSON lines."
        )
    return Pasted("records", text, importer=reader)
