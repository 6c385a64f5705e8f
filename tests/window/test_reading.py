"""Marks, the reading list, opening and citing, done in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from tests.window.driving import WAIT_MS, choose, listed, titles

from litscape_app.window import scope
from litscape_app.window.table.model import ROW

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.details.marks import MarksRow
    from litscape_app.window.main_window import MainWindow


def counted(window: MainWindow, title: str) -> int | None:
    return next(one.count for one in window.tree.model.root.walk() if one.title == title)


def row_of(window: MainWindow, paper: int) -> tuple[object, ...]:
    model = window.table.model
    place = model.row_of(paper)
    row = None if place is None else model.index(place, 0).data(ROW)
    return () if row is None else (row.read_state, row.rating, row.colour, row.listed)


def test_keys_mark_and_undo_takes_back(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    table = window.table.table
    assert counted(window, "Unread") == 5
    qtbot.keyClick(table, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: counted(window, "Unread") == 4, timeout=WAIT_MS)
    qtbot.keyClick(table, Qt.Key.Key_4)
    qtbot.keyClick(table, Qt.Key.Key_L)
    window.menus.actions["papers.colour_blue"].trigger()
    qtbot.waitUntil(lambda: row_of(window, paper) == ("read", 4, "blue", True), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: counted(window, "Reading list") == 1, timeout=WAIT_MS)
    marks: MarksRow = window.details.page.marks
    qtbot.waitUntil(lambda: marks.marks.colour == "blue", timeout=WAIT_MS)
    assert (marks.state.text(), marks.stars.rating, marks.in_list.isChecked()) == ("Read", 4, True)
    place = window.table.model.row_of(paper)
    assert place is not None
    spoken = window.table.model.index(place, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Zebra crossings, read, label blue"
    for _turn in range(4):
        window.session.undo()
    qtbot.waitUntil(lambda: row_of(window, paper) == (None, None, None, False), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: counted(window, "Unread") == 5, timeout=WAIT_MS)


def test_many_at_once_and_a_paper_leaves_the_unread(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    stars = window.details.page.marks.stars
    stars.setFocus()
    qtbot.keyClick(stars, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: stars.rating == 4, timeout=WAIT_MS)
    qtbot.keyClick(stars, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: stars.rating == 5, timeout=WAIT_MS)
    window.table.table.selectAll()
    bulk = window.details.bulk.marks
    qtbot.waitUntil(lambda: bulk.marks.rating is None, timeout=WAIT_MS)  # they differ
    bulk.marked.emit({"rating": 2, "read_state": "reading"})
    qtbot.waitUntil(lambda: bulk.marks.rating == 2, timeout=WAIT_MS)
    assert bulk.state.text() == "Reading"
    window._go(scope.UNREAD)
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)
    assert window.table.empty.heading.text() == "Everything is read"
    window.session.undo()
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)


def test_the_reading_list_has_an_order_that_papers_move_in(
    qtbot: QtBot, window: MainWindow
) -> None:
    tree, table = window.tree, window.table.table
    ids = [window.table.model.id_at(row) for row in range(3)]
    data: QMimeData = window.table.model.mime_of(ids)
    place = tree.model.find(("list", None))
    tree.model.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, place)
    window._go(scope.READING_LIST)
    qtbot.waitUntil(lambda: listed(window) == 3, timeout=WAIT_MS)
    first, second, third = titles(window)
    choose(qtbot, window, first)
    window.table.keep_focus()
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: titles(window) == [second, first, third], timeout=WAIT_MS)
    choose(qtbot, window, third)
    qtbot.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: titles(window) == [second, third, first], timeout=WAIT_MS)
    # Dropped on the upper half of the first row: before it.
    assert table._gap_at(QPoint(20, 2)) == 0
    assert table._gap_at(QPoint(20, table.rowHeight(0) * 3 + 40)) == 3
    table._show_gap(0)
    dropped = window.table.model.mime_of(table.selected_ids())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    table.dropEvent(QDropEvent(QPointF(20, 2), Qt.DropAction.CopyAction, dropped, left, none))
    qtbot.waitUntil(lambda: titles(window) == [third, second, first], timeout=WAIT_MS)
    window.table.sort("title", False)
    qtbot.waitUntil(lambda: not table.reorders, timeout=WAIT_MS)


def test_citations_are_copied_and_a_missing_pdf_is_told(qtbot: QtBot, window: MainWindow) -> None:
    said: list[str] = []
    window.session.told.connect(lambda text, _offer: said.append(text))
    choose(qtbot, window, "Metal fatigue in bridges")
    window.menus.actions["papers.cite_vancouver"].trigger()
    clipboard = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: "Metal fatigue" in clipboard.text(), timeout=WAIT_MS)
    assert clipboard.text() == (
        "1. Family5 G. Metal fatigue in bridges. Venue 2. 2005. doi:10.1000/182"
    )
    assert clipboard.mimeData().hasHtml()
    assert window.session.settings.citation_style == "vancouver"
    window.menus.actions["papers.cite_bibtex"].trigger()
    qtbot.waitUntil(lambda: clipboard.text().startswith("@article{key5,"), timeout=WAIT_MS)
    clipboard.clear()  # the offscreen platform ends badly with text that is more than plain
    window.menus.actions["papers.open_pdf"].trigger()
    qtbot.waitUntil(lambda: "key5 has no PDF attached." in said, timeout=WAIT_MS)
