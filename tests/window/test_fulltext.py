"""Reading PDFs from the window, and finding papers by what stands in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.pdf_support import pdf_of
from tests.window.driving import WAIT_MS, choose, titles
from tests.windows import listed

from litscape import Library
from litscape.paper import FileLink
from litscape.settings import AppSettings
from litscape_app.window import fulltext
from litscape_app.window.details.viewers import command_for
from litscape_app.window.fulltext import TextPhase
from litscape_app.window.words import marked_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


@pytest.fixture
def with_pdfs(folder: Path, tmp_path: Path) -> Path:
    """The five papers, two of them with PDFs."""
    (tmp_path / "marsh.pdf").write_bytes(pdf_of("Nothing", "Here stands a <zebra> in the marsh."))
    (tmp_path / "scan.pdf").write_bytes(pdf_of(""))
    with Library.open(folder) as library:
        keys = {"Birds of the marsh": "marsh.pdf", "Attention in rivers": "scan.pdf"}
        for paper in library.papers.many(library.papers.ids().tolist()):
            if paper.title in keys:
                link = FileLink(str(tmp_path / keys[paper.title]), mime="application/pdf")
                library.edit.edit([paper.id], {"files": [link]})
    return folder


def phase(window: MainWindow) -> str:
    return window.keeper.standing.phase.value


def test_pdfs_are_read_when_nobody_works_and_searched(
    qtbot: QtBot,
    make_window: Callable[..., MainWindow],
    with_pdfs: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = make_window(
        AppSettings(embed_after_import=False, theme="light", fulltext_when_idle=True)
    )
    keeper = window.keeper
    window.session.open(with_pdfs)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    keeper.look()
    qtbot.waitUntil(lambda: keeper.standing.phase is TextPhase.BEHIND, timeout=WAIT_MS)
    assert not window.search.inside.isVisible()
    keeper.consider()
    assert phase(window) == "behind"  # somebody was here a moment ago
    monkeypatch.setattr(fulltext, "IDLE_S", 0.0)
    keeper.consider()
    assert phase(window) == "running"
    assert window.foot.pdfs.isVisible()
    monkeypatch.setattr(fulltext, "IDLE_S", 60.0)
    keeper.touch()
    qtbot.waitUntil(lambda: keeper.standing.phase is not TextPhase.RUNNING, timeout=WAIT_MS)
    keeper.start()
    qtbot.waitUntil(lambda: keeper.standing.phase is TextPhase.READY, timeout=WAIT_MS)
    assert window.search.inside.isVisible()
    assert window.search.inside.isChecked()

    window.search.modes.choose("lexical")
    window.search.line.setText("zebra")
    wanted = ["Zebra crossings", "Birds of the marsh"]
    qtbot.waitUntil(lambda: titles(window) == wanted, timeout=WAIT_MS)
    model = window.table.model
    (cell,) = [
        model.index(1, n)
        for n in range(model.columnCount())
        if model.index(1, n).data() == "PDF, p. 2"
    ]
    assert "&lt;<b>zebra</b>&gt;" in cell.data(Qt.ItemDataRole.ToolTipRole)
    choose(qtbot, window, "Birds of the marsh")
    part = window.details.page.inside
    qtbot.waitUntil(lambda: bool(part.shown and part.shown.passages), timeout=WAIT_MS)
    assert part.shown is not None
    assert [text.sentence for text in part.shown.texts] == ["Full text: 2 pages indexed"]
    assert part.passages.isVisibleTo(window)
    window.search.inside.setChecked(False)
    qtbot.waitUntil(lambda: titles(window) == wanted[:1], timeout=WAIT_MS)
    assert not window.session.settings.search_inside


def test_pages_for_programs_that_take_them() -> None:
    file = str(Path("/papers/a b.pdf"))
    assert command_for("org.gnome.Evince.desktop\n", file, 7) == ["evince", "--page-index=7", file]
    assert command_for("firefox.desktop", file, 2)[1].endswith("a%20b.pdf#page=2")
    assert command_for("org.example.Other.desktop", file, 2) == []
    assert command_for("", file, 2) == []


def test_marks_never_show_as_markup() -> None:
    assert marked_html("a <i> b", ((2, 5),)) == "a <b>&lt;i&gt;</b> b"
