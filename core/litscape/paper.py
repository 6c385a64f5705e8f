"""The records that cross module borders: a paper as read, as stored, and its parts.

Text is Unicode NFC with white space folded; unknown is ``None`` or empty, as in the export.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

PaperId = int
Severity = Literal["skipped", "warning", "note"]
# Han with its iteration mark, Kana (half width too) and Hangul: family first, nothing between.
_EAST_ASIAN = re.compile(
    "[\u3005\u3007\u3040-\u309f\u30a1-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\u1100-\u11ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
_EMPTY: Mapping[str, str] = MappingProxyType({})


def _nothing() -> Mapping[str, str]:
    return _EMPTY


@dataclass(frozen=True, slots=True)
class Author:
    """One author, either in parts or as a literal (a body, or a person with one name)."""

    family: str | None = None
    given: str | None = None
    particle: str | None = None
    suffix: str | None = None
    literal: str | None = None

    @property
    def display(self) -> str:
        """``Given particle Family Suffix``, or 王小明, as a reader would write it."""
        if self.literal:
            return self.literal
        if self.family and self.given and _EAST_ASIAN.fullmatch(self.family + self.given):
            return self.family + self.given
        parts = (self.given, self.particle, self.family, self.suffix)
        return " ".join(part for part in parts if part)

    @property
    def short(self) -> str:
        """The family name with its particle, or the literal."""
        if self.literal:
            return self.literal
        return " ".join(part for part in (self.particle, self.family) if part)


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file attached to a paper, its path as the source has it."""

    path: str
    title: str | None = None
    mime: str | None = None
    base: str | None = None
    exists: bool | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A work cited that is not (yet) a paper of the library."""

    raw: str | None = None
    doi: str | None = None
    title: str | None = None
    year: int | None = None
    source_id: str | None = None
    extra: Mapping[str, str] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class PaperDraft:
    """One record of a source after reading and normalising, before it meets the library.

    ``cites`` holds ids in the source's own terms (``source_id`` or citekey of other records).
    ``identifiers`` holds every further identifier by scheme (``openalex``, ``s2``, ``issn`` …);
    doi, arxiv, pmid and isbn have fields of their own.
    """

    citekey: str | None = None
    type: str | None = None
    title: str | None = None
    authors: tuple[Author, ...] = ()
    more_authors: bool = False
    year: int | None = None
    year_raw: str | None = None
    month: int | None = None
    month_raw: str | None = None
    day: int | None = None
    venue: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    doi: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
    isbn: str | None = None
    url: str | None = None
    abstract: str | None = None
    abstract_note: str | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    collections: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[FileLink, ...] = ()
    raw_fields: Mapping[str, str] = field(default_factory=_nothing)
    identifiers: Mapping[str, str] = field(default_factory=_nothing)
    cites: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    fields: tuple[str, ...] = ()
    library: str | None = None
    zotero_key: str | None = None
    source_id: str | None = None
    citekey_original: str | None = None
    citekey_aliases: tuple[str, ...] = ()
    missing_in_source: bool = False
    raw: str | None = None
    line: int | None = None
    index: int | None = None
    read_state: str | None = None
    read_at: str | None = None
    rating: int | None = None
    colour: str | None = None
    list_position: float | None = None


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """One line of an import report; ``severity`` "skipped" means that it did not come in."""

    code: str
    severity: Severity
    message: str
    line: int | None = None
    citekey: str | None = None
    zotero_key: str | None = None
    index: int | None = None
    raw: str | None = None
    source: str = ""
    is_record: bool = False
    """True where a paper could have stood: a skipped record, not merely skipped text."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One stored paper, whole. Field names are the keys of the export contract.

    What a person made of it: ``read_state`` is "reading", "read" or None (unread), ``rating`` 1 to
    5, ``colour`` one of :data:`litscape.reading.COLOURS`; ``list_position`` sorts the reading list.
    """

    id: PaperId
    citekey: str
    citekey_original: str | None
    citekey_aliases: tuple[str, ...]
    type: str | None
    title: str | None
    authors: tuple[Author, ...]
    more_authors: bool
    year: int | None
    year_raw: str | None
    month: int | None
    month_raw: str | None
    day: int | None
    venue: str | None
    publisher: str | None
    volume: str | None
    issue: str | None
    pages: str | None
    doi: str | None
    arxiv: str | None
    pmid: str | None
    isbn: str | None
    url: str | None
    abstract: str | None
    abstract_note: str | None
    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    collections: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    files: tuple[FileLink, ...]
    raw_fields: Mapping[str, str]
    identifiers: Mapping[str, str]
    cites: tuple[PaperId, ...]
    references: tuple[Reference, ...]
    fields: tuple[str, ...]
    library: str | None
    zotero_key: str | None
    missing_in_source: bool
    added_at: str
    modified_at: str
    trashed_at: str | None
    read_state: str | None = None
    read_at: str | None = None
    rating: int | None = None
    colour: str | None = None
    list_position: float | None = None


@dataclass(frozen=True, slots=True)
class PaperRow:
    """What a table shows of a paper: light enough to read by the page."""

    id: PaperId
    citekey: str
    title: str | None
    authors: str
    year: int | None
    year_raw: str | None
    venue: str | None
    type: str | None
    tags: tuple[str, ...]
    collections: tuple[str, ...]
    has_abstract: bool
    added_at: str
    read_state: str | None = None
    rating: int | None = None
    colour: str | None = None
    listed: bool = False
    opening: str | None = None
    """How the abstract begins, where there is no title."""


@dataclass(frozen=True, slots=True)
class LibraryChanges:
    """What a write changed; views refresh from it and undo applies its inverse.

    Attributes:
        added: ids of papers that are new among the live ones.
        changed: ids of papers of which some field changed.
        removed: ids of papers that left the live ones (trash included).
        structure: whether collections, tags or saved searches changed.
        change_id: the undo step that holds it, None where nothing can be undone.
    """

    added: frozenset[PaperId] = frozenset()
    changed: frozenset[PaperId] = frozenset()
    removed: frozenset[PaperId] = frozenset()
    structure: bool = False
    change_id: int | None = None

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.structure)


@dataclass(frozen=True, slots=True)
class PaperFilter:
    """Which papers a view shows; every given condition must hold.

    ``ids`` narrows to a set (search results); ``terms`` are (field, text) pairs matched as
    case-folded parts: field is one of title, authors, venue, any. Of each group in ``within``, a
    paper is in one collection or below it; of each in ``topics``, in one topic or a part of it, or,
    where 0 stands there, in none of the library's. ``has`` names what a paper must have
    (:data:`litscape.store.filters.HAS`), ``is_`` what it must be to its reader (``IS``, there).
    ``rating_from`` and ``rating_to`` pass only rated papers, ``colours`` those with one of them.
    ``venues``, ``authors``, ``keywords`` and ``sources`` are values as facets show them
    (:mod:`litscape.facets`): of each, a paper has at least one.
    """

    trashed: bool = False
    collection: int | None = None
    with_subcollections: bool = True
    tags: tuple[str, ...] = ()
    batch: int | None = None
    year_from: int | None = None
    year_to: int | None = None
    types: tuple[str, ...] = ()
    has_abstract: bool | None = None
    terms: tuple[tuple[str, str], ...] = ()
    ids: frozenset[PaperId] | None = None
    within: tuple[tuple[int, ...], ...] = ()
    topics: tuple[tuple[int, ...], ...] = ()
    has: tuple[str, ...] = ()
    cites: tuple[PaperId, ...] = ()
    cited_by: tuple[PaperId, ...] = ()
    is_: tuple[str, ...] = ()
    rating_from: int | None = None
    rating_to: int | None = None
    colours: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Collection:
    """A node of the collection tree."""

    id: int
    parent_id: int | None
    name: str
    path: tuple[str, ...]
    count: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome of one import; ``records`` is always the sum of the five outcomes.

    ``with_abstract`` and ``without_abstract`` count the live papers that it brought or changed.
    """

    batch: int | None
    records: int = 0
    added: int = 0
    updated: int = 0
    merged: int = 0
    unchanged: int = 0
    skipped: int = 0
    issues: tuple[ImportProblem, ...] = ()
    suggested_merges: tuple[tuple[PaperId, PaperId], ...] = ()
    changes: LibraryChanges = field(default_factory=LibraryChanges)
    sources: tuple[str, ...] = ()
    with_abstract: int = 0
    without_abstract: int = 0
