"""Looking citations up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.jobs import JobContext, null_context
from litscape.online.applying import Answered, Writer
from litscape.online.asking import Answers, Asker, Outcome
from litscape.online.client import Client, check_base
from litscape.online.planning import asked_papers, bare_ids, pace_of, services_of
from litscape.online.records import Failure, FetchReport, Work
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.online.records import AskedPaper, FetchOptions
    from litscape.online.services.base import Service
    from litscape.paper import PaperId, Reference
    from litscape.store.database import Database

_LEASE = "citation look-up"


def fetch(database: Database, options: FetchOptions, ctx: JobContext | None = None) -> FetchReport:
    """Look up what papers cite and what they lack; call it only with the person's consent.

    Every answer is kept in the library as soon as it is there, so that a look-up that was
    interrupted goes on where it was. What was found is written at the end, as one change.

    Args:
        database: an open library.
        options: what to look up and where.
        ctx: hears of progress. Asked to end, the look-up ends within a second; the answers so far
            stay for the next one. Nothing has been written to papers then, or the first of them
            where it was at that, which can be undone.

    Raises:
        UserError: there is no such service or paper, none of the services can be asked who cites
            papers where that is wanted, or an address is no https address.
        LibraryBusyError: another program looks up citations in this library.
        JobCancelledError: ``ctx`` was asked to end.
    """
    ctx = ctx or null_context()
    services = services_of(options)
    for one in services:
        check_base(one.facts.name, options.bases.get(one.facts.id, one.facts.base))
    with Lease(database, _LEASE):
        return _Fetch(database, options, ctx).run(services)


class _Fetch:
    """One look-up as it runs."""

    def __init__(self, database: Database, options: FetchOptions, ctx: JobContext) -> None:
        self._database = database
        self._options = options
        self._ctx = ctx
        self._answers: dict[PaperId, Answered] = {}
        self._citing: dict[PaperId, list[tuple[str, Work]]] = {}
        self._named: dict[str, Reference] = {}
        self._outcomes: dict[str, Outcome] = {}

    def run(self, services: Sequence[Service]) -> FetchReport:
        papers = asked_papers(self._database, self._options, self._ctx)
        for one in services:
            self._ask(one, papers)
        names = ", ".join(one.facts.name for one in services)
        title = f"Look up citations at {names} ({len(self._answers):,} papers)"
        writer = Writer(self._database, title, self._ctx, fill=self._options.fill)
        written = writer.write(self._answers, self._named, self._citing)
        known = self._answers.keys()
        unknown = {paper for one in self._outcomes.values() for paper in one.unknown} - known
        failures = [failure for one in self._outcomes.values() for failure in one.failures]
        failed = {paper for failure in failures for paper in failure.papers}
        return FetchReport(
            papers=len(papers),
            asked={name: len(one.asked) for name, one in self._outcomes.items()},
            kept={name: len(one.kept) for name, one in self._outcomes.items()},
            requests=sum(one.requests for one in self._outcomes.values()),
            found=len(known),
            not_found=tuple(sorted(unknown - failed)),
            references=written.references,
            links=written.links,
            outside=written.outside,
            filled=dict(written.filled),
            failures=tuple(failures),
            changes=written.changes,
        )

    def _wants(self, paper: AskedPaper, one: Service) -> bool:
        """Whether there is something to ask a service about a paper: the first one always."""
        answers = self._answers.get(paper.id)
        if not self._outcomes or answers is None:
            return True
        if not any(work.references for _, work in answers):
            return True
        had = {name for name in paper.lacks if any(getattr(work, name) for _, work in answers)}
        return self._options.fill and bool((paper.lacks - had) & set(one.facts.fills))

    def _ask(self, one: Service, everyone: Sequence[AskedPaper]) -> None:
        facts, options, ctx = one.facts, self._options, self._ctx
        papers = [paper for paper in everyone if self._wants(paper, one)]
        key = options.keys.get(facts.id, "")
        said = _Said(ctx, facts.name, len(papers))
        client = Client(
            facts.name,
            options.bases.get(facts.id, facts.base),
            ctx,
            pace_of(one, options),
            headers=one.headers(options.mail, key),
            params=one.params(options.mail, key),
            busy=facts.busy,
            tell=said.wait,
        )
        with client:
            answers = Answers(self._database, facts, options.again)
            asker = Asker(one, client, answers, ctx)
            outcome = asker.ask(papers, said)
            for paper, work in outcome.works.items():
                self._answers.setdefault(paper, []).append((facts.id, work))
            if facts.names_cited:
                ids, own = bare_ids(outcome.works.values())
                said.begin("Works cited", len(ids))
                self._named |= own | asker.name_cited(ids, said)
            if facts.citing and options.citing:
                known = self._identifiers(everyone, outcome)
                said.begin("Who cites them", len(known))
                for paper, work in asker.citing(known, said).items():
                    self._citing.setdefault(paper, []).append((facts.id, work))
            if asker.problem:
                outcome.failures.append(Failure(facts.id, asker.problem))
            outcome.requests = client.requests
        self._outcomes[facts.id] = outcome

    def _identifiers(
        self, papers: Sequence[AskedPaper], outcome: Outcome
    ) -> dict[PaperId, dict[str, str]]:
        """By what papers are known: those of which a service doesn't say that it has none."""
        return {
            paper.id: {
                **paper.identifiers,
                **{
                    scheme: value
                    for _, work in self._answers.get(paper.id, ())
                    for scheme, value in work.identifiers.items()
                },
            }
            for paper in papers
            if paper.id not in outcome.unknown
        }


class _Said:
    """Says how far a service has been asked."""

    def __init__(self, ctx: JobContext, name: str, total: int) -> None:
        self._ctx = ctx
        self._name = name
        self._done = 0
        self.begin("", total)

    def begin(self, what: str, total: int) -> None:
        """Begin to count something else."""
        self._what, self._total = what, total
        self(0)

    def __call__(self, done: int) -> None:
        self._done = done
        of = self._what.lower() or "papers"
        text = f"{self._name}: {done:,} of {self._total:,} {of}"
        self._ctx.progress(done, max(1, self._total), text)

    def wait(self, text: str) -> None:
        """Say that the service asks to wait."""
        self._ctx.progress(self._done, max(1, self._total), text)
