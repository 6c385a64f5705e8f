"""Semantic Scholar: works with what they cite, up to 500 a request by identifier.

https://api.semanticscholar.org/api-docs/graph: an answer is limited to 10 MB, so fewer are asked
at once. Who cites a work is asked for each by itself, a thousand at a time up to 10,000. Without a
key all the world shares one allowance; with one it is a request a second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from litscape.online.faults import NoSuchWorkError, RefusedQuestionError
from litscape.online.pace import Pace
from litscape.online.services.base import (
    Facts,
    Plain,
    Works,
    agent,
    listed,
    parted,
    strange,
    work_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.online.client import Client
    from litscape.online.records import AskedPaper, Work

_NAME = "Semantic Scholar"
_BATCH = 100
_FIELDS = (
    "externalIds,title,abstract,year,venue,authors.name,fieldsOfStudy,publicationTypes,"
    "references.externalIds,references.title,references.year"
)
_PAGE, _MOST_CITING = 1000, 10_000
"""Works of a page of those that cite one, and where the service ends."""
_PREFIXES = {"doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:", "s2": ""}
_NO_WORD = re.compile(r"[^\w]+")


class SemanticScholar(Plain):
    """The service."""

    facts = Facts(
        id="semanticscholar",
        name=_NAME,
        base="https://api.semanticscholar.org",
        schemes=("s2", "doi", "arxiv", "pmid"),
        batch=_BATCH,
        searches="title",
        fills=("abstract", "year", "venue", "fields"),
        mail=False,
        key="Without a key (semanticscholar.org/product/api) it often asks to wait.",
        pace=Pace(interval=3.0),
        pace_with_key=Pace(interval=1.1),
        seconds=3.0,
        citing=True,
    )

    def headers(self, mail: str, key: str) -> Mapping[str, str]:
        """The key; a mail address is not wanted here."""
        return {**agent(""), "x-api-key": key} if key else agent("")

    def ask(self, client: Client, questions: Sequence[str]) -> Works:
        """Works in the order of the questions, null where there is none."""
        ids = [_PREFIXES[scheme] + value for scheme, value in map(parted, questions)]
        try:
            answer = client.post("graph/v1/paper/batch", {"fields": _FIELDS}, {"ids": ids})
        except RefusedQuestionError as error:
            # So it answers also where it knows none of the ids.
            if "no valid paper" not in error.detail.lower():
                raise
            answer = [None] * len(ids)
        found = listed(_NAME, answer)
        if len(found) != len(ids):
            raise strange(_NAME)
        return {one: _work(record) for one, record in zip(questions, found, strict=True)}

    def search(self, client: Client, paper: AskedPaper) -> list[Work]:
        """The work whose title is nearest."""
        from litscape.importers.json_values import inside

        words = _NO_WORD.sub(" ", paper.title or "").strip()
        if not words:
            return []
        try:
            asked = {"query": words, "fields": _FIELDS}
            answer = client.get("graph/v1/paper/search/match", asked)
        except NoSuchWorkError:
            return []
        works = map(_work, listed(_NAME, inside(answer, "data")))
        return [work for work in works if work]

    def citing(self, client: Client, question: str) -> list[str]:
        """Who cites a work, by all identifiers that each has."""
        from litscape.importers.json_values import inside, whole

        scheme, value = parted(question)
        path = f"graph/v1/paper/{quote(_PREFIXES[scheme] + value, safe=':/')}/citations"
        found: list[str] = []
        start: int | None = 0
        while start is not None and start < _MOST_CITING:
            size = min(_PAGE, _MOST_CITING - 1 - start)
            asked = {"fields": "externalIds", "offset": str(start), "limit": str(size)}
            try:
                answer = client.get(path, asked)
            except NoSuchWorkError:
                break
            for one in listed(_NAME, inside(answer, "data")):
                found += _named(inside(one, "citingPaper"))
            after = whole(inside(answer, "next"))
            start = after if after is not None and after > start else None
        return found


def _named(record: Any) -> list[str]:
    """All identifiers of a work that cites, as ``doi:10.1000/1``."""
    if not isinstance(record, Mapping):
        return []
    work = _work(record)
    told = work.identifiers if work else {}
    return [f"{scheme}:{told[scheme]}" for scheme in _PREFIXES if scheme in told]


def _work(record: Any) -> Work | None:
    from litscape.importers.outcome import Piece
    from litscape.importers.semantic_scholar import draft_of

    if record is None:
        return None
    if not isinstance(record, Mapping):
        raise strange(_NAME)
    draft = draft_of(record, Piece(_NAME, "", None, 0))
    return work_of(draft, draft.references) if draft is not None else None
