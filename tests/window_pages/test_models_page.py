"""Models: add a folder, refuse bad ones, switch after a question, with consent for downloads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.window_pages.pages_driving import click, until

from litscape.models.bundled import bundled_card
from litscape_app.window.pages.models_page import models_page
from litscape_app.window.pages.models_page.offers import about

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.models_page.page import ModelsPage

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of a random two-layer encoder, 24 dimensions."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny-encoder"))


def opened(qtbot: QtBot, window: MainWindow) -> ModelsPage:
    window.menus.actions["model.models"].trigger()
    page = models_page(window)
    until(qtbot, lambda: page.rows)
    return page


def test_the_bundled_model_is_in_use(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window)
    (row,) = page.rows
    assert row.offer.card.version == bundled_card().version
    assert row.state.text() == "In use. No paper has its vectors yet."
    assert not row.use.isVisible()


def test_switching_asks_first_and_computes_with_the_new_model(
    qtbot: QtBot, window: MainWindow, tiny: Path, tiny_prepared: None
) -> None:
    page = opened(qtbot, window)
    page.adding.add_folder(tiny)
    until(qtbot, lambda: len(page.rows) == 2)
    until(qtbot, lambda: page.rows[1].use.isVisible())
    row = page.rows[1]
    click(qtbot, row.use)
    assert "3 papers need new vectors: under a minute on this computer" in row.question_text.text()
    library = window.session.library
    assert library is not None
    assert library.models.active().version == bundled_card().version
    click(qtbot, row.yes)
    until(qtbot, lambda: library.models.active().name == "tiny-encoder")
    until(qtbot, lambda: len(library.vectors().ids) == 3)
    assert library.vectors().matrix.shape == (3, 24)
    until(qtbot, lambda: "In use. All 3 papers" in page.rows[1].state.text())
    # The way back: the bundled one has no vectors here, so it asks as well.
    click(qtbot, page.rows[0].use)
    assert page.rows[0].question.isVisible()


def spoiled(tiny: Path, how: str) -> Path:
    if how == "no weights":
        (tiny / "model.safetensors").unlink()
    elif how == "pickle only":
        (tiny / "model.safetensors").unlink()
        (tiny / "pytorch_model.bin").write_bytes(b"\x80\x04pickle")
    elif how == "other dimension":
        pooling = tiny / "1_Pooling" / "config.json"
        config = json.loads(pooling.read_text(encoding="utf-8"))
        for key in ("embedding_dimension", "word_embedding_dimension"):
            if key in config:
                config[key] = 99
        pooling.write_text(json.dumps(config), encoding="utf-8")
    elif how == "no model":
        for file in tiny.rglob("*.json"):
            file.unlink()
    return tiny


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("no weights", "has no weights: model.safetensors is missing"),
        ("pickle only", "only as a pickle (pytorch_model.bin)"),
        ("other dimension", "don't fit: its weights are 24 wide, its pooling expects 99"),
        ("no model", "is not a model folder: it has no config.json"),
    ],
)
def test_a_bad_folder_is_refused_in_a_sentence(
    qtbot: QtBot, window: MainWindow, tiny: Path, how: str, sentence: str
) -> None:
    page = opened(qtbot, window)
    page.adding.add_folder(spoiled(tiny, how))
    until(qtbot, lambda: page.problem.isVisible())
    assert sentence in page.problem.text.text()
    assert page.adding.folder_button.isEnabled()
    assert len(page.rows) == 1


def test_a_model_whose_folder_is_gone_says_so(qtbot: QtBot, window: MainWindow, tiny: Path) -> None:
    page = opened(qtbot, window)
    page.adding.add_folder(tiny)
    until(qtbot, lambda: len(page.rows) == 2)
    shutil.rmtree(tiny)
    page.read()
    until(qtbot, lambda: "is not there any more" in page.rows[1].state.text())
    assert not page.rows[1].use.isEnabled()


def test_a_download_needs_consent_and_says_when_the_hub_is_out_of_reach(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = opened(qtbot, window)
    assert not page.adding.hub_button.isEnabled()
    page.adding.hub.setText("intfloat/e5-small-v2")
    click(qtbot, page.adding.hub_button)
    assert "Download intfloat/e5-small-v2 from huggingface.co" in page.adding.question_text.text()
    assert page.adding.entry is None
    # The hub's library is told to stay offline in tests: saying yes leads to its refusal.
    click(qtbot, page.adding.yes)
    until(qtbot, lambda: page.problem.isVisible())
    assert "huggingface.co can't be reached" in page.problem.text.text()
    assert page.adding.hub.text() == "intfloat/e5-small-v2"


def test_rough_times_in_words() -> None:
    assert [about(s) for s in (3, 61, 610, 3 * 3600, 100 * 3600)] == [
        "under a minute", "about 2 min", "about 15 min", "about 3 hours", "about 5 days",
    ]  # fmt: skip
