"""Two maps of the same papers: a slider fades from one to the other, and a list of what moved."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QListWidget, QListWidgetItem, QSlider

from litscape_app.window.map.gathering import compared
from litscape_app.window.map.making import NAMES
from litscape_app.window.pages.page_frame import Sentence, when
from litscape_app.window.troubles import explain
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    tool_button,
    vertical,
)
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import shorten, title_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.maps.records import MapInfo
    from litscape_app.window.map.gathering import Comparison
    from litscape_app.window.session import Session

_STEPS, _FADE_MS, _TICK_MS = 100, 1_400, 30
_ID = Qt.ItemDataRole.UserRole
_SHORT, _ROOM = 18, 32
_NUMBER = re.compile("-[0-9a-f]{12}$")
_FEW = 10
"""Common papers below which any two maps can be turned onto each other."""


class Comparing(QFrame):
    """Chooses two stored maps and fades between them."""

    shown = Signal(object)
    """The :class:`Comparison` to draw."""
    moved = Signal(object, object)
    """Other places of its papers, (n, 2), and of the names of topics."""
    closed = Signal()

    def __init__(self, session: Session, movers: Movers) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self._session = session
        self.movers = movers
        self.found: Comparison | None = None
        self.before, self.after = QComboBox(), QComboBox()
        for box, name in ((self.before, "First map"), (self.after, "Second map")):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(_ROOM)
            box.currentIndexChanged.connect(lambda _at: self._read())
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setMinimumWidth(140)
        self.slider.setAccessibleName("From the first map to the second")
        self.slider.valueChanged.connect(lambda _at: self._fade())
        self.play = tool_button(session.theme, "play", "Fade from one to the other", self._play)
        self.said = Sentence("", "muted")
        done = push_button("Done", self.closed.emit)
        words = label("From"), label("to")
        for word in words:
            word.setFixedHeight(self.before.sizeHint().height())  # in the middle beside its box
        parts = flowing(words[0], self.before, words[1], self.after, gap=8)
        row = horizontal(None, self.play, self.slider, done, spacing=8)
        row.setStretch(1, 1)
        vertical(self, parts, row, self.said, margins=(12, 6, 10, 6), spacing=6)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self._towards = 1
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: self.said.say(explain(error).sentence, "warn"))
        self.hide()

    def offer(self, stored: Sequence[MapInfo]) -> None:
        """Offer stored maps: the newest, and before it one of the same papers."""
        models = short_versions({info.version for info in stored})
        alike = len({(info.layout, info.title) for info in stored}) == 1
        for box in (self.before, self.after):
            box.blockSignals(True)
            box.clear()
            for info in stored:
                name = when(info.made_at) if alike and len(models) > 1 else _name(info)
                model = f"{models[info.version]} · " if len(models) > 1 else ""
                box.addItem(model + name, info.key)
                box.setItemData(box.count() - 1, _long(info), Qt.ItemDataRole.ToolTipRole)
        if stored:
            newest = stored[0]
            other = next((n for n, one in enumerate(stored[1:], 1) if one.title == newest.title), 1)
            self.after.setCurrentIndex(0)
            self.before.setCurrentIndex(min(other, len(stored) - 1))
        for box in (self.before, self.after):
            box.blockSignals(False)
        self.slider.blockSignals(True)
        self.slider.setValue(0)
        self.slider.blockSignals(False)
        self.found = None
        self.show()
        enough = len(stored) > 1
        self.slider.setEnabled(enough)
        self.play.setEnabled(enough)
        if enough:
            self._read()
        else:
            self.said.say("There is one map so far. Make another layout, or use another model.")

    def choose(self, before: int, after: int) -> None:
        """Choose two of the maps that are offered."""
        for box, key in ((self.before, before), (self.after, after)):
            box.setCurrentIndex(max(0, box.findData(key)))

    def tell_colours(self, by: str) -> None:
        """Say what the colours mean, as no legend is shown."""
        from litscape.maps.colouring import BY

        if self.found is not None:
            told = agreement(len(self.found.aligned), self.found.aligned.disparity)
            self.said.say(told if by == "none" else f"{told} Colours: {BY[by].lower()}.")

    def _read(self) -> None:
        before, after = self.before.currentData(), self.after.currentData()
        if before is not None and after is not None:
            self.said.say("")
            self._session.read(self._slot, "Compare maps", partial(_compare, before, after))

    def _show(self, found: Comparison) -> None:
        self.found = found
        self.shown.emit(found)
        self.movers.fill(found)
        self.said.say(agreement(len(found.aligned), found.aligned.disparity))
        self._fade()

    def _fade(self) -> None:
        found = self.found
        if found is not None:
            share = np.float32(self.slider.value() / _STEPS)
            share = share * share * (3 - 2 * share)
            before, after = found.aligned.before_xy, found.aligned.after_xy
            names = tuple(
                replace(
                    one, x=float((1 - share) * one.x + share * to.x),
                    y=float((1 - share) * one.y + share * to.y),
                )
                for one, to in zip(found.picture.names, found.names_after, strict=True)
            )  # fmt: skip
            self.moved.emit((1 - share) * before + share * after, names)

    def _play(self) -> None:
        if self._clock.isActive():
            self._clock.stop()
            return
        self._towards = 1 if self.slider.value() < _STEPS else -1
        self._clock.start()

    def _tick(self) -> None:
        step = max(1, _STEPS * _TICK_MS // _FADE_MS)
        self.slider.setValue(self.slider.value() + self._towards * step)
        if self.slider.value() in (0, _STEPS):
            self._clock.stop()

    def stop(self) -> None:
        """Compare no more."""
        self._clock.stop()
        self._slot.cancel()
        self.found = None
        self.hide()


class Movers(QFrame):
    """The papers that moved most."""

    chosen = Signal(int)
    """Id of one."""

    def __init__(self, session: Session, width: int) -> None:
        super().__init__()
        ground(self, "reading")
        self.setFixedWidth(width)
        self.list = QListWidget()
        self.list.setAccessibleName("Papers that moved most")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setWordWrap(True)
        # Else titles keep the lines that they took before the list had its width.
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setSpacing(4)
        self.list.setFont(session.theme.font("small"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda item, _before: self._choose(item))
        title = heading(session.theme, "Moved most")
        title.setContentsMargins(10, 10, 10, 0)
        unit = label("How far, in usual distances from the middle", "muted", wrap=True)
        unit.setFont(session.theme.font("small"))
        unit.setContentsMargins(10, 0, 10, 4)
        vertical(self, title, unit, self.list, spacing=0)
        self.hide()

    def fill(self, found: Comparison) -> None:
        """List the papers of a comparison."""
        self.list.blockSignals(True)
        self.list.clear()
        places = {int(one): number for number, one in enumerate(found.aligned.ids.tolist())}
        for row in found.rows:
            far = float(found.aligned.moved[places[row.id]])
            item = QListWidgetItem(f"{far:.2f} · {shorten(title_of(row), 90)}")
            item.setData(_ID, row.id)
            item.setToolTip(f"Moved {far:.2f} times the usual distance from the middle")
            self.list.addItem(item)
        self.list.blockSignals(False)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(int(item.data(_ID)))


def agreement(papers: int, disparity: float) -> str:
    """How much two maps agree, where enough papers are on both to say so."""
    both = f"{papers:,} papers are on both"
    if papers < _FEW:
        return f"{both}: too few to say how far the maps agree."
    return f"{both}; they agree to {round(100 * (1 - disparity))} % (100 %: the same)."


def short_versions(versions: Collection[str]) -> dict[str, str]:
    """What to call model versions: without the number at the end, where none is called so twice."""
    short = {one: _NUMBER.sub("", one) for one in versions}
    several = Counter(short.values())
    return {one: one if several[name] > 1 else name for one, name in short.items()}


def _name(info: MapInfo) -> str:
    """Short enough to be read whole: of a selection, by what it is called after, and when."""
    kind, _, own = info.title.partition(": ")
    title = shorten(own or kind, _SHORT)
    return f"{NAMES.get(info.layout, info.layout)} · {title} · {when(info.made_at)}"


def _long(info: MapInfo) -> str:
    about = f"{info.papers:,} papers, model {info.version}, map {info.key}"
    return f"{_name(info)}: {info.title}, {about}"


def _compare(before: int, after: int, library: Library, ctx: JobContext) -> Comparison:
    return compared(library, before, after, ctx)
