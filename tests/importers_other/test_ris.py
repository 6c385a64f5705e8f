"""RIS in all the layouts that programs and people write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.ris import RisImporter
from litscape.paper import Author, FileLink, ImportProblem, PaperDraft

Read = Callable[[Any, str], tuple[list[PaperDraft], list[ImportProblem]]]
RIS = RisImporter()


def test_untagged_lines_go_on_with_the_field_above(read: Read) -> None:
    text = (
        "TY  - JOUR\nTI  - Multi line\n  title goes on\nAB  - First line.\nand a second\n"
        "AU: looks odd but is text\n\nThird part.\nKW  - mud\ntide\nPY  - 2011\nER  - \n"
    )
    (draft,), problems = read(RIS, text)
    assert draft.title == "Multi line title goes on"
    assert draft.abstract == "First line. and a second AU: looks odd but is text\n\nThird part."
    assert draft.keywords == ("mud", "tide")
    assert draft.year == 2011
    assert not problems


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_loose_layouts_give_the_same_papers_and_lines(read: Read, end: str) -> None:
    lines = (
        "DB  - Pondbase|AB  - NA|TI  - Tags before the type|TY  - JOUR|AU  - Knot, Ali|ER  - ||"
        "TY - JOUR|TI - One blank|AU - Knot, Ali|PY - 2015|ER -||"
        "TY  -  JOUR|T1  -  Two after|Y1  -  2016///|ER  -||"
        "TY\t- BOOK|TI\t- Tabs|IS \t- 4|ER\t-||"
        "TY-JOUR|TI-Tight|AB-Text|A1 is no tag|ER-||"
        "TY  - JOUR|TI  - No end"
    )
    drafts, problems = read(RIS, lines.replace("|", end))
    titles = ["Tags before the type", "One blank", "Two after", "Tabs", "Tight", "No end"]
    assert [draft.title for draft in drafts] == titles
    assert [draft.line for draft in drafts] == [4, 8, 14, 19, 24, 30]
    assert [draft.index for draft in drafts] == [0, 1, 2, 3, 4, 5]
    assert drafts[0].abstract is None
    assert [(one.code, one.line) for one in problems] == [("unclosed-entry", 30)]


def test_old_and_new_tags_and_repeats(read: Read) -> None:
    text = (
        "TY  - JOUR\nT1  - Old tags\nA1  - Plover, Ina\nA1  - van Horn, Ida, Jr.\n"
        "JF  - Journal of Mud\nJA  - J. Mud\nN2  - Abstract in N2\nY1  - 2009/03/15/\n"
        "VL  - 4\nIS  - 2\nSP  - 10\nEP  - 20\nM3  - 10.5555/mud.1\nKW  - mud; tide\n"
        "L1  - file:///home/u/a%20b.pdf\nUR  - https://example.org/a\n"
        "UR  - https://example.org/b\nSN  - 1234-5678\nSN  - 8765-4321\n"
        "ED  - Ruff, Ed\nED  - Stint, Al\nER  - \n"
    )
    (draft,), problems = read(RIS, text)
    assert draft.authors == (
        Author("Plover", "Ina"),
        Author("Horn", "Ida", "van", "Jr."),
    )
    assert (draft.venue, draft.volume, draft.issue, draft.pages) == (
        "Journal of Mud",
        "4",
        "2",
        "10-20",
    )
    assert (draft.year, draft.month, draft.day) == (2009, 3, 15)
    assert draft.doi == "10.5555/mud.1"
    assert draft.keywords == ("mud", "tide")
    assert draft.files == (FileLink("/home/u/a b.pdf", exists=False),)
    assert draft.url == "https://example.org/a"
    assert draft.identifiers == {"issn": "1234-5678"}
    assert draft.raw_fields == {
        "ja": "J. Mud",
        "ur": "https://example.org/b",
        "sn": "8765-4321",
        "ed": "Ruff, Ed; Stint, Al",
    }
    assert not problems


def test_text_between_records_is_listed_and_glued_to_none(read: Read) -> None:
    text = (
        "Record #1 of 2\nProvider: Ovid\n\n1.\nTY  - JOUR\nTI  - One\nER  - \n\n"
        "NL  - Link\n\nFull text: https://example.org\n\n2.\nTY  - JOUR\nTI  - Two\nER  - \n"
    )
    drafts, problems = read(RIS, text)
    assert [draft.title for draft in drafts] == ["One", "Two"]
    assert [draft.line for draft in drafts] == [5, 14]
    assert {one.code for one in problems} == {"text-outside-record"}
    assert {one.severity for one in problems} == {"note"}
    assert problems[0].line == 1
    assert "Provider: Ovid" in (problems[0].raw or "")
    assert not any(draft.raw_fields for draft in drafts)


def test_er_inside_text_ends_nothing(read: Read) -> None:
    text = (
        "TY  - JOUR\nTI  - Receptors\nAB  - We studied\nER - positive cells\nER  - negative ones\n"
        "ER then more.\nPY  - 2014\nER  - \nTY  - JOUR\nTI  - Next\nER  - the end\n"
    )
    drafts, problems = read(RIS, text)
    assert [draft.title for draft in drafts] == ["Receptors", "Next"]
    assert drafts[0].year == 2014
    assert "negative ones" in (drafts[0].raw or "")
    assert not problems


def test_a_missing_er_costs_no_neighbour(read: Read) -> None:
    drafts, problems = read(RIS, "TY  - JOUR\nTI  - A\nTY  - BOOK\nTI  - B\nER  - \n")
    assert [(draft.title, draft.type) for draft in drafts] == [("A", "article"), ("B", "book")]
    assert [(one.code, one.severity, one.line) for one in problems] == [
        ("unclosed-entry", "warning", 1)
    ]


def test_records_without_a_type_or_title_are_told(read: Read) -> None:
    text = (
        "TI  - No type\nPY  - 2001\nER  - \n\nTY  - THES\nPY  - 2002\nER  - \n\nTY  - GEN\nER  - \n"
    )
    drafts, problems = read(RIS, text)
    assert [(draft.title, draft.type) for draft in drafts] == [("No type", None), (None, "thesis")]
    assert [(one.code, one.severity, one.line, one.is_record) for one in problems] == [
        ("repaired-entry", "warning", 1, False),
        ("missing-title", "warning", 5, False),
        ("missing-title", "skipped", 9, True),
    ]
    assert all(one.raw for one in problems)


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Plover, Ina", Author("Plover", "Ina")),
        ("Plover, Ina, Jr.", Author("Plover", "Ina", None, "Jr.")),
        ("Plover,Ina M.", Author("Plover", "Ina M.")),
        ("van der Berg, Jan", Author("Berg", "Jan", "van der")),
        ("G. Kalbe", Author("Kalbe", "G.")),
        ("Fanning E.", Author("Fanning", "E.")),
        ("Mud Society", Author(literal="Mud Society")),
        ("Sandpiper,", Author(literal="Sandpiper")),
        ("UNESCO", Author(literal="UNESCO")),
        ("Press, William H.", Author("Press", "William H.")),
    ],
)
def test_names(read: Read, name: str, author: Author) -> None:
    (draft,), _ = read(RIS, f"TY  - JOUR\nTI  - T\nAU  - {name}\nAU  - et al.\nER  - \n")
    assert draft.authors == (author,)
    assert draft.more_authors


@pytest.mark.parametrize(
    ("tags", "venue"),
    [
        ("TY  - JOUR\nJA  - J. Mud\nT2  - Journal of Mud", "Journal of Mud"),
        ("TY  - CHAP\nBT  - The Book\nT3  - Series", "The Book"),
        ("TY  - CONF\nC3  - Proceedings of Mud", "Proceedings of Mud"),
        ("TY  - BOOK\nT2  - A Series", None),
    ],
)
def test_the_venue_is_what_it_appeared_in(read: Read, tags: str, venue: str | None) -> None:
    (draft,), _ = read(RIS, f"{tags}\nTI  - T\nER  - \n")
    assert draft.venue == venue


def test_identifiers_come_from_where_programs_put_them(read: Read) -> None:
    text = (
        "TY  - JOUR\nTI  - A\nDB  - PubMed\nAN  - 90000001\n"
        "UR  - https://doi.org/10.5555/a\nER  - \n"
        "TY  - JOUR\nTI  - B\nU1  - 90000002[pmid]\n"
        "UR  - http://arxiv.org/abs/1903.00001v2\nER  - \n"
        "TY  - BOOK\nTI  - C\nSN  - 978-0-00-000000-2\nN1  - Reply to doi:10.5555/other\nER  - \n"
    )
    (first, second, third), _ = read(RIS, text)
    assert (first.doi, first.pmid) == ("10.5555/a", "90000001")
    assert (second.arxiv, second.pmid) == ("1903.00001", "90000002")
    assert (third.isbn, third.doi) == ("9780000000002", None)


def test_references_of_scopus_are_kept(read: Read) -> None:
    note = (
        "References: Heron, M., Mud (2001) J. Mud, 1; Egret, L., Tide (2002) J. Mud, 2, 10.5555/t"
    )
    (draft,), _ = read(RIS, f"TY  - JOUR\nTI  - T\nN1  - {note}\nN1  - Mine\nER  - \n")
    assert [(one.year, one.doi) for one in draft.references] == [
        (2001, None),
        (2002, "10.5555/t"),
    ]
    assert draft.notes == ("Mine",)


def test_a_number_is_no_citation_key(read: Read) -> None:
    text = "TY  - JOUR\nTI  - T\nID  - 17\nER  - \nTY  - JOUR\nTI  - U\nID  - heron2001\nER  - \n"
    drafts, _ = read(RIS, text)
    assert [draft.citekey for draft in drafts] == [None, "heron2001"]
    assert drafts[0].raw_fields["id"] == "17"


def test_the_kind_is_found_from_content() -> None:
    assert RIS.recognises("\nRecord 1\nTY  - JOUR\nTI  - T\nER  - \n") > 0.9
    assert RIS.recognises("TY - JOUR\nTI - T\nER -\n") > 0.9
    assert RIS.recognises("@article{a, title = {TY - no}}") == 0.0
    assert RIS.recognises("PMID- 1\nTI  - T\n") == 0.0


def test_progress_may_cancel(read: Read) -> None:
    from litscape.importers.base import SourceText

    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt(done, total)

    source = SourceText("x", "TY  - JOUR\nTI  - T\nER  - \n\n" * 1000, "utf-8")
    with pytest.raises(KeyboardInterrupt):
        list(RIS.read(source, cancel))


_WORD = st.text(
    st.characters(categories=["L", "N"], exclude_characters="\u0345"), min_size=1, max_size=8
)
_TITLE = st.lists(_WORD, min_size=1, max_size=5).map(" ".join)
_RECORD = st.fixed_dictionaries(
    {
        "title": _TITLE,
        "year": st.integers(1000, 2100),
        "keywords": st.lists(_WORD, max_size=3, unique=True),
        "style": st.sampled_from(["  - ", " - ", "  -  ", "\t- "]),
        "type": st.sampled_from(["JOUR", "BOOK", "CHAP", "THES", "XYZ"]),
        "before": st.booleans(),
        "blank": st.integers(0, 2),
    }
)


def _written(record: dict[str, Any], end: str) -> tuple[str, int]:
    """A record in some layout, and on which of its lines ``TY`` stands."""
    style = record["style"]
    lines = [f"TI{style}{record['title']}", f"PY{style}{record['year']}"]
    lines += [f"KW{style}{word}" for word in record["keywords"]]
    at = len(lines) if record["before"] else 0
    lines.insert(at, f"TY{style}{record['type']}")
    return end.join([*lines, f"ER{style}".rstrip(), *[""] * record["blank"], ""]), at


@given(st.lists(_RECORD, max_size=5), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_layout_gives_what_was_written(records: list[dict[str, Any]], end: str) -> None:
    from litscape.importers.base import SourceText
    from litscape.importers.normalise import fold

    text, lines, line = "", [], 1
    for record in records:
        written, at = _written(record, end)
        lines.append(line + at)
        line += written.count(end)
        text += written
    drafts = list(RIS.read(SourceText("x", text, "utf-8")))
    assert all(isinstance(draft, PaperDraft) for draft in drafts)
    found = [draft for draft in drafts if isinstance(draft, PaperDraft)]
    assert [(draft.title, draft.year, draft.line) for draft in found] == [
        (fold(record["title"]), record["year"], at)
        for record, at in zip(records, lines, strict=True)
    ]


_LINE = st.sampled_from(
    [
        "TY  - JOUR",
        "TY - BOOK",
        "ER  - ",
        "ER -",
        "ER  - text",
        "TI  - Title",
        "AU  - Plover, Ina",
        "PY  - 2001",
        "loose text",
        "  indented",
        "",
        "1.",
        "NL  - Link",
        "KW  - a; b",
        "AD - one blank",
    ]
)


@given(st.one_of(st.lists(_LINE, max_size=25).map("\n".join), st.text(max_size=80)))
def test_no_line_is_lost_whatever_stands_in_the_file(text: str) -> None:
    from litscape.importers.base import SourceText

    kept = "\n".join(one.raw or "" for one in RIS.read(SourceText("x", text, "utf-8")))
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        alone = line.strip()
        if alone:
            assert alone in kept
