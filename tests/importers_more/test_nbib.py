"""PubMed's tagged records: names once, identifiers by their marks, headings whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "nbib"
FIRST = """PMID- 90000001
OWN - NLM
IS  - 1234-5678 (Electronic)
DP  - 2019 Mar-Apr
TI  - A title that runs over
      two lines.
PG  - 1-9
LID - S0000-0000(19)00001-1 [pii]
LID - 10.5555/pm.1 [doi]
AB  - BACKGROUND: Mud is wet. RESULTS:
      CONCLUSIONS: It stays wet.
FAU - van der Avocet, Mary Jane Jr
AU  - van der Avocet MJ Jr
AU  - Godwit TB
CN  - Mud Consortium
FAU - Plover, Ann
AU  - Plover A
PT  - Journal Article
JT  - Journal of mud research
MH  - Models, Molecular
MH  - *Mud/chemistry/*therapy
OT  - wetness
PMC - PMC123456
"""


def test_a_whole_record(read: Read) -> None:
    (draft,), problems = read(FIRST, KIND)
    assert not problems
    assert draft.title == "A title that runs over two lines."
    assert draft.authors == (
        Author("Avocet", "Mary Jane", "van der", "Jr"),
        Author("Godwit", "TB"),
        Author(literal="Mud Consortium"),
        Author("Plover", "Ann"),
    )
    assert (draft.year, draft.month, draft.month_raw) == (2019, 3, "Mar-Apr")
    assert (draft.doi, draft.pmid, draft.type) == ("10.5555/pm.1", "90000001", "article")
    assert draft.abstract == "BACKGROUND: Mud is wet. RESULTS: CONCLUSIONS: It stays wet."
    assert draft.keywords == ("Models, Molecular", "Mud/chemistry/therapy", "wetness")
    assert draft.fields == ("Models, Molecular", "Mud")
    assert draft.identifiers == {"issn": "1234-5678", "pmcid": "PMC123456"}
    assert draft.raw_fields["lid"] == "S0000-0000(19)00001-1 [pii]"
    assert draft.source_id == "pmid:90000001"


@pytest.mark.parametrize("between", ["", "\n", "\n\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_records_one_behind_the_other(read: Read, between: str, end: str) -> None:
    text = FIRST + between + "PMID- 2\nTI  - B\nDP  - 2001 Winter\n"
    drafts, problems = read(text.replace("\n", end), KIND)
    assert [draft.pmid for draft in drafts] == ["90000001", "2"]
    assert (drafts[1].year, drafts[1].month, drafts[1].month_raw) == (2001, None, "Winter")
    assert not problems


def test_pubmed_central_puts_its_own_number_first(read: Read) -> None:
    text = "\nPMC - PMC1\nPMID- 1\nTI  - A\n\nPMC - PMC2222\nPMID- 2\nTI  - B\nAB  - \n"
    drafts, _ = read(text, KIND)
    assert [(d.pmid, d.title, d.line, d.abstract) for d in drafts] == [
        ("1", "A", 2, None),
        ("2", "B", 6, None),
    ]
    assert drafts[1].identifiers == {"pmcid": "PMC2222"}


def test_a_book_and_a_chapter(read: Read) -> None:
    text = (
        "PMID- 1\nBTI - Mud\nPB  - Marsh Press\nISBN- 9783866801929\nDP  - 2001\n"
        "PT  - Book\n\nPMID- 2\nTI  - Wet\nBTI - Mud\nPT  - Book Chapter\n"
    )
    book, chapter = read(text, KIND)[0]
    assert (book.title, book.type, book.publisher) == ("Mud", "book", "Marsh Press")
    assert (book.venue, book.isbn) == (None, "9783866801929")
    assert (chapter.title, chapter.venue, chapter.type) == ("Wet", "Mud", "incollection")


def test_a_record_without_title_is_told(read: Read) -> None:
    drafts, problems = read("PMID- 1\nOWN - NLM\n\nPMID- 2\nDP  - 2001\nJT  - Mud\n", KIND)
    assert [draft.pmid for draft in drafts] == ["2"]
    assert [(p.code, p.severity, p.index, p.line) for p in problems] == [
        ("missing-title", "skipped", 0, 1),
        ("missing-title", "warning", 1, 4),
    ]


def test_a_publishers_placeholder_is_no_abstract(read: Read) -> None:
    text = "PMID- 1\nTI  - A\nOAB - Publisher: Abstract available from the publisher.\n"
    assert read(text, KIND)[0][0].abstract is None
    assert read(text + "OAB - Mud is wet.\n", KIND)[0][0].abstract == "Mud is wet."


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Shaw DM", Author("Shaw", "DM")),
        ("O'Neill-Smith JB 3rd", Author("O'Neill-Smith", "JB", None, "3rd")),
        ("de la Cruz M", Author("Cruz", "M", "de la")),
        ("Selvamani", Author(literal="Selvamani")),
    ],
)
def test_short_names(read: Read, name: str, author: Author) -> None:
    (draft,), _ = read(f"PMID- 1\nTI  - A\nAU  - {name}\nAU  - et al.\n", KIND)
    assert draft.authors == (author,)
    assert draft.more_authors
