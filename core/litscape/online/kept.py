"""Works cited by an id alone, named by the answers that the library keeps; nobody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.links import told_more
from litscape.online.asking import Answers, cited_key
from litscape.online.services.registry import SERVICES
from litscape.paper import Reference
from litscape.store.history import change_papers
from litscape.store.link_reads import bare_references
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.paper import PaperId
    from litscape.store.database import Database
    from litscape.store.history import Recorder


def kept_names(database: Database) -> dict[str, Reference]:
    """What is known of works that papers of the library cite by an id alone, by that id."""
    with database.read() as conn:
        ids = list(bare_references(conn))
    named: dict[str, Reference] = {}
    for one in SERVICES:
        if not (ids and one.facts.names_cited):
            continue
        answers = Answers(database, one.facts, again=False)
        works = answers.get([*ids, *map(cited_key, ids)])
        for name in ids:
            work, own = works.get(cited_key(name)), works.get(name)
            if work:
                named[name] = work.references[0]
            elif own:
                first = {"author": own.families[0]} if own.families else {}
                named[name] = Reference(
                    doi=own.identifiers.get("doi"),
                    title=own.title,
                    year=own.year,
                    source_id=name,
                    extra=first,
                )
    return named


def name_bare(
    recorder: Recorder, papers: Sequence[PaperId], names: Mapping[str, Reference]
) -> None:
    """Give references of papers that are ids alone their names, as a part of a change."""
    values = {}
    for paper in get_papers(recorder.conn, papers):
        named = tuple(
            told_more(one, names.get(one.source_id or "", one)) for one in paper.references
        )
        if named != paper.references:
            values[paper.id] = {"references": named}
    change_papers(recorder, values)
