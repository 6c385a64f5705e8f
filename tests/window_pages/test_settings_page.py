"""Settings: shown as they are, in force at once, remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.window_pages.pages_driving import click, listed, shown, until

from litscape.settings import AppSettings, load
from litscape_app.window.pages.settings_page import SettingsPage
from litscape_resources import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QComboBox
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def opened(window: MainWindow) -> SettingsPage:
    window.menus.actions["file.settings"].trigger()
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    assert shown(window, "settings")
    return page


def choose(combo: QComboBox, key: str) -> None:
    combo.setCurrentIndex(combo.findData(key))
    combo.activated.emit(combo.currentIndex())


def test_the_gear_and_the_model_at_the_foot_lead_there(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window.search.gear)
    assert shown(window, "settings")
    until(qtbot, lambda: window.foot.model.isVisible())
    click(qtbot, window.foot.model)
    assert shown(window, "models")


def test_the_theme_changes_at_once(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(window)
    click(qtbot, page.themes.button("dark"))
    assert window.session.theme.tokens == DARK
    until(qtbot, lambda: load().settings.theme == "dark")
    page.themes.button("dark").setFocus()
    qtbot.keyClick(page.themes.button("dark"), Qt.Key.Key_Left)
    assert window.session.theme.tokens == LIGHT
    until(qtbot, lambda: load().settings.theme == "light")


def test_computing_follows_the_settings_of_the_open_library(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = opened(window)
    library = window.session.library
    assert library is not None
    assert library.engine.options.device == "auto"
    choose(page.device, "cpu")
    page.threads.setValue(1)
    choose(page.index, "exact")
    choose(page.fusion, "ranks")
    assert library.engine.options.device == "cpu"
    assert library.engine.options.threads == 1
    assert library.settings.index_kind == "exact"
    until(qtbot, lambda: load().settings.index_kind == "exact")
    assert load().settings.threads == 1
    assert library.settings.hybrid_fusion == "ranks"


def test_look_ups(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(window)
    page.consent.click()
    page.mail.setFocus()
    qtbot.keyClicks(page.mail, "ina@example.org")
    qtbot.keyClick(page.mail, Qt.Key.Key_Return)
    until(qtbot, lambda: load().settings.mail == "ina@example.org")
    assert load().settings.lookup_consent


def test_consent_is_shown_and_can_be_taken_back(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(window)
    assert page.given.text().startswith("You agreed to nothing")
    assert not page.revoke.isEnabled()
    page.citations.click()
    page.mail.setText("no address")
    page.mail.editingFinished.emit()
    assert "must be an address" in page.problem.text.text()
    page.mail.setText("ina@example.org")
    page.mail.editingFinished.emit()
    assert page.problem.isHidden()
    until(qtbot, lambda: load().settings.mail == "ina@example.org")
    assert load().settings.citations_consent
    assert "citations from the command line, telling your mail" in page.given.text()
    click(qtbot, page.revoke)
    until(qtbot, lambda: load().settings.mail == "")
    assert not load().settings.citations_consent
    assert (page.citations.isChecked(), page.mail.text()) == (False, "")


def test_settings_are_shown_as_they_are(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    settings = AppSettings(
        device="cpu", threads=1, lookup_consent=True, mail="a@b.org", theme="dark",
        index_kind="hnsw", hybrid_fusion="ranks", embed_after_import=False,
    )  # fmt: skip
    window = make_window(settings)
    window.session.open(folder)
    until(qtbot, lambda: listed(window) == 3)
    page = opened(window)
    assert page.themes.choice == "dark"
    assert page.device.currentData() == "cpu"
    assert page.threads.value() == 1
    assert page.index.currentData() == "hnsw"
    assert page.fusion.currentData() == "ranks"
    assert page.consent.isChecked()
    assert not page.embed.isChecked()
    assert page.mail.text() == "a@b.org"
    until(qtbot, lambda: "all-MiniLM-L6-v2" in page.model.text())
    assert window.session.settings.recent == (str(folder),)


def test_settings_that_can_not_be_stored_are_told(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    until(qtbot, lambda: (home / "config" / "settings.toml").exists())
    for file in (home / "config").iterdir():
        file.unlink()
    (home / "config").rmdir()
    (home / "config").write_text("a file in the way", encoding="utf-8")
    page = opened(window)
    page.consent.click()
    until(qtbot, lambda: window.notice.isVisible())
    assert "settings could not be written" in window.notice.text.text()
    (home / "config").unlink()
