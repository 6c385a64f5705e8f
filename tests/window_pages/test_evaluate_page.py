"""The page that measures search: the choice, the run beside the window, the table, former runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from tests.evaluation.small_library import PAPERS, make
from tests.window_pages.pages_driving import WAIT_MS, click, listed, shown, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.evaluate_page.page import EvaluatePage


@pytest.fixture
def page(qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path) -> EvaluatePage:
    make(tmp_path / "Measured")
    window = make_window()
    window.session.open(tmp_path / "Measured")
    qtbot.waitUntil(lambda: listed(window) == PAPERS, timeout=WAIT_MS)
    window.menus.actions["view.evaluate"].trigger()
    assert shown(window, "evaluate")
    return cast("EvaluatePage", window.page("evaluate"))


def test_a_task_is_measured_shown_and_listed(qtbot: QtBot, page: EvaluatePage) -> None:
    until(qtbot, lambda: page.empty.isVisible())
    page.held.setCurrentIndex(page.held.findData("paper"))
    click(qtbot, page.go)
    until(qtbot, lambda: page.running.bar.maximum() > 0 and "queries" in page.running.said.text())
    until(qtbot, lambda: page.former.isVisible() and not page.running.bar.isVisible())
    assert "n = 59" in page.said.text()
    assert "59 queries among" in page.head.text()
    model = page.figures
    assert (model.rowCount(), model.measures[0]) == (5, "nDCG@10")
    cell = model.index(3, 1)
    assert cell.data() == page.past.index(0, 3).data()
    click(qtbot, page.shown.button("changes"))
    assert model.index(3, 1).data() == "–"
    tip = model.index(4, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "against both" in tip
    page.result.hide()
    page.former.selectRow(0)
    assert page.table.isVisible()


def test_a_measurement_can_be_cancelled(qtbot: QtBot, page: EvaluatePage) -> None:
    click(qtbot, page.go)
    until(qtbot, lambda: page.running.cancel.isVisible())
    click(qtbot, page.running.cancel)
    until(qtbot, lambda: page.go.isVisible())
    assert page.about.text() == "Cancelled."
    assert page.report is None
