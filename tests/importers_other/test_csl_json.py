"""CSL JSON with every form of date, and with lists that are broken somewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.base import SourceText
from litscape.importers.csl_json import CslJsonImporter
from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[[Any, str], tuple[list[PaperDraft], list[ImportProblem]]]
CSL = CslJsonImporter()


def one(read: Read, **item: Any) -> PaperDraft:
    (draft,), _ = read(CSL, json.dumps([{"id": "x", "title": "T", **item}]))
    return draft


@pytest.mark.parametrize(
    ("issued", "expected"),
    [
        ({"date-parts": [[2015, 3, 9]]}, (2015, 3, 9)),
        ({"date-parts": [["2016", 4]]}, (2016, 4, None)),
        ({"date-parts": [["2016", "04", "07"]]}, (2016, 4, 7)),
        ({"date-parts": [2019, 5]}, (2019, 5, None)),
        ({"date-parts": [[2001], [2003]]}, (2001, None, None)),
        ({"date-parts": [[2010]], "season": "2"}, (2010, None, None)),
        ({"date-parts": [[2010, 13]]}, (2010, None, None)),
        ({"date-parts": [["2018-02-03"]]}, (2018, 2, 3)),
        ({"date-parts": [[None]]}, (None, None, None)),
        ({"date-parts": [[9999, 12, 31]]}, (None, None, None)),
        ({"raw": "2024 Feb 21"}, (2024, 2, 21)),
        ({"literal": "in press"}, (None, None, None)),
        ({"literal": "May 2010"}, (2010, 5, None)),
        ({"year": "1999"}, (1999, None, None)),
        ([{"year": 1999, "month": 5}], (1999, 5, None)),
        ({"date-parts": [[2015.0, 3.0]]}, (2015, 3, None)),
        ({"date-parts": [[2016, "May"]]}, (2016, 5, None)),
        ("2018-02", (2018, 2, None)),
        (2018, (2018, None, None)),
        ([[2017, 1]], (2017, 1, None)),
        ({}, (None, None, None)),
    ],
)
def test_every_form_of_date_gives_what_it_holds(
    read: Read, issued: Any, expected: tuple[int | None, ...]
) -> None:
    draft = one(read, issued=issued)
    assert (draft.year, draft.month, draft.day) == expected


def test_raw_texts_of_dates_stay(read: Read) -> None:
    assert one(read, issued={"literal": "in press"}).year_raw == "in press"
    assert one(read, issued={"date-parts": [[2001], [2003]]}).year_raw == "2001/2003"
    assert one(read, issued={"date-parts": [[2010]], "season": "2"}).month_raw == "Summer"


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ({"family": "Snipe", "given": "Uwe"}, Author("Snipe", "Uwe")),
        ({"literal": "Mud Society"}, Author(literal="Mud Society")),
        (
            {"family": "Horn", "given": "I", "non-dropping-particle": "van", "suffix": "III"},
            Author("Horn", "I", "van", "III"),
        ),
        (
            {"family": "Beethoven", "given": "L", "dropping-particle": "van"},
            Author("Beethoven", "L", "van"),
        ),
        ({"family": "Plato"}, Author(literal="Plato")),
        ({"given": "Plato"}, Author(literal="Plato")),
        ("Uwe Snipe", Author("Snipe", "Uwe")),
    ],
)
def test_names(read: Read, name: Any, author: Author) -> None:
    assert one(read, author=[name]).authors == (author,)


def test_fields_find_their_place_and_the_rest_stays_raw(read: Read) -> None:
    draft = one(
        read,
        id=3,
        type="article-journal",
        **{"container-title": ["Listed", "Again"], "page": "1–9", "publisher-place": "Ghent"},
        DOI="https://doi.org/10.5555/CSL.1",
        ISSN="1234-5678",
        PMID=90000001,
        keyword="mud, tide",
        note="PMID: 1\n\nMine",
        abstract="<p>One.</p><p>Two.</p>",
        editor=[{"family": "Ruff"}],
    )
    assert (draft.citekey, draft.source_id) == ("3", "3")
    assert (draft.type, draft.venue, draft.pages) == ("article", "Listed", "1-9")
    assert (draft.doi, draft.pmid) == ("10.5555/csl.1", "90000001")
    assert draft.identifiers == {"issn": "1234-5678"}
    assert draft.keywords == ("mud", "tide")
    assert draft.notes == ("PMID: 1", "Mine")
    assert draft.abstract == "One.\n\nTwo."
    assert draft.raw_fields == {
        "container-title": "Listed; Again",
        "publisher-place": "Ghent",
        "editor": '[{"family": "Ruff"}]',
    }


def test_an_unknown_type_stays(read: Read) -> None:
    draft = one(read, type="hologram")
    assert (draft.type, draft.raw_fields["type"]) == ("hologram", "hologram")


GOOD = '{"id": "a", "title": "A", "author": [{"family": "X", "given": "Y"}]}'


@pytest.mark.parametrize(
    ("text", "titles", "problems"),
    [
        (f"[{GOOD},\n{GOOD}]", ["A", "A"], []),
        (f'{{"items": [{GOOD}], "n": 1}}', ["A"], []),
        (GOOD, ["A"], []),
        (f'{{"x": {GOOD}, "y": {GOOD}}}', ["A", "A"], []),
        (f"[{GOOD}\n{GOOD}]", ["A", "A"], []),
        (f'[{GOOD},\n{{"id": "b" "title": "B"}},\n{GOOD}]', ["A", "A"], [("broken-entry", 2, 1)]),
        (f'[{GOOD},\n{{"id": "b", "title": "B', ["A"], [("file-truncated", 2, 1)]),
        (f"[{GOOD},", ["A"], [("file-truncated", 1, None)]),
        (f"[1,\n{GOOD}]", ["A"], [("broken-entry", 1, 0)]),
        (f"[{GOOD}] and more", ["A"], [("text-outside-record", 1, None)]),
        ('{"nothing": 1', [], [("file-truncated", 1, 0)]),
        ("[" * 5000, [], [("file-truncated", 1, 0)]),
        ("[]", [], []),
        ("", [], []),
    ],
)
def test_a_broken_item_costs_no_neighbour(
    read: Read, text: str, titles: list[str], problems: list[tuple[str, int, int | None]]
) -> None:
    drafts, found = read(CSL, text)
    assert [draft.title for draft in drafts] == titles
    assert [(issue.code, issue.line, issue.index) for issue in found] == problems
    assert all(issue.raw for issue in found if issue.is_record)


def test_raw_text_and_index_are_those_of_the_file(read: Read) -> None:
    drafts, _ = read(CSL, f"[\n{GOOD},\r\n {GOOD}]")
    assert [(draft.raw, draft.line, draft.index) for draft in drafts] == [
        (GOOD, 2, 0),
        (GOOD, 3, 1),
    ]


def test_the_kind_is_found_from_content() -> None:
    assert CSL.recognises('[{"id": 1, "type": "book", "issued": {"raw": "2001"}}]') > 0.9
    assert CSL.recognises('{"title": "A"}\n{"title": "B"}\n') < 0.3
    assert CSL.recognises("@article{x}") == 0.0


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
_NAMES = (
    "id",
    "type",
    "title",
    "author",
    "issued",
    "container-title",
    "DOI",
    "keyword",
    "note",
    "page",
)
_ITEM = st.dictionaries(st.sampled_from(_NAMES), _JSON, max_size=6)


@given(st.lists(_ITEM, max_size=4))
def test_whatever_stands_in_a_variable_no_item_is_lost(items: list[dict[str, Any]]) -> None:
    outcome = list(CSL.read(SourceText("x", json.dumps(items), "utf-8")))
    records = [one for one in outcome if isinstance(one, PaperDraft) or one.is_record]
    assert [one.index for one in records] == list(range(len(items)))


@given(
    st.lists(
        st.sampled_from([GOOD, "{", "}", "[", "]", ",", '"', ":", "\n", "1", "x"]), max_size=14
    )
)
def test_any_text_is_read_without_an_exception(parts: list[str]) -> None:
    text = "".join(parts)
    kept = "".join(one.raw or "" for one in CSL.read(SourceText("x", text, "utf-8")))
    assert kept.count('"title": "A"') <= text.count('"title": "A"')
