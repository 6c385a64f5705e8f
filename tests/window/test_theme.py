from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QToolButton

from litscape.reading import COLOURS
from litscape_app.window.theme import Theme, palette
from litscape_resources import (
    DARK,
    LABELS,
    LIGHT,
    PALETTES,
    Tokens,
    icon_names,
    icon_svg,
    palette_of,
    style_sheet,
)
from litscape_resources.palettes import HUES

GROUNDS = ("background", "surface", "raised", "hover", "selection")
WORDS = ("text", "muted", "accent", "good", "warn", "bad")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_words_can_be_read_on_every_ground(tokens: Tokens, word: str, ground: str) -> None:
    assert contrast(getattr(tokens, word), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
@pytest.mark.parametrize("mark", ["mark", "accent"])
@pytest.mark.parametrize("ground", ["background", "surface", "raised"])
def test_marks_can_be_seen(tokens: Tokens, mark: str, ground: str) -> None:
    assert contrast(getattr(tokens, mark), getattr(tokens, ground)) >= 3


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
def test_inverted_words_can_be_read(tokens: Tokens) -> None:
    assert contrast(tokens.on_accent, tokens.accent) >= 4.5
    assert contrast(tokens.surface, tokens.text) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
def test_found_words_can_be_read_and_stand_out(tokens: Tokens) -> None:
    assert contrast(tokens.text, tokens.found) >= 4.5
    for ground in ("surface", "selection", "hover"):
        assert contrast(tokens.found, getattr(tokens, ground)) >= 1.1


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
def test_the_style_sheet_knows_all_its_tokens(tokens: Tokens) -> None:
    assert not re.findall(r"@\w+", style_sheet(tokens).split("*/", 1)[1])


# Machado, Oliveira, Fernandes 2009, severity 1.0: what a reader without one kind of cone sees.
SEEN_BY = {
    "everybody": np.eye(3),
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "no blue": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def oklab(colour: str, seen_by: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    part = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.asarray(SEEN_BY[seen_by]) @ linear, 0, 1)
    cones = [[0.41222, 0.53633, 0.05145], [0.21190, 0.68070, 0.10740], [0.08830, 0.28172, 0.62998]]
    mixed = [
        [0.21045, 0.79362, -0.00407],
        [1.97800, -2.42859, 0.45059],
        [0.02590, 0.78277, -0.80868],
    ]
    seen: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    seen = np.asarray(mixed) @ np.cbrt(np.asarray(cones) @ linear)
    return seen


@pytest.mark.parametrize("reader", SEEN_BY)
def test_labels_differ_for_every_reader(reader: str) -> None:
    assert tuple(LABELS) == COLOURS
    for one, other in combinations(LABELS.values(), 2):
        apart = 100 * np.linalg.norm(oklab(one, reader) - oklab(other, reader))
        assert apart >= 14, (one, other)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: str(tokens.name))
def test_topics_differ_for_every_reader_and_can_be_seen(tokens: Tokens) -> None:
    palette = palette_of(tokens)
    assert len(palette.classes) == HUES == 10
    assert palette.of(HUES) == palette.classes[0]
    assert palette.of(-1) == palette.none
    for reader in SEEN_BY:
        least = 17 if reader == "everybody" else 8.8
        for one, other in combinations((*palette.classes, palette.none), 2):
            apart = 100 * np.linalg.norm(oklab(one, reader) - oklab(other, reader))
            assert apart >= (least if palette.none not in (one, other) else 4.5), (one, other)
    for colour in palette.classes:
        assert contrast(colour, tokens.surface) >= 2.4, colour
    assert contrast(palette.none, tokens.surface) >= 1.8
    assert 1.3 <= contrast(palette.ghost, tokens.surface) <= 1.8, "stays behind, but in sight"


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("reader", SEEN_BY)
def test_ramps_grow_stronger_step_by_step(name: str, reader: str) -> None:
    ramp = PALETTES[name].ramp
    lightness = np.array([oklab(colour, reader)[0] for colour in ramp])
    steps = np.diff(lightness) * (-1 if name == "light" else 1)
    assert steps.min() > 0.01


@pytest.mark.parametrize("name", icon_names())
def test_every_icon_is_drawn_in_the_token(qapp: QApplication, name: str) -> None:
    theme = Theme(qapp, "light")
    image = theme.pixmap(name, 16, "bad", 2.0).toImage()
    assert image.width() == 32
    wanted = QColor(LIGHT.bad)
    for x in range(32):
        for y in range(32):
            seen = image.pixelColor(x, y)
            if seen.alpha() > 250:
                assert (
                    max(
                        abs(seen.red() - wanted.red()),
                        abs(seen.green() - wanted.green()),
                        abs(seen.blue() - wanted.blue()),
                    )
                    <= 4
                )
    assert any(image.pixelColor(x, y).alpha() > 60 for x in range(32) for y in range(32))
    assert b"currentColor" not in icon_svg(name, "#000000")


def test_choosing_dark_recolours_icons_and_palette(qapp: QApplication) -> None:
    theme = Theme(qapp, "light")
    button = QToolButton()
    theme.set_icon(button, "dot", "text")
    theme.choose("dark")
    shown = button.icon().pixmap(16, 16).toImage().pixelColor(8, 8).name()
    assert shown == DARK.text
    assert qapp.palette().window().color() == QColor(DARK.background)
    theme.choose("light")
    assert qapp.palette().window().color() == QColor(LIGHT.background)


def test_the_system_decides_unless_something_is_chosen(qapp: QApplication) -> None:
    theme = Theme(qapp, "system")
    dark = qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert theme.tokens == (DARK if dark else LIGHT)


def test_palette_of_both_themes_differs() -> None:
    assert palette(LIGHT).text().color() != palette(DARK).text().color()
