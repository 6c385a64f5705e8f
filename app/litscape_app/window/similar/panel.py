"""Papers similar to the chosen ones, ranked anew by more like this and less like that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from litscape.errors import LitscapeError
from litscape_app.window.similar.model import Neighbour, NeighbourModel
from litscape_app.window.similar.view import NeighbourList
from litscape_app.window.similarity import Phase, Similarity, Standing
from litscape_app.window.widgets.basics import (
    clear,
    ground,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.widgets.chip import Chip
from litscape_app.window.widgets.flow import FlowLayout
from litscape_app.window.words import authors_line, count

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.window.session import Session

SHOWN = 30
_MOST_SEEDS = 20
_AGAIN_MS = 4000


@dataclass(frozen=True, slots=True)
class Seeds:
    """What to be like: the chosen papers, more of them, and what not to be like."""

    base: tuple[PaperId, ...] = ()
    more: tuple[PaperId, ...] = ()
    less: tuple[PaperId, ...] = ()

    @property
    def positive(self) -> tuple[PaperId, ...]:
        """All papers to be like."""
        return tuple(dict.fromkeys((*self.base, *self.more)))


@dataclass(frozen=True, slots=True)
class Answer:
    """Neighbours of seeds, with the titles of the seeds that were added."""

    seeds: Seeds
    hits: tuple[Neighbour, ...]
    titles: dict[PaperId, str]


class SimilarPanel(QWidget):
    """Follows the choice of papers everywhere in the window."""

    previewed = Signal(object)
    followed = Signal(object)

    def __init__(self, session: Session, similarity: Similarity) -> None:
        super().__init__()
        ground(self, "reading")
        self._session, self._similarity = session, similarity
        self.seeds = Seeds()
        self._base: tuple[PaperId, ...] = ()
        self.none = False
        self.model = NeighbourModel(self)
        self.list = NeighbourList(session.theme, self.model)
        self.state = label(tone="muted", wrap=True)
        self.note = label(tone="muted", wrap=True)
        self.note.setFont(session.theme.font("small"))
        self.start = push_button("Compute similarity", similarity.resume)
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        self._build()
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self._failed)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._ask)
        self.list.previewed.connect(self.previewed.emit)
        self.list.followed.connect(self.followed.emit)
        self.list.more_like.connect(self.more_like)
        self.list.less_like.connect(self.less_like)
        session.selected.connect(self._selected)
        session.changed.connect(self._changed)
        session.opened.connect(lambda: self._selected(()))
        similarity.grown.connect(self._grown)
        similarity.moved.connect(lambda _standing: self._follow())
        self._selected(())

    def _build(self) -> None:
        theme = self._session.theme
        title = heading(theme, "Similar papers")
        title.setToolTip(
            "Ordered by meaning and words together; the number is both, 1 the most in this list."
        )
        top = horizontal(None, title, 0, margins=(16, 10, 16, 4))
        empty = QWidget()
        ground(empty, "reading")
        button = horizontal(None, self.start, 0)
        vertical(empty, self.state, button, 0, margins=(16, 4, 16, 16))
        self._body = QWidget()
        self._stack = QStackedLayout(self._body)
        self._stack.addWidget(self.list)
        self._stack.addWidget(empty)
        self._flow.setContentsMargins(16, 0, 16, 6)
        self.note.setContentsMargins(16, 0, 16, 6)
        column = vertical(self, top, self._chips, self.note, spacing=0)
        column.addWidget(self._body, 1)
        self._chips.hide()

    # -- seeds -------------------------------------------------------------------------------

    def more_like(self, paper_id: PaperId) -> None:
        """Rank by likeness to this paper as well."""
        if paper_id in self.seeds.positive:
            return
        less = tuple(one for one in self.seeds.less if one != paper_id)
        self._use(replace(self.seeds, more=(*self.seeds.more, paper_id), less=less))

    def less_like(self, paper_id: PaperId) -> None:
        """Rank what is like this paper lower."""
        if paper_id in (*self.seeds.base, *self.seeds.less):
            return
        more = tuple(one for one in self.seeds.more if one != paper_id)
        self._use(replace(self.seeds, less=(*self.seeds.less, paper_id), more=more))

    def drop(self, paper_id: PaperId) -> None:
        """Forget what was said about a paper."""
        more = tuple(one for one in self.seeds.more if one != paper_id)
        less = tuple(one for one in self.seeds.less if one != paper_id)
        self._use(replace(self.seeds, more=more, less=less))

    def _use(self, seeds: Seeds) -> None:
        self.seeds = seeds
        self._ask()

    def _selected(self, ids: tuple[PaperId, ...]) -> None:
        self.seeds, self.none = Seeds(ids[:_MOST_SEEDS]), False
        if not ids:
            self._slot.cancel()
            self.model.show(())
            self._show_chips({})
            self._state("Choose a paper to see what is like it.")
            return
        self._ask()

    # -- asking ------------------------------------------------------------------------------

    def _ask(self) -> None:
        self._again.stop()
        seeds = self.seeds
        if seeds.base:
            if not self.model.hits:
                self._state("Looking for similar papers …")
            self._session.read(
                self._slot, "Similar papers", lambda library, ctx: neighbours(library, seeds, ctx)
            )

    def _grown(self) -> None:
        if self.seeds.base and not self._again.isActive():
            self._again.start()

    def _changed(self, changes: LibraryChanges) -> None:
        if changes.changed or changes.removed:
            self._grown()

    def _show(self, answer: Answer) -> None:
        self._show_chips(answer.titles)
        row = self.list.currentIndex().row()
        same = self.model.hits and answer.seeds.base == self._base
        self._base = answer.seeds.base
        self.model.show(answer.hits)
        if same and row >= 0 and answer.hits:  # one that became a seed has left its row
            self.list.setCurrentIndex(self.model.index(min(row, len(answer.hits) - 1), 0))
        self.none = not answer.hits
        if answer.hits:
            self._stack.setCurrentWidget(self.list)
            self._say_note()
        else:
            self._state(self._why_none())

    def _failed(self, error: BaseException) -> None:
        self.model.show(())
        if isinstance(error, LitscapeError):
            self._state(str(error))
        else:
            self._session.trouble(error, "Similar papers")
            self._state("Similar papers could not be worked out.")

    # -- sentences ---------------------------------------------------------------------------

    def _why_none(self) -> str:
        if self._similarity.standing.phase is Phase.RUNNING:
            return "Nothing similar yet; more papers become comparable every second."
        if self._similarity.standing.phase in (Phase.BEHIND, Phase.PAUSED, Phase.FAILED):
            return "Nothing shares its words; computing similarity compares meaning, too."
        return "Nothing in this library is like it."

    def _state(self, sentence: str) -> None:
        self.state.setText(sentence)
        waiting = self._similarity.standing.phase in (Phase.BEHIND, Phase.PAUSED, Phase.FAILED)
        self.start.setVisible(waiting and bool(self.seeds.base))
        self.note.hide()
        self._stack.setCurrentIndex(1)

    def _follow(self) -> None:
        if self.none and self._stack.currentIndex() == 1:
            self._state(self._why_none())
        self._say_note()

    def _say_note(self) -> None:
        standing = self._similarity.standing
        partly = standing.phase in (Phase.RUNNING, Phase.PAUSED, Phase.BEHIND, Phase.FAILED)
        text = ""
        if partly and self._stack.currentWidget() is self.list and standing.done < standing.total:
            if standing.damaged and standing.phase is not Phase.RUNNING:
                text = _damaged(standing)
            elif standing.done == 0:
                left = f" in about {standing.left.removesuffix(' left')}" if standing.left else ""
                text = f"Compared by words; meaning follows{left}."
            else:
                text = f"Among {standing.done:,} of {standing.total:,} papers so far."
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_chips(self, titles: dict[PaperId, str]) -> None:
        clear(self._flow)
        for paper_id, title in titles.items():
            less = paper_id in self.seeds.less
            mark = "−" if less else "+"
            what = f"Forget {'less' if less else 'more'} like {title}"
            drop = partial(self.drop, paper_id)
            self._flow.addWidget(Chip(self._session.theme, f"{mark} {title}", drop, what, 30))
        self._chips.setVisible(bool(titles))
        self._chips.updateGeometry()


def _damaged(standing: Standing) -> str:
    them = "1 vector is" if standing.damaged == 1 else f"{standing.damaged:,} vectors are"
    if standing.done:
        return f"Among {count(standing.done, 'paper')}: {them} damaged."
    return "Compared by words: the vectors are damaged. Compute similarity again."


def neighbours(library: Library, seeds: Seeds, ctx: JobContext) -> Answer:
    """The papers most like the seeds, ready to be shown."""
    hits = library.similar(seeds.positive, k=SHOWN, negatives=seeds.less)
    ctx.check()
    rows = {row.id: row for row in library.papers.rows([hit.paper_id for hit in hits])}
    said = (*seeds.more, *seeds.less)
    titles = {row.id: row.title or row.citekey for row in library.papers.rows(said)}
    shown = []
    for hit in hits:
        row = rows.get(hit.paper_id)
        if row is None:
            continue
        names = [name.strip() for name in row.authors.split(";") if name.strip()]
        year = str(row.year) if row.year is not None else ""
        byline = " · ".join(part for part in (year, authors_line(names)) if part)
        # Without vectors there is only an order; a number would claim more. The number is what
        # they are ordered by; the cosine alone stands among the reasons.
        score = "" if hit.similarity is None else f"{hit.score:.2f}"
        title = row.title or f"Untitled ({row.citekey})"
        shown.append(
            Neighbour(
                row.id,
                score,
                title,
                byline,
                " · ".join(hit.why).replace("meaning ", "meaning\u00a0"),
            )
        )
    return Answer(seeds, tuple(shown), titles)
