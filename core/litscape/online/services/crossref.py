"""Crossref: what publishers deposited; by DOI twenty works a request, else by title.

https://www.crossref.org/documentation/retrieve-metadata/rest-api: lists are limited to one
request a second, to three with a mail address; single works to five and ten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from litscape.online.faults import NoSuchWorkError
from litscape.online.pace import Pace
from litscape.online.services.base import (
    Facts,
    Plain,
    Works,
    by_identifier,
    listed,
    parted,
    strange,
    work_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.online.client import Client
    from litscape.online.records import AskedPaper, Work

_NAME = "Crossref"
_BATCH = 20
_FIELDS = (
    "DOI,type,title,subtitle,author,container-title,published,published-print,published-online,"
    "issued,abstract,subject,reference"
)
_SIGNS = re.compile(r"[,\s]")


class Crossref(Plain):
    """The service."""

    facts = Facts(
        id="crossref",
        name=_NAME,
        base="https://api.crossref.org",
        schemes=("doi",),
        batch=_BATCH,
        searches="title, first author and year",
        fills=("abstract", "year", "venue", "fields"),
        mail=True,
        key="",
        pace=Pace(interval=1.0),
        pace_with_key=Pace(interval=1.0),
        seconds=2.0,
    )

    def params(self, mail: str, key: str) -> Mapping[str, str]:
        """The mail address, for the polite pool."""
        return {"mailto": mail} if mail else {}

    def ask(self, client: Client, questions: Sequence[str]) -> Works:
        """One list of works; DOIs with signs of the filter language by themselves."""
        dois = {question: parted(question)[1] for question in questions}
        alone = [question for question, doi in dois.items() if _SIGNS.search(doi)]
        together = [question for question in questions if question not in alone]
        found: Works = {}
        if together:
            wanted = ",".join(f"doi:{dois[one]}" for one in together)
            asked = {"filter": wanted, "rows": str(2 * _BATCH), "select": _FIELDS}
            found = by_identifier(together, _works(client.get("works", asked)))
        for question in alone:
            found[question] = self._single(client, dois[question])
        return found

    def search(self, client: Client, paper: AskedPaper) -> list[Work]:
        """Works that fit title, first author and year."""
        parts = (paper.title, *paper.families[:1], str(paper.year or ""))
        words = " ".join(" ".join(filter(None, parts)).split())
        asked = {"query.bibliographic": words, "rows": "5", "select": _FIELDS}
        return _works(client.get("works", asked)) if paper.title else []

    def _single(self, client: Client, doi: str) -> Work | None:
        from litscape.importers.json_values import inside

        try:
            answer = client.get(f"works/{quote(doi, safe='')}")
        except NoSuchWorkError:
            return None
        return _work(inside(answer, "message"))


def _works(answer: Any) -> list[Work]:
    from litscape.importers.json_values import inside

    records = listed(_NAME, inside(answer, "message", "items"))
    return [work for record in records if (work := _work(record))]


def _work(record: Any) -> Work | None:
    from litscape.lookup import crossref_draft

    if not isinstance(record, Mapping):
        raise strange(_NAME)
    draft = crossref_draft(record)
    if draft is None:
        return None
    return work_of(draft, draft.references)
