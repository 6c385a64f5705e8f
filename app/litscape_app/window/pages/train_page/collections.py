"""Collections to learn from: none for all papers, or several as chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from litscape.errors import UserError
from litscape.near import no_such
from litscape.outline import read_names
from litscape_app.window.details.tags_row import ChipsRow
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.window.session import Session

_ALL = "All papers of the library."
_ADD = "Add a collection"


class CollectionsBox(QWidget):
    """The chosen collections by path; only those that are there can be learned from."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.chosen: tuple[str, ...] = ()
        self._known: tuple[str, ...] | None = None
        self.row = ChipsRow(session.theme, _ADD, "collection")
        self.said = Sentence(_ALL)
        vertical(self, self.row, self.said, spacing=4)
        self.row.added.connect(self._add)
        self.row.removed.connect(self._remove)
        self._slot = session.slot(self)
        self._slot.done.connect(self._take)

    def read(self) -> None:
        """Read which collections there are."""
        self._session.read(
            self._slot, "Read collections", lambda library, _ctx: read_names(library.database)[1]
        )

    def choose(self, paths: Sequence[str]) -> None:
        """Choose these and no others."""
        self.chosen = tuple(dict.fromkeys(paths))
        self.row.show_names(self.chosen)
        self._tell()

    def wanted(self) -> tuple[str, ...]:
        """The chosen paths.

        Raises:
            UserError: one of them is not there.
        """
        for one in self.chosen:
            if self._known is not None and one not in self._known:
                raise UserError(no_such("collection", one, self._known))
        return self.chosen

    def _add(self, name: str) -> None:
        self.choose((*self.chosen, name))
        self.row.line.setFocus()

    def _remove(self, name: str) -> None:
        self.choose([one for one in self.chosen if one != name])

    def _take(self, paths: Sequence[tuple[str, ...]]) -> None:
        self._known = tuple("/".join(path) for path in paths)
        self.row.line.offer(self._known)
        self._tell()

    def _tell(self) -> None:
        try:
            self.wanted()
        except UserError as error:
            self.said.say(str(error), "bad")
            return
        self.said.say("" if self.chosen else _ALL)
