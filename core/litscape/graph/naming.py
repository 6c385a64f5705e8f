"""Works as people write them in lists of links: ids, citation keys, DOIs and other identifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.patentsview import SCHEME as PATENT
from litscape.importers.patentsview import patent_number
from litscape.paper import Reference
from litscape.store.candidates import find_citekeys, find_identifiers
from litscape.store.link_reads import all_papers, further_identifiers

if TYPE_CHECKING:
    from collections.abc import Collection

    import sqlalchemy as sa

    from litscape.paper import PaperId

_OPENALEX = re.compile(
    r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?|openalex:)?(W\d{4,})", re.I
)
_SCHEME = re.compile(r"([a-z][a-z0-9_]{1,11}):(.+)", re.I)
_NAMES = {"id", "key"}
_BARE = re.compile(r"(?:RE|PP|AI|[DHT])?\d[\d,/]{4,}(?:[- ]?[A-Z]\d?)?")
# Country, number, kind of document: "US7000001B2", "US-7,000,001-B2", "EP 1000000 A1".
_PATENT = re.compile(r"[A-Z]{2}[- ]?(?:RE|PP|AI|[DHT])?\d[\d,/]{4,}(?:[- ]?[A-Z]\d?)?")


def identifier(text: str) -> tuple[str, str] | None:
    """The identifier that a text is, as (scheme, value); None where it is none."""
    if doi := normalise.doi_only(text):
        return "doi", doi
    if found := _OPENALEX.fullmatch(text):
        return "openalex", found[1].upper()
    scheme, value = _scheme(text)
    lower = text.lower()
    if lower.startswith("pmid") or "pubmed" in lower:
        pmid = normalise.pmid(text)
        return ("pmid", pmid) if pmid else None
    if scheme == "arxiv" or "arxiv.org" in lower:
        arxiv = normalise.arxiv(value or text)
        return ("arxiv", arxiv) if arxiv else None
    if scheme == PATENT or _PATENT.fullmatch(text):
        number = patent_number(value or text)
        return (PATENT, number) if number else None
    if scheme and value and scheme not in _NAMES and not scheme.startswith("http"):
        return scheme, value
    arxiv = normalise.arxiv(text) if "." in text or "/" in text else None
    return ("arxiv", arxiv) if arxiv else None


def _scheme(text: str) -> tuple[str, str]:
    found = _SCHEME.fullmatch(text)
    return (found[1].lower(), found[2].strip()) if found else ("", "")


def reference_to(text: str) -> Reference | None:
    """A reference to the work that an identifier names; None where the text is no identifier."""
    found = identifier(text)
    if found is None:
        return None
    scheme, value = found
    return Reference(doi=value) if scheme == "doi" else Reference(source_id=f"{scheme}:{value}")


def find_papers(conn: sa.Connection, names: Collection[str]) -> dict[str, list[PaperId]]:
    """The papers that each name may mean; more than one where it is ambiguous.

    A name is a citation key or a former one, else an identifier, else an id in digits, else a
    patent's number without its country; ``id:`` and ``key:`` before it say which.
    """
    kinds = {name: _scheme(name) for name in names}
    keys = {name: value if kind == "key" else name for name, (kind, value) in kinds.items()}
    numbers = {name: value if kind == "id" else name for name, (kind, value) in kinds.items()}
    by_key = find_citekeys(conn, set(keys.values()))
    marks = {name: mark for name in names if (mark := identifier(name))}
    by_mark = find_identifiers(conn, set(marks.values()))
    for scheme in {scheme for scheme, _ in marks.values()}:
        for value, paper in further_identifiers(conn, scheme):
            by_mark.setdefault((scheme, value), []).append(paper)
    there = set(all_papers(conn))
    bare = {name: number for name in names if _BARE.fullmatch(name)
            and (number := patent_number(name))}  # fmt: skip
    patents = find_identifiers(conn, {(PATENT, number) for number in bare.values()})
    found: dict[str, list[PaperId]] = {}
    for name in names:
        kind = kinds[name][0]
        number = numbers[name]
        plain = number.isascii() and number.isdigit() and len(number) < 19
        own = int(number) if plain and int(number) in there and kind != "key" else None
        keyed = list(by_key.get(keys[name], ())) if kind != "id" else []
        marked = by_mark.get(marks[name], []) if name in marks else []
        papers = keyed or marked
        if own is not None and not marked:
            papers = [*keyed, own]
        if not papers and name in bare:
            papers = patents.get((PATENT, bare[name]), [])
        found[name] = list(dict.fromkeys(papers))
    return found
