"""Which values of papers were looked up, and where: ``abstract from OpenAlex``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.store.online import field_sources

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from litscape.paper import PaperId
    from litscape.store.database import Database
    from litscape.store.online import FieldSource

_NAMES = {"fields": "topics", "mesh": "MeSH terms", "doi": "DOI", "pmid": "PubMed id"}


def looked_up(
    database: Database, papers: Collection[PaperId]
) -> dict[PaperId, dict[str, FieldSource]]:
    """The fields that still hold what a look-up filled in; papers without are left out."""
    with database.read() as conn:
        return field_sources(conn, papers)


def looked_up_in_words(database: Database, paper: PaperId) -> str:
    """Which values of a paper were looked up, and where; empty where none was."""
    found = looked_up(database, [paper]).get(paper, {})
    return in_words({field: told.source for field, told in found.items()})


def service_name(source: str) -> str:
    """What a person calls a service."""
    from litscape.online.services.registry import SERVICES  # only papers that were looked up

    return next((one.facts.name for one in SERVICES if one.facts.id == source), source)


def in_words(sources: Mapping[str, str]) -> str:
    """Fields by where they come from: ``abstract and venue from OpenAlex, year from Crossref``."""
    by_source: dict[str, list[str]] = {}
    for field, source in sources.items():
        by_source.setdefault(source, []).append(_NAMES.get(field, field))
    parts = []
    for source, fields in by_source.items():
        named = " and ".join(filter(None, (", ".join(fields[:-1]), fields[-1])))
        parts.append(f"{named} from {service_name(source)}")
    return ", ".join(parts)
