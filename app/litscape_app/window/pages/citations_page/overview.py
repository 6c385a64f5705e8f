"""The first part of the page: the counts, where links come from, and what would fill more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from litscape_app.window.pages.page_frame import Sentence, scrolled, section
from litscape_app.window.widgets.basics import clear, label, push_button, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.graph.records import CitationStats
    from litscape_app.window.theme import Theme

WAYS = (
    (
        "import",
        "Import an export with references…",
        "Web of Science, Scopus, OpenAlex, Semantic Scholar, PubMed XML and JabRef files can hold "
        "what each paper cites.",
    ),
    (
        "lookup",
        "Look up online…",
        "Asks OpenAlex, Crossref and others for your papers; what is sent is said first.",
    ),
    (
        "add",
        "Add a list of links…",
        "A CSV or TSV file of two columns, citing and cited: DOIs, other identifiers or citekeys.",
    ),
    (
        "pdfs",
        "Read attached PDFs",
        "Takes lists of references from the text of PDFs of papers that have none.",
    ),
)
_SHOWN = 12


class Overview(QWidget):
    """Shows :class:`CitationStats`."""

    wanted = Signal(str)
    """The key of a way to fill more in."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.sentence = Sentence("Counting …", "")
        self.counts: dict[str, str] = {}
        self.sources: list[tuple[str, str]] = []
        counts, sources = QWidget(), QWidget()
        self._count_grid, self._source_grid = _grid(counts), _grid(sources)
        self.buttons = {
            key: push_button(title, partial(self.wanted.emit, key)) for key, title, _hint in WAYS
        }
        ways = QWidget()
        column = vertical(ways, spacing=4)
        for key, _title, hint in WAYS:
            self.buttons[key].setAccessibleDescription(hint)
            row = QWidget()
            line = QGridLayout(row)
            line.setContentsMargins(0, 0, 0, 6)
            line.setHorizontalSpacing(12)
            line.setColumnStretch(1, 1)
            line.setColumnMinimumWidth(0, 230)
            line.addWidget(self.buttons[key], 0, 0, Qt.AlignmentFlag.AlignTop)
            about = label(hint, "muted", wrap=True)
            about.setFont(theme.font("small"))
            line.addWidget(about, 0, 1)
            column.addWidget(row)
        self.outcome = Sentence()
        self._counted = QWidget()
        self._counted.setLayout(section(theme, "What there is", counts))
        self._from = QWidget()
        self._from.setLayout(section(theme, "Where the links come from", sources))
        self.area = scrolled(
            self.sentence,
            8,
            self._counted,
            self._from,
            section(theme, "What brings more", ways, self.outcome),
        )
        vertical(self, self.area)
        self._counted.hide()
        self._from.hide()

    def show_stats(self, stats: CitationStats) -> None:
        """Show other counts."""
        self.sentence.say(told(stats), "")
        self.counts = {
            "Papers with references": f"{stats.with_references:,} of {stats.papers:,}",
            "Papers linked with others": f"{stats.linked:,} of {stats.papers:,}",
            "Links between papers": f"{stats.links:,}",
            "Groups that hang together": _groups(stats),
            "References to works outside": _outside(stats),
            "Papers without a year": _undated(stats),
            "Weak links, no citations": _weak(stats),
        }
        self.sources = [(one.name, f"{one.links:,}") for one in stats.by_source[:_SHOWN]]
        if rest := stats.by_source[_SHOWN:]:
            links = sum(one.links for one in rest)
            self.sources.append((count(len(rest), "more source"), f"{links:,}"))
        self._fill(self._count_grid, list(self.counts.items()))
        self._fill(self._source_grid, self.sources)
        self._counted.setVisible(stats.papers > 0)
        self._from.setVisible(bool(self.sources))

    @staticmethod
    def _fill(grid: QGridLayout, rows: list[tuple[str, str]]) -> None:
        clear(grid)
        for number, (name, value) in enumerate(rows):
            words = label(name, "muted", wrap=True)
            shown = label(value, wrap=True)
            shown.setAccessibleName(f"{name}: {value}")
            grid.addWidget(words, number, 0)
            grid.addWidget(shown, number, 1)


def told(stats: CitationStats) -> str:
    """The state of the graph in one or two sentences."""
    if not stats.papers:
        return "There is no paper in this library yet."
    if not stats.with_references and not stats.links:
        which = "Your paper carries" if stats.papers == 1 else "None of your papers carries"
        return (
            f"{which} references ({count(stats.papers, 'paper')}). Fetch them online, or import an "
            "export that has them; similar papers, the citation view and training use them."
        )
    have = "has" if stats.with_references == 1 else "have"
    return (
        f"{stats.with_references:,} of {count(stats.papers, 'paper')} {have} references; "
        f"{count(stats.links, 'link')} between papers of this library."
    )


def _groups(stats: CitationStats) -> str:
    if not stats.components:
        return "none"
    if stats.components == 1:
        return f"1, of {count(stats.largest, 'paper')}"
    return f"{stats.components:,}, the largest of {count(stats.largest, 'paper')}"


def _outside(stats: CitationStats) -> str:
    if not stats.outside_references:
        return "none"
    return f"{stats.outside_references:,}, to {count(stats.outside_works, 'work')}"


def _undated(stats: CitationStats) -> str:
    if not stats.undated:
        return "none"
    return f"{stats.undated:,}; the graph as of a year leaves them out"


def _weak(stats: CitationStats) -> str:
    words = {
        "collection": "share a collection",
        "tag": "share a tag",
        "related": "are related in Zotero",
    }
    said = [f"{number:,} {words[kind]}" for kind, number in stats.weak.items() if number]
    return f"papers: {', '.join(said)}" if said else "none"


def _grid(parent: QWidget) -> QGridLayout:
    grid = QGridLayout(parent)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(0, 230)
    grid.setColumnStretch(1, 1)
    return grid
