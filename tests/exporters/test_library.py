"""Whole libraries out and in again: JSON lines lose nothing."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library

if TYPE_CHECKING:
    from pathlib import Path

RECORDS: list[dict[str, Any]] = [
    {
        "id": 11,
        "citekey": "plover2019",
        "citekey_original": "Plover 2019",
        "citekey_aliases": ["ip19"],
        "type": "article",
        "title": "Mud <b>and</b> tide & 10%",
        "authors": [
            {"family": "Horn", "given": "Tom", "particle": "van", "suffix": "Jr."},
            {"literal": "Reed and Rush, Inc."},
            {"family": "O'Neil", "given": "Pat"},
        ],
        "more_authors": True,
        "year": 2019,
        "month": 3,
        "month_raw": "Mar-Apr",
        "day": 7,
        "venue": "Journal of Mud",
        "publisher": "Harbour Press",
        "volume": "4",
        "issue": "2",
        "pages": "10-20",
        "doi": "10.5555/mud.1",
        "arxiv": "1903.00001",
        "pmid": "90000001",
        "isbn": "9780000000002",
        "url": "https://example.org/a",
        "abstract": "First paragraph: x < y.\n\nSecond &amp; last.",
        "abstract_note": "Summary written for the example library",
        "keywords": ["Models, Molecular", "tide"],
        "tags": ["read", "to do"],
        "collections": [["Birds"], ["Water", "Rivers"]],
        "notes": ["One; two.", "Three."],
        "files": [
            {"path": "a/b.pdf", "title": "PDF", "mime": "application/pdf"},
            {"path": "c.pdf", "base": "linked-attachment-base-directory"},
        ],
        "raw_fields": {"langid": "english", "note to self": "a\\b"},
        "identifiers": {"openalex": "W1", "issn": "1234-5678"},
        "cites": [12],
        "references": [{"raw": "Heron (2001)", "doi": "10.5555/old", "volume": "7"}],
        "fields": ["cs.CL", "Mud/chemistry"],
        "library": "group:777",
        "zotero_key": "ABCD2345",
        "missing_in_source": True,
    },
    {"id": 12, "citekey": "stint2001", "title": "Tide", "year_raw": "in press", "raw_fields": {}},
    {"id": 13, "citekey": "ruff2002", "title": "Silt", "cites": [11, 12], "raw_fields": {}},
]


@pytest.fixture
def library(tmp_path: Path) -> Any:
    with Library.open(tmp_path / "first") as opened:
        source = tmp_path / "first.jsonl"
        source.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
        opened.import_file(source)
        yield opened


def exported(library: Library, kind: str = "jsonl", papers: list[int] | None = None) -> str:
    stream = io.StringIO()
    library.export(kind, stream, papers)
    return stream.getvalue()


def comparable(text: str) -> list[dict[str, Any]]:
    """The records with ids of papers as citekeys, and what has no order sorted."""
    records = [json.loads(line) for line in text.splitlines()]
    keys = {record["id"]: record["citekey"] for record in records}
    for record in records:
        del record["id"]
        record["cites"] = sorted(keys[one] for one in record["cites"])
        for name in ("collections", "tags", "notes"):
            record[name].sort()
    return sorted(records, key=lambda record: str(record["citekey"]))


def moved(text: str, place: Path) -> str:
    source = place / "second.jsonl"
    source.write_text(text, encoding="utf-8")
    with Library.open(place / "second") as second:
        second.import_file(source)
        return exported(second)


def test_everything_that_is_written_comes_back(library: Library, tmp_path: Path) -> None:
    text = exported(library)
    first = {record["citekey"]: record for record in comparable(text)}["plover2019"]
    for name, value in RECORDS[0].items():
        if name not in ("id", "cites", "files", "references", "tags"):
            assert first[name] == value, name
    assert first["cites"] == ["stint2001"]
    assert comparable(moved(text, tmp_path)) == comparable(text)


def test_what_the_user_changed_comes_back(library: Library, tmp_path: Path) -> None:
    library.edit.edit(["stint2001"], {"title": "My own title", "year": 2003, "notes": ["Mine"]})
    library.edit.tag([library.papers.id_of("stint2001")], ["new tag"])
    library.edit.create_collection(("Water", "Lakes"))
    text = exported(library)
    changed = {record["citekey"]: record for record in comparable(text)}["stint2001"]
    assert (changed["title"], changed["year"], changed["year_raw"]) == ("My own title", 2003, None)
    assert (changed["notes"], changed["tags"]) == (["Mine"], ["new tag"])
    assert comparable(moved(text, tmp_path)) == comparable(text)


def test_the_trash_stays_at_home_and_links_to_it_become_references(library: Library) -> None:
    library.edit.trash([library.papers.id_of("stint2001")])
    records = {record["citekey"]: record for record in comparable(exported(library))}
    assert set(records) == {"plover2019", "ruff2002"}
    assert records["ruff2002"]["cites"] == ["plover2019"]
    assert records["ruff2002"]["references"] == [{"raw": "stint2001", "title": "Tide"}]


def test_a_part_of_a_library_has_no_links_out_of_it(library: Library, tmp_path: Path) -> None:
    text = exported(library, papers=[library.papers.id_of("ruff2002")])
    (record,) = comparable(text)
    assert record["cites"] == []
    assert [one["raw"] for one in record["references"]] == ["plover2019", "stint2001"]
    assert record["references"][0]["doi"] == "10.5555/mud.1"
    (again,) = comparable(moved(text, tmp_path))
    assert again == record


def test_importing_an_export_again_changes_nothing(library: Library, tmp_path: Path) -> None:
    source = tmp_path / "again.jsonl"
    source.write_text(exported(library), encoding="utf-8")
    with Library.open(tmp_path / "other") as other:
        assert other.import_file(source).added == 3
        report = other.import_file(source)
    assert (report.records, report.unchanged) == (3, 3)


@pytest.mark.parametrize(
    ("kind", "suffix"), [("bibtex", ".bib"), ("ris", ".ris"), ("csl-json", ".json")]
)
def test_other_formats_are_recognised_and_bring_the_papers(
    library: Library, tmp_path: Path, kind: str, suffix: str
) -> None:
    target = tmp_path / f"export{suffix}"
    target.write_text(exported(library, kind), encoding="utf-8")
    with Library.open(tmp_path / kind) as other:
        report = other.import_file(target)
        assert (report.added, report.skipped) == (3, 0)
        paper = other.papers.get("plover2019")
        assert paper.title == RECORDS[0]["title"].replace("<b>", "").replace("</b>", "")
        assert paper.doi == "10.5555/mud.1"
        assert len(paper.authors) == 3


def test_the_example_library_says_whose_summaries_it_holds(tmp_path: Path) -> None:
    from litscape_resources import example_library

    with Library.open(tmp_path / "example") as opened:
        report = opened.import_file(example_library())
        assert (report.added, report.skipped) == (480, 0)
        records = [json.loads(line) for line in exported(opened).splitlines()]
    assert {record["abstract_note"] for record in records} == {
        "Summary written for the example library"
    }
    assert sum(len(record["cites"]) for record in records) == 4331
    assert all(record["collections"] and record["keywords"] for record in records)
