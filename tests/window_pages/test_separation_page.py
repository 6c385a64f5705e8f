"""The page of topic separation: measured beside the window, and the papers behind the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from tests.separation.labelled_library import BOTH, PAPERS, STRAYS, make
from tests.window_pages.pages_driving import WAIT_MS, click, listed, shown, until

from litscape.library import Library
from litscape.separation.records import Wanted
from litscape_app.window.pages.separation_page.columns import LEAST
from litscape_app.window.pages.separation_page.heat_view import HeatView

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.separation_page.page import SeparationPage

Made = tuple["MainWindow", "SeparationPage"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library whose tags were measured once."""
    folder = tmp_path_factory.mktemp("separation") / "Labelled"
    make(folder)
    with Library.open(folder) as library:
        library.separation.measure(Wanted("tags", seeds=2))
    return folder


@pytest.fixture
def made(qtbot: QtBot, make_window: Callable[..., MainWindow], measured: Path) -> Made:
    window = make_window()
    window.session.open(measured)
    qtbot.waitUntil(lambda: listed(window) == PAPERS, timeout=WAIT_MS)
    window.menus.actions["view.separation"].trigger()
    assert shown(window, "separation")
    page = cast("SeparationPage", window.page("separation"))
    until(qtbot, lambda: len(page.reports) > 0)
    return window, page


def test_labels_are_measured_or_not_and_two_compared(qtbot: QtBot, made: Made) -> None:
    _window, page = made
    labels = page.choice.labels
    usable = [labels.model().index(row, 0).flags() for row in range(labels.count())]
    enabled = [bool(flags & Qt.ItemFlag.ItemIsEnabled) for flags in usable]
    assert enabled == [False, True, False, True, True, False]
    assert labels.currentData() == "tags"
    assert page.report is None
    click(qtbot, page.choice.go)
    until(qtbot, lambda: page.choice.running.bar.maximum() > 0)
    click(qtbot, page.choice.running.cancel)
    until(qtbot, lambda: page.choice.go.isVisible())
    assert page.choice.about.text() == "Cancelled."
    page.former.selectRow(0)
    page.overlap.first.setCurrentText("violins")
    page.overlap.second.setCurrentText("meteors")
    click(qtbot, page.overlap.go)
    until(qtbot, lambda: page.overlap.overlap is not None)
    assert "3 papers carry both" in page.overlap.said.text()
    assert page.overlap.both.text() == "3 with both"


def test_cells_names_and_strays_open_their_papers(qtbot: QtBot, made: Made) -> None:
    window, page = made
    page.former.selectRow(0)
    report, heat = page.reports[0], page.heat
    assert page.said.text().splitlines()[0] == report.sentences[0]
    assert (
        page.clusters.index(3, 1)
        .data()
        .startswith(f"{report.models[0].clusterings[0].estimates['v'].mean:.2f} [")
    )
    assert "only pictures" in page.notes.text()
    window.search.line.setText("nothing like it")
    window.show_page("separation")
    # A key: from the first cell two down and three to the right, where violins are meteors too.
    heat.setFocus()
    for key in [Qt.Key.Key_Down] * 2 + [Qt.Key.Key_Right] * 3:
        heat.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier))
    assert heat.accessibleDescription().startswith("meteors in 3: ")
    assert "3 papers, 9 % of the cluster and 13 % of the label" in heat.accessibleDescription()
    enter = Qt.Key.Key_Return
    heat.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, enter, Qt.KeyboardModifier.NoModifier))
    until(qtbot, lambda: shown(window, "papers") and listed(window) == len(BOTH))
    assert not window.search.line.text()
    # The pointer: the name of the first label.
    point = QPointF(heat.place(-1, 0).center())
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    heat.mouseReleaseEvent(
        QMouseEvent(QEvent.Type.MouseButtonRelease, point, point, button, button, none)
    )
    until(qtbot, lambda: listed(window) == 60)
    window.show_page("separation")
    assert page.misfiled_head.text() == f"2 papers of {PAPERS}."
    page.misfiled_table.activated.emit(page.misfiled.index(0, 0))
    until(qtbot, lambda: window.session.selection == (report.misfiled[0].paper,))
    assert report.misfiled[0].paper in STRAYS


def test_in_a_narrow_window_names_keep_their_room(qtbot: QtBot, made: Made) -> None:
    window, page = made
    page.former.selectRow(0)
    tables = (page.near_table, page.label_table, page.misfiled_table)
    for width in (1_000, 1_280):
        window.resize(width, 700)
        until(qtbot, lambda: page.heat.width() <= page.near_table.width())
        assert all(table.columnWidth(0) >= LEAST for table in tables)
        for table in (*tables, page.cluster_table):
            over = table.horizontalHeader().length() > table.viewport().width()
            always = Qt.ScrollBarPolicy.ScrollBarAlwaysOn
            assert (table.horizontalScrollBarPolicy() is always) == over
    heat = HeatView(page.theme)
    qtbot.addWidget(heat)
    heat.show_heat(page.reports[0].heat)
    heat.take_room(240)
    upright = heat.place(-1, 0).height()
    heat.take_room(900)
    assert heat.place(-1, 0).height() < upright
