"""The choices of facets in one line over the table, each with a cross."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from litscape_app.window.facets.names import TITLES, choice_name
from litscape_app.window.widgets.basics import clear, tool_button, vertical
from litscape_app.window.widgets.chip import Chip
from litscape_app.window.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme

Choice = tuple[str, str, bool]
"""Facet, value, whether it is left out."""


class ChoiceLine(QFrame):
    """What a query chooses of facets; hidden where that is nothing."""

    wanted = Signal(str)
    """The query without what was taken out."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self.setAccessibleName("Chosen facets")
        self._theme = theme
        self._query = ""
        self.choices: list[Choice] = []
        inside = QWidget()
        self._row = FlowLayout(inside, gap=6)
        vertical(self, inside, margins=(16, 6, 16, 6))
        self.hide()

    def show_query(self, query: str) -> None:
        """Show the choices of a query."""
        self._query = query
        found = chosen_in(query)
        if found != self.choices:
            self.choices = found
            self._fill()
        self.setVisible(bool(found))

    def _fill(self) -> None:
        clear(self._row)
        for choice in self.choices:
            facet, value, left_out = choice
            name = choice_name(facet, value, left_out=left_out)
            chip = Chip(self._theme, name, partial(self._remove, choice), f"Let go: {name}")
            self._row.addWidget(chip)
        if len(self.choices) > 1:
            every = tool_button(
                self._theme,
                "",
                "Let go of all chosen facets",
                self._clear,
                "Clear all",
                kind="link",
            )
            every.setFont(self._theme.font("small"))
            self._row.addWidget(every)

    def _remove(self, choice: Choice) -> None:
        self.wanted.emit(without(self._query, [choice]))

    def _clear(self) -> None:
        self.wanted.emit(without(self._query, self.choices))


def chosen_in(query: str) -> list[Choice]:
    """The choices of a query, in the order of the facets."""
    if ":" not in query:
        return []
    from litscape.facets.choices import read_choices

    choices = read_choices(query, tuple(TITLES))
    found = []
    for facet in TITLES:
        found += [(facet, value, False) for value in choices.wanted.get(facet, ())]
        found += [(facet, value, True) for value in choices.unwanted.get(facet, ())]
    return found


def without(query: str, gone: list[Choice]) -> str:
    """A query without some choices."""
    from litscape.facets.choices import without_choice

    for facet, value, left_out in gone:
        query = without_choice(query, facet, (value,), left_out=left_out)
    return query.strip()
