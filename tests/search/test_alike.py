"""What can be asked of similar papers: examples, limits, weights, what to read next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from litscape.alike.drafts import examples_of, known_by
from litscape.alike.reading import read_next
from litscape.alike.request import Examples, SimilarRequest
from litscape.alike.signals import DEFAULTS
from litscape.alike.weights import checked
from litscape.errors import NotReadyError, UserError
from litscape.manuscripts import Manuscripts
from litscape.paper import PaperDraft, PaperFilter, Reference
from litscape.search import Searcher
from litscape.store.alike_reads import papers_by, related_to
from litscape.store.bulk import INSERTS, insert_citations, many
from litscape.store.collections import find_collection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.search.conftest import Shelf

    from litscape.alike.request import SimilarResult

ARMS = "Regret of contextual bandits with many arms"


@pytest.fixture
def papers(shelf: Shelf) -> dict[str, int]:
    """Papers on bandits and on chess, in two collections, among forty others."""
    found = {
        "old": shelf.add("Bandits one", f"{ARMS} of old", year=2001, collections=[("Arms",)]),
        "new": shelf.add("Bandits two", f"{ARMS} of new", year=2020, authors=["Li Wei"]),
        "own": shelf.add("Bandits three", f"{ARMS} of mine", year=2010, collections=[("Arms",)]),
        "undated": shelf.add("Bandits four", f"{ARMS} undated"),
        "chess": shelf.add("Chess", "Openings and endgames of chess masters", year=2010),
    }
    for n in range(40):
        shelf.add(f"The paper {n}", f"we use a model of things like subject{n} and topic{n}")
    shelf.embed()
    return found


def ask(shelf: Shelf, like: Examples, **options: Any) -> SimilarResult:
    return shelf.searcher().similar(SimilarRequest(like, **{"k": 4, **options}))


def ids(found: SimilarResult) -> list[int]:
    return [hit.paper_id for hit in found]


def test_texts_and_records_are_examples(shelf: Shelf, papers: dict[str, int]) -> None:
    bandits = {papers[name] for name in ("old", "new", "own", "undated")}
    pasted = ask(shelf, Examples(texts=(f"Arms\n{ARMS}, a study",)))
    assert set(ids(pasted)) == bandits
    assert pasted.mode_used == "hybrid"
    assert pasted.understood == f"like “Arms {ARMS}, a study”"
    draft = PaperDraft(title="Bandits nine", abstract=ARMS)
    known = PaperDraft(title="BANDITS ONE!", year=2002)  # two words tell no work
    examples = examples_of(shelf.database, [draft, known])
    assert examples == Examples(drafts=(draft, known))
    assert set(ids(ask(shelf, examples))) == bandits
    both = ask(shelf, Examples((papers["chess"],), (ARMS,)), k=9)
    assert both.understood == "like “Chess” and 1 more"
    assert both.learner == "Ranked by closeness to the mean of the 2 that you like."


def test_a_record_that_the_library_has_is_its_paper(shelf: Shelf, papers: dict[str, int]) -> None:
    bell = shelf.add("Researches in electric telephony", year=1877, doi="10.1000/bell")
    for draft in (
        PaperDraft(title="Other", doi="10.1000/bell"),
        PaperDraft(title="Researches in Electric Telephony", year=1876),
    ):
        assert examples_of(shelf.database, [draft]) == Examples((bell,))
    later = PaperDraft(title="Researches in Electric Telephony", year=1990)
    assert examples_of(shelf.database, [later]) == Examples(drafts=(later,))
    assert known_by(shelf.database, "https://doi.org/10.1000/BELL") == bell
    assert known_by(shelf.database, "10.1000/nobody") is None


def test_what_a_record_cites_is_linked_to_it(shelf: Shelf, papers: dict[str, int]) -> None:
    cited = shelf.add("A classic of sampling", "lots of inspection", doi="10.1/classic")
    draft = PaperDraft(title="Bandits", abstract=ARMS, references=(Reference(doi="10.1/classic"),))
    shelf.embed([cited])
    hits = {hit.paper_id: hit.why for hit in ask(shelf, Examples(drafts=(draft,)), k=9)}
    assert hits[cited][0] == "cited by it"
    text = {hit.paper_id: hit.why for hit in ask(shelf, Examples(texts=(ARMS,)), k=9)}
    assert "cited by it" not in text.get(cited, ())


def test_without_encoder_what_is_outside_is_compared_by_words(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    def encode(_texts: Sequence[object]) -> Any:
        raise NotReadyError("The encoder is asleep.")

    searcher = Searcher(shelf.database, shelf.vectors, shelf.registry, encode_papers=encode)
    found = searcher.similar(SimilarRequest(Examples(texts=(ARMS,))))
    assert found.mode_used == "lexical"
    assert found.notes == (
        "What is not in the library is compared by words only: The encoder is asleep.",
    )
    assert found.hits


def test_a_collection_and_limits(shelf: Shelf, papers: dict[str, int]) -> None:
    with shelf.database.read() as conn:
        arms = find_collection(conn, ("Arms",))
    assert arms is not None
    found = ask(shelf, Examples(collections=(arms,)))
    assert ids(found)[:2] == sorted((papers["new"], papers["undated"]), key=ids(found).index)
    assert found.understood == "like “Arms” (2 papers)"
    lasso = Examples(flt=PaperFilter(ids=frozenset((papers["old"],))))
    others = ask(shelf, lasso, not_in=(arms,))
    assert papers["own"] not in ids(others)
    assert papers["new"] in ids(others)
    newer = ask(shelf, lasso, newer_than=2005)
    assert {papers["new"], papers["own"]} <= set(ids(newer))
    assert papers["undated"] not in ids(newer)
    assert ids(ask(shelf, lasso, newer_than=2009, older_than=2011))[0] == papers["own"]
    assert papers["new"] not in ids(ask(shelf, lasso, older_than=2011))
    within = ask(shelf, lasso, within="-mine year:2000-2030")
    assert papers["new"] in ids(within)
    assert papers["own"] not in ids(within)
    nothing = SimilarRequest(Examples(flt=PaperFilter(ids=frozenset())))
    with pytest.raises(UserError, match="empty"):
        shelf.searcher().similar(nothing)


def test_weights_decide(shelf: Shelf, papers: dict[str, int]) -> None:
    with shelf.database.write() as conn:
        insert_citations(conn, [(papers["old"], papers["chess"], "")])
    like = Examples((papers["old"],))
    assert papers["chess"] not in ids(ask(shelf, like, k=3))
    found = ask(shelf, like, weights={**dict.fromkeys(DEFAULTS, 0.0), "direct": 1.0})
    assert ids(found) == [papers["chess"]]
    assert found.hits[0].parts == (("direct", 1.0),)
    assert found.mode_used == "lexical"
    for weights, what in (({"vecto": 1.0}, "vector"), ({"vector": -1.0}, "from 0 to 10")):
        with pytest.raises(UserError, match=what):
            checked(weights)
    with pytest.raises(UserError, match="At least one"):
        checked(dict.fromkeys(DEFAULTS, 0.0))


def test_text_only_uses_no_link_of_the_example(shelf: Shelf, papers: dict[str, int]) -> None:
    links = [(papers["old"], papers["chess"]), (papers["chess"], papers["own"])]
    with shelf.database.write() as conn:
        insert_citations(conn, [(a, b, "") for a, b in links])
    request = SimilarRequest(Examples((papers["old"],)), k=50)
    finder = shelf.searcher().alike
    with_links = finder.scored(request)
    assert with_links.signals["direct"].any()
    alone = finder.scored(SimilarRequest(request.like, k=50, text_only=True))
    for name in ("direct", "cocitation", "coupling", "author", "collection"):
        assert not alone.signals[name].any(), name
    chess = alone.ids.tolist().index(papers["chess"])
    own = with_links.ids.tolist().index(papers["own"])
    assert alone.signals["smoothed"][chess] > 0  # by its link to another paper
    assert (
        with_links.signals["smoothed"][own]
        == alone.signals["smoothed"][alone.ids.tolist().index(papers["own"])]
    )
    assert (alone.total[:-1] >= alone.total[1:]).all()


def test_diverse_hits_differ(shelf: Shelf, papers: dict[str, int]) -> None:
    for n in range(4):
        shelf.add(f"Copy {n}", f"{ARMS} copy")
    other = shelf.add("Contextual gardens", "contextual arms of garden plants and roses")
    shelf.embed()
    like = Examples((papers["old"],))
    assert other not in ids(ask(shelf, like, k=6))
    assert other in ids(ask(shelf, like, k=6, diversity=0.8))
    assert ids(ask(shelf, like, k=1, diversity=0.8)) == ids(ask(shelf, like, k=1))
    with pytest.raises(UserError, match="Diversity"):
        ask(shelf, like, diversity=2.0)


def test_works_outside_are_ranked_with_reasons(shelf: Shelf, papers: dict[str, int]) -> None:
    rows = [
        (paper, place, None, doi, title, year, None, "{}")
        for name, place, doi, title, year in (
            ("own", 0, "10.9/a", "Sequential design of experiments", 1952),
            ("new", 0, "10.9/a", "Sequential design of experiments", 1952),
            ("old", 0, "10.9/b", "Contextual arms and regret", 1990),
            ("chess", 0, "10.9/c", "Castling", 1990),
        )
        if (paper := papers[name])
    ]
    with shelf.database.write() as conn:
        many(conn, INSERTS["references"], rows)
    finder = shelf.searcher().alike
    request = SimilarRequest(Examples((papers["old"],)), k=5)
    found = finder.outside(request)
    assert [hit.title for hit in found[:2]] == [
        "Contextual arms and regret", "Sequential design of experiments",
    ]  # fmt: skip
    assert found[0].why == ("cited by it", "cited by 1 in the library")
    assert "cited by 2 papers like it" in found[1].why
    assert found[1].work.cited_by == (papers["new"], papers["own"])
    only = SimilarRequest(request.like, k=5, older_than=1960)
    assert [hit.work.reference.doi for hit in finder.outside(only)] == ["10.9/a"]


def test_what_to_read_next(shelf: Shelf, papers: dict[str, int]) -> None:
    finder = shelf.searcher().alike
    assert "mark papers" in read_next(finder, shelf.database, 3).notes[0]
    marks = (
        (papers["old"], "read", None, None), (papers["own"], "read", 5, None),
        (papers["chess"], None, 1, None), (papers["undated"], "reading", None, None),
    )  # fmt: skip
    with shelf.database.write() as conn:
        for paper, state, rating, place in marks:
            conn.exec_driver_sql(
                "INSERT INTO reading(paper_id, read_state, rating, list_position)"
                " VALUES (?, ?, ?, ?)",
                (paper, state, rating, place),
            )
    found = read_next(finder, shelf.database, 3)
    first = found.hits[0]
    assert first.hit.paper_id == papers["new"]
    assert first.near in (papers["old"], papers["own"], papers["undated"])
    assert first.because == {papers["own"]: "rated 5"}.get(first.near, "read")
    assert not {one.hit.paper_id for one in found.hits} & {paper for paper, *_ in marks}
    scores = [one.hit.score for one in read_next(finder, shelf.database, 20, diversity=0.9).hits]
    assert scores == sorted(scores, reverse=True)


def test_names_are_whole_names(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.add("Another", authors=["Wei Li", "Li Weiming"])
    same = shelf.add("A third", authors=["Ann Other", "li wei"])
    with shelf.database.read() as conn:
        assert set(papers_by(conn, ["li wei"])) == {papers["new"], same}
        assert papers_by(conn, []) == {}


def test_related_in_zotero(shelf: Shelf, papers: dict[str, int]) -> None:
    with shelf.database.write() as conn:
        for name, key, related in (("old", "AA", "items:BB; items:NOBODY"), ("chess", "BB", "")):
            conn.exec_driver_sql(
                "UPDATE papers SET zotero_key = ?, raw_fields = json_object('related', ?)"
                " WHERE id = ?",
                (key, related, papers[name]),
            )
        assert related_to(conn, [papers["old"], papers["new"]]) == [papers["chess"]]
    hits = {hit.paper_id: hit.why for hit in ask(shelf, Examples((papers["old"],)), k=50)}
    assert "related in Zotero" in hits[papers["chess"]]


def test_link_signals_by_hand(shelf: Shelf, papers: dict[str, int]) -> None:
    old, new, own, chess = (papers[name] for name in ("old", "new", "own", "chess"))
    citing = [(6, old), (6, new), (7, old), (7, new), (8, old), (old, chess), (own, chess)]
    with shelf.database.write() as conn:
        insert_citations(conn, [(a, b, "") for a, b in citing])
    found = shelf.searcher().alike.scored(SimilarRequest(Examples((old,)), k=100))
    of = {
        name: dict(zip(found.ids.tolist(), values.tolist(), strict=True))
        for name, values in found.signals.items()
    }
    assert of["cocitation"][new] == pytest.approx(2 / (np.sqrt(3 * 2) + 1))
    assert of["coupling"][own] == pytest.approx(1 / (np.sqrt(1 * 1) + 1))
    assert [of["direct"][paper] for paper in (chess, 6, own)] == [1, 1, 0]
    # In the same collection, which has two papers, as its one tag or collection.
    assert of["collection"][own] == pytest.approx(1 / np.log2(2 + 2))
    less = SimilarRequest(Examples((papers["undated"],)), Examples((old,)), k=100)
    away = shelf.searcher().alike.scored(less)
    signals = dict(zip(away.ids.tolist(), away.signals["cocitation"].tolist(), strict=True))
    assert signals[new] == pytest.approx(-0.25 * 2 / (np.sqrt(3 * 2) + 1))


def test_own_manuscripts_bring_papers_together(
    shelf: Shelf, papers: dict[str, int], tmp_path: Path
) -> None:
    text = f"We follow \\cite{{key{papers['old']},key{papers['chess']}}}."
    (tmp_path / "mine.tex").write_text(text, encoding="utf-8")
    searcher = shelf.searcher()
    request = SimilarRequest(Examples((papers["old"],)), k=50)
    before = searcher.similar(request)
    Manuscripts(shelf.database).read(tmp_path / "mine.tex")
    found = {hit.paper_id: hit for hit in searcher.similar(request)}
    assert "cited together in your manuscripts" in found[papers["chess"]].why
    assert dict(found[papers["chess"]].parts)["manuscripts"] > 0
    assert "manuscripts" not in dict(before.hits[0].parts)
