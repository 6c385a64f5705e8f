"""Daily acts on chosen papers, from the menu to the library and back."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.window.driving import WAIT_MS, choose, listed, titles

from litscape.apart.tasks import export_file
from litscape.errors import EnvironmentFault
from litscape.jobs import JobContext, null_context
from litscape.jobs.runners import Lane
from litscape_app.window.exporting import start_export
from litscape_app.window.importing import start_import
from litscape_app.window.scope import ALL, TRASH, tag

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.window.main_window import MainWindow


def test_a_paper_comes_back_from_the_trash(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.menus.actions["papers.trash"].trigger()
    qtbot.waitUntil(lambda: listed(window) == 4, timeout=WAIT_MS)
    window._go(TRASH)
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    choose(qtbot, window, "Zebra crossings")
    restore = window.menus.actions["papers.restore"]
    qtbot.waitUntil(restore.isEnabled, timeout=WAIT_MS)
    assert not window.menus.actions["papers.tag"].isEnabled()
    assert window.menus.actions["papers.trash"].text() == "Delete for good…"
    restore.trigger()
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)
    assert window.toast.text.text() == "Restored 1 paper"


def test_the_choice_goes_with_the_place(qtbot: QtBot, window: MainWindow) -> None:
    window.table.table.selectAll()
    qtbot.waitUntil(lambda: len(window.chosen) == 5, timeout=WAIT_MS)
    window.menus.actions["papers.trash"].trigger()
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)
    window._go(TRASH)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    window.table.table.selectAll()
    details = window.details
    qtbot.waitUntil(lambda: details.currentWidget() is details.bulk, timeout=WAIT_MS)
    assert details.bulk.trash.text() == "Delete for good…"
    assert not details.bulk.tags.isEnabled()
    assert not details.bulk.collections.isEnabled()
    window._go(ALL)
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.chosen == () == details.ids, timeout=WAIT_MS)
    assert details.currentWidget() is details._empty
    assert details.bulk.trash.text() == "Move to trash"
    assert details.bulk.tags.isEnabled()


def test_a_choice_among_others_goes_too(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    qtbot.waitUntil(lambda: len(window.chosen) == 1, timeout=WAIT_MS)
    window._go(tag("water"))
    qtbot.waitUntil(lambda: listed(window) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.chosen == () == window.details.ids, timeout=WAIT_MS)
    window.table.go_to(3)  # as a similar paper is followed, out of the place
    qtbot.waitUntil(lambda: window.chosen == (3,) == window.details.ids, timeout=WAIT_MS)
    qtbot.wait(300)
    assert window.chosen == (3,)


def test_an_act_keeps_the_session_busy(qtbot: QtBot, window: MainWindow) -> None:
    held = threading.Event()

    def act(library: Library) -> LibraryChanges:
        assert held.wait(WAIT_MS / 1000)
        return library.edit.tag([int(library.papers.ids()[0])], ["held"])

    qtbot.waitUntil(lambda: not window.session.busy, timeout=WAIT_MS)
    window.session.write("Tag slowly", act)
    assert window.session.busy
    assert not window.session.jobs.running
    held.set()
    qtbot.waitUntil(lambda: not window.session.busy, timeout=WAIT_MS)
    assert window.session.library is not None
    assert window.session.library.history.entries(1)[0].title.startswith("Tag")


def test_deleting_for_good_asks(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.menus.actions["papers.trash"].trigger()
    window._go(TRASH)
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    choose(qtbot, window, "Zebra crossings")
    answers = [False, True]

    def confirm(*_parts: object) -> bool:
        return answers.pop(0)

    monkeypatch.setattr("litscape_app.window.ask.confirm", confirm)
    window.menus.actions["papers.trash"].trigger()
    qtbot.wait(100)
    assert listed(window) == 1
    window.menus.actions["papers.trash"].trigger()
    qtbot.waitUntil(lambda: listed(window) == 0, timeout=WAIT_MS)


def test_the_chosen_are_exported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    choose(qtbot, window, "Zebra crossings")
    target = tmp_path / "out.jsonl"
    start_export(window, target, "jsonl", window.chosen)
    qtbot.waitUntil(target.exists, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.toast.text.text().startswith("Exported 1"), timeout=WAIT_MS)
    records = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [record["title"] for record in records] == ["Zebra crossings"]
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_an_export_that_can_not_be_written_leaves_the_old_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    library = window.session.library
    assert library is not None
    with pytest.raises(EnvironmentFault, match="could not be written"):
        export_file(library, null_context(), tmp_path / "no" / "such" / "x.bib", "bibtex", None)
    target = tmp_path / "papers.bib"
    target.write_text("old", encoding="utf-8")
    start_export(window, target, "no such kind", None)
    qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    assert target.read_text(encoding="utf-8") == "old"
    assert not list(tmp_path.glob("*.part"))


def test_an_import_shows_and_is_undone_from_the_message(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    source = tmp_path / "two.bib"
    source.write_text(
        "@article{x1, title={First one}, year=2001}\n@article{x2, title={Second one}}",
        encoding="utf-8",
    )
    start_import(window.session, [source])
    qtbot.waitUntil(lambda: listed(window) == 7, timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: window.toast.text.text().startswith("Imported 2 papers"), timeout=WAIT_MS
    )
    qtbot.waitUntil(
        lambda: any(
            (node.title, node.count) == ("Last import", 2) for node in window.tree.model.root.walk()
        ),
        timeout=WAIT_MS,
    )
    qtbot.mouseClick(window.toast.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)


def test_a_cancelled_import_keeps_what_came_in(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    source = tmp_path / "many.bib"
    entries = (f"@article{{k{n}, title={{Title {n} words}}, year=2000}}" for n in range(6000))
    source.write_text("\n".join(entries), encoding="utf-8")
    start_import(window.session, [source])
    qtbot.waitUntil(lambda: listed(window) > 5, timeout=60_000)
    window.session.jobs.cancel_all()
    qtbot.waitUntil(
        lambda: window.toast.text.text().startswith(("Import stopped", "Imported")), timeout=60_000
    )
    qtbot.waitUntil(lambda: not window.session.jobs.running, timeout=WAIT_MS)
    window.session.undo()
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)


def test_the_jobs_fold_up_and_tell_how_they_ended(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    source = tmp_path / "page.bib"
    source.write_text("<!doctype html><html><body>Not found</body></html>", encoding="utf-8")
    start_import(window.session, [source])
    qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    qtbot.mouseClick(window.foot.jobs, Qt.MouseButton.LeftButton)
    assert window.jobs.isVisible()
    entry = window.session.jobs.entries[-1]
    row = window.jobs._rows[entry]
    assert "page.bib" in row.text.text()
    assert row.copy.isVisible()
    qtbot.mouseClick(row.stop, Qt.MouseButton.LeftButton)
    assert entry not in window.session.jobs.entries


def test_copying_many_citekeys(qtbot: QtBot, window: MainWindow) -> None:
    from PySide6.QtGui import QGuiApplication

    window.table.table.selectAll()
    qtbot.waitUntil(lambda: len(window.chosen) == 5, timeout=WAIT_MS)
    window.menus.actions["papers.copy"].trigger()
    qtbot.waitUntil(
        lambda: "key1" in QGuiApplication.clipboard().text().split(", "), timeout=WAIT_MS
    )


def test_jobs_that_began_unseen_are_shown_as_they_are(qtbot: QtBot, window: MainWindow) -> None:
    gate = threading.Event()

    def work(_library: Library, ctx: JobContext) -> None:
        ctx.progress(1, 4, "One of four")
        while not gate.wait(0.01):
            ctx.check()

    entry = window.session.work("Long work", work, Lane.COMPUTE)
    assert entry is not None
    qtbot.waitUntil(lambda: entry.progress.done == 1, timeout=WAIT_MS)
    qtbot.mouseClick(window.foot.jobs, Qt.MouseButton.LeftButton)
    row = window.jobs._rows[entry]
    assert row.text.text() == "One of four"
    assert (row.bar.value(), row.bar.maximum()) == (1, 4)
    gate.set()
    qtbot.waitUntil(lambda: entry.state.ended, timeout=WAIT_MS)
