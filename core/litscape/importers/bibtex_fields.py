"""The fields of an entry as the record that every format is brought to."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from litscape.importers import normalise
from litscape.importers.bibtex_files import read_files
from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year
from litscape.importers.latex import to_unicode, verbatim
from litscape.importers.markup import abstract, plain
from litscape.importers.names import NameList, read_names
from litscape.importers.normalise import fold
from litscape.importers.record_types import canonical
from litscape.paper import PaperDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.importers.bibtex_groups import Groups

_MARKED = re.compile(r"[\\{}$~<&]|--|``|''")
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
_PLACES_OF_DOI = ("url", "ee", "link", "howpublished", "bdsk-url-1", "note", "eprint", "pdf")
_COMMON_WORDS = (
    "author title journal journaltitle booktitle year month date day volume number issue pages"
    " publisher address location editor series edition chapter organization institution school type"
    " subtitle shorttitle booksubtitle maintitle langid language crossref xdata"
)
_COMMON = frozenset(_COMMON_WORDS.split())
"""Fields that can hold no identifier, file, keyword or note: most entries have no others."""
_NO_KEY_OF_ITS_OWN = frozenset(("issn", "eprintclass", "primaryclass", "howpublished"))
_WHOLE_NOTE = re.compile(r"\s*(?:doi|arxiv|pmid)\b.{0,80}", re.I | re.S)
_WEB = re.compile(r"(?:https?|ftp)://[^\s{}<>\"]+")


def clean(value: str) -> str:
    """A field's text as it is stored: LaTeX and HTML undone, NFC, white space folded."""
    return plain(to_unicode(value)) if _MARKED.search(value) else fold(value)


def as_written(value: str) -> str:
    """A url or identifier without its escapes, white space folded."""
    return fold(verbatim(value))


@lru_cache(maxsize=4096)
def _year(text: str) -> DateParts:
    return parse_year(text)


@lru_cache(maxsize=4096)
def _month(text: str) -> DateParts:
    return parse_month(text)


class _Fields:
    """The fields of one entry, remembering which of them found their place."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.all = fields
        self.used: set[str] = set()

    def first(self, *names: str) -> str | None:
        """The first of some fields that holds text; only that one counts as used."""
        get = self.all.get
        for name in names:
            value = get(name)
            if value:
                text = clean(value)
                if text:
                    self.used.add(name)
                    return text
        return None

    def peek(self, name: str) -> str:
        value = self.all.get(name)
        return as_written(value) if value else ""


def to_draft(
    kind: str,
    key: str | None,
    fields: Mapping[str, str],
    groups: Groups,
    folder: str,
    **place: Any,
) -> tuple[PaperDraft, NameList]:
    """Make the draft of one entry.

    Args:
        kind: the entry's type in lower case.
        key: its citekey, None where it has none.
        fields: values with macros and inheritance worked out, LaTeX not yet undone.
        groups: the group tree of its file.
        folder: the folder of its file.
        place: ``raw``, ``line`` and ``index`` of the draft.

    Returns:
        The draft, and its author list as read (to tell whether it was malformed).
    """
    have = _Fields(fields)
    names = read_names(fields.get("author", ""))
    have.used.add("author")
    parts: dict[str, Any] = place
    parts["title"] = _title(have, kind)
    parts["venue"] = _venue(have, kind)
    parts["publisher"] = have.first("publisher")
    parts["volume"] = have.first("volume")
    parts["issue"] = have.first(*(("issue", "number") if kind in _ARTICLES else ("issue",)))
    parts["pages"] = _pages(have)
    _date(have, parts)
    parts["arxiv"] = _arxiv_venue(have)
    if not _COMMON.issuperset(fields):
        _identify(have, parts)
        _describe(have, parts)
        _file(have, parts, key, groups, folder)
    elif groups.by_key:
        parts["collections"] = groups.paths(key, "", "")
    parts["raw_fields"] = raw_fields = _rest(have)
    if kind in _WORD_KEPT:
        raw_fields.setdefault("type", kind)
    if not parts["publisher"] and kind.endswith(("thesis", "report")):
        parts["publisher"] = raw_fields.get("institution") or raw_fields.get("school")
    draft = PaperDraft(
        citekey=key,
        citekey_original=key,
        type=canonical(_ALIASES.get(kind, kind)),
        authors=names.authors,
        more_authors=names.more,
        **parts,
    )
    return draft, names


def _file(
    have: _Fields, parts: dict[str, Any], key: str | None, groups: Groups, folder: str
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
    parts["cites"] = _keys(have, "cites")
    parts["citekey_aliases"] = tuple(one for one in _keys(have, "ids") if one != key)


def _title(have: _Fields, kind: str) -> str | None:
    main = have.first("title")
    if main is None and kind in ("proceedings", "book", "collection", "periodical"):
        main = have.first("booktitle", "maintitle", "journaltitle")
    sub = have.first("subtitle") if main else None
    return _joined(main, sub)


def _joined(main: str | None, sub: str | None) -> str | None:
    if not main or not sub:
        return main
    return f"{main} {sub}" if main[-1] in ":?!.–—" else f"{main}: {sub}"


def _venue(have: _Fields, kind: str) -> str | None:
    journals = (*_JOURNALS, *_SHORT_JOURNALS)
    if kind in ("article", "periodical", "review"):
        found = have.first(*journals, "booktitle")
    else:
        found = have.first("booktitle", *_JOURNALS, "maintitle", *_SHORT_JOURNALS)
    if found and "booktitle" in have.used:
        return _joined(found, have.first("booksubtitle"))
    if found and "journaltitle" in have.used:
        return _joined(found, have.first("journalsubtitle"))
    return found


def _pages(have: _Fields) -> str | None:
    value = have.all.get("pages", "")
    if _PLAIN_PAGES.fullmatch(value):
        have.used.add("pages")
        return _DASHES.sub("-", value)
    text = have.first("pages")
    return _DASHES.sub("-", text) if text else None


def _date(have: _Fields, parts: dict[str, Any]) -> None:
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


def _identify(have: _Fields, parts: dict[str, Any]) -> None:
    parts["doi"] = _doi(have)
    parts["arxiv"] = _arxiv(have) or parts["arxiv"]
    parts["pmid"] = _pmid(have)
    isbn = normalise.isbn(have.peek("isbn")) if "isbn" in have.all else None
    parts["isbn"] = isbn
    if isbn and len(have.peek("isbn")) <= 17:
        have.used.add("isbn")
    issn = normalise.issn(have.peek("issn")) if "issn" in have.all else None
    parts["identifiers"] = {"issn": issn} if issn else {}
    url = have.peek("url") or have.peek("ee") or have.peek("link") or have.peek("bdsk-url-1")
    if not url and "howpublished" in have.all:
        found = _WEB.search(have.peek("howpublished"))
        url = found[0].rstrip(".,;)") if found else ""
    parts["url"] = url.split(" ")[0] if _WEB.match(url) else url or None
    if parts["url"] and parts["url"] == have.peek("url"):
        have.used.add("url")


def _doi(have: _Fields) -> str | None:
    own = have.peek("doi")
    found = normalise.doi(own) if own else None
    if found:
        have.used.add("doi")
        return found
    if have.peek("eprinttype").lower() == "doi":
        return normalise.doi(have.peek("eprint"))
    for name in _PLACES_OF_DOI:
        if name in have.all and "10." in (text := have.all[name]).replace("%2", "10."):
            found = normalise.doi_only(as_written(text))
            if found:
                return found
    return None


def _arxiv(have: _Fields) -> str | None:
    archive = (have.peek("eprinttype") or have.peek("archiveprefix")).lower()
    eprint = have.peek("eprint")
    if eprint and archive in ("", "arxiv"):
        group = have.peek("primaryclass") or have.peek("eprintclass")
        found = normalise.arxiv(eprint, group or None)
        if found and (archive or have.peek("eprint").lower().count("arxiv") or group):
            have.used |= {"eprint", "eprinttype", "archiveprefix"}
            return found
        if found and not archive:
            return found
    for name in ("arxiv", "arxivid", "arxiv-id", "url", "doi", "ee"):
        text = have.peek(name)
        if text and (name.startswith("arxiv") or "arxiv" in text.lower()):
            found = normalise.arxiv(text)
            if found:
                return found
    for name in ("note", "howpublished"):
        text = have.all.get(name, "")
        if "arxiv" in text.lower() and _WHOLE_NOTE.fullmatch(text):
            return normalise.arxiv(as_written(text))
    return None


def _arxiv_venue(have: _Fields) -> str | None:
    """The id in a journal ``arXiv preprint arXiv:1903.00001`` or a volume ``abs/1903.00001``."""
    for name in ("journal", "journaltitle", "volume"):
        text = have.all.get(name)
        if text and (text.startswith("abs/") or "rxiv" in text.lower()):
            found = normalise.arxiv(as_written(text))
            if found:
                return found
    return None


def _pmid(have: _Fields) -> str | None:
    for name in ("pmid", "pubmedid", "pubmed-id", "pubmed_id"):
        found = normalise.pmid(have.peek(name)) if name in have.all else None
        if found:
            have.used.add(name)
            return found
    if have.peek("eprinttype").lower() in ("pubmed", "pmid"):
        return normalise.pmid(have.peek("eprint"))
    note = have.peek("note") if "pmid" in have.all.get("note", "").lower() else ""
    return normalise.pmid(note) if _WHOLE_NOTE.fullmatch(note) else None


def _describe(have: _Fields, parts: dict[str, Any]) -> None:
    text = to_unicode(have.all.get("abstract", ""))
    parts["abstract"] = abstract(text) if text else None
    if parts["abstract"]:
        have.used.add("abstract")
    group = have.peek("primaryclass") or have.peek("eprintclass")
    parts["fields"] = (group,) if group and parts["arxiv"] else ()
    parts["keywords"] = _listed(have, _KEYWORDS)


def _notes(have: _Fields) -> tuple[str, ...]:
    names = [name for name in have.all if name.split("_")[0] in _NOTES]
    names.sort(key=lambda name: _NOTES.index(name.split("_")[0]))
    return tuple(dict.fromkeys(filter(None, map(have.first, names))))


def _keys(have: _Fields, name: str) -> tuple[str, ...]:
    value = have.peek(name)
    if not value:
        return ()
    have.used.add(name)
    return tuple(dict.fromkeys(filter(None, (one.strip() for one in re.split(r"[,;]", value)))))


def _listed(have: _Fields, names: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        value = have.all.get(name)
        if value:
            have.used.add(name)
            found += filter(None, map(clean, split_terms(value)))
    return tuple(dict.fromkeys(found))


def split_terms(value: str) -> list[str]:
    """Cut a list of keywords: at ``;`` if there is one, else at lines or ``,``; not in braces.

    ``Models, Molecular; Proteins`` are two terms.
    """
    value = value.strip()
    while value.startswith("{") and value.endswith("}") and _one_group(value):
        value = value[1:-1].strip()
    value = re.sub(r"\\([;,])", r"\1", value)
    if "&" in value and ";" in value:
        value = plain_entities(value)
    outside = _outside_braces(value)
    if ";" in outside:
        separator = ";"
    elif outside.count("\n") > outside.count(","):
        separator = "\n"
    else:
        separator = ","
    places = [place for place, char in enumerate(outside) if char == separator]
    cuts = [-1, *places, len(value)]
    return [value[start + 1 : end] for start, end in pairwise(cuts)]


def plain_entities(value: str) -> str:
    """HTML entities undone, whose semicolons part nothing."""
    return html.unescape(value)


def _one_group(text: str) -> bool:
    return _outside_braces(text[1:-1]).count("}") == 0 and text.count("{") == text.count("}")


def _outside_braces(text: str) -> str:
    """The text with everything inside braces blanked out, places kept."""
    if "{" not in text:
        return text
    out, depth = [], 0
    for char in text:
        if char == "{":
            depth += 1
        out.append(char if depth == 0 else " ")
        if char == "}" and depth:
            depth -= 1
    return "".join(out)


def _rest(have: _Fields) -> dict[str, str]:
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
