"""``litscape citations``: counts, lists of links in and out, missing works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_links_of_a_list(cli: Cli, filled: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.csv"
    links.write_text("citing,cited\ndarwin1859,10.5555/tel.1\nnobody,bell1876\n", "utf-8")
    added = cli("citations", "add", links, "--json").json
    assert (added["lines"], added["links"], added["references"], added["known"]) == (2, 1, 0, 0)
    assert added["skipped"] == [
        {"line": 3, "text": "nobody → bell1876", "why": "nobody is no paper of this library"}
    ]
    assert len(added["changed"]) == 1
    assert "line 3: nobody → bell1876: nobody is no paper" in cli("citations", "add", links).out
    stats = cli("citations", "--json").json
    assert (stats["papers"], stats["links"], stats["with_references"]) == (2, 1, 1)
    assert stats["sources"] == [{"source": "file:links.csv", "name": "links.csv", "links": 1}]
    assert stats["weak"] == {"collection": 0, "tag": 0, "related": 0}
    told = cli("citations", "stats").out
    assert "1 of 2 papers has references." in told
    assert "1 from links.csv" in told
    cli("undo")
    assert "No links inside the library." in cli("citations").out
    cli("citations", "add", tmp_path / "none.csv").refused("none.csv")


def test_links_written_out(cli: Cli, filled: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.csv"
    links.write_text("darwin1859,bell1876\nbell1876,darwin1859\n", "utf-8")
    cli("citations", "add", links)
    out = cli("citations", "export", "-").out
    assert out.splitlines()[0] == "citing,cited"
    assert set(out.splitlines()[1:]) == {
        "10.5555/tel.1,key:darwin1859",
        "key:darwin1859,10.5555/tel.1",
    }
    assert (
        cli("citations", "export", "-", "--as-of", "1875", "--format=tsv").out == "citing\tcited\n"
    )
    graphml = tmp_path / "graph.graphml"
    written = cli("citations", "export", graphml, "--json").json
    assert written == {"files": [str(graphml)], "format": "graphml", "links": 2}
    assert len(nx.read_graphml(graphml).edges) == 2
    cli("citations", "export", graphml).refused("there already", "--force")
    both = cli("citations", "export", tmp_path / "vos.txt", "--format", "vosviewer", "--json").json
    assert both["files"] == [str(tmp_path / "vos-map.txt"), str(tmp_path / "vos-network.txt")]
    assert both["links"] == 1
    assert len((tmp_path / "vos-map.txt").read_text("utf-8").splitlines()) == 3
    cli("citations", "export", tmp_path / "vos.txt", "--format=vosviewer").refused("vos-map.txt")
    cli("citations", "export", tmp_path / "vos.txt", "--format=vosviewer", "--force")
    cli("citations", "export", "-", "--format", "vosviewer").refused("two files")
    cli("citations", "export", tmp_path / "x.csv", "--as-of", "soon").refused("--as-of")


def test_papers_are_ranked_near_and_unlinked(cli: Cli, filled: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.csv"
    links.write_text("bell1876,darwin1859\nbell1876,10.5555/out\n", "utf-8")
    cli("citations", "add", links)
    ranked = cli("citations", "rank", "--json").json
    assert [(one["citekey"], one["cited_by"], one["cites"]) for one in ranked] == [
        ("darwin1859", 1, 0),
        ("bell1876", 0, 1),
    ]
    assert abs(sum(one["pagerank"] for one in ranked) - 1) < 1e-9
    assert [one["citekey"] for one in cli("citations", "rank", "--as-of=1860", "--json").json] == [
        "darwin1859"
    ]
    assert cli("citations", "rank", "--limit=1").out.count("1859") == 2
    past = cli("citations", "stats", "--as-of", "1860", "--json").json
    now = cli("citations", "stats", "--json").json
    assert [(one["papers"], one["links"], one["sources"] != []) for one in (past, now)] == [
        (1, 0, False),
        (2, 1, True),
    ]
    near = cli("citations", "near", "bell1876", "--json").json
    assert near == {"cocited": [], "coupled": [], "two_hop": []}
    assert "No paper is near" in cli("citations", "near", "bell1876", "--as-of", "1900").out
    assert len(cli("citations", "refuse", "bell1876", "darwin1859", "--json").json["changed"]) == 1
    assert cli("citations", "--json").json["links"] == 0
    cli("citations", "refuse", "bell1876", "darwin1859").refused("no link from")
    assert cli("citations", "match", "--json").json["change"] is None
    cli("undo")
    assert cli("citations", "--json").json["links"] == 1


def test_missing_works_and_matching(cli: Cli, filled: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.csv"
    links.write_text("darwin1859,doi:10.5555/new\nbell1876,10.5555/NEW\nbell1876,pmid:7\n", "utf-8")
    assert cli("citations", "add", links, "--json").json["references"] == 3
    (work,) = cli("citations", "missing", "--json").json
    assert (work["count"], work["doi"], work["title"]) == (2, "10.5555/new", None)
    assert len(cli("citations", "missing", "--least", "1", "--json").json) == 2
    assert cli("citations", "missing", "--as-of", "2020", "--json").json == []  # it has no year
    assert "2  10.5555/new" in cli("citations", "missing").out
    assert cli("citations", "missing", "--least", "9", "--json").json == []
    assert "cited by 9 papers" in cli("citations", "missing", "--least", "9").out
    assert cli("citations", "match", "--json").json["change"] is None
    assert "No reference" in cli("citations", "match").out


def test_manuscripts_are_read_listed_and_forgotten(cli: Cli, filled: Path, tmp_path: Path) -> None:
    text = tmp_path / "thesis.tex"
    text.write_text("\\cite{bell1876,darwin1859}\n\\cite{three}", "utf-8")
    read = ("citations", "manuscripts", text)
    found = cli(*read, "--with", "bell1876", "--json").json
    assert (found["read"], found["citations"], found["papers"]) == (1, 2, 2)
    assert found["unknown"] == [{"citekey": "three", "path": str(text), "line": 2}]
    assert found["pairs"] == {"citation": 1, "sentence": 0, "paragraph": 0, "section": 0}
    [beside] = found["together"]
    assert (beside["citekey"], beside["weight"], beside["level"]) == ("darwin1859", 1, "citation")
    assert "1 key that no paper of the library has" in cli(*read).out
    listed = cli("citations", "manuscripts", "--json").json
    assert listed["manuscripts"] == found["manuscripts"]
    assert cli(*read, "--forget", "--json").json["forgotten"] == 1
    assert "No manuscript was read" in cli("citations", "manuscripts").out
    cli(*read, "--forget").refused("thesis.tex")
    cli("citations", "manuscripts", "--forget").refused("Name the manuscript")
    cli("citations", "manuscripts", tmp_path / "nowhere").refused("nowhere")
