"""``litscape topics``: papers that belong together, found, named and worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters
from litscape_app.cli.commands.maps import scope_of
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import CHANGE_KEYS, change_record, rows_of
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape.topics.records import Method, Topic, TopicTree
    from litscape_app.cli.records import Record
    from litscape_app.cli.session import Session

_METHODS: tuple[Method, ...] = ("leiden", "hdbscan")
_MOST_SEED = 2**31 - 1
_KEYS = {
    "key": "its number",
    "scope": "which papers were parted",
    "method": "leiden (on the neighbour graph) or hdbscan (by density)",
    "seed": "of its draws",
    "model": "version of the model whose vectors were used",
    "made_at": "when (UTC)",
    "papers": "how many were looked at",
    "levels": "how many levels there are",
    "unassigned": "share of papers without a topic at each level, 0 to 1",
    "sentence": "what should be known of it",
    "topics": "list of {id, level, parent, name, terms, papers, edited, colour}, level by level, "
    "the largest first; `level` 0 is the coarsest, `terms` tell most first, `edited`: a person "
    "gave the name",
}
_MAKE_KEYS = {
    **_KEYS,
    "replaced": "names of topics that a person named, merged or split and that are no more, as "
    "topics were found anew; `undo` brings them back",
}
_PAPER_KEYS = {"id": "its number", "citekey": "its citation key", "title": "its title"}


def _make(session: Session) -> Answer:
    args = session.args
    lost: list[str] = []
    with session.library() as library:
        scope = scope_of(session, library)
        version = library.models.get(args.model).version if args.model else None
        tree = None if args.again else library.topics.current(scope.title, version)
        asked = (args.method, args.seed)
        if tree is None or any(
            want not in (None, had)
            for want, had in zip(asked, (tree.method, tree.seed), strict=True)
        ):
            before = library.topics.current(scope.title, version)
            method: Method = args.method or _METHODS[0]
            with job_context() as ctx:
                tree = library.topics.make(scope, method, args.seed or 0, ctx, version)
            lost = [] if before is None else list(before.lost_in(tree))
    told = _told(tree)
    return Answer(
        {**_record(tree), "replaced": lost}, f"{told}\n{_replaced(lost)}" if lost else told
    )


def _replaced(lost: list[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in lost[:3])
    more = f" and {len(lost) - 3:,} more" if len(lost) > 3 else ""
    return (
        f"Topics that you had named, merged or split were replaced: {shown}{more}. "
        "`litscape undo` brings them back."
    )


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        found = library.topics.list()
    if not found:
        return Answer([], "No topics were found in this library yet: `litscape topics make`.")
    return Answer([_record(one) for one in found], "\n\n".join(map(_told, found)))


def _papers(session: Session) -> Answer:
    with session.library(reading=True) as library:
        _tree, topic = library.topics.topic(_key(library, session.args.topic))
        ids = [int(one) for one in library.topics.papers_of(topic.id)]
        rows = rows_of(library, ids)
    told = [{"id": one, "citekey": rows[one].citekey, "title": rows[one].title} for one in ids]
    lines = columns([(one["citekey"], one["title"]) for one in told])
    return Answer(told, f"{topic.name}: {counted(len(ids), 'paper')}\n{lines}")


def _rename(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        _tree, topic = library.topics.topic(_key(library, args.topic))
        changes = library.topics.rename(topic.id, args.name)
    return _changed(changes, f"The topic “{topic.name}” is “{args.name.strip()}” now.")


def _merge(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        found = [library.topics.topic(_key(library, one))[1] for one in args.topics]
        changes = library.topics.merge([one.id for one in found], args.name)
        kept = library.topics.topic(max(found, key=lambda one: (one.size, -one.id)).id)[1]
    return _changed(changes, f"Merged into “{kept.name}”, {counted(kept.size, 'paper')}.")


def _split(session: Session) -> Answer:
    args = session.args
    with session.library() as library, job_context() as ctx:
        tree, topic = library.topics.topic(_key(library, args.topic))
        changes = library.topics.split(topic.id, args.seed, ctx)
        now = library.topics.topic(topic.id)[0]
    known = {one.id for one in tree.topics} - {topic.id}
    parts = [one for one in now.at(topic.level) if one.id not in known]
    listed = "\n".join(_line(one) for one in parts)
    return _changed(changes, f"Split “{topic.name}” into {counted(len(parts), 'topic')}:\n{listed}")


def _place(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        changes = library.topics.place_new(ctx=ctx)
        tree = library.topics.current()
    text = "There are no new papers with a vector." if changes.change_id is None else ""
    if tree is not None and not text:
        text = f"New papers have a topic now; {tree.unassigned():.0%} of all have none."
    return _changed(changes, text)


def _to_collection(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        _tree, topic = library.topics.topic(_key(library, args.topic))
        changes = library.topics.to_collection(topic.id, args.path)
    number = counted(len(changes.changed), "paper")
    return _changed(changes, f"Put {number} into the collection “{args.path or topic.name}”.")


def _to_tag(session: Session) -> Answer:
    args = session.args
    with session.library() as library:
        _tree, topic = library.topics.topic(_key(library, args.topic))
        changes = library.topics.to_tag(topic.id, args.name)
    number = counted(len(changes.changed), "paper")
    return _changed(changes, f"Tagged {number} “{args.name or topic.name}”.")


def _remove(session: Session) -> Answer:
    key = session.args.key
    with session.library() as library:
        changes = library.topics.remove(key)
    return _changed(changes, "The topics are removed; the papers stay.")


def _key(library: Library, text: str) -> int | str:
    """A topic as a person names it: by its number, unless one is called so."""
    current = library.topics.current()
    named = current is not None and any(one.name == text for one in current.topics)
    return int(text) if text.isdecimal() and not named else text


def _changed(changes: LibraryChanges, text: str) -> Answer:
    return Answer(change_record(changes), text)


def _record(tree: TopicTree) -> Record:
    return {
        "key": tree.key,
        "scope": tree.scope,
        "method": tree.method,
        "seed": tree.seed,
        "model": tree.version,
        "made_at": tree.made_at,
        "papers": len(tree.ids),
        "levels": tree.levels,
        "unassigned": [round(tree.unassigned(level), 4) for level in range(tree.levels)],
        "sentence": tree.sentence,
        "topics": [_topic(one) for one in tree.topics],
    }


def _topic(one: Topic) -> Record:
    return {
        "id": one.id,
        "level": one.level,
        "parent": one.parent,
        "name": one.name,
        "terms": list(one.terms),
        "papers": one.size,
        "edited": one.edited,
        "colour": one.colour,
    }


def _told(tree: TopicTree) -> str:
    numbers = ", ".join(
        f"{counted(len(tree.at(level)), 'topic')} at level {level}" for level in range(tree.levels)
    )
    head = (
        f"Topics {tree.key}: {tree.scope} by {tree.method}, {counted(len(tree.ids), 'paper')}, "
        f"seed {tree.seed}, made {tree.made_at} with {tree.version}; {numbers}."
    )
    lines = [line for topic in tree.at(0) for line in _lines(tree, topic)]
    return "\n".join([head, tree.sentence, *lines])


def _lines(tree: TopicTree, topic: Topic) -> list[str]:
    below = [line for one in tree.below(topic) for line in _lines(tree, one)]
    return [_line(topic), *below]


def _line(topic: Topic) -> str:
    return f"{'    ' * topic.level}{topic.size:>6,}  {topic.name}  (number {topic.id})"


def _make_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        choices=_METHODS,
        help="leiden (every paper among its neighbours), hdbscan (only where papers lie densely); "
        "leiden, or the one that was used before",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, _MOST_SEED),
        metavar="N",
        help="the same one finds the same topics; 0 by default",
    )
    parser.add_argument(
        "--query", metavar="QUERY", help="only papers that a search by words finds, all of them"
    )
    add_filters(parser)
    parser.add_argument("--model", metavar="VERSION", help="by the vectors of another model")
    parser.add_argument(
        "--again", action="store_true", help="find them anew, even where this was done before"
    )


def _topic_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", metavar="TOPIC", help="its number or name")


def _rename_arguments(parser: argparse.ArgumentParser) -> None:
    _topic_argument(parser)
    parser.add_argument("name", metavar="NAME", help="what it is to be called")


def _merge_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topics", nargs="+", metavar="TOPIC", help="numbers or names, two or more")
    parser.add_argument("--name", metavar="NAME", help="what it is to be called")


def _split_arguments(parser: argparse.ArgumentParser) -> None:
    _topic_argument(parser)
    parser.add_argument(
        "--seed", type=whole_number(0, _MOST_SEED), default=0, metavar="N", help="of the draws (0)"
    )


def _collection_arguments(parser: argparse.ArgumentParser) -> None:
    _topic_argument(parser)
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help="the collection, as in Water/Rivers (called as the topic is, whole)",
    )


def _tag_arguments(parser: argparse.ArgumentParser) -> None:
    _topic_argument(parser)
    parser.add_argument("name", nargs="?", metavar="TAG", help="the tag (named as it is)")


def _key_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", type=whole_number(1), metavar="KEY", help="as `topics list` shows")


TOPICS = Command(
    "topics",
    "find papers that belong together, and name, merge and split such topics",
    arguments=_make_arguments,
    default="make",
    commands=(
        Command(
            "make",
            "find topics, or tell those that were found (also without a word)",
            _make,
            _make_arguments,
            _MAKE_KEYS,
        ),
        Command("list", "tell all topics that were found, of every scope, newest first", _list,
                keys=_KEYS, shape="list"),
        Command("papers", "list the papers of a topic", _papers, _topic_argument, _PAPER_KEYS,
                shape="list"),
        Command("rename", "give a topic another name", _rename, _rename_arguments, CHANGE_KEYS),
        Command("merge", "make several topics one", _merge, _merge_arguments, CHANGE_KEYS),
        Command("split", "part a topic into those that stand apart in it", _split,
                _split_arguments, CHANGE_KEYS),
        Command("place", "give papers that came later the topic of their neighbours", _place,
                keys=CHANGE_KEYS),
        Command("to-collection", "put the papers of a topic into a collection", _to_collection,
                _collection_arguments, CHANGE_KEYS),
        Command("to-tag", "tag the papers of a topic", _to_tag, _tag_arguments, CHANGE_KEYS),
        Command("remove", "remove topics; the papers stay", _remove, _key_argument, CHANGE_KEYS),
    ),
)  # fmt: skip
