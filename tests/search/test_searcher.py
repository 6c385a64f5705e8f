"""Search by meaning and by both, over real vectors in a real store."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.errors import LitscapeError, NotReadyError, UserError
from litscape.index import ExactIndex, HnswIndex, choice
from litscape.paper import PaperFilter
from litscape.search import semantic
from litscape.search.fusion import blend
from litscape.search.hits import MODES
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tests.search.conftest import Shelf

    from litscape.search.hits import Mode


@pytest.fixture
def papers(shelf: Shelf) -> dict[str, int]:
    found = {
        "graph": shelf.add("Graph neural networks", "message passing on nodes", year=2017),
        "chess": shelf.add("Chess openings", "theory of a game", year=1999, authors=["Ann Lee"]),
        "go": shelf.add("Mastering the game of Go", "deep networks and search", year=2016),
        "nodes": shelf.add("Passing notes", "neural nodes of a graph", year=2020),
    }
    shelf.embed()
    return found


def test_without_vectors_semantic_names_the_command_and_hybrid_uses_words(shelf: Shelf) -> None:
    paper = shelf.add("Chess openings")
    with pytest.raises(NotReadyError, match="compute similarity"):
        shelf.searcher().search("chess", "semantic")
    result = shelf.searcher().search("chess", "hybrid")
    assert [hit.paper_id for hit in result] == [paper]
    assert result.mode_used == "lexical"
    assert "compute similarity" in result.notes[0]


def test_without_an_encoder_it_is_the_same(shelf: Shelf, papers: dict[str, int]) -> None:
    with pytest.raises(NotReadyError, match="engine"):
        shelf.searcher(None).search("chess", "semantic")
    result = shelf.searcher(None).search("chess", "hybrid")
    assert [hit.paper_id for hit in result] == [papers["chess"]]
    assert result.mode_used == "lexical"


def test_an_encoder_that_is_not_ready_or_dead_leaves_search_by_words(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    def starting(_query: str) -> NDArray[np.float32]:
        raise NotReadyError("The model is being exported.")

    def dead(_query: str) -> NDArray[np.float32]:
        raise LitscapeError("The engine has died.")

    def broken(_query: str) -> NDArray[np.float32]:
        raise ZeroDivisionError

    for encode in (starting, dead):
        result = shelf.searcher(encode).search("chess", "hybrid")
        assert [hit.paper_id for hit in result] == [papers["chess"]]
        assert result.notes[0].startswith("Searched by words only: The ")
        with pytest.raises(LitscapeError):
            shelf.searcher(encode).search("chess", "semantic")
    with pytest.raises(ZeroDivisionError):
        shelf.searcher(broken).search("chess", "hybrid")


def test_semantic_ranks_by_cosine(shelf: Shelf, papers: dict[str, int]) -> None:
    result = shelf.searcher().search("graph neural nodes", "semantic", k=3)
    assert result.mode_used == "semantic"
    assert {hit.paper_id for hit in result.hits[:2]} == {papers["graph"], papers["nodes"]}
    assert [hit.semantic_rank for hit in result] == [1, 2, 3]
    assert all(hit.lexical_rank is None for hit in result)
    query = shelf.encode("graph neural nodes")
    for hit in result:
        cosine = float(query @ shelf.encode(shelf.texts[hit.paper_id]))
        assert hit.similarity == pytest.approx(cosine, abs=1e-5)
        assert hit.why == (f"meaning {hit.similarity:.2f}",)


def test_semantic_keeps_to_fields_years_filters_and_what_is_left_out(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    def found(query: str, flt: PaperFilter | None = None) -> set[int]:
        return {hit.paper_id for hit in shelf.searcher().search(query, "semantic", flt=flt)}

    assert found("game") == set(papers.values())
    assert found("game year:>2015") == {papers["graph"], papers["go"], papers["nodes"]}
    assert found("game -chess") == set(papers.values()) - {papers["chess"]}
    assert found("game author:lee") == {papers["chess"]}
    assert found("game", PaperFilter(year_to=2000)) == {papers["chess"]}
    assert found("game", PaperFilter()) == set(papers.values())


def test_hybrid_says_which_part_found_a_hit(shelf: Shelf, papers: dict[str, int]) -> None:
    result = shelf.searcher().search("graph networks", "hybrid")
    assert result.mode_used == "hybrid"
    assert result.notes == ()
    first = result.hits[0]
    assert (first.paper_id, first.lexical_rank) == (papers["graph"], 1)
    assert first.why[0] == "words, rank 1"
    assert first.why[1].startswith("meaning ")
    others = {hit.paper_id: hit for hit in result.hits[1:]}
    assert others[papers["chess"]].lexical_rank is None
    assert others[papers["chess"]].semantic_rank is not None
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert len(shelf.searcher().search("graph networks", "hybrid", k=2)) == 2


def test_names_only_are_searched_by_words(shelf: Shelf, papers: dict[str, int]) -> None:
    for mode in ("semantic", "hybrid"):
        result = shelf.searcher().search("author:lee", mode)
        assert [hit.paper_id for hit in result] == [papers["chess"]]
        assert result.mode_used == "lexical"
        assert result.notes == ("Names and places are searched by words.",)


def test_missing_vectors_are_said(shelf: Shelf, papers: dict[str, int]) -> None:
    late = shelf.add("Late paper on chess")
    shelf.add(None, None)  # nothing to embed: not missing
    searcher = shelf.searcher()
    result = searcher.search("chess", "hybrid")
    assert result.notes == ("Meaning is known for 4 of 5 papers: compute similarity for the rest.",)
    assert late in [hit.paper_id for hit in result]
    with Lease(shelf.database, "embed"):
        notes = searcher.search("chess", "hybrid").notes
    assert notes == ("Meaning is known for 4 of 5 papers: the rest is at work.",)
    shelf.embed([late])
    assert searcher.search("chess", "hybrid").notes == ()


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
def test_any_number_of_papers_may_be_asked_for_but_none(
    shelf: Shelf, papers: dict[str, int], mode: Mode
) -> None:
    searcher = shelf.searcher()
    assert papers["chess"] in [hit.paper_id for hit in searcher.search("chess", mode, k=10**30)]
    assert len(searcher.search("year:1999", mode, k=10**30)) == 1
    assert len(searcher.similar([papers["chess"]], k=10**30)) == 3
    for k in (0, -1, -(10**30)):
        with pytest.raises(UserError, match="at least one"):
            searcher.search("chess", mode, k=k)
        with pytest.raises(UserError, match="at least one"):
            searcher.similar([papers["chess"]], k=k)
    with pytest.raises(UserError, match="whole number"):
        searcher.search("chess", mode, k=2.5)  # type: ignore[arg-type]


def test_what_is_no_text_is_the_users_mistake(shelf: Shelf) -> None:
    for query in (None, 7, b"chess"):
        with pytest.raises(UserError, match="A query must be text"):
            shelf.searcher().search(query)  # type: ignore[arg-type]


def test_signs_alone_find_nothing_and_it_is_said(shelf: Shelf, papers: dict[str, int]) -> None:
    for query in ("!!!", "😀", "- -- :", "🦉 ?"):
        for mode in MODES:
            result = shelf.searcher().search(query, mode)
            assert len(result) == 0
            (note,) = result.notes
            assert note.startswith("Nothing in it can be searched for")
    assert len(shelf.searcher().search("")) == 4
    chess = shelf.searcher().search("year:abc chess", k=1)
    assert [hit.paper_id for hit in chess] == [papers["chess"]]
    assert chess.notes[0].startswith("“abc” is not a year or a range such as 2015-2020")


def test_one_chance_match_of_all_words_is_not_above_what_is_meant(shelf: Shelf) -> None:
    chance = shelf.add(
        "Tracking whales", "how do machines answer questions about things in pictures of the sea"
    )
    filler = " ".join(f"w{i}" for i in range(60))
    meant = shelf.add("Machines answer questions about pictures of any kind", filler)
    for i in range(30):
        shelf.add(f"Paper {i}", f"machines {filler}" if i % 2 else f"pictures {filler}")
    near = {shelf.texts[meant]: shelf.encode("query"), shelf.texts[chance]: shelf.encode("sea")}
    shelf.embed(encode=lambda text: near.get(text, shelf.encode(text)))
    query = "how do machines answer questions about things in pictures"
    result = shelf.searcher(lambda _query: shelf.encode("query")).search(query)
    first, second = result.hits[:2]
    assert (first.paper_id, second.paper_id) == (meant, chance)
    assert first.why == ("some words, rank 2", "meaning 1.00, rank 1")
    assert second.why[0] == "words, rank 1"
    assert 0 < second.score < first.score <= 1
    assert shelf.words(query) == [chance]


def test_hybrid_keeps_to_fields_and_what_is_left_out(shelf: Shelf, papers: dict[str, int]) -> None:
    def found(query: str) -> set[int]:
        return {hit.paper_id for hit in shelf.searcher().search(query, "hybrid")}

    assert found("openings graph author:lee") == {papers["chess"]}
    assert found("game graph -chess") == set(papers.values()) - {papers["chess"]}
    assert found("game title:game") == {papers["go"]}


def test_a_paper_without_vector_is_found_by_its_words(shelf: Shelf, papers: dict[str, int]) -> None:
    late = shelf.add("Endgames of chess", "how kings win")
    hits = {hit.paper_id: hit for hit in shelf.searcher().search("endgames of kings", "hybrid")}
    assert next(iter(hits)) == late
    assert (hits[late].lexical_rank, hits[late].similarity) == (1, None)


def test_tags_of_a_filter_that_are_not_there_are_said(shelf: Shelf, papers: dict[str, int]) -> None:
    tagged = shelf.add("Chess again", tags=["Read"])
    shelf.embed()
    searcher = shelf.searcher()
    flt = PaperFilter(tags=("nosuch",))
    for result in (searcher.search("chess", flt=flt), searcher.similar([tagged], flt=flt)):
        assert (len(result), result.notes) == (0, ("There is no tag “nosuch”.",))
    found = searcher.search("chess", flt=PaperFilter(tags=("read",)))
    assert [hit.paper_id for hit in found] == [tagged]


def test_an_unknown_mode_is_the_users_mistake(shelf: Shelf) -> None:
    with pytest.raises(UserError, match="psychic"):
        shelf.searcher().search("x", "psychic")  # type: ignore[arg-type]


@pytest.mark.parametrize("setting", ["exact", "hnsw"])
def test_changed_vectors_are_found_by_the_same_searcher(shelf: Shelf, setting: str) -> None:
    if setting == "hnsw":
        pytest.importorskip("hnswlib")
    first = [shelf.add(f"Paper {i} on subject{i}") for i in range(30)]
    shelf.embed()
    searcher = shelf.searcher(setting=setting)
    assert searcher.prepare().state == "ready"
    late = shelf.add("Quark physics")
    shelf.embed([late])
    shelf.trash(first[0])
    shelf.texts[first[1]] = "Lepton physics"
    shelf.embed([first[1]])
    assert searcher.search("quark physics", "semantic", k=1).hits[0].paper_id == late
    assert searcher.search("lepton physics", "semantic", k=1).hits[0].paper_id == first[1]
    everything = {hit.paper_id for hit in searcher.search("subject0", "semantic", k=99)}
    assert everything == {*first[1:], late}
    assert searcher.info().count == 30
    assert searcher.info().kind == setting


class TestGraph:
    """hnswlib by setting, in a library that is far too small for it."""

    @pytest.fixture(autouse=True)
    def needed(self) -> None:
        pytest.importorskip("hnswlib")

    @pytest.fixture
    def filled(self, shelf: Shelf) -> Shelf:
        for i in range(40):
            shelf.add(f"Paper {i} on subject{i}")
        shelf.embed()
        return shelf

    def test_exact_search_serves_until_it_is_built(self, filled: Shelf) -> None:
        searcher = filled.searcher(setting="hnsw")
        assert searcher.search("subject3", "semantic", k=1).hits[0].paper_id == 4
        assert searcher.info().state == "to build"
        assert searcher.prepare().state == "ready"
        assert searcher.search("subject3", "semantic", k=1).hits[0].paper_id == 4

    def test_it_is_loaded_from_its_files_the_next_time(
        self, filled: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        filled.searcher(setting="hnsw").prepare()
        built: list[int] = []
        add = HnswIndex.add

        def counted(self: HnswIndex, ids: NDArray[np.int64], rows: NDArray[np.float32]) -> None:
            built.append(len(ids))
            add(self, ids, rows)

        monkeypatch.setattr(HnswIndex, "add", counted)
        again = filled.searcher(setting="hnsw")
        assert again.info().state == "ready"
        assert again.search("subject3", "semantic", k=1).hits[0].paper_id == 4
        assert built == []

    def test_few_changes_are_added_and_many_wait(
        self, filled: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        searcher = filled.searcher(setting="hnsw")
        searcher.prepare()
        monkeypatch.setattr(semantic, "MAX_INLINE", 3)
        filled.embed([filled.add("Quark one"), filled.add("Quark two")])
        assert searcher.info().state == "ready"
        filled.embed([filled.add(f"Lepton {i}") for i in range(4)])
        assert searcher.info() == semantic.IndexInfo(
            "hnsw", "to build", 46, filled.registry.active().version
        )
        assert searcher.prepare().state == "ready"
        assert filled.searcher(setting="hnsw").info().state == "ready"

    def test_changes_taken_in_are_saved_by_the_next_prepare(self, filled: Shelf) -> None:
        searcher = filled.searcher(setting="hnsw")
        searcher.prepare()
        filled.embed([filled.add("Quark one")])
        assert filled.searcher(setting="hnsw").info().state == "to build"
        searcher.prepare()
        assert filled.searcher(setting="hnsw").info().state == "ready"

    def test_a_graph_full_of_removed_rows_is_built_anew(self, filled: Shelf) -> None:
        searcher = filled.searcher(setting="hnsw")
        searcher.prepare()
        for paper in range(1, 21):
            filled.trash(paper)
        searcher.prepare()
        assert searcher.info().count == 20
        assert len(searcher.search("subject3", "semantic", k=99)) == 20

    def test_a_broken_file_is_made_anew(self, filled: Shelf) -> None:
        filled.searcher(setting="hnsw").prepare()
        (file,) = (filled.database.folder / "index").glob("*/hnsw.bin")
        file.write_bytes(file.read_bytes()[:100])
        searcher = filled.searcher(setting="hnsw")
        assert searcher.search("subject3", "semantic", k=1).hits[0].paper_id == 4
        assert searcher.info().state == "to build"
        assert searcher.prepare().state == "ready"


def test_a_missing_hnswlib_is_said_once(
    shelf: Shelf, papers: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "available", lambda: False)
    searcher = shelf.searcher(setting="hnsw")
    first, second = (searcher.search("chess", "semantic") for _ in range(2))
    assert first.notes == (choice.MISSING,)
    assert second.notes == ()
    assert first.hits[0].paper_id == papers["chess"]
    info = searcher.info()
    assert (info.kind, info.state, info.note) == ("exact", "ready", choice.MISSING)


def test_info_without_vectors(shelf: Shelf) -> None:
    info = shelf.searcher().info()
    assert (info.kind, info.state, info.count) == ("exact", "none", 0)
    assert info.model == shelf.registry.active().version


def test_many_threads_may_search_while_vectors_come_in(shelf: Shelf) -> None:
    for i in range(60):
        shelf.add(f"Paper {i} on subject{i}")
    shelf.embed(list(shelf.texts)[:20])
    searcher = shelf.searcher()
    wrong: list[object] = []

    def look() -> None:
        try:
            for i in range(20):
                hits = searcher.search(f"paper subject{i}", "hybrid", k=3).hits
                if hits[0].paper_id != i + 1:
                    wrong.append((i, hits))
        except Exception as error:  # noqa: BLE001 - whatever it is, the test must see it
            wrong.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for start in (20, 30, 40, 50):
        shelf.embed(list(shelf.texts)[start : start + 10])
    for thread in threads:
        thread.join()
    assert wrong == []
    assert searcher.info().count == 60


def test_changes_between_two_states_of_the_vectors(shelf: Shelf) -> None:
    for i in range(10):
        shelf.add(f"Paper {i}")
    shelf.embed()
    version = shelf.registry.active().version
    before = shelf.vectors.snapshot(version)
    shelf.trash(1)
    shelf.texts[2] = "changed"
    shelf.embed([2, shelf.add("new")])
    after = shelf.vectors.snapshot(version)
    gone, rows = semantic.changes(before, after)
    assert gone.tolist() == [1]
    assert sorted(after.ids[rows].tolist()) == [2, 11]
    same = semantic.changes(after, after)
    assert (len(same[0]), len(same[1])) == (0, 0)


def test_an_index_over_nothing(shelf: Shelf) -> None:
    index = ExactIndex(len(shelf.encode("x")))
    assert index.search(shelf.encode("x"), 3)[0].tolist() == []
    assert shelf.searcher().prepare().state == "none"


def test_blending_takes_measures_as_they_are_and_a_missing_one_from_the_middle() -> None:
    cosines = np.array([0.2, 0.6, 0.4, np.nan])
    words = np.array([1.0, 0.0, 0.5, 0.5])
    np.testing.assert_allclose(blend(cosines, words, 0.7), [0.44, 0.42, 0.43, 0.43])
    np.testing.assert_allclose(blend(np.full(4, np.nan), words, 0.7), words)
    assert len(blend(np.array([]), np.array([]), 0.7)) == 0


def test_a_library_in_another_language_is_told_to_who_searches_its_meaning(shelf: Shelf) -> None:
    for title in ("Grundlagen der künstlichen Intelligenz", "深度学习综述"):
        shelf.add(title)
    shelf.embed()
    for mode, told in (("lexical", 0), ("semantic", 1), ("hybrid", 1)):
        result = shelf.searcher().search("intelligenz", mode)  # type: ignore[arg-type]
        assert sum("knows English" in note for note in result.notes) == told, mode
        assert len(result) >= 1
