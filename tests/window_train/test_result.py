"""The last step by click: what a result is looked at with, and the choice."""

from __future__ import annotations

import threading
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QPushButton, QScrollArea, QToolButton, QWidget
from tests.window_train.test_wizard import library_of, open_window, press, until, wizard
from tests.window_train.trainable import put_result, put_run

from litscape.jobs.runners import Lane, State
from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.jobs import JobContext
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.compare_page.page import ComparePage
    from litscape_app.window.pages.models_page.page import ModelsPage
    from litscape_app.window.pages.separation_page.page import SeparationPage
    from litscape_app.window.pages.train_page.result import ResultStep

    Shown = tuple[MainWindow, ResultStep, str, str]


@pytest.fixture
def shown(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> Shown:
    """A window on the result of a run that went worse, with the old and the new version."""
    with Library.open(folder, create=False) as library:
        old = library.models.active_version()
        new = next(c.version for c in library.models.available() if c.name == "tiny-second")
    put_result(put_run(folder, "done", version=new), old, new, "worse", -0.02)
    window = open_window(qtbot, make_window, folder)
    page = wizard(window)
    until(qtbot, lambda: page.runs.states)
    page.show_run(page.runs.states[0])
    until(qtbot, lambda: page.result.result is not None)
    return window, page.result, old, new


def button(step: ResultStep, text: str) -> QPushButton:
    return next(one for one in step.findChildren(QPushButton) if one.text() == text)


def test_no_part_of_the_result_lies_over_another_once_it_is_filled(
    qtbot: QtBot, shown: Shown
) -> None:
    _window, step, _old, _new = shown
    seen: list[list[tuple[int, int]]] = []

    def look() -> None:
        parts = step.column.findChildren(QWidget)
        own = [one for one in parts if one.parent() is step.column and one.isVisible()]
        seen.append([(one.geometry().top(), one.geometry().bottom()) for one in own])

    run = step.run
    assert run is not None
    step.forget()
    step._slot.done.connect(lambda _found: look())  # when filled, before anything is painted
    step.watch(run)
    until(qtbot, lambda: seen)
    for view in ("others", "change"):
        step._choose(view)
        look()
    for places in seen:
        places.sort()
        assert len(places) > 5
        assert all(one[1] < other[0] for one, other in pairwise(places))


def test_in_a_small_window_the_steps_stand_above_and_nothing_scrolls_sideways(
    qtbot: QtBot, shown: Shown
) -> None:
    window, step, old, new = shown
    for name in ("two", "three", "four"):
        run = put_run(library_of(window).folder, "done", name, version=new)
        put_result(run, old, new, "worse", -0.02)
    page = wizard(window)
    page.runs.look()
    until(qtbot, lambda: len(page.runs.states) == 4)

    def above(wanted: bool) -> bool:
        foot, top = page.list.rect().bottomLeft(), step.rect().topLeft()
        return (page.list.mapTo(page, foot).y() < step.mapTo(page, top).y()) is wanted

    for size, narrow in (((1000, 700), True), ((1600, 900), False), ((1000, 700), True)):
        window.resize(*size)
        until(qtbot, partial(above, narrow))
        texts = [button.text() for button in page.list.buttons]
        assert (texts[0], texts[5]) == ("1" if narrow else "1  Links you have", "6  Result")
        assert page.list.buttons[0].accessibleName() == "Step 1: Links you have"
        runs = [one for one in page.runs.findChildren(QToolButton) if one.isVisible()]
        assert len(runs) == 4  # no run is out of reach, in lines or in a column
        assert all(
            page.runs.rect().contains(one.mapTo(page.runs, one.rect().center())) for one in runs
        )
    for place in (1, 2, 5):
        page.go_to(place)
        area = page.step(place).findChild(QScrollArea)
        assert area is not None
        bar = area.horizontalScrollBar()
        until(qtbot, area.isVisible)
        until(qtbot, partial(lambda one: one.maximum() == 0, bar))


def test_side_by_side_and_keep_the_old_one(qtbot: QtBot, shown: Shown) -> None:
    window, step, old, new = shown
    press(qtbot, button(step, "Side by side"))
    page = cast("ComparePage", window.page("compare"))
    until(qtbot, lambda: page.second.version == new)
    assert page.first.version == old
    wizard(window)
    press(qtbot, button(step, "Keep the old one"))
    assert window.middle.currentWidget() is not window.page("train")
    assert library_of(window).models.active_version() == old


def test_topics_before_and_after(qtbot: QtBot, shown: Shown) -> None:
    window, step, old, new = shown
    press(qtbot, button(step, "Topics before and after"))
    until(qtbot, lambda: window.has_page("separation"))
    page = cast("SeparationPage", window.page("separation"))
    until(qtbot, lambda: page.report is not None)
    assert page.report is not None
    assert [one.version for one in page.report.models] == [old, new]
    assert page.isVisible()
    assert page.near_table.isVisible()


def test_maps_before_and_after_are_a_job_that_can_be_cancelled(qtbot: QtBot, shown: Shown) -> None:
    window, step, _old, _new = shown
    press(qtbot, button(step, "Maps before and after"))
    assert step.making.text() == "Drawing both maps …"
    jobs = window.session.jobs.entries
    entry = next(one for one in jobs if one.title == "Maps before and after")
    press(qtbot, step.cancel)
    assert step.making.text() == "Stopping …"
    assert not step.cancel.isVisible()
    until(qtbot, lambda: entry.state is State.CANCELLED)
    until(qtbot, lambda: step.making.text().startswith("Stopped"))
    assert not window.has_page("map")


def test_maps_wait_for_other_work_and_say_so(qtbot: QtBot, shown: Shown) -> None:
    window, step, _old, _new = shown
    go = threading.Event()

    def other(_library: Library, _ctx: JobContext) -> None:
        go.wait(30)

    entry = window.session.work("Other work", other, Lane.COMPUTE)
    assert entry is not None
    until(qtbot, lambda: entry.state is State.RUNNING)
    press(qtbot, button(step, "Maps before and after"))
    assert step.making.text() == "Both maps are drawn once other work is done …"
    press(qtbot, step.cancel)
    go.set()
    until(qtbot, lambda: step.making.text().startswith("Stopped"))
    assert not step.cancel.isVisible()


def test_a_model_that_was_judged_worse_is_used_after_a_question_alone(
    qtbot: QtBot, shown: Shown
) -> None:
    window, _step, old, new = shown
    window.show_page("models", again=True)
    page = cast("ModelsPage", window.page("models"))
    until(qtbot, lambda: len(page.rows) == 3)
    row = next(one for one in page.rows if one.offer.card.version == new)
    other = next(one for one in page.rows if one.offer.card.version == old)
    assert row.verdict.text().startswith("worse: as measured. Trained by the recipe head")
    assert not other.verdict.isVisible()
    assert row.use.text() == "Use all the same…"
    press(qtbot, row.use)
    assert row.question.isVisible()
    assert "Use it all the same?" in row.question_text.text()
    assert library_of(window).models.active_version() == old
    press(qtbot, row.yes)
    until(qtbot, lambda: library_of(window).models.active_version() == new)
