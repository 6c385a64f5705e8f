"""Commands on what a reader makes of papers, on opening and on citing them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from litscape.reading import BEGUN, COLOURS, MOST, READ, UNREAD
from litscape_app.actions.command import Command, Desk, Needs
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.library import Library
    from litscape.paper import LibraryChanges, PaperId

_STYLES = (
    ("apa", "APA"),
    ("chicago-author-date", "Chicago"),
    ("harvard", "Harvard"),
    ("ieee", "IEEE"),
    ("mla", "MLA"),
    ("vancouver", "Vancouver"),
)


def _are(library: Library, ids: tuple[PaperId, ...], name: str) -> bool:
    """Whether all papers are what a filter names."""
    from litscape.paper import PaperFilter

    wanted = frozenset(ids)
    live, dead = (
        library.papers.count(PaperFilter(ids=wanted, is_=(name,), trashed=trashed))
        for trashed in (False, True)
    )
    return live + dead == len(wanted)


def turn_read(desk: Desk) -> None:
    """Mark as read, or as unread where all are read."""
    ids = desk.chosen

    def act(library: Library) -> LibraryChanges:
        state = UNREAD if _are(library, ids, "read") else READ
        return library.edit.mark(ids, read_state=state)

    desk.session.write("Mark as read", act, f"Marked {count(len(ids), 'paper')}")


def mark_begun(desk: Desk) -> None:
    """Mark as being read."""
    desk.details.mark(desk.chosen, {"read_state": BEGUN})


def rate(stars: int, desk: Desk) -> None:
    """Give stars, or take them away."""
    desk.details.mark(desk.chosen, {"rating": stars})


def colour(name: str, desk: Desk) -> None:
    """Give a colour, or take it away."""
    desk.details.mark(desk.chosen, {"colour": name})


def turn_list(desk: Desk) -> None:
    """Put into the reading list, or take out where all are in it."""
    ids = desk.chosen

    def act(library: Library) -> LibraryChanges:
        if _are(library, ids, "listed"):
            return library.edit.take_from_list(ids)
        return library.edit.put_in_list(ids)

    desk.session.write(
        "Reading list", act, f"Changed the reading list by {count(len(ids), 'paper')}"
    )


def move_in_list(by: int, desk: Desk) -> None:
    """Move the chosen papers up or down the reading list that is shown."""
    rows = desk.table.places_in_list(desk.chosen)
    if rows:
        desk.table.put_in_list(desk.chosen, max(1, min(rows) + 1 + by))
    else:
        desk.session.say("Show the reading list in its own order first, to move papers in it.")


def open_as(way: str, desk: Desk) -> None:
    """Open the paper's PDF, DOI or Zotero item."""
    from litscape_app.window.details.ways import open_paper

    open_paper(desk, way)


def copy_citation(style: str, desk: Desk) -> None:
    """Citations of the chosen papers to the clipboard."""
    from litscape_app.window.citing import copy

    copy(desk, style)


def copy_in_own_style(desk: Desk) -> None:
    """The same, in the style of a file."""
    from litscape_app.window.citing import choose_and_copy

    choose_and_copy(desk)


def _rating(stars: int) -> Command:
    title = count(stars, "star") if stars else "No rating"
    return Command(
        f"papers.rate_{stars}", title, partial(rate, stars), "Edit", 3, (str(stars),),
        "star-full" if stars else "star", Needs.LIVE, in_table=True, in_context=True,
        submenu="Rate",
    )  # fmt: skip


def _colour(name: str) -> Command:
    return Command(
        f"papers.colour_{name}", name.capitalize(), partial(colour, name), "Edit", 3, (), "",
        Needs.LIVE, in_context=True, submenu="Colour", dot=name,
    )  # fmt: skip


def _way(way: str, title: str, icon: str, keys: tuple[str, ...] = ()) -> Command:
    return Command(
        f"papers.open_{way}", title, partial(open_as, way), "Edit", 2, keys, icon, Needs.ONE,
        in_table=True, in_context=True, submenu="Open",
    )  # fmt: skip


def _cite(style: str, title: str) -> Command:
    return Command(
        f"papers.cite_{style}", title, partial(copy_citation, style), "Edit", 4, (), "",
        Needs.PAPERS, in_context=True, submenu="Copy citation as",
    )  # fmt: skip


COMMANDS = (
    _way("pdf", "PDF", "file", ("Ctrl+Return",)),
    _way("doi", "DOI in the browser", "link"),
    _way("zotero", "Item in Zotero", "library"),
    Command("papers.read", "Mark as read or unread", turn_read, "Edit", 3, ("U",), "check",
            Needs.LIVE, in_table=True, in_context=True),
    Command("papers.begun", "Mark as being read", mark_begun, "Edit", 3, ("Shift+U",), "half",
            Needs.LIVE, in_table=True, in_context=True),
    *(_rating(stars) for stars in range(MOST, -1, -1)),
    *(_colour(name) for name in (*COLOURS, "none")),
    Command("papers.list", "Into or out of the reading list", turn_list, "Edit", 3, ("L",),
            "reading-list", Needs.LIVE, in_table=True, in_context=True),
    Command("papers.list_up", "Up in the reading list", partial(move_in_list, -1), "Edit", 3,
            ("Alt+Up",), "chevron-up", Needs.LIVE, in_table=True),
    Command("papers.list_down", "Down in the reading list", partial(move_in_list, 1), "Edit", 3,
            ("Alt+Down",), "chevron-down", Needs.LIVE, in_table=True),
    Command("papers.cite", "Copy citation", partial(copy_citation, ""), "Edit", 4,
            ("Ctrl+Shift+B",), "quote", Needs.PAPERS, in_context=True),
    *(_cite(style, title) for style, title in _STYLES),
    Command("papers.cite_own", "Style file…", copy_in_own_style, "Edit", 4, (), "", Needs.PAPERS,
            in_context=True, submenu="Copy citation as"),
    _cite("bibtex", "BibTeX"),
)  # fmt: skip
