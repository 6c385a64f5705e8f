"""Which question is asked about a paper, and whether what comes back is that paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.graph.cited import Cited, Known, fit
from litscape.importers import normalise
from litscape.online.records import AskedPaper, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.online.services.base import Facts
    from litscape.paper import Paper

TITLE = "title:"
FILLED = ("abstract", "year", "venue", "fields")
"""Fields that a look-up fills where they are missing."""
MESH = "mesh"
"""Medical subject headings: they stand among the topics, but are filled in whether there are
topics or not."""
_ARXIV_DOI = "10.48550/"
_ADDRESS, _ESCAPES = 3500, 6
"""Letters that an address may have in all, and those that escapes add to an identifier."""


def asked_paper(paper: Paper) -> AskedPaper:
    """A paper of the library as services are asked about it."""
    own = {"doi": paper.doi, "pmid": paper.pmid, "arxiv": paper.arxiv}
    own |= {scheme: paper.identifiers.get(scheme) for scheme in ("openalex", "s2")}
    if paper.doi and not paper.arxiv and paper.doi.startswith(_ARXIV_DOI):
        own["arxiv"] = normalise.arxiv(paper.doi)
    return AskedPaper(
        paper.id,
        {scheme: value for scheme, value in own.items() if value},
        paper.title,
        tuple(one.family or one.literal or "" for one in paper.authors[:10]),
        paper.year,
        frozenset([MESH, *(name for name in FILLED if not getattr(paper, name))]),
    )


def questions(paper: AskedPaper, facts: Facts) -> Iterator[str]:
    """What a service is asked about a paper: one after the other, until it knows it.

    Its identifiers, the best first. Its title where there is no DOI: one that the service does
    not know it does not know under another name either.
    """
    for scheme in facts.schemes:
        if value := paper.identifiers.get(scheme):
            yield f"{scheme}:{value}"
    doi = paper.identifiers.get("doi")
    if facts.searches and (doi is None or doi.startswith(_ARXIV_DOI)) and _telling(paper):
        first = normalise.title_key(paper.families[0]) if paper.families else ""
        yield f"{TITLE}{normalise.title_key(paper.title)}|{first}|{paper.year or ''}"


def batches(asked: Iterable[str], facts: Facts) -> Iterator[list[str]]:
    """Questions as they go out together: so many and so long as an address holds, titles alone."""
    batch: list[str] = []
    length = 0
    for question in asked:
        if question.startswith(TITLE):
            yield [question]
            continue
        if len(batch) == facts.batch or length + len(question) > _ADDRESS:
            yield batch
            batch, length = [], 0
        batch.append(question)
        length += len(question) + _ESCAPES
    if batch:
        yield batch


def _telling(paper: AskedPaper) -> bool:
    """Whether a title found could be told to be the paper: by first author or year."""
    return bool(normalise.title_key(paper.title) and (paper.families or paper.year))


def best(paper: AskedPaper, works: Iterable[Work]) -> Work | None:
    """The work that is the paper, by title, first author and year; None where none is."""
    doi = paper.identifiers.get("doi")
    known = Known(
        paper.id, paper.title, paper.year, paper.families, dois=frozenset({doi} if doi else ())
    )
    found: list[tuple[float, Work]] = []
    for work in works:
        extra = {"author": work.families[0]} if work.families else {}
        fitting = fit(Cited(work.title, work.year, work.identifiers.get("doi"), None, extra), known)
        if fitting and fitting.method == "title" and not _other(paper, work):
            found.append((fitting.score, work))
    if not found:
        return None
    score, work = max(found, key=lambda one: one[0])
    return _with(work, "title", min(score, 0.99))


def _other(paper: AskedPaper, work: Work) -> bool:
    """Whether an identifier says that it is another work."""
    shared = {"pmid", "openalex", "s2"} & paper.identifiers.keys() & work.identifiers.keys()
    return any(paper.identifiers[one] != work.identifiers[one] for one in shared)


def found_by(question: str, work: Work) -> Work:
    """A work that was found by an identifier."""
    return _with(work, question.partition(":")[0], 1.0)


def _with(work: Work, method: str, score: float) -> Work:
    return replace(work, method=method, score=score)
