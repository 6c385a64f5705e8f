"""What is asked of services, what they answer, and what came of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape.paper import LibraryChanges, PaperId, Reference

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORM = 1
"""The form in which works are kept; answers of another one are asked for again."""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AskedPaper:
    """A paper as services are asked about it.

    Attributes:
        identifiers: bare values by scheme: doi, pmid, arxiv, openalex, s2.
        families: family names of its authors in order.
        lacks: fields that a look-up could fill.
    """

    id: PaperId
    identifiers: Mapping[str, str]
    title: str | None = None
    families: tuple[str, ...] = ()
    year: int | None = None
    lacks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Work:
    """What a service knows about one work.

    Attributes:
        identifiers: bare values by scheme.
        fields: its topics.
        mesh: its medical subject headings (MeSH).
        references: the works it cites.
        cited_by: identifiers of works that cite it, as ``doi:10.1000/1`` or ``pmid:123``.
        method: how it was found: the scheme of the identifier, or ``title``.
        score: how surely it is the paper asked about, up to 1.
    """

    identifiers: Mapping[str, str] = field(default_factory=_nothing)
    title: str | None = None
    families: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    abstract: str | None = None
    fields: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    cited_by: tuple[str, ...] = ()
    method: str = ""
    score: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """As it is kept in the library."""
        told = {name: getattr(self, name) for name in self.__slots__ if getattr(self, name)}
        told["identifiers"] = dict(self.identifiers)
        told["references"] = [_short(reference) for reference in self.references]
        return {"form": _FORM, **told}

    @classmethod
    def from_json(cls, kept: Any) -> Work | None:
        """The inverse; None where it was kept in another form."""
        if not isinstance(kept, dict) or kept.get("form") != _FORM:
            return None
        told = {name: value for name, value in kept.items() if name != "form"}
        for name in ("families", "fields", "mesh", "cited_by"):
            told[name] = tuple(told.get(name, ()))
        told["references"] = tuple(Reference(**one) for one in told.get("references", ()))
        return cls(**told)


def _short(reference: Reference) -> dict[str, Any]:
    told = {name: getattr(reference, name) for name in ("raw", "doi", "title", "year", "source_id")}
    found = {name: value for name, value in told.items() if value is not None}
    return {**found, "extra": dict(reference.extra)} if reference.extra else found


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What to look up and where.

    Attributes:
        services: ids of services in the order in which they are asked; a later one is asked
            only about papers for which something is still missing.
        papers: the papers; None for all that are not in the trash.
        fill: whether missing values are filled in, not links alone.
        again: whether to ask again what was not found, and what was found a month ago or more.
        citing: whether to ask which works cite the papers, where that is a request of its own.
        mail: address told to services that ask for one; may be empty.
        keys: keys of services that the person has, by service.
        bases: addresses to ask instead of the services' own, by service (for tests, proxies).
        waits: makes all waits of our own longer or shorter (never those a service asks for).
    """

    services: tuple[str, ...] = ("openalex",)
    papers: tuple[PaperId, ...] | None = None
    fill: bool = True
    again: bool = False
    citing: bool = False
    mail: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)
    waits: float = 1.0


@dataclass(frozen=True, slots=True)
class ServiceEstimate:
    """What asking one service will take at most.

    Attributes:
        papers: papers that can be asked about.
        kept: of those, how many were answered before.
        requests: requests about the others.
        seconds: how long that takes when all goes well.
    """

    service: str
    papers: int
    kept: int
    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a look-up will take at most."""

    papers: int
    services: tuple[ServiceEstimate, ...] = ()

    @property
    def requests(self) -> int:
        """Requests to all services."""
        return sum(one.requests for one in self.services)

    @property
    def seconds(self) -> float:
        """Seconds, one service after the other."""
        return sum(one.seconds for one in self.services)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why some papers could not be asked about."""

    service: str
    reason: str
    papers: tuple[PaperId, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchReport:
    """What a look-up brought.

    Attributes:
        papers: papers that were to be looked up.
        asked: papers about which a service was asked now, by service.
        kept: papers whose answer was kept from before, by service.
        requests: requests that were sent.
        found: papers that some service knows.
        not_found: papers that every service asked knows nothing of.
        references: works cited that were named for the papers.
        links: links between papers of the library that came into being.
        outside: works cited that are not in the library and were noted.
        filled: values filled in, by field.
        failures: what went wrong.
        changes: what changed in the library.
    """

    papers: int = 0
    asked: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)
    requests: int = 0
    found: int = 0
    not_found: tuple[PaperId, ...] = ()
    references: int = 0
    links: int = 0
    outside: int = 0
    filled: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    changes: LibraryChanges = field(default_factory=LibraryChanges)

    @property
    def failed(self) -> tuple[PaperId, ...]:
        """Papers about which some service could not be asked."""
        return tuple(sorted({paper for one in self.failures for paper in one.papers}))

    def as_json(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        told = {name: getattr(self, name) for name in self.__slots__ if name != "changes"}
        told["failures"] = [asdict(one) | {"papers": list(one.papers)} for one in self.failures]
        told["not_found"] = list(self.not_found)
        return told | {"change_id": self.changes.change_id}
