"""How similar papers are limited and ranked: years, a query, diversity, and weights of signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QWidget,
)

from litscape_app.window.similar.seeds import Options
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape_app.window.theme import Theme

_STEPS = 100
_DIGITS = 4
_WAIT_MS = 250


class OptionsPage(QScrollArea):
    """Folded away until it is asked for; every change ranks anew."""

    changed = Signal()
    learn_wanted = Signal()
    reset_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("How similar papers are ranked")
        self.learner = label("", "muted", wrap=True)
        self.learned = label("", "muted", wrap=True)
        self.after, self.before = _year("After"), _year("Before")
        self.within = QLineEdit()
        self.within.setPlaceholderText("is:unread -robots")
        self.within.setAccessibleName("Only papers that meet a query")
        self.fault = label("", "warn", wrap=True)
        self.elsewhere = QCheckBox("Not in the same collection")
        self.diversity = _slider("Diversity", _STEPS)
        self.sliders: dict[str, QSlider] = {}
        self._counting: Mapping[str, float] = {}
        self._own = False
        self._quiet = False
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self.changed)
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        inside = QWidget()
        ground(inside, "reading")
        for line in (self.after, self.before, self.within):
            line.textChanged.connect(lambda _text: self._later())
        for line in (self.after, self.before):
            line.textChanged.connect(lambda _text: self._check(typing=True))
            line.editingFinished.connect(self._check)
        self._check()
        self.elsewhere.toggled.connect(lambda _on: self._later())
        self.diversity.valueChanged.connect(lambda _value: self._later())
        form = _form()
        years = QWidget()
        horizontal(years, self.after, self.before)
        form.addRow(label("Years"), years)
        form.addRow("", self.fault)
        form.addRow(label("Within"), self.within)
        form.addRow("", self.elsewhere)
        form.addRow(label("Diversity"), self.diversity)
        self._weights = _form()
        self.default = push_button("Default weights", self.use_default)
        self.learn = push_button("Learn from this library", self.learn_wanted.emit)
        self.forget = push_button("Forget what was learned", self.reset_wanted.emit)
        for note in (self.learner, self.learned):
            note.setFont(theme.font("small"))
        column = vertical(inside, self.learner, margins=(16, 4, 16, 12))
        column.addLayout(form)
        column.addSpacing(4)
        column.addWidget(heading(theme, "What counts"))
        column.addLayout(self._weights)
        column.addWidget(self.learned)
        for button in (self.default, self.learn, self.forget):
            column.addLayout(horizontal(None, button, 0))
        column.addStretch(1)
        self.setWidget(inside)

    def options(self) -> Options:
        """What is chosen."""
        weights = None
        if self._own:
            weights = {name: one.value() / _STEPS for name, one in self.sliders.items()}
            if not any(weights.values()):
                weights = None
        return Options(
            after=_number(self.after),
            before=_number(self.before),
            within=self.within.text().strip(),
            elsewhere=self.elsewhere.isChecked(),
            diversity=self.diversity.value() / _STEPS,
            weights=weights,
        )

    @property
    def narrowed(self) -> bool:
        """Whether anything is chosen that is not so by default."""
        return self.options() != Options()

    def _check(self, *, typing: bool = False) -> None:
        """Say which text is no year; one that is being typed may become one."""
        wrong = [
            line.text().strip()
            for line in (self.after, self.before)
            if line.text().strip() and _number(line) is None
            and not (typing and line.hasFocus() and line.text().strip().isdecimal()
                     and len(line.text().strip()) < _DIGITS)
        ]  # fmt: skip
        self.fault.setText(f"“{wrong[0]}” is no year; years have four digits." if wrong else "")
        self.fault.setVisible(bool(wrong))

    def show_weights(
        self, weights: Mapping[str, float], labels: Mapping[str, str], learner: str
    ) -> None:
        """Say what counted; sliders that were moved stay where they are."""
        self.learner.setText(learner)
        for name in weights:
            if name not in self.sliders:
                slider = _slider(labels[name], 2 * _STEPS)
                slider.valueChanged.connect(lambda _value: self._moved())
                self.sliders[name] = slider
                said = labels[name][:1].upper() + labels[name][1:]
                self._weights.addRow(label(said), slider)
        self._counting = weights
        if not self._own:
            self._place(weights)

    def show_learned(self, sentence: str, *, there: bool) -> None:
        """Say what was learned from this library."""
        self.learned.setText(sentence)
        self.forget.setVisible(there)

    def use_default(self) -> None:
        """Weights as the library has them."""
        self._own = False
        self._place(self._counting)
        self.changed.emit()

    def _place(self, weights: Mapping[str, float]) -> None:
        self._quiet = True
        for name, value in weights.items():
            self.sliders[name].setValue(round(value * _STEPS))
        self._quiet = False
        self.default.setEnabled(self._own)

    def _moved(self) -> None:
        if not self._quiet:
            self._own = True
            self.default.setEnabled(True)
            self._later()

    def _later(self) -> None:
        self._wait.start()


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setVerticalSpacing(6)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    return form


def _year(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(name.lower())
    line.setAccessibleName(f"{name} the year")
    line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    line.setMinimumWidth(56)
    return line


def _number(line: QLineEdit) -> int | None:
    """The year in a field; None where there is none."""
    text = line.text().strip()
    return int(text) if len(text) == _DIGITS and text.isascii() and text.isdigit() else None


def _slider(name: str, most: int) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, most)
    slider.setPageStep(10)
    slider.setAccessibleName(name)
    return slider
