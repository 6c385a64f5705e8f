"""Looking up a paper online by its DOI (Crossref) or arXiv id; only ever called after consent."""

from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

from litscape.errors import UserError
from litscape.importers import normalise
from litscape.importers.csl_fields import as_text, draft_of
from litscape.importers.dates import parse_date
from litscape.importers.markup import plain, plain_paragraphs
from litscape.importers.people import natural
from litscape.paper import PaperDraft, Reference

_MAIL = re.compile(r"[!-~]+@[!-~]+")
_AGENT = "Litscape/0.1"
_LIMIT = 20_000_000
ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_NEVER_KEPT = frozenset(
    {
        "indexed",
        "reference",
        "deposited",
        "score",
        "content-domain",
        "relation",
        "resource",
        "link",
        "prefix",
        "member",
        "assertion",
        "update-policy",
        "is-referenced-by-count",
        "references-count",
        "reference-count",
        "created",
        "original-title",
        "short-title",
        "institution",
        "archive",
        "license",
        "alternative-id",
        "journal-issue",
    }
)
"""What Crossref says about its own record and not about the work."""


@dataclass(frozen=True, slots=True)
class Services:
    """Where the questions go; tests put a server of their own here.

    Attributes:
        crossref: base address of Crossref's REST API.
        arxiv: address of arXiv's query API.
        openalex: base address of OpenAlex's API.
    """

    crossref: str = "https://api.crossref.org"
    arxiv: str = "https://export.arxiv.org/api/query"
    openalex: str = "https://api.openalex.org"


def lookup(
    identifier: str,
    *,
    mail: str | None = None,
    services: Services | None = None,
    timeout: float = 20.0,
) -> PaperDraft:
    """Ask Crossref or arXiv what an identifier stands for.

    Args:
        identifier: a DOI or an arXiv id, bare, with a prefix or as an address.
        mail: the user's address, which puts the question into Crossref's polite pool.
        services: where to ask.
        timeout: seconds without an answer after which to give up.

    Raises:
        UserError: it is no identifier, nobody knows it, or the service can't be reached.
    """
    ask = services or Services()
    mail = mail if mail and _MAIL.fullmatch(mail) else None
    doi, arxiv = read_identifier(identifier)
    if arxiv:
        return _from_arxiv(arxiv, ask, agent_of(mail), timeout)
    return _from_crossref(doi, ask, mail, timeout)


def read_identifier(identifier: str) -> tuple[str, str | None]:
    """The DOI and the arXiv id that a text is; where it is one for arXiv, that is asked.

    Raises:
        UserError: it is neither.
    """
    text = normalise.fold(identifier)
    doi = normalise.doi(text)
    arxiv = normalise.arxiv(text if doi is None or "arxiv" in doi else "")
    if doi or arxiv:
        return doi or "", arxiv
    shown = text if len(text) <= 60 else text[:59] + "…"
    raise UserError(
        f"“{shown}” is neither a DOI (such as 10.1000/182) nor an arXiv id (such as 1706.03762)."
        if shown
        else "No DOI or arXiv id was given."
    )


def agent_of(mail: str | None) -> str:
    """What the program calls itself in a request."""
    return f"{_AGENT} (mailto:{mail})" if mail else _AGENT


def fetch(address: str, agent: str, timeout: float, *, service: str, what: str) -> bytes:
    """The body of an answer.

    Raises:
        UserError: no answer, or one that is no success.
    """
    request = urllib.request.Request(address, headers={"User-Agent": agent})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            body: bytes = answer.read(_LIMIT)
    except urllib.error.HTTPError as error:
        error.close()
        raise UserError(_refused(error.code, service, what)) from error
    except (urllib.error.URLError, HTTPException, OSError) as error:
        raise UserError(_unreached(error, service)) from error
    return body


def _refused(status: int, service: str, what: str) -> str:
    if status in (404, 410):
        elsewhere = " Data sets and software are often registered elsewhere."
        hint = elsewhere if service == "Crossref" else ""
        return f"{service} knows no {what}. Check it for typing errors.{hint}"
    if status == 429:
        return f"{service} asks to wait before more questions (429). Try again in a minute."
    if status >= 500:
        return f"{service} has a fault at its end ({status}). Try again later."
    return f"{service} refused the question about {what} ({status})."


def _unreached(error: Exception, service: str) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return f"{service} did not answer in time. Check the connection, or try again later."
    if isinstance(reason, socket.gaierror):
        return f"{service} could not be found: this computer seems to be offline."
    return f"{service} could not be reached ({reason}). Check the internet connection."


def _from_crossref(doi: str, ask: Services, mail: str | None, timeout: float) -> PaperDraft:
    query = "?" + urlencode({"mailto": mail}) if mail else ""
    address = f"{ask.crossref}/works/{quote(doi, safe='')}{query}"
    body = fetch(address, agent_of(mail), timeout, service="Crossref", what=f"DOI {doi}")
    try:
        work = json.loads(body)["message"]
        found = crossref_draft(work) if isinstance(work, Mapping) else None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(_strange("Crossref", doi)) from error
    if found is None:
        raise UserError(_strange("Crossref", doi))
    return replace(found, doi=found.doi or doi)


def _strange(service: str, what: str) -> str:
    return f"{service} gave an answer about {what} that can't be read. Try again later."


def crossref_draft(work: Mapping[str, Any]) -> PaperDraft | None:
    """A work of Crossref's REST API as a draft; None where it says nothing."""
    item = {key: value for key, value in work.items() if key not in _NEVER_KEPT}
    subtitle = as_text(_first(item.pop("subtitle", None)))
    title = as_text(_first(item.get("title")))
    if subtitle and subtitle.lower() not in title.lower():
        item["title"] = f"{title}: {subtitle}"
    raw = json.dumps(work, ensure_ascii=False)
    found = draft_of(item, raw=raw, line=1, index=0)
    if found is None:
        return None
    cited = work.get("reference")
    references = map(_crossref_reference, cited if isinstance(cited, list) else [])
    subjects = work.get("subject")
    return replace(
        found,
        citekey=None,
        source_id=None,
        fields=tuple(map(as_text, subjects)) if isinstance(subjects, list) else (),
        references=tuple(one for one in references if one != Reference()),
    )


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _crossref_reference(value: Any) -> Reference:
    if not isinstance(value, Mapping):
        return Reference()
    title = as_text(value.get("article-title") or value.get("volume-title"))
    places = ("author", "year", "article-title", "journal-title", "volume", "first-page")
    parts = ", ".join(filter(None, (as_text(value.get(key)) for key in places)))
    year = parse_date(as_text(value.get("year"))).year
    doi = normalise.doi(as_text(value.get("DOI")))
    raw = plain(as_text(value.get("unstructured"))) or parts
    return Reference(raw=raw or None, doi=doi, title=title or None, year=year)


def _from_arxiv(arxiv: str, ask: Services, agent: str, timeout: float) -> PaperDraft:
    address = f"{ask.arxiv}?{urlencode({'id_list': arxiv, 'max_results': 1})}"
    body = fetch(address, agent, timeout, service="arXiv", what=f"paper {arxiv}")
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise UserError(_strange("arXiv", arxiv))
    try:
        feed = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        raise UserError(_strange("arXiv", arxiv)) from error
    entry = feed.find(f"{ATOM}entry")
    if entry is None or "/api/errors" in _text(entry, "id") or not _text(entry, "title"):
        raise UserError(_refused(404, "arXiv", f"paper {arxiv}"))
    return arxiv_draft(entry, arxiv)


def _text(entry: ElementTree.Element, name: str, space: str = ATOM) -> str:
    return entry.findtext(f"{space}{name}", default="").strip()


def arxiv_draft(entry: ElementTree.Element, arxiv: str) -> PaperDraft:
    """An entry of arXiv's Atom feed as a draft."""
    names = (author.findtext(f"{ATOM}name", default="") for author in entry.iter(f"{ATOM}author"))
    date = parse_date(_text(entry, "published")[:10])
    topics = [topic.get("term", "") for topic in entry.iter(f"{ATOM}category")]
    comment, journal = (_text(entry, name, _ARXIV) for name in ("comment", "journal_ref"))
    raw = {"comment": comment, "journal_ref": journal}
    return PaperDraft(
        type="article",
        title=plain(_text(entry, "title")),
        authors=tuple(natural(name) for name in map(normalise.fold, names) if name),
        year=date.year,
        month=date.month,
        day=date.day,
        venue=normalise.fold(journal) or "arXiv",
        doi=normalise.doi(_text(entry, "doi", _ARXIV)),
        arxiv=arxiv,
        url=f"https://arxiv.org/abs/{arxiv}",
        abstract=plain_paragraphs(_text(entry, "summary")) or None,
        fields=tuple(dict.fromkeys(filter(None, topics))),
        raw_fields={key: normalise.fold(text) for key, text in raw.items() if text},
        raw=ElementTree.tostring(entry, encoding="unicode"),
    )
