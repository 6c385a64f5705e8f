"""The example library, icons, colours and style sheet that ship with Litscape."""

from __future__ import annotations

from pathlib import Path

from litscape_resources.labels import LABELS
from litscape_resources.palettes import PALETTES, Palette, palette_of
from litscape_resources.tokens import DARK, LIGHT, Tokens

__all__ = [
    "DARK",
    "LABELS",
    "LIGHT",
    "PALETTES",
    "Palette",
    "Tokens",
    "example_library",
    "icon_names",
    "icon_svg",
    "logo",
    "palette_of",
    "style_sheet",
]

_HERE = Path(__file__).resolve().parent


def example_library() -> Path:
    """The file of 480 papers that the first run offers (JSON lines)."""
    return _HERE / "example" / "papers.jsonl"


def logo() -> Path:
    """The program's own sign (SVG)."""
    return _HERE / "logo.svg"


def icon_names() -> tuple[str, ...]:
    """Every icon of the outline set, sorted."""
    return tuple(sorted(path.stem for path in (_HERE / "icons").glob("*.svg")))


def icon_svg(name: str, colour: str) -> bytes:
    """The SVG text of an icon drawn in ``colour`` (``#rrggbb``).

    Raises:
        FileNotFoundError: there is no icon of that name.
    """
    text = (_HERE / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    return text.replace("currentColor", colour).encode()


def style_sheet(tokens: Tokens) -> str:
    """The Qt style sheet with the tokens' colours in it."""
    text = (_HERE / "style.qss").read_text(encoding="utf-8")
    text = text.replace("@marks", (_HERE / "marks" / tokens.name).as_posix())
    for field in sorted(Tokens.__slots__, reverse=True):
        text = text.replace(f"@{field}", str(getattr(tokens, field)))
    return text
