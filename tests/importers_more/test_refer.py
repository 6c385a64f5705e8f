"""EndNote refer: continuation lines, records without types, and what lies outside."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "endnote-refer"


def test_lines_without_a_tag_go_on_with_the_field(read: Read) -> None:
    text = (
        "%0 Journal Article\n%A Crane, Bob\nStilt, Eve\n%T Over\n   two lines\n"
        "%J Mud\n%D 2003\n%K mud\nwillow; Models, Molecular\n%X One.\n\nTwo.\n%P 1--9\n"
    )
    drafts, problems = read(text, KIND)
    assert not problems
    (draft,) = drafts
    assert draft.title == "Over two lines"
    assert draft.authors == (Author("Crane", "Bob"), Author("Stilt", "Eve"))
    assert draft.keywords == ("mud", "willow", "Models, Molecular")
    assert draft.abstract == "One.\n\nTwo."
    assert draft.pages == "1-9"
    assert draft.raw == text.rstrip()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("between", ["", "\n", "\n\n\n"])
def test_records_with_types_need_no_blank_line(read: Read, end: str, between: str) -> None:
    text = "%0 Book\n%T A\n" + between + "%0 Thesis\n%T B\n%I Univ\n"
    drafts, problems = read(text.replace("\n", end), KIND)
    assert [draft.title for draft in drafts] == ["A", "B"]
    assert [draft.type for draft in drafts] == ["book", "thesis"]
    assert [draft.line for draft in drafts] == [1, 3 + between.count("\n")]
    assert not problems


def test_records_without_types_are_parted_by_blank_lines(read: Read) -> None:
    drafts, _ = read("%A Gull, P.\n%T A\n%D 1990\n\n%A Tern, L.\n%T B\n%D 1991\n", KIND)
    assert [(d.title, d.year, len(d.authors), d.index) for d in drafts] == [
        ("A", 1990, 1, 0),
        ("B", 1991, 1, 1),
    ]
    assert drafts[1].line == 5


def test_a_type_may_stand_in_the_middle(read: Read) -> None:
    drafts, _ = read("%T A\n%0 Book\n%D 1990\n\n%T B\n%0 Report\n", KIND)
    assert [(d.title, d.type) for d in drafts] == [("A", "book"), ("B", "report")]


def test_text_between_records_is_told(read: Read) -> None:
    drafts, problems = read("Exported today\n\n%0 Book\n%T A\n%D 1990\n\nThe end.\n", KIND)
    assert [draft.year for draft in drafts] == [1990]
    assert [(p.code, p.line, p.raw) for p in problems] == [
        ("text-outside-record", 1, "Exported today"),
        ("text-outside-record", 7, "The end."),
    ]


def test_a_record_without_title_is_told(read: Read) -> None:
    drafts, problems = read("%0 Book\n%D 1990\n%A Gull, P.\n\n%0 Book\n\n%0 Book\n%T C\n", KIND)
    assert [draft.title for draft in drafts] == [None, "C"]
    assert [(p.code, p.severity, p.index, p.line) for p in problems] == [
        ("missing-title", "warning", 0, 1),
        ("missing-title", "skipped", 1, 5),
    ]
    assert problems[1].is_record


def test_fields_find_their_place(read: Read) -> None:
    text = (
        "%0 Journal Article\n%T A\n%R https://doi.org/10.5555/REF.1\n%@ 1234-567X\n%8 12 March\n"
        "%D 2001\n%V 3\n%N 4\n%U http://a.example\n%> file:///home/a%20b.pdf\n%Z A note\n"
        "%F gull2001\n%7 2nd\n%A Mud Consortium,\n%M 123\n"
    )
    (draft,), _ = read(text, KIND)
    assert draft.doi == "10.5555/ref.1"
    assert draft.identifiers == {"issn": "1234-567X"}
    assert (draft.year, draft.month, draft.day) == (2001, 3, 12)
    assert (draft.volume, draft.issue, draft.url) == ("3", "4", "http://a.example")
    assert [link.path for link in draft.files] == ["/home/a b.pdf"]
    assert draft.notes == ("A note",)
    assert draft.citekey == "gull2001"
    assert draft.authors == (Author(literal="Mud Consortium"),)
    assert draft.raw_fields["edition"] == "2nd"
    assert draft.raw_fields["accession-num"] == "123"


def test_the_series_of_a_book_is_no_venue(read: Read) -> None:
    drafts, _ = read("%0 Book\n%T A\n%B Series\n\n%0 Book Section\n%T B\n%B Book\n", KIND)
    assert [(d.type, d.venue) for d in drafts] == [("book", None), ("incollection", "Book")]
    assert drafts[0].raw_fields["secondary-title"] == "Series"


def test_a_sign_of_percent_in_text_is_no_tag(read: Read) -> None:
    (draft,), _ = read("%0 Book\n%T A\n%X Of all,\n% of mud, 10\n%x is wet\n", KIND)
    assert draft.abstract == "Of all, % of mud, 10 %x is wet"
