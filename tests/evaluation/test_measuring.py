"""Measuring a whole library: what is asked, what is hidden, what is stored, what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.evaluation.small_library import PAPERS, links, make, subject
from tests.windows import copy_of

from litscape.alike.signals import DEFAULTS
from litscape.alike.weights import Learned, learned, put_learned
from litscape.errors import UserError
from litscape.evaluation.material import Material
from litscape.evaluation.past import forget, one, past
from litscape.evaluation.records import Report, Wanted
from litscape.evaluation.run import learned_anew, measure
from litscape.evaluation.scratch import without
from litscape.evaluation.tasks import TASKS
from litscape.evaluation.tasks.base import TooFewError
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.library import Library
from litscape.store import measuring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.evaluation.tasks.base import Prepared


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured") / "Small"
    make(folder)
    return folder


@pytest.fixture
def library(_made: Path, tmp_path: Path) -> Iterator[Library]:
    with Library.open(copy_of(_made, tmp_path)) as opened:
        yield opened


def prepared(library: Library, task: str, part: str = "dev", held: str = "auto") -> Prepared:
    material = Material.of(library)
    return TASKS[task].prepare(library, material, Wanted(task, part, held))  # type: ignore[arg-type]


def test_held_out_papers_are_asked_of_all_older_ones(library: Library) -> None:
    found = prepared(library, "citations", held="paper")
    cited = {p: {c for a, c in links() if a == p} for p in range(1, PAPERS + 1)}
    years = Material.of(library).years
    assert len(found.questions) == 59
    for question in found.questions:
        paper = question.paper or 0
        assert set(question.relevant) == cited[paper]
        older = {p for p in years if years[p] <= years[paper]} - {paper}
        assert set(question.candidates.tolist()) == older


def test_no_link_of_a_held_out_paper_is_in_the_copy(library: Library) -> None:
    dev, test = (prepared(library, "citations", part, "paper") for part in ("dev", "test"))
    held = {question.paper for one in (dev, test) for question in one.questions}
    with without(library, dev.change) as copy:
        left = Material.of(copy).links
    assert not held & set(left.ravel().tolist())
    assert {tuple(pair) for pair in left.tolist()} == {
        (a, b) for a, b in links() if not {a, b} & held
    }
    assert len(Material.of(library).links) == len(links())
    assert not list(library.folder.glob("litscape-measuring-*"))


def test_no_link_of_later_years_is_in_the_copy(library: Library) -> None:
    found = prepared(library, "citations", held="year")
    years = Material.of(library).years
    first = min(years[question.paper or 0] for question in found.questions)
    with without(library, found.change) as copy:
        left = Material.of(copy).links
    assert len(left)
    assert max(years[paper] for paper in left.ravel().tolist()) < first


def test_lists_hold_five_cited_papers_and_25_others(library: Library) -> None:
    once, again = (prepared(library, "reranking", held="paper") for _ in range(2))
    linked = {frozenset(pair) for pair in links()}
    for question, same in zip(once.questions, again.questions, strict=True):
        assert 1 <= len(question.relevant) <= 5
        others = set(question.candidates.tolist()) - set(question.relevant)
        assert len(others) == 25
        assert not any(frozenset((question.paper or 0, other)) in linked for other in others)
        assert np.array_equal(question.candidates, same.candidates)


def test_titles_look_for_abstracts_alone(library: Library) -> None:
    dev, test = (prepared(library, "titles", part) for part in ("dev", "test"))
    asked = [{paper for q in one.questions for paper in q.relevant} for one in (dev, test)]
    assert len(asked[0]) == len(asked[1]) == PAPERS // 2
    assert not asked[0] & asked[1]
    with without(library, dev.change, vectors=False) as copy:
        texts = Material.of(copy).texts
        assert not any(text.title or text.keywords for text in texts.values())
        assert all(text.abstract for text in texts.values())
        assert not copy.search("studies", mode="lexical").hits
        assert copy.search("mark007", mode="lexical").hits[0].paper_id == 7


def test_keywords_are_hidden_and_papers_that_say_them_left_out(library: Library) -> None:
    dev = prepared(library, "keywords")
    for question in dev.questions:
        number = int(question.text.removeprefix("hidden"))
        assert set(question.relevant) == {2 * number, 2 * number + 1} - {0, PAPERS + 1}
    with without(library, dev.change) as copy:
        assert not copy.search("hidden7", mode="lexical").hits
    # A subject is a keyword as well, but every paper that has it says it.
    assert not {question.text for question in dev.questions} & {subject(p) for p in range(10)}


def test_labels_are_hidden_and_shared_by_what_is_to_be_found(library: Library) -> None:
    with pytest.raises(TooFewError, match="0 tags and collections have 20 papers"):
        prepared(library, "labels")
    papers = range(1, PAPERS + 1)
    for word in ("coral", "glacier", "violin"):
        library.edit.tag([paper for paper in papers if subject(paper) == word], [word])
    library.edit.tag([1, 2, 3], ["rare"])
    own = [paper for paper in papers if subject(paper) in ("meteor", "orchid")]
    library.edit.add_to_collection(own, ("High", "Low"))
    dev, test = (prepared(library, "labels", part) for part in ("dev", "test"))
    asked = {question.paper for one in (dev, test) for question in one.questions}
    assert len(asked) == len(dev.questions) + len(test.questions) == 300
    for question in dev.questions:
        same = {"coral", "glacier", "violin"} & {subject(question.paper or 0)}
        expected = same or {"meteor", "orchid"}
        assert {subject(paper) for paper in question.relevant} == expected
        assert question.paper not in question.candidates
        assert len(question.candidates) == 299
    with without(library, dev.change) as hidden:
        assert not hidden.papers.get(10).tags
        assert not hidden.papers.get(own[0]).collections


def test_a_measurement_is_stored_and_said_in_words(library: Library) -> None:
    wanted = Wanted("citations", held="paper", most=200)
    steps: list[str] = []
    ctx = JobContext(lambda event: steps.append(getattr(event.value, "text", "")))
    report = measure(library, wanted, ctx)
    names = [figures.system for figures in report.figures]
    assert names == ["words", "tfidf", "meaning", "hybrid", "blend"]
    for figures in report.figures:
        assert figures.estimates["nDCG@10"].n == report.queries
        # What is cited is of the same subject, which words and vectors tell; chance finds 6 %.
        assert figures.estimates["Recall@20"].mean > 0.25, figures.system
    assert any("TF-IDF" in step for step in steps)
    (stored,) = past(library.database)
    assert stored.report == report
    assert Report.from_json(report.to_json()) == report
    assert f"n = {report.queries}" in report.sentences[0]
    assert any("rough" in note for note in report.notes)
    forget(library.database, report.number or 0)
    assert not past(library.database)


def test_an_opened_test_is_noted_for_good_also_when_it_breaks_off(library: Library) -> None:
    ctx = JobContext(lambda event: ctx.cancel() if "of" in str(event.value) else None)
    wanted = Wanted("citations", "test", held="paper")
    with pytest.raises(JobCancelledError):
        measure(library, wanted, ctx)
    (opened,) = past(library.database)
    assert (opened.part, opened.report) == ("test", None)
    with pytest.raises(UserError, match="opened the test"):
        forget(library.database, opened.number)
    report = measure(library, wanted)
    assert any("opened once before" in note for note in report.notes)
    assert one(library.database, report.number or 0).report == report


def test_too_little_gives_a_sentence_and_no_number(library: Library) -> None:
    report = measure(library, Wanted("citations", held="paper", most=49))
    assert not report.figures
    assert "at most 49 queries were asked for" in report.sentences[0]
    assert not past(library.database)
    with pytest.raises(TooFewError):
        prepared(library, "cocitation", held="paper")
    with pytest.raises(UserError, match="no task"):
        measure(library, Wanted("titels"))


def test_weights_learned_on_hidden_links_play_no_part(library: Library) -> None:
    known = Learned(dict(DEFAULTS), "2030", 9, 9, 9, "nDCG@10", 0.1, 0.1, 0.0, 0.2, adopted=True)
    with library.database.write() as conn:
        put_learned(conn, known)
    everything = range(1, PAPERS + 1)
    with without(library, lambda conn: measuring.hide_links_of(conn, everything)) as copy:
        with copy.database.read() as conn:
            assert learned(conn) is None
        (note,) = learned_anew(library, copy, null_context())
    assert "could not be learned from the links that were not hidden" in note
