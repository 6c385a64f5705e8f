"""What is chosen before new papers are looked for: like what, whence, how many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QWidget

from litscape.errors import UserError
from litscape_app.window.importing import FILTER
from litscape_app.window.pages.page_frame import Sentence, named, section
from litscape_app.window.widgets.basics import horizontal, push_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.alike.fresh import Marked, Wanted
    from litscape.news import Place
    from litscape.paper import Collection
    from litscape_app.window.theme import Theme

_MARKED: tuple[tuple[Marked, str], ...] = (
    ("read", "All papers marked as read"),
    ("rated", "All rated papers"),
)
_WAYS = (
    ("files", "Files", "Files of records that you have, or a folder of them"),
    ("search", "Search online", "What OpenAlex or arXiv finds for some words"),
)
_PLACES: tuple[tuple[Place, str], ...] = (("openalex", "OpenAlex"), ("arxiv", "arXiv"))
_NUMBERS = (20, 50, 100)
_NO_FILE = "No file is chosen yet: choose some, or drop them here."
_LINE = 420


class FeedForm(QWidget):
    """The choices; ``changed`` tells of each change."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.sources: tuple[str, ...] = ()
        self.like = _choice(_MARKED)
        self._picked = False
        self.ways = Segments(_WAYS, "Where they come from")
        self.chosen = Sentence(_NO_FILE)
        self.words = QLineEdit()
        self.words.setPlaceholderText("words, as for a search")
        self.words.setMaximumWidth(_LINE)
        self.at = _choice(_PLACES)
        self.since = QLineEdit()
        self.since.setPlaceholderText("any year")
        self.since.setMaximumWidth(110)
        self.number = _choice([(one, f"{one} papers") for one in _NUMBERS])
        self._files, self._search = QWidget(), QWidget()
        self._lay_out(theme)
        self.ways.chosen.connect(lambda _key: self._moved())
        for line in (self.words, self.since):
            line.textChanged.connect(lambda _text: self._moved())
        self.like.currentIndexChanged.connect(lambda _row: self._moved())
        self.like.activated.connect(self._pick)
        self._moved()

    def _lay_out(self, theme: Theme) -> None:
        buttons = flowing(
            push_button("Choose files…", self._choose_files),
            push_button("Choose a folder…", self._choose_folder),
        )
        vertical(self._files, self.chosen, buttons)
        vertical(
            self._search,
            named(theme, "Search for", self.words),
            horizontal(
                None, named(theme, "At", self.at), named(theme, "From year on", self.since), 0
            ),
        )
        vertical(
            self,
            section(
                theme, "What they should be like",
                horizontal(None, named(theme, "Like the papers of", self.like), 0),
            ),
            section(
                theme, "Where they come from",
                horizontal(None, self.ways, 0), self._files, self._search,
            ),
            section(
                theme, "How many",
                horizontal(None, named(theme, "Show at most", self.number), 0),
            ),
            spacing=0,
        )  # fmt: skip

    # -- what is chosen --------------------------------------------------------------------------

    @property
    def searches(self) -> bool:
        """Whether it would be asked online."""
        return self.ways.choice == "search"

    @property
    def ready(self) -> bool:
        """Whether there is something to look in."""
        return bool(self.words.text().strip()) if self.searches else bool(self.sources)

    @property
    def collection(self) -> int | None:
        """The id of the collection that they should be like, where it is one."""
        key = self.like.currentData()
        return key if isinstance(key, int) else None

    def wanted(self, mail: str) -> Wanted:
        """What is chosen.

        Raises:
            UserError: the year is none.
        """
        from litscape.alike.fresh import Wanted, marked
        from litscape.alike.request import Examples

        key = self.like.currentData()
        like = Examples(collections=(key,)) if isinstance(key, int) else marked(key)
        number: int = self.number.currentData()
        if not self.searches:
            return Wanted(like, self.sources, k=number)
        since = self.since.text().strip()
        if since and not (since.isdecimal() and 1 <= int(since) <= 9999):
            raise UserError(f"“{since}” is no year: write one such as 2024, or nothing.")
        at = cast("Place", self.at.currentData())
        year = int(since) if since else None
        return Wanted(like, (), self.words.text().strip(), at, year, number, mail)

    # -- choosing --------------------------------------------------------------------------------

    def _pick(self, _row: int) -> None:
        """A person chose; until then the first collection is offered as soon as there is one."""
        self._picked = True

    def offer(self, collections: Sequence[Collection], wish: int | None) -> None:
        """Offer the collections that there are.

        Args:
            collections: all of them.
            wish: the id of the one to choose; what is chosen stays where None.
        """
        key = wish
        if wish is None and self._picked:
            key = self.like.currentData()
        self.like.blockSignals(True)
        self.like.clear()
        for one in collections:
            self.like.addItem("/".join(one.path), one.id)
        for kind, text in _MARKED:
            self.like.addItem(text, kind)
        self.like.setCurrentIndex(max(0, self.like.findData(key)))
        self.like.blockSignals(False)
        self._moved()

    def take(self, paths: Sequence[str]) -> None:
        """Look in these files or folders."""
        self.sources = tuple(paths)
        self.ways.choose("files")
        if len(paths) == 1:
            self.chosen.say(paths[0], "")
        elif paths:
            first = ", ".join(Path(one).name for one in paths[:3])
            more = " …" if len(paths) > 3 else ""
            self.chosen.say(f"{count(len(paths), 'file')}: {first}{more}", "")
        else:
            self.chosen.say(_NO_FILE)
        self._moved()

    def _choose_files(self) -> None:
        names, _kind = QFileDialog.getOpenFileNames(self, "Files of new papers", "", FILTER)
        if names:
            self.take(names)

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Folder of new papers")
        if name:
            self.take([name])

    def _moved(self) -> None:
        self._files.setVisible(not self.searches)
        self._search.setVisible(self.searches)
        self.changed.emit()


def _choice(options: Sequence[tuple[object, str]]) -> QComboBox:
    box = QComboBox()
    box.setMaximumWidth(_LINE)
    for key, text in options:
        box.addItem(text, key)
    return box
