"""What a paper has after others were merged into it: a value of one of them for each field."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape import reading
from litscape.duplicates.evidence import is_preprint
from litscape.importers.links import more_references
from litscape.importers.matching import brief_of
from litscape.importers.normalise import title_key
from litscape.store.bulk import IDENTIFIER_FIELDS
from litscape.store.candidates import ZOTERO_ITEM, zotero_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from litscape.paper import Paper, PaperId

CHOICES = (
    "title",
    "authors",
    "year",
    "type",
    "venue",
    "volume",
    "issue",
    "pages",
    "publisher",
    "doi",
    "arxiv",
    "pmid",
    "isbn",
    "url",
    "abstract",
)
"""Fields of which the merged paper has the value of one of the papers."""
_WITH = {
    "authors": ("more_authors",),
    "year": ("year_raw", "month", "month_raw", "day"),
    "abstract": ("abstract_note",),
}
"""What comes from the same paper as a field."""
_OF_PLACE = ("volume", "issue", "pages", "publisher")
_FURTHER = re.compile(r"(.+)\.\d+")
_LONGER = 1.3


@dataclass(frozen=True, slots=True)
class Union:
    """What is to become of some papers.

    Attributes:
        kept: the paper that stays.
        chosen: the paper whose value each field of :data:`CHOICES` gets.
        fields: all fields of the kept paper that are not links, typed.
    """

    kept: PaperId
    chosen: Mapping[str, PaperId]
    fields: Mapping[str, Any]


def best_kept(papers: Sequence[Paper], edits: Mapping[PaperId, Sequence[str]]) -> PaperId:
    """The paper that others are merged into by default.

    One that is not in the trash, a published version before a preprint, one that a person worked
    on, the one that tells most, the oldest.
    """

    def rank(paper: Paper) -> tuple[bool, bool, bool, int, int]:
        told = sum(1 for name in CHOICES if getattr(paper, name))
        published = not is_preprint(brief_of(paper, paper.id))
        return (paper.trashed_at is None, published, bool(edits.get(paper.id)), told, -paper.id)

    return max(papers, key=rank).id


def unite(
    papers: Sequence[Paper],
    kept: PaperId,
    edits: Mapping[PaperId, Sequence[str]],
    wanted: Mapping[str, PaperId],
) -> Union:
    """Work out what one paper is once it has taken in the others.

    Args:
        papers: all of them.
        kept: the id of the one that stays.
        edits: the fields that a person set, by paper.
        wanted: the paper whose value a field is to get, where that was chosen.
    """
    ordered = sorted(papers, key=lambda paper: (paper.id != kept, paper.id))
    by_id = {paper.id: paper for paper in papers}
    chosen: dict[str, PaperId] = {}
    for name in CHOICES:
        chosen[name] = wanted.get(name) or _default(name, ordered, chosen, edits)
    fields: dict[str, Any] = {}
    for name, paper in chosen.items():
        for one in (name, *_WITH.get(name, ())):
            fields[one] = getattr(by_id[paper], one)
    fields |= _lists(ordered) | _origin(ordered) | reading.united(ordered)
    fields["identifiers"] = _identifiers(ordered, fields)
    fields["user_edits"] = tuple(sorted({name for p in ordered for name in edits.get(p.id, ())}))
    return Union(kept, MappingProxyType(chosen), MappingProxyType(fields))


def _default(
    name: str,
    ordered: Sequence[Paper],
    chosen: Mapping[str, PaperId],
    edits: Mapping[PaperId, Sequence[str]],
) -> PaperId:
    """The paper with the fullest value; the kept one, which comes first, unless another is."""
    set_by_hand = [paper for paper in ordered if name in edits.get(paper.id, ())]
    if set_by_hand:
        return set_by_hand[0].id
    best = ordered[0]
    for paper in ordered[1:]:
        fits = name not in _OF_PLACE or _same_venue(paper, ordered, chosen)
        if fits and _value(paper, name) and _fuller(name, best, paper):
            best = paper
    return best.id


def _value(paper: Paper, name: str) -> Any:
    return (paper.year or paper.year_raw) if name == "year" else getattr(paper, name)


def _same_venue(paper: Paper, ordered: Sequence[Paper], chosen: Mapping[str, PaperId]) -> bool:
    """Whether a paper appeared where the merged one did: else its pages are no help."""
    taken = next(one for one in ordered if one.id == chosen["venue"])
    venue, other = title_key(taken.venue), title_key(paper.venue)
    return paper.id == taken.id or not venue or not other or venue == other


def _fuller(name: str, best: Paper, paper: Paper) -> bool:
    """Whether a paper tells more in a field (it has a value there) than the best one so far."""
    mine, theirs = _value(best, name), _value(paper, name)
    if not mine:
        return True
    if name == "year":
        return best.year is None and paper.year is not None
    if name == "title":
        return len(title_key(theirs)) > len(title_key(mine)) and title_key(theirs).startswith(
            title_key(mine)
        )
    if name == "authors":
        return _people(paper) > _people(best)
    if name == "abstract":
        return len(theirs) > _LONGER * len(mine)
    if name == "pages":
        return "-" in theirs and "-" not in mine and theirs.startswith(mine)
    return name == "venue" and "." in mine and "." not in theirs and mine[0] == theirs[0]


def _people(paper: Paper) -> tuple[bool, int, bool]:
    """How much is told of the authors: all of them, how many, with their names written out."""
    written = sum(len((one.given or "").strip(".")) > 2 for one in paper.authors)
    return not paper.more_authors, len(paper.authors), written * 2 > len(paper.authors)


def _lists(ordered: Sequence[Paper]) -> dict[str, Any]:
    """The union of what papers have several of; that of the kept paper comes first."""
    raw_fields: dict[str, str] = {}
    for paper in reversed(ordered):
        raw_fields |= paper.raw_fields
    own = ordered[0]
    files = {link.path: link for paper in reversed(ordered) for link in paper.files}
    paths = dict.fromkeys(link.path for paper in ordered for link in paper.files)
    references = own.references
    for paper in ordered[1:]:
        references = more_references(references, paper.references)
    return {
        "tags": tuple(sorted({name for paper in ordered for name in paper.tags})),
        "collections": _each_once(path for paper in ordered for path in paper.collections),
        "notes": _each_once(note for paper in ordered for note in paper.notes),
        "files": tuple(files[path] for path in paths),
        "keywords": _terms(term for paper in ordered for term in paper.keywords),
        "fields": _terms(term for paper in ordered for term in paper.fields),
        "references": references,
        "raw_fields": {name: raw_fields[name] for name in _order(ordered, "raw_fields")},
    }


def _order(ordered: Sequence[Paper], name: str) -> dict[str, None]:
    return dict.fromkeys(key for paper in ordered for key in getattr(paper, name))


def _each_once(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))


def _terms(terms: Iterable[str]) -> tuple[str, ...]:
    """Terms in order, each once in whatever case."""
    found: dict[str, str] = {}
    for term in terms:
        found.setdefault(term.casefold(), term)
    return tuple(found.values())


def _origin(ordered: Sequence[Paper]) -> dict[str, Any]:
    """Keys and places of origin, and whether the paper lives."""
    own = ordered[0]
    zotero = next((paper for paper in ordered if paper.zotero_key), own)
    keys = {key for p in ordered for key in (p.citekey, p.citekey_original, *p.citekey_aliases)}
    live = [paper for paper in ordered if paper.trashed_at is None]
    return {
        "citekey_aliases": tuple(sorted(keys - {own.citekey, own.citekey_original, None})),
        "library": zotero.library,
        "zotero_key": zotero.zotero_key,
        "missing_in_source": all(paper.missing_in_source for paper in ordered),
        "trashed_at": None if live else own.trashed_at,
    }


def _identifiers(ordered: Sequence[Paper], fields: Mapping[str, Any]) -> dict[str, str]:
    """All identifiers; of several of one kind the further ones are ``doi.2``, ``doi.3`` …."""
    found: dict[str, dict[str, None]] = {}
    for scheme in IDENTIFIER_FIELDS:
        if fields[scheme]:
            found[scheme] = {fields[scheme]: None}
    for paper in ordered:
        own = {scheme: getattr(paper, scheme) for scheme in IDENTIFIER_FIELDS}
        for scheme, value in (*own.items(), *paper.identifiers.items()):
            further = _FURTHER.fullmatch(scheme)
            if value:
                found.setdefault(further[1] if further else scheme, {})[value] = None
        there = (fields["library"], fields["zotero_key"])
        if paper.zotero_key and (paper.library, paper.zotero_key) != there:
            # By it the item is known again, whatever way it comes from Zotero.
            item = zotero_item(paper.library, paper.zotero_key)
            found.setdefault(ZOTERO_ITEM, {})[item] = None
    named = {
        scheme if n == 1 else f"{scheme}.{n}": value
        for scheme, values in found.items()
        for n, value in enumerate(values, 1)
    }
    return {key: value for key, value in named.items() if key not in IDENTIFIER_FIELDS}
