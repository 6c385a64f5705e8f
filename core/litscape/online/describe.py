"""What is sent where, and what a look-up will take and brought, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from litscape.online.services.registry import service

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.online.records import Estimate, FetchReport

_SCHEMES = {
    "doi": "DOI",
    "pmid": "PubMed id",
    "arxiv": "arXiv id",
    "openalex": "OpenAlex id",
    "s2": "Semantic Scholar id",
}
_FIELDS = {
    "abstract": ("abstract", "abstracts"),
    "year": ("year", "years"),
    "venue": ("venue", "venues"),
    "fields": ("list of topics", "lists of topics"),
    "mesh": ("list of MeSH terms", "lists of MeSH terms"),
    "doi": ("DOI", "DOIs"),
    "pmid": ("PubMed id", "PubMed ids"),
}


def sent(name: str, mail: str, *, key: bool = False) -> str:
    """What a service is told, and where it is."""
    facts = service(name).facts
    schemes = [_SCHEMES[one] for one in facts.schemes]
    what = f"the {_joined(schemes, 'or')} of each paper"
    if facts.searches:
        what += f" and, where it has no DOI of a publisher, its {facts.searches}"
    also = []
    if facts.names_cited:
        also.append("the ids of works that the papers cite")
    if facts.mail and mail:
        also.append(f"your mail address ({mail})")
    if key:
        also.append("your key")
    more = f"; also {_joined(also, 'and')}" if also else ""
    return f"{facts.name} ({urlsplit(facts.base).hostname}) is sent {what}{more}."


NOTHING_ELSE = (
    "Nothing else is sent: no abstracts, notes, tags or files. Each service sees your internet "
    "address, and that these papers interest you."
)


def consent(names: Sequence[str], mail: str, keys: Sequence[str] = ()) -> str:
    """All that would be sent, a sentence for each service."""
    told = [sent(name, mail, key=name in keys) for name in names]
    return " ".join([*told, NOTHING_ELSE])


def duration(seconds: float) -> str:
    """A length of time as a person says it: ``20 s``, ``3 min``, ``1 h 20 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def estimated(estimate: Estimate) -> str:
    """What a look-up will take."""
    if not estimate.papers:
        return "There is no paper to look up."
    if not any(one.papers for one in estimate.services):
        return "None of these papers has an identifier or a title that could be asked for."
    if not estimate.requests:
        return "All of this was answered before: nothing needs to be asked."
    kept = sum(one.kept for one in estimate.services)
    text = (
        f"{_counted(estimate.papers, 'paper')}: at most "
        f"{_counted(estimate.requests, 'request')}, about {duration(estimate.seconds)}."
    )
    return f"{text} {_counted(kept, 'answer')} of before {_are(kept)} used again." if kept else text


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def reported(report: FetchReport) -> str:
    """What a look-up brought, in some sentences."""
    asked = f"{_counted(report.found, 'paper')} of {report.papers:,} found"
    text = [
        f"{asked}; {_counted(report.requests, 'request')} sent.",
        f"{_counted(report.references, 'work')} cited: {_counted(report.links, 'new link')} "
        f"inside the library, {_counted(report.outside, 'work')} outside noted.",
    ]
    if report.filled:
        parts = [
            f"{number:,} {_FIELDS.get(name, (name, name))[number != 1]}"
            for name, number in report.filled.items()
        ]
        text.append(f"Filled in: {_joined(parts, 'and')}.")
    if report.not_found:
        text.append(f"{_counted(len(report.not_found), 'paper')} not known there.")
    text += [
        f"{failure.reason} ({_counted(len(failure.papers), 'paper')} not asked about.)"
        if failure.papers
        else failure.reason
        for failure in report.failures
    ]
    return "\n".join(text)


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"


def _joined(parts: Sequence[str], word: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"
