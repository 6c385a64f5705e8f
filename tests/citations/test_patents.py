"""Who cites whom among patents and papers, as PatentsView and Reliance on Science list it.

The lists are made up, in the form that both publish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATENTS = (
    '"patent_id"\t"patent_type"\t"patent_date"\t"patent_title"\n'
    '"10000001"\t"utility"\t"2018-06-19"\t"Dam for small ponds"\n'
    '"4058776"\t"utility"\t"1977-11-15"\t"Bias circuit"\n'
)
PAPERS = (
    PaperDraft(
        citekey="heron",
        title="Tides of the northern marshes and what they leave",
        authors=(Author("Heron", "Max"),),
        year=2009,
        doi="10.5555/heron",
        pmid="123",
        identifiers={"openalex": "W77"},
    ),
    PaperDraft(
        citekey="plover",
        title="A survey of long and winding rivers in the plains",
        authors=(Author("Plover", "Ina"),),
        year=2001,
    ),
)
CITED_PATENTS = (
    '"patent_id"\t"citation_sequence"\t"citation_patent_id"\t"citation_date"\t"citation_category"\n'
    '"10000001"\t0\t"4058776"\t"1977-11-01"\t"cited by applicant"\n'
    '"10000001"\t1\t"RE12345"\t"1905-03-01"\t""\n'
    '"999"\t0\t"4058776"\t"1977-11-01"\t""\n'
)
CITED_TEXTS = (
    '"patent_id"\t"other_reference_sequence"\t"other_reference_text"\n'
    '"10000001"\t0\t"Plover, I., “A survey of long and winding rivers in the plains,” 2001."\n'
    '"10000001"\t1\t"Gull, T., “A work that nobody here has, of some length,” Mud, 1999."\n'
)
CITED_PAPERS = (
    "reftype,confscore,oaid,patent,uspto,wherefound,self\n"
    "app,9,77,us-10000001-b2,1,front,0\n"
    "exm,10,88,US-4058776-A,1,body,0\n"
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        file = tmp_path / "g_patent.tsv"
        file.write_text(PATENTS, encoding="utf-8")
        opened.imports.run([file])
        opened.imports.run_drafts(PAPERS)
        yield opened


def patent(library: Library, number: str) -> int:
    [found] = [one.id for one in library.papers if one.identifiers.get("patent") == number]
    return found


def add(library: Library, folder: Path, name: str, text: str) -> tuple[int, int, int]:
    (folder / name).write_text(text, encoding="utf-8")
    report = library.citations.add(folder / name)
    return report.added, report.references, len(report.skipped)


def test_patents_cite_patents(library: Library, tmp_path: Path) -> None:
    assert add(library, tmp_path, "g_us_patent_citation.tsv", CITED_PATENTS) == (1, 1, 1)
    dam = library.papers.get(patent(library, "US10000001"))
    assert dam.cites == (patent(library, "US4058776"),)
    assert [one.source_id for one in dam.references] == ["patent:USRE12345"]
    (tmp_path / "more.tsv").write_text(
        '"patent_id"\t"patent_title"\n"RE012345"\t"Sluice"\n', encoding="utf-8"
    )
    library.imports.run([tmp_path / "more.tsv"])
    assert len(library.papers.get(dam.id).cites) == 2


def test_patents_cite_papers_by_texts(library: Library, tmp_path: Path) -> None:
    assert add(library, tmp_path, "g_other_reference.tsv", CITED_TEXTS) == (1, 1, 0)
    [link] = library.citations.references(patent(library, "US10000001"))
    assert link.paper == library.papers.id_of("plover")
    assert "g_other_reference.tsv" in link.sentence
    [outside] = library.papers.get(patent(library, "US10000001")).references
    assert (outside.title, outside.year) == ("A work that nobody here has, of some length", 1999)
    assert add(library, tmp_path, "g_other_reference.tsv", CITED_TEXTS)[:2] == (0, 0)
    library.citations.refuse("id:1", "plover")
    assert [one.year for one in library.papers.get(1).references] == [1999, 2001]
    assert not library.citations.match().changed
    library.history.undo()
    library.history.undo()
    assert library.papers.get(patent(library, "US10000001")).cites == ()


def test_patents_cite_papers_by_ids(library: Library, tmp_path: Path) -> None:
    assert add(library, tmp_path, "_pcs_oa.csv", CITED_PAPERS) == (1, 1, 0)
    [link] = library.citations.references(patent(library, "US10000001"))
    assert (link.paper, link.score) == (library.papers.id_of("heron"), 0.9)
    bias = library.papers.get(patent(library, "US4058776"))
    assert [one.source_id for one in bias.references] == ["openalex:W88"]
    library.history.undo()
    older = (
        "magid\tdoi\tpmid\tpatent\tconfscore\n5\t10.5555/HERON\t\tus-10000001-b2\t4\n"
        "6\t\t123\t4058776\t10\n"
    )
    assert add(library, tmp_path, "_pcs_mag_doi_pmid.tsv", older) == (2, 0, 0)


def test_patents_of_a_corpus_and_of_a_list_are_one(library: Library, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(
        '{"id": "US-7000001-B2", "kind": "patent", "title": "Weir", "cites": ["US-4058776-A"],'
        ' "refs_ext": ["US-5974396-A", "US-RE33766-E"]}\n'
        '{"id": "US-7000002-B1", "title": "Lock", "refs_ext": ["US-5974396-A", "US-5974396-B1"]}\n',
        encoding="utf-8",
    )
    library.imports.run([corpus])
    listed = '"patent_id"\t"citation_patent_id"\n"10000001"\t"5974396"\n"7000002"\t"RE33766"\n'
    assert add(library, tmp_path, "g_us_patent_citation.tsv", listed) == (0, 2, 0)
    weir = library.papers.get(patent(library, "US7000001"))
    assert weir.cites == (patent(library, "US4058776"),)
    (link,) = library.citations.references(weir.id)
    assert link.sentence == "From the references in corpus.jsonl, found by its number."
    missing = library.citations.missing(1)
    assert [(len(one.cited_by), one.reference.source_id, one.author) for one in missing] == [
        (3, "patent:US5974396", None),
        (2, "patent:USRE33766", None),
        (1, "US-5974396-B1", None),  # a certificate of its re-examination
    ]


def test_the_graph_holds_both_kinds(library: Library, tmp_path: Path) -> None:
    add(library, tmp_path, "patents.tsv", CITED_PATENTS)
    add(library, tmp_path, "texts.tsv", CITED_TEXTS)
    graph = library.citations.graph()
    assert graph.edge_count == 2
    assert library.citations.graph(2000).edge_count == 0
    pairs = library.citations.cocited("plover")
    assert pairs.ids.tolist() == [patent(library, "US4058776")]
