"""What a look-up is about, and what it will take; nothing here asks anybody."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.jobs import JobContext, null_context
from litscape.online.asking import Answers, cited_by_question, cited_key, citing_key
from litscape.online.questions import TITLE, asked_paper, batches, questions
from litscape.online.records import Estimate, ServiceEstimate
from litscape.online.services.registry import SERVICES, service
from litscape.paper import PaperFilter, Reference
from litscape.store.filters import find_ids
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from litscape.online.pace import Pace
    from litscape.online.records import AskedPaper, FetchOptions, Work
    from litscape.online.services.base import Service
    from litscape.store.database import Database

_CHUNK = 500
_CITED_EACH = 15
"""Works cited by a paper that no other paper of the library cites, about."""


def estimate(database: Database, options: FetchOptions, ctx: JobContext | None = None) -> Estimate:
    """What a look-up will take at most; nothing is sent.

    Raises:
        UserError: there is no such service, or none that can be asked who cites papers where that
            is wanted.
    """
    services = services_of(options)
    papers = asked_papers(database, options, ctx or null_context())
    told = [_estimate_one(database, one, papers, options) for one in services]
    return Estimate(len(papers), tuple(told))


def _estimate_one(
    database: Database, one: Service, papers: Sequence[AskedPaper], options: FetchOptions
) -> ServiceEstimate:
    facts = one.facts
    first = {paper.id: next(questions(paper, facts), None) for paper in papers}
    wanted = [question for question in first.values() if question]
    answers = Answers(database, facts, options.again)
    kept = answers.get(wanted)
    waiting = {question for question in wanted if question not in kept}
    titles = sum(question.startswith(TITLE) for question in waiting)
    others = len(waiting) - titles
    requests = sum(1 for _ in batches(list(waiting), facts)) + facts.each * others
    if facts.names_cited:
        bare, _ = bare_ids([work for work in kept.values() if work])
        unnamed = len(bare) - len(answers.get(cited_key(one) for one in bare))
        requests += math.ceil((unnamed + len(waiting) * _CITED_EACH) / facts.batch)
    if options.citing:
        found = {paper: kept.get(question or "") for paper, question in first.items()}
        asked = {
            question
            for paper in papers
            if (question := cited_by_question(_known_by(paper, found[paper.id]), facts))
        }
        requests += len(asked) - len(answers.get(map(citing_key, asked)))
    seconds = requests * max(facts.seconds, pace_of(one, options).interval)
    number = sum(question in kept for question in wanted)
    return ServiceEstimate(facts.id, len(wanted), number, requests, seconds)


def _known_by(paper: AskedPaper, work: Work | None) -> dict[str, str]:
    return {**paper.identifiers, **(work.identifiers if work else {})}


def services_of(options: FetchOptions) -> list[Service]:
    """The services of a look-up, each once.

    Raises:
        UserError: there is no such service, or none of them can be asked who cites papers where
            that is wanted.
    """
    services = [service(name) for name in dict.fromkeys(options.services)]
    if options.citing and not any(one.facts.citing for one in services):
        names = " and ".join(one.facts.name for one in services)
        can = " or ".join(one.facts.name for one in SERVICES if one.facts.citing)
        raise UserError(
            f"{names} can't be asked who cites papers: choose {can} too, or don't ask for that."
        )
    return services


def pace_of(one: Service, options: FetchOptions) -> Pace:
    """The limits of a service for who has a key or has none."""
    key = options.keys.get(one.facts.id)
    pace = one.facts.pace_with_key if key else one.facts.pace
    return replace(
        pace, interval=pace.interval * options.waits, backoff=pace.backoff * options.waits
    )


def bare_ids(works: Collection[Work]) -> tuple[list[str], dict[str, Reference]]:
    """Works cited of which only the id is known, each once.

    Returns:
        Those to be asked for, and those that are themselves among the works.
    """
    own = {
        f"openalex:{number}": Reference(
            doi=work.identifiers.get("doi"),
            title=work.title,
            year=work.year,
            source_id=f"openalex:{number}",
        )
        for work in works
        if (number := work.identifiers.get("openalex"))
    }
    cited = {
        one.source_id: None
        for work in works
        for one in work.references
        if one.source_id and not one.doi and not one.title
    }
    return [one for one in cited if one not in own], {i: own[i] for i in cited if i in own}


def asked_papers(database: Database, options: FetchOptions, ctx: JobContext) -> list[AskedPaper]:
    """The papers that are meant, by id; those in the trash are left out."""
    with database.read() as conn:
        live = find_ids(conn, PaperFilter())
    chosen = None if options.papers is None else set(options.papers)
    ids = sorted(int(one) for one in live if chosen is None or int(one) in chosen)
    found: list[AskedPaper] = []
    for start in range(0, len(ids), _CHUNK):
        ctx.check()
        with database.read() as conn:
            found += map(asked_paper, get_papers(conn, ids[start : start + _CHUNK]))
    return found
