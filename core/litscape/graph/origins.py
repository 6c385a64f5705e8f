"""Where links come from, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SERVICES = {
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "semanticscholar": "Semantic Scholar",
    "opencitations": "OpenCitations",
    "pubmed": "PubMed",
}
_METHODS = {
    "doi": "by its DOI",
    "pmid": "by its PubMed id",
    "pmcid": "by its PubMed Central id",
    "arxiv": "by its arXiv id",
    "openalex": "by its OpenAlex id",
    "s2": "by its Semantic Scholar id",
    "patent": "by its number",
    "record": "by the source's own id",
    "citekey": "by its citation key",
    "title": "by title, first author and year",
    "place": "by first author, year, volume and page",
    "given": "as it was named",
}


def name_of(source: str, locations: Mapping[int, str]) -> str:
    """A source as a person would call it: a file's name, a service.

    Args:
        source: as a link has it: ``import``, ``import:7``, ``file:links.csv``, ``openalex``, …
        locations: of imported sources, by number.
    """
    kind, _, rest = source.partition(":")
    if kind == "import":
        location = locations.get(int(rest), "") if rest.isdigit() else ""
        return short(location) or "an import"
    if kind in ("file", "manuscript", "pdf") and rest:
        return rest
    return _SERVICES.get(source, source or "unknown")


def sentence(
    source: str, method: str | None, score: float | None, locations: Mapping[int, str]
) -> str:
    """Where a link comes from and how the cited paper was found, as one sentence."""
    kind = source.partition(":")[0]
    name = name_of(source, locations)
    if kind == "import":
        text = f"From the references in {name}"
    elif kind == "file":
        text = f"From the list of links {name}"
    elif kind in ("manuscript", "pdf"):
        text = f"From {name}"
    else:
        text = f"From {name}" if source else "It is not known where it comes from"
    if method and kind != "file":
        text += f", found {_METHODS.get(method, f'by {method}')}"
    if score is not None and score < 1:
        text += f" ({score:.0%} sure)"
    return f"{text}."


def short(location: str) -> str:
    """The last part of a path or address."""
    return location.replace("\\", "/").rstrip("/").rpartition("/")[2] or location
