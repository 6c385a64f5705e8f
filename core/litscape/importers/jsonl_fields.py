"""What the keys of one JSON line mean: those of the export, and those of open corpora."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from litscape import reading
from litscape.importers import normalise
from litscape.importers.cited import plain_reference
from litscape.importers.csl_fields import as_text
from litscape.importers.dates import FIRST_YEAR, LAST_YEAR, parse_year
from litscape.importers.links import plain_id
from litscape.importers.markup import abstract, plain
from litscape.importers.patentsview import SCHEME as PATENT
from litscape.importers.patentsview import patent_number, us_publication
from litscape.importers.people import from_parts, natural, natural_list, plain_person
from litscape.importers.record_types import canonical
from litscape.paper import Author, FileLink, PaperDraft, Reference

_NO_KEY = re.compile(r"[\s,{}\"#%~\\()=']+")
_SCHEME_NAMES = "openalex s2 corpus_id mag dblp acl pmcid issn wos scopus inspire zbmath mr hal"
_SCHEMES = frozenset(_SCHEME_NAMES.split())
_LONGEST_ID = 20
"""Letters behind which a text of several words is a work as it is cited, and no id."""
_REFERENCE_KEYS = frozenset({"raw", "doi", "title", "year", "source_id"})


def _line(value: Any) -> str | None:
    """One line of plain text; None where there is none."""
    if not isinstance(value, str):
        return as_text(value) or None
    return (plain(value) if "<" in value or "&" in value else normalise.fold(value)) or None


def _exact(value: Any) -> str | None:
    """Text as the program itself wrote it: no markup is looked for in it."""
    if isinstance(value, str):
        return normalise.fold_paragraphs(value) or None
    return as_text(value) or None


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts, each once; a text alone is a list of one."""
    if not value:
        return ()
    members = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for text in map(_exact, members) if text))


def _notes(value: Any) -> tuple[str, ...]:
    """Notes, each once, with their lines."""
    members = value if isinstance(value, list) else [value] if value else []
    found = (normalise.fold_lines(one) if isinstance(one, str) else _exact(one) for one in members)
    return tuple(dict.fromkeys(note for note in found if note))


@lru_cache(maxsize=50_000)
def _people(text: str) -> tuple[tuple[Author, ...], bool]:
    """The authors that one text names (mostly one), and whether it says that there are more."""
    person = plain_person(text)
    if person is not None:
        return (person,), False
    people, more = natural_list(_line(text) or "")
    return tuple(people), more


def _person(value: Mapping[str, Any]) -> Author | None:
    parts = ("family", "given", "particle", "suffix", "literal")
    family, given, particle, suffix, literal = map(_exact, map(value.get, parts))
    if family or given or particle or suffix:
        if literal is None and particle is None and not (family and given):
            return from_parts(family, given, suffix)
        return Author(family, given, particle, suffix, literal)
    if literal:
        return Author(literal=literal)
    name = _line(value.get("name") or value.get("full_name"))
    return natural(name) if name else None


def _authors(value: Any) -> tuple[tuple[Author, ...], bool]:
    members = value if isinstance(value, list) else [value]
    found: list[Author] = []
    more = False
    for member in members:
        if isinstance(member, str):
            people, others = _people(member)
            found += people
            more = more or others
        elif isinstance(member, Mapping):
            person = _person(member)
            found += [person] if person else []
    return tuple(found), more


def _integer(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value


def _collections(value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        return ()
    paths = (path if isinstance(path, list) else [path] for path in value)
    named = (tuple(filter(None, (_exact(name) for name in path))) for path in paths)
    return tuple(dict.fromkeys(path for path in named if path))


def _file(value: Any) -> FileLink | None:
    if isinstance(value, str):
        return FileLink(value) if value else None
    if not isinstance(value, Mapping) or not isinstance(value.get("path"), str):
        return None
    exists = value.get("exists")
    title, mime, base = (_exact(value.get(key)) for key in ("title", "mime", "base"))
    return FileLink(value["path"], title, mime, base, exists if isinstance(exists, bool) else None)


def _reference(value: Any) -> Reference | None:
    if not isinstance(value, Mapping):
        text = as_text(value)
        if text and len(text) > _LONGEST_ID and " " in text:
            return plain_reference(text)
        return Reference(raw=text, doi=normalise.doi_only(text), source_id=text) if text else None
    year = _integer(value.get("year"))
    extra = {str(k): as_text(v) for k, v in value.items() if k not in _REFERENCE_KEYS}
    found = Reference(
        raw=_exact(value.get("raw")),
        doi=normalise.doi(as_text(value.get("doi"))),
        title=_exact(value.get("title")),
        year=year,
        source_id=_exact(value.get("source_id")),
        extra={key: text for key, text in extra.items() if text},
    )
    return found if found != Reference() else None


def _references(value: Any) -> tuple[Reference, ...]:
    return tuple(found for found in map(_reference, _list(value)) if found)


def lost_references(record: Mapping[str, Any]) -> list[str]:
    """References of a record that say nothing of a work, as they are written."""
    return [
        json.dumps(one, ensure_ascii=False)
        for key in ("references", "refs_ext")
        for one in _list(record.get(key))
        if _reference(one) is None
    ]


def _corpus_references(value: Any) -> tuple[Reference, ...]:
    """References with their identifiers as papers have them."""
    return tuple(
        replace(
            one,
            doi=one.doi or (normalise.doi_only(one.source_id) if "10." in one.source_id else None),
            source_id=plain_id(one.source_id),
        )
        if one.source_id
        else one
        for one in _references(value)
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text_map(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key): text for key, text in ((k, as_text(v)) for k, v in value.items()) if text}


def _files(value: Any) -> tuple[FileLink, ...]:
    return tuple(found for found in map(_file, _list(value)) if found)


def _ids(value: Any) -> tuple[str, ...]:
    return tuple(map(as_text, value)) if isinstance(value, list) else ()


def _type(value: Any) -> str | None:
    return canonical(_line(value))


def _abstract(value: Any) -> str | None:
    return abstract(value) if isinstance(value, str) else None


def _pages(value: Any) -> str | None:
    return normalise.pages(as_text(value)) or None


def _identifier(form: Callable[[str], str | None]) -> Callable[[Any], str | None]:
    return lambda value: form(as_text(value)) if value else None


_BOTH: dict[str, Callable[[Any], Any]] = {
    "citekey": _exact,
    "citekey_original": _exact,
    "citekey_aliases": _texts,
    "type": _type,
    "more_authors": lambda value: value is True,
    "year": _integer,
    "year_raw": _exact,
    "month": _integer,
    "month_raw": _exact,
    "day": _integer,
    "abstract_note": _exact,
    "keywords": _texts,
    "tags": _texts,
    "collections": _collections,
    "notes": _notes,
    "files": _files,
    "raw_fields": _text_map,
    "identifiers": _text_map,
    "cites": _ids,
    "references": _references,
    "fields": _texts,
    "library": _exact,
    "zotero_key": _exact,
    "missing_in_source": lambda value: value is True,
}
_PLAIN = ("title", "venue", "publisher", "volume", "issue", "url")
_OWN: dict[str, Callable[[Any], Any]] = {
    **_BOTH,
    **dict.fromkeys((*_PLAIN, "pages", "doi", "arxiv", "pmid", "isbn", "abstract"), _exact),
    **{name: partial(reading.fitting, name) for name in reading.FIELDS},
}
_CORPUS: dict[str, Callable[[Any], Any]] = {
    **_BOTH,
    **dict.fromkeys(_PLAIN, _line),
    "pages": _pages,
    "doi": _identifier(normalise.doi),
    "arxiv": _identifier(normalise.arxiv),
    "pmid": _identifier(normalise.pmid),
    "isbn": _identifier(normalise.isbn),
    "abstract": _abstract,
    "references": _corpus_references,
}
_CORPUS_ONLY = {"labels": "fields", "mesh": "fields", "kind": "type", "refs_ext": "references"}
_ELSEWHERE = frozenset({"id", "authors", "added_at", "modified_at"})


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    """Set a part of a draft; lists and objects are added to what is there, texts fill gaps only."""
    before = found.get(name)
    if not before:
        found[name] = value
    elif isinstance(before, tuple):
        found[name] = tuple(dict.fromkeys(before + value)) if name == "fields" else before + value
    elif isinstance(before, dict):
        found[name] = {**before, **value}


def _corpus_parts(record: Mapping[str, Any], found: dict[str, Any]) -> None:
    """What only corpora have: keys under other names, and identifiers hidden in the id."""
    for key, name in _CORPUS_ONLY.items():
        if record.get(key):
            _put(found, name, _CORPUS[name](record[key]))
    year = record.get("year")
    if isinstance(year, int):
        if not FIRST_YEAR <= year <= LAST_YEAR:
            found["year"], found["year_raw"] = None, str(year)
    elif year is not None:
        date = parse_year(as_text(year))
        found["year"], found["year_raw"] = date.year, date.year_raw
        found["month"], found["day"] = found.get("month") or date.month, date.day
    identity = as_text(record.get("id"))
    scheme, _, rest = identity.partition(":")
    scheme = scheme.lower()
    if scheme in ("arxiv", "doi", "pmid") and not found.get(scheme):
        found[scheme] = _CORPUS[scheme](rest)
    number = patent_number(identity) if found.get("type") == "patent" else us_publication(identity)
    if number:
        _put(found, "identifiers", {PATENT: number})
    found["citekey"] = found.get("citekey") or _NO_KEY.sub("-", identity).strip("-") or None


def draft_of(record: Mapping[str, Any], *, raw: str, line: int, index: int) -> PaperDraft:
    """One line as a draft; a record with ``citekey`` and ``raw_fields`` is an export's.

    Args:
        record: the decoded object.
        raw: the line.
        line: its 1-based number.
        index: its 0-based place among the records.
    """
    own = "citekey" in record and "raw_fields" in record
    readers = _OWN if own else _CORPUS
    found: dict[str, Any] = {}
    rest: dict[str, str] = {}
    for key, value in record.items():
        if value is None or value == [] or value == "":
            continue
        reader = readers.get(key)
        if reader is not None:
            _put(found, key, reader(value))
        elif key in _SCHEMES and not own:
            _put(found, "identifiers", {key: as_text(value)})
        elif key not in _ELSEWHERE and (own or key not in _CORPUS_ONLY):
            rest[key] = as_text(value)
    if record.get("authors"):
        found["authors"], more = _authors(record["authors"])
        found["more_authors"] = more or found.get("more_authors", False)
    if rest:
        _put(found, "raw_fields", {key: text for key, text in rest.items() if text})
    if not own:
        _corpus_parts(record, found)
    identity = as_text(record.get("id")) or None
    return PaperDraft(**found, source_id=identity, raw=raw, line=line, index=index)
