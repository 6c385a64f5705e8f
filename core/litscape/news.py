"""Searching OpenAlex or arXiv for papers of late; only ever called after consent."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal, get_args
from urllib.parse import urlencode
from xml.etree import ElementTree

from litscape.errors import UserError
from litscape.importers.base import SourceText
from litscape.importers.openalex import OpenAlexImporter
from litscape.lookup import ATOM, Services, agent_of, arxiv_draft, fetch
from litscape.paper import PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = Literal["openalex", "arxiv"]
PLACES: tuple[Place, ...] = get_args(Place)
MOST = 200
"""Papers that one search gives at most."""
_ARXIV_ID = re.compile(r"abs/(.+?)(?:v\d+)?$")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def recent(
    query: str,
    place: Place = "openalex",
    *,
    since: int | None = None,
    number: int = 100,
    mail: str | None = None,
    services: Services | None = None,
    timeout: float = 30.0,
) -> tuple[PaperDraft, ...]:
    """Papers that a service finds for some words, the newest (arXiv) or best (OpenAlex) first.

    Args:
        query: words; what is no word is left out.
        place: whom to ask.
        since: only papers of this year or later.
        number: how many at most.
        mail: the user's address, which puts the question into the polite pool.
        services: where to ask; tests put a server of their own here.
        timeout: seconds without an answer after which to give up.

    Raises:
        UserError: there is no word to search for or no such service, or it can't be reached or
            read.
    """
    words = _WORD.findall(query)
    if not words:
        raise UserError("There is no word to search for.")
    if place not in PLACES:
        raise UserError(f"There is no search at {place!r}; use {', '.join(PLACES)}.")
    ask, number = services or Services(), min(number, MOST)
    if place == "arxiv":
        found = _arxiv(words, ask, number, agent_of(mail), timeout)
    else:
        found = _openalex(words, ask, number, since, mail, timeout)
    return tuple(one for one in found if since is None or (one.year or 0) >= since)


def _openalex(
    words: list[str],
    ask: Services,
    number: int,
    since: int | None,
    mail: str | None,
    timeout: float,
) -> Iterator[PaperDraft]:
    asked = {"search": " ".join(words), "per-page": str(number)}
    if since is not None:
        asked["filter"] = f"from_publication_date:{since}-01-01"
    if mail:
        asked["mailto"] = mail
    address = f"{ask.openalex}/works?{urlencode(asked)}"
    body = fetch(address, agent_of(mail), timeout, service="OpenAlex", what="search")
    try:
        text = body.decode("utf-8")
        answer = json.loads(text)
    except ValueError as error:
        raise UserError("OpenAlex gave an answer that can't be read. Try later.") from error
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise UserError("OpenAlex gave an answer that can't be read. Try later.")
    for one in OpenAlexImporter().read(SourceText("OpenAlex", text, "utf-8")):
        if isinstance(one, PaperDraft):
            yield one


def _arxiv(
    words: list[str], ask: Services, number: int, agent: str, timeout: float
) -> Iterator[PaperDraft]:
    asked = {
        "search_query": " AND ".join(f"all:{word}" for word in words),
        "sortBy": "submittedDate",
        "sortOrder": "descending",
        "max_results": str(number),
    }
    body = fetch(f"{ask.arxiv}?{urlencode(asked)}", agent, timeout, service="arXiv", what="search")
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise UserError("arXiv gave an answer that can't be read. Try later.")
    try:
        feed = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        raise UserError("arXiv gave an answer that can't be read. Try later.") from error
    for entry in feed.iter(f"{ATOM}entry"):
        named = _ARXIV_ID.search(entry.findtext(f"{ATOM}id", default="").strip())
        if named and entry.findtext(f"{ATOM}title", default="").strip():
            yield arxiv_draft(entry, named[1])
