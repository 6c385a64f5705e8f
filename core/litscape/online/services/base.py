"""What a service is: where it is, what it takes, how it is asked and what its answers mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from litscape.online.faults import UnreachableError
from litscape.online.records import Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from litscape.online.client import Client
    from litscape.online.pace import Pace
    from litscape.online.records import AskedPaper
    from litscape.paper import PaperDraft, Reference

USER_AGENT = "Litscape/0.1"
Works = dict[str, Work | None]
"""What is known of each question; None where the service knows no such work."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A service as it is described and planned with.

    Attributes:
        id: as links and settings name it.
        name: as a person calls it.
        base: its address.
        schemes: identifiers that it takes, the best first.
        batch: questions that one request can hold.
        searches: what is sent to look for a paper without DOI by its title; empty: it can't be.
        fills: fields that its answers can hold.
        mail: whether it asks for a mail address.
        key: what a key of it is called and does; empty where there is none.
        pace: without a key.
        pace_with_key: with one.
        seconds: what a request takes, about.
        each: requests for each question beyond the one that they share.
        busy: further statuses that mean "later".
        names_cited: whether works cited come without a title and are asked for afterwards.
        citing: whether it can be asked who cites a work.
    """

    id: str
    name: str
    base: str
    schemes: tuple[str, ...]
    batch: int
    searches: str
    fills: tuple[str, ...]
    mail: bool
    key: str
    pace: Pace
    pace_with_key: Pace
    seconds: float
    each: int = 0
    busy: frozenset[int] = frozenset()
    names_cited: bool = False
    citing: bool = False


class Service(Protocol):
    """A place to look papers up."""

    @property
    def facts(self) -> Facts:
        """What it is and takes."""

    def headers(self, mail: str, key: str) -> Mapping[str, str]:
        """What is sent along with each request."""

    def params(self, mail: str, key: str) -> Mapping[str, str]:
        """What is added to each address."""

    def ask(self, client: Client, questions: Sequence[str]) -> Works:
        """What is known of works.

        Args:
            client: the connection.
            questions: at most ``facts.batch`` identifiers with their scheme: ``doi:10.1000/1``.

        Returns:
            Each question with the work, or None.

        Raises:
            OnlineError: as :meth:`litscape.online.client.Client.get`.
        """

    def search(self, client: Client, paper: AskedPaper) -> list[Work]:
        """Works that may be a paper, by its title, best first; raises as :meth:`ask`."""

    def name_cited(self, client: Client, ids: Sequence[str]) -> dict[str, Reference]:
        """Works cited by their ids (``openalex:W1``), where answers hold ids alone."""

    def citing(self, client: Client, question: str) -> list[str]:
        """Who cites a work, by identifiers such as ``doi:…``; raises as :meth:`ask`."""


class Plain:
    """What most services do without: overridden where one does more."""

    def headers(self, mail: str, key: str) -> Mapping[str, str]:
        """Who asks."""
        return agent(mail)

    def params(self, mail: str, key: str) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def search(self, client: Client, paper: AskedPaper) -> list[Work]:
        """Nothing."""
        return []

    def name_cited(self, client: Client, ids: Sequence[str]) -> dict[str, Reference]:
        """Nothing."""
        return {}

    def citing(self, client: Client, question: str) -> list[str]:
        """Nothing."""
        return []


def agent(mail: str) -> dict[str, str]:
    """The program's name, with the address of who asks where there is one."""
    return {"User-Agent": f"{USER_AGENT} (mailto:{mail})" if mail else USER_AGENT}


def parted(question: str) -> tuple[str, str]:
    """Scheme and value of a question."""
    scheme, _, value = question.partition(":")
    return scheme, value


def work_of(draft: PaperDraft, references: Iterable[Reference]) -> Work:
    """A record that an importer read, as a work."""
    own = {"doi": draft.doi, "pmid": draft.pmid, "arxiv": draft.arxiv}
    own |= {scheme: draft.identifiers.get(scheme) for scheme in ("openalex", "s2")}
    return Work(
        identifiers={scheme: value for scheme, value in own.items() if value},
        title=draft.title,
        families=tuple(one.family or one.literal or "" for one in draft.authors[:20]),
        year=draft.year,
        venue=draft.venue,
        abstract=draft.abstract,
        fields=draft.fields,
        references=tuple(references),
    )


def by_identifier(questions: Iterable[str], works: Iterable[Work]) -> Works:
    """Which of some works answers which question; the first one where several would."""
    from litscape.importers import normalise

    found: dict[str, Work] = {}
    for work in works:
        for scheme, value in work.identifiers.items():
            found.setdefault(f"{scheme}:{value}", work)
        arxiv = normalise.arxiv(work.identifiers.get("doi", ""))
        if arxiv:
            found.setdefault(f"arxiv:{arxiv}", work)
    return {question: found.get(question) for question in questions}


def strange(name: str) -> UnreachableError:
    """The error for an answer of an unknown form."""
    return UnreachableError(f"{name} gave an answer of a form that is not known to this release.")


def listed(name: str, value: Any) -> list[Any]:
    """A list as a service should have given it.

    Raises:
        UnreachableError: it is none.
    """
    if not isinstance(value, list):
        raise strange(name)
    return value
