"""Models in the window: compared, exported, imported, removed; two of them side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.window_train.test_wizard import library_of, open_window, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.compare_page.page import ComparePage
    from litscape_app.window.pages.models_page.page import ModelsPage


def test_two_models_side_by_side_follow_the_choice(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    window = open_window(qtbot, make_window, folder)
    window.table.choose((5,))
    window.show_page("compare")
    page = cast("ComparePage", window.page("compare"))
    until(qtbot, lambda: page.asked.text() == "orchid mark005 studies")
    assert "tiny-first" in page.first.model.currentText()
    page.compare(library_of(window).models.find("tiny-second").version)
    until(qtbot, lambda: page.second.model.currentText() == "tiny-second")
    window.table.choose((6,))
    until(qtbot, lambda: page.asked.text() == "turbine mark006 studies")


def test_models_are_exported_removed_and_imported_again(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, tmp_path: Path
) -> None:
    window = open_window(qtbot, make_window, folder)
    window.show_page("models")
    page = cast("ModelsPage", window.page("models"))
    names = ["all-MiniLM-L6-v2", "tiny-first", "tiny-second"]
    until(qtbot, lambda: [row.offer.card.name for row in page.rows] == names)
    first, second = page.rows[1], page.rows[2]
    assert not first.acts["remove"].isEnabled()  # it is in use
    assert second.acts["remove"].isEnabled()
    version, target = second.offer.card.version, tmp_path / "second.zip"
    page.acting.compare(version)
    until(qtbot, lambda: "of the ten nearest papers" in page.said.text())
    page.acting.export(version, target)
    until(qtbot, lambda: page.said.text() == f"Written to {target}.")
    page.acting.remove(version)
    until(qtbot, lambda: [row.offer.card.name for row in page.rows] == names[:2])
    page.acting.import_from(target)
    until(qtbot, lambda: len(page.rows) == 3)
    assert page.rows[2].offer.card.version == version
