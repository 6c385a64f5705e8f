"""Semantic Scholar papers, written by its published schema: API and data sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "semantic-scholar"


def number(n: int) -> str:
    return f"{n:040x}"


def paper(n: int, **values: Any) -> dict[str, Any]:
    return {
        "paperId": number(n),
        "corpusId": 1000 + n,
        "externalIds": {
            "DOI": f"10.5555/S2.{n}",
            "ArXiv": "1903.00001",
            "MAG": "77",
            "PubMed": "90000001",
            "PubMedCentral": "12345",
            "DBLP": "journals/mud/Gull19",
            "CorpusId": 1000 + n,
        },
        "url": "https://www.semanticscholar.org/paper/1",
        "title": f"Paper {n}",
        "abstract": "Mud is wet.",
        "venue": "Mud Conf",
        "publicationVenue": {"id": "x", "name": "Conference on Mud", "type": "conference"},
        "year": 2019,
        "publicationDate": "2019-03-05",
        "publicationTypes": ["Review", "Conference"],
        "journal": {"name": "J. Mud", "pages": "1 - 9", "volume": "4"},
        "authors": [
            {"authorId": "1", "name": "Pia van der Gull"},
            {"authorId": None, "name": "L. Tern"},
        ],
        "fieldsOfStudy": ["Biology"],
        "s2FieldsOfStudy": [
            {"category": "Biology", "source": "external"},
            {"category": "Geology", "source": "s2-fos-model"},
        ],
        "citationCount": 7,
        "references": [],
        **values,
    }


def test_a_whole_paper(read: Read) -> None:
    (draft,), problems = read(json.dumps(paper(1)), KIND)
    assert not problems
    assert draft.title == "Paper 1"
    assert draft.authors == (Author("Gull", "Pia", "van der"), Author("Tern", "L."))
    assert (draft.year, draft.month, draft.day) == (2019, 3, 5)
    assert (draft.venue, draft.type) == ("Conference on Mud", "inproceedings")
    assert (draft.volume, draft.pages) == ("4", "1-9")
    assert (draft.doi, draft.arxiv, draft.pmid) == ("10.5555/s2.1", "1903.00001", "90000001")
    assert draft.abstract == "Mud is wet."
    assert draft.fields == ("Biology", "Geology")
    assert draft.identifiers == {
        "s2": number(1),
        "corpus_id": "1001",
        "mag": "77",
        "dblp": "journals/mud/Gull19",
        "pmcid": "PMC12345",
    }
    assert draft.source_id == f"s2:{number(1)}"
    assert draft.raw_fields["citationcount"] == "7"


def test_every_work_cited_is_kept(read: Read) -> None:
    cited = [
        {"paperId": number(2), "title": "Two", "year": 1999, "externalIds": {"DOI": "10.5555/C"}},
        {"paperId": None, "title": "No id", "year": None, "authors": [{"name": "Max van Heron"}]},
        {"citedPaper": {"paperId": number(3), "title": "Three"}, "contexts": []},
        None,
    ]
    (draft,), _ = read(json.dumps(paper(1, references=cited)), KIND)
    assert [(one.source_id, one.title, one.year, one.doi) for one in draft.references] == [
        (f"s2:{number(2)}", "Two", 1999, "10.5555/c"),
        (None, "No id", None, None),
        (f"s2:{number(3)}", "Three", None, None),
    ]
    assert [dict(one.extra) for one in draft.references] == [{}, {"author": "Heron"}, {}]


@pytest.mark.parametrize(
    "packed",
    [
        json.dumps([paper(1), paper(2)]),
        json.dumps({"total": 2, "offset": 0, "data": [paper(1), paper(2)]}, indent=2),
        json.dumps({"data": [{"citedPaper": paper(1), "intents": []}, {"citedPaper": paper(2)}]}),
        "\n".join([json.dumps(paper(1)), json.dumps(paper(2))]),
    ],
)
def test_however_papers_are_packed(read: Read, packed: str) -> None:
    drafts, problems = read(packed, KIND)
    assert [draft.title for draft in drafts] == ["Paper 1", "Paper 2"]
    assert not problems


def test_a_line_of_the_data_set(read: Read) -> None:
    lines = [
        {
            "corpusid": n,
            "externalids": {"DOI": f"10.5555/D{n}", "ArXiv": None, "PubMed": None},
            "title": f"Line {n}",
            "authors": [{"authorId": "1", "name": "Pia Gull"}],
            "venue": "Mud",
            "year": 2001,
            "publicationtypes": ["JournalArticle"],
            "s2fieldsofstudy": [{"category": "Biology", "source": "external"}],
        }
        for n in (1, 2)
    ]
    drafts, problems = read("\n".join(map(json.dumps, lines)), KIND)
    assert [(d.title, d.doi, d.source_id, d.type) for d in drafts] == [
        ("Line 1", "10.5555/d1", "corpus_id:1", "article"),
        ("Line 2", "10.5555/d2", "corpus_id:2", "article"),
    ]
    assert not problems


def test_empty_and_untitled_papers_are_told(read: Read) -> None:
    drafts, problems = read(json.dumps([paper(1, title=None), {"x": 1}, 7, paper(4)]), KIND)
    assert [draft.title for draft in drafts] == [None, "Paper 4"]
    assert [(p.code, p.severity, p.index) for p in problems] == [
        ("missing-title", "warning", 0),
        ("missing-title", "skipped", 1),
        ("broken-entry", "skipped", 2),
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"externalIds": None, "journal": None, "authors": None, "publicationVenue": None},
        {"authors": [None, {}, {"name": None}], "publicationTypes": None, "year": None},
        {"abstract": {"a": 1}, "references": {"a": 1}, "s2FieldsOfStudy": [None], "year": "x"},
    ],
)
def test_missing_and_odd_values_cost_nothing_else(read: Read, values: dict[str, Any]) -> None:
    (draft,), problems = read(json.dumps(paper(1, **values)), KIND)
    assert draft.title == "Paper 1"
    assert not problems
