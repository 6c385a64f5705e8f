"""Topics in the tree: found in a child, chosen, named, merged, made a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem
from tests.topics.support import planted
from tests.window.driving import WAIT_MS, listed

from litscape_app.window.tree import topics
from litscape_app.window.tree.menu import place_menu

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.tree.model import Node


def head(window: MainWindow) -> Node:
    return next(node for node in window.tree.model.root.walk() if node.title == "Topics")


def found(window: MainWindow) -> list[Node]:
    return [node for node in head(window).children if not node.act]


@pytest.fixture
def planted_window(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> MainWindow:
    planted(tmp_path / "planted", 60, extra=2).close()
    window = make_window()
    window.session.open(tmp_path / "planted")
    qtbot.waitUntil(lambda: listed(window) == 62, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.tree.model.rowCount() > 2, timeout=WAIT_MS)
    return window


def test_topics_from_the_line_that_finds_them_to_a_collection(
    qtbot: QtBot, planted_window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = planted_window
    tree, model = window.tree.tree, window.tree.model
    (line,) = head(window).children
    assert line.title == "Find topics"
    tree.setCurrentIndex(model.index_of(line))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(found(window)) == 5, timeout=WAIT_MS)
    *parts, rest = found(window)
    assert [node.count for node in parts] == [15, 15, 15, 15]
    assert (rest.title, rest.count) == ("Without a topic", 2)
    assert rest.hint.startswith("3% of the papers")
    assert len({node.colour for node in parts}) == 4

    tree.setCurrentIndex(model.index_of(parts[0]))
    qtbot.waitUntil(lambda: listed(window) == 15, timeout=WAIT_MS)
    tree.setCurrentIndex(model.index_of(rest))
    qtbot.waitUntil(lambda: listed(window) == 2, timeout=WAIT_MS)

    monkeypatch.setattr(topics, "ask_name", lambda *_parts: "My field")
    topics.rename(window.tree, parts[0])
    qtbot.waitUntil(lambda: found(window)[0].title == "My field", timeout=WAIT_MS)
    menu = place_menu(window.tree, found(window)[0])
    below = next(one for one in menu.findChildren(QMenu) if one.title() == "Merge with")
    assert len(below.actions()) == 3  # the others of its level, not what has no topic
    below.actions()[0].trigger()
    qtbot.waitUntil(lambda: len(found(window)) == 4, timeout=WAIT_MS)
    assert (found(window)[0].title, found(window)[0].count) == ("My field", 30)
    monkeypatch.setattr(topics, "ask_name", lambda *_parts: "in/out")
    topics.to_collection(window.tree, found(window)[0])
    names = {node.title: node.count for node in model.root.walk() if node.icon == "folder"}
    qtbot.waitUntil(
        lambda: any(
            (n.icon, n.title, n.count) == ("folder", "in/out", 30) for n in model.root.walk()
        ),
        timeout=WAIT_MS,
    )
    assert names == {}
    asked: list[str] = []

    def keep(_parent: object, _title: str, question: str, _act: str) -> bool:
        asked.append(question)
        return len(asked) > 1

    monkeypatch.setattr(topics, "confirm", keep)
    topics.find(window.tree)
    qtbot.waitUntil(lambda: len(asked) == 1, timeout=WAIT_MS)
    assert "merged or split 1 topic: “My field”." in asked[0]
    assert len(found(window)) == 4, "kept"
    for _step in range(3):
        window.session.undo()
    qtbot.waitUntil(lambda: len(found(window)) == 5, timeout=WAIT_MS)
    assert "My field" not in {node.title for node in found(window)}


def test_a_topic_is_drawn_with_its_colour(planted_window: MainWindow) -> None:
    from litscape_app.window.scope import topic
    from litscape_app.window.tree.model import Node

    window = planted_window
    name = "a long name of a topic, which takes two lines where the tree is narrow"
    node = head(window).add(Node(name, topic(7, name), "", 12, colour=1))
    window.tree.model.show(window.tree.model.root)
    index = window.tree.model.index_of(node)
    delegate = window.tree.tree.itemDelegate()
    option = QStyleOptionViewItem()
    size = delegate.sizeHint(option, index)
    option.rect.setRect(0, 0, 180, size.height())
    picture = QImage(180, size.height(), QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    delegate.paint(painter, option, index)
    painter.end()
    assert picture.pixelColor(14, size.height() // 2).name() == "#fc6e2a"
    assert size.height() > delegate.sizeHint(option, window.tree.model.index(0, 0)).height()
