"""EndNote XML: styled text, broken files, and files that mean harm."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "endnote-xml"


def record(inner: str, kind: str = '<ref-type name="Journal Article">17</ref-type>') -> str:
    return f"<record>{kind}{inner}</record>"


def file(*records: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> str:
    return f"{head}\n<xml><records>\n" + "\n".join(records) + "\n</records></xml>\n"


def titled(title: str) -> str:
    return record(f"<titles><title>{title}</title></titles>")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Plain", "Plain"),
        (
            "<style>Growth of </style><style face='italic'>Salix</style> in mud",
            "Growth of Salix in mud",
        ),
        ("\n  <style>Growth of\n   </style>\n  <style>mud</style>\n", "Growth of mud"),
        ("<style>H</style><style face='subscript'>2</style><style>O</style>", "H2O"),
        (
            "<style>H</style>\n <style face='subscript'>2</style>\n <style>O</style>",
            "H2O",
        ),
        ("<style>A &amp; B</style>", "A & B"),
        ("<![CDATA[A <record> & B]]>", "A <record> & B"),
    ],
)
def test_all_styled_parts_are_joined(read: Read, title: str, text: str) -> None:
    (draft,), problems = read(file(titled(title)), KIND)
    assert draft.title == text
    assert not problems


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ('<ref-type name="Journal Article">17</ref-type>', "article"),
        ("<ref-type>6</ref-type>", "book"),
        ("<ref-type>47</ref-type>", "inproceedings"),
        ('<ref-type name="Zeitschriftenartikel">17</ref-type>', "article"),
        ('<ref-type name="Thesis">2</ref-type>', "thesis"),
        ('<ref-type name="Scroll">999</ref-type>', "scroll"),
        ("<ref-type>999</ref-type>", None),
        ("", None),
    ],
)
def test_the_type_comes_from_name_or_number(read: Read, kind: str, expected: str | None) -> None:
    text = file(record("<rec-number>1</rec-number><titles><title>A</title></titles>", kind))
    assert read(text, KIND)[0][0].type == expected


def test_fields_find_their_place(read: Read) -> None:
    text = file(
        record(
            '<database path="/u/Pond.enl">Pond.enl</database><foreign-keys>'
            '<key app="EN" db-id="abc">7</key></foreign-keys><contributors><authors>'
            "<author>Gull, Pia</author><author><style>van Tern, Lou, Jr.</style></author></authors>"
            "<secondary-authors><author>Stilt, Eve</author></secondary-authors></contributors>"
            "<titles><title>A</title><secondary-title>Mud</secondary-title></titles>"
            "<periodical><full-title>Mud</full-title><abbr-1>M.</abbr-1></periodical>"
            "<pages>1–9</pages><volume>4</volume><number>2</number><keywords>"
            "<keyword>Models, Molecular</keyword><keyword/><keyword>a; b</keyword></keywords>"
            "<dates><year>2012</year><pub-dates><date>Mar 3</date></pub-dates></dates>"
            "<isbn>1532-1827 (Electronic)&#xD;0007-0920 (Linking)</isbn>"
            "<accession-num>25647015</accession-num><notes>One.</notes><urls><related-urls>"
            "<url>http://www.ncbi.nlm.nih.gov/pubmed/25647015</url></related-urls><pdf-urls>"
            "<url>internal-pdf://123/a%20b.pdf</url><url>file://localhost/Users/u/c.pdf</url>"
            "</pdf-urls></urls><custom9>kept</custom9>"
        )
    )
    (draft,), problems = read(text, KIND)
    assert not problems
    assert draft.authors == (Author("Gull", "Pia"), Author("Tern", "Lou", "van", "Jr."))
    assert (draft.venue, draft.pages, draft.volume, draft.issue) == ("Mud", "1-9", "4", "2")
    assert draft.keywords == ("Models, Molecular", "a", "b")
    assert (draft.year, draft.month, draft.day) == (2012, 3, 3)
    assert draft.identifiers == {"issn": "1532-1827"}
    assert draft.pmid == "25647015"
    assert draft.notes == ("One.",)
    assert [link.path for link in draft.files] == [
        "/u/Pond.Data/PDF/123/a b.pdf",
        "/Users/u/c.pdf",
    ]
    assert draft.source_id == "endnote:abc:7"
    assert draft.raw_fields["custom9"] == "kept"
    assert draft.raw_fields["editor"] == "Stilt, Eve"


def test_a_record_number_that_stands_twice_names_none(read: Read) -> None:
    one = '<foreign-keys><key db-id="a">7</key></foreign-keys><titles><title>{}</title></titles>'
    drafts, _ = read(file(record(one.format("A")), record(one.format("B"))), KIND)
    assert [draft.source_id for draft in drafts] == ["endnote:a:7", None]


def test_records_without_title_are_told(read: Read) -> None:
    empty = record("<titles/>")
    dated = record("<dates><year>2001</year></dates>")
    drafts, problems = read(file(titled("A"), empty, dated, titled("D")), KIND)
    assert [draft.title for draft in drafts] == ["A", None, "D"]
    assert [(p.code, p.severity, p.index) for p in problems] == [
        ("missing-title", "skipped", 1),
        ("missing-title", "warning", 2),
    ]
    assert problems[0].raw == empty


def test_a_broken_record_costs_no_other(read: Read) -> None:
    broken = "<record><rec-number>2</rec-number><titles><title>B</titel></titles></record>"
    drafts, problems = read(file(titled("A"), broken, titled("C")), KIND)
    assert [draft.title for draft in drafts] == ["A", "C"]
    assert [draft.index for draft in drafts] == [0, 2]
    assert [(p.code, p.severity, p.index, p.line) for p in problems] == [
        ("broken-entry", "skipped", 1, 4),
        ("broken-file", "warning", None, 4),
    ]
    assert problems[0].raw == broken
    assert problems[0].is_record


@pytest.mark.parametrize("cut", [10, 40, 70])
def test_a_file_cut_off_gives_what_came_before(read: Read, cut: int) -> None:
    whole = file(titled("A"), titled("B"))
    text = whole[: whole.index("<record>", whole.index("<record>") + 1) + cut]
    drafts, problems = read(text, KIND)
    assert [draft.title for draft in drafts] == ["A"]
    assert [p.code for p in problems] == ["file-truncated", "broken-file"]


def test_a_record_that_never_closes_ends_at_the_next(read: Read) -> None:
    drafts, problems = read(file(titled("A")[: -len("</record>")], titled("B")), KIND)
    assert [draft.title for draft in drafts] == ["B"]
    assert [p.code for p in problems] == ["broken-entry", "broken-file"]


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        ("Salt & mud", "Salt & mud"),
        ("Salt&nbsp;mud &eacute; &auml;", "Salt mud é ä"),
        ("p < 0.05 in mud", "p < 0.05 in mud"),
        ("Salt\x0b mud\x02", "Salt mud"),
        ("Salt &#x1F; mud &#0;", "Salt mud"),
    ],
)
def test_signs_that_xml_forbids_are_mended_and_told(read: Read, wrong: str, title: str) -> None:
    drafts, problems = read(file(titled(wrong), titled("B")), KIND)
    assert [draft.title for draft in drafts] == [title, "B"]
    assert [(p.code, p.index) for p in problems] == [("repaired-entry", 0)]


def test_entities_of_the_file_are_never_expanded(read: Read) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
    head = (
        '<?xml version="1.0"?>\n<!DOCTYPE xml [<!ENTITY l0 "lol">'
        f'{laughs}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    )
    drafts, problems = read(file(titled("A &l29; B"), titled("&file;"), head=head), KIND)
    assert [draft.title for draft in drafts] == ["A &l29; B", "&file;"]
    assert "entities-ignored" in {problem.code for problem in problems}


def test_elements_without_end_are_refused(read: Read) -> None:
    deep = record("<a>" * 100_000 + "</a>" * 100_000)
    drafts, problems = read(file(titled("A"), deep, titled("C")), KIND)
    assert [draft.title for draft in drafts] == ["A", "C"]
    assert problems[0].code == "broken-entry"


def test_comments_hide_records(read: Read) -> None:
    drafts, problems = read(file(f"<!-- {titled('A')} -->", titled("B")), KIND)
    assert [draft.title for draft in drafts] == ["B"]
    assert not problems


def test_text_between_records_is_told(read: Read) -> None:
    _, problems = read(file(titled("A"), "Loose text", titled("B")), KIND)
    assert [(p.code, p.severity, p.line, p.raw) for p in problems] == [
        ("text-outside-record", "note", 4, "Loose text")
    ]


def test_files_of_endnote_7(read: Read) -> None:
    text = (
        "<XML><RECORDS><RECORD><REFERENCE_TYPE>0</REFERENCE_TYPE><REFNUM>1</REFNUM><AUTHORS>"
        "<AUTHOR>Gull, P.</AUTHOR></AUTHORS><YEAR>1999</YEAR><TITLE>A</TITLE>"
        "<SECONDARY_TITLE>Mud</SECONDARY_TITLE></RECORD></RECORDS></XML>"
    )
    (draft,), _ = read(text, KIND)
    assert (draft.type, draft.title, draft.venue, draft.year) == ("article", "A", "Mud", 1999)
    assert draft.authors == (Author("Gull", "P."),)


@pytest.mark.parametrize("sign", ["<!--", "<![CDATA[", "<record>", "<!DOCTYPE [", "&", "<?"])
def test_hostile_repetition_is_read_in_time(read: Read, sign: str) -> None:
    text = file(titled("A")) + sign * (200_000 // len(sign))
    drafts, _ = read(text, KIND)
    assert drafts[0].title == "A"


def test_several_in_one_element(read: Read) -> None:
    text = file(
        record(
            "<titles><title>A</title></titles><contributors><authors><author>Gull, P.&#xD;Tern, L."
            "</author><author>Stilt, E.; Plover, A.</author></authors></contributors><keywords>"
            "<keyword>mud&#xD;Models,\n   Molecular</keyword></keywords>"
        )
    )
    (draft,), _ = read(text, KIND)
    assert [one.family for one in draft.authors] == ["Gull", "Tern", "Stilt", "Plover"]
    assert draft.keywords == ("mud", "Models, Molecular")
