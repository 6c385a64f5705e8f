"""Tables of patents, in the form that PatentsView publishes; made up for these tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.errors import UserError
from litscape.importers.patentsview import patent_number

if TYPE_CHECKING:
    from pathlib import Path

PATENTS = (
    '"patent_id"\t"patent_type"\t"patent_date"\t"patent_title"\t"wipo_kind"\t"num_claims"'
    '\t"withdrawn"\t"filename"\n'
    '"10000001"\t"utility"\t"2018-06-19"\t"Dam for small ponds"\t"B2"\t12\t0\t"ipg180619.xml"\n'
    '"D0123456"\t"design"\t"1947-01-01"\t"Duck ""decoy"""\t"S"\t1\t0\t"x.xml"\n'
    '"RE012345"\t"reissue"\t"1905-03-07"\t"Sluice\tgate"\t"E"\t3\t0\t"y.xml"\n'
    '\t"utility"\t"2018-06-19"\t"No number"\t"B2"\t12\t0\t"z.xml"\n'
)
ABSTRACTS = (
    '"patent_id"\t"patent_abstract"\n'
    '"10000001"\t"A dam of mud\nthat holds &lt; 3 m of water."\n'
    '"7654321"\t"A net without a title."\n'
)
OLD = (
    "id\ttype\tnumber\tcountry\tdate\tabstract\ttitle\tkind\tnum_claims\tfilename\twithdrawn\n"
    "4058776\tutility\t4058776\tUS\t1977-11-15\tA bias circuit.\tBias circuit\tA\t9\tpg.xml\t0\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "patents"
    place.mkdir()
    (place / "g_patent.tsv").write_text(PATENTS, encoding="utf-8")
    (place / "g_patent_abstract.tsv").write_text(ABSTRACTS, encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4058776", "US4058776"),
        ("4,058,776", "US4058776"),
        ("US-4058776-A", "US4058776"),
        ("us 4058776 a", "US4058776"),
        ("US-10000021-B2", "US10000021"),
        ("RE12345", "USRE12345"),
        ("US-RE012345-E", "USRE12345"),
        ("D0123456", "USD123456"),
        ("EP-1234567-B1", "EP1234567"),
        ("WO2012/123456A1", "WO2012123456"),
        ("US-2004137729-A1", "US20040137729"),
        ("US20040137729A1", "US20040137729"),
        ("", None),
        ("US", None),
        ("net", None),
        ("0", None),
    ],
)
def test_numbers_are_one_however_written(text: str, number: str | None) -> None:
    assert patent_number(text) == number


def test_tables_of_one_folder_make_one_paper_a_patent(folder: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        report = library.imports.run([folder])
        assert (report.records, report.added, report.merged, report.skipped) == (6, 4, 1, 1)
        [skipped] = [one for one in report.issues if one.severity == "skipped"]
        assert (skipped.line, skipped.source) == (5, str(folder / "g_patent.tsv"))
        papers = {paper.identifiers["patent"]: paper for paper in library.papers}
        dam = papers["US10000001"]
        assert (dam.type, dam.title, dam.year, dam.month) == (
            "patent",
            "Dam for small ponds",
            2018,
            6,
        )
        assert dam.abstract == "A dam of mud that holds < 3 m of water."
        assert dam.raw_fields["num_claims"] == "12"
        assert papers["USD123456"].title == 'Duck "decoy"'
        assert papers["US7654321"].title is None
        assert papers["US7654321"].abstract == "A net without a title."
        again = library.imports.run([folder])
        assert (again.added, again.unchanged, again.updated) == (0, 5, 0)


def test_the_older_table(tmp_path: Path) -> None:
    file = tmp_path / "patent.tsv"
    file.write_text(OLD, encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.imports.run([file])
        [paper] = library.papers
        assert (paper.title, paper.year, paper.day) == ("Bias circuit", 1977, 15)
        assert (paper.abstract, paper.identifiers) == ("A bias circuit.", {"patent": "US4058776"})


def test_a_patent_of_another_source_is_the_same(tmp_path: Path) -> None:
    old, lines = tmp_path / "patent.tsv", tmp_path / "papers.jsonl"
    old.write_text(OLD, encoding="utf-8")
    record = {"id": "US-4058776-A", "title": "", "abstract": "A bias circuit.", "kind": "patent"}
    lines.write_text(json.dumps({**record, "cites": [], "authors": []}) + "\n", encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.imports.run([old])
        report = library.imports.run([lines])
        assert (report.added, report.merged) == (0, 1)


@pytest.mark.parametrize(
    "heading",
    [
        "patent_id\tcitation_sequence\tcitation_patent_id\tcitation_date",
        '"patent_id"\t"other_reference_sequence"\t"other_reference_text"',
        "reftype,confscore,oaid,patent,uspto,wherefound,self",
    ],
)
def test_lists_of_citations_are_no_papers(tmp_path: Path, heading: str) -> None:
    file = tmp_path / "links.tsv"
    file.write_text(f"{heading}\n1\t2\t3\n", encoding="utf-8")
    with (
        Library.open(tmp_path / "library") as library,
        pytest.raises(UserError, match="citations add"),
    ):
        library.imports.run([file])
