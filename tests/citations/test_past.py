"""As of a year: all that can be asked for is as if no later paper had been written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litscape.alike.links import Links
from litscape.graph.measures import components, pagerank
from litscape.graph.weak import KINDS
from litscape.library import Library
from litscape.paper import PaperDraft, Reference
from litscape.store import manuscripts
from litscape.store.bulk import NewPaper, insert_citations, insert_papers
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

YEARS = st.none() | st.integers(1998, 2004)
PAPER = st.integers(1, 9)
TITLES = ("Of the mud and tides of the northern shores", "Of sand and wind in the dunes", None)
WORKS = st.builds(
    Reference,
    doi=st.sampled_from((None, "10.5555/x", "10.5555/y")),
    title=st.sampled_from(TITLES),
    year=st.sampled_from((1990, 1990, 2001, None)),
    source_id=st.sampled_from((None, "s2:1")),
)
PAPERS = st.tuples(
    YEARS,
    st.lists(WORKS, max_size=4),
    st.sets(st.sampled_from("xy"), max_size=2),
    st.sets(PAPER, max_size=3),
    st.booleans(),
)
LISTS = st.lists(st.tuples(PAPER, st.integers(1, 3)), max_size=8)


def made(folder: Path, papers: dict[int, Any], links: set[Any], cites: list[Any]) -> Library:
    """A library of papers under their numbers, with links and a manuscript."""
    library = Library.open(folder)
    drafts = [
        NewPaper(
            number,
            f"p{number}",
            PaperDraft(
                title=f"Paper {number}",
                year=year,
                references=tuple(works),
                tags=tuple(tags),
                collections=tuple((one,) for one in sorted(tags)),
                zotero_key=f"K{number}",
                library="user",
                raw_fields={"related": "; ".join(f"user:K{one}" for one in sorted(related))},
            ),
        )
        for number, (year, works, tags, related, _trashed) in papers.items()
    ]
    with library.database.write() as conn:
        insert_papers(conn, drafts)
        insert_citations(
            conn, [(a, b, "x") for a, b in sorted(links) if a != b and {a, b} <= papers.keys()]
        )
        rows = [
            manuscripts.CiteRow(f"p{number}", 1, part, part, part, part) for number, part in cites
        ]
        manuscripts.put_manuscript(conn, "/home/me/thesis.tex", "latex", "x", rows)
    if trashed := [number for number, one in papers.items() if one[4]]:
        library.edit.trash(trashed)
    return library


def asked(library: Library, year: int | None) -> dict[str, Any]:
    """All that is asked for of links, as of a year."""
    citations = library.citations
    graph, whole = citations.graph(as_of=year), citations.all_cocited(as_of=year)
    found: dict[str, Any] = {
        "papers": graph.ids.tolist(),
        "links": graph.edges().tolist(),
        "works": graph.work_keys.tolist(),
        "components": components(graph).tolist(),
        "ranks": pagerank(graph).tolist(),
        "missing": citations.missing(1, as_of=year),
        "manuscripts": library.manuscripts.pairs(as_of=year),
        "all": [getattr(whole, name).tolist() for name in ("others", "counts", "weights")],
    }
    for paper in graph.ids.tolist():
        for name, ask in (("cocited", citations.cocited), ("coupled", citations.coupled)):
            near = ask(paper, None, as_of=year)
            found[f"{name} {paper}"] = (near.ids.tolist(), near.counts.tolist())
        found[f"hops {paper}"] = graph.two_hop(paper).tolist()
        found[f"together {paper}"] = library.manuscripts.together(paper, as_of=year)
        for kind in KINDS:
            near = citations.weak(kind, as_of=year).neighbours(paper, None)
            found[f"{kind} {paper}"] = (near.ids.tolist(), near.weights.tolist())
    links = Links.of(citations.graph())
    links = links if year is None else links.up_to(year)
    found["links that may speak"] = [
        (int(links.ids[a]), int(links.ids[b]))
        for a, b in zip(links.out.row_numbers().tolist(), links.out.indices.tolist(), strict=True)
    ]
    dated = links.work_years[links.works.indices]
    assert year is None or ((dated <= year) | (dated == NO_YEAR)).all()
    assert (links.years[links.works.row_numbers()] <= (year or NO_YEAR)).all()
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(
    st.dictionaries(PAPER, PAPERS, min_size=3),
    st.sets(st.tuples(PAPER, PAPER), max_size=25),
    LISTS,
    st.integers(1997, 2005),
)
def test_nothing_of_later_papers_is_in_what_is_told_of_a_year(
    tmp_path_factory: pytest.TempPathFactory,
    papers: dict[int, Any], links: set[Any], cites: list[Any], year: int,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("past")
    early = {n: one for n, one in papers.items() if one[0] is not None and one[0] <= year}
    with (
        made(folder / "all", papers, links, cites) as library,
        made(folder / "early", early, links, cites) as other,
    ):
        found = asked(library, year)
        assert found == asked(other, year)
        assert set(found["papers"]) == {n for n, one in early.items() if not one[4]}
        for work in found["missing"]:
            assert work.reference.year is not None
            assert work.reference.year <= year
