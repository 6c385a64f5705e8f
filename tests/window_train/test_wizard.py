"""The wizard: from the links to a run with a verdict, and what it says where that can't be."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QRadioButton
from tests.window_train.trainable import PAPERS, put_result, put_run
from tests.windows import listed

from litscape.library import Library
from litscape.paper import PaperDraft
from litscape_trainer.runs import Training

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.train_page.page import TrainPage

WAIT_MS = 240_000
HEAVY = {"torch", "transformers", "sklearn", "scipy", "umap", "numba", "igraph"}


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)


def press(qtbot: QtBot, button: QWidget) -> None:
    until(qtbot, lambda: button.isVisible() and button.isEnabled())
    button.click()  # type: ignore[attr-defined]


def open_window(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, papers: int = PAPERS
) -> MainWindow:
    made = make_window()
    made.activateWindow()
    made.session.open(folder)
    until(qtbot, lambda: listed(made) == papers)
    return made


def wizard(window: MainWindow) -> TrainPage:
    window.show_page("train", again=True)
    return cast("TrainPage", window.page("train"))


def library_of(window: MainWindow) -> Library:
    assert window.session.library is not None
    return window.session.library


def loaded() -> set[str]:
    """Which of the heavy libraries are in this process."""
    return HEAVY.intersection(name.partition(".")[0] for name in sys.modules)


def test_from_the_links_to_a_verdict(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    # Other tests of this process may have loaded some; the window adds none.
    before = loaded()
    window = open_window(qtbot, make_window, folder)
    page = wizard(window)
    until(qtbot, lambda: page.links.survey is not None)
    assert "links to learn from" in page.links.said.text()
    press(qtbot, page.links.go)
    # Quick adapt is offered first, on all papers, from the model in use.
    wanted = page.learning.wanted()
    assert (wanted.name, wanted.base, wanted.collections) == ("head", None, ())
    cards = page.learning.cards  # what comes of papers about training is folded
    assert [b.text() for b in cards.findChildren(QRadioButton) if b.isVisible()] == [
        "Quick adapt", "Papers that cite each other, or are alike in words",
    ]  # fmt: skip
    cards.fold.click()
    assert all(button.isVisible() for button in cards.findChildren(QRadioButton))
    page.learning.numbers.boxes["seed"].setValue(3)
    press(qtbot, page.learning.go)

    until(qtbot, lambda: page.examples.examples)
    first = page.examples.examples[0]
    assert page.examples.anchor.title.text() == first.anchor.title
    assert page.examples.negative.why.text() == first.negatives[0].why
    related = library_of(window).related
    qtbot.keyClick(page.examples, Qt.Key.Key_R)
    pair = {first.anchor.paper, first.negatives[0].paper}
    until(qtbot, lambda: pair in [{one.a, one.b} for one in related.list()])
    until(qtbot, lambda: first not in page.examples.examples)
    window.session.undo()
    until(qtbot, lambda: not related.list())

    press(qtbot, page.examples.go)
    page.budget.minutes.setValue(2.0)
    press(qtbot, page.budget.go)  # once real steps were tried
    until(qtbot, lambda: page.place == 4 and page.progress.state is not None)
    (state,) = Training(library_of(window)).runs()
    assert Training(library_of(window)).recipe(state.id).minutes == 2.0

    # The window may be closed: another one finds the run, and says how it ended.
    window.session.leave()
    window = open_window(qtbot, make_window, folder)
    said: list[str] = []
    window.session.told.connect(lambda text, _offer: said.append(text))
    until(qtbot, lambda: Training(library_of(window)).get(state.id).status == "done")
    result = Training(library_of(window)).result(state.id)
    assert result is not None
    window.training.look()
    until(qtbot, lambda: result.sentence in said)
    window.training.show()
    page = cast("TrainPage", window.page("train"))
    until(qtbot, lambda: page.result.result is not None)
    assert page.place == 5
    assert page.result.verdict.text() == result.sentence
    first_button = page.result.go if result.verdict == "better" else page.result.old
    assert first_button.property("kind") == "primary"
    assert loaded() == before


@pytest.mark.parametrize(
    ("status", "told", "line"),
    [
        ("paused", "A training is paused at step 3 of 9.", "Paused. “Go on” begins"),
        ("interrupted", "A training broke off at step 3 of 9; it can go on.", "Broken off"),
    ],
)
def test_a_run_that_rests_is_told_of_once_and_can_go_on(
    qtbot: QtBot,
    make_window: Callable[..., MainWindow],
    folder: Path,
    status: str,
    told: str,
    line: str,
) -> None:
    put_run(folder, status, step=3, steps=9)  # type: ignore[arg-type]
    window = make_window()
    said: list[str] = []
    window.session.told.connect(lambda text, _offer: said.append(text))
    window.session.open(folder)
    until(qtbot, lambda: said)
    assert said == [told]
    until(qtbot, lambda: window.foot.training.isVisible())
    window.foot.training.click()
    page = cast("TrainPage", window.page("train"))
    until(qtbot, lambda: page.progress.state is not None)
    assert page.progress.said.text().startswith(line)
    assert page.progress.pause.text() == "Go on"
    assert page.progress.figures.text() == "step 3 of 9"
    press(qtbot, page.progress.cancel)
    until(qtbot, lambda: page.progress.state is not None and page.progress.state.ended)
    assert "as it was" in page.progress.said.text()


def test_runs_that_wait_say_for_whom_and_a_failed_one_can_go_on(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    put_run(folder, "paused", "a")
    put_run(folder, "queued", "b")
    put_run(folder, "queued", "c")
    put_run(folder, "failed", "d", text="The disk is full.")
    window = open_window(qtbot, make_window, folder)
    page = wizard(window)
    until(qtbot, lambda: len(page.runs.states) == 4)
    by_name = {state.id[-1]: state for state in page.runs.states}
    for name, line in (
        ("c", "It waits for 1 other run; you can close the window meanwhile."),
        ("d", "The run failed: The disk is full. “Go on” tries again from where it was."),
    ):
        page.show_run(by_name[name])
        until(qtbot, lambda: page.progress.state is not None)
        assert page.progress.said.text() == line
    assert page.progress.pause.isVisible()
    assert not page.progress.stop.isVisible()


def test_the_figures_say_what_got_worse_and_which_button_comes_first(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    with Library.open(folder, create=False) as library:
        old = library.models.active_version()
        new = next(c.version for c in library.models.available() if c.name == "tiny-second")
    run = put_run(folder, "done", version=new)
    put_result(run, old, new, "worse", -0.02)
    window = open_window(qtbot, make_window, folder)
    page = wizard(window)
    until(qtbot, lambda: page.runs.states)
    result = page.result
    page.show_run(page.runs.states[0])
    until(qtbot, lambda: result.result is not None)
    assert result.changes.text() == (
        "Worse: finding what a paper cites (nDCG@10 −2.0 points).\n"
        "In 1 of 2 figures there is no measurable change."
    )
    cells = [[result.model.index(r, c).data() for c in range(5)] for r in range(2)]
    assert cells[0] == ["Cited papers: nDCG@10", "60", "40.0", "38.0", "−2.0 [−3.0, −1.0]"]
    assert [b.property("kind") for b in (result.old, result.go)] == ["primary", ""]
    # Keeping the old one throws nothing away.
    press(qtbot, result.old)
    assert new in [card.version for card in library_of(window).models.available()]
    # The choice of a person counts: the new model comes into use, and a way back is offered.
    wizard(window)
    press(qtbot, result.go)
    until(qtbot, lambda: library_of(window).models.active_version() == new)
    until(qtbot, lambda: result.before.isVisible() and not result.go.isVisible())


def test_chosen_collections_stand_in_the_second_step(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    window = open_window(qtbot, make_window, folder)
    window.tree.train_wanted.emit("Late/Half")
    page = cast("TrainPage", window.page("train"))
    until(qtbot, lambda: page.place == 1)
    learning = page.learning
    until(qtbot, lambda: not learning.collections.said.text())
    learning.collections.row.added.emit("Early")
    assert learning.wanted().collections == ("Late/Half", "Early")
    learning.collections.row.added.emit("Nowhere")
    until(qtbot, lambda: "Nowhere" in learning.collections.said.text())  # once they are read
    press(qtbot, learning.go)
    assert "Nowhere" in learning.trouble.text()
    assert page.place == 1
    # Another model leads to where models are added.
    until(qtbot, lambda: learning.base.count() > 2)
    learning.base.setCurrentIndex(learning.base.count() - 1)
    learning.base.activated.emit(learning.base.currentIndex())
    assert window.middle.currentWidget() is window.page("models")


def test_without_a_library_or_links_it_says_what_to_do(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = make_window()
    page = wizard(window)
    assert page.state.text().startswith("Open a library first")
    assert not page.list.isVisible()
    few = tmp_path / "Few"
    with Library.open(few) as library:
        for number in range(30):
            library.edit.add(PaperDraft(title=f"Paper {number}"))
    window.session.open(few)
    until(qtbot, lambda: listed(window) == 30)
    wizard(window)
    until(qtbot, lambda: page.links.survey is not None)
    assert "too" in page.links.said.text().lower() or "few" in page.links.said.text().lower()
    assert page.links.more.isVisible()
    assert not page.links.go.isEnabled()  # no paper has an abstract
