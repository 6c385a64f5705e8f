"""The identifiers and addresses of a BibTeX entry, wherever writers put them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from litscape.importers import normalise
from litscape.importers.bibtex_text import as_written

if TYPE_CHECKING:
    from litscape.importers.bibtex_text import Fields

_PLACES_OF_DOI = ("url", "ee", "link", "howpublished", "bdsk-url-1", "note", "eprint", "pdf")
_WHOLE_NOTE = re.compile(r"\s*(?:doi|arxiv|pmid)\b.{0,80}", re.I | re.S)
_WEB = re.compile(r"(?:https?|ftp)://[^\s{}<>\"]+")


def identify(have: Fields, parts: dict[str, Any]) -> None:
    """Set ``doi``, ``arxiv``, ``pmid``, ``isbn``, ``identifiers`` and ``url``."""
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


def _doi(have: Fields) -> str | None:
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


def _arxiv(have: Fields) -> str | None:
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


def arxiv_of_venue(have: Fields) -> str | None:
    """The id in a journal ``arXiv preprint arXiv:1903.00001`` or a volume ``abs/1903.00001``."""
    for name in ("journal", "journaltitle", "volume"):
        text = have.all.get(name)
        if text and (text.startswith("abs/") or "rxiv" in text.lower()):
            found = normalise.arxiv(as_written(text))
            if found:
                return found
    return None


def _pmid(have: Fields) -> str | None:
    for name in ("pmid", "pubmedid", "pubmed-id", "pubmed_id"):
        found = normalise.pmid(have.peek(name)) if name in have.all else None
        if found:
            have.used.add(name)
            return found
    if have.peek("eprinttype").lower() in ("pubmed", "pmid"):
        return normalise.pmid(have.peek("eprint"))
    note = have.peek("note") if "pmid" in have.all.get("note", "").lower() else ""
    return normalise.pmid(note) if _WHOLE_NOTE.fullmatch(note) else None
