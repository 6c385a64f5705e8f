from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from tests.window.driving import WAIT_MS, listed, titles

from litscape.library import Library
from litscape.settings import AppSettings
from litscape.settings import load as load_settings
from litscape.store.integrity import check
from litscape_app.actions import COMMANDS, MENUS
from litscape_app.window.pages.keys import KeysPage
from litscape_resources import icon_names

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def test_commands_are_sound() -> None:
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
    assert {command.icon for command in COMMANDS if command.icon} <= set(icon_names())
    assert {command.menu for command in COMMANDS if command.menu} == set(MENUS)
    keys = Counter(QKeySequence(key).toString() for one in COMMANDS for key in one.keys)
    assert [key for key, number in keys.items() if number > 1] == []


def test_single_letters_count_only_in_the_list() -> None:
    for command in COMMANDS:
        plain = [key for key in command.keys if len(key) == 1 or key in ("Space", "Return", "Del")]
        assert not plain or command.in_table, command.name


def test_every_key_is_on_the_page_of_keys(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    page = window.middle.currentWidget()
    assert isinstance(page, KeysPage)
    words = {part.property("text") for part in page.findChildren(QWidget)}
    stars = {"Rate with stars, take the rating away"}  # one line for a key a star
    named = {
        f"{one.submenu}: {one.title}" if one.submenu else one.title
        for one in COMMANDS
        if one.keys and one.submenu != "Rate"
    }
    assert named | stars <= words
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert window.middle.currentWidget() is window.table


def test_every_control_has_a_name(window: MainWindow) -> None:
    nameless = [
        part
        for kind in (QAbstractButton, QLineEdit)
        for part in window.findChildren(kind)
        if part.isVisibleTo(window)
        and not (part.accessibleName() or part.property("text"))
        and part.objectName() == ""
        and not isinstance(part.parent(), QLineEdit)
    ]
    assert nameless == []


def test_undo_says_what_it_would_take_back(qtbot: QtBot, window: MainWindow) -> None:
    undo, redo = window.menus.actions["edit.undo"], window.menus.actions["edit.redo"]
    qtbot.waitUntil(lambda: undo.text().startswith("Undo: Add"), timeout=WAIT_MS)
    assert not redo.isEnabled()
    undo.trigger()
    qtbot.waitUntil(lambda: listed(window) == 4, timeout=WAIT_MS)
    qtbot.waitUntil(redo.isEnabled, timeout=WAIT_MS)
    assert "Metal fatigue" in redo.text()
    redo.trigger()
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)


def test_commands_wait_for_what_they_need(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    window = make_window()
    actions = window.menus.actions
    assert not actions["papers.tag"].isEnabled()
    assert not actions["edit.find"].isEnabled()
    assert actions["file.import"].isEnabled()
    window.session.open(folder)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    assert actions["edit.find"].isEnabled()
    window.table.table.selectAll()
    qtbot.waitUntil(lambda: actions["papers.tag"].isEnabled(), timeout=WAIT_MS)
    assert not actions["papers.note"].isEnabled()


def test_the_layout_is_remembered(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    first = make_window()
    first.session.open(folder)
    qtbot.waitUntil(lambda: listed(first) == 5, timeout=WAIT_MS)
    first.resize(1400, 900)
    first.columns.setSizes([300, 700, 400])
    first.table.table.set_lines(1)
    first.search.modes.choose("hybrid")
    sizes = first.columns.sizes()
    first.close()
    second = make_window()
    second.resize(1400, 900)
    second.session.open(folder)
    qtbot.waitUntil(lambda: listed(second) == 5, timeout=WAIT_MS)
    assert second.columns.sizes() == sizes
    assert second.table.table.delegate.lines == 1
    assert second.search.mode == "hybrid"


def test_an_opened_library_is_the_recent_one(window: MainWindow, folder: Path) -> None:
    window.close()
    assert load_settings().settings.recent == (str(folder),)


def test_another_library_takes_the_place_of_the_first(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    other = tmp_path / "Another"
    with Library.open(other):
        pass
    window.open_library(other)
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)
    assert window.windowTitle().startswith("Another")
    assert window.table.empty.heading.text() == "This library is empty"
    assert window.session.selection == ()


def test_a_broken_library_is_told_and_the_open_one_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "library.sqlite").write_bytes(b"this is no database, but long enough" * 200)
    window.session.open(broken)
    qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    assert "library.sqlite" in window.notice.text.text()
    assert listed(window) == 5


def test_a_bug_is_told_with_details(qtbot: QtBot, window: MainWindow) -> None:
    def fail(_library: object) -> None:
        raise ZeroDivisionError("oops")

    window.session.write("Divide", fail)  # type: ignore[arg-type]
    with qtbot.captureExceptions():
        qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    assert "mistake in Litscape" in window.notice.text.text()
    assert window.notice.copy.isVisible()


def test_columns_can_be_put_away(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["view.right"].trigger()
    assert not window.right.isVisible()
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, Qt.Key.Key_Space)
    assert window.right.isVisible()


def test_themes_are_chosen_from_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["view.theme_dark"].trigger()
    assert window.session.theme.tokens.name == "dark"
    assert window.session.settings.theme == "dark"
    window.menus.actions["view.theme_light"].trigger()


@pytest.mark.parametrize("size", [(1280, 800), (900, 640)])
def test_the_window_fits(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    assert (window.width(), window.height()) == size


def test_closing_in_the_middle_of_work_ends_in_order(
    qtbot: QtBot,
    window: MainWindow,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = tmp_path / "many.bib"
    entries = (f"@article{{k{n}, title={{Title {n}}}, year=2000}}" for n in range(4000))
    source.write_text("\n".join(entries), encoding="utf-8")
    from litscape_app.window.importing import start_import

    start_import(window.session, [source])
    qtbot.waitUntil(lambda: bool(window.session.jobs.running), timeout=WAIT_MS)
    answers = [False, True]
    questions: list[str] = []

    def confirm(*parts: object) -> bool:
        questions.append(str(parts[2]))
        return answers.pop(0)

    monkeypatch.setattr("litscape_app.window.main_window.confirm", confirm)
    assert not window.close()
    assert window.isVisible()
    assert window.session.library is not None
    assert window.close()
    assert [("import is running" in one, "what came in stays" in one) for one in questions] == [
        (True, True)
    ] * 2
    with Library.open(folder) as library:
        assert len(library.papers) >= 5
        assert check(library.database) == []


def test_first_run_offers_three_doors(qtbot: QtBot, make_window: Callable[..., MainWindow]) -> None:
    window = make_window(AppSettings(embed_after_import=False, theme="light"))
    page = window.first_run
    assert page.isVisible()
    assert not window.tree.isVisible()
    assert not window.search.isVisible()
    qtbot.mouseClick(page.example.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: listed(window) == 480, timeout=60_000)
    assert not page.isVisible()
    assert window.windowTitle() == "Example – Litscape"
    assert all(titles(window)[:10])
    qtbot.waitUntil(
        lambda: re.match("Imported 480 papers", window.toast.text.text()) is not None,
        timeout=WAIT_MS,
    )
