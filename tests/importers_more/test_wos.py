"""Web of Science: full names, unknown tags, every work cited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "wos"
HEAD = "FN Clarivate Analytics Web of Science\nVR 1.0\n"
ONE = """PT J
AU Gull, P
   Tern, L
AF Gull, Pia
   Tern, Lou Ann
CA Mud Consortium
TI Growth of willow in
   mud
SO JOURNAL OF MUD
LA English
DT Article; Proceedings Paper
DE mud; willow growth;
   Models, Molecular
ID WETLANDS
AB First line
   goes on.
CR Avocet M, 1999, MUD RES, V12, P3, DOI 10.5555/CR.1
   [Anonymous], 2001, MARSH BOOK OF MUD
   Plover A, 2003, J WET, V1, DOI [10.5555/cr.2, DOI 10.5555/cr.3]
   Stilt E, UNPUB MUD REPORT
   Dunlin B, IN PRESS, J WET, V2
NR 5
UK unknown tag
PD MAR-APR
PY 2012
VL 4
IS 2
BP 1
EP 9
DI 10.5555/WOS.1
PM 90000003
SN 1234-5678
WC Ecology; Soil Science
UT WOS:000000000000001
ER

"""


def test_a_whole_record(read: Read) -> None:
    (draft,), problems = read(HEAD + ONE + "EF\n", KIND)
    assert not problems
    assert draft.authors == (
        Author("Gull", "Pia"),
        Author("Tern", "Lou Ann"),
        Author(literal="Mud Consortium"),
    )
    assert draft.title == "Growth of willow in mud"
    assert (draft.type, draft.venue) == ("article", "JOURNAL OF MUD")
    assert draft.keywords == ("mud", "willow growth", "Models, Molecular", "WETLANDS")
    assert (draft.year, draft.month, draft.month_raw) == (2012, 3, "MAR-APR")
    assert (draft.volume, draft.issue, draft.pages) == ("4", "2", "1-9")
    assert (draft.doi, draft.pmid) == ("10.5555/wos.1", "90000003")
    assert draft.identifiers == {"issn": "1234-5678", "wos": "000000000000001"}
    assert draft.fields == ("Ecology", "Soil Science")
    assert draft.abstract == "First line goes on."
    assert draft.raw_fields["uk"] == "unknown tag"
    assert draft.line == 3


def test_every_work_cited_is_kept(read: Read) -> None:
    (draft,), _ = read(HEAD + ONE, KIND)
    assert [(one.doi, one.year) for one in draft.references] == [
        ("10.5555/cr.1", 1999),
        (None, 2001),
        ("10.5555/cr.2", 2003),
        (None, None),
        (None, None),
    ]
    assert draft.references[0].raw == "Avocet M, 1999, MUD RES, V12, P3, DOI 10.5555/CR.1"
    assert draft.references[0].extra == {
        "author": "Avocet M",
        "source": "MUD RES",
        "volume": "12",
        "page": "3",
    }
    assert draft.references[3].raw == "Stilt E, UNPUB MUD REPORT"


def test_a_work_cited_may_go_on_under_its_line(read: Read) -> None:
    text = ONE.replace("P3, DOI 10.5555/CR.1", "P3,\n   DOI 10.5555/CR.1")
    (draft,), _ = read(HEAD + text, KIND)
    assert len(draft.references) == 5
    assert draft.references[0].doi == "10.5555/cr.1"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_records_without_end_are_told_and_cost_nothing(read: Read, end: str) -> None:
    text = HEAD + ONE.replace("ER\n\n", "") + ONE + "EF\n" + ONE.replace("ER\n\n", "")
    drafts, problems = read(text.replace("\n", end), KIND)
    assert len(drafts) == 3
    assert [(p.code, p.severity, p.index) for p in problems] == [
        ("unclosed-entry", "warning", 0),
        ("unclosed-entry", "warning", 2),
    ]
    assert len(drafts[1].references) == 5


def test_a_file_needs_no_head(read: Read) -> None:
    assert len(read("\ufeff" + ONE, KIND)[0]) == 1


def test_a_record_without_title_is_told(read: Read) -> None:
    text = HEAD + "PT J\nAU Gull, P\nPY 2001\nER\n\nPT J\nUT WOS:000000000000002\nER\n"
    drafts, problems = read(text, KIND)
    assert [draft.title for draft in drafts] == [None]
    assert [(p.code, p.severity, p.index, p.line) for p in problems] == [
        ("missing-title", "warning", 0, 3),
        ("missing-title", "skipped", 1, 8),
    ]


@pytest.mark.parametrize(
    ("part", "document", "kind"),
    [
        ("J", "Article", "article"),
        ("J", "Review", "article"),
        ("J", "Book Review", "review"),
        ("C", "Proceedings Paper", "inproceedings"),
        ("S", "Proceedings Paper", "inproceedings"),
        ("B", "Article; Book Chapter", "incollection"),
        ("B", "Book", "book"),
        ("P", "", "patent"),
    ],
)
def test_types(read: Read, part: str, document: str, kind: str) -> None:
    (draft,), _ = read(f"{HEAD}PT {part}\nAU Gull, P\nTI A\nDT {document}\nER\n", KIND)
    assert draft.type == kind


def test_short_names_without_commas(read: Read) -> None:
    (draft,), _ = read(f"{HEAD}PT J\nAU GULL P\n   von Tern LA\nTI A\nSO B\nER\n", KIND)
    assert draft.authors == (Author("GULL", "P"), Author("Tern", "LA", "von"))
