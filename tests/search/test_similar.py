"""Papers like papers: by meaning and words, with reasons that are true."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.alike.request import Examples, SimilarRequest
from litscape.errors import UserError
from litscape.paper import PaperFilter, Reference
from litscape.search import profile
from litscape.store.bulk import INSERTS, insert_citations, many

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tests.search.conftest import Shelf

BANDITS = "Contextual bandits choose arms; regret of Thompson sampling for contextual bandits"
REGRET = "The regret of bandits is bounded by upper confidence"
CHESS = "Openings in chess and the endgame of chess masters"
GO = "Mastering the game of Go by tree search"


@pytest.fixture
def papers(shelf: Shelf) -> dict[str, int]:
    """Four papers of interest among sixty that share only common words with them."""
    found = {
        "bandits": shelf.add("Bandits with context", BANDITS, year=2015),
        "regret": shelf.add("On regret", REGRET, year=2010),
        "chess": shelf.add("Chess openings", CHESS, year=2000),
        "go": shelf.add("Go", GO, year=2016),
    }
    for i in range(60):
        shelf.add(f"The paper {i}", f"we use a model of things like subject{i} and topic{i}")
    return found


def test_by_words_alone_where_there_are_no_vectors(shelf: Shelf, papers: dict[str, int]) -> None:
    result = shelf.searcher().similar([papers["bandits"]], 3)
    assert result.mode_used == "lexical"
    assert result.hits[0].paper_id == papers["regret"]
    assert result.hits[0].similarity is None
    assert len(result.notes) == 1
    assert result.notes[0].startswith("Compared by words only")
    assert "compute similarity" in result.notes[0]


def test_by_both_where_there_are_vectors(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.embed()
    result = shelf.searcher().similar([papers["bandits"]], 5)
    assert result.mode_used == "hybrid"
    assert result.notes == ()
    hit = result.hits[0]
    assert hit.paper_id == papers["regret"]
    assert (hit.lexical_rank, hit.semantic_rank) == (1, 1)
    assert hit.why[-1] == f"meaning {hit.similarity:.2f}"
    assert papers["bandits"] not in [hit.paper_id for hit in result]
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert result.understood == "like “Bandits with context”"


def test_shared_words_are_in_both_texts_as_written_and_say_something(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    shelf.embed()
    hit = shelf.searcher().similar([papers["bandits"]], 1).hits[0]
    (shared,) = (reason for reason in hit.why if reason.startswith("shared words: "))
    words = shared.removeprefix("shared words: ").split(", ")
    assert {word.lower() for word in words} == {"bandits", "regret"}
    for word in words:
        assert word in shelf.texts[papers["bandits"]]
        assert word.lower() in shelf.texts[papers["regret"]].lower()
    for other in shelf.searcher().similar([5], 3):
        assert not any(word in " ".join(other.why).split() for word in ("paper", "we", "model"))


def test_what_is_shared_is_a_subject_in_words_that_belong_together(shelf: Shelf) -> None:
    seed = shelf.add(
        "Robots and grasp detection",
        "A network quickly scans the view; greater accuracy and less time for grasp detection.",
        keywords=["robotic grasping", "large language models"],
    )
    other = shelf.add(
        "Real-time grasp detection",
        "It quickly finds a basic grasp in a view with greater accuracy in less time, by"
        " large language models.",
    )
    for i in range(40):
        shelf.add(f"Plants {i}", f"leaf{i} of a greater view, quickly grown in less time")
    (why,) = (hit.why for hit in shelf.searcher().similar([seed], 5) if hit.paper_id == other)
    assert why == ("shared words: large language models, grasp detection",)


def test_a_near_paper_with_few_shared_words_is_above_a_far_one_with_more(shelf: Shelf) -> None:
    def encode(text: str) -> NDArray[np.float32]:
        vector = np.zeros(384, dtype=np.float32)
        cosine = {"seed": 1.0, "near": 0.8, "far": 0.66}.get(text.split(maxsplit=1)[0], 0.1)
        vector[0], vector[1] = cosine, np.sqrt(1 - cosine * cosine)
        return vector

    rest = " ".join(f"filler{i}" for i in range(30))
    seed = shelf.add("seed", f"grasps rgb cascade {rest}")
    near = shelf.add("near", "grasps and some other words of a robot hand in clutter")
    far = shelf.add("far", "grasps rgb and some other words of a robot hand in clutter")
    copy = shelf.add("seed", f"grasps rgb cascade {rest}")  # stretches what words measure
    for i in range(20):
        shelf.add(f"Paper {i}", f"stuff{i}")
    shelf.embed(encode=encode)
    assert [h.paper_id for h in shelf.searcher().similar([seed], 3)] == [copy, near, far]


def test_a_seed_without_vector_is_compared_by_words_and_it_is_said(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    shelf.embed([paper for paper in shelf.texts if paper != papers["bandits"]])
    result = shelf.searcher().similar([papers["bandits"]], 1)
    assert result.hits[0].paper_id == papers["regret"]
    assert result.mode_used == "lexical"
    assert result.notes[0].startswith("Compared by words only: The paper has no vector")


def test_a_candidate_without_vector_is_still_found(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.embed([paper for paper in shelf.texts if paper != papers["regret"]])
    result = shelf.searcher().similar([papers["bandits"]], 3)
    hit = next(hit for hit in result if hit.paper_id == papers["regret"])
    assert (hit.similarity, hit.semantic_rank) == (None, None)
    assert result.notes == (
        "Meaning is known for 63 of 64 papers: compute similarity for the rest.",
    )


def test_many_seeds_and_negatives(shelf: Shelf, papers: dict[str, int]) -> None:
    both = shelf.add("Bandits playing chess", "bandits choose chess openings and regret")
    shelf.embed()
    searcher = shelf.searcher()
    result = searcher.similar([papers["bandits"], papers["chess"]], 5)
    assert result.hits[0].paper_id == both
    assert result.understood == "like “Bandits with context” and 1 more"
    less = searcher.similar([both], 5, negatives=[papers["chess"]])
    plain = searcher.similar([both], 5)
    rank = [hit.paper_id for hit in plain].index(papers["regret"])
    assert [hit.paper_id for hit in less].index(papers["regret"]) <= rank
    assert less.hits[0].paper_id == papers["bandits"]
    assert papers["chess"] not in [hit.paper_id for hit in less]
    assert less.understood == "like “Bandits playing chess”, unlike “Chess openings”"


def test_a_filter_and_the_trash_hold(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.embed()
    searcher = shelf.searcher()
    old = searcher.similar([papers["bandits"]], 9, flt=PaperFilter(year_to=2010))
    assert {hit.paper_id for hit in old} == {papers["regret"], papers["chess"]}
    shelf.trash(papers["regret"])
    assert papers["regret"] not in [h.paper_id for h in searcher.similar([papers["bandits"]], 99)]


def test_citations_are_reasons(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.embed()
    bandits, regret, chess = papers["bandits"], papers["regret"], papers["chess"]
    with shelf.database.write() as conn:
        insert_citations(
            conn, [(bandits, regret, ""), (bandits, 5, ""), (regret, 5, ""), (chess, bandits, "")]
        )
        outside = (None, "10.1/x", "Outside", None, None, "{}")
        many(conn, INSERTS["references"], [(paper, 0, *outside) for paper in (bandits, regret)])
    why = {hit.paper_id: hit.why for hit in shelf.searcher().similar([bandits], 64)}
    assert why[regret][:2] == ("cited by it", "2 shared references")
    assert why[chess][0] == "cites it"
    assert not any("reference" in reason for reason in why[papers["go"]])
    assert not any("together" in reason for reason in why[regret])
    two = {h.paper_id: h.why for h in shelf.searcher().similar([bandits, papers["go"]], 64)}
    assert two[regret][0] == "cited by one of them"
    assert Reference(doi="10.1/x").doi == "10.1/x"


def test_being_cited_together_is_a_reason(shelf: Shelf, papers: dict[str, int]) -> None:
    shelf.embed()
    bandits, regret, chess, go = (papers[name] for name in ("bandits", "regret", "chess", "go"))
    with shelf.database.write() as conn:
        insert_citations(
            conn, [(a, b, "") for a in (go, 5) for b in (bandits, regret)] + [(go, chess, "")]
        )
    why = {hit.paper_id: hit.why for hit in shelf.searcher().similar([bandits], 64)}
    assert why[regret][0] == "cited together by 2 papers"
    assert why[chess][0] == "cited together by 1 paper"
    assert why[go][0] == "cites it"
    assert not any("together" in reason for reason in why[go])


def test_papers_are_named_by_id_citekey_or_not_at_all(shelf: Shelf, papers: dict[str, int]) -> None:
    searcher = shelf.searcher()
    by_key = searcher.similar([f"key{papers['bandits']}"], 3)
    assert by_key == searcher.similar([papers["bandits"]], 3)
    assert searcher.similar([papers["bandits"], f"key{papers['bandits']}"], 3) == by_key
    with pytest.raises(UserError, match="nobody1999"):
        searcher.similar(["nobody1999"])
    with pytest.raises(UserError, match="at least one"):
        searcher.similar([])


def test_a_paper_without_text_is_like_nothing(shelf: Shelf, papers: dict[str, int]) -> None:
    empty = shelf.add(None, None)
    stop = shelf.add("The of and", None)
    shelf.embed([paper for paper in shelf.texts if paper != empty])
    alone = shelf.searcher().similar([empty], 5)
    assert len(alone) == 0
    assert alone.nothing == "This paper has neither title nor abstract and can't be compared."
    assert "compute similarity" not in " ".join(alone.notes)
    assert shelf.searcher().similar([empty]).understood == "like “a paper without a title”"
    assert shelf.searcher().similar([stop], 2).mode_used == "hybrid"


def test_one_paper_alone(shelf: Shelf) -> None:
    only = shelf.add("Chess openings")
    shelf.embed()
    result = shelf.searcher().similar([only])
    assert (len(result), result.mode_used, result.notes) == (0, "hybrid", ())


def test_the_measure_by_words() -> None:
    built = profile.build(["bandit regret", "bandit arm"], ["arm"], dict.fromkeys(
        ("bandit", "regret", "arm"), 2.0), 0.5)  # fmt: skip
    assert sum(weight * weight for weight in built.values()) == pytest.approx(1)
    assert profile.fit(built, "bandit") == pytest.approx(built["bandit"])
    assert 0 < profile.fit(built, "regret of chess") < profile.fit(built, "regret")
    assert profile.fit(built, "") == 0.0
    assert profile.fit(built, "chess") == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "The 3GPP and 2d_b2b arms – “arms”, arm's: 33 x 9 arms",
        "Größe der ARM arm, naïve H₂O arm",
        "arm " * 400 + "wing",
        "深度学习 arm wing",
    ],
)
def test_texts_fit_by_the_words_that_stand_in_them(text: str) -> None:
    words = [word.lower() for word in profile.WORD.findall(text)]
    own = {word: 1 + math.log(words.count(word)) for word in words if word != "the"}
    frequencies = profile.term_frequencies(text)
    assert {word: frequencies[word] for word in ("arm", "arms", "gpp") if word in own} == {
        word: own[word] for word in ("arm", "arms", "gpp") if word in own
    }
    wanted = {"arm": 0.8, "gpp": 0.5, "wing": 0.3}
    length = math.sqrt(sum(value**2 for value in frequencies.values()))
    sought = sum(value * frequencies.get(word, 0.0) for word, value in wanted.items()) / length
    assert profile.fit(wanted, text) == pytest.approx(sought)


def test_a_paper_that_shares_nothing_is_not_similar(shelf: Shelf) -> None:
    alone = shelf.add("Zebra crossings")
    shelf.add("")
    for i in range(3):
        shelf.add(f"Paper {i}", "of quite another subject", venue="Zebra Letters")
    lone = shelf.add("Unheard")
    for paper in (alone, lone):
        assert shelf.searcher().similar([paper]).hits == ()


def test_how_many_are_wanted_does_not_change_the_order(shelf: Shelf) -> None:
    for n in range(460):
        shelf.add(f"A study {n}", f"model of subject{n % 7} and topic{n % 31} with thing{n % 13}")
    first = shelf.add("The asked one", "model of subject3 and topic5 with thing7")
    shelf.embed()
    searcher = shelf.searcher()
    whole = [(hit.paper_id, hit.score) for hit in searcher.similar([first], 460)]
    assert len({paper for paper, _score in whole}) == 460
    for k in (10, 100, 300):
        assert [(hit.paper_id, hit.score) for hit in searcher.similar([first], k)] == whole[:k]
    request = SimilarRequest(Examples((first,)), diversity=0.5)
    diverse = [hit.paper_id for hit in searcher.similar(replace(request, k=400))]
    assert len(set(diverse)) == 400
    for k in (10, 60, 200):
        assert [hit.paper_id for hit in searcher.similar(replace(request, k=k))] == diverse[:k]


def test_limits_that_leave_no_paper_are_told(shelf: Shelf, papers: dict[str, int]) -> None:
    request = SimilarRequest(Examples((papers["bandits"],)))
    searcher = shelf.searcher()
    years = searcher.similar(replace(request, newer_than=2020, older_than=2018))
    assert years.nothing == "No other paper is left by the limits: after 2020, before 2018."
    nobody = searcher.similar(replace(request, flt=PaperFilter(is_=("read",))))
    assert nobody.nothing == "No other paper is left by the limits."
    wrong = searcher.similar(replace(request, within="is:foo"))
    assert wrong.remarks
    assert "foo" in wrong.remarks[0]
    assert searcher.similar(request).nothing == ""
