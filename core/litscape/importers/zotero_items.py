"""A Zotero item with all that hangs on it, whichever way it came: database, local API or RDF."""

from __future__ import annotations

import enum
import json
from dataclasses import asdict, dataclass, field

USER = "user"
SETTING = "Allow other applications on this computer to communicate with Zotero"
"""What Zotero calls the switch of its local API (Settings, Advanced)."""
NO_PAPERS = frozenset({"attachment", "note", "annotation"})
"""Types of items that are parts of others."""


class LinkMode(enum.IntEnum):
    """How an attachment's file is kept; the numbers are the database's."""

    IMPORTED_FILE = 0
    IMPORTED_URL = 1
    LINKED_FILE = 2
    LINKED_URL = 3
    EMBEDDED_IMAGE = 4


@dataclass(frozen=True, slots=True)
class Creator:
    """A person or body, and the part it had: ``author``, ``editor``, …; ``whole`` has no parts."""

    role: str
    family: str
    given: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or address that hangs on an item; ``path`` as Zotero keeps it."""

    key: str
    mode: LinkMode = LinkMode.IMPORTED_FILE
    path: str = ""
    title: str = ""
    mime: str = ""
    url: str = ""


@dataclass(slots=True)
class ZoteroItem:
    """One item that is a work.

    Attributes:
        key: its key, unique within its library; empty where the source gives none.
        library: ``user`` or ``group:N``; None where the source does not say.
        type: Zotero's name, ``journalArticle``.
        fields: values by Zotero's names, ``publicationTitle``; never empty ones. Dates are as the
            database has them: ``2015-03-00 March 2015``.
        automatic_tags: tags that came with the record and not from the person.
        collections: paths from the top.
        notes: HTML, those of attachments among them.
        related: other items, as ``user:KEY``.
        source_id: what the source calls it, where that is no key.
        raw: its text in the source, where it is one; ``line`` where that begins.
    """

    key: str
    library: str | None
    type: str
    fields: dict[str, str] = field(default_factory=dict)
    creators: list[Creator] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    automatic_tags: list[str] = field(default_factory=list)
    collections: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    source_id: str | None = None
    raw: str = ""
    line: int | None = None

    def as_json(self) -> str:
        """The whole item as text, as the raw record."""
        told = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(told, ensure_ascii=False)
