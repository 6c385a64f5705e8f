"""New papers like a collection: found as on the command line, added with undo, asked for first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.window_pages.pages_driving import Service, click, listed, shown, until

from litscape.lookup import Services
from litscape_app.__main__ import main
from litscape_app.window.pages.feed_page import feed_page

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.feed_page.page import FeedPage

NEW = """@article{roses, title = {Roses in gardens}, year = {2024}}
@article{fatigue, title = {Fatigue of steel bridges}, author = {Steel, Ann}, year = {2025}}
@article{known, title = {Birds of the marsh}, year = {1999}}
"""


def opened(qtbot: QtBot, window: MainWindow) -> FeedPage:
    """The page, asked for in the menu of the collection of bridges."""
    library = window.session.library
    assert library is not None

    def keys() -> list[object]:
        nodes = window.tree.model.root.walk()
        return [n.scope.key for n in nodes if n.title == "Bridges" and n.scope is not None]

    until(qtbot, keys)  # the list comes before the tree
    (key,) = keys()
    window.tree.feed_wanted.emit(key)
    page = feed_page(window)
    assert shown(window, "feed")
    assert not page._is_made("results"), "what is not seen at first is made a part a beat"
    until(qtbot, lambda: page._is_made("results"))
    until(qtbot, lambda: page.form.like.currentText() == "Works/Bridges")
    return page


def test_new_papers_are_ranked_as_on_the_command_line_and_added(
    qtbot: QtBot,
    window: MainWindow,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "new.bib"
    file.write_text(NEW, encoding="utf-8")
    page = opened(qtbot, window)
    assert not page.go.isEnabled()
    page.form.take([str(file)])
    click(qtbot, page.go)
    results = page.results
    until(qtbot, results.isVisible)
    args = ["--library", str(folder), "feed", str(file), "--collection", "Works/Bridges", "--json"]
    assert main(args) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["title"] for one in told] == ["Fatigue of steel bridges", "Roses in gardens"]
    assert told == [
        one | {"title": hit.draft.title, "score": round(hit.score, 6), "why": list(hit.why)}
        for one, hit in zip(told, results.list.hits, strict=True)
    ]
    assert "2 new papers" in results.head.text()
    assert "1 paper of these you have already" in results.head.text()
    results.list.selectAll()
    assert results.add.text() == "Add 2 papers to the library"
    results.list.setCurrentIndex(results.list.papers.index(0, 0))
    qtbot.keyClick(results.list, Qt.Key.Key_Return)
    until(qtbot, lambda: "Added “Fatigue of steel bridges”" in results.outcome.text())
    library = window.session.library
    assert library is not None
    assert [one.title for one in results.list.papers.hits] == ["Roses in gardens"]
    (paper,) = [
        one for one in library.papers.rows(library.papers.ids().tolist()) if one.year == 2025
    ]
    assert ("Works", "Bridges") in library.papers.get(paper.id).collections
    click(qtbot, results.undo)
    until(qtbot, lambda: len(results.list.papers.hits) == 2)
    assert not [
        one for one in library.papers.rows(library.papers.ids().tolist()) if one.year == 2025
    ]
    until(qtbot, lambda: listed(window) == 3)


def test_nothing_is_searched_before_consent(
    qtbot: QtBot, window: MainWindow, service: Service
) -> None:
    page = opened(qtbot, window)
    page.services = Services(openalex=service.services.crossref)
    click(qtbot, page.form.ways.button("search"))
    page.form.words.setText("fatigue of bridges")
    click(qtbot, page.go)
    assert page.consent.isVisible()
    assert "api.openalex.org" in page.consent.text.text()
    assert page.entry is None
    assert service.asked == []
    click(qtbot, page.consent.this_time)
    until(qtbot, page.problem.isVisible)  # this service knows nothing
    assert len(service.asked) == 1
    assert "fatigue+of+bridges" in service.asked[0]
    assert not window.session.settings.lookup_consent


def test_a_file_that_cant_be_read_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = opened(qtbot, window)
    blank = tmp_path / "blank.bib"
    blank.write_text("\n", encoding="utf-8")
    page.form.take([str(blank)])
    click(qtbot, page.go)
    until(qtbot, page.problem.isVisible)
    assert "blank.bib" in page.problem.text.text()
    assert page.go.isVisible()
    assert page.entry is None
