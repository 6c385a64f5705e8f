"""OpenAlex: a hundred works a request by identifier; works cited by their ids alone.

https://developers.openalex.org: filters hold up to 100 values, and a page as many works. Filters
and searches draw on a daily allowance, which a free key makes larger.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
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
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from litscape.online.client import Client
    from litscape.online.records import AskedPaper, Work

_NAME = "OpenAlex"
_BATCH = 100
_FILTERS = {"doi": "doi", "pmid": "pmid", "openalex": "openalex", "arxiv": "doi"}
_ARXIV = "10.48550/arxiv."
_FIELDS = (
    "id,ids,doi,display_name,authorships,publication_year,publication_date,primary_location,"
    "abstract_inverted_index,topics,mesh,referenced_works,type"
)
_CITED = "id,doi,display_name,publication_year,authorships"
_NO_WORD = re.compile(r"[^\w]+")
# A comma parts filters, a bar their values: a DOI that holds one is asked for by itself.
_SIGNS = re.compile(r"[,|]")


def _known_as(question: str) -> str:
    scheme, value = parted(question)
    return f"{_ARXIV}{value}" if scheme == "arxiv" else value


class OpenAlex(Plain):
    """The service."""

    facts = Facts(
        id="openalex",
        name=_NAME,
        base="https://api.openalex.org",
        schemes=("openalex", "doi", "pmid", "arxiv"),
        batch=_BATCH,
        searches="title",
        fills=("abstract", "year", "venue", "fields", "mesh"),
        mail=True,
        key="A free key (openalex.org/settings/api) makes the daily allowance larger.",
        pace=Pace(interval=0.2),
        pace_with_key=Pace(interval=0.1),
        seconds=1.0,
        busy=frozenset({403}),  # "rate limit exceeded; slow down"
        names_cited=True,
    )

    def params(self, mail: str, key: str) -> Mapping[str, str]:
        """Mail address and key are part of the address here."""
        told = {"mailto": mail, "api_key": key}
        return {name: value for name, value in told.items() if value}

    def ask(self, client: Client, questions: Sequence[str]) -> Works:
        """One filter per scheme; DOIs with signs of the filter language by themselves."""
        by_filter: dict[str, list[str]] = {}
        alone = [one for one in questions if _SIGNS.search(_known_as(one))]
        for question in questions:
            if question not in alone:
                by_filter.setdefault(_FILTERS[parted(question)[0]], []).append(question)
        works: list[Work] = []
        for name, group in by_filter.items():
            records = self._list(client, name, map(_known_as, group), _FIELDS)
            works += [work for record in records if (work := _work(record))]
        found = by_identifier(questions, works)
        for question in alone:
            found[question] = self._single(client, _known_as(question))
        return found

    def search(self, client: Client, paper: AskedPaper) -> list[Work]:
        """Works whose title holds the words of the paper's."""
        words = _NO_WORD.sub(" ", paper.title or "").strip()
        if not words:
            return []
        asked = {"filter": f"title.search:{words}", "per-page": "5", "select": _FIELDS}
        records, _ = _page(client.get("works", asked))
        return [work for record in records if (work := _work(record))]

    def name_cited(self, client: Client, ids: Sequence[str]) -> dict[str, Reference]:
        """Title, year, first author and DOI of works cited."""
        named = {}
        values = (parted(one)[1] for one in ids)
        for record in self._list(client, "openalex", values, _CITED):
            work = _work(record)
            if work is not None and (number := work.identifiers.get("openalex")):
                first = work.families[0] if work.families else ""
                named[f"openalex:{number}"] = Reference(
                    doi=work.identifiers.get("doi"),
                    title=work.title,
                    year=work.year,
                    source_id=f"openalex:{number}",
                    extra={"author": first} if first else {},
                )
        return named

    def _list(
        self, client: Client, name: str, values: Iterable[str], fields: str
    ) -> Iterator[Mapping[str, Any]]:
        """All works that a filter lets through, page by page."""
        from litscape.importers.json_values import inside

        wanted = "|".join(values)
        asked = {"filter": f"{name}:{wanted}", "per-page": str(_BATCH), "select": fields}
        cursor, seen = "*", 0
        while cursor:
            answer = client.get("works", {**asked, "cursor": cursor})
            records, count = _page(answer)
            yield from records
            seen += len(records)
            more = inside(answer, "meta", "next_cursor")
            cursor = more if records and seen < count and isinstance(more, str) else ""

    def _single(self, client: Client, doi: str) -> Work | None:
        try:
            path = f"works/doi:{quote(doi, safe='')}"
            return _work(client.get(path, {"select": _FIELDS}))
        except NoSuchWorkError:
            return None


def _page(answer: Any) -> tuple[list[Any], int]:
    from litscape.importers.json_values import inside

    records = listed(_NAME, inside(answer, "results"))
    count = inside(answer, "meta", "count")
    return records, count if isinstance(count, int) else 0


def _work(record: Any) -> Work | None:
    from litscape.importers.openalex import draft_of, headings_of, topics_of
    from litscape.importers.outcome import Piece

    if not isinstance(record, Mapping):
        raise strange(_NAME)
    draft = draft_of(record, Piece(_NAME, "", None, 0))
    if draft is None:
        return None
    cited = (Reference(source_id=one) for one in draft.cites)
    work = replace(work_of(draft, cited), fields=topics_of(record), mesh=headings_of(record))
    return work if work.identifiers or work.title else None
