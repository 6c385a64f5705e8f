"""A library whose papers cite each other and works outside, for tests of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.library import Library
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.paper import PaperId

MUD = Reference(
    title="Mud and tide, a study of shores",
    year=1999,
    doi="10.5555/mud.1",
    raw="Plover, I. Mud and tide, a study of shores, 1999",
    extra={"author": "Plover, I."},
)
SAND = Reference(title="Sand, wind and the dunes of the coast", year=1987)
UNTOLD = Reference(raw="Anon 1950")


def doi(number: int) -> str:
    """The DOI of a paper."""
    return f"10.1000/{number}"


def cites(*numbers: int) -> tuple[Reference, ...]:
    """References to papers by their numbers."""
    return tuple(Reference(doi=doi(number)) for number in numbers)


def citing_draft(number: int, year: int, *references: Reference) -> PaperDraft:
    """A paper with a list of references."""
    return PaperDraft(
        citekey=f"key{number}",
        type="article",
        title=f"Paper {number} of the shore",
        authors=(Author(family=f"Family{number}", given="Given"),),
        year=year,
        doi=doi(number),
        references=references,
    )


def make_citing_library(folder: Path) -> Path:
    """Paper 1 is cited by 2 … 9, of which 2 and 3 cite 10 as well; paper 11 stands alone."""
    drafts = [
        citing_draft(1, 2000, MUD, SAND, UNTOLD),
        citing_draft(2, 2002, *cites(1, 10), MUD),
        citing_draft(3, 2003, *cites(1, 10), MUD),
        *(citing_draft(number, 2000 + number, *cites(1)) for number in range(4, 10)),
        citing_draft(10, 1998),
        citing_draft(11, 2011),
    ]
    with Library.open(folder) as library:
        library.imports.run_drafts(drafts, source="a list")
    return folder


def numbered(library: Library, number: int) -> PaperId:
    """The id of a paper by its number."""
    paper = library.papers.resolve(f"key{number}")
    assert paper is not None
    return paper
