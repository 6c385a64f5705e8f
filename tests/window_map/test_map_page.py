"""The map in a real window: drawn, found on, chosen from, coloured, and made."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from tests.window_map.mapped_library import EACH, LONE, PAPERS, WAIT_MS, make
from tests.windows import listed

from litscape.maps.records import PartialMap
from litscape_app.window.map.comparing import short_versions
from litscape_app.window.map.gathering import links_of
from litscape_app.window.map.points import GHOST, HIDDEN
from litscape_app.window.map.scopes import choices
from litscape_resources import palette_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.map.page import MapPage
    from litscape_app.window.map.stage import Stage


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)


def open_map(qtbot: QtBot, window: MainWindow) -> MapPage:
    """Show the map and wait until it is drawn and coloured."""
    window.menus.actions["view.map"].trigger()
    page = cast("MapPage", window.page("map"))
    until(qtbot, lambda: page.colours is not None and page.stage is not None)
    return page


def stage_of(page: MapPage) -> Stage:
    assert page.stage is not None
    return page.stage


def spot(page: MapPage, paper: int) -> QPoint:
    """Where a paper is on the canvas."""
    canvas = stage_of(page).canvas
    points = canvas.drawing.points
    assert points is not None
    (number,) = points.numbers([paper]).tolist()
    across, down = canvas.camera.spot(float(points.x[number]), float(points.y[number]))
    return QPoint(round(across), round(down))


def codes(page: MapPage) -> dict[int, int]:
    """The code of each paper."""
    points = stage_of(page).canvas.drawing.points
    assert points is not None
    return dict(zip(points.ids.tolist(), points.codes.tolist(), strict=True))


def coloured_by(page: MapPage, by: str) -> bool:
    return page.colours is not None and page.colours.by == by


def test_a_click_chooses_a_paper_in_the_whole_window(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    viewport = stage_of(page).canvas.graphics.viewport()
    paper = 30
    qtbot.mouseMove(viewport, spot(page, paper))
    until(qtbot, lambda: stage_of(page).telling.card.isVisible())
    card = stage_of(page).telling.card
    assert card.title.text()
    assert not card.geometry().contains(spot(page, paper)), "the card is never over the pointer"
    found = stage_of(page).canvas.drawing.pointed
    points = stage_of(page).canvas.drawing.points
    assert found is not None
    assert points is not None
    under = int(points.ids[found])
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot(page, under))
    assert window.session.selection == (under,)
    assert not card.isVisible(), "it is told of at the right by now"
    assert window.table.table.selected_ids() == (under,)
    until(qtbot, lambda: str(under) in window.details.page.title.value.split())
    drawing = stage_of(page).canvas.drawing
    until(qtbot, lambda: len(drawing.near) and len(drawing.links))
    assert (points.ids[drawing.near[:, 0]] == under).all()
    ends = points.ids[drawing.links]
    assert (ends == under).any(axis=1).all()


def test_what_is_not_chosen_or_found_turns_pale_and_stays(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    few = (1, 2, 3)
    window.table.table.select_ids(few, 1)
    until(qtbot, lambda: window.session.selection and len(window.session.selection) == 3)
    pale = {paper for paper, code in codes(page).items() if code == GHOST}
    assert pale == set(range(1, PAPERS + 1)) - set(few)
    counted = [row.found for row in page.legend.rows if row.found is not None]
    assert sum(counted) == len(few), "the legend counts what is not pale"
    telling = stage_of(page).telling
    telling._say("Some links are not drawn.")
    assert page.legend.pale.text().endswith("Some links are not drawn.")
    window.table.choose(())
    assert GHOST not in codes(page).values()
    assert "links" not in page.legend.pale.text(), "it goes with its cause"
    assert all(row.found is None for row in page.legend.rows)
    window.table.search("reef", "lexical")
    until(qtbot, lambda: listed(window) == LONE)
    until(qtbot, lambda: sum(code == GHOST for code in codes(page).values()) == PAPERS - LONE)
    assert HIDDEN not in codes(page).values()
    assert page.legend.pale.text() == "Papers that the search does not find are pale."
    canvas = stage_of(page).canvas
    canvas.enclosed.emit(np.arange(PAPERS), "only")
    assert set(window.session.selection) == set(range(1, LONE + 1)), "no pale paper is taken"
    canvas.picked.emit(0, Qt.KeyboardModifier.NoModifier)
    canvas.all_wanted.emit()
    assert set(window.session.selection) == set(range(1, LONE + 1))


def test_all_takes_what_is_shown_of_the_years_whatever_is_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = open_map(qtbot, window)
    window.table.choose((1, 2, 3))
    until(qtbot, lambda: len(window.session.selection) == 3)
    canvas = stage_of(page).canvas
    canvas.all_wanted.emit()
    assert len(window.session.selection) == PAPERS
    page.bar.switches["time"].setChecked(True)
    page.time.slider.setValue(1999)
    canvas.enclosed.emit(np.arange(PAPERS), "only")
    assert set(window.session.selection) == {
        paper for paper in range(1, PAPERS + 1) if 1 <= paper % EACH <= 10
    }
    canvas.enclosed.emit(np.arange(PAPERS), "less")
    assert not len(window.session.selection)


def test_a_region_chooses_more_and_less(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    stage = stage_of(page)
    viewport = stage.canvas.graphics.viewport()
    width, height = viewport.width(), viewport.height()

    def drag(modifier: Qt.KeyboardModifier, *path: tuple[int, int]) -> None:
        left = Qt.MouseButton.LeftButton
        qtbot.mousePress(viewport, left, modifier, QPoint(*path[0]))
        for place in path[1:]:
            qtbot.mouseMove(viewport, QPoint(*place))
        qtbot.mouseRelease(viewport, left, modifier, QPoint(*path[-1]))

    none = Qt.KeyboardModifier.NoModifier
    page.bar.tools.button("rectangle").click()
    drag(none, (1, 1), (20, 20), (width // 2, height - 2))
    points = stage.canvas.drawing.points
    assert points is not None
    left = {
        int(one) for one, x in zip(points.ids, points.x, strict=True)
        if stage.canvas.camera.spot(float(x), 0)[0] <= width // 2
    }  # fmt: skip
    assert 0 < len(left) < PAPERS
    assert set(window.session.selection) == left
    page.bar.tools.button("lasso").click()
    whole = ((1, 1), (width - 2, 1), (width - 2, height - 2), (1, height - 2))
    drag(Qt.KeyboardModifier.ShiftModifier, *whole)
    assert set(window.session.selection) == set(range(1, PAPERS + 1))
    assert set(window.table.table.selected_ids()) == set(range(1, PAPERS + 1))
    page.bar.tools.button("rectangle").click()
    drag(Qt.KeyboardModifier.AltModifier, (1, 1), (20, 20), (width // 2, height - 2))
    assert set(window.session.selection) == set(range(1, PAPERS + 1)) - left


def test_the_legend_hides_and_shows(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    page.legend.by.setCurrentIndex(page.legend.by.findData("tag"))
    until(qtbot, partial(coloured_by, page, "tag"))
    assert [(row.entry.label, row.entry.papers) for row in page.legend.rows] == [
        (tag, EACH) for tag in ("corals", "glaciers", "meteors", "violins")
    ]
    assert len({codes(page)[1 + EACH * group] for group in range(4)}) == 4
    row = page.legend.rows[0]
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    hidden = {paper for paper, code in codes(page).items() if code == HIDDEN}
    assert hidden == set(range(1, EACH + 1))
    qtbot.keyClick(page.legend.rows[1], Qt.Key.Key_Return)
    shown = {paper for paper, code in codes(page).items() if code != HIDDEN}
    assert shown == set(range(EACH + 1, 2 * EACH + 1))
    qtbot.mouseClick(page.legend.all, Qt.MouseButton.LeftButton)
    assert HIDDEN not in codes(page).values()
    for by in ("year", "venue", "type", "collection", "citations", "read", "score", "none"):
        page.legend.by.setCurrentIndex(page.legend.by.findData(by))
        until(qtbot, partial(coloured_by, page, by))
        assert sum(row.entry.papers for row in page.legend.rows) == PAPERS


def test_a_long_name_goes_over_some_lines(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    row = page.legend.rows[0]
    high = row.height()
    row.entry = replace(row.entry, label="gradient descent, convergence, optimization", papers=383)
    page.legend._widen()
    assert " ".join(row.lines) == "gradient descent, convergence, optimization"
    assert len(row.lines) > 1
    assert row.height() > high


def test_models_are_called_so_that_they_differ() -> None:
    first, head, other = "mini-a7dc7e71dced", "mini-head-8b9a3522e7e0", "mini-a7dc7e71dcee"
    assert short_versions([first, head]) == {first: "mini", head: "mini-head"}
    assert short_versions([first, other]) == {first: first, other: other}


def test_years_pass_and_later_papers_turn_pale(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    page.bar.switches["time"].setChecked(True)
    assert page.time.isVisible()
    page.time.slider.setValue(1999)
    shown = {paper for paper, code in codes(page).items() if code != GHOST}
    assert shown == {paper for paper in range(1, PAPERS + 1) if 1 <= paper % EACH <= 10}
    page.time.pale.setChecked(False)
    assert sum(code == HIDDEN for code in codes(page).values()) == PAPERS - len(shown)
    page.time.play.click()
    until(qtbot, lambda: page.time.slider.value() > 2000)
    page.time.play.click()


def test_the_wheel_comes_nearer_to_what_is_below_the_pointer(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = open_map(qtbot, window)
    canvas = stage_of(page).canvas
    viewport = canvas.graphics.viewport()
    at = QPointF(120, 90)
    before, scale = canvas.camera.place(120, 90), canvas.camera.scale
    turn = QWheelEvent(
        at, QPointF(viewport.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 480),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, turn)
    assert canvas.camera.scale > 1.5 * scale
    assert canvas.camera.place(120, 90) == pytest.approx(before, abs=1e-3)
    for _step in range(24):
        canvas.zoom_by_key(nearer=True)
    assert canvas.drawing.points is not None
    assert len(canvas.drawing.points.within(*canvas.camera.bounds)), "never in empty space"
    until(qtbot, lambda: stage_of(page).minimap.isVisible())
    qtbot.keyClick(canvas, "0")
    assert canvas.camera.scale == pytest.approx(scale, rel=1e-3)


def test_keys_lead_from_paper_to_paper(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    canvas = stage_of(page).canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    (first,) = window.session.selection
    points = canvas.drawing.points
    assert points is not None
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(canvas, key)
        if window.session.selection != (first,):
            break
    assert len(window.session.selection) == 1
    assert window.session.selection != (first,)
    qtbot.keyClick(canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(window.session.selection) == PAPERS
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not len(window.session.selection)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.middle.currentWidget() is window.table


def test_new_papers_are_placed_when_asked(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    assert page.place.isHidden()
    assert window.session.library is not None
    library = window.session.library
    stored = library.maps.latest()
    assert stored is not None
    points = stage_of(page).canvas.drawing.points
    assert points is not None
    before = points.x.copy()
    library.maps.remove(stored.key)
    version = library.models.active().version
    library.vector_store.forget(version, [PAPERS])
    library.maps.make(layout="pca")
    from tests.window_map.mapped_library import write_vectors

    write_vectors(library)
    page.read()
    until(qtbot, lambda: page.place.isVisible())
    assert "1 new paper has no place yet" in page.said.text()
    qtbot.mouseClick(page.place, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: page.picture is not None and len(page.picture.ids) == PAPERS)
    assert len(before) == PAPERS
    assert page.place.isHidden()


def test_a_map_is_refined_in_place_and_can_be_cancelled(qtbot: QtBot, window: MainWindow) -> None:
    page = open_map(qtbot, window)
    canvas = stage_of(page).canvas
    points = canvas.drawing.points
    assert points is not None
    ids, places = points.ids.copy(), np.column_stack((points.x, points.y))
    turned = (places @ np.array([[0, 1], [-1, 0]])).astype(np.float32)

    def slowly(_library: Library, ctx: JobContext) -> None:
        ctx.partial(PartialMap(ids, turned, 0, 9))
        ctx.progress(3, 9, "drawing")
        while True:
            time.sleep(0.01)
            ctx.check()

    page.making.start("UMAP map of all papers", slowly)
    until(qtbot, lambda: np.allclose(points.x, turned[:, 0]))
    assert canvas.drawing.points is points, "the same points moved"
    until(qtbot, lambda: page.making.bar.value() == 3)
    assert "drawing" in page.making.text.text()
    qtbot.mouseClick(page.making.cancel, Qt.MouseButton.LeftButton)
    assert page.making.isHidden()
    until(qtbot, lambda: np.allclose(points.x, places[:, 0]))
    assert not page.making.running, "nothing is begun again unasked"
    until(qtbot, lambda: not window.session.jobs.running)


def test_two_maps_are_laid_over_each_other(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    first = library.maps.latest()
    assert first is not None
    library.maps.make(layout="pca", seed=1)
    page = open_map(qtbot, window)
    canvas = stage_of(page).canvas
    page.bar.compare.trigger()
    compares, movers = page.comparison.comparing, page.comparison.movers
    assert compares is not None
    assert movers is not None
    until(qtbot, lambda: movers.isVisible() and movers.list.count() > 0)
    found = compares.found
    assert found is not None
    points = canvas.drawing.points
    assert points is not None
    assert np.allclose(points.x, found.aligned.before_xy[:, 0])
    compares.slider.setValue(compares.slider.maximum())
    assert np.allclose(points.x, found.aligned.after_xy[:, 0], atol=1e-5)
    movers.list.setCurrentRow(0)
    assert window.session.selection == (int(found.aligned.movers[0]),)
    compares.closed.emit()
    until(qtbot, lambda: page.picture is not None and page.picture.layout is not None)
    assert page.legend.isVisible()
    assert not page.comparison.on


def test_topics_are_named_and_a_name_chooses_its_papers(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    tree = library.topics.make()
    page = open_map(qtbot, window)
    assert page.colours is not None
    assert page.colours.by == "topic"
    topics = tree.at(0)
    palette = palette_of(window.session.theme.tokens)
    assert [(row.entry.label, row.entry.colour(palette)) for row in page.legend.rows][
        : len(topics)
    ] == [(topic.name, palette.of(topic.colour)) for topic in topics]
    canvas = stage_of(page).canvas
    until(qtbot, lambda: canvas.drawing.placed)
    name = canvas.drawing.placed[0]
    middle = QPoint(round(name.box[0] + 2), round(name.box[1] + 2))
    assert canvas.drawing.name_at(QPointF(middle)) == name.name
    canvas.named.emit(name.name.key, Qt.KeyboardModifier.NoModifier)
    wanted = set(library.topics.papers_of(name.name.key).tolist())
    until(qtbot, lambda: set(window.session.selection) == wanted)
    page.legend.rows[0].setChecked(False)
    keys = {name.key for name in canvas.drawing.names}
    assert topics[0].id not in keys, "a hidden topic has no name"
    assert topics[1].id in keys
    canvas.named.emit(topics[0].id, Qt.KeyboardModifier.NoModifier)
    until(qtbot, lambda: not len(window.session.selection))


def test_the_views_keep_the_choice_and_the_search_stays_on_the_map(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = open_map(qtbot, window)
    window.table.choose((5,))
    window.views.views.button("papers").click()
    assert window.middle.currentWidget() is window.table
    assert window.table.table.selected_ids() == (5,)
    window.views.views.button("map").click()
    assert window.session.selection == (5,)
    window.search.line.setText("reef")
    until(qtbot, lambda: listed(window) == LONE)
    assert window.middle.currentWidget() is page
    titles = [choice.shown for choice in choices(window)]
    assert titles == ["All papers", f"Search: reef ({LONE})"]
    library = window.session.library
    assert library is not None
    found = choices(window)[1]
    library.maps.make(found.resolve(library), layout="pca")
    page.show_scope(found)
    until(qtbot, lambda: page.picture is not None and len(page.picture.ids) == LONE)
    assert not page.making.running, "a map that is there is not made again"
    window.show_page("keys")
    assert window.views.isHidden()


def test_of_too_many_links_those_between_the_chosen_come_first(window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    every = np.arange(1, PAPERS + 1)
    whole = links_of(library, (1, 2, 3, EACH + 2), every)
    assert (len(whole.pairs), whole.left_out) == (EACH, 0)
    few = links_of(library, (1, 2, 3, EACH + 2), every, most=3)
    assert few.left_out == EACH - 3
    assert few.pairs[:2].tolist() == [[2, 1], [3, 1]], "both ends are chosen"
    none = links_of(library, (1,), every[EACH:])
    assert len(none.pairs) == 0, "the others are not on the map"


def test_without_vectors_there_is_a_sentence_and_a_button(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = make_window()
    window.session.open(make(tmp_path / "Bare", vectors=False))
    until(qtbot, lambda: listed(window) == PAPERS)
    window.menus.actions["view.map"].trigger()
    page = cast("MapPage", window.page("map"))
    until(qtbot, lambda: page.compute.isVisible())
    assert page.state.text()
    assert np.isin(page.state.text()[-1], list(".…"))
