"""Who cites the paper and whom it cites, in the library and outside."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from litscape_app.window.adding_cited import CitedAdder
from litscape_app.window.details.link_list import LinkList
from litscape_app.window.details.link_rows import LinkModel, LinkRow, origin_of, paper_row, work_row
from litscape_app.window.widgets.basics import heading, horizontal, label, tool_button, vertical

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from litscape.graph.records import LinkedPaper, OutsideWork
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme

FOLDED = 5
"""Rows that show before one asks for all."""
_CHUNK = 200
MATCHED = frozenset({"title", "place"})
"""Methods by which a link is found without an identifier."""
_LATEST, _FEW = 9999, 3
KINDS = {
    "citing": "Cited by",
    "references": "References in the library",
    "outside": "References outside the library",
}
UNKNOWN = (
    "Nothing is known of what this paper cites or who cites it. An export with cited references "
    "brings it, a list of links, or a look-up online."
)
NO_REFERENCES = "What this paper cites is not known."


class End(NamedTuple):
    """A paper at the other end of a link, where that comes from, and whether it was matched."""

    paper: PaperId
    sentence: str
    matched: bool


@dataclass(frozen=True, slots=True)
class Links:
    """All links of one paper, the first ones ready to be shown.

    Attributes:
        paper: whose.
        origins: by kind, the papers at the other ends, in the order shown.
        works: those outside the library, in the order shown.
        first: by kind, the first rows.
        said: by kind, where they come from, in a sentence.
    """

    paper: PaperId
    origins: Mapping[str, tuple[End, ...]]
    works: tuple[OutsideWork, ...]
    first: Mapping[str, tuple[LinkRow, ...]]
    said: Mapping[str, str]

    def number(self, kind: str) -> int:
        """How many there are of a kind."""
        return len(self.works) if kind == "outside" else len(self.origins[kind])


class LinkGroup(QWidget):
    """One kind of links under its heading: a few rows, and the rest when they are asked for."""

    all_wanted = Signal(bool)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._name = name
        self.heading = heading(theme, name)
        self.origin = label(tone="muted", wrap=True)
        self.origin.setFont(theme.font("small"))
        self.model = LinkModel(self)
        self.list = LinkList(theme, self.model, name)
        self.more = tool_button(theme, "", name, self._toggle, "Show all", kind="quiet")
        self.more.setFont(theme.font("small"))
        self.whole = False
        self.number = 0
        row = horizontal(None, self.more, 0)
        vertical(self, self.heading, self.origin, self.list, row, 8, spacing=2)
        self.hide()

    def show_rows(self, rows: tuple[LinkRow, ...], number: int, said: str) -> None:
        """Show the first rows of ``number``, and where they come from."""
        self.origin.setText(said)
        self.origin.setVisible(bool(said))
        self.number, self.whole = number, False
        self.heading.setText(f"{self._name} ({number:,})".upper())
        self.list.setAccessibleName(f"{self._name} ({number:,})")
        self.model.show(rows)
        self.setVisible(number > 0)
        self._name_button()

    def _name_button(self) -> None:
        self.more.setVisible(self.number > FOLDED)
        text = "Show fewer" if self.whole else f"Show all {self.number:,}"
        self.more.setText(text)
        self.more.setToolTip(text)
        self.more.setAccessibleName(f"{text}: {self._name.lower()}")

    def _toggle(self) -> None:
        self.whole = not self.whole
        if not self.whole:
            self.model.show(self.model.rows[:FOLDED])
        self._name_button()
        self.all_wanted.emit(self.whole)


class CitationsPart(QWidget):
    """The links of the paper that is read; reads them beside the window."""

    followed = Signal(object)
    """A paper's id."""
    fill_wanted = Signal()
    """The page that says how links come into the library."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        theme = session.theme
        self.paper: PaperId | None = None
        self.links: Links | None = None
        self.adder = CitedAdder(session)
        self.groups = {kind: LinkGroup(theme, name) for kind, name in KINDS.items()}
        self.heading = heading(theme, "Citations")
        self.state = label(tone="muted", wrap=True)
        self.state.setFont(theme.font("small"))
        self.fill = tool_button(
            theme, "", "What would fill it", self.fill_wanted.emit, "What would fill it",
            token="accent", kind="link",
        )  # fmt: skip
        self.fill.setFont(theme.font("small"))
        row = horizontal(None, self.fill, 0)
        vertical(self, self.heading, *self.groups.values(), self.state, row, 8, spacing=4)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: session.trouble(error, "Read citations"))
        self._rest = session.slot(self)
        self._rest.partial.connect(self._take_rest)
        self._rest.failed.connect(lambda error: session.trouble(error, "Read citations"))
        for kind, group in self.groups.items():
            group.list.followed.connect(self.followed.emit)
            group.list.add_wanted.connect(self.adder.add)
            group.list.refused.connect(lambda other, one=kind: self._refuse(one, other))
            group.all_wanted.connect(lambda whole, one=kind: self._all(one, whole))
        self._say("", fill=False)

    def show_paper(self, paper: PaperId) -> None:
        """Show the links of a paper; those of the same one stay in sight while they are read."""
        if paper != self.paper:
            self.paper, self.links = paper, None
            self._rest.cancel()
            for group in self.groups.values():
                group.hide()
            self._say("", fill=False)
        self._session.read(
            self._slot, "Read citations", lambda library, ctx: fetch(library, paper, ctx)
        )

    def _show(self, links: Links) -> None:
        open_before = {kind for kind, group in self.groups.items() if group.whole}
        if links == self.links:
            return
        self._rest.cancel()
        self.links = links
        for kind, group in self.groups.items():
            group.show_rows(links.first[kind], links.number(kind), links.said[kind])
            if kind in open_before and group.number > FOLDED:
                group.more.click()
        cites = links.number("references") + links.number("outside")
        if not cites and not links.number("citing"):
            self._say(UNKNOWN, fill=True)
        elif not cites:
            self._say(NO_REFERENCES, fill=True)
        else:
            self._say("", fill=False)

    def _say(self, text: str, *, fill: bool) -> None:
        self.state.setText(text)
        self.state.setVisible(bool(text))
        self.fill.setVisible(fill)
        self.heading.setVisible(text == UNKNOWN)

    def _refuse(self, kind: str, other: PaperId) -> None:
        """Take a link back; the reference stands outside the library again."""
        paper = self.paper
        if paper is not None:
            ends = (other, paper) if kind == "citing" else (paper, other)
            self._session.write(
                "Take back a link", lambda library: library.citations.refuse(*ends),
                "Took the link back",
            )  # fmt: skip

    def _all(self, kind: str, whole: bool) -> None:
        links = self.links
        if links is None or not whole:
            self._rest.cancel()
            return
        self._session.read(
            self._rest, "Read citations", lambda library, ctx: fetch_rest(library, links, kind, ctx)
        )

    def _take_rest(self, part: tuple[str, tuple[LinkRow, ...]]) -> None:
        kind, rows = part
        if self.groups[kind].whole:
            self.groups[kind].model.extend(rows)


def fetch(library: Library, paper: PaperId, ctx: JobContext) -> Links:
    """The links of a paper: newest papers first, works outside by how many papers cite them."""
    citations = library.citations
    graph = citations.graph()
    ctx.check()

    def ordered(linked: Iterable[LinkedPaper]) -> tuple[End, ...]:
        years: dict[PaperId, int] = {}
        for one in linked:
            place = graph.index_of(one.paper)
            years[one.paper] = int(graph.years[place]) if place is not None else 0
        known = [End(one.paper, one.sentence, one.method in MATCHED) for one in linked]
        # Papers without a year stand last.
        return tuple(sorted(known, key=lambda one: (years[one[0]] > _LATEST, -years[one[0]])))

    origins = {
        "citing": ordered(citations.citing(paper)),
        "references": ordered(citations.references(paper)),
    }
    ctx.check()
    works = tuple(sorted(citations.outside(paper), key=lambda one: (-one.citing, one.position)))
    first = {kind: _papers(library, some[:FOLDED]) for kind, some in origins.items()}
    first["outside"] = _works(works[:FOLDED])
    said = {kind: _told(end.sentence for end in some) for kind, some in origins.items()}
    said["outside"] = _told(map(origin_of, works))
    return Links(paper, origins, works, first, said)


def _told(origins: Iterable[str]) -> str:
    """Where links come from: the sentence of all of them, or how many come from where."""
    counts = Counter(origins)
    if len(counts) < 2:
        return "".join(counts)
    places: Counter[str] = Counter()
    for sentence, number in counts.items():
        # How surely each was found stands at its row.
        places[sentence.rstrip(".").partition(", found")[0]] += number
    if len(places) == 1:
        return f"{next(iter(places))}."
    parts = [f"{one[:1].lower()}{one[1:]} ({number:,})" for one, number in places.most_common(_FEW)]
    rest = places.total() - sum(number for _one, number in places.most_common(_FEW))
    text = "; ".join(parts) + (f"; elsewhere ({rest:,})" if rest else "")
    return f"{text[:1].upper()}{text[1:]}."


def fetch_rest(library: Library, links: Links, kind: str, ctx: JobContext) -> None:
    """Tell the rows that are not shown at first, some at a time."""
    for start in range(FOLDED, links.number(kind), _CHUNK):
        ctx.check()
        stop = start + _CHUNK
        if kind == "outside":
            rows = _works(links.works[start:stop])
        else:
            rows = _papers(library, links.origins[kind][start:stop])
        ctx.partial((kind, rows))


def _papers(library: Library, some: Sequence[End]) -> tuple[LinkRow, ...]:
    rows = {row.id: row for row in library.papers.rows([end.paper for end in some])}
    return tuple(
        paper_row(rows[end.paper], end.sentence, matched=end.matched)
        for end in some
        if end.paper in rows
    )


def _works(works: Iterable[OutsideWork]) -> tuple[LinkRow, ...]:
    from litscape.graph.cited import first_author

    return tuple(
        work_row(one, first_author(one.reference.raw, one.reference.extra)) for one in works
    )
