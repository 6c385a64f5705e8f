"""What each format gives back of what was written in it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from litscape.errors import UserError
from litscape.exporters.latex import escape
from litscape.exporters.registry import exporter, exporters
from litscape.importers import normalise
from litscape.importers.base import SourceText
from litscape.importers.latex import to_unicode
from litscape.importers.registry import importer
from litscape.importers.ris_tags import parted, read_tags_line
from litscape.paper import Author, FileLink, Paper, PaperDraft, Reference

Make = Callable[..., Paper]
Again = Callable[[str, list[Paper]], list[PaperDraft]]
Write = Callable[[str, list[Paper]], str]

AUTHORS = (
    Author("Plover", "Ina", None, "Jr."),
    Author("Horn", "Tom", "van der"),
    Author(literal="Reed and Rush Trust, Inc."),
    Author(literal="Plato"),
    Author("Müller-Lüdenscheidt", "Jörg Ø."),
)
FULL: dict[str, Any] = {
    "type": "article",
    "title": "10% of R&D_costs: $5 and $6, {DNA} ~ C:\\Users ^ #1 – “größer”",
    "authors": AUTHORS,
    "more_authors": True,
    "year": 2019,
    "month": 3,
    "day": 7,
    "venue": "Journal of Mud & Tide",
    "publisher": "Harbour Press",
    "volume": "4",
    "issue": "2",
    "pages": "10-20",
    "doi": "10.5555/a_b(1)<2>",
    "arxiv": "1903.00001",
    "pmid": "90000001",
    "isbn": "9780000000002",
    "url": "https://example.org/~ina/a_b?x=1&y=%20#z",
    "abstract": "First paragraph, 5 < 6.\n\nSecond one.",
    "keywords": ("Models, Molecular", "tide"),
    "notes": ("One note.", "Another; with a semicolon."),
    "files": (FileLink("/home/ina/a b_c.pdf"),),
    "identifiers": {"issn": "1234-5678"},
}
_SAME = tuple(name for name in FULL if name not in ("files", "day"))


@pytest.mark.parametrize("kind", ["bibtex", "ris", "csl-json"])
def test_a_paper_comes_back_with_all_that_the_format_holds(
    paper: Make, again: Again, kind: str
) -> None:
    (draft,) = again(kind, [paper(**FULL)])
    assert draft.citekey == "key1"
    for name in _SAME:
        assert getattr(draft, name) == FULL[name], name
    assert draft.day == 7
    if kind != "csl-json":
        assert [link.path for link in draft.files] == ["/home/ina/a b_c.pdf"]


@pytest.mark.parametrize("kind", ["bibtex", "ris", "csl-json"])
@pytest.mark.parametrize(
    "date",
    [
        {"year": None, "year_raw": "in press"},
        {"year": 1999, "year_raw": "1999/2000"},
        {"year": 2010, "month_raw": "Spring"},
        {"year": 2010, "month": 3, "month_raw": "Mar-Apr"},
        {"year": 2010, "month": 12},
        {"year": 2010},
        {},
    ],
)
def test_dates_come_back(paper: Make, again: Again, kind: str, date: dict[str, Any]) -> None:
    (draft,) = again(kind, [paper(title="T", **date)])
    for name in ("year", "year_raw", "month", "month_raw", "day"):
        assert getattr(draft, name) == date.get(name), name


@pytest.mark.parametrize("kind", ["bibtex", "ris", "csl-json"])
@pytest.mark.parametrize(
    "word",
    ["article", "book", "incollection", "inproceedings", "thesis", "report", "online", "patent"],
)
def test_types_and_venues_come_back(paper: Make, again: Again, kind: str, word: str) -> None:
    venue = None if word in ("book", "thesis", "report", "patent") else "Where it appeared"
    (draft,) = again(kind, [paper(title="T", type=word, venue=venue, publisher="P", issue="3")])
    assert (draft.type, draft.venue, draft.publisher) == (word, venue, "P")
    assert draft.issue == "3"


@pytest.mark.parametrize("kind", ["bibtex", "ris", "csl-json"])
def test_raw_fields_come_back_in_their_own_format(paper: Make, again: Again, kind: str) -> None:
    raw = {
        "bibtex": {"address": "Ghent & Bruges", "urldate": "2019-01-01", "type": "phdthesis"},
        "ris": {"cy": "Ghent", "ed": "Ruff, Ed; Stint, Al", "id": "17", "ty": "INPR"},
        "csl-json": {"publisher-place": "Ghent", "editor": '[{"family": "Ruff"}]', "odd": "x"},
    }[kind]
    word = "thesis" if kind == "bibtex" else "article"
    (draft,) = again(kind, [paper(title="T", type=word, raw_fields=raw)])
    assert dict(draft.raw_fields) == raw
    assert draft.citekey == "key1"


def test_tags_and_aliases_come_back_through_bibtex(paper: Make, again: Again) -> None:
    (draft,) = again(
        "bibtex", [paper(title="T", tags=("to read", "a; b"), citekey_aliases=("old",))]
    )
    assert draft.tags == ("to read", "a; b")
    assert draft.citekey_aliases == ("old",)
    for terms in (("a; b",), ("a, b",), ("a; b", "c, d")):
        (draft,) = again("bibtex", [paper(title="T", tags=terms, keywords=terms)])
        assert (draft.tags, draft.keywords) == (terms, terms)


@pytest.mark.parametrize(
    ("tags", "keywords"),
    [
        (("to read", "Größe"), ("mud", "rivers")),
        (("mud", "x"), ("mud", "rivers")),
        (("rivers", "mud"), ("mud",)),
        (("a; b", "c"), ("b", "d")),
        (("None", "n/a; x"), ("d",)),
        (('say "yes"', "two  blanks", "[1]"), ()),
        ((), ("mud",)),
    ],
)
def test_tags_come_back_as_tags_through_ris(
    paper: Make, again: Again, tags: tuple[str, ...], keywords: tuple[str, ...]
) -> None:
    (draft,) = again("ris", [paper(title="T", tags=tags, keywords=keywords)])
    assert (draft.tags, draft.keywords) == (tags, keywords)
    assert not draft.raw_fields


def test_other_programs_see_tags_of_ris_as_keywords_and_may_take_them_out() -> None:
    assert parted(["mud", "new", "old"], ["old", "gone"], ()) == (("old",), ("mud", "new"))
    assert parted(["mud"], [], ()) == ((), ("mud",))
    for line in ("tags: [1, 2]", "tags: no list", "tags: " + "[" * 5000, "label: x"):
        assert read_tags_line(line) == []


@pytest.mark.parametrize(
    "key",
    ["D'Arc_1963", "DBLP:conf/pond/Reed:2001", "größe2004", "2006start", "10.5555/0196-6774(89)1"],
)
def test_keys_stay_as_they_are(paper: Make, again: Again, key: str) -> None:
    for kind in ("bibtex", "ris", "csl-json", "jsonl"):
        (draft,) = again(kind, [paper(title="T", citekey=key)])
        if kind != "ris" or not key.startswith("10."):
            assert draft.citekey == key


def test_keys_that_no_entry_can_have_are_changed_and_come_back(
    paper: Make, again: Again, write: Write
) -> None:
    keys = ["a,b", "a{b", "a-b", "my key", "Müller, 2020", "100 %"]
    papers = [paper(id=n, title="T", citekey=key) for n, key in enumerate(keys)]
    written = re.findall(r"@misc{(.*),", write("bibtex", papers))
    assert written == ["a-b", "a-b-2", "a-b-3", "my-key", "Müller-2020", "100"]
    found = again("bibtex", papers)
    assert [draft.citekey for draft in found] == keys
    assert not any("litscape-key" in draft.raw_fields for draft in found)


def test_references_come_back_through_ris(paper: Make, again: Again) -> None:
    cited = (Reference("Heron (2001) Mud"), Reference(None, "10.5555/t", "Tide", 2002))
    (draft,) = again("ris", [paper(title="T", references=cited)])
    assert [one.raw for one in draft.references] == ["Heron (2001) Mud", "Tide, 2002, 10.5555/t"]
    assert draft.references[1].doi == "10.5555/t"


def test_bibtex_protects_acronyms_and_keeps_formulas(paper: Make, write: Write) -> None:
    text = write(
        "bibtex", [paper(title="A BERT for mRNA"), paper(id=2, title=r"On $\alpha_{ij}^k$")]
    )
    assert "title = {A {BERT} for {mRNA}}" in text


def test_the_table_has_a_row_a_paper(paper: Make, write: Write) -> None:
    rows = list(
        csv.DictReader(
            io.StringIO(
                write(
                    "csv",
                    [
                        paper(**{**FULL, "collections": (("Water", "Rivers"), ("Birds",))}),
                        paper(id=2, citekey="b", title='Quotes " and\nlines', year_raw="in press"),
                    ],
                )
            )
        )
    )
    assert [row["citekey"] for row in rows] == ["key1", "b"]
    assert rows[0]["authors"].startswith("Plover, Jr., Ina; van der Horn, Tom; Reed and Rush Trust")
    assert rows[0]["authors"].endswith("; et al.")
    assert rows[0]["collections"] == "Water/Rivers; Birds"
    assert (rows[1]["title"], rows[1]["year"]) == ('Quotes " and\nlines', "in press")


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "@SUM(A1)", "+1+2", "-omics of mud", "'=quoted", "＝1+2"]
)
def test_no_cell_of_the_table_is_a_formula(
    paper: Make, write: Write, again: Again, text: str
) -> None:
    papers = [paper(title=text, publisher=text, volume="-1")]
    (row,) = csv.DictReader(io.StringIO(write("csv", papers)))
    assert (row["title"], row["publisher"], row["volume"]) == (f"'{text}", f"'{text}", "-1")
    (draft,) = again("csv", papers)
    assert (draft.title, draft.publisher, draft.volume) == (text, text, "-1")


def test_the_number_in_the_table_is_no_field_of_the_paper(paper: Make, again: Again) -> None:
    (draft,) = again("csv", [paper(id=7, title="Tide", year=2001)])
    assert (draft.title, draft.year, draft.citekey, draft.raw_fields) == ("Tide", 2001, "key1", {})


def test_an_apostrophe_of_another_program_stays() -> None:
    text = "Title,Authors,Year,Publisher\n'-omics,A B,2001,'=x\n"
    (draft,) = importer("csv").read(SourceText("/x", text, "utf-8"))
    assert isinstance(draft, PaperDraft)
    assert (draft.title, draft.publisher) == ("'-omics", "'=x")


@pytest.mark.parametrize("kind", [one.kind for one in exporters()])
def test_no_papers_give_a_sound_empty_file(write: Write, again: Again, kind: str) -> None:
    text = write(kind, [])
    assert text.count("\n") <= 1
    if kind == "csl-json":
        assert json.loads(text) == []
    if kind != "csv":
        assert again(kind, []) == []


def test_an_unknown_format_is_a_users_mistake() -> None:
    with pytest.raises(UserError, match="no export format called “docx”"):
        exporter("docx")


_TEXT = st.text(
    st.one_of(
        st.sampled_from("\\{}$&%#_~^-'`\"<>ab AÉß.:;/@=\u2013"),
        st.characters(codec="utf-8", categories=["L", "N", "P", "S"]),
    ),
    max_size=30,
).map(normalise.fold)


@given(_TEXT)
def test_escaped_text_reads_back_as_itself(text: str) -> None:
    assert normalise.fold(to_unicode(escape(text))) == text


@given(
    titles=st.lists(_TEXT.filter(lambda text: any(map(str.isalnum, text))), min_size=2, max_size=4)
)
def test_no_title_breaks_the_entry_after_it(paper: Make, again: Again, titles: list[str]) -> None:
    papers = [paper(id=n, citekey=f"k{n}", title=title) for n, title in enumerate(titles)]
    for kind in ("bibtex", "ris", "csl-json", "jsonl"):
        keys = [draft.citekey for draft in again(kind, papers)]
        assert keys == [one.citekey for one in papers], kind


_NAME = st.text(st.sampled_from("abÉ'ø- AB."), min_size=1, max_size=8).map(normalise.fold)


@given(
    family=_NAME,
    first=_NAME,
    particle=st.sampled_from([None, "van", "de la"]),
    suffix=st.sampled_from([None, "Jr.", "III"]),
)
def test_any_name_comes_back_through_bibtex(
    paper: Make, again: Again, family: str, first: str, particle: str | None, suffix: str | None
) -> None:
    assume(any(map(str.isalpha, family)) and any(map(str.isalpha, first)))
    assume(not any(pair in family + "/" + first for pair in ("--", "''")))
    author = Author(family, first, particle, suffix)
    (draft,) = again("bibtex", [paper(title="T", authors=(author,))])
    assert [one.display for one in draft.authors] == [author.display]
