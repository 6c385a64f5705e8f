"""The fields of an entry as the record that every format is brought to."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from litscape.importers.bibtex_files import read_files
from litscape.importers.bibtex_identifiers import arxiv_of_venue, identify
from litscape.importers.bibtex_text import Fields, as_written, clean, split_terms
from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year
from litscape.importers.exact_notes import NOTES_FIELD, exact, read_notes
from litscape.importers.latex import to_unicode
from litscape.importers.markup import abstract
from litscape.importers.names import NameList, read_names
from litscape.importers.record_types import canonical
from litscape.paper import PaperDraft
from litscape.reading import BEGUN, READ, fitting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.importers.bibtex_groups import Groups

_DASHES = re.compile(r"\s*(?:[-‐‑‒–—−]+)\s*")
_PLAIN_PAGES = re.compile(r"[\w.:]+(?:-+[\w.:]+)?", re.A)
_ALIASES = {"conference": "inproceedings"}
_WORD_KEPT = frozenset(("phdthesis", "mastersthesis", "masterthesis", "techreport"))
_VERBATIM_WORDS = (
    "url doi eprint ee link pdf file files local-url localfile isbn issn pmid pmcid urldate"
    " timestamp biburl adsurl archiveprefix eprinttype primaryclass eprintclass crossref xdata"
    " ids owncloud"
)
_VERBATIM = frozenset(_VERBATIM_WORDS.split())
_ARTICLE_WORDS = (
    "article periodical review suppperiodical inproceedings conference magazine newspaper"
)
_ARTICLES = frozenset(_ARTICLE_WORDS.split())
_JOURNALS = ("journaltitle", "journal", "fulljournal", "journal-full", "fjournal", "journalname")
_SHORT_JOURNALS = ("shortjournal", "journal-iso", "journaliso", "journalabbr", "journal-abbrev")
_NOTES = ("note", "annote", "annotation", "comment", "review")
_KEYWORDS = ("keywords", "keyword", "author_keywords", "author-keywords", "mesh_terms")
_COMMON_WORDS = (
    "author title journal journaltitle booktitle year month date day volume number issue pages"
    " publisher address location editor series edition chapter organization institution school type"
    " subtitle shorttitle booksubtitle maintitle langid language crossref xdata"
)
_COMMON = frozenset(_COMMON_WORDS.split())
"""Fields that can hold no identifier, file, keyword or note: most entries have no others."""
KEY_FIELD = "litscape-key"
"""Holds the citekey of a paper where it can't stand as the key of an entry."""
_JABREF_STATES = {"read": READ, "skimmed": BEGUN}
_JABREF_STARS = re.compile(r"rank([1-5])", re.I)
OWN_MARKS = {
    "litscape-read": "read_at",
    "litscape-colour": "colour",
    "litscape-list": "list_position",
}
"""Fields of a reader's marks that JabRef has no name for."""
_NO_KEY_OF_ITS_OWN = frozenset(("issn", "eprintclass", "primaryclass", "howpublished"))


@lru_cache(maxsize=4096)
def _year(text: str) -> DateParts:
    return parse_year(text)


@lru_cache(maxsize=4096)
def _month(text: str) -> DateParts:
    return parse_month(text)


def to_draft(
    kind: str,
    key: str | None,
    fields: Mapping[str, str],
    groups: Groups,
    folder: str,
    **place: Any,
) -> tuple[PaperDraft, NameList]:
    """Make the draft of one entry, and give its author list as read besides.

    Args:
        kind: the entry's type in lower case.
        key: its citekey, None where it has none.
        fields: values with macros and inheritance worked out, LaTeX not yet undone.
        groups: the group tree of its file.
        folder: the folder of its file.
        place: ``raw``, ``line`` and ``index`` of the draft.
    """
    have = Fields(fields)
    names = read_names(fields.get("author", ""))
    have.used.add("author")
    parts: dict[str, Any] = place
    parts["title"] = _title(have, kind)
    parts["venue"] = _venue(have, kind)
    parts["publisher"] = have.first("publisher")
    parts["volume"] = have.first("volume")
    parts["pages"] = _pages(have)
    parts["issue"] = have.first(*(("issue", "number") if kind in _ARTICLES else ("issue",)))
    _date(have, parts)
    parts["arxiv"] = arxiv_of_venue(have)
    if not _COMMON.issuperset(fields):
        identify(have, parts)
        _describe(have, parts)
        _file(have, parts, key, groups, folder)
    elif groups.by_key:
        parts["collections"] = groups.paths(key, "", "")
    own = have.first(KEY_FIELD) or key
    _leave(have, parts, kind)
    draft = PaperDraft(
        citekey=own,
        citekey_original=own,
        source_id=key if own != key else None,  # what entries that cite this one call it
        type=canonical(_ALIASES.get(kind, kind)),
        authors=names.authors,
        more_authors=names.more,
        **parts,
    )
    return draft, names


def _leave(have: Fields, parts: dict[str, Any], kind: str) -> None:
    """Keep what nothing else took; a thesis or report has its place for a publisher."""
    parts["raw_fields"] = left = _rest(have)
    left.pop(KEY_FIELD, None)
    if kind in _WORD_KEPT:
        left.setdefault("type", kind)
    if not parts["publisher"] and kind.endswith(("thesis", "report")):
        parts["publisher"] = left.get("institution") or left.get("school")


def _file(
    have: Fields, parts: dict[str, Any], key: str | None, groups: Groups, folder: str
) -> None:
    """Where the user has put the entry, and what hangs on it."""
    fields = have.all
    parts["files"], understood = read_files(fields, folder)
    have.used |= understood
    parts["tags"] = _listed(have, ("mendeley-tags", "tags"))
    parts["notes"] = _notes(have)
    parts["collections"] = groups.paths(
        key, fields.get("groups", ""), fields.get("mendeley-groups", "")
    )
    have.used |= {"groups", "mendeley-groups"}
    _marks(have, parts)
    parts["cites"] = _keys(have, "cites")
    parts["citekey_aliases"] = tuple(one for one in _keys(have, "ids") if one != key)


def jabref_marks(fields: Mapping[str, str]) -> dict[str, Any]:
    """What JabRef's ``readstatus`` and ``ranking`` say; they stay raw fields besides."""
    state = _JABREF_STATES.get(fields.get("readstatus", "").strip().lower())
    stars = _JABREF_STARS.fullmatch(fields.get("ranking", "").strip())
    return {"read_state": state, "rating": int(stars[1]) if stars else None}


def _marks(have: Fields, parts: dict[str, Any]) -> None:
    """What a reader made of the entry."""
    parts.update(jabref_marks(have.all))
    for field, name in OWN_MARKS.items():
        text = have.peek(field)
        if text:
            value = _number(text) if name == "list_position" else text
            parts[name] = fitting(name, value)
            if parts[name] is not None:
                have.used.add(field)


def _number(text: str) -> float | None:
    with suppress(ValueError):
        return float(text)
    return None


def _title(have: Fields, kind: str) -> str | None:
    main = have.first("title")
    if main is None and kind in ("proceedings", "book", "collection", "periodical"):
        main = have.first("booktitle", "maintitle", "journaltitle")
    sub = have.first("subtitle") if main else None
    return _joined(main, sub)


def _joined(main: str | None, sub: str | None) -> str | None:
    if not main or not sub:
        return main
    return f"{main} {sub}" if main[-1] in ":?!.–—" else f"{main}: {sub}"


def _venue(have: Fields, kind: str) -> str | None:
    journals = (*_JOURNALS, *_SHORT_JOURNALS)
    if kind in ("article", "periodical", "review"):
        found = have.first(*journals, "booktitle")
    else:
        main = ("maintitle",) if kind.startswith("in") else ()
        found = have.first("booktitle", *_JOURNALS, *main, *_SHORT_JOURNALS)
    if found and "booktitle" in have.used:
        return _joined(found, have.first("booksubtitle"))
    if found and "journaltitle" in have.used:
        return _joined(found, have.first("journalsubtitle"))
    return found


def _pages(have: Fields) -> str | None:
    value = have.all.get("pages", "")
    if _PLAIN_PAGES.fullmatch(value):
        have.used.add("pages")
        return _DASHES.sub("-", value)
    text = have.first("pages")
    return _DASHES.sub("-", text) if text else None


def _date(have: Fields, parts: dict[str, Any]) -> None:
    """``date`` before ``year`` and ``month``; an event's date only where there is no other."""
    date = have.first("date")
    found = parse_date(date) if date else DateParts()
    if found.year is None and found.year_raw is None:
        year, month = have.first("year"), have.first("month")
        found = _year(year) if year else DateParts()
        if month:
            said = _month(month)
            day = said.day or found.day
            found = DateParts(found.year, found.year_raw, said.month, said.month_raw, day)
        day_text = have.first("day") or ""
        if found.day is None and day_text.isdecimal() and 1 <= int(day_text) <= 31:
            found = DateParts(
                found.year, found.year_raw, found.month, found.month_raw, int(day_text)
            )
        if found == DateParts():
            event = have.first("eventdate", "issue_date", "issuedate")
            found = parse_date(event) if event else found
    elif have.peek("year") == str(found.year):
        have.used.add("year")
    parts.update(
        year=found.year,
        year_raw=found.year_raw,
        month=found.month,
        month_raw=found.month_raw,
        day=found.day,
    )


def _describe(have: Fields, parts: dict[str, Any]) -> None:
    text = to_unicode(have.all.get("abstract", ""))
    parts["abstract"] = abstract(text) if text else None
    if parts["abstract"]:
        have.used.add("abstract")
    group = have.peek("primaryclass") or have.peek("eprintclass")
    parts["fields"] = (group,) if group and parts["arxiv"] else ()
    parts["keywords"] = _listed(have, _KEYWORDS)


def _notes(have: Fields) -> tuple[str, ...]:
    names = [name for name in have.all if name.split("_")[0] in _NOTES]
    names.sort(key=lambda name: _NOTES.index(name.split("_")[0]))
    read = tuple(dict.fromkeys(filter(None, map(have.first, names))))
    have.used.add(NOTES_FIELD)
    return exact(read_notes(have.all.get(NOTES_FIELD, "")), read)


def _keys(have: Fields, name: str) -> tuple[str, ...]:
    value = have.peek(name)
    if not value:
        return ()
    have.used.add(name)
    return tuple(dict.fromkeys(filter(None, (one.strip() for one in re.split(r"[,;]", value)))))


def _listed(have: Fields, names: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        value = have.all.get(name)
        if value:
            have.used.add(name)
            found += filter(None, map(clean, split_terms(value)))
    return tuple(dict.fromkeys(found))


def _rest(have: Fields) -> dict[str, str]:
    """Every field that has no place of its own, and those that only lent something."""
    rest: dict[str, str] = {}
    for name, value in have.all.items():
        if name in have.used and name not in _NO_KEY_OF_ITS_OWN:
            continue
        exact = name in _VERBATIM or name.startswith("bdsk-")
        text = as_written(value) if exact else clean(value)
        if text:
            rest[name] = text
    return rest
