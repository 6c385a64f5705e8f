"""Asking one service about many papers: each question once, in batches, every answer kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from litscape.online.faults import (
    NoSuchWorkError,
    OnlineError,
    RefusedQuestionError,
    ServiceStoppedError,
)
from litscape.online.questions import TITLE, batches, best, found_by, questions
from litscape.online.records import Failure, Work
from litscape.store.online import get_answers, put_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from litscape.jobs import JobContext
    from litscape.online.client import Client
    from litscape.online.records import AskedPaper
    from litscape.online.services.base import Facts, Service, Works
    from litscape.paper import PaperId, Reference
    from litscape.store.database import Database
    from litscape.store.online import StoredAnswer

MOST_ABSENT = 12
"""After so many lists in a row that are said not to be there (404) a service is left alone: to
find one strange identifier among a hundred takes eight."""
MOST_FAILURES = 2
"""After so many unanswered requests in a row a service is left alone."""
OLD = timedelta(days=30)
_CHUNK = 500
_SAME = "same"
_HOPS = 3
_CITED_BY = ("doi", "pmid", "s2")
"""Identifiers by which it is asked who cites a work."""


def cited_key(work: str) -> str:
    """The question under which the name of a work cited is kept."""
    return f"cited:{work}"


def citing_key(question: str) -> str:
    """The question under which it is kept who cites a work."""
    return f"citing:{question}"


def cited_by_question(identifiers: Mapping[str, str], facts: Facts) -> str | None:
    """By what a service is asked who cites a work; None where it can't be asked."""
    if not facts.citing:
        return None
    schemes = (one for one in facts.schemes if one in _CITED_BY and one in identifiers)
    scheme = next(schemes, None)
    return f"{scheme}:{identifiers[scheme]}" if scheme else None


@dataclass(slots=True)
class Outcome:
    """What a service said about papers, and what went wrong."""

    works: dict[PaperId, Work] = field(default_factory=dict)
    unknown: set[PaperId] = field(default_factory=set)
    asked: set[PaperId] = field(default_factory=set)
    kept: set[PaperId] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    requests: int = 0


class Answers:
    """The answers of one service that the library keeps."""

    def __init__(self, database: Database, facts: Facts, again: bool) -> None:
        """``again`` passes over what was not found, and over what is a month old."""
        self._database = database
        self._facts = facts
        self._again = again
        self._oldest = (datetime.now(UTC) - OLD).strftime("%Y-%m-%dT%H:%M:%SZ")

    def get(self, wanted: Iterable[str]) -> Works:
        """What is kept of some questions, also where a work was asked for by another name."""
        meant = {question: question for question in wanted}
        found: Works = {}
        for _ in range(_HOPS):
            same: dict[str, str] = {}
            kept = self._read(list(dict.fromkeys(meant.values())))
            for question, target in meant.items():
                answer = kept.get(target)
                if answer is None or self._passed_over(answer):
                    continue
                if isinstance(answer.content, dict) and _SAME in answer.content:
                    same[question] = answer.content[_SAME]
                    continue
                work = Work.from_json(answer.content)
                if work or answer.content is None:
                    found[question] = work
            meant = same
        return found

    def _read(self, questions: list[str]) -> dict[str, StoredAnswer]:
        kept: dict[str, StoredAnswer] = {}
        for start in range(0, len(questions), _CHUNK):
            with self._database.read() as conn:
                kept |= get_answers(conn, self._facts.id, questions[start : start + _CHUNK])
        return kept

    def _passed_over(self, kept: StoredAnswer) -> bool:
        return self._again and (kept.content is None or kept.asked_at < self._oldest)

    def put(self, works: Works) -> None:
        """Keep answers, at once; a work under its other names too, for its paper gets them."""
        told: dict[str, Any] = {}
        for question, work in works.items():
            for scheme, value in work.identifiers.items() if work else ():
                if scheme in self._facts.schemes:
                    told[f"{scheme}:{value}"] = {_SAME: question}
        told |= {question: work.to_json() if work else None for question, work in works.items()}
        with self._database.write() as conn:
            put_answers(conn, self._facts.id, told)


class Asker:
    """Asks one service; what it answered is kept before the next request goes out."""

    def __init__(self, service: Service, client: Client, answers: Answers, ctx: JobContext) -> None:
        self._service = service
        self._client = client
        self._answers = answers
        self._ctx = ctx
        self._in_a_row = 0
        self._absent = 0
        self._reason = ""
        self.problem = ""
        """Why something beyond the papers themselves could not be asked."""

    @property
    def _stopped(self) -> bool:
        return self._in_a_row >= MOST_FAILURES

    def ask(self, papers: Sequence[AskedPaper], said: Callable[[int], None]) -> Outcome:
        """Ask about papers, in rounds: who is not known by one identifier is asked for by the next.

        Args:
            papers: the papers.
            said: hears how many papers are done with.
        """
        outcome = Outcome()
        left = {paper.id: (paper, questions(paper, self._service.facts)) for paper in papers}
        failed: dict[str, set[PaperId]] = {}
        while left:
            round_: dict[PaperId, tuple[AskedPaper, str]] = {}
            for paper, more in list(left.values()):
                question = next(more, None)
                if question is None:
                    del left[paper.id]
                    outcome.unknown.add(paper.id)
                else:
                    round_[paper.id] = (paper, question)
            said(len(papers) - len(left))
            for paper_id, reason in self._round(round_, outcome, len(papers), said).items():
                failed.setdefault(reason, set()).add(paper_id)
                left.pop(paper_id)
            for paper_id in outcome.works:
                left.pop(paper_id, None)
        name = self._service.facts.id
        outcome.failures += [
            Failure(name, reason, tuple(sorted(ids))) for reason, ids in failed.items()
        ]
        outcome.requests = self._client.requests
        return outcome

    def _round(
        self,
        asked: dict[PaperId, tuple[AskedPaper, str]],
        outcome: Outcome,
        total: int,
        said: Callable[[int], None],
    ) -> dict[PaperId, str]:
        """One question about each paper; returns those that could not be asked about, with why."""
        kept = self._answers.get(question for _, question in asked.values())
        waiting: dict[str, list[AskedPaper]] = {}
        for paper, question in asked.values():
            if question in kept:
                outcome.kept.add(paper.id)
                self._note(outcome, paper, question, kept[question])
            else:
                waiting.setdefault(question, []).append(paper)
        failed: dict[PaperId, str] = {}
        done = total - sum(map(len, waiting.values()))
        for batch in batches(list(waiting), self._service.facts):
            works, reason = self._answered(batch, waiting)
            for question in batch:
                for paper in waiting[question]:
                    outcome.kept.discard(paper.id)
                    if question in works:
                        outcome.asked.add(paper.id)
                        self._note(outcome, paper, question, works[question])
                    else:
                        failed[paper.id] = reason
                    done += 1
            said(done)
        return failed

    def _note(self, outcome: Outcome, paper: AskedPaper, question: str, work: Work | None) -> None:
        if work is None:
            return
        outcome.works[paper.id] = work if work.method else found_by(question, work)

    def _answered(
        self, batch: list[str], waiting: dict[str, list[AskedPaper]]
    ) -> tuple[Works, str]:
        """The answers to a batch, kept; and why there is none to the rest."""
        if self._stopped:
            return {}, self._reason
        try:
            if batch[0].startswith(TITLE):
                paper = waiting[batch[0]][0]
                works: Works = {batch[0]: best(paper, self._service.search(self._client, paper))}
            else:
                works = self._service.ask(self._client, batch)
        except NoSuchWorkError as error:
            if self._no_list() or len(batch) > 1:
                return self._halves(batch, waiting, str(error))
            works = dict.fromkeys(batch)
        except RefusedQuestionError as error:
            return self._halves(batch, waiting, str(error))
        except ServiceStoppedError as error:
            self._in_a_row, self._reason = MOST_FAILURES, str(error)
            return {}, self._reason
        except OnlineError as error:
            self._in_a_row += 1
            self._reason = str(error)
            return {}, self._reason
        else:
            self._absent = 0
        self._in_a_row = 0
        self._answers.put(works)
        return works, ""

    def _no_list(self) -> bool:
        """Count that a list is said not to be there; whether the service is to be left alone.

        A list without works is empty. Nothing there at all means that this may not be the service.
        """
        self._absent += 1
        if self._absent < MOST_ABSENT:
            return False
        name = self._service.facts.name
        self._in_a_row = MOST_FAILURES
        self._reason = f"{name} says of everything that it is not there (404). Try again later."
        return True

    def _halves(
        self, batch: list[str], waiting: dict[str, list[AskedPaper]], reason: str
    ) -> tuple[Works, str]:
        """Ask a refused batch in two parts, so that one strange identifier costs itself alone."""
        if len(batch) == 1 or self._stopped:
            return {}, self._reason or reason
        middle = len(batch) // 2
        first, why = self._answered(batch[:middle], waiting)
        second, why_too = self._answered(batch[middle:], waiting)
        return first | second, why or why_too

    def _failed(self, error: OnlineError) -> None:
        stopped = isinstance(error, ServiceStoppedError)
        self._in_a_row += MOST_FAILURES if stopped else 1
        self.problem = str(error)

    def name_cited(self, ids: Sequence[str], said: Callable[[int], None]) -> dict[str, Reference]:
        """Title and DOI of works cited that answers hold as ids alone; those unknown are left out.

        What could not be asked stays a bare id, and is asked for with the next look-up.
        """
        keys = {cited_key(one): one for one in ids}
        kept = self._answers.get(keys)
        named = {keys[key]: work.references[0] for key, work in kept.items() if work}
        waiting = [one for key, one in keys.items() if key not in kept]
        size = self._service.facts.batch
        for start in range(0, len(waiting), size):
            named |= self._named(waiting[start : start + size])
            if self._stopped:
                break
            said(min(start + size, len(waiting)))
        return named

    def _named(self, batch: Sequence[str]) -> dict[str, Reference]:
        """The names of a batch of works cited, kept; a batch that is refused in two parts."""
        if self._stopped:
            return {}
        try:
            found = self._service.name_cited(self._client, batch)
            self._absent = 0
        except (NoSuchWorkError, RefusedQuestionError) as error:
            absent = isinstance(error, NoSuchWorkError)
            if absent and self._no_list():
                self.problem = self._reason
                return {}
            if len(batch) > 1:
                middle = len(batch) // 2
                return self._named(batch[:middle]) | self._named(batch[middle:])
            if not absent:
                self.problem = str(error)
                return {}
            found = {}
        except OnlineError as error:
            self._failed(error)
            return {}
        self._in_a_row = 0
        self._answers.put(
            {
                cited_key(one): Work(references=(found[one],)) if one in found else None
                for one in batch
            }
        )
        return found

    def citing(
        self, known: Mapping[PaperId, Mapping[str, str]], said: Callable[[int], None]
    ) -> dict[PaperId, Work]:
        """Works with who cites them, where the service tells.

        Args:
            known: identifiers of papers, by scheme.
            said: hears how many papers are done with.
        """
        chosen = {
            paper: question
            for paper, identifiers in known.items()
            if (question := cited_by_question(identifiers, self._service.facts))
        }
        kept = self._answers.get(map(citing_key, chosen.values()))
        found: dict[PaperId, Work] = {}
        for done, (paper, question) in enumerate(chosen.items(), 1):
            key = citing_key(question)
            if key not in kept and not self._stopped:
                try:
                    ids = self._citing(question)
                except OnlineError as error:
                    self._failed(error)
                    continue
                self._in_a_row = 0
                kept[key] = Work(cited_by=ids) if ids else None
                self._answers.put({key: kept[key]})
            said(done)
            if (work := kept.get(key)) is not None:
                found[paper] = work
        return found

    def _citing(self, question: str) -> tuple[str, ...]:
        try:
            return tuple(self._service.citing(self._client, question))
        except NoSuchWorkError:
            return ()
