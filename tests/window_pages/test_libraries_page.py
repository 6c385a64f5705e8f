"""Libraries: open, make, back up, restore, check; and what can't be opened."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.window_pages.pages_driving import click, listed, shown, until

from litscape.library import Library
from litscape_app.window.libraries import new_place
from litscape_app.window.pages.import_page import import_page
from litscape_app.window.pages.libraries_page import libraries_page
from litscape_app.window.pages.libraries_page import page as page_module
from litscape_app.window.pages.libraries_page.cloud import cloud_service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.libraries_page.page import LibrariesPage

NOBODY = 65534


def opened(qtbot: QtBot, window: MainWindow) -> LibrariesPage:
    window.menus.actions["file.libraries"].trigger()
    page = libraries_page(window)
    until(qtbot, lambda: page.subject.state.text())
    return page


def is_open(window: MainWindow, folder: Path) -> bool:
    return window.session.library is not None and window.session.library.folder == folder


def test_the_open_library_its_folder_and_size(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    page = opened(qtbot, window)
    assert page.subject.name.text() == "Three papers"
    assert page.subject.place.text() == str(folder)
    assert page.subject.state.text() == "3 papers"
    assert page.subject.no_backups.isVisible()


def test_make_open_and_forget(qtbot: QtBot, window: MainWindow, folder: Path, home: Path) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.others.make)
    assert "a name first" in page.others.where.text()
    qtbot.keyClicks(page.others.name, "My thesis")
    click(qtbot, page.others.make)
    new = home / "data" / "libraries" / "My thesis"
    until(qtbot, lambda: is_open(window, new))
    window.show_page("libraries", again=True)
    until(qtbot, lambda: folder in page.others.buttons)
    click(qtbot, page.others.buttons[folder])
    until(qtbot, lambda: is_open(window, folder))
    until(qtbot, lambda: listed(window) == 3)
    assert window.session.settings.recent[:2] == (str(folder), str(new))


def test_a_second_library_of_a_name_gets_a_folder_of_its_own(
    qtbot: QtBot, window: MainWindow, home: Path
) -> None:
    page = opened(qtbot, window)
    for expected in ("Thesis", "Thesis 2"):
        page.others.name.setText("Thesis/")
        click(qtbot, page.others.make)
        until(qtbot, partial(is_open, window, home / "data" / "libraries" / expected))
        window.show_page("libraries", again=True)


def test_back_up_and_restore(
    qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.subject.back_up)
    until(qtbot, lambda: len(page.subject.restores) == 1)
    assert "Backed up to" in page.subject.result.text()
    library = window.session.library
    assert library is not None
    ids = [int(one) for one in library.papers.ids()]
    window.session.write("Delete", lambda one: one.edit.delete_forever(ids[:2]))
    until(qtbot, lambda: listed(window) == 1)
    questions = []

    def answer(_parent: object, _title: str, question: str, _act: str) -> bool:
        questions.append(question)
        return len(questions) > 1

    monkeypatch.setattr(page_module, "confirm", answer)
    click(qtbot, page.subject.restores[0])
    assert "3 papers" in questions[0]
    assert is_open(window, folder)
    click(qtbot, page.subject.restores[0])
    until(qtbot, lambda: window.session.library not in (None, library))
    until(qtbot, lambda: listed(window) == 3)
    (kept,) = (folder / "backups" / "replaced").glob("*.sqlite")
    assert kept.name in window.toast.text.text()


def test_a_sound_library_and_one_with_a_text_index_that_differs(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.subject.check)
    until(qtbot, lambda: page.subject.result.text() == "The library is sound.")
    with closing(sqlite3.connect(folder / "library.sqlite")) as other:
        other.execute("INSERT INTO papers_fts(papers_fts) VALUES ('delete-all')")
        other.commit()
    click(qtbot, page.subject.check)
    until(qtbot, lambda: "text index differs" in page.subject.result.text())
    click(qtbot, page.subject.repair)
    until(qtbot, lambda: page.subject.result.text().endswith("The library is sound."))
    assert "A backup from before is" in page.subject.result.text()
    assert not page.subject.repair.isVisible()
    click(qtbot, page.subject.check)
    until(qtbot, lambda: page.subject.result.text() == "The library is sound.")


def test_a_missing_library_is_not_made_by_opening_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    gone = tmp_path / "Gone"
    window.session.remember(window.session.settings.opened(gone))
    window.open_library(gone)
    page = libraries_page(window)
    until(qtbot, lambda: page.problem.isVisible())
    assert shown(window, "libraries")
    assert f"There is no library in {gone}" in page.problem.text.text()
    assert not gone.exists()
    assert window.session.library is not None
    assert page.problem.help.text() == "Take it off the list"
    click(qtbot, page.problem.help)
    assert str(gone) not in window.session.settings.recent


@pytest.mark.parametrize("how", ["noise", "cut", "empty"])
def test_a_corrupt_library_offers_its_backups(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, how: str
) -> None:
    broken = Path(shutil.copytree(tmp_path / "Three papers", tmp_path / "Broken"))
    with Library.open(broken) as library:
        library.backup()
    file = broken / "library.sqlite"
    data = file.read_bytes()
    file.write_bytes({"noise": os.urandom(9000), "cut": data[: len(data) // 2], "empty": b""}[how])
    for helper in ("-wal", "-shm"):
        file.with_name(file.name + helper).unlink(missing_ok=True)
    window.open_library(broken)
    page = libraries_page(window)
    until(qtbot, lambda: page.problem.isVisible())
    assert str(file) in page.problem.text.text()
    assert "restore the backup" in page.problem.text.text()
    until(qtbot, lambda: len(page.subject.restores) == 1)
    assert page.subject.name.text() == "Broken"
    assert window.session.library is not None
    assert listed(window) == 3
    (backup,) = (broken / "backups").glob("*.sqlite")
    page.restore(broken, backup)
    until(qtbot, lambda: is_open(window, broken))
    until(qtbot, lambda: listed(window) == 3)


def test_a_start_on_a_corrupt_library_shows_what_helps(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    (folder / "library.sqlite").write_bytes(b"no database at all " * 900)
    window = make_window()
    window.open_library(folder)
    page = libraries_page(window)
    until(qtbot, lambda: page.problem.isVisible())
    assert shown(window, "libraries")
    assert "restore it from a backup of your own" in page.problem.text.text()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.middle.currentWidget() is window.first_run


def test_a_library_of_a_later_release(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    newer = Path(shutil.copytree(tmp_path / "Three papers", tmp_path / "Newer"))
    with closing(sqlite3.connect(newer / "library.sqlite")) as other:
        other.execute("PRAGMA user_version = 99")
        other.commit()
    window.open_library(newer)
    page = libraries_page(window)
    until(qtbot, lambda: page.problem.isVisible())
    assert "later release" in page.problem.text.text()
    assert not page.problem.help.isVisible()
    assert listed(window) == 3


@pytest.fixture
def locked(folder: Path) -> Iterator[Path]:
    """A library that everybody may read and nobody but root may write."""
    place = Path(tempfile.mkdtemp())
    library = Path(shutil.copytree(folder, place / "Locked"))
    for path in (place, library, *library.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield library
    place.chmod(0o755)
    library.chmod(0o755)
    shutil.rmtree(place)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_a_read_only_library_is_read(qtbot: QtBot, window: MainWindow, locked: Path) -> None:
    importing = import_page(window)
    window.session.settings = replace(window.session.settings, embed_after_import=True)
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
    try:
        window.open_library(locked)
        page = libraries_page(window)
        until(qtbot, lambda: page.problem.isVisible())
        assert "can't be written" in page.problem.text.text()
        click(qtbot, page.problem.help)
        until(qtbot, lambda: is_open(window, locked))
        until(qtbot, lambda: listed(window) == 3)
        assert window.session.library is not None
        assert window.session.library.database.read_only
        until(qtbot, lambda: window.similarity.standing.total == 3)
        assert not window.similarity.running
        assert "reading only" not in window.notice.text.text()
        window.show_page("libraries", again=True)
        until(qtbot, lambda: "open for reading only" in page.subject.warning.text())
        window.session.write("Tag", lambda one: one.edit.tag([1], ["new"]))
        until(qtbot, lambda: "open for reading only" in window.notice.text.text())
        window.show_page("import", again=True)
        assert "open for reading only" in importing.target.locked.text()
    finally:
        if os.getuid() == 0:
            os.seteuid(0)


def test_folders_of_cloud_services() -> None:
    assert cloud_service(Path("/home/ina/Dropbox/Library")) == "Dropbox"
    assert cloud_service(Path("/home/ina/OneDrive - University/Library")) == "OneDrive"
    icloud = "/Users/ina/Library/Mobile Documents/com~apple~CloudDocs/Litscape"
    assert cloud_service(Path(icloud)) == "iCloud"
    assert cloud_service(Path("/Users/ina/Library/CloudStorage/Dropbox/x")) == "Dropbox"
    assert cloud_service(Path("/home/ina/Documents/boxes")) is None


def test_a_library_in_a_cloud_folder_warns(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    place = tmp_path / "Dropbox" / "Review"
    window.open_library(place, create=True)
    until(qtbot, lambda: is_open(window, place))
    until(qtbot, lambda: window.notice.isVisible())
    assert "lies in a folder of Dropbox" in window.notice.text.text()
    page = opened(qtbot, window)
    assert "lies in a folder of Dropbox" in page.subject.warning.text()


def test_a_new_library_lies_where_its_path_says(tmp_path: Path, home: Path) -> None:
    assert new_place(str(tmp_path / "x" / "lib6k")) == tmp_path / "x" / "lib6k"
    assert new_place("~/papers") == Path.home() / "papers"
    assert new_place("My papers") == home / "data" / "libraries" / "My papers"
