"""``litscape collection``: the tree of collections and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, change_record
from litscape_app.cli.refs import add_refs, find_collection, resolve_all, split_path

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session


def _list(session: Session) -> Answer:
    from litscape.outline import read_outline

    with session.library(reading=True) as library:
        tree = read_outline(library.database).collections
    records = [{"id": one.id, "path": "/".join(one.path), "count": one.count} for one in tree]
    rows = [(one["count"], one["path"]) for one in records]
    return Answer(records, columns(rows) if rows else "There are no collections yet.")


def _create(session: Session) -> Answer:
    path = split_path(session.args.path)
    with session.library() as library:
        changes = library.edit.create_collection(path)
    return Answer(change_record(changes), f"The collection {'/'.join(path)} was made.")


def _rename(session: Session) -> Answer:
    with session.library() as library:
        one = find_collection(library, session.args.path)
        changes = library.edit.rename_collection(one.id, session.args.name)
    return Answer(
        change_record(changes), f"The collection {one.name} is called {session.args.name} now."
    )


def _move(session: Session) -> Answer:
    below = session.args.below
    with session.library() as library:
        one = find_collection(library, session.args.path)
        parent = find_collection(library, below).id if below else None
        changes = library.edit.move_collection(one.id, parent)
    return Answer(change_record(changes), f"Moved {one.name} {_place(below)}.")


def _place(below: str | None) -> str:
    return f"into {below}" if below else "to the top"


def _delete(session: Session) -> Answer:
    with session.library() as library:
        one = find_collection(library, session.args.path)
        changes = library.edit.delete_collection(one.id)
    return Answer(change_record(changes), f"Deleted {'/'.join(one.path)}; its papers stay.")


def _add(session: Session) -> Answer:
    path = split_path(session.args.path)
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.add_to_collection(ids, path)
    text = f"Put {counted(len(changes.changed), 'paper')} into {'/'.join(path)}."
    if not changes.changed:
        text = f"{'It is' if len(ids) == 1 else 'They are'} in {'/'.join(path)} already."
    return Answer(change_record(changes), text)


def _remove(session: Session) -> Answer:
    with session.library() as library:
        one = find_collection(library, session.args.path)
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.remove_from_collection(ids, one.id)
    text = f"Took {counted(len(changes.changed), 'paper')} out of {'/'.join(one.path)}."
    if not changes.changed:
        text = f"{'It is' if len(ids) == 1 else 'They are'} not in {'/'.join(one.path)}."
    return Answer(change_record(changes), text)


def _path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a collection, such as Water or Water/Rivers")


def _path_and_name(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    parser.add_argument("name", metavar="NAME", help="its new name")


def _path_and_below(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    parser.add_argument(
        "below", nargs="?", metavar="BELOW", help="the collection to move it into; none: the top"
    )


def _path_and_refs(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    add_refs(parser)


COLLECTION = Command(
    "collection",
    "list, create, rename, move, delete and fill collections",
    default="list",
    commands=(
        Command(
            "list",
            "list the collections (also without a word)",
            _list,
            keys={
                "id": "the collection's id",
                "path": "its path, such as `Water/Rivers`",
                "count": "papers in it and below",
            },
            shape="list",
        ),
        Command("create", "make one, with those above it", _create, _path, keys=CHANGE_KEYS),
        Command("rename", "rename one", _rename, _path_and_name, keys=CHANGE_KEYS),
        Command("move", "move one below another", _move, _path_and_below, keys=CHANGE_KEYS),
        Command("delete", "delete one; its papers stay", _delete, _path, keys=CHANGE_KEYS),
        Command(
            "add", "put papers in one, made where missing", _add, _path_and_refs, keys=CHANGE_KEYS
        ),
        Command("remove", "take papers out of one", _remove, _path_and_refs, keys=CHANGE_KEYS),
    ),
)
