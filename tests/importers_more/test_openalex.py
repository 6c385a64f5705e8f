"""OpenAlex works, written by its published schema: abstracts, topics, and what they cite."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library
from litscape.paper import Author, ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "openalex"


def work(number: int, **values: Any) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.5555/OA.{number}",
        "title": f"Work {number}",
        "display_name": f"Work {number}",
        "publication_year": 2019,
        "publication_date": "2019-03-05",
        "ids": {
            "openalex": f"https://openalex.org/W{number}",
            "mag": str(number),
            "pmid": "https://pubmed.ncbi.nlm.nih.gov/90000001",
            "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/12345",
        },
        "primary_location": {
            "landing_page_url": "https://doi.org/10.5555/oa.1",
            "source": {
                "display_name": "Journal of Mud",
                "issn_l": "1234-5678",
                "host_organization_name": "Marsh Press",
                "type": "journal",
            },
        },
        "type": "article",
        "type_crossref": "journal-article",
        "authorships": [
            {"author": {"display_name": "Pia van der Gull"}, "raw_author_name": "P Gull"},
            {"author": {"display_name": None}, "raw_author_name": "Tern, Lou"},
        ],
        "biblio": {"volume": "4", "issue": "2", "first_page": "1", "last_page": "9"},
        "topics": [{"display_name": "Wetland Ecology"}],
        "keywords": [{"display_name": "Mud"}, {"keyword": "Willow"}],
        "concepts": [{"display_name": "Biology", "score": 0.8}],
        "mesh": [{"descriptor_name": "Models, Molecular"}],
        "referenced_works": [],
        "abstract_inverted_index": {"Mud": [0, 3], "is": [1], "wet.": [2], "stays.": [4]},
        "cited_by_count": 7,
        **values,
    }


PACKED: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "list": json.dumps,
    "indented list": lambda works: json.dumps(works, indent=2),
    "page": lambda works: json.dumps({"meta": {"count": 2}, "results": works, "group_by": []}),
    "indented page": lambda works: json.dumps({"meta": {}, "results": works}, indent=1),
    "lines": lambda works: "\n".join(map(json.dumps, works)) + "\n",
    "lines of pages": lambda works: "\n".join(
        json.dumps({"meta": {}, "results": [one]}) for one in works
    ),
}


def test_a_whole_work(read: Read) -> None:
    (draft,), problems = read(json.dumps(work(1)), KIND)
    assert not problems
    assert draft.title == "Work 1"
    assert draft.authors == (Author("Gull", "Pia", "van der"), Author("Tern", "Lou"))
    assert (draft.year, draft.month, draft.day) == (2019, 3, 5)
    assert (draft.venue, draft.publisher, draft.type) == (
        "Journal of Mud",
        "Marsh Press",
        "article",
    )
    assert (draft.volume, draft.issue, draft.pages) == ("4", "2", "1-9")
    assert (draft.doi, draft.pmid) == ("10.5555/oa.1", "90000001")
    assert draft.abstract == "Mud is wet. Mud stays."
    assert draft.keywords == ("Mud", "Willow")
    assert draft.fields == ("Wetland Ecology", "Models, Molecular")
    assert draft.identifiers == {
        "openalex": "W1",
        "mag": "1",
        "pmcid": "PMC12345",
        "issn": "1234-5678",
    }
    assert draft.source_id == "openalex:W1"
    assert draft.raw_fields["cited_by_count"] == "7"


@pytest.mark.parametrize("packed", sorted(PACKED))
def test_however_works_are_packed(read: Read, packed: str) -> None:
    drafts, problems = read(PACKED[packed]([work(1), work(2), work(3)]), KIND)
    assert [draft.title for draft in drafts] == ["Work 1", "Work 2", "Work 3"]
    assert [draft.index for draft in drafts] == [0, 1, 2]
    assert not problems


def test_a_broken_line_costs_no_other(read: Read) -> None:
    lines = [json.dumps(work(n)) for n in (1, 2, 3)]
    lines[1] = lines[1][:100]
    drafts, problems = read("\n".join(lines), KIND)
    assert [draft.title for draft in drafts] == ["Work 1", "Work 3"]
    assert [(p.code, p.severity, p.line, p.index) for p in problems] == [
        ("broken-entry", "skipped", 2, 1)
    ]
    assert problems[0].raw == lines[1]


def test_a_list_cut_off_gives_what_came_before(read: Read) -> None:
    text = json.dumps([work(1), work(2), work(3)], indent=1)
    drafts, problems = read(text[: text.index("Work 3")], KIND)
    assert [draft.title for draft in drafts] == ["Work 1", "Work 2"]
    assert [p.code for p in problems] == ["file-truncated"]


@pytest.mark.parametrize(
    ("kind", "crossref", "expected"),
    [
        ("article", "proceedings-article", "inproceedings"),
        ("book-chapter", "book-chapter", "incollection"),
        ("dissertation", None, "thesis"),
        ("preprint", "posted-content", "article"),
        ("review", "journal-article", "article"),
        ("dataset", "dataset", "dataset"),
        ("journal-article", None, "article"),
    ],
)
def test_types(read: Read, kind: str, crossref: str | None, expected: str) -> None:
    (draft,), _ = read(json.dumps(work(1, type=kind, type_crossref=crossref)), KIND)
    assert draft.type == expected


def test_older_works(read: Read) -> None:
    old = work(1, topics=None, mesh=None, primary_location=None, publication_date="2019-01-01")
    old |= {
        "host_venue": {"display_name": "Old Mud", "publisher": "Marsh"},
        "concepts": [
            {"display_name": "Biology", "score": 0.8},
            {"display_name": "Guess", "score": 0.1},
        ],
        "abstract_inverted_index": json.dumps({"b": [1], "a": [0]}),
        "is_authors_truncated": True,
    }
    (draft,), _ = read(json.dumps(old), KIND)
    assert (draft.venue, draft.publisher) == ("Old Mud", "Marsh")
    assert draft.fields == ("Biology",)
    assert (draft.year, draft.month, draft.day) == (2019, None, None)
    assert draft.abstract == "a b"
    assert draft.more_authors


@pytest.mark.parametrize(
    "values",
    [
        {"authorships": None, "biblio": None, "ids": None, "primary_location": None},
        {"authorships": [None, {}, {"author": None}], "ids": [], "topics": [None, 7]},
        {"abstract_inverted_index": {"a": None, "b": ["x"]}, "referenced_works": [None, 3, ""]},
        {"publication_year": "n.d.", "publication_date": None, "type": None, "keywords": {}},
    ],
)
def test_missing_and_odd_values_cost_nothing_else(read: Read, values: dict[str, Any]) -> None:
    (draft,), problems = read(json.dumps(work(1, **values)), KIND)
    assert draft.title == "Work 1"
    assert not problems


def test_a_work_without_title_is_told(read: Read) -> None:
    drafts, problems = read(json.dumps([work(1, title=None, display_name=None), work(2)]), KIND)
    assert [draft.title for draft in drafts] == [None, "Work 2"]
    assert [(p.code, p.severity, p.index) for p in problems] == [("missing-title", "warning", 0)]


def test_works_cited_are_linked_now_and_later(tmp_path: Path) -> None:
    def cited(*numbers: int) -> list[str]:
        return [f"https://openalex.org/W{number}" for number in numbers]

    def write(name: str, *works: dict[str, Any]) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(list(works)), encoding="utf-8")
        return path

    def with_ids(number: int, *numbers: int) -> dict[str, Any]:
        return work(number, referenced_works=cited(*numbers), ids={})

    with Library.open(tmp_path / "library") as library:
        library.import_file(write("a.json", with_ids(1, 2, 3, 4), with_ids(2)))
        first = library.papers.get("10.5555/oa.1")
        second = library.papers.get("10.5555/oa.2")
        assert first.cites == (second.id,)
        assert [one.source_id for one in first.references] == ["openalex:W3", "openalex:W4"]
        library.import_file(write("b.json", with_ids(3), with_ids(5, 1)))
        first = library.papers.get("10.5555/oa.1")
        third, fifth = (library.papers.get(f"10.5555/oa.{n}") for n in (3, 5))
        assert set(first.cites) == {second.id, third.id}
        assert [one.source_id for one in first.references] == ["openalex:W4"]
        assert fifth.cites == (first.id,)
        assert not fifth.references
