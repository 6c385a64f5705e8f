"""Taking papers from a Zotero that is found, that is named, or that is not there."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.window_pages.pages_driving import click, listed, shown, until
from tests.zotero_support import running_zotero

from litscape.importers.watch import Watch
from litscape_app.window.pages.report_page import report_page
from litscape_app.window.pages.zotero_page.page import ZoteroPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QTreeWidgetItem
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

DATABASE = Path(__file__).parents[1] / "data" / "zotero" / "trash-notes-attachments.sqlite"
USER, GROUP = 0, 1


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person without Zotero, whatever who runs the tests has."""
    place = tmp_path / "person"
    place.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(place))
    monkeypatch.setenv("APPDATA", str(place / "AppData"))
    return place


@pytest.fixture
def zotero(person: Path) -> Path:
    """Their Zotero's database."""
    folder = person / "Zotero"
    folder.mkdir()
    prefs = person / ".zotero/zotero/Profiles/a/prefs.js"
    prefs.parent.mkdir(parents=True)
    # No Zotero listens at this port.
    prefs.write_text('user_pref("extensions.zotero.httpServer.port", 1);\n', encoding="utf-8")
    return Path(shutil.copy(DATABASE, folder / "zotero.sqlite"))


def opened(qtbot: QtBot, window: MainWindow) -> ZoteroPage:
    """The page after it looked for Zotero."""
    window.show_page("zotero")
    page = window.page("zotero")
    assert isinstance(page, ZoteroPage)
    until(qtbot, lambda: page.again.isEnabled())
    return page


def lines(page: ZoteroPage) -> list[str]:
    return [page.places.item(row).text().partition("\n")[0] for row in range(page.places.count())]


def _below(item: QTreeWidgetItem, *rows: int) -> QTreeWidgetItem:
    for row in rows:
        child = item.child(row)
        assert child is not None
        item = child
    return item


def test_what_was_found_is_taken_whole(qtbot: QtBot, window: MainWindow, zotero: Path) -> None:
    page = opened(qtbot, window)
    assert lines(page) == [
        "Zotero database · 5 items, 1 group",
        "Zotero is not running",
    ]
    assert "Nothing is ever written to Zotero" in page.promise.text()
    assert str(zotero) in page.places.item(0).text()
    assert "Not imported yet" in page.about.text()
    before = zotero.read_bytes(), sorted(zotero.parent.iterdir())
    click(qtbot, page.go)
    until(qtbot, lambda: shown(window, "report"))
    until(qtbot, lambda: listed(window) == 8)
    assert report_page(window).counts.numbers["added"].text() == "5"
    assert (zotero.read_bytes(), sorted(zotero.parent.iterdir())) == before
    page = opened(qtbot, window)
    assert page.go.text() == "Update"
    assert "Read last" in page.about.text()
    assert "5 records, all added" in page.about.text()


def test_a_collection_is_taken_alone(qtbot: QtBot, window: MainWindow, zotero: Path) -> None:
    page = opened(qtbot, window)
    user, group = (page.choice.topLevelItem(n) for n in (USER, GROUP))
    assert user is not None
    assert group is not None
    assert user.text(0) == "My Library (3 items)"
    assert group.text(0) == "Mud lab (group, 2 items)"
    for top in (user, group):
        top.setCheckState(0, Qt.CheckState.Unchecked)
    until(qtbot, lambda: not page.go.isEnabled())
    lakes, rivers = (_below(user, 0, n) for n in range(2))
    assert (lakes.text(0), rivers.text(0)) == ("Lakes", "Rivers")
    lakes.setCheckState(0, Qt.CheckState.Checked)
    assert user.checkState(0) == Qt.CheckState.PartiallyChecked
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 4)
    library = window.session.library
    assert library is not None
    assert library.papers.get("stork1999").title == "Book in two collections"


def test_a_database_elsewhere(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = opened(qtbot, window)
    assert lines(page) == ["Zotero is not running"]
    assert "Allow other applications on this computer" in page.about.text()
    assert not page.go.isEnabled()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copy(DATABASE, folder / "zotero.sqlite")
    page.take_file(folder)
    until(qtbot, lambda: page.again.isEnabled())
    assert page.place is not None
    assert page.place.source == str(folder / "zotero.sqlite")
    group = page.choice.topLevelItem(GROUP)
    assert group is not None
    group.setCheckState(0, Qt.CheckState.Unchecked)
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 6)


def test_a_file_that_is_no_zotero_database(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = opened(qtbot, window)
    file = tmp_path / "notes.sqlite"
    file.write_text("nothing", encoding="utf-8")
    page.take_file(file)
    until(qtbot, lambda: page.again.isEnabled())
    assert not page.go.isEnabled()
    assert "notes.sqlite" in page.about.text()


def test_ticks_are_remembered(qtbot: QtBot, window: MainWindow, zotero: Path) -> None:
    page = opened(qtbot, window)
    group = page.choice.topLevelItem(GROUP)
    assert group is not None
    group.setCheckState(0, Qt.CheckState.Unchecked)
    library = window.session.library
    assert library is not None
    watch = Watch(library.database)
    until(qtbot, lambda: watch.choice(zotero) is not None)
    window.leave_page()
    page = opened(qtbot, window)
    user, group = (page.choice.topLevelItem(n) for n in (USER, GROUP))
    assert user is not None
    assert group is not None
    assert user.checkState(0) == Qt.CheckState.Checked
    assert group.checkState(0) == Qt.CheckState.Unchecked
    water = _below(user, 0)
    _below(water, 0).setCheckState(0, Qt.CheckState.Unchecked)
    click(qtbot, page.go)
    until(qtbot, lambda: shown(window, "report"))
    page = opened(qtbot, window)
    user = page.choice.topLevelItem(USER)
    assert user is not None
    assert user.isExpanded()
    states = [_below(user, 0, row).checkState(0) for row in range(2)]
    assert states == [Qt.CheckState.Unchecked, Qt.CheckState.Checked]
    assert "Nothing" not in page.about.text()


def test_ticking_less_removes_nothing(qtbot: QtBot, window: MainWindow, zotero: Path) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 8)
    page = opened(qtbot, window)
    group = page.choice.topLevelItem(GROUP)
    assert group is not None
    group.setCheckState(0, Qt.CheckState.Unchecked)
    click(qtbot, page.go)
    until(qtbot, lambda: shown(window, "report"))
    until(qtbot, lambda: page.progress.entry is None)
    library = window.session.library
    assert library is not None
    assert len(library.papers) == 8
    assert not any(paper.missing_in_source for paper in library.papers)


def test_groups_are_kept_apart_unless_told_otherwise(
    qtbot: QtBot, window: MainWindow, zotero: Path
) -> None:
    page = opened(qtbot, window)
    assert page.group_names.isVisible()
    assert page.group_names.isChecked()
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 8)
    library = window.session.library
    assert library is not None
    tops = {one.library: {path[0] for path in one.collections} for one in library.papers}
    assert tops["group:777"] == {"Mud lab"}
    assert "Mud lab" not in tops["user"]


@pytest.mark.parametrize("status", [403, 200])
def test_a_running_zotero(
    qtbot: QtBot, window: MainWindow, zotero: Path, person: Path, status: int
) -> None:
    with running_zotero() as served:
        served.status = status
        served.put("AAAA2222", title="Of the running one")
        port = served.address.rpartition(":")[2]
        prefs = person / ".zotero/zotero/Profiles/a/prefs.js"
        setting = f'user_pref("extensions.zotero.httpServer.port", {port});\n'
        prefs.write_text(setting, encoding="utf-8")
        page = opened(qtbot, window)
        page.places.setCurrentRow(1)
        if status == 403:
            assert lines(page)[1] == "Zotero runs, but lets no other program read"
            assert "Allow other applications on this computer" in page.about.text()
            assert not page.go.isEnabled()
            return
        assert lines(page)[1] == "Running Zotero · 1 item"
        click(qtbot, page.go)
        until(qtbot, lambda: listed(window) == 4)


OLD = "CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, libraryType TEXT);"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("damaged", "is damaged or was being written"),
        ("old", "was written by Zotero 4 or older"),
        ("other", "is an SQLite database, but not Zotero's"),
        ("gone", "There is no file"),
    ],
)
def test_what_can_not_be_read_says_why(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, sentence: str
) -> None:
    file = tmp_path / "data" / "zotero.sqlite"
    file.parent.mkdir()
    if name == "damaged":
        whole = DATABASE.read_bytes()
        file.write_bytes(whole[:4096] + b"\x55" * 20_000)
    elif name in ("old", "other"):
        shutil.copy(DATABASE, file)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"DROP TABLE {'libraries' if name == 'old' else 'itemData'}")
            if name == "old":
                connection.execute(OLD)
            connection.commit()
    page = opened(qtbot, window)
    page.take_file(file)
    until(qtbot, lambda: page.again.isEnabled())
    assert sentence in page.about.text()
    assert not page.go.isEnabled()
    assert not page.take.isVisible()


def test_a_database_that_zotero_holds_locked(
    qtbot: QtBot, window: MainWindow, zotero: Path
) -> None:
    with closing(sqlite3.connect(zotero, isolation_level=None)) as program:
        program.execute("PRAGMA locking_mode = EXCLUSIVE")
        program.execute("PRAGMA journal_mode = WAL")
        program.execute("BEGIN EXCLUSIVE")
        page = opened(qtbot, window)
        assert lines(page)[0] == "Zotero database · 5 items, 1 group"
        click(qtbot, page.go)
        until(qtbot, lambda: listed(window) == 8)


def test_the_first_run_leads_here(
    qtbot: QtBot, make_window: Callable[..., MainWindow], zotero: Path
) -> None:
    window = make_window()
    assert str(zotero.parent) in window.first_run.zotero.text.text()
    click(qtbot, window.first_run.zotero.button)
    assert shown(window, "zotero")
    page = window.page("zotero")
    assert isinstance(page, ZoteroPage)
    until(qtbot, lambda: page.again.isEnabled())
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 5)
    assert window.session.library is not None
