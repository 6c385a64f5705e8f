"""What is set right in every record, whatever reader it comes from."""

from __future__ import annotations

from typing import Any

import pytest

from litscape.importers.tidy import balanced
from litscape.paper import Author, PaperDraft

RLO, LRE, RLI, PDF, PDI = "\u202e", "\u202a", "\u2067", "\u202c", "\u2069"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("plain", "plain"),
        (f"a {RLI}שלום{PDI} b", f"a {RLI}שלום{PDI} b"),
        (f"a {LRE}x{PDF} b", f"a {LRE}x{PDF} b"),
        (f"a {RLO}gpj.exe", "a gpj.exe"),
        (f"a {RLO}gpj{PDF}.exe", "a gpj.exe"),
        (f"a {RLI}b", "a b"),
        (f"a {PDF}{PDI} b", "a  b"),
        (f"{RLI}{LRE}x{PDI}{PDF}", f"{LRE}x{PDF}"),
        ("שלום עולם", "שלום עולם"),
    ],
)
def test_only_what_is_opened_and_closed_stays(text: str, left: str) -> None:
    assert balanced(text) == left
    assert balanced(left) == left


def test_it_is_said_what_was_taken_out(world: Any) -> None:
    report = world.drafts(
        PaperDraft(
            citekey="a",
            title=f"Mud {RLO} dna water",
            authors=(Author(f"Owl{RLO}", "Amy"),),
            keywords=(f"{RLI}wet",),
            raw="x",
        )
    )
    (paper,) = world.all()
    assert (paper.title, paper.authors, paper.keywords) == (
        "Mud dna water",
        (Author("Owl", "Amy"),),
        ("wet",),
    )
    (issue,) = report.issues
    assert (issue.code, issue.severity, issue.citekey) == ("repaired-entry", "warning", "a")
    assert "authors and keywords and title" in issue.message


YEARS = {
    "2010": (2010, None, None),
    "0": (None, "0", "year-kept"),
    "-44": (None, "-44", "year-kept"),
    "99999": (None, "99999", "year-kept"),
    "20l5": (None, "20l5", "year-kept"),
    "2015a": (2015, "2015a", "year-guessed"),
    "[2015]": (2015, "[2015]", "year-guessed"),
    "1999/2000": (1999, "1999/2000", "year-guessed"),
    "c. 1850": (1850, "c. 1850", "year-guessed"),
    "MCMXCIV": (1994, "MCMXCIV", "year-guessed"),
    "MDCCCL": (1850, "MDCCCL", "year-guessed"),
    "MIX": (None, "MIX", "year-kept"),
    "in press": (None, "in press", None),
}
FILES = {
    "bib": "@misc{{a, title = {{A}}, year = {{{year}}}}}",
    "ris": "TY  - JOUR\nID  - a\nTI  - A\nPY  - {year}\nER  - \n",
    "csv": "citekey,title,year,doi\na,A,{year},\n",
}


@pytest.mark.parametrize("suffix", sorted(FILES))
@pytest.mark.parametrize("year", sorted(YEARS))
def test_odd_years(world: Any, suffix: str, year: str) -> None:
    file = world.folder / f"odd.{suffix}"
    file.write_text(FILES[suffix].format(year=year), "utf-8")
    report = world.imports.run([file])
    (paper,) = world.all()
    number, raw, code = YEARS[year]
    assert (paper.year, paper.year_raw) == (number, raw)
    said = [(one.code, one.severity) for one in report.issues if one.code.startswith("year")]
    assert said == ([(code, "note")] if code else [])


def test_untitled_records_that_are_equal_are_suggested(world: Any) -> None:
    alike: dict[str, Any] = {
        "authors": (Author("Owl", "Amy"),),
        "year": 1999,
        "venue": "Mud",
        "type": "article",
    }
    report = world.drafts(
        PaperDraft(citekey="a", **alike),
        PaperDraft(citekey="b", **alike),
        PaperDraft(citekey="c", **{**alike, "year": 2000}),
        PaperDraft(citekey="d"),
        PaperDraft(citekey="e"),
    )
    assert (report.added, report.suggested_merges) == (5, ((1, 2),))
    later = world.drafts(PaperDraft(citekey="f", **alike), source="elsewhere")
    assert later.suggested_merges == ((1, 6), (2, 6))
