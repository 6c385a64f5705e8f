"""OpenCitations: open citations, a request a work; the record itself from its Meta.

https://api.opencitations.net: the index answers one identifier a request and an empty list where
it knows nothing; Meta takes some ten at once. 180 requests a minute.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from litscape.online.faults import NoSuchWorkError
from litscape.online.pace import Pace
from litscape.online.records import Work
from litscape.online.services.base import (
    Facts,
    Plain,
    Works,
    agent,
    by_identifier,
    listed,
    parted,
    strange,
)
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.online.client import Client

_NAME = "OpenCitations"
_BATCH = 10
_BRACKETS = re.compile(r"\s*\[[^\]]*\]\s*$")
_SCHEMES = ("doi", "pmid", "openalex")


class OpenCitations(Plain):
    """The service."""

    facts = Facts(
        id="opencitations",
        name=_NAME,
        base="https://api.opencitations.net",
        schemes=("doi", "pmid"),
        batch=_BATCH,
        searches="",
        fills=("year", "venue"),
        mail=False,
        key="A token (opencitations.net/accesstoken) tells it that you are one user.",
        pace=Pace(interval=0.4),
        pace_with_key=Pace(interval=0.4),
        seconds=1.5,
        each=1,
        citing=True,
    )

    def headers(self, mail: str, key: str) -> Mapping[str, str]:
        """The token; a mail address is not wanted here."""
        return {**agent(""), "authorization": key} if key else agent("")

    def ask(self, client: Client, questions: Sequence[str]) -> Works:
        """The records of Meta at once, then what each cites."""
        found = by_identifier(questions, self._records(client, questions))
        for question in questions:
            cited = self._cited(client, question)
            work = found[question]
            if work is None and cited:
                scheme, value = parted(question)
                work = Work(identifiers={scheme: value})
            found[question] = replace(work, references=cited) if work else None
        return found

    def citing(self, client: Client, question: str) -> list[str]:
        """Who cites a work."""
        rows = _rows(client, f"index/v2/citations/{quote(question, safe=':')}")
        ids = (_identifiers(row, "citing") for row in rows)
        return [f"{scheme}:{one[scheme]}" for one in ids for scheme in _SCHEMES if scheme in one]

    def _records(self, client: Client, questions: Sequence[str]) -> list[Work]:
        # Two underscores part the identifiers: one that holds them can't be asked for here.
        asked = [quote(one, safe=":") for one in questions if "__" not in one]
        if not asked:
            return []
        return [_work(row) for row in _rows(client, f"meta/v1/metadata/{'__'.join(asked)}")]

    def _cited(self, client: Client, question: str) -> tuple[Reference, ...]:
        rows = _rows(client, f"index/v2/references/{quote(question, safe=':')}")
        return tuple(found for row in rows if (found := _reference(row)))


def _rows(client: Client, path: str) -> list[Any]:
    try:
        rows = listed(_NAME, client.get(path))
    except NoSuchWorkError:
        return []
    if not all(isinstance(row, Mapping) for row in rows):
        raise strange(_NAME)
    return rows


def _identifiers(row: Any, key: str) -> dict[str, str]:
    """``omid:br/06 doi:10.1000/1 pmid:12`` by scheme."""
    from litscape.importers import normalise
    from litscape.importers.csl_fields import as_text

    found: dict[str, str] = {}
    for word in as_text(row.get(key)).split():
        scheme, value = parted(word)
        if scheme == "doi" and (doi := normalise.doi(value)):
            found.setdefault("doi", doi)
        elif scheme == "pmid" and value.isdigit():
            found.setdefault("pmid", value)
        elif scheme == "openalex" and value:
            found.setdefault("openalex", value.upper())
    return found


def _reference(row: Any) -> Reference | None:
    ids = _identifiers(row, "cited")
    source = next((f"{one}:{ids[one]}" for one in ("pmid", "openalex") if one in ids), None)
    found = Reference(doi=ids.get("doi"), source_id=None if "doi" in ids else source)
    return found if found != Reference() else None


def _work(row: Any) -> Work:
    from litscape.importers.csl_fields import as_text
    from litscape.importers.dates import parse_date
    from litscape.importers.markup import plain

    names = (name.split(",")[0] for name in as_text(row.get("author")).split(";"))
    families = (_BRACKETS.sub("", name).strip() for name in names)
    return Work(
        identifiers=_identifiers(row, "id"),
        title=plain(as_text(row.get("title"))) or None,
        families=tuple(name for name in families if name)[:20],
        year=parse_date(as_text(row.get("pub_date"))).year,
        venue=_BRACKETS.sub("", plain(as_text(row.get("venue")))) or None,
    )
