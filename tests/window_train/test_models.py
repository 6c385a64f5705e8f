"""Models in the window: compared, exported, imported, removed; two of them side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.window_train.test_wizard import library_of, open_window, press, until

from litscape.models.bundled import bundled_card
from litscape_app.window.pages.models_page.offers import ModelOffer
from litscape_app.window.pages.models_page.row import _verdict
from litscape_trainer.runs.judged import Judged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.compare_page.page import ComparePage
    from litscape_app.window.pages.models_page.page import ModelsPage

WHEN = "2026-11-30T10:00:00+00:00"


def test_a_model_that_kept_no_change_is_marked() -> None:
    def said(*, unchanged: bool) -> str:
        found = Judged(
            "run", "head", "no-change", "No change. The old model stays.", WHEN, unchanged
        )
        return _verdict(ModelOffer(bundled_card(), False, 0, 0, 0.0, judged=found))[0]

    assert said(unchanged=False).startswith("No change. Trained by the recipe head")
    marked = "No change. No change was kept: it is the same as its base. Trained"
    assert said(unchanged=True).startswith(marked)


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
    qtbot: QtBot,
    make_window: Callable[..., MainWindow],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(qtbot, make_window, folder)
    window.show_page("models")
    page = cast("ModelsPage", window.page("models"))
    names = ["all-MiniLM-L6-v2", "tiny-first", "tiny-second"]
    until(qtbot, lambda: [row.offer.card.name for row in page.rows] == names)
    bundled, first, second = page.rows
    assert not first.acts["remove"].isEnabled()  # it is in use
    assert not bundled.acts["remove"].isEnabled()
    version, target = second.offer.card.version, tmp_path / "second.zip"
    # Any two: here the one in use beside the other, from the other's menu and from its own.
    second.acts[f"compare {first.offer.card.version}"].trigger()
    until(qtbot, lambda: page.said.text().startswith("tiny-second beside tiny-first: of the ten"))
    first.acts[f"compare {version}"].trigger()
    until(qtbot, lambda: page.said.text().startswith("tiny-first beside tiny-second: of the ten"))
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_args: (str(target), "")
    )
    second.acts["export"].trigger()
    until(qtbot, lambda: page.said.text() == f"Written to {target}.")
    asked: list[str] = []

    def answer(_parent: object, question: str, *_words: str) -> bool:
        asked.append(question)
        return len(asked) > 1

    monkeypatch.setattr("litscape_app.window.pages.models_page.acting.confirm", answer)
    second.acts["remove"].trigger()
    assert asked == [f"Remove the model {version}?"]
    assert version in [card.version for card in library_of(window).models.available()]
    second.acts["remove"].trigger()
    until(qtbot, lambda: [row.offer.card.name for row in page.rows] == names[:2])
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getOpenFileName", lambda *_args: (str(target), "")
    )
    press(qtbot, page.adding.import_button)
    until(qtbot, lambda: len(page.rows) == 3)
    assert page.rows[2].offer.card.version == version


def test_the_card_of_a_model_is_read_below_it(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    said = "---\nlicense: mit\n---\n# Tiny\n\n| task | figure |\n|---|---|\n| titles | 41.5 |\n"
    (folder / "models" / "tiny-second" / "README.md").write_text(said, encoding="utf-8")
    window = open_window(qtbot, make_window, folder)
    window.show_page("models")
    page = cast("ModelsPage", window.page("models"))
    until(qtbot, lambda: len(page.rows) == 3)
    _bundled, first, second = page.rows
    second.acts["card"].trigger()
    until(qtbot, lambda: second.card is not None)
    assert second.card is not None
    text = second.card.text.toPlainText()
    assert "41.5" in text
    assert text.rstrip().endswith("Licence\nmit")  # which stood in the front matter alone
    assert "---" not in text
    first.acts["card"].trigger()
    until(qtbot, lambda: first.card is not None)
    assert first.card is not None
    assert "No README.md lies" in first.card.text.toPlainText()
    second.card.closed.emit()
    assert second.card is None


def test_back_to_the_model_before_finds_the_same_neighbours_bit_for_bit(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    window = open_window(qtbot, make_window, folder)
    window.show_page("models")
    page = cast("ModelsPage", window.page("models"))
    until(qtbot, lambda: len(page.rows) == 3)
    library = library_of(window)

    def neighbours() -> list[list[tuple[int, float]]]:
        return [
            [(hit.paper_id, hit.score) for hit in library.similar(paper, k=10)]
            for paper in (1, 17, 200)
        ]

    before = neighbours()
    first, second = (row.offer.card.version for row in page.rows[1:])
    press(qtbot, page.rows[2].use)  # all its vectors are there: nothing to ask
    until(qtbot, lambda: library.models.active_version() == second)
    until(qtbot, lambda: page.back.isVisible() and page.back.isEnabled())
    assert page.back.text() == "Go back to tiny-first"
    assert neighbours() != before
    press(qtbot, page.back)
    until(qtbot, lambda: library.models.active_version() == first)
    assert neighbours() == before
