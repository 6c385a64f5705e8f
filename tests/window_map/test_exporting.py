"""The map that is shown goes to a file beside the window."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from tests.windows import listed

from litscape_app.window.exporting import KINDS, whole_name
from litscape_app.window.exporting import ask_and_export as export_papers
from litscape_app.window.map import exporting
from litscape_app.window.map.exporting import ExportDialog, start_export

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

_WAIT_MS = 60_000


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) > 0, timeout=_WAIT_MS)
    return made


def test_a_map_is_written_and_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    library = window.session.library
    assert library is not None
    info = library.maps.list()[0]
    file = tmp_path / "map.csv"
    start_export(window, info.key, file, "year", (800, 600), dark=False)
    qtbot.waitUntil(lambda: not window.session.busy, timeout=_WAIT_MS)
    with file.open(encoding="utf-8", newline="") as stream:
        assert len(list(csv.DictReader(stream))) == info.papers
    assert f"Exported a map of {info.papers} papers to map.csv" in window.toast.text.text()


def test_the_dialog_asks_for_a_size_of_pictures_alone(qtbot: QtBot, window: MainWindow) -> None:
    dialog = ExportDialog(window, dark=True)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.suffix == ".png"
    assert dialog.look.isVisible()
    assert dialog.dark.isChecked()
    dialog.kind.setCurrentIndex(3)
    assert (dialog.suffix, dialog.look.isVisible()) == (".html", False)
    assert "to send on" in dialog.about.text()


def test_a_file_is_not_written_over_by_the_ending_that_is_added(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def no(_parent: object, title: str, *_more: str) -> bool:
        asked.append(title)
        return False

    monkeypatch.setattr("litscape_app.window.exporting.confirm", no)
    name = str(tmp_path / "map")
    assert whole_name(window, name, ".png", (".png",)) == tmp_path / "map.png"
    assert not asked
    (tmp_path / "map.png").write_bytes(b"mine")
    assert whole_name(window, name, ".png", (".png",)) is None
    assert asked == ["Replace map.png?"]
    whole = whole_name(window, f"{name}.png", ".png", (".png",))
    assert whole == tmp_path / "map.png", "asked by the dialog"


def test_papers_are_not_written_over_others_unasked(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = {title: suffix for _kind, title, suffix in KINDS}
    given = ["refs", "refs", "refs.v2", "refs.ris"]
    answers, written = [False, True], list[str]()

    def save(*_parts: object) -> tuple[str, str]:
        return str(tmp_path / given.pop(0)), next(iter(filters))

    def start(_desk: object, path: Path, kind: str, _ids: object) -> None:
        written.append(f"{path.name} {kind}")

    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", save)
    monkeypatch.setattr("litscape_app.window.exporting.confirm", lambda *_parts: answers.pop(0))
    monkeypatch.setattr("litscape_app.window.exporting.start_export", start)
    (tmp_path / "refs.bib").write_text("mine", encoding="utf-8")
    for _time in range(4):
        export_papers(window, None)
    assert written == ["refs.bib bibtex", "refs.v2.bib bibtex", "refs.ris ris"]
    assert not answers


def test_a_map_that_is_not_there_is_said(window: MainWindow) -> None:
    exporting.ask_and_export(window, None, "")
    assert "not made yet" in window.toast.text.text()
