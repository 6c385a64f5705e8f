"""Asking a library for its citations, adding to them, writing them out."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

from litscape.errors import UserError
from litscape.graph import exports, missing
from litscape.paper import Author, PaperDraft, Reference
from litscape.store.bulk import INSERTS, insert_citations, many
from litscape.store.coupling import shared_references

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.library import Library

RIVERS = "Rivers under pressure: a study of mud"


def paper(key: str, year: int | None = 2000, **fields: Any) -> PaperDraft:
    return PaperDraft(citekey=key, title=f"Paper {key}", year=year, **fields)


def add(library: Library, tmp_path: Path, text: str, name: str = "links.csv") -> Any:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return library.citations.add(path)


def test_counts(library: Library, fill: Any) -> None:
    outside = (Reference(doi="10.5555/x"), Reference(raw="Something"), Reference(raw="Something"))
    fill(
        library,
        [paper("a", references=outside), paper("b"), paper("c", None), paper("d"), paper("e")],
        [(1, 2), (3, 2), (5, 4)],
    )
    with library.database.write() as conn:
        insert_citations(conn, [(1, 3, "openalex")])
    library.edit.trash(["e"])
    stats = library.citations.stats()
    assert (stats.papers, stats.with_references, stats.linked, stats.undated) == (4, 2, 3, 1)
    assert (stats.links, stats.outside_references, stats.outside_works) == (3, 2, 2)
    assert [(one.name, one.links) for one in stats.by_source] == [("an import", 2), ("OpenAlex", 1)]
    assert (stats.components, stats.largest) == (1, 3)


def test_an_empty_library(library: Library) -> None:
    stats = library.citations.stats()
    assert (stats.papers, stats.links, stats.components, stats.largest) == (0, 0, 0, 0)
    assert library.citations.missing() == ()
    assert len(library.citations.all_cocited().others) == 0
    assert library.citations.graph(as_of=2000).edges().shape == (0, 2)


def test_where_links_come_from_is_said(library: Library, fill: Any) -> None:
    fill(library, [paper("a"), paper("b"), paper("c"), paper("d")])
    with library.database.write() as conn:
        conn.exec_driver_sql("INSERT INTO sources VALUES (7, '/home/me/refs.bib', 'bibtex', NULL)")
        insert_citations(
            conn,
            [
                (1, 2, "import:7", "title", 0.85),
                (1, 3, "openalex", "doi", 1.0),
                (4, 1, "file:links.csv", "given", 1.0),
                (4, 2, "import"),
            ],
        )
    found = library.citations.references("a")
    assert [(one.paper, one.sentence) for one in found] == [
        (2, "From the references in refs.bib, found by title, first author and year (85% sure)."),
        (3, "From OpenAlex, found by its DOI."),
    ]
    (citing,) = library.citations.citing("a")
    assert (citing.paper, citing.sentence) == (4, "From the list of links links.csv.")
    assert library.citations.citing("b")[1].sentence == "From the references in an import."
    library.edit.trash(["b"])
    assert [one.paper for one in library.citations.references("a")] == [3]
    with pytest.raises(UserError, match="no paper nobody"):
        library.citations.references("nobody")


def test_works_outside_with_how_often_they_are_cited(library: Library, fill: Any) -> None:
    mud = Reference(doi="10.5555/mud", title="Mud")
    fill(library, [paper("a", references=(mud, Reference(raw="?"))), paper("b", references=(mud,))])
    first, second = library.citations.outside("a")
    assert (first.reference, first.position, first.citing) == (mud, 0, 2)
    assert (second.reference.raw, second.work, second.citing) == ("?", None, 1)


def test_a_wrong_link_is_taken_back_for_good(library: Library, tmp_path: Path) -> None:
    record = (
        '{"id": "a", "citekey": "a", "title": "Paper a", "raw_fields": {}, "references": '
        '[{"title": "Rivers under pressure: a study of mud", "year": 2001, "raw": "Heron, M."}]}'
    )
    (tmp_path / "a.jsonl").write_text(record, "utf-8")
    library.imports.run([tmp_path / "a.jsonl"])
    library.imports.run_drafts(
        [PaperDraft(citekey="b", title=RIVERS, year=2002, authors=(Author("Heron"),))]
    )
    assert [(one.paper, one.method) for one in library.citations.references("a")] == [(2, "title")]
    with pytest.raises(UserError, match="no link from"):
        library.citations.refuse("b", "a")
    library.citations.refuse("a", "b")
    assert library.citations.references("a") == ()
    (work,) = library.citations.outside("a")
    assert (work.reference.raw, work.reference.year) == ("Heron, M.", 2001)
    library.edit.edit(["b"], {"citekey": "river"})
    assert not library.citations.match().changed
    again = record.replace('"Paper a"', '"Paper a, corrected"')
    (tmp_path / "a.jsonl").write_text(again, "utf-8")
    library.imports.run([tmp_path / "a.jsonl"])
    assert library.papers.get(1).title == "Paper a, corrected"
    assert (library.citations.references("a"), len(library.papers.get(1).references)) == ((), 1)
    for _step in range(3):
        library.history.undo()
    assert [one.paper for one in library.citations.references("a")] == [2]
    assert library.papers.get(1).references == ()


def test_missing_works_end_where_they_end(
    library: Library, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(missing, "MOST_COMPARED", 2)
    works = tuple(Reference(doi=f"10.5555/{number}") for number in range(5))
    fill(library, [paper("a", references=works), paper("b", references=works)])
    assert len(library.citations.missing()) == 2
    assert len(library.citations.missing(limit=4)) == 4
    assert len(library.citations.missing(limit=1000)) == 5


def test_a_work_that_stands_twice_in_a_list_is_cited_once(library: Library, fill: Any) -> None:
    title = "A long and winding study of mud"
    twice = (
        Reference(title=title, year=1999, extra={"author": "Plover"}),
        Reference(doi="10.5555/mud", title=title, year=1999, extra={"author": "Plover"}),
        Reference(raw="?"),
        Reference(raw="?"),
    )
    fill(library, [paper("a", references=twice)])
    works = library.citations.outside("a")
    assert [(one.position, one.reference.doi, one.citing) for one in works] == [
        (0, "10.5555/mud", 1),
        (2, None, 1),
        (3, None, 1),
    ]
    stats = library.citations.stats()
    assert (stats.outside_references, stats.outside_works) == (1, 1)
    assert library.papers.get(1).references == twice
    (work,) = library.citations.missing(1)
    assert work.cited_by == (1,)


def test_links_of_a_list_are_one_change(library: Library, fill: Any, tmp_path: Path) -> None:
    fill(
        library,
        [paper("a", doi="10.5555/a"), paper("b", pmid="77"), paper("c", arxiv="1903.00001"),
         paper("d", identifiers={"openalex": "W12345"}), paper("99"), paper("e")],
        [(2, 1)],
    )  # fmt: skip
    report = add(
        library,
        tmp_path,
        "citing,cited\n"
        "a,b\n"
        "https://doi.org/10.5555/A,arXiv:1903.00001\n"
        "pmid:77,https://openalex.org/W12345\n"
        "# a remark\n"
        "b,a\n"
        "b,10.5555/outside\n"
        "b,10.5555/outside\n"
        "id:6,key:99\n"
        "\n"
        "a,a\n"
        "nobody,a\n"
        "a,whatever this is\n"
        "a\n",
    )
    assert (report.lines, report.added, report.references, report.known) == (11, 4, 1, 2)
    assert [(one.line, one.why) for one in report.skipped] == [
        (11, "a paper does not cite itself"),
        (12, "nobody is no paper of this library"),
        (13, "whatever this is is neither a paper of this library nor an identifier"),
        (14, "it has no two columns"),
    ]
    assert report.lines == report.added + report.references + report.known + len(report.skipped)
    edges = {tuple(pair) for pair in library.citations.graph().edges().tolist()}
    assert edges == {(2, 1), (1, 2), (1, 3), (2, 4), (6, 5)}
    assert library.papers.get("b").references == (Reference(doi="10.5555/outside"),)
    assert library.citations.references("a")[0].source == "file:links.csv"
    assert [one.title for one in library.history.entries(9)] == ["Add links of links.csv"]
    library.history.undo()
    assert library.citations.graph().edges().tolist() == [[2, 1]]
    assert library.papers.get("b").references == ()
    library.history.redo()
    assert {tuple(pair) for pair in library.citations.graph().edges().tolist()} == edges
    library.edit.add(PaperDraft(citekey="o", title="Outside", doi="10.5555/outside"))
    assert library.citations.citing("o")[0].paper == 2


def test_a_name_of_two_papers_is_not_guessed(library: Library, fill: Any, tmp_path: Path) -> None:
    fill(
        library, [paper("2"), paper("b"), paper("c", doi="10.5555/x"), paper("d", doi="10.5555/x")]
    )
    report = add(library, tmp_path, "c\t2\nc\t10.5555/x\nc\tid:2\nc\tkey:2\n", "links.tsv")
    assert [one.why for one in report.skipped] == [
        "2 may be several papers: name id:1 or id:2",
        "10.5555/x may be several papers: name id:3 or id:4",
    ]
    assert library.citations.graph().edges().tolist() == [[3, 1], [3, 2]]


def test_columns_by_name_and_semicolons(library: Library, fill: Any, tmp_path: Path) -> None:
    fill(library, [paper("a"), paper("b")])
    text = "Cited;weight;Citing\r\na;3;b\r\n"
    assert add(library, tmp_path, text).added == 1
    assert library.citations.graph().edges().tolist() == [[2, 1]]
    again = add(library, tmp_path, text)
    assert (again.added, again.known, again.changes.change_id) == (0, 1, None)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("PMID 0077", "https://pubmed.ncbi.nlm.nih.gov/78/"),
        ('"US-7,000,001-B2"', '"7,000,002"'),
        ("US7000001B1", "7000002"),
        ("patent:US7000001", "us 7000002"),
        ("https://arxiv.org/abs/1903.00001v2", "arXiv:1903.00002"),
    ],
)
@pytest.mark.parametrize("heading", ["", "Citing DOI,Cited DOI", "paper,references", "id,cites"])
def test_names_as_people_write_them(
    library: Library, fill: Any, tmp_path: Path, line: str, other: str, heading: str
) -> None:
    first = {"patent": "US7000001"}
    second = {"patent": "US7000002"}
    fill(
        library,
        [
            paper("a", pmid="77", arxiv="1903.00001", identifiers=first),
            paper("b", pmid="78", arxiv="1903.00002", identifiers=second),
        ],
    )
    report = add(library, tmp_path, f"{heading}\n{line},{other}\n")
    if other.startswith("us "):  # small letters are no number of a patent
        assert [one.line for one in report.skipped] == [2]
    else:
        assert (report.added, report.skipped) == (1, ())


def test_an_open_quote_costs_its_line_alone(library: Library, fill: Any, tmp_path: Path) -> None:
    fill(library, [paper("a"), paper("b"), paper("c", doi="10.5555/c")])
    lines = ['a,"b', "b,a", "c,a", *[f"a,10.5555/{n}" for n in range(9000)]]
    report = add(library, tmp_path, "\ufeff" + "\r\n".join(lines))
    assert (report.lines, report.added, report.references) == (9003, 3, 9000)


@pytest.mark.parametrize("text", ["", "\n\n", "citing,cited\n", "one column\nanother\n"])
def test_files_without_links_are_refused(library: Library, tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"links\.csv holds no links"):
        add(library, tmp_path, text)
    with pytest.raises(UserError):
        library.citations.add(tmp_path / "none.csv")


def test_what_is_written_as_columns_can_be_read_again(
    library: Library, fill: Any, tmp_path: Path
) -> None:
    drafts = [
        paper("a", 2001, doi="10.5555/a"),
        paper('b, “quoted”"', None),
        paper("7", 2003, doi="10.5555/twice"),
        paper("doi:10.5555/twice", 2004, doi="10.5555/twice"),
    ]
    links = [(1, 2), (2, 3), (3, 1), (4, 1), (4, 3)]
    fill(library, drafts, links)
    for kind in ("csv", "tsv"):
        stream = io.StringIO()
        assert library.citations.export(kind, stream) == 5
        with library.database.write() as conn:
            conn.exec_driver_sql("DELETE FROM citations")
            conn.exec_driver_sql("INSERT INTO link_changes(paper) SELECT id FROM papers")
        assert library.citations.graph().edge_count == 0
        report = add(library, tmp_path, stream.getvalue(), f"links.{kind}")
        assert report.skipped == ()
        assert [tuple(pair) for pair in library.citations.graph().edges().tolist()] == links
    stream = io.StringIO()
    library.citations.export("csv", stream, as_of=2003)
    assert list(csv.reader(io.StringIO(stream.getvalue())))[1:] == [["key:7", "10.5555/a"]]


def test_networkx_reads_the_graphml(library: Library, fill: Any, tmp_path: Path) -> None:
    odd = PaperDraft(citekey="x", title='<b>&"\x0b\x00]]>', year=None, authors=(Author("Ø", "A"),))
    fill(library, [paper("a", doi="10.5555/a"), paper("b"), odd], [(1, 2), (3, 1), (1, 3)])
    path = tmp_path / "graph.graphml"
    with path.open("w", encoding="utf-8") as stream:
        assert library.citations.export("graphml", stream) == 3
    graph = nx.read_graphml(path, node_type=int)
    assert graph.is_directed()
    assert set(graph.edges) == {(1, 2), (3, 1), (1, 3)}
    assert graph.nodes[1] == {"citekey": "a", "title": "Paper a", "year": 2000, "doi": "10.5555/a"}
    assert graph.nodes[3]["authors"] == "A Ø"
    assert "year" not in graph.nodes[3]


def test_no_export_as_of_a_year_holds_anything_later(library: Library, fill: Any) -> None:
    years = (2003, 2001, None, 2002)
    fill(library, [paper(f"p{y}", y) for y in years], [(1, 2), (1, 4), (4, 2), (3, 2), (2, 4)])
    expected = {2000: [], 2001: [], 2002: [(2, 4), (4, 2)], 2003: [(1, 2), (1, 4), (2, 4), (4, 2)]}
    for year, links in expected.items():
        for kind in ("csv", "tsv", "graphml"):
            stream = io.StringIO()
            assert library.citations.export(kind, stream, as_of=year) == len(links)
        graph = nx.parse_graphml(stream.getvalue(), node_type=int)
        assert sorted(graph.edges) == links
        assert all(node["year"] <= year for node in graph.nodes.values())
        maps, network = io.StringIO(), io.StringIO()
        library.citations.export("vosviewer", maps, network, as_of=year)
        items = [line.split("\t") for line in maps.getvalue().splitlines()[1:]]
        assert {int(item[0]) for item in items} == set(graph.nodes)
        assert all(int(item[7]) <= year for item in items)
        pairs = {tuple(map(int, line.split("\t")[:2])) for line in network.getvalue().splitlines()}
        assert pairs == {(min(pair), max(pair)) for pair in links}


def test_the_two_files_of_vosviewer(
    library: Library, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = PaperDraft(
        citekey="l", title='A "title", with\ttabs; more', year=1999,
        authors=(Author("Owl", "Amy"), Author("Elk", "Bo")), doi="10.5555/l",
    )  # fmt: skip
    fill(library, [long, paper("b", None), paper("c"), paper("d")], [(1, 2), (2, 1), (3, 1)])
    maps, network = io.StringIO(), io.StringIO()
    assert library.citations.export("vosviewer", maps, network) == 2
    header, *items = [line.split("\t") for line in maps.getvalue().splitlines()]
    assert header == [
        "id", "label", "description", "url", "cluster",
        "weight<Links>", "weight<Citations>", "score<Year>",
    ]  # fmt: skip
    assert items[0] == [
        "1", "Amy Owl et al. (1999)", "\"A 'title', with tabs; more\"",
        "https://doi.org/10.5555/l", "1", "2", "2", "1999",
    ]  # fmt: skip
    assert items[1] == ["2", "b", "Paper b", "", "1", "1", "1", ""]
    assert [item[4] for item in items] == ["1", "1", "1", "2"]
    assert network.getvalue() == "1\t2\t1\n1\t3\t1\n"
    monkeypatch.setattr(exports, "_MOST_CLUSTERS", 1)
    library.citations.export("vosviewer", maps := io.StringIO(), network)
    assert {line.split("\t")[4] for line in maps.getvalue().splitlines()[1:]} == {"1"}
    with pytest.raises(UserError, match="two files"):
        library.citations.export("vosviewer", maps)
    with pytest.raises(UserError, match="csv, tsv, graphml, vosviewer"):
        library.citations.export("gexf", maps)


def test_missing_works_are_one_by_identifier_or_by_title(library: Library, fill: Any) -> None:
    named = Reference("Heron M., Rivers (2001)", doi="10.5555/r", title=RIVERS, year=2001)
    bare = Reference("Heron M., Egret A., Rivers under, 2001", title=RIVERS.upper(), year=2001)
    other_year = Reference("Heron M., Rivers", title=RIVERS, year=1990)
    place = {"author": "Gull B", "volume": "3", "page": "14"}
    gull = Reference("Gull B, 1980, MUD, V3, P14", year=1980, extra=place)
    gull_again = Reference("GULL B., 1980, Mud J, V3, P14", year=1980, extra=place)
    fill(
        library,
        [
            paper("a", references=(named, gull)),
            paper("b", references=(bare, gull_again)),
            paper("c", references=(other_year, Reference(source_id="pmid:5"))),
            paper("d", references=(bare, bare, Reference(source_id="pmid:5"))),
            paper("e", references=(named, Reference(raw="Only once"))),
        ],
    )
    found = library.citations.missing()
    assert [(work.cited_by, work.author) for work in found] == [
        ((1, 2, 4, 5), "Heron"), ((1, 2), "Gull"), ((3, 4), None),
    ]  # fmt: skip
    assert found[0].reference == named
    assert library.citations.missing(least=3) == found[:1]
    assert library.citations.missing(limit=2) == found[:2]
    library.edit.trash(["a", "b", "c"])
    assert [work.cited_by for work in library.citations.missing()] == [(4, 5)]


def test_two_dois_are_never_one_missing_work(library: Library, fill: Any) -> None:
    first, second = (Reference(doi=f"10.5555/{n}", title=RIVERS, year=2001) for n in (1, 2))
    bare = Reference("Heron M., x", title=RIVERS, year=2001)
    lists = enumerate((first, second, bare))
    fill(library, [paper(f"p{n}", references=(one,)) for n, one in lists])
    (found,) = library.citations.missing()
    assert found.cited_by in ((1, 3), (2, 3))  # one of the two, as for coupling
    assert len(library.citations.coupled(3)) == 1
    assert library.citations.coupled(1).ids.tolist() != [2]


def test_a_work_cited_by_doi_and_elsewhere_by_title_is_one(library: Library, fill: Any) -> None:
    """For coupling, counts, what is missing, and the reasons of similar papers."""
    named = Reference("Heron M., Rivers (2001)", doi="10.5555/r", title=RIVERS, year=2001)
    bare = Reference("M. van Heron, “Rivers”, 2001", title=RIVERS.upper(), year=2001,
                     extra={"author": "van Heron, M."})  # fmt: skip
    unsaid = Reference(title=RIVERS, year=2001)
    by_number = Reference(source_id="openalex:W7")
    both = Reference(doi="10.5555/r", source_id="openalex:W7")
    other = Reference("Gull B.", title=RIVERS, year=2001, extra={"author": "Gull B."})
    place = {"author": "Gull B", "volume": "3", "page": "14"}
    lists = [
        (named,), (bare,), (unsaid,), (by_number,), (both, named, bare),
        (Reference("Gull B, 1980, MUD, V3, P14", year=1980, extra=place),),
        (Reference("GULL B., 1980, M, V3, P14", "10.5555/g", year=1980, extra=place),),
        (Reference(title="Mud", year=1), Reference(doi="10.5555/x", title="Mud", year=1)),
    ]  # fmt: skip
    fill(library, [paper(f"p{n}", references=one) for n, one in enumerate(lists)])
    citations = library.citations
    assert citations.coupled(1).ids.tolist() == [2, 3, 4, 5]
    assert citations.coupled(1).weights.tolist() == [0.25] * 4
    assert citations.coupled(6).ids.tolist() == [7]
    assert citations.stats().outside_works == 4  # a short title without author says nothing
    assert citations.graph().list_lengths.tolist() == [1, 1, 1, 1, 1, 1, 1, 2]
    assert [one.citing for one in citations.outside(2)] == [5]
    assert [work.cited_by for work in citations.missing()] == [(1, 2, 3, 4, 5), (6, 7)]
    with library.database.read() as conn:
        assert shared_references(conn, [1], range(2, 9)) == {2: 1, 3: 1, 4: 1, 5: 1}
        assert shared_references(conn, [2], [3, 4]) == {3: 1}
    # Another author has the same title: what names none is nobody's.
    library.edit.add(paper("q", references=(other,)))
    assert citations.coupled(1).ids.tolist() == [2, 4, 5]
    assert len(citations.coupled("q")) == 0


def test_references_of_before_are_matched_when_asked(library: Library, fill: Any) -> None:
    rivers = PaperDraft(citekey="r", title=RIVERS, authors=(Author("Heron", "Max"),), year=2001)
    fill(library, [rivers, paper("a")])
    row = (2, 0, "Heron M., x", None, RIVERS, 2001, None, "{}")
    with library.database.write() as conn:
        many(conn, INSERTS["references"], [row])
    assert library.citations.match().changed == {2}
    assert library.citations.references("a")[0].method == "title"
    assert not library.citations.match()
    library.history.undo()
    assert library.citations.references("a") == ()
    assert len(library.papers.get("a").references) == 1


@pytest.mark.parametrize(
    ("cited", "known"),
    [
        ("Etudes sur les marees, mers et les boues", "Études sur les marées: mers, et les boues"),
        ("BERT - Pre-training of deep rivers", "BERT: Pre-training of deep rivers"),
        ("Is mud a river? What is known", "Is mud a river: what is known?"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_mark_more_or_less_in_a_title_is_no_other_title(
    library: Library, cited: str, known: str, first: bool
) -> None:
    whole = PaperDraft(citekey="k", title=known, authors=(Author("Heron", "M"),), year=2001)
    other = PaperDraft(citekey="l", title=f"{known} again and again", year=2001)
    reference = Reference(title=cited, year=2001, extra={"author": "Heron, M."})
    citing = PaperDraft(citekey="c", title="Something else", references=(reference,))
    for draft in (other, *((whole, citing) if first else (citing, whole))):
        library.edit.add(draft)
    (link,) = library.citations.references("c")
    assert link.paper == library.papers.id_of("k")


def test_weak_links_are_no_citations(library: Library, fill: Any) -> None:
    zotero: dict[str, Any] = {"library": "user"}
    fill(
        library,
        [
            paper("a", tags=("x", "y"), collections=(("One",),), zotero_key="A", **zotero,
                  raw_fields={"related": "user:B; user:NOBODY"}),
            paper("b", tags=("x", "y"), collections=(("One",),), zotero_key="B", **zotero),
            paper("c", tags=("x",)),
            paper("d"),
        ],
    )  # fmt: skip
    tags = library.citations.weak("tag").neighbours(1)
    assert tags.ids.tolist() == [2, 3]
    assert tags.counts.tolist() == [2, 1]
    assert tags.weights.tolist() == [1.5, 0.5]
    assert library.citations.weak("collection").neighbours(1).ids.tolist() == [2]
    assert library.citations.stats().weak == {"collection": 2, "tag": 3, "related": 2}
    assert library.citations.weak("related").neighbours(2).ids.tolist() == [1]
    assert len(library.citations.weak("tag").neighbours(4)) == 0
    assert library.citations.graph().edge_count == 0
    library.edit.trash(["b"])
    assert len(library.citations.weak("related").neighbours(1)) == 0
    assert library.citations.stats().weak == {"collection": 0, "tag": 2, "related": 0}
    with pytest.raises(UserError, match="collection, tag, related"):
        library.citations.weak("colour")  # type: ignore[arg-type]


def test_asking_about_papers_loads_no_scipy(tmp_path: Path) -> None:
    script = f"""
import sys
from litscape.library import Library
from litscape.paper import PaperDraft
with Library.open({str(tmp_path / "light")!r}) as library:
    for n in (1, 2, 3):
        library.edit.add(PaperDraft(citekey=f"p{{n}}", title=f"Paper {{n}}", year=2000))
    library.edit.edit([3], {{"year": 2001}})
    citations = library.citations
    citations.cocited(1), citations.coupled(1), citations.references(1), citations.citing(1)
    citations.stats(), citations.missing(), citations.weak("tag"), citations.outside(1)
    citations.graph(as_of=2000).two_hop(1)
print(sorted(set(sys.modules) & {{"scipy", "igraph", "networkx", "sklearn"}}))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_works_cited_in_words_are_linked_whichever_comes_first(
    library: Library, tmp_path: Path
) -> None:
    cited = [
        "L. Breiman. Random forests. Machine Learning, 45(1):5-32, 2001.",
        "LeCun Y, Bengio Y, Hinton G. Deep learning. Nature 521, 436 (2015).",
        "Smith J. Editorial. Lancet. 2001;45(1):5-32.",
    ]
    papers: list[dict[str, Any]] = [
        {"id": "rf", "title": "Random forests", "year": 2001, "authors": ["Breiman, Leo"]},
        {"id": "dl", "title": "Deep learning", "year": 2015, "authors": ["LeCun, Yann"]},
        {"id": "ml", "title": "Machine Learning", "year": 2001, "authors": ["Breiman, Leo"]},
        {"id": "e", "title": "Editorial", "year": 2001, "authors": ["Smith, J."]},
    ]
    citing: list[dict[str, Any]] = [{"id": key, "references": cited} for key in "ab"]
    for n, record in enumerate([citing[0], *papers, citing[1]]):
        file = tmp_path / f"{n}.jsonl"
        file.write_text(json.dumps({"title": f"Paper {n}", **record}), "utf-8")
        library.imports.run([file])
    for own in (1, 6):
        assert [one.paper for one in library.citations.references(own)] == [2, 3]
    (left,) = library.papers.get(1).references
    assert (left.raw, left.title, left.year) == (cited[2], None, 2001)
