"""Which labels and models are to be measured, and how far a measurement is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from litscape.separation.records import Wanted
from litscape_app.window.pages.page_frame import Sentence, Switch
from litscape_app.window.pages.running import Running
from litscape_app.window.widgets.basics import (
    clear,
    literal,
    push_button,
    vertical,
)
from litscape_app.window.widgets.flow import flowing

if TYPE_CHECKING:
    from PySide6.QtGui import QStandardItemModel

    from litscape.library import Library
    from litscape.separation.facade import Offer
    from litscape.separation.records import SeparationReport
    from litscape_app.qtjobs import Entry

_NONE = (
    "No kind of labels of this library has three labels with 20 papers each. Put papers into "
    "collections or tag them, and come back."
)
_NO_VECTORS = "No paper has a vector yet: compute similarity first."


@dataclass(frozen=True, slots=True)
class Choices:
    """What a library offers.

    Attributes:
        offers: kinds of labels.
        active: the active model version.
        others: other versions that have vectors here.
        embedded: how many papers have a vector of the active one.
        past: former measurements.
    """

    offers: tuple[Offer, ...] = ()
    active: str = ""
    others: tuple[str, ...] = ()
    embedded: int = 0
    past: tuple[SeparationReport, ...] = ()


def read_choices(library: Library) -> Choices:
    """Read them."""
    active = library.models.active().version
    count = library.vector_store.count
    versions = [card.version for card in library.models.available() if card.version != active]
    return Choices(
        library.separation.offers(),
        active,
        tuple(one for one in versions if count(one)),
        count(active),
        library.separation.past(),
    )


class ChoiceBox(QWidget):
    """The choice, or the progress in its place."""

    wanted = Signal(object)
    """:class:`Wanted`."""

    def __init__(self) -> None:
        super().__init__()
        self._choices = Choices()
        self.labels = QComboBox()
        self.labels.setAccessibleName("Labels")
        self.labels.setMinimumContentsLength(36)
        self.go = push_button("Measure", self._go, kind="primary")
        self.about = Sentence()
        self.models: list[QCheckBox] = []
        self._models = QWidget()
        self._model_row = vertical(self._models, spacing=2)
        self.running = Running("the measurement")
        choosing = QWidget()
        vertical(
            choosing, flowing(self.labels, self.go, gap=8), self.about,
            self._models,
        )  # fmt: skip
        self._choosing = choosing
        self._switch = Switch(choosing, self.running)
        vertical(self, self._switch)
        self.labels.currentIndexChanged.connect(lambda _row: self._tell())
        self.offer(self._choices)

    def offer(self, choices: Choices) -> None:
        """Offer what a library has; what is chosen stays chosen."""
        before = self.labels.currentData()
        checked = {one.property("version") for one in self.models if one.isChecked()}
        self._choices = choices
        self.labels.blockSignals(True)
        self.labels.clear()
        items = cast("QStandardItemModel", self.labels.model())
        for row, offer in enumerate(choices.offers):
            number = "1 label" if offer.labels == 1 else f"{offer.labels:,} labels"
            self.labels.addItem(f"{offer.kind.title} – {number}", offer.kind.name)
            items.item(row).setEnabled(offer.enough)
        usable = [offer.kind.name for offer in choices.offers if offer.enough]
        chosen = before if before in usable else usable[0] if usable else None
        self.labels.setCurrentIndex(self.labels.findData(chosen) if chosen else -1)
        self.labels.blockSignals(False)
        clear(self._model_row)
        self.models = []
        for version in choices.others:
            box = QCheckBox(literal(f"Compare with {version}"))
            box.setProperty("version", version)
            box.setChecked(version in checked)
            self.models.append(box)
            self._model_row.addWidget(box)
        self._models.setVisible(bool(self.models))
        self._tell()

    def run(self, entry: Entry) -> None:
        """Show how far a measurement is that was just started."""
        self.running.begin(entry)
        self._switch.show_part(self.running)

    def rest(self, said: str = "") -> None:
        """Offer the choice again."""
        self._switch.show_part(self._choosing)
        self._tell()
        if said:
            self.about.say(said)

    def _tell(self) -> None:
        row = self.labels.currentIndex()
        there = 0 <= row < len(self._choices.offers)
        self.go.setEnabled(there and self._choices.embedded > 0)
        if not self._choices.offers:
            self.about.say("")
        elif not self._choices.embedded:
            self.about.say(_NO_VECTORS)
        elif not there:
            self.about.say(_NONE)
        else:
            self.about.say(self._choices.offers[row].kind.about)

    def _go(self) -> None:
        others = tuple(str(one.property("version")) for one in self.models if one.isChecked())
        versions = (self._choices.active, *others) if others else ()
        self.wanted.emit(Wanted(self.labels.currentData(), versions))
