from __future__ import annotations

import os
import shutil
import signal
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.window.driving import WAIT_MS, choose, draft, listed

from litscape.jobs.runners import Lane
from litscape.library import Library
from litscape.settings import AppSettings
from litscape_app.window.similarity import Phase, Standing
from litscape_app.window.words import authors_line, plain_tooltip, shorten, time_left

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.jobs import JobContext
    from litscape_app.window.main_window import MainWindow

LONG_MS = 120_000


def phase(window: MainWindow) -> Phase:
    return window.similarity.standing.phase


@pytest.mark.parametrize(
    ("standing", "sentence"),
    [
        (Standing(), ""),
        (Standing(Phase.READY, 480, 480), "Similarity: all 480 papers"),
        (
            Standing(Phase.RUNNING, 312, 4180, left="2 min left"),
            "Similarity: 312 of 4,180 papers · 2 min left",
        ),
        (Standing(Phase.PAUSED, 312, 4180), "Similarity: paused at 312 of 4,180 papers"),
        (Standing(Phase.FAILED, 1, 2), "Similarity stopped at 1 of 2 papers"),
    ],
)
def test_states_are_sentences(standing: Standing, sentence: str) -> None:
    assert standing.sentence == sentence


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (3, "5 s left"), (41, "45 s left"), (61, "2 min left"), (4200, "1 h 10 min left")],
)
def test_time_left(seconds: float | None, words: str) -> None:
    assert time_left(seconds) == words


def test_author_lines() -> None:
    names = [f"Name{n}" for n in range(12)]
    assert authors_line(names) == "Name0, Name1 … Name11 (12)"
    assert authors_line(names[:3]) == "Name0, Name1, Name2"
    assert authors_line(names[:2], more=True) == "Name0, Name1 et al."
    assert authors_line([]) == ""


def test_tooltips_and_shortening_keep_text_plain() -> None:
    assert "&lt;b&gt;" in plain_tooltip("<b>x</b>")
    assert plain_tooltip("") == ""
    assert shorten("one two three", 9) == "one two…"


def test_similar_papers_by_words_before_there_are_vectors(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    qtbot.waitUntil(lambda: window.similar.model.rowCount() > 0, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "words" in window.similar.note.text(), timeout=WAIT_MS)
    hit = window.similar.model.hits[0]
    assert hit.score == ""


def test_vectors_are_made_by_themselves_and_searched(
    qtbot: QtBot,
    make_window: Callable[..., MainWindow],
    folder: Path,
    tiny_model: Path,
    home: Path,
) -> None:
    shutil.rmtree(home / "cache" / "onnx")  # the model is exported by itself as well
    window = make_window(AppSettings(theme="light"))
    window.session.open(folder)
    qtbot.waitUntil(lambda: phase(window) is Phase.READY, timeout=LONG_MS)
    assert window.foot.text.text() == "Similarity: all 5 papers"
    choose(qtbot, window, "Zebra crossings")
    hits = window.similar.model
    qtbot.waitUntil(lambda: hits.rowCount() == 4 and hits.hits[0].score != "", timeout=WAIT_MS)
    scores = [float(hit.score) for hit in hits.hits]
    assert scores == sorted(scores, reverse=True)
    window.session.write("Add", lambda library: library.edit.add(draft(7, title="Seventh")))
    qtbot.waitUntil(lambda: window.similarity.standing.total == 6, timeout=LONG_MS)
    qtbot.waitUntil(lambda: phase(window) is Phase.READY, timeout=LONG_MS)
    entry = window.session.jobs.entries[-1]
    assert entry.outcome == "1 paper ready for similarity"


def _damage(folder: Path) -> None:
    (file,) = folder.glob("vectors/*/vectors.npy")
    whole = np.load(file)
    whole[:] = 0.5
    np.save(file, whole)


def test_damaged_vectors_are_told_with_a_way_out(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tiny_model: Path
) -> None:
    with Library.open(folder) as library:
        library.embed()
    _damage(folder)
    window = make_window()
    window.session.open(folder)
    qtbot.waitUntil(lambda: phase(window) is Phase.BEHIND, timeout=WAIT_MS)
    assert window.foot.text.text() == "Similarity: 0 of 5 papers, 5 damaged vectors"
    assert "compute similarity again" in window.foot.text.toolTip()
    choose(qtbot, window, "Zebra crossings")
    note = window.similar.note
    qtbot.waitUntil(lambda: "vectors are damaged" in note.text(), timeout=WAIT_MS)
    window.search.line.setText("bridges")
    window.search.modes.choose("semantic")
    window.search.search_now()
    qtbot.waitUntil(lambda: "damaged" in window.table.header.note.text(), timeout=WAIT_MS)
    window.search.line.clear()
    window.foot.act.click()
    qtbot.waitUntil(lambda: phase(window) is Phase.READY, timeout=LONG_MS)
    assert window.foot.text.text() == "Similarity: all 5 papers"


def test_damaged_vectors_are_made_anew_by_themselves(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tiny_model: Path
) -> None:
    with Library.open(folder) as library:
        library.embed()
    _damage(folder)
    window = make_window(AppSettings(theme="light"))
    window.session.open(folder)
    ended = window.session.jobs.entries
    qtbot.waitUntil(
        lambda: any(one.outcome == "5 papers ready for similarity" for one in ended),
        timeout=LONG_MS,
    )
    mended = window.session.library
    assert mended is not None
    assert len(mended.vectors()) == 5


def test_more_and_less_like_this(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tiny_model: Path
) -> None:
    with Library.open(folder) as library:
        library.embed()
    window = make_window()
    window.session.open(folder)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: panel.model.rowCount() == 4, timeout=WAIT_MS)
    first, second = (hit.paper_id for hit in panel.model.hits[:2])
    window.menus.actions["view.similar"].trigger()
    assert panel.list.hasFocus()
    panel.list.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClicks(panel.list, "+")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3, timeout=WAIT_MS)
    assert panel.seeds.more == (first,)
    panel.less_like(second)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2, timeout=WAIT_MS)
    assert "the mean of the 2 that you like, less" in panel.note.text()
    assert panel.note.isVisible()
    panel.drop(first)
    panel.drop(second)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 4, timeout=WAIT_MS)
    assert "closeness" not in panel.note.text()


def test_following_a_similar_paper_chooses_it(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0, timeout=WAIT_MS)
    other = panel.model.hits[0].paper_id
    panel.list.previewed.emit(other)
    qtbot.waitUntil(lambda: window.details.ids == (other,), timeout=WAIT_MS)
    assert window.session.selection == (paper,)
    panel.list.followed.emit(other)
    qtbot.waitUntil(lambda: window.session.selection == (other,), timeout=WAIT_MS)


def test_the_row_stays_when_a_similar_paper_becomes_a_seed(
    qtbot: QtBot, window: MainWindow
) -> None:
    choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: panel.model.rowCount() > 1, timeout=WAIT_MS)
    more = panel.model.hits[0].paper_id
    panel.list.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClicks(panel.list, "+")
    qtbot.waitUntil(lambda: more not in [hit.paper_id for hit in panel.model.hits], timeout=WAIT_MS)
    assert panel.seeds.more == (more,)
    assert panel.list.currentIndex().row() == 0
    choose(qtbot, window, "Birds of the marsh")
    qtbot.waitUntil(lambda: panel._base == (2,), timeout=WAIT_MS)
    assert not panel.list.currentIndex().isValid()


def test_a_killed_engine_is_told_and_restarts(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tiny_model: Path
) -> None:
    window = make_window(AppSettings(theme="light"))
    window.session.open(folder)
    qtbot.waitUntil(lambda: window.similarity.running, timeout=WAIT_MS)
    library = window.session.library
    assert library is not None
    qtbot.waitUntil(lambda: bool(library.engine.pids), timeout=LONG_MS)
    for pid in library.engine.pids:
        os.kill(pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: phase(window) in (Phase.FAILED, Phase.READY), timeout=LONG_MS)
    if phase(window) is Phase.FAILED:
        assert window.notice.isVisible()
        assert window.foot.act.text() == "Restart"
        # Another program's change, or any other look at the counts, doesn't hide the failure.
        window.similarity.look()
        qtbot.wait(500)
        assert phase(window) is Phase.FAILED
        assert window.similarity.standing.problem
        window.foot.act.click()
    qtbot.waitUntil(lambda: phase(window) is Phase.READY, timeout=LONG_MS)
    assert listed(window) == 5


def test_pausing_holds_and_resuming_goes_on(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tiny_model: Path
) -> None:
    window = make_window(AppSettings(theme="light"))
    window.session.open(folder)
    qtbot.waitUntil(lambda: window.similarity.running, timeout=WAIT_MS)
    window.foot.act.click()
    assert phase(window) is Phase.PAUSED
    qtbot.waitUntil(lambda: not window.similarity.running, timeout=LONG_MS)
    qtbot.wait(300)
    if phase(window) is Phase.PAUSED:
        assert window.foot.act.text() == "Resume"
        window.foot.act.click()
    qtbot.waitUntil(lambda: phase(window) is Phase.READY, timeout=LONG_MS)


def test_the_count_follows_papers_that_go_while_it_is_computed(
    qtbot: QtBot, window: MainWindow
) -> None:
    over = threading.Event()

    def act(_library: Library, ctx: JobContext) -> None:
        ctx.progress(3, 5)
        assert over.wait(WAIT_MS / 1000)

    similarity = window.similarity
    qtbot.waitUntil(lambda: similarity.standing.total == 5, timeout=WAIT_MS)
    similarity._entry = window.session.work("Similarity of papers", act, Lane.COMPUTE)
    try:
        qtbot.waitUntil(lambda: similarity.standing.done == 3, timeout=WAIT_MS)
        assert similarity.standing.total == 5
        window.session.write("Trash", lambda library: library.edit.trash([1, 2, 3, 4]))
        qtbot.waitUntil(lambda: similarity.standing.total == 1, timeout=WAIT_MS)
        assert similarity.standing.done == 0
        assert similarity.standing.phase is Phase.RUNNING
        assert window.foot.text.text().startswith("Similarity: 0 of 1 paper")
    finally:
        over.set()
        similarity._paused = True
