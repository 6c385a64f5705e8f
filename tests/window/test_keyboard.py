"""The keyboard alone: what is typed is kept, and the keys work on afterwards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QWidget
from tests.window.driving import WAIT_MS, choose, listed, titles

from litscape.library import Library
from litscape_app.actions import COMMANDS
from litscape_app.window.details.editable import Editable
from litscape_app.window.details.prose import ProseEdit
from litscape_app.window.table.model import COLUMN_OF
from litscape_app.window.table.view import neighbour
from litscape_app.window.text_lines import break_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def press(qtbot: QtBot, window: MainWindow, key: str) -> None:
    """A single letter while the list has the keyboard."""
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, key)


def written(window: MainWindow) -> QLineEdit | ProseEdit:
    """What is being written in now."""
    found = QApplication.focusWidget()
    assert isinstance(found, QLineEdit | ProseEdit)
    assert window.isAncestorOf(found)
    return found


def in_view(window: MainWindow, part: QWidget) -> bool:
    """Whether all of a part of the details can be seen."""
    port = window.details.page.viewport()
    return port.rect().contains(QRect(part.mapTo(port, QPoint(0, 0)), part.size()))


def test_escape_keeps_a_new_note(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    press(qtbot, window, "N")
    qtbot.keyClicks(written(window), "A thought")
    qtbot.keyClick(written(window), Qt.Key.Key_Escape)
    page = window.details.page
    qtbot.waitUntil(
        lambda: page.paper is not None and page.paper.notes == ("A thought",), timeout=WAIT_MS
    )
    assert page._note_list.count() == 1
    assert window.table.table.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_an_empty_note_leaves_no_row(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    choose(qtbot, window, "Zebra crossings")
    press(qtbot, window, "N")
    qtbot.keyClick(written(window), key)
    page = window.details.page
    assert page._note_list.count() == 0
    assert not page._notes.isVisible()
    assert window.table.table.hasFocus()


def test_escape_leaves_a_note_that_was_there(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Metal fatigue in bridges")
    item = window.details.page._note_list.itemAt(0)
    note = item.widget() if item is not None else None
    assert isinstance(note, Editable)
    note.begin()
    qtbot.keyClicks(written(window), "nonsense")
    qtbot.keyClick(written(window), Qt.Key.Key_Escape)
    assert note.value == "Read again."
    assert window.details.page._note_list.count() == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
@pytest.mark.parametrize("letter", ["T", "C"])
def test_the_list_has_the_keyboard_after_tags(
    qtbot: QtBot, window: MainWindow, letter: str, key: Qt.Key
) -> None:
    choose(qtbot, window, "Zebra crossings")
    press(qtbot, window, letter)
    row = window.details.page.tags if letter == "T" else window.details.page.collections
    qtbot.keyClicks(row.line, "xyz")  # completes to nothing: no popup takes the window over
    qtbot.keyClick(row.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row.names == ("xyz",), timeout=WAIT_MS)
    assert row.line.hasFocus()
    qtbot.keyClick(row.line, key)
    assert window.table.table.hasFocus()


@pytest.mark.parametrize("letter", ["T", "C"])
def test_what_is_typed_into_is_seen(qtbot: QtBot, window: MainWindow, letter: str) -> None:
    choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    page.abstract.show_value("Many words of an abstract. " * 200)
    line = (page.tags if letter == "T" else page.collections).line
    qtbot.waitUntil(lambda: not in_view(window, line), timeout=WAIT_MS)
    press(qtbot, window, letter)
    assert in_view(window, line)


def test_hidden_details_come_up_to_be_typed_into(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.toggle_column("right")
    assert not window.details.isVisible()
    press(qtbot, window, "T")
    assert window.details.page.tags.line.hasFocus()
    assert window.details.page.tags.line.isVisible()


def test_enter_keeps_a_title_on_one_line(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, Qt.Key.Key_F2)
    editor = written(window)
    hints = [
        part.text()
        for part in window.details.page.title.findChildren(QLabel)
        if part.isVisible() and "saves" in part.text()
    ]
    assert hints == ["Enter saves · Esc cancels"]
    editor.selectAll()
    qtbot.keyClicks(editor, "Zebras, crossing")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Zebras, crossing" in titles(window), timeout=WAIT_MS)
    assert window.table.table.hasFocus()


def test_delete_again_takes_the_next_paper(qtbot: QtBot, window: MainWindow) -> None:
    table = window.table.table
    choose(qtbot, window, titles(window)[3])
    below = window.table.model.id_at(4)
    above = window.table.model.id_at(2)
    table.setFocus()
    for left, expected in ((4, below), (3, above)):
        qtbot.keyClick(table, Qt.Key.Key_Delete)
        qtbot.waitUntil(lambda n=left: listed(window) == n, timeout=WAIT_MS)  # type: ignore[misc]
        qtbot.waitUntil(
            lambda one=expected: window.session.selection == (one,),  # type: ignore[misc]
            timeout=WAIT_MS,
        )
        assert table.hasFocus()


def test_the_neighbour_stands_below_or_else_above() -> None:
    before = np.array([5, 4, 3, 2, 1], np.int64)
    assert neighbour(before, (4, 3), np.array([5, 2, 1], np.int64)) == 2
    assert neighbour(before, (2, 1), np.array([5, 4, 3], np.int64)) == 3
    assert neighbour(before, (9,), before) is None
    assert neighbour(before, (1,), np.array([], np.int64)) is None


def test_undo_and_redo_say_what_they_moved(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    window.details.tag((paper,), "mine")
    undo = window.menus.actions["edit.undo"]
    qtbot.waitUntil(lambda: "mine" in undo.text(), timeout=WAIT_MS)
    title = undo.text().removeprefix("Undo: ")
    undo.trigger()
    qtbot.waitUntil(lambda: window.toast.text.text() == f"Undone: {title}", timeout=WAIT_MS)
    qtbot.mouseClick(window.toast.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.toast.text.text() == f"Redone: {title}", timeout=WAIT_MS)


def test_escape_closes_the_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["help.keys"].trigger()
    assert window.middle.currentWidget() is window.page("keys")
    held = QApplication.focusWidget()
    assert held is not None
    qtbot.keyClick(held, Qt.Key.Key_Escape)
    assert window.middle.currentWidget() is window.table


def test_no_two_commands_share_a_key() -> None:
    # The list's own keys would be ambiguous with the window's too, so all must differ.
    uses = Counter(QKeySequence(key).toString() for one in COMMANDS for key in one.keys)
    assert "" not in uses
    assert [key for key, n in uses.items() if n > 1] == []


def test_what_closes_the_program_stands_last(window: MainWindow) -> None:
    file = next(action.menu() for action in window.menuBar().actions() if action.text() == "&File")
    assert isinstance(file, QMenu)
    shown: list[QAction] = [one for one in file.actions() if not one.isSeparator()]
    texts = [one.text() for one in shown]
    assert texts[-1] == "Quit"
    assert texts.index("Export the chosen…") == texts.index("Export all…") + 1


def test_tags_of_some_papers_say_of_how_many(qtbot: QtBot, window: MainWindow) -> None:
    window.table.table.selectAll()
    tags = window.details.bulk.tags
    qtbot.waitUntil(lambda: bool(tags.names), timeout=WAIT_MS)
    assert tags.marks == {"water": "2 of 5", "wings": "1 of 5"}
    assert "2 of 5" in [part.text() for part in tags.findChildren(QLabel)]
    window.details.tag(window.chosen, "water")
    qtbot.waitUntil(lambda: "water" not in tags.marks, timeout=WAIT_MS)
    assert "water" in tags.names


def test_the_query_is_not_said_twice(qtbot: QtBot, window: MainWindow) -> None:
    note = window.table.header.note
    for query, said in (('"zebra crossings"', False), ("zebra -birds", True)):
        window.table.search(query, "lexical")
        qtbot.waitUntil(
            lambda q=query: (
                window.table.listing is not None  # type: ignore[misc]
                and window.table.listing.request.query == q
            ),
            timeout=WAIT_MS,
        )
        assert bool(note.text()) is said


def test_columns_that_nothing_fills_are_narrow(
    qtbot: QtBot, window: MainWindow, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    from tests.window.driving import draft

    place = tmp_path / "plain"
    with Library.open(place) as library:
        library.edit.add(draft(1))
    bare = make_window()
    bare.session.open(place)
    qtbot.waitUntil(lambda: listed(bare) == 1, timeout=WAIT_MS)

    def width(one: MainWindow, key: str) -> int:
        return one.table.table.columnWidth(COLUMN_OF[key])

    assert width(bare, "tags") < width(window, "tags")
    assert width(bare, "collections") <= width(window, "collections")
    assert width(bare, "venue") >= width(window, "venue")


def test_a_wide_word_is_cut_and_not_broken(qapp: QApplication) -> None:
    font = qapp.font()
    lines = break_lines("Electroencephalographic and more", font.toString(), 60, 2)
    assert len(lines) == 2
    assert lines[0].endswith("…")
    assert "Electroencephalographic".startswith(lines[0].rstrip("…"))
    assert lines[1].startswith("and")
