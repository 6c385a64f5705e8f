from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from tests.window.driving import WAIT_MS, choose, listed, titles

from litscape_app.window.tree import acts
from litscape_app.window.tree.menu import place_menu
from litscape_app.window.tree.model import COLLECTION_MIME, Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def place(window: MainWindow, title: str) -> Node:
    return next(node for node in window.tree.model.root.walk() if node.title == title)


def has(window: MainWindow, title: str) -> bool:
    return any(node.title == title for node in window.tree.model.root.walk())


def go(window: MainWindow, title: str) -> None:
    index = window.tree.model.index_of(place(window, title))
    window.tree.tree.setCurrentIndex(index)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What the person types where a name is asked for."""

    def given(name: str) -> None:
        def ask_name(*_parts: object) -> str:
            return name

        monkeypatch.setattr(acts, "ask_name", ask_name)

    return given


def test_places_and_counts(window: MainWindow) -> None:
    assert place(window, "All papers").count == 5
    assert place(window, "Nature").count == 2
    assert place(window, "Rivers").count == 1
    assert place(window, "water").count == 2
    parent = place(window, "Rivers").parent
    assert parent is not None
    assert parent.title == "Nature"


def test_a_collection_lists_what_is_in_it_and_below(qtbot: QtBot, window: MainWindow) -> None:
    go(window, "Nature")
    qtbot.waitUntil(lambda: listed(window) == 2, timeout=WAIT_MS)
    go(window, "Rivers")
    qtbot.waitUntil(lambda: titles(window) == ["Attention in rivers"], timeout=WAIT_MS)
    go(window, "wings")
    qtbot.waitUntil(lambda: titles(window) == ["Birds of the marsh"], timeout=WAIT_MS)


def test_empty_places_say_what_to_do(qtbot: QtBot, window: MainWindow) -> None:
    go(window, "Trash")
    empty = window.table.empty
    qtbot.waitUntil(empty.isVisible, timeout=WAIT_MS)
    assert empty.heading.text() == "The trash is empty"
    assert not empty.first.isVisible()


def test_collections_are_made_renamed_nested_and_deleted(
    qtbot: QtBot, window: MainWindow, answer: Callable[[str], None]
) -> None:
    answer("Lakes & ponds")
    window.menus.actions["library.new_collection"].trigger()
    qtbot.waitUntil(lambda: has(window, "Lakes & ponds"), timeout=WAIT_MS)
    answer("Lakes")
    acts.rename(window.tree, place(window, "Lakes & ponds"))
    qtbot.waitUntil(lambda: has(window, "Lakes"), timeout=WAIT_MS)
    drop_collection(window, "Lakes", "Nature")
    qtbot.waitUntil(
        lambda: place(window, "Lakes").parent is place(window, "Nature"), timeout=WAIT_MS
    )
    acts.delete(window.tree, place(window, "Nature"))
    qtbot.waitUntil(lambda: not has(window, "Nature"), timeout=WAIT_MS)
    assert not has(window, "Lakes")
    assert listed(window) == 5
    window.session.undo()
    qtbot.waitUntil(lambda: has(window, "Lakes"), timeout=WAIT_MS)


def drop_collection(window: MainWindow, moved: str, onto: str) -> None:
    model = window.tree.model
    data = model.mimeData([model.index_of(place(window, moved))])
    assert data.hasFormat(COLLECTION_MIME)
    target = model.index_of(place(window, onto))
    model.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, target)


def test_a_collection_can_not_go_below_itself(window: MainWindow) -> None:
    model = window.tree.model
    data = model.mimeData([model.index_of(place(window, "Nature"))])
    inside = model.index_of(place(window, "Rivers"))
    assert not model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, inside)


@pytest.mark.parametrize(("target", "number"), [("Rivers", 2), ("wings", 2), ("Trash", 1)])
def test_papers_dropped_on_a_place_are_put_there(
    qtbot: QtBot, window: MainWindow, target: str, number: int
) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    data: QMimeData = window.table.model.mime_of([paper])
    model = window.tree.model
    index: QModelIndex = model.index_of(place(window, target))
    assert model.canDropMimeData(data, Qt.DropAction.CopyAction, -1, -1, index)
    model.dropMimeData(data, Qt.DropAction.CopyAction, -1, -1, index)
    qtbot.waitUntil(lambda: place(window, target).count == number, timeout=WAIT_MS)


def test_papers_can_not_be_dropped_on_everything(qtbot: QtBot, window: MainWindow) -> None:
    data = window.table.model.mime_of([1])
    model = window.tree.model
    index = model.index_of(place(window, "All papers"))
    assert not model.canDropMimeData(data, Qt.DropAction.CopyAction, -1, -1, index)


def test_a_deleted_place_falls_back_to_all_papers(qtbot: QtBot, window: MainWindow) -> None:
    go(window, "wings")
    qtbot.waitUntil(lambda: listed(window) == 1, timeout=WAIT_MS)
    acts.delete(window.tree, place(window, "wings"))
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    assert window.scope.kind == "all"


def test_folded_places_stay_folded(qtbot: QtBot, window: MainWindow) -> None:
    tree, model = window.tree.tree, window.tree.model
    tree.collapse(model.index_of(place(window, "Nature")))
    window.tree.read()
    qtbot.wait(200)
    assert not tree.isExpanded(model.index_of(place(window, "Nature")))
    assert tree.isExpanded(model.index_of(place(window, "Tags")))


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Rivers", "Papers like these"),
        ("water", "Rename…"),
        ("Trash", "Empty the trash…"),
        ("Collections", "New collection…"),
    ],
)
def test_each_place_has_its_menu(window: MainWindow, title: str, first: str) -> None:
    menu: QMenu = place_menu(window.tree, place(window, title))
    assert menu.actions()[0].text() == first
    if title == "Trash":
        assert not menu.actions()[0].isEnabled()


def test_deleting_in_the_trash_asks_first(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.menus.actions["papers.trash"].trigger()
    qtbot.waitUntil(lambda: place(window, "Trash").count == 1, timeout=WAIT_MS)
    asked: list[str] = []

    def refuse(_parent: object, _title: str, question: str, _act: str) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr(acts, "confirm", refuse)
    window.menus.actions["library.empty_trash"].trigger()
    assert "1 paper" in asked[0]

    def accept(*_parts: object) -> bool:
        return True

    monkeypatch.setattr(acts, "confirm", accept)
    window.menus.actions["library.empty_trash"].trigger()
    qtbot.waitUntil(lambda: place(window, "Trash").count is None, timeout=WAIT_MS)


def test_a_saved_search_counts_is_renamed_and_asks_another_query(
    qtbot: QtBot, window: MainWindow, answer: Callable[[str], None]
) -> None:
    window.session.write("", lambda library: library.edit.save_search("Wet", "marsh", "lexical"))
    qtbot.waitUntil(lambda: has(window, "Wet"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: place(window, "Wet").count == 1, timeout=WAIT_MS)
    go(window, "Wet")
    qtbot.waitUntil(lambda: titles(window) == ["Birds of the marsh"], timeout=WAIT_MS)
    answer("Waters")
    acts.rename(window.tree, place(window, "Wet"))
    qtbot.waitUntil(lambda: has(window, "Waters"), timeout=WAIT_MS)
    assert window.tree.current().title == "Waters"
    assert window.scope.title == "Waters"
    answer("marsh OR rivers")
    acts.change_query(window.tree, place(window, "Waters"))
    qtbot.waitUntil(lambda: listed(window) == 2, timeout=WAIT_MS)
    assert window.search.line.text() == "marsh OR rivers"
    qtbot.waitUntil(lambda: place(window, "Waters").count == 2, timeout=WAIT_MS)
    assert "papers that have its words" in place(window, "Waters").hint
    window.session.write("", lambda library: library.edit.save_search("Near", "marsh", "hybrid"))
    qtbot.waitUntil(lambda: has(window, "Near"), timeout=WAIT_MS)
    window.session.write("", lambda library: library.edit.trash([1]))
    qtbot.waitUntil(lambda: place(window, "Waters").count == 1, timeout=WAIT_MS)
    assert place(window, "Near").count is None  # everything is a little like it
    assert "the nearest papers, 100 at most" in place(window, "Near").hint
