"""What a command is, and the face of the window that commands act on."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from litscape.paper import PaperId
    from litscape_app.window.details.panel import DetailsPanel
    from litscape_app.window.fulltext import TextKeeper
    from litscape_app.window.scope import Scope
    from litscape_app.window.search_bar import SearchBar
    from litscape_app.window.session import Session
    from litscape_app.window.similar.panel import SimilarPanel
    from litscape_app.window.similarity import Similarity
    from litscape_app.window.switching import Switching
    from litscape_app.window.table.panel import TablePanel
    from litscape_app.window.tree.panel import TreePanel


class Desk(Protocol):
    """The window as commands see it."""

    session: Session
    similarity: Similarity
    switching: Switching
    keeper: TextKeeper
    search: SearchBar
    tree: TreePanel
    table: TablePanel
    details: DetailsPanel
    similar: SimilarPanel

    @property
    def chosen(self) -> tuple[PaperId, ...]:
        """The chosen papers."""
        ...

    @property
    def scope(self) -> Scope:
        """The place that is listed."""
        ...

    def page(self, name: str) -> QWidget:
        """A page of the middle by its name in the catalog."""
        ...

    def has_page(self, name: str) -> bool:
        """Whether a page was asked for before."""
        ...

    def show_page(self, name: str, *, again: bool = False) -> None:
        """Show a page in the middle; ``papers`` is the list.

        The page that is shown gives way to the list, unless ``again``.
        """
        ...

    def leave_page(self) -> None:
        """Go back from a page to the list."""
        ...

    def toggle_jobs(self) -> None:
        """Fold the jobs up or away."""
        ...

    def toggle_column(self, side: str) -> None:
        """Show or hide the ``left`` or ``right`` column."""
        ...

    def open_library(self, folder: Path, *, create: bool = False) -> None:
        """Open another library; the page of libraries says what keeps it closed."""
        ...

    def close(self) -> bool:
        """End the program."""
        ...


class Needs(enum.Enum):
    """What must be there before a command can be used."""

    NOTHING = "nothing"
    LIBRARY = "library"
    LIVE = "live papers chosen"
    TRASHED = "papers in the trash chosen"
    PAPERS = "papers chosen"
    ONE = "one paper chosen"
    UNDO = "something to undo"
    REDO = "something to redo"
    QUERY = "a search"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done, from menu, key or context menu.

    Attributes:
        name: unique, ``papers.trash``.
        title: as menus show it.
        run: does it.
        menu: the menu it stands in; empty for keys only.
        section: menus draw a line where it changes.
        keys: shortcuts; the first is shown.
        icon: of the outline set.
        needs: when it can be used.
        in_table: whether its keys count only while the list has the keyboard; single letters must.
        in_context: whether the context menu of papers shows it.
        state: for a command that is on or off: tells which.
        submenu: the menu inside its menu that it stands in.
        dot: a colour of labels, drawn in place of an icon.
    """

    name: str
    title: str
    run: Callable[[Desk], object]
    menu: str = ""
    section: int = 0
    keys: tuple[str, ...] = ()
    icon: str = ""
    needs: Needs = Needs.NOTHING
    in_table: bool = False
    in_context: bool = False
    state: Callable[[Desk], bool] | None = None
    submenu: str = ""
    dot: str = ""
