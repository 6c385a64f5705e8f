"""The card of a model, as it lies beside its weights: data, recipe, figures, base, licence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTextBrowser, QWidget

from litscape_app.window.widgets.basics import horizontal, push_button, vertical

if TYPE_CHECKING:
    from litscape.models.card import ModelCard

_FRONT = re.compile(r"\A---\r?\n.*?\r?\n---\r?\n", re.DOTALL)
_LICENCE = re.compile(r"^license:\s*(\S+)\s*$", re.MULTILINE)
_MOST = 200_000
"""Characters: a card is a page or a few, whatever lies there under its name."""
_HEIGHT = 380


def read_card(card: ModelCard) -> str:
    """What README.md in the model's folder says, without its front matter; in Markdown.

    Where there is none, what is known of the model otherwise.
    """
    try:
        with (card.folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            text = file.read(_MOST)
    except OSError:
        return _own(card)
    front = _FRONT.match(text)
    if front is None:
        return text
    body = text[front.end() :].strip()
    licence = _LICENCE.search(front.group())
    if licence is not None and "icence" not in body and "icense" not in body:
        body += f"\n\n## Licence\n{licence.group(1)}\n"
    return body or _own(card)


def _own(card: ModelCard) -> str:
    facts = [
        f"* Base: {card.base}",
        f"* Folder: {card.location}",
        f"* {card.dim} numbers per paper, {' and '.join(card.pooling)} of the words' vectors",
        f"* SHA-256 of the weights: {card.sha256}",
    ]
    if card.recipe:
        facts.append(f"* Recipe: {card.recipe}")
    said = "No README.md lies in the folder of this model, so its data and licence are not known."
    return f"# {card.name}\n\n{said}\n\n" + "\n".join(facts)


class CardView(QWidget):
    """A card below its model.

    Signals:
        closed: it is not read any more.
    """

    closed = Signal()

    def __init__(self, card: ModelCard, text: str) -> None:
        super().__init__()
        self.text = QTextBrowser()
        self.text.setAccessibleName(f"Card of {card.name}")
        self.text.setOpenLinks(False)  # nothing is fetched by a click into a text
        self.text.setMarkdown(text)
        self.text.setMinimumHeight(_HEIGHT)
        close = push_button("Close", self.closed.emit, name=f"Close the card of {card.name}")
        vertical(self, self.text, horizontal(None, 0, close), spacing=8)
