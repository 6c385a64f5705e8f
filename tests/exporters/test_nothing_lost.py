"""What comes back of papers with unusual data, and what is said of the rest."""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from litscape.exporters.losses import Losses
from litscape.importers.opened import RecordsAtHand
from litscape.library import Library
from litscape.paper import Author, FileLink, Paper, PaperDraft, Reference

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = {"jsonl": ".jsonl", "bibtex": ".bib", "ris": ".ris", "csl-json": ".json", "csv": ".csv"}
ODD_KEYS = [
    "two words",
    "a{b}c",
    "a,b",
    "müller2010",
    "王2010",
    "50%off",
    "a#b",
    'quo"ted',
    "back\\slash",
    "2010",
    "10.5555/key",
    "https://example.org/a",
    "=SUM(A1)",
    "none",
    "(round)",
    "a;b",
    "'tick",
    "x" * 200,
]
RICH = PaperDraft(
    citekey="rich",
    type="book",
    title="=HYPERLINK: a; “title”, with commas",
    authors=(Author("Graaff", "Robert", "van de", "Jr."), Author(literal="Owl; Society, Inc.")),
    more_authors=True,
    year=1999,
    year_raw="1999/2000",
    month_raw="Spring",
    venue="Journal of a Book",
    volume="-1",
    pages="e12; 13",
    doi="10.5555/rich",
    arxiv="2001.00001",
    url="file:///not/web",
    abstract="One.\n\nTwo.",
    keywords=("a; b", "c, d"),
    tags=("tag; one", "two"),
    collections=(("A/B", "C"), ("D",)),
    notes=("First; note", "Second\nwith lines"),
    files=(FileLink("a;b.pdf", "Title", "application/pdf", None, False),),
    raw_fields={"venue": "odd", "my field": "x", "id": "7"},
    identifiers={"openalex": "W1", "doi.2": "10.5555/other", "issn": "1234-5679"},
    references=(Reference("Raw; text", "10.5555/ref", "T", 1990, "s", {"page": "3"}),),
    cites=("plain",),
    fields=("Physics; Optics",),
    citekey_aliases=("old key", "older"),
    library="user",
    zotero_key="ABCD1234",
)
PLAIN = PaperDraft(citekey="plain", title="Mud", type="article", year=2010)
OWN = frozenset({"id", "cites", "added_at", "modified_at", "citekey_original"})


def told(paper: Paper, keys: dict[int, str]) -> dict[str, Any]:
    found = {one.name: getattr(paper, one.name) for one in fields(paper) if one.name not in OWN}
    return {**found, "cites": sorted(keys[one] for one in paper.cites)}


def state(library: Library) -> dict[str, Any]:
    papers = list(library.papers)
    keys = {paper.id: paper.citekey for paper in papers}
    return {paper.citekey: told(paper, keys) for paper in papers}


def there_and_back(folder: Path, kind: str, *drafts: PaperDraft) -> tuple[Any, Any]:
    """The papers of a library, and those of another into which an export of it came."""
    file = folder / f"out{SUFFIX[kind]}"
    with Library.open(folder / "first") as first, Library.open(folder / "second") as second:
        first.imports.run_open([RecordsAtHand("list", "jsonl", drafts)])
        with file.open("w", encoding="utf-8", newline="") as stream:
            first.export(kind, stream)
        report = second.import_file(file)
        assert (report.added, report.skipped) == (len(drafts), 0)
        return state(first), state(second)


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_format_of_our_own_holds_everything(tmp_path: Path, kind: str) -> None:
    before, after = there_and_back(tmp_path, kind, RICH, PLAIN, PaperDraft(citekey="bare"))
    assert after == before


@pytest.mark.parametrize("kind", sorted(SUFFIX))
def test_odd_citation_keys_come_back(tmp_path: Path, kind: str) -> None:
    drafts = [PaperDraft(citekey=key, title=f"Title {n}") for n, key in enumerate(ODD_KEYS)]
    before, after = there_and_back(tmp_path, kind, *drafts)
    assert {one["title"]: key for key, one in after.items()} == {
        one["title"]: key for key, one in before.items()
    }


@pytest.mark.parametrize("kind", sorted(SUFFIX))
def test_a_paper_with_nothing_but_its_key_comes_back(tmp_path: Path, kind: str) -> None:
    _before, after = there_and_back(tmp_path, kind, PaperDraft(citekey="bare", type="misc"))
    assert list(after) == ["bare"]


def edited(folder: Path, **cells: str) -> dict[str, Any]:
    """An exported paper after a person changed cells of its row."""
    with Library.open(folder / "first") as first:
        first.imports.run_open([RecordsAtHand("list", "jsonl", [RICH])])
        stream = io.StringIO()
        first.export("csv", stream)
    heading, row = csv.reader(io.StringIO(stream.getvalue()))
    for name, text in cells.items():
        if name not in heading:
            heading.append(name)
            row.append("")
        row[heading.index(name)] = text
    file = folder / "edited.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([heading, row])
    with Library.open(folder / "second") as second:
        second.import_file(file)
        (found,) = state(second).values()
    return dict(found)


def test_what_a_person_changes_in_a_table_counts(tmp_path: Path) -> None:
    found = edited(tmp_path, authors="Gull, Pia", year="2001", tags="new", rating="good")
    assert found["authors"] == (Author("Gull", "Pia"),)
    assert (found["year"], found["year_raw"], found["tags"]) == (2001, None, ("new",))
    assert found["raw_fields"]["rating"] == "good"
    assert found["identifiers"] == RICH.identifiers
    assert (found["notes"], found["venue"]) == (RICH.notes, RICH.venue)


def test_a_cut_last_column_costs_what_only_it_says(tmp_path: Path) -> None:
    found = edited(tmp_path, litscape='{"cells":{"authors"')
    assert (found["doi"], found["abstract"]) == (RICH.doi, RICH.abstract)
    assert found["identifiers"] == {}


@pytest.mark.parametrize("kind", sorted(SUFFIX))
def test_what_has_no_place_is_said_where_there_is_such(tmp_path: Path, kind: str) -> None:
    with Library.open(tmp_path / "library") as library:
        library.imports.run_open([RecordsAtHand("list", "jsonl", [RICH, PLAIN])])
        losses = Losses(kind)
        assert library.export(kind, io.StringIO(), losses=losses) == 2
        of_plain = Losses(kind)
        library.export(kind, io.StringIO(), ["plain"], of_plain)
    assert (of_plain.found, of_plain.sentence()) == ((), "")
    said = losses.sentence()
    assert ("citations (1 paper)" in said) == (kind in ("ris", "csl-json"))
    assert ("tags" in said) == (kind == "csl-json")
    assert ("collections" in said) == (kind in ("ris", "csl-json"))
    assert said.count(". ") == 0


@pytest.mark.parametrize("kind", ["bibtex", "csv", "jsonl"])
def test_links_and_many_notes_come_back(tmp_path: Path, kind: str) -> None:
    notes = tuple(f"Note {n} on mud" for n in range(7))
    odd, plain = "gull, 2001 {x}", "tern"
    drafts = [
        PaperDraft(citekey=odd, title="First", notes=notes, cites=(plain, "heron")),
        PaperDraft(citekey=plain, title="Second", cites=(odd,)),
        PaperDraft(citekey="heron", title="Third"),
    ]
    file = tmp_path / f"papers{SUFFIX[kind]}"
    with Library.open(tmp_path / "one") as one, Library.open(tmp_path / "two") as two:
        one.imports.run_open([RecordsAtHand("list", "jsonl", drafts)])
        with file.open("w", encoding="utf-8", newline="") as stream:
            one.export(kind, stream)
        two.import_file(file)
        for library in (one, two):
            titles = {paper.id: paper.title for paper in library.papers}
            links = {
                paper.title: sorted(str(titles[cited]) for cited in paper.cites)
                for paper in library.papers
            }
            assert links == {"First": ["Second", "Third"], "Second": ["First"], "Third": []}
            assert library.papers.get(odd).notes == notes
        part = io.StringIO()
        one.export(kind, part, [plain])
        assert part.getvalue().count("Third") == 0


@pytest.mark.parametrize("kind", sorted(SUFFIX))
def test_notes_keep_their_form(tmp_path: Path, kind: str) -> None:
    notes = (
        "plain\nlines", "<b>note</b> of {mud} @ 5 % # ~", "one\n\ntwo", "$x_1$ \\alpha é",
        "none", "References: none yet",
    )  # fmt: skip
    before, after = there_and_back(
        tmp_path, kind, PaperDraft(citekey="key", title="Mud", notes=notes)
    )
    assert before["key"]["notes"] == after["key"]["notes"]
    assert after["key"]["notes"][:2] == notes[:2]
    assert after["key"]["raw_fields"] == {}


@pytest.mark.parametrize("kind", ["bibtex", "ris", "csl-json"])
def test_a_note_that_another_program_changed_counts(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"papers{SUFFIX[kind]}"
    with Library.open(tmp_path / "one") as one, Library.open(tmp_path / "two") as two:
        draft = PaperDraft(citekey="key", title="Mud", notes=("first\nlines",))
        one.imports.run_open([RecordsAtHand("list", "jsonl", [draft])])
        stream = io.StringIO()
        one.export(kind, stream)
        text = stream.getvalue()
        for was in ("first lines", '"note": "first\\nlines"', "{first\nlines}"):
            text = text.replace(was, was.replace("first", "later"))
        file.write_text(text, encoding="utf-8")
        two.import_file(file)
        assert two.papers.get("key").notes == ("later lines",)
