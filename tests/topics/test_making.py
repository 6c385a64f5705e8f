"""Topics found in planted papers: which, how they are called, and what edits leave of them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.topics.support import SUBJECTS, add_papers, give_vectors, planted, texts_of, vectors

from litscape.errors import NotReadyError, UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.library import Library
from litscape.maps.records import MapScope
from litscape.outline import read_outline
from litscape.store.integrity import check
from litscape.store.topics import TopicRow, TreeRow
from litscape.topics.making import rows_of
from litscape.topics.naming import Name
from litscape.topics.parting import Node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAPERS = 240


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("topics") / "library"
    with planted(folder, PAPERS, extra=4) as library:
        library.topics.make()
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copytree(made, tmp_path / "library")
    with Library.open(tmp_path / "library") as copy:
        yield copy


def test_subjects_become_topics_with_parts(library: Library) -> None:
    tree = library.topics.current()
    assert tree is not None
    assert [topic.size for topic in tree.at(0)] == [PAPERS // 4] * 4
    assert len(tree.at(1)) > 8
    for topic in tree.at(0):
        papers = library.topics.papers_of(topic.id)
        assert len(set((papers - 1) % 4)) == 1
        assert {one.parent for one in tree.below(topic)} == {topic.id}
    assert tree.unassigned() == pytest.approx(4 / 244)
    assert tree.sentence.startswith("2% of the papers (4 of 244) have no topic")


def test_names_are_terms_of_the_subject_and_nothing_else(library: Library) -> None:
    tree = library.topics.current()
    assert tree is not None
    for topic in tree.at(0):
        subject = SUBJECTS[int(library.topics.papers_of(topic.id)[0] - 1) % 4]
        assert topic.terms[0] in subject
        words = {word for term in subject for word in term.split()}
        assert {word for term in topic.terms for word in term.split()} <= words
    assert len({topic.name for topic in tree.topics}) == len(tree.topics)
    assert not any(topic.name.startswith("Topic") for topic in tree.topics)


def test_the_same_seed_finds_the_same_topics(library: Library) -> None:
    first = library.topics.current()
    again = library.topics.make()
    assert first is not None
    assert [t.name for t in first.topics] == [t.name for t in again.topics]
    assert [t.colour for t in first.topics] == [t.colour for t in again.topics]
    for level in range(first.levels):
        a, b = first.labels(level), again.labels(level)
        assert len(set(zip(a.tolist(), b.tolist(), strict=True))) == len(set(a.tolist()))


def test_names_and_colours_stay_while_papers_mostly_stay(library: Library) -> None:
    tree = library.topics.current()
    assert tree is not None
    before = tree.at(0)[1]
    papers = set(library.topics.papers_of(before.id).tolist())
    library.topics.rename(before.id, "My field")
    library.edit.trash(sorted(papers)[:15])
    after = library.topics.make().topic("My field")
    assert (after.edited, after.colour) == (True, before.colour)
    assert len(papers & set(library.topics.papers_of(after.id).tolist())) == 45
    library.history.undo()
    back = library.topics.current()
    assert back is not None
    assert back.key == tree.key
    assert back.topic("My field").id == before.id


def test_merging_and_splitting_go_back_whole(library: Library) -> None:
    before = library.topics.current()
    assert before is not None
    first, second = before.at(0)[:2]
    library.topics.merge([first.id, second.id], "Both")
    merged = library.topics.current()
    assert merged is not None
    both = merged.topic("both")
    parts = len(before.below(first)) + len(before.below(second))
    assert (both.size, both.edited, len(merged.below(both))) == (120, True, parts)
    library.topics.split(both.id)
    parted = library.topics.current()
    assert parted is not None
    assert parted.topic("Both").size < 120  # the name that a person gave stays with the largest
    assert sum(topic.size for topic in parted.at(0)) == PAPERS
    assert all(len(parted.below(topic)) != 1 for topic in parted.at(0))
    assert check(library.database) == []
    library.history.undo()
    library.history.undo()
    back = library.topics.current()
    assert back is not None
    assert back.topics == before.topics
    assert back.finest.tolist() == before.finest.tolist()
    library.history.redo()
    again = library.topics.current()
    assert again is not None
    assert again.topics == merged.topics


def test_parts_of_different_topics_merge_and_an_empty_one_goes(library: Library) -> None:
    tree = library.topics.current()
    assert tree is not None
    first, second = tree.at(0)[:2]
    parts = [one.id for one in (*tree.below(first), *tree.below(second))]
    library.topics.merge(parts)
    after = library.topics.current()
    assert after is not None
    assert len(after.at(0)) == 3
    assert after.topic(tree.topic(first.id).id).size == 120
    with pytest.raises(UserError, match="levels"):
        library.topics.merge([first.id, parts[0]])
    with pytest.raises(UserError, match="two topics"):
        library.topics.merge([first.id])


def test_papers_that_come_later_are_placed_and_taken_out_again(library: Library) -> None:
    title, abstract = texts_of(1)
    with library.database.write() as conn:
        from litscape.paper import PaperDraft
        from litscape.store.bulk import NewPaper, insert_papers

        insert_papers(conn, [NewPaper(500, "late", PaperDraft(title=title, abstract=abstract))])
    give_vectors(library, [241, 500], vectors(2, seed=9))
    library.topics.place_new()
    tree = library.topics.current()
    assert tree is not None
    assert (
        dict(zip(tree.ids.tolist(), tree.labels(0).tolist(), strict=True))[500]
        == (tree.labels(0)[tree.ids.tolist().index(2)])
    )
    assert 241 in library.topics.papers_of(int(tree.labels(0)[0]))
    assert tree.unassigned() == pytest.approx(3 / 245)
    library.history.undo()
    back = library.topics.current()
    assert back is not None
    assert 500 not in back.ids


def test_hdbscan_says_how_much_lies_between(library: Library) -> None:
    rng = np.random.default_rng(3)
    noise = rng.standard_normal((60, 384)).astype(np.float32)
    add = [f"Noise {n}" for n in range(60)]
    with library.database.write() as conn:
        from litscape.paper import PaperDraft
        from litscape.store.bulk import NewPaper, insert_papers

        insert_papers(
            conn, [NewPaper(600 + n, f"n{n}", PaperDraft(title=t)) for n, t in enumerate(add)]
        )
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    give_vectors(library, range(600, 660), noise)
    tree = library.topics.make(method="hdbscan")
    assert tree.method == "hdbscan"
    assert len(tree.at(0)) >= 4
    assert "have no topic" in tree.sentence
    labels = tree.labels(0)[np.isin(tree.ids, np.arange(1, PAPERS + 1))]
    assert max(len(set(labels[n::4].tolist())) for n in range(4)) <= 3
    with pytest.raises(UserError, match="kmeans"):
        library.topics.make(method="kmeans")  # type: ignore[arg-type]


def test_what_can_not_be_parted_says_why(tmp_path: Path) -> None:
    with Library.open(tmp_path / "none") as empty:
        with pytest.raises(UserError, match="no papers"):
            empty.topics.make()
        add_papers(empty, ["One", "Two", "Three"])
        with pytest.raises(NotReadyError, match="no vectors"):
            empty.topics.make()
        give_vectors(empty, [1, 2, 3], vectors(3))
        with pytest.raises(UserError, match="3 papers with a vector"):
            empty.topics.make()
    with planted(tmp_path / "equal", 30) as library:
        give_vectors(library, range(1, 31), np.repeat(vectors(1), 30, axis=0))
        with pytest.raises(UserError, match="same vector"):
            library.topics.make()
        assert library.history.entries() == []


def test_thirty_papers_without_abstracts_have_topics(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        add_papers(library, [texts_of(n)[0] for n in range(32)])
        give_vectors(library, range(1, 33), vectors(32))
        tree = library.topics.make()
        assert [topic.size for topic in tree.at(0)] == [8, 8, 8, 8]
        assert {topic.terms[0] for topic in tree.at(0)} == {subject[0] for subject in SUBJECTS}


def test_a_scope_of_its_own_beside_that_of_the_library(library: Library) -> None:
    some = MapScope("Collection X", tuple(range(1, 81)))
    tree = library.topics.make(some)
    assert tree.ids.tolist() == list(range(1, 81))
    current = library.topics.current()
    assert current is not None
    assert (current.scope, len(library.topics.list())) == ("All papers", 2)
    assert library.topics.current("Collection X") is not None


def test_cancelled_topics_leave_everything_as_it_was(library: Library) -> None:
    before = library.topics.current()
    entries = library.history.entries()
    ctx = JobContext(lambda event: None)
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        library.topics.make(ctx=ctx)
    after = library.topics.current()
    assert before is not None
    assert after is not None
    assert (after.key, library.history.entries()) == (before.key, entries)


def test_papers_without_a_topic_count_in_what_is_an_old_topic() -> None:
    def tree(members: range, rest: range) -> TreeRow:
        row = TopicRow(1, None, 0, "My field", True, 5, (), np.array(members))
        return TreeRow(1, "All papers", "m", "leiden", 0, "", np.array(rest), {}, (row,))

    def called(papers: range, looked_at: range, before: TreeRow) -> tuple[str, bool]:
        nodes, names = [Node(0, -1, np.array(papers))], [Name("dunes", ("dunes",))]
        (row,) = rows_of(nodes, names, before, np.array(looked_at))
        return row.name, row.edited

    before = tree(range(1, 24), range(24, 31))
    # 9 of 23 papers are left, the others have no topic now: it is another topic.
    assert called(range(1, 10), range(1, 31), before) == ("dunes", False)
    # The others are in the library no more: it is the same one.
    assert called(range(1, 10), range(1, 10), before) == ("My field", True)
    # It takes in what had no topic before, more than it was: another one.
    assert called(range(1, 31), range(1, 31), tree(range(1, 10), range(10, 31)))[0] == "dunes"
    # The others are new.
    assert called(range(1, 31), range(1, 31), tree(range(1, 10), range(0)))[0] == "My field"


def test_two_selections_of_one_title_have_topics_of_their_own(library: Library) -> None:
    first = MapScope("Selection", tuple(range(1, 61)))
    second = MapScope("Selection", tuple(range(51, 111)))
    library.topics.remove(library.topics.make().key)
    tree = library.topics.make(first)
    for topic in tree.at(0):
        library.topics.rename(topic.id, f"Mine {topic.id}")
    other = library.topics.make(second)
    assert not any(topic.edited for topic in other.topics)
    one, two = (library.topics.of_papers("Selection", np.array(s.ids)) for s in (first, second))
    assert one is not None
    assert two is not None
    assert (one.key, two.key) == (tree.key, other.key)
    assert library.topics.of_papers("Selection", np.arange(150, 210)) is None
    again = library.topics.make(first)
    assert {topic.name for topic in again.at(0)} == {f"Mine {one.id}" for one in tree.at(0)}
    assert {one.key for one in library.topics.list()} == {other.key, again.key}


def test_topics_of_a_part_are_not_those_of_everything(library: Library) -> None:
    library.topics.remove(library.topics.make().key)
    tree = library.topics.make(MapScope("Collection X", tuple(range(1, 61))))
    assert library.topics.of_papers(None, library.papers.ids()) is None
    without = int((~np.isin(library.papers.ids(), tree.ids[tree.finest >= 0])).sum())
    assert without == PAPERS + 4 - 60
    outline = read_outline(library.database)
    assert outline.topicless == without
    assert outline.about_topics.startswith("Topics of Collection X alone")


def test_topics_that_nobody_asked_for_are_no_step_of_undo(library: Library) -> None:
    library.topics.remove(library.topics.make().key)
    library.edit.tag([1], "mine")
    library.edit.tag([2], "undone")
    library.history.undo()
    entries = library.history.entries()
    tree, changes = library.topics.find(undoable=False)
    assert changes.change_id is None
    assert library.history.entries() == entries
    library.history.redo()
    assert library.papers.get(2).tags == ("undone",)
    library.history.undo()
    library.history.undo()
    assert library.papers.get(1).tags == ()
    current = library.topics.current()
    assert current is not None
    assert current.key == tree.key
    # Those that stand there now are not lost, whoever asked.
    again, changes = library.topics.find(undoable=False)
    assert (again.key, changes.change_id is None) == (tree.key + 1, False)
    library.history.undo()
    back = library.topics.current()
    assert back is not None
    assert back.key == tree.key
