"""``litscape tag``: put tags on papers, take them off, rename and delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.records import CHANGE_KEYS, change_record
from litscape_app.cli.refs import add_refs, find_tags, resolve_all

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session


def _list(session: Session) -> Answer:
    from litscape.outline import read_outline

    with session.library(reading=True) as library:
        tags = read_outline(library.database).tags
    records = [{"name": name, "count": count} for name, count in tags]
    rows = [(one["count"], one["name"]) for one in records]
    return Answer(records, columns(rows) if rows else "There are no tags yet.")


def _add(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.tag(ids, [session.args.name])
    name, number = session.args.name, len(changes.changed)
    text = f"Tagged {counted(number, 'paper')} “{name}”."
    if not number:
        whose = "The paper has" if len(ids) == 1 else "These papers have"
        text = f"{whose} the tag “{name}” already."
    return Answer(change_record(changes), text)


def _remove(session: Session) -> Answer:
    with session.library() as library:
        ids = resolve_all(library, session.args.refs)
        changes = library.edit.untag(ids, find_tags(library, [session.args.name]))
    text = f"Took the tag off {counted(len(changes.changed), 'paper')}."
    if not changes.changed:
        whose = "The paper does not have" if len(ids) == 1 else "None of these papers has"
        text = f"{whose} the tag “{session.args.name}”."
    return Answer(change_record(changes), text)


def _rename(session: Session) -> Answer:
    with session.library() as library:
        changes = library.edit.rename_tag(session.args.old, session.args.new)
    return Answer(
        change_record(changes), f"The tag “{session.args.old}” is “{session.args.new}” now."
    )


def _delete(session: Session) -> Answer:
    with session.library() as library:
        changes = library.edit.delete_tag(session.args.name)
    return Answer(
        change_record(changes), f"The tag “{session.args.name}” is deleted; its papers stay."
    )


def _name_and_refs(parser: argparse.ArgumentParser) -> None:
    _name(parser)
    add_refs(parser)


def _old_and_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the tag")
    parser.add_argument("new", metavar="NEW", help="its new name; an existing one joins the two")


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="TAG", help="the tag")


TAG = Command(
    "tag",
    "list, put on, take off, rename and delete tags",
    default="list",
    commands=(
        Command(
            "list",
            "list the tags (also without a word)",
            _list,
            keys={"name": "the tag", "count": "papers that carry it"},
            shape="list",
        ),
        Command("add", "put a tag on papers", _add, _name_and_refs, keys=CHANGE_KEYS),
        Command("remove", "take a tag off papers", _remove, _name_and_refs, keys=CHANGE_KEYS),
        Command("rename", "rename a tag everywhere", _rename, _old_and_new, keys=CHANGE_KEYS),
        Command("delete", "delete a tag; its papers stay", _delete, _name, keys=CHANGE_KEYS),
    ),
)
