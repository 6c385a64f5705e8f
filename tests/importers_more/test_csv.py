"""Tables: Scopus old and new, IEEE, Springer and others; rows that are not sound."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest

from litscape.importers.base import SourceText
from litscape.importers.cited import scopus_reference
from litscape.importers.csv_people import glued, people
from litscape.importers.csv_table import CsvImporter
from litscape.library import Library
from litscape.paper import Author, ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "csv"
OLD = "Authors,Author(s) ID,Title,Year,Source title,Volume,Issue,Art. No.,Page start,Page end"
OLD += ",DOI,Link,Abstract,Author Keywords,Index Keywords,References,ISSN,PubMed ID"
OLD += ",Language of Original Document,Document Type,Publication Stage,Source,EID"
CITED = (
    "Avocet, M., Stilt Jr., E.B., Mud; its growth (1999) J Mud, 1, p. 2; Dunlin, B., (2001) J Wet"
    ", 3; Anon; Plover A., Wet marshes, and mud, Journal of Mud, 12, pp. 1-9, (2019)"
)


def table(heading: str, *lines: Iterable[str], delimiter: str = ",", end: str = "\r\n") -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end)
    writer.writerow(heading.split(","))
    writer.writerows(lines)
    return stream.getvalue()


def scopus(authors: str = "Gull P., Tern L.A.", **values: str) -> list[str]:
    cells = {
        "Authors": authors,
        "Title": "Growth of willow",
        "Year": "2019",
        "Source title": "Journal of Mud",
        "Volume": "4",
        "Page start": "1",
        "Page end": "9",
        "DOI": "10.5555/SC.1",
        "Link": "https://www.scopus.com/inward/record.uri?eid=2-s2.0-85000000001&doi=10.5555",
        "Abstract": "Mud, “wet” mud.",
        "Author Keywords": "mud; willow",
        "Index Keywords": "Models, Molecular; mud",
        "References": CITED,
        "ISSN": "12345678",
        "PubMed ID": "90000001",
        "Language of Original Document": "English",
        "Document Type": "Article",
        "Publication Stage": "Final",
        "Source": "Scopus",
        "EID": "2-s2.0-85000000001",
        **values,
    }
    return [cells.get(name, "") for name in OLD.split(",")]


def test_a_whole_row_of_scopus(read: Read) -> None:
    (draft,), problems = read("\ufeff" + table(OLD, scopus()), KIND)
    assert not problems
    assert draft.title == "Growth of willow"
    assert draft.authors == (Author("Gull", "P."), Author("Tern", "L.A."))
    assert (draft.year, draft.venue, draft.volume) == (2019, "Journal of Mud", "4")
    assert (draft.pages, draft.doi, draft.pmid) == ("1-9", "10.5555/sc.1", "90000001")
    assert draft.type == "article"
    assert draft.keywords == ("mud", "willow", "Models, Molecular")
    assert draft.identifiers == {"issn": "1234-5678", "scopus": "2-s2.0-85000000001"}
    assert draft.source_id == "scopus:2-s2.0-85000000001"
    assert (draft.line, draft.index) == (2, 0)
    assert draft.raw_fields["language of original document"] == "English"


def test_every_work_cited_is_kept(read: Read) -> None:
    (draft,), _ = read(table(OLD, scopus()), KIND)
    assert [(one.title, one.year) for one in draft.references] == [
        ("Mud; its growth", 1999),
        (None, 2001),
        (None, None),
        ("Wet marshes, and mud", 2019),
    ]
    assert draft.references[1].raw == "Dunlin, B., (2001) J Wet, 3"


def test_the_newer_columns_of_scopus(read: Read) -> None:
    heading = "Authors,Author full names,Author(s) ID,Title,Year,Source title,DOI,EID"
    line = (
        "Gull P.; Tern L.A.",
        "Gull, Pia (57000000001); Tern, Lou Ann (57000000002)",
        "57000000001; 57000000002",
        "Growth",
        "2024",
        "Mud",
        "10.5555/sc.2",
        "2-s2.0-85000000002",
    )
    (draft,), _ = read(table(heading, line), KIND)
    assert draft.authors == (Author("Gull", "Pia"), Author("Tern", "Lou Ann"))


@pytest.mark.parametrize(
    ("cell", "authors", "more"),
    [
        ("Gull P., Tern L.A., Wei D.-Q.", ["Gull, P.", "Tern, L.A.", "Wei, D.-Q."], False),
        ("Gull, P., Tern, L.A.", ["Gull, P.", "Tern, L.A."], False),
        ("Gull, P.; Tern, L. A.", ["Gull, P.", "Tern, L. A."], False),
        ("P. Gull; J. -P. Tern", ["Gull, P.", "Tern, J. -P."], False),
        ("Gull P, Tern LA", ["Gull, P", "Tern, LA"], False),
        ("Pia Gull, Lou Tern", ["Gull, Pia", "Tern, Lou"], False),
        ("Gull, Pia", ["Gull, Pia"], False),
        ("Gull P.", ["Gull, P."], False),
        ("['Gull, Pia', 'Tern, Lou']", ["Gull, Pia", "Tern, Lou"], False),
        ("Gull, Pia; et al.", ["Gull, Pia"], True),
        ("Pia Gull and Lou Tern", ["Gull, Pia", "Tern, Lou"], False),
        ("Gull, P. and Tern, L.", ["Gull, P.", "Tern, L."], False),
        ("Gull, Pia and Tern, Lou & Knot, Ann", ["Gull, Pia", "Tern, Lou", "Knot, Ann"], False),
        ("Gull, P., Tern, L., & Knot, A.", ["Gull, P.", "Tern, L.", "Knot, A."], False),
        ("[No author name available]", [], False),
        ("", [], False),
    ],
)
def test_authors_in_one_cell(cell: str, authors: list[str], more: bool) -> None:
    found, others = people(cell)
    assert [f"{one.family}, {one.given}" for one in found] == authors
    assert others is more


def test_authors_that_nothing_parts(read: Read) -> None:
    found, guessed = glued("Prof. Ian McDonaldJohn R. van der TernMaría Ñuñez-VilaÁngel Gull")
    assert [one.display for one in found] == [
        "Ian McDonald",
        "John R. van der Tern",
        "María Ñuñez-Vila",
        "Ángel Gull",
    ]
    assert guessed
    heading = "Item Title,Publication Title,Book Series Title,Authors,Publication Year,Content Type"
    lines = [
        ("A", "Mud", "", "Pia GullLou Tern", "2022", "Chapter"),
        ("B", "Series", "", "Pia Gull", "2022", "Book"),
    ]
    drafts, problems = read(table(heading, *lines), KIND)
    assert [(d.type, d.venue, len(d.authors)) for d in drafts] == [
        ("incollection", "Mud", 2),
        ("book", None, 1),
    ]
    assert drafts[1].raw_fields["publication title"] == "Series"
    assert [(p.code, p.index) for p in problems] == [("malformed-name-list", 0)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(read: Read, delimiter: str, end: str) -> None:
    lines = [("A, b; c", "1999", 'Mud "wet"\nand more'), ("B", "2000", "")]
    text = table("Title,Year,Abstract", *lines, delimiter=delimiter, end=end)
    drafts, problems = read(text, KIND)
    assert [(d.title, d.year, d.line) for d in drafts] == [("A, b; c", 1999, 2), ("B", 2000, 4)]
    assert drafts[0].abstract == 'Mud "wet" and more'
    assert not problems


def test_a_line_that_names_the_delimiter(read: Read) -> None:
    (draft,), _ = read("sep=;\r\nTitle;Year;DOI\r\nA;1999;10.5555/a\r\n", KIND)
    assert (draft.title, draft.doi, draft.line) == ("A", "10.5555/a", 3)


@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_quote_that_is_never_closed_costs_no_other_row(read: Read, where: int) -> None:
    lines = [f'"T{n}","Author, A.",200{n},"Text, {n}"' for n in range(3)]
    lines[where] = f'"T{where}","Author, A.",200{where},"Text, {where}'
    text = "\n".join(["Title,Authors,Year,Abstract", *lines]) + "\n"
    drafts, problems = read(text, KIND)
    assert [(d.title, d.year, d.line) for d in drafts] == [
        (f"T{n}", 2000 + n, n + 2) for n in range(3)
    ]
    assert [d.abstract for d in drafts] == [f"Text, {n}" for n in range(3)]
    assert [(p.code, p.severity, p.index) for p in problems] == [
        ("repaired-entry", "warning", where)
    ]
    assert problems[0].raw == lines[where]


def test_quotes_inside_of_cells(read: Read) -> None:
    text = 'Title,Year,Abstract\n"A "wet" one",1999,"It is ""mud"""\n"B",2000,5" of mud\n'
    drafts, _ = read(text, KIND)
    assert [(d.title, d.abstract) for d in drafts] == [
        ('A "wet" one', 'It is "mud"'),
        ("B", '5" of mud'),
    ]


def test_a_row_with_a_cell_too_many_is_aligned(read: Read) -> None:
    cells = scopus()
    cells.insert(OLD.split(",").index("References"), "Another funding text")
    (draft,), problems = read(table(OLD, cells), KIND)
    assert len(draft.references) == 4
    assert draft.type == "article"
    assert draft.source_id == "scopus:2-s2.0-85000000001"
    assert draft.raw_fields["extra"] == "Another funding text"
    assert [p.code for p in problems] == ["repaired-entry"]


def test_rows_without_title_are_told(read: Read) -> None:
    text = "Title,Authors,Year\n,Gull P.,1999\n,,\n\nB,,\n"
    drafts, problems = read(text, KIND)
    assert [d.title for d in drafts] == [None, "B"]
    assert [(p.code, p.severity, p.index, p.line) for p in problems] == [
        ("missing-title", "warning", 0, 2),
        ("missing-title", "skipped", 1, 3),
    ]


def test_ieee(read: Read) -> None:
    heading = "Document Title,Authors,Publication Title,Publication Year,Start Page,End Page,DOI"
    heading += ",ISBNs,Author Keywords,IEEE Terms,Document Identifier"
    line = (
        "A",
        "P. Gull; L. A. Tern",
        "Conf",
        "2013",
        "16",
        "26",
        "10.5555/I",
        "978-1-7281-2451-3",
    )
    (draft,), _ = read(table(heading, (*line, "a;b", "b;c", "IEEE Conferences")), KIND)
    assert draft.authors == (Author("Gull", "P."), Author("Tern", "L. A."))
    assert (draft.type, draft.venue, draft.pages) == ("inproceedings", "Conf", "16-26")
    assert (draft.isbn, draft.keywords) == ("9781728124513", ("a", "b", "c"))


def test_what_embase_writes_into_one_cell(read: Read) -> None:
    heading = "Title,Author Names,Source,Abstract,Open URL Link"
    link = "http://x.example/?issn=22267190&id=doi:10.5555%2Fem.1&title=Mud"
    source = "Journal of Mud (2014) 3:4 (152-160). Date of Publication: 2014"
    (draft,), _ = read(table(heading, ("A", "Gull P.", source, "Wet.", link)), KIND)
    assert (draft.venue, draft.year, draft.doi) == ("Journal of Mud", 2014, "10.5555/em.1")
    assert (draft.volume, draft.issue, draft.pages) == ("3", "4", "152-160")


def test_web_of_science_with_tabs(read: Read) -> None:
    heading = "PT,AU,AF,TI,SO,DE,CR,PY,UT"
    line = ("J", "Gull, P; Tern, L", "Gull, Pia; Tern, Lou", "A", "MUD", "a; b")
    cited = "Avocet M, 1999, MUD RES, V1, P2, DOI 10.5555/cr; Anon, 2000, MUD"
    text = table(heading, (*line, cited, "2001", "WOS:000000000000009"), delimiter="\t")
    (draft,), _ = read(text, KIND)
    assert draft.authors == (Author("Gull", "Pia"), Author("Tern", "Lou"))
    assert [one.doi for one in draft.references] == ["10.5555/cr", None]
    assert draft.identifiers == {"wos": "000000000000009"}


def test_our_own_table_comes_back(tmp_path: Path) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text(
        "@article{gull99, title={Mud, and; more}, author={Gull, Pia and Tern, Lou and others},"
        " year=1999, month=mar, journal={J}, pages={1--9}, doi={10.5555/a}, keywords={x; y}}",
        encoding="utf-8",
    )
    stream, kept = io.StringIO(), ("title", "authors", "more_authors", "year", "month", "venue")
    with Library.open(tmp_path / "one") as one, Library.open(tmp_path / "two") as two:
        one.import_file(bib)
        one.export("csv", stream)
        path = tmp_path / "a.csv"
        path.write_text(stream.getvalue(), encoding="utf-8")
        two.import_file(path)
        before, after = one.papers.get("gull99"), two.papers.get("gull99")
    for name in (*kept, "pages", "doi", "keywords", "type"):
        assert getattr(after, name) == getattr(before, name), name


@pytest.mark.parametrize(
    ("text", "title", "year"),
    [
        ("Gull, P., Tern, L., Growth of mud (1999) J Mud, 1, p. 2", "Growth of mud", 1999),
        ("Gull, P., Tern, L., (1999) J Mud, 1, p. 2", None, 1999),
        (
            "Gull P., Tern L., Growth, and mud, J. Mud, 1, 2, pp. 3-4, (2019)",
            "Growth, and mud",
            2019,
        ),
        ("Gull P., et al., Growth, J. Mud, 1, (2019)", "Growth", 2019),
        ("Gull P., A book, (1985)", "A book", 1985),
        ("Some report", None, None),
    ],
)
def test_works_cited_in_scopus(text: str, title: str | None, year: int | None) -> None:
    found = scopus_reference(text)
    assert (found.raw, found.title, found.year) == (text, title, year)


@pytest.mark.parametrize("line", ['"x\n1,2\n', '"', '""', '",', "a,", ";", '"a\n', "aA"])
def test_hostile_repetition_is_read_in_time(line: str) -> None:
    text = "Title,Authors\n" + line * (100_000 // len(line))
    outcome = list(CsvImporter().read(SourceText("/x", text, "utf-8")))
    assert outcome
