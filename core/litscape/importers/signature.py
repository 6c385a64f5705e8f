"""What a source gave last time, as short hashes by field: enough to tell what it changed since.

A signature is one byte for the field and eight of hash for each value, in a fixed order. Equal
signatures are equal records. Two signatures of one record say which fields the source changed, so
that an update leaves alone what came from elsewhere.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from litscape.reading import FIELDS as READING_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.paper import Author, FileLink, PaperDraft, Reference

PLAIN_FIELDS = (
    "citekey",
    "type",
    "title",
    "year",
    "year_raw",
    "month",
    "month_raw",
    "day",
    "venue",
    "publisher",
    "volume",
    "issue",
    "pages",
    "doi",
    "arxiv",
    "pmid",
    "isbn",
    "url",
    "abstract",
    "abstract_note",
    "library",
    "zotero_key",
)
WHOLE_FIELDS = ("authors", "more_authors", "keywords", "fields")
"""Replaced as a whole, like plain fields."""
MEMBER_FIELDS = ("tags", "collections", "notes", "files", "raw_fields", "identifiers")
"""Compared member by member."""
LINK_FIELDS = ("cites", "references")
"""Only ever added to: what they point to is linked in the library."""
# New fields come last: the place of each is in the signatures that libraries keep.
_ALL = (*PLAIN_FIELDS, *WHOLE_FIELDS, *MEMBER_FIELDS, *LINK_FIELDS, *READING_FIELDS)
_CODES = {name: bytes([n]) for n, name in enumerate(_ALL)}
_SINGLE = (*PLAIN_FIELDS, *READING_FIELDS)
_SINGLE_CODES = tuple(_CODES[name] for name in _SINGLE)
_LISTS = (*WHOLE_FIELDS, *MEMBER_FIELDS, *LINK_FIELDS)
_single_values = attrgetter(*_SINGLE)
_SIZE = 8

Signature = dict[str, frozenset[bytes]]


def digest(text: str) -> bytes:
    """The hash of one value, given as text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()


def value_text(field: str, value: Any) -> str:
    """One plain or whole field as text to be hashed; empty for nothing."""
    if value is None or value is False:
        return ""
    if field == "authors":
        return "\x1e".join([_author_text(author) for author in value])
    if field in WHOLE_FIELDS and value is not True:
        return "\x1e".join(value)
    return str(value)


def _author_text(a: Author) -> str:
    return f"{a.family}\x1f{a.given}\x1f{a.particle}\x1f{a.suffix}\x1f{a.literal}"


def members(field: str, value: Any) -> list[Any]:
    """The members of a list or map as one by one they are added and removed."""
    return list(value.items()) if field in ("raw_fields", "identifiers") else list(value)


def member_text(field: str, member: Any) -> str:
    """One member of a list or map as text to be hashed."""
    if field == "files":
        link: FileLink = member
        return f"{link.path}\x1f{link.title}\x1f{link.mime}\x1f{link.base}\x1f{link.exists}"
    if field == "references":
        r: Reference = member
        return f"{r.raw}\x1f{r.doi}\x1f{r.title}\x1f{r.year}\x1f{r.source_id}"
    return member if isinstance(member, str) else "\x1f".join(member)


def signature(draft: PaperDraft) -> bytes:
    """The signature of a record as read; line numbers and the raw text are no part of it."""
    # One string of bytes per value, hashed in line: this runs once for every record of an import.
    parts: list[bytes] = []
    for code, value in zip(_SINGLE_CODES, _single_values(draft), strict=True):
        if value is not None:
            text = value if value.__class__ is str else str(value)
            parts += (
                code,
                blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest(),
            )
    for name in _LISTS:
        value = getattr(draft, name)
        if value:
            parts += _list_parts(name, value)
    return b"".join(parts)


def _list_parts(name: str, value: Any) -> list[bytes]:
    code = _CODES[name]
    if name in MEMBER_FIELDS:
        hashes = {digest(member_text(name, member)) for member in members(name, value)}
        return [code + found for found in sorted(hashes)]
    if name in LINK_FIELDS:
        return [code, digest("\x1e".join([member_text(name, member) for member in value]))]
    return [code, digest(value_text(name, value))]


def parsed(stored: bytes) -> Signature:
    """The hashes of a stored signature by field; fields without a value are left out."""
    found: dict[str, set[bytes]] = {}
    for start in range(0, len(stored) - _SIZE, _SIZE + 1):
        code = stored[start]
        if code < len(_ALL):
            found.setdefault(_ALL[code], set()).add(stored[start + 1 : start + 1 + _SIZE])
    return {name: frozenset(hashes) for name, hashes in found.items()}


def gave(given: Signature, field: str, value: Any) -> bool:
    """Whether the source gave this very value of a plain or whole field."""
    text = value_text(field, value)
    return given.get(field, frozenset()) == (frozenset({digest(text)}) if text else frozenset())


def own_members(given: Signature, field: str, value: Iterable[Any]) -> list[Any]:
    """Those members of a list or map that the source gave."""
    hashes = given.get(field, frozenset())
    return [member for member in value if digest(member_text(field, member)) in hashes]
