"""Watching files in the window: the list, what changes, and what goes wrong."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.window_pages.pages_driving import click, listed, until
from tests.zotero_support import running_zotero

from litscape.importers.watch import Watch
from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.watch_page.page import WatchPage
from litscape_app.window.pages.zotero_page.page import ZoteroPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape.library import Library
    from litscape_app.window.main_window import MainWindow

DATABASE = Path(__file__).parents[1] / "data" / "zotero" / "trash-notes-attachments.sqlite"
MUD = "@article{mud, title = {%s}, year = {2001}}\n"
TIDE = "@article{tide, title = {On tides}, year = {2002}}\n"


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(MUD % "On mud", encoding="utf-8")
    return file


def replace(file: Path, text: str) -> None:
    new = file.with_suffix(".tmp")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def has_title(library: Library, title: str) -> bool:
    return library.papers.get("mud").title == title


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow, bib: Path) -> WatchPage:
    """The page with one watched file that was read."""
    window.show_page("watch")
    shown = window.page("watch")
    assert isinstance(shown, WatchPage)
    window.watching.add(bib)
    until(qtbot, lambda: shown.list.count() == 1)
    until(qtbot, lambda: "· read " in shown.list.item(0).text())
    until(qtbot, lambda: listed(window) == 4)
    return shown


def test_a_watched_file_is_followed(
    qtbot: QtBot, window: MainWindow, page: WatchPage, bib: Path
) -> None:
    library = window.session.library
    assert library is not None
    for title in ("Of mud", "Mud again"):
        replace(bib, MUD % title + TIDE)
        until(qtbot, partial(has_title, library, title))
    until(qtbot, lambda: listed(window) == 5)
    assert page.about.text().startswith(f"{bib}\nRead last ")
    assert "2 records" in page.about.text()


def test_what_is_wrong_is_said_and_nothing_goes(
    qtbot: QtBot, window: MainWindow, page: WatchPage, bib: Path
) -> None:
    bib.write_bytes(b"")
    until(qtbot, lambda: "The file is empty" in page.about.text())
    assert listed(window) == 4
    bib.unlink()
    until(qtbot, lambda: "not there at the moment" in page.about.text())
    bib.write_text(MUD % "On mud" + TIDE, encoding="utf-8")
    until(qtbot, lambda: listed(window) == 5)
    until(qtbot, lambda: "Read last" in page.about.text())


def test_a_person_is_told_that_nothing_changed(
    qtbot: QtBot, window: MainWindow, page: WatchPage
) -> None:
    click(qtbot, page.now)
    until(qtbot, lambda: "Nothing changed in refs.bib" in window.toast.text.text())


def test_files_of_one_name_are_told_apart(
    qtbot: QtBot, window: MainWindow, page: WatchPage, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    window.watching.add(Path(shutil.copy(tmp_path / "refs.bib", other)))
    until(qtbot, lambda: page.list.count() == 2)
    assert page.list.item(1).text().startswith("refs.bib in other")


def test_many_files_are_followed(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    library = window.session.library
    assert library is not None
    files = [tmp_path / f"file{number:03}.bib" for number in range(60)]
    for number, file in enumerate(files):
        text = f"@article{{k{number}, title = {{Of {number} things}}}}\n"
        file.write_text(text, encoding="utf-8")
        library.imports.run([file])
        Watch(library.database).add(file)
    until(qtbot, lambda: len(window.watching.sources) == 60)
    replace(files[41], "@article{new, title = {Quite another}}\n")
    until(qtbot, lambda: library.papers.resolve("new") is not None)
    replace(files[7], "@article{more, title = {One more}}\n")
    until(qtbot, lambda: library.papers.resolve("more") is not None)
    assert len(library.papers) == 65


def test_a_folder_that_is_replaced_is_followed_on(
    qtbot: QtBot, window: MainWindow, page: WatchPage, tmp_path: Path
) -> None:
    library = window.session.library
    assert library is not None
    folder = tmp_path / "drive"
    folder.mkdir()
    file = folder / "far.bib"
    file.write_text("@article{far, title = {Far}}\n", encoding="utf-8")
    window.watching.add(file)
    until(qtbot, lambda: library.papers.resolve("far") is not None)
    shutil.rmtree(folder)  # as when a drive is taken away
    until(qtbot, lambda: window.watching.problem(str(file)) != "")
    assert library.papers.resolve("far") is not None
    folder.mkdir()
    file.write_text(
        "@article{far, title = {Far}}\n@article{near, title = {Near}}\n", encoding="utf-8"
    )
    until(qtbot, lambda: library.papers.resolve("near") is not None)
    assert window.watching.problem(str(file)) == ""


def test_what_a_zotero_says_is_said(qtbot: QtBot, window: MainWindow, page: WatchPage) -> None:
    with running_zotero() as zotero:
        zotero.status = 403
        window.watching.add(zotero.source)
        until(qtbot, lambda: "switched off" in window.watching.problem(zotero.source))
        assert not window.session.jobs.running
        page.list.setCurrentRow(1)
        assert "Allow other applications" in page.about.text()
        assert page.list.item(1).text() == "Running Zotero · can't be read now"


def test_following_can_be_left_off(
    qtbot: QtBot, window: MainWindow, page: WatchPage, bib: Path
) -> None:
    page.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    until(qtbot, lambda: not window.watching.sources[0].follow)
    replace(bib, MUD % "On mud" + TIDE)
    qtbot.wait(3500)
    assert listed(window) == 4
    click(qtbot, page.now)
    until(qtbot, lambda: listed(window) == 5)
    click(qtbot, page.remove)
    until(qtbot, lambda: page.list.count() == 0)
    assert listed(window) == 5
    assert page.about.text() == "No file is watched yet."


def test_a_folder_is_looked_into_and_comes_in(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mud.bib").write_text(MUD % "On mud", encoding="utf-8")
    (folder / "tide.bib").write_text(TIDE, encoding="utf-8")
    (folder / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    preview_files(window, [folder])
    page = import_page(window)
    until(qtbot, lambda: page.go.isEnabled())
    assert page.preview.model.rowCount() == 2
    assert "paper.pdf is a PDF" in page.preview.remarks.text()
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 5)


def test_zotero_is_followed_from_its_page(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    place = tmp_path / "data"
    place.mkdir()
    shutil.copy(DATABASE, place / "zotero.sqlite")
    page = window.page("zotero")
    assert isinstance(page, ZoteroPage)
    window.show_page("zotero", again=True)
    until(qtbot, page.again.isEnabled)
    page.take_file(place)
    until(qtbot, lambda: page.follow.isEnabled() and page.again.isEnabled())
    assert not page.follow.isChecked()
    qtbot.mouseClick(page.follow, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    until(qtbot, lambda: listed(window) > 3)
    assert page.follow.isChecked()
    qtbot.mouseClick(page.follow, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    until(qtbot, lambda: not window.watching.sources[0].follow)
    until(qtbot, lambda: not page.follow.isChecked())
