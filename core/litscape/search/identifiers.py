"""Queries that name a paper: a DOI, another identifier, an address with one, a citation key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.search.fields import field_name
from litscape.store import lexical
from litscape.store.naming import identified, keyed

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Scope

_LONGEST = 300
_ADDRESS = re.compile(r"https?://\S+|(?:www\.)?[\w.-]+\.[a-z]{2,}/\S+", re.IGNORECASE)
_ARXIV = re.compile(
    r"[^\s:|\"()]+|(?:doi\s*:\s*\S*/)?arxiv\s*:?\s*[^\s|]+(?:\s*\[[\w.-]+\])?", re.IGNORECASE
)
_CLAUSE = re.compile(r"[-(]*-|[-(]*(?P<field>[^\W\d_]+)\s*:")
_NAMING = frozenset(("doi", "key", "citekey"))
"""Fields of the query language that name the paper itself."""
_ISBN = re.compile(r"(?:isbn(?:-?1[03])?\s*:?\s*)?((?:[\dxX][ -]?){9,12}[\dxX])", re.IGNORECASE)
_PREFIXED = re.compile(r"(?:key|citekey)\s*:\s*(\S+)", re.IGNORECASE)
_SHORTEST_PMID = 5
# What else may be pasted as it stands: one word, with or without the address before it.
_OTHERS = ("openalex", "pmcid", "s2", "mag", "dblp", "acl", "wos", "scopus", "eid", "zbl", "ads")


@dataclass(frozen=True, slots=True)
class Naming:
    """How a query may name papers.

    Attributes:
        kind: what it is for sure, such as ``DOI``; empty where it may be words as well.
        shown: the identifier in its usual form.
        pairs: (scheme, value) that a paper may have.
        key: the citation key that it may be.
    """

    kind: str
    shown: str
    pairs: tuple[tuple[str, str], ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """The papers that a query names, and whether by an identifier or a citation key."""

    papers: tuple[PaperId, ...] = ()
    why: str = "identifier"


def read(query: str) -> Naming | None:
    """How a query may name papers; None for what can only be words."""
    text = normalise.fold(query).strip()
    if _is_clause(text):
        return None
    text = text.strip("\"'“”<>()[]{},; ")
    if not text or len(text) > _LONGEST:
        return None
    return _certain(text) or _possible(text)


def _is_clause(text: str) -> bool:
    """Whether a text leaves something out, or asks for something else than a paper's name."""
    found = _CLAUSE.match(text)
    name = found["field"] if found else None
    if not name:
        return found is not None
    return bool(field_name(name)) and name.casefold() not in _NAMING


def _certain(text: str) -> Naming | None:
    """What a text with the shape of an identifier is."""
    address = bool(_ADDRESS.fullmatch(text))
    doi = normalise.doi_only(text) or (normalise.doi(text) if address else None)
    arxiv = normalise.arxiv(text) if address or _ARXIV.fullmatch(text) else None
    if arxiv:
        return Naming("arXiv id", arxiv, (("arxiv", arxiv), ("doi", f"10.48550/arxiv.{arxiv}")))
    if doi:
        return Naming("DOI", doi, (("doi", doi),))
    pmid = normalise.pmid(text)
    if pmid and not text.isdigit():
        return Naming("PubMed id", pmid, (("pmid", pmid),))
    isbn = normalise.isbn(found[1]) if (found := _ISBN.fullmatch(text)) else None
    if isbn and (text[:4].lower() == "isbn" or len(isbn) == 13):
        return Naming("ISBN", isbn, (("isbn", isbn),))
    if found := _PREFIXED.fullmatch(text):
        return Naming("citation key", found[1], key=found[1])
    return None


def _possible(text: str) -> Naming | None:
    """What one word could be besides a word."""
    if " " in text:
        return Naming("", text, key=text)
    last = re.split(r"[/=]", text.rstrip("/"))[-1] if _ADDRESS.fullmatch(text) else text
    values = dict.fromkeys((text, last, last.upper(), last.lower()))
    pairs = [(scheme, value) for scheme in _OTHERS for value in values]
    if text.isdigit() and len(text) >= _SHORTEST_PMID:
        pairs.append(("pmid", text))
    if isbn := normalise.isbn(text):
        pairs.append(("isbn", isbn))
    return Naming("", text, tuple(pairs), key=text)


def find(conn: sa.Connection, naming: Naming, scope: Scope, *, begun: bool) -> Named:
    """The papers of a scope that a query names.

    Args:
        conn: a connection.
        naming: from :func:`read`.
        scope: which papers may be found.
        begun: the query is still being typed, so that a DOI may go on.
    """
    if naming.key:
        mixed = naming.kind or any(letter.isdigit() for letter in naming.key)
        papers = keyed(conn, naming.key, any_case=bool(mixed) and " " not in naming.key)
        if papers := lexical.among(conn, papers, scope) if papers else []:
            return Named(tuple(papers), "citation key")
    papers = identified(conn, naming.pairs, begun=begun and bool(naming.kind))
    return Named(tuple(lexical.among(conn, papers, scope)) if papers else ())
