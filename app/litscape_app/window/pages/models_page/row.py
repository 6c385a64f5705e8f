"""One model on the page: what it is, how far its vectors are, and the question before a switch."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from litscape_app.window.pages.models_page.card_view import CardView
from litscape_app.window.pages.models_page.offers import ModelOffer, about
from litscape_app.window.pages.page_frame import Sentence, when
from litscape_app.window.widgets.basics import (
    horizontal,
    label,
    push_button,
    tool_button,
    vertical,
)
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from litscape_app.window.theme import Theme
    from litscape_trainer.runs.judged import Judged

_SOURCES = {
    "bundled": "built in",
    "folder": "from a folder",
    "hub": "from the Hugging Face hub",
    "trained": "trained here",
}
_TONES = {"better": "good", "mixed": "warn", "worse": "bad", "no-change": "", "too-small": "warn"}
_UNCHANGED = "No change was kept: it is the same as its base."
_ADVICE = ("The old model stays.", "It is yours to use.", ": keep both?")


class ModelRow(QFrame):
    """A model with its button; pressing it asks first where vectors are missing."""

    wanted = Signal(str)
    """The version that the person decided on."""
    asked = Signal(str, str)
    """What else is to be done (``card``, ``beside``, ``export``, ``remove``), and the version."""
    compared = Signal(str, str)
    """Another version and this one are to be compared."""

    def __init__(
        self, theme: Theme, offer: ModelOffer, locked: bool, others: Sequence[ModelOffer] = ()
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.offer = offer
        card = offer.card
        self.doubt = offer.judged is not None and offer.judged.verdict != "better"
        called = offer.title or card.name
        name = label(called, select=True)
        name.setFont(theme.font("body", bold=True))
        facts = label(
            f"{_SOURCES[card.source]} · {card.dim} numbers per paper · reads {card.max_length} "
            f"tokens · {offer.megabytes:,.0f} MB · {card.version}",
            "muted",
            wrap=True,
            select=True,
        )
        facts.setFont(theme.font("small"))
        self.verdict, self.state = Sentence(*_verdict(offer)), Sentence(*_state(offer))
        self.use = push_button(
            "Use all the same…" if self.doubt else "Use", self._ask, name=f"Use {called}"
        )
        self.use.setVisible(not offer.active)
        self.use.setEnabled(not offer.missing and not locked)
        words = vertical(None, name, facts, self.verdict, self.state, spacing=2)
        self.more = tool_button(theme, "more", f"More about {called}")
        self.more.setMenu(self._menu(card.source, locked, others))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        top = horizontal(None, words, self.use, self.more)
        top.setStretch(0, 1)
        self.question = QWidget()
        self.question_text = label(_question(offer), wrap=True)
        yes = "Use it all the same" if self.doubt else "Switch and compute"
        self.yes = push_button(yes, self._decide, kind="" if self.doubt else "primary")
        no = push_button("Cancel", self.question.hide)
        vertical(self.question, self.question_text, horizontal(None, self.yes, no, 0))
        self.question.hide()
        self.card: CardView | None = None
        self._column = vertical(self, top, self.question, margins=(16, 12, 16, 12))
        self.setAccessibleName(f"{called}, {'in use' if offer.active else 'not in use'}")

    def _menu(self, source: str, locked: bool, others: Sequence[ModelOffer]) -> QMenu:
        version = self.offer.card.version
        menu = QMenu(self)
        there, mine = not self.offer.missing, source == "bundled"
        acts = [
            ("card", "Model card", there),
            ("beside", "Neighbours side by side…", there and bool(others)),
            ("export", "Export…", there),
            ("remove", "Remove…", not (mine or self.offer.active or locked)),
        ]
        self.acts: dict[str, QAction] = {}
        for what, title, can in acts:
            action = menu.addAction(title)
            action.setEnabled(can)
            action.triggered.connect(partial(self.asked.emit, what, version))
            self.acts[what] = action
        within = QMenu("How much differs from", menu)
        within.setEnabled(there and bool(others))
        menu.insertMenu(self.acts["export"], within)
        for other in others:
            use = " (in use)" if other.active else ""
            action = within.addAction(f"{other.title or other.card.name}{use}")
            action.setEnabled(not other.missing)
            action.triggered.connect(partial(self.compared.emit, other.card.version, version))
            self.acts[f"compare {other.card.version}"] = action
        return menu

    def show_card(self, text: str) -> None:
        """Unfold the card below the model."""
        self.hide_card()
        self.card = CardView(self.offer.card, text)
        self.card.closed.connect(self.hide_card)
        self._column.addWidget(self.card)
        self.card.text.setFocus()

    def hide_card(self) -> None:
        """Fold it away."""
        if self.card is not None:
            self.card.hide()
            self.card.deleteLater()
            self.card = None
            self.more.setFocus()

    def _ask(self) -> None:
        if self.offer.pending or self.doubt:
            self.question.show()
            self.yes.setFocus()
        else:
            self._decide()

    def _decide(self) -> None:
        self.question.hide()
        self.use.setEnabled(False)
        self.wanted.emit(self.offer.card.version)


def _state(offer: ModelOffer) -> tuple[str, str]:
    if offer.missing:
        return offer.missing, "bad"
    use = "In use. " if offer.active else ""
    if not offer.papers:
        return f"{use}The library is empty.", "muted"
    if not offer.pending:
        return f"{use}{_all(offer.papers)} its vectors.", "good"
    if not offer.embedded:
        return f"{use}No paper has its vectors yet.", "muted"
    have = "has" if offer.embedded == 1 else "have"
    return f"{use}{offer.embedded:,} of {count(offer.papers, 'paper')} {have} its vectors.", "muted"


def _all(papers: int) -> str:
    return "The one paper has" if papers == 1 else f"All {papers:,} papers have"


def _verdict(offer: ModelOffer) -> tuple[str, str]:
    """What came of its training, when, and by which recipe."""
    judged = offer.judged
    if judged is None:
        return "", ""
    recipe = f" by the recipe {judged.recipe}" if judged.recipe else ""
    same = f" {_UNCHANGED}" if judged.unchanged else ""
    told = f"{_judgement(judged)}{same} Trained{recipe}, {when(judged.made_at)}."
    return told, _TONES[judged.verdict]


def _judgement(judged: Judged) -> str:
    """The verdict without its advice, which was for the moment when it was given."""
    told = judged.sentence.strip()
    for advice in _ADVICE:
        told = told.removesuffix(advice).rstrip()
    return told if told.endswith((".", "?", "!")) else f"{told}."


def _question(offer: ModelOffer) -> str:
    doubt = offer.judged is not None and offer.judged.verdict != "better"
    asked = []
    if doubt and offer.judged is not None:
        asked.append(f"{_judgement(offer.judged)} Use it all the same?")
    if offer.pending:
        asked.append(_computing(offer))
    return "\n".join(asked)


def _computing(offer: ModelOffer) -> str:
    verb = "needs a new vector" if offer.pending == 1 else "need new vectors"
    return (
        f"{count(offer.pending, 'paper')} {verb}: {about(offer.seconds)} on this computer. Until "
        "then the model in use goes on serving. Its vectors stay, so that the way back takes no "
        "time."
    )
