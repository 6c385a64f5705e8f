"""``litscape saved`` and ``searches``: searches kept under a name, and those of the last days."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.search import MODES, add_number, answer_of
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, FOUND_KEYS, change_record

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.search.hits import Mode
    from litscape.store.saved import SavedSearch
    from litscape_app.cli.session import Session


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        found = _saved(library)
        records = [
            {
                "name": one.name,
                "query": one.query,
                "mode": one.mode,
                "count": library.searcher.count(one.query),
            }
            for one in found
        ]
    rows = [(one["count"], one["name"], one["mode"], one["query"]) for one in records]
    return Answer(records, columns(rows) if rows else "There are no saved searches yet.")


def _add(session: Session) -> Answer:
    args = session.args
    query = _asked(args.query)
    with session.library() as library:
        if any(one.name == args.name for one in _saved(library)):
            raise UserError(
                f"There is a saved search “{args.name}” already; "
                "`litscape saved change` changes it."
            )
        changes = library.edit.save_search(args.name, query, args.mode)
    return Answer(change_record(changes), f"The search {args.name} was saved.")


def _rename(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        one = _find(library, args.name)
        changes = library.edit.change_saved_search(one.name, args.new)
    return Answer(change_record(changes), f"The search {one.name} is called {args.new} now.")


def _change(session: Session) -> Answer:
    args = session.args
    query = _asked(args.query) if args.query else None
    if query is None and args.mode is None:
        raise UserError("Give the saved search another query, or another --mode.")
    with session.library() as library:
        one = _find(library, args.name)
        changes = library.edit.change_saved_search(one.name, query=query, mode=args.mode)
    said = f"The search {one.name} was changed." if changes else f"{one.name} is so already."
    return Answer(change_record(changes), said)


def _asked(words: list[str]) -> str:
    """The query to keep.

    Raises:
        UserError: it is empty.
    """
    query = " ".join(words).strip()
    if not query:
        raise UserError("A saved search needs a query: words, or fields such as tag:x.")
    return query


def _delete(session: Session) -> Answer:
    with session.library() as library:
        one = _find(library, session.args.name)
        changes = library.edit.delete_saved_search(one.name)
    return Answer(change_record(changes), f"Deleted the search {one.name}.")


def _run(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        one = _find(library, args.name)
        mode = cast("Mode", args.mode or one.mode)
        result = library.search(one.query, mode=mode, k=args.number)
        return answer_of(session, library, result, one.query)


def _saved(library: Library) -> tuple[SavedSearch, ...]:
    from litscape.store.saved import list_saved

    with library.database.read() as conn:
        return list_saved(conn)


def _find(library: Library, name: str) -> SavedSearch:
    """The saved search of a name, whatever the case of its letters.

    Raises:
        UserError: there is none.
    """
    from litscape.near import no_such
    from litscape.sorting import sort_text

    known = _saved(library)
    found = [one for one in known if one.name == name]
    found = found or [one for one in known if sort_text(one.name) == sort_text(name)]
    if not found:
        sentence = no_such("saved search", name, (one.name for one in known))
        raise UserError(f"{sentence} `litscape saved list` lists them all.")
    return found[0]


def _recent(session: Session) -> Answer:
    from litscape.search.history import SearchHistory

    with session.library(reading=True) as library:
        found = SearchHistory().recent(library.folder)
    records = [{"query": one} for one in found]
    return Answer(records, "\n".join(found) or "Nothing was searched in the window lately.")


def _forget(session: Session) -> Answer:
    from litscape.search.history import SearchHistory

    query = " ".join(session.args.query) or None
    with session.library(reading=True) as library:
        number = SearchHistory().forget(library.folder, query)
    return Answer({"forgotten": number}, f"Forgot {counted(number, 'search', 'searches')}.")


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of a saved search")


def _name_and_query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="what it is to be called")
    parser.add_argument("query", nargs="+", metavar="QUERY", help="as in `search`")
    parser.add_argument(
        "--mode", choices=MODES, default="hybrid", help="by words, by meaning or both (hybrid)"
    )


def _two_names(parser: argparse.ArgumentParser) -> None:
    _name(parser)
    parser.add_argument("new", metavar="NEW", help="its new name")


def _name_and_changes(parser: argparse.ArgumentParser) -> None:
    _name(parser)
    parser.add_argument("query", nargs="*", metavar="QUERY", help="its new query, as in `search`")
    parser.add_argument("--mode", choices=MODES, help="by words, by meaning or both (hybrid)")


def _name_and_number(parser: argparse.ArgumentParser) -> None:
    _name(parser)
    parser.add_argument("--mode", choices=MODES, help="another mode than the saved one")
    add_number(parser, 20)


def _query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="one of them; none: all")


SAVED = Command(
    "saved",
    "list, add, change, rename, delete and run saved searches",
    default="list",
    commands=(
        Command(
            "list",
            "list the saved searches (also without a word)",
            _list,
            keys={
                "name": "its name",
                "query": "its query, as typed",
                "mode": "`lexical`, `semantic` or `hybrid`",
                "count": "papers that it finds by words, whatever its mode",
            },
            shape="list",
        ),
        Command("add", "save a search", _add, _name_and_query, CHANGE_KEYS),
        Command("rename", "rename a saved search", _rename, _two_names, CHANGE_KEYS),
        Command("change", "change its query or mode", _change, _name_and_changes, CHANGE_KEYS),
        Command("delete", "delete a saved search", _delete, _name, CHANGE_KEYS),
        Command("run", "search what was saved", _run, _name_and_number, FOUND_KEYS, "list"),
    ),
)
SEARCHES = Command(
    "searches",
    "list or forget the past searches of the window",
    default="list",
    commands=(
        Command("list", "list them, newest first", _recent,
                keys={"query": "as it was typed"}, shape="list"),
        Command("forget", "forget them all, or one", _forget, _query,
                {"forgotten": "how many were forgotten"}),
    ),
)  # fmt: skip
