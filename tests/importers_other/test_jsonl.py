"""JSON lines: open corpora, and lines that are broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.base import SourceText
from litscape.importers.jsonl import JsonlImporter, object_of
from litscape.paper import Author, ImportProblem, PaperDraft, Reference

Read = Callable[[Any, str], tuple[list[PaperDraft], list[ImportProblem]]]
JSONL = JsonlImporter()


def test_a_record_of_a_corpus_finds_its_fields(read: Read) -> None:
    record = {
        "id": "arxiv:1903.00001",
        "title": "Mud <i>and</i> tide",
        "abstract": "We studied mud.",
        "authors": ["Ina Plover", "Tom van Horn", "R. L. Ruff and W. C. Stint", "Lakshman, V.S."],
        "year": 2019,
        "venue": "MUD 2019",
        "doi": "https://doi.org/10.5555/MUD.1",
        "arxiv": None,
        "labels": ["cs.CL"],
        "mesh": ["Models, Molecular"],
        "kind": "preprint",
        "cites": ["arxiv:1811.00001"],
        "refs_ext": ["US-1-A", "10.5555/other"],
        "src": "mud",
        "open": 1,
        "included": ["Set_1", "Set_2"],
        "empty": [],
    }
    (draft,), problems = read(JSONL, json.dumps(record))
    assert draft.citekey == draft.source_id == "arxiv:1903.00001"
    assert draft.title == "Mud and tide"
    assert draft.authors == (
        Author("Plover", "Ina"),
        Author("Horn", "Tom", "van"),
        Author("Ruff", "R. L."),
        Author("Stint", "W. C."),
        Author("Lakshman", "V.S."),
    )
    assert (draft.doi, draft.arxiv) == ("10.5555/mud.1", "1903.00001")
    assert draft.fields == ("cs.CL", "Models, Molecular")
    assert draft.type == "article"
    assert draft.cites == ("arxiv:1811.00001",)
    assert draft.references == (
        Reference(raw="US-1-A", source_id="US-1-A"),
        Reference(raw="10.5555/other", doi="10.5555/other", source_id="10.5555/other"),
    )
    assert draft.raw_fields == {"src": "mud", "open": "1", "included": "Set_1; Set_2"}
    assert not problems


def test_an_id_that_can_be_no_key_is_made_one(read: Read) -> None:
    (draft,), _ = read(JSONL, '{"id": "my paper, {1}", "title": "T"}')
    assert (draft.citekey, draft.source_id) == ("my-paper-1", "my paper, {1}")


def test_years_that_are_none_keep_their_text(read: Read) -> None:
    lines = [{"title": "T", "year": year} for year in (9999, "in press", "2001", None, True)]
    drafts, _ = read(JSONL, "\n".join(map(json.dumps, lines)))
    found = [(draft.year, draft.year_raw) for draft in drafts]
    assert found[:4] == [(None, "9999"), (None, "in press"), (2001, None), (None, None)]


def test_broken_lines_are_told_with_their_numbers(read: Read) -> None:
    lines = ('{"title": "A"}', "", "not json", "[1]", '{"title": "B"}', '{"abstract": "C"}')
    text = "\r\n".join([*lines, '{"title": "D'])
    drafts, problems = read(JSONL, text)
    assert [(draft.title, draft.line) for draft in drafts] == [("A", 1), ("B", 5), (None, 6)]
    assert [(one.code, one.severity, one.line, one.raw) for one in problems] == [
        ("broken-entry", "skipped", 3, "not json"),
        ("broken-entry", "skipped", 4, "[1]"),
        ("missing-title", "warning", 6, '{"abstract": "C"}'),
        ("file-truncated", "skipped", 7, '{"title": "D'),
    ]


def test_the_kind_is_found_from_content() -> None:
    assert JSONL.recognises('{"id": 1, "title": "A"}\n{"id": 2, "title": "B"}\n') > 0.8
    assert JSONL.recognises('{\n "title": "A"\n}') == 0.0
    assert JSONL.recognises('[{"title": "A"}]') == 0.0


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
_KEYS = (
    "id citekey raw_fields title authors year month cites references refs_ext labels files"
    " collections keywords identifiers doi arxiv pages abstract more_authors other"
)
_RECORD = st.dictionaries(st.sampled_from(_KEYS.split()), _JSON, max_size=8)


@given(st.lists(_RECORD, max_size=4))
def test_whatever_stands_under_a_key_no_record_is_lost(records: list[dict[str, Any]]) -> None:
    text = "\n".join(map(json.dumps, records))
    outcome = list(JSONL.read(SourceText("x", text, "utf-8")))
    found = [one for one in outcome if isinstance(one, PaperDraft) or one.is_record]
    assert [one.index for one in found] == list(range(len(records)))


def test_every_kind_of_line_end_counts_also_mixed() -> None:
    from litscape.importers.jsonl import text_lines

    text = "a\rb\r\nc\n\nd"
    assert [(n, line) for n, _, line in text_lines(text)] == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, ""),
        (5, "d"),
    ]


def test_a_text_without_an_end_is_told_in_words() -> None:
    _value, error = object_of('{"title": "Mud and')
    assert error == "A text in quotes has no end, begun at character 11"


def test_references_that_name_no_work_are_told(read: Read) -> None:
    references = [{"doi": "not a doi"}, {}, {"title": "Mud"}, "10.5555/other"]
    lines = [{"title": "A", "references": references}, {"title": "B", "references": [{"doi": "x"}]}]
    (first, _), problems = read(JSONL, "\n".join(map(json.dumps, lines)))
    assert [one.title or one.doi for one in first.references] == ["Mud", "10.5555/other"]
    assert [(one.code, one.severity, one.line) for one in problems] == [
        ("empty-reference", "warning", 1),
        ("empty-reference", "warning", 2),
    ]
    assert "2 references of the record of line 1" in problems[0].message
    assert '{"doi": "not a doi"}' in problems[0].message
