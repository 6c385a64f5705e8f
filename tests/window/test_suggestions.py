"""What the search line offers, and how it is reached by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.window.driving import WAIT_MS, listed, titles

from litscape.search.history import SearchHistory

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

Key = Qt.Key


def shown(window: MainWindow) -> list[str]:
    popup = window.search.offers.popup
    return [line.shown for line in popup.model.lines] if popup.isVisible() else []


def typed(qtbot: QtBot, window: MainWindow, text: str) -> None:
    window.activateWindow()
    window.search.focus()
    qtbot.keyClicks(window.search.line, text)


def test_a_field_then_a_value_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    line = window.search.line
    typed(qtbot, window, "zebra au")
    assert shown(window) == ["author:"]
    qtbot.keyClick(line, Key.Key_Tab)
    assert line.text() == "zebra author:"
    qtbot.waitUntil(lambda: len(shown(window)) > 1, timeout=WAIT_MS)
    first = shown(window)[0]
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.keyClick(line, Key.Key_Return)
    assert line.text() == f'zebra author:="{first}" '
    assert shown(window) == []
    assert line.hasFocus()


def test_escape_closes_the_list_and_then_clears(qtbot: QtBot, window: MainWindow) -> None:
    line = window.search.line
    typed(qtbot, window, "tit")
    assert shown(window) == ["title:"]
    qtbot.keyClick(line, Key.Key_Escape)
    assert (shown(window), line.text()) == ([], "tit")
    qtbot.keyClick(line, Key.Key_Escape)
    assert line.text() == ""


def test_enter_without_choice_goes_to_the_papers(qtbot: QtBot, window: MainWindow) -> None:
    typed(qtbot, window, "zebra is")
    assert shown(window) == ["is:"]
    qtbot.keyClick(window.search.line, Key.Key_Return)
    assert shown(window) == []
    assert window.table.table.hasFocus()


def test_past_searches_in_an_empty_line(qtbot: QtBot, window: MainWindow) -> None:
    line = window.search.line
    library = window.session.library
    assert library is not None
    for query in ("birds", "zebra"):
        SearchHistory().remember(library.folder, query)
    typed(qtbot, window, "")
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.waitUntil(lambda: len(shown(window)) == 3, timeout=WAIT_MS)
    assert shown(window) == ["zebra", "birds", "Forget these searches"]
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.keyClick(line, Key.Key_Return)
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    line.clear()
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.waitUntil(lambda: len(shown(window)) == 3, timeout=WAIT_MS)
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.keyClick(line, Key.Key_Delete)
    qtbot.waitUntil(lambda: shown(window)[0] == "birds", timeout=WAIT_MS)
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.keyClick(line, Key.Key_Down)
    qtbot.keyClick(line, Key.Key_Return)
    qtbot.waitUntil(lambda: SearchHistory().recent(library.folder) == (), timeout=WAIT_MS)


def test_a_search_that_leads_to_papers_is_remembered(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    typed(qtbot, window, "marsh")
    qtbot.keyClick(window.search.line, Key.Key_Return)
    qtbot.waitUntil(lambda: SearchHistory().recent(library.folder) == ("marsh",), timeout=WAIT_MS)


def test_f1_and_an_example_to_try(qtbot: QtBot, window: MainWindow) -> None:
    typed(qtbot, window, "")
    qtbot.keyClick(window.search.line, Key.Key_F1)
    page = window.middle.currentWidget()
    assert page is not None
    assert page.accessibleName() == "How to search"
    window.page("searching")._try("zebra -birds")  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    assert listed(window) == 1
