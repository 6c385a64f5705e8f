"""One facet of the column: its heading folds, long lists can be filtered and shown longer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from litscape_app.window.facets.histogram import YearHistogram
from litscape_app.window.facets.names import TITLES, value_name, value_names
from litscape_app.window.facets.values import ValueList
from litscape_app.window.widgets.basics import horizontal, label, tool_button, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.facets import FacetCounts
    from litscape_app.window.theme import Theme

FEW, MORE = 6, 30
"""Values shown at first, and more with each press of the button."""
_FILTERED = ("venue", "author", "keyword", "tag", "collection", "source")
_PAGE = 60
"""Values from which on a list can be asked for less at once than it has."""


class Section(QWidget):
    """A facet with its heading."""

    toggled = Signal(str, str, bool)
    """Facet, value, and whether it is to be left out."""
    years_chosen = Signal(object)
    wanted = Signal()
    """Other values are to be counted: more of them, or those with a text."""
    folded = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.name, self.top = name, FEW
        self._theme = theme
        title = TITLES[name]
        self.head = QToolButton()
        self.head.setText(title)
        self.head.setProperty("kind", "fold")
        self.head.setCheckable(True)
        self.head.setChecked(True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setFont(theme.font("body", bold=True))
        self.head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.head.setCursor(Qt.CursorShape.PointingHandCursor)
        self.head.toggled.connect(self._fold)
        self.number = label(tone="muted")
        self.number.setFont(theme.font("small"))
        self.line = QLineEdit()
        self.line.setPlaceholderText(f"Find in {title.lower()} …")
        self.line.setAccessibleName(f"Find in {title.lower()}")
        self.line.setClearButtonEnabled(True)
        self.line.setProperty("role", "find")
        self.line.textChanged.connect(lambda _text: self.wanted.emit())
        self.line.hide()
        self.years = YearHistogram(theme) if name == "year" else None
        self.list = ValueList(theme, title, partial(value_names, name), partial(value_name, name))
        self.list.toggled.connect(lambda value, out: self.toggled.emit(name, value, out))
        self.note = label(tone="muted", wrap=True)
        self.note.setFont(theme.font("small"))
        self.lacking = tool_button(theme, "", "Only those without a year", kind="link", text="…")
        self.lacking.clicked.connect(lambda _checked=False: self.toggled.emit("has", name, True))
        self.lacking.hide()
        self.more = tool_button(theme, "", f"More {title.lower()}", self._more, "More", kind="link")
        self.body = QWidget()
        self._build()
        self._fold(True)

    def _build(self) -> None:
        head = horizontal(None, self.head, 0, self.number, margins=(4, 0, 12, 0))
        find = horizontal(None, self.line, margins=(8, 2, 8, 2))
        shown: QWidget = self.list
        if self.years is not None:
            self.years.chosen.connect(self.years_chosen.emit)
            self.list.hide()
            shown = self.years
        foot = horizontal(None, self.more, self.lacking, 0, margins=(9, 0, 10, 0))
        said = horizontal(None, self.note, margins=(12, 0, 10, 0))
        vertical(self.body, find, shown, foot, said, spacing=2)
        vertical(self, head, self.body, margins=(0, 4, 0, 4), spacing=0)

    @property
    def open(self) -> bool:
        """Whether its values show."""
        return self.head.isChecked()

    @property
    def containing(self) -> str:
        """The text that values must contain."""
        return self.line.text().strip()

    def show_counts(self, counts: FacetCounts) -> None:
        """Show the facet of a result; one that could not narrow it is hidden."""
        chosen = any(one.chosen or one.left_out for one in counts.values) or counts.span is not None
        useful = counts.distinct > 1 or (counts.distinct == 1 and counts.without > 0)
        shows = useful or (chosen and bool(counts.values)) or bool(self.containing)
        self.setVisible(shows)
        if self.years is not None:
            self.years.show_years(counts.values, counts.span)
        else:
            self.list.show_values(counts.values)
        shown = sum(one.papers > 0 for one in counts.values)
        self.number.setText(f"{counts.distinct:,}" if counts.distinct > shown else "")
        long = counts.distinct > FEW and self.name in _FILTERED
        self.line.setVisible(long or bool(self.containing))
        self.more.setVisible(
            self.years is None and not self.containing and counts.distinct > shown > 0
        )
        nothing = bool(self.containing) and not counts.values
        self.note.setText(f"Nothing with “{self.containing}”." if nothing else "")
        self.note.setVisible(nothing)
        self.lacking.setText(f"{count(counts.without, 'paper')} without a year")
        self.lacking.setVisible(self.years is not None and counts.without > 0)

    def _more(self) -> None:
        self.top += MORE
        self.wanted.emit()

    def _fold(self, shown: bool) -> None:
        self.body.setVisible(shown)
        self._theme.set_icon(self.head, "chevron-down" if shown else "chevron-right", "muted")
        state = "unfolded" if shown else "folded"
        self.head.setAccessibleName(f"{TITLES[self.name]}, {state}")
        self.folded.emit()
