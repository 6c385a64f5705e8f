"""Queries that gained or lost most, with what the old and the new model find side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from litscape_app.window.widgets.basics import clear, heading, label, vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.theme import Theme
    from litscape_trainer.runs.records import QueryChange

_SHOWN = 5


class QueryLists(QWidget):
    """A few queries under a heading; papers that the query cites are marked."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(title)
        self._inner = QWidget()
        self._column = vertical(self._inner, spacing=12)
        vertical(self, heading(theme, title), self._inner, spacing=8)

    def show_queries(self, queries: Sequence[QueryChange]) -> None:
        """Show queries; nothing where there are none."""
        clear(self._column)
        self.setVisible(bool(queries))
        for query in queries:
            box = self._one(query)
            self._column.addWidget(box)
            box.show()  # at once: else it takes its room a moment later

    def _one(self, query: QueryChange) -> QWidget:
        box = QWidget()
        title = label(query.title, wrap=True, select=True)
        title.setFont(self._theme.font("body", bold=True))
        told = f"nDCG@10 {query.before:.2f} before, {query.after:.2f} after"
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        for column, (name, papers) in enumerate((("Old", query.old), ("New", query.new))):
            grid.setColumnStretch(column, 1)
            grid.addWidget(label(f"{name} model", "muted"), 0, column)
            for row, (_paper, text, hit) in enumerate(papers[:_SHOWN]):
                mark = "✓" if hit else "·"
                line = label(f"{mark}  {text}", "good" if hit else "", wrap=True)
                line.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                grid.addWidget(line, row + 1, column)
        vertical(box, title, label(told, "muted"), grid, spacing=4)
        return box
