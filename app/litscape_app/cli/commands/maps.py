"""``litscape map``: papers laid out in a picture by what they are about, kept and compared."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.export import target_file
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import rows_of
from litscape_app.cli.values import MOST, whole_number

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.maps import MapInfo, MapLayout, MapScope
    from litscape.maps.outputs import Style
    from litscape_app.cli.records import Record
    from litscape_app.cli.session import Session

_LAYOUTS = ("umap", "tsne", "pca")
_MOST_SEED = 2**31 - 1
_SHOWN = 20
_STILL = 0.005
"""Below this a paper has not moved: it would be listed as 0.00."""
_INFO_KEYS = {
    "key": "its number",
    "layout": "umap, tsne or pca",
    "scope": "which papers it is of",
    "papers": "how many have a place",
    "placed": "how many of these were laid in later",
    "model": "version of the model whose vectors it shows",
    "seed": "of everything random in it",
    "made_at": "when (UTC)",
    "started_from": "number of the map whose places it began with, or null",
}
_KEYS = {
    **_INFO_KEYS,
    "missing": "papers of the scope without a place",
    "sentence": "what should be known of it",
}
_NOT_WRITTEN: dict[str, object] = {"out": None, "colour_by": None}
_MAKE_KEYS = {
    **_KEYS,
    "out": "with --out: the file that was written; null without it",
    "colour_by": "what it is coloured by there, or null",
}
_COLOURS = (
    "topic", "year", "venue", "type", "tag", "collection", "citations", "read", "none",
)  # fmt: skip
_ALIGN_KEYS = {
    "before": "number of the first map",
    "after": "number of the second",
    "papers": "how many papers both have",
    "disparity": "what differs, from 0 (the same picture) to 1",
    "movers": "list of {id, citekey, title, moved}, the farthest first; `moved` is in units of the "
    "usual distance from the middle",
}


def _make(session: Session) -> Answer:
    from litscape.maps.client import make_map

    args = session.args
    target = _target(args)
    with session.library() as library:
        scope = scope_of(session, library)
        version = library.models.get(args.model).version if args.model else None
        kept = None if args.again else _kept(library, scope, version, args)
        if kept is None:
            start = library.maps.get(args.start) if args.start else None
            with job_context() as ctx:
                kept = make_map(
                    library,
                    ctx,
                    scope,
                    args.layout or _LAYOUTS[0],
                    args.seed or 0,
                    start=start,
                    version=version,
                )
        written = _write(library, kept, target, args) if target is not None else None
    told = _told(kept)
    if written is not None:
        told = f"{told}\nWritten to {written['out']}, {_coloured(str(written['colour_by']))}."
    return Answer({**_record(kept), **(written or _NOT_WRITTEN)}, told)


def _coloured(by: str) -> str:
    """What the colours of a file tell; where they tell nothing, what would."""
    from litscape.maps.colouring import BY

    if by == "none":
        return "in one colour; `litscape topics` finds topics to colour by"
    return f"coloured by {BY[by].lower()}"


def _target(args: argparse.Namespace) -> tuple[Path, Style] | None:
    """The file that is asked for and its look, found sound before anything is computed."""
    from litscape.maps.outputs import Style, output_for
    from litscape_app.pictures import OUTPUTS

    if args.out is None:
        return None
    output_for(Path(args.out), OUTPUTS)
    path = target_file(args.out, force=args.force)
    width, height = args.size
    return path, Style(width, height, dark=args.dark, caption=not args.no_caption)


def _write(
    library: Library, layout: MapLayout, target: tuple[Path, Style], args: argparse.Namespace
) -> dict[str, object]:
    """Write a map to the file that was asked for; what was written."""
    from litscape.maps.outputs import gather, write
    from litscape_app.pictures import OUTPUTS

    path, style = target
    with job_context() as ctx:
        sheet = gather(library, layout, args.colour_by or "", ctx)
        ctx.progress(2, 3, f"Writing {path.name}")
        write(sheet, path, style, OUTPUTS)
    return {"out": str(path), "colour_by": sheet.colours.by}


def scope_of(session: Session, library: Library) -> MapScope:
    """The papers that the options ask for; the whole library without any."""
    from litscape.maps import WHOLE_LIBRARY, MapScope

    args = session.args
    flt = read_filter(session, library)
    words = (args.query or "").strip()
    if not words and flt is None:
        return WHOLE_LIBRARY
    if words:
        found = library.search(words, mode="lexical", k=MOST, flt=flt)
        ids = [hit.paper_id for hit in found]
    else:
        ids = [int(one) for one in library.papers.ids(flt)]
    parts = [
        *([f"Search: {words}"] if words else ()),
        *([f"Collection {args.collection}"] if args.collection else ()),
        *(f"Tag {one}" for one in args.tag or ()),
        *([f"Years {args.year}"] if args.year else ()),
        *(f"Type {one}" for one in args.type or ()),
        *(f"Is {one}" for one in args.kinds or ()),
    ]
    return MapScope(", ".join(parts), tuple(sorted(ids)))


def _kept(
    library: Library, scope: MapScope, version: str | None, args: argparse.Namespace
) -> MapLayout | None:
    """The map that was made of just this before, if any."""
    version = version or library.models.active().version
    for info in library.maps.list():
        if (info.version, info.title, info.whole) != (version, scope.title, scope.ids is None):
            continue
        if (args.layout not in (None, info.layout)) or (args.seed not in (None, info.seed)):
            continue
        if info.started_from != args.start:
            continue
        found = library.maps.get(info.key)
        if found.scope.ids == scope.ids:
            return found
    return None


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        found = library.maps.list()
    if not found:
        return Answer([], "No map was made in this library yet: `litscape map make`.")
    rows = [
        (one.key, one.layout, one.title, counted(one.papers, "paper"), f"seed {one.seed}",
         one.version, one.made_at)
        for one in found
    ]  # fmt: skip
    return Answer([_info(one) for one in found], columns(rows))


def _remove(session: Session) -> Answer:
    key = session.args.key
    with session.library() as library:
        library.maps.remove(key)
    return Answer({"key": key}, f"Map {key} is removed.")


def _place(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        found = library.maps.place_new(session.args.key, ctx)
    return Answer(_record(found), _told(found))


def _align(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        laid = library.maps.align(library.maps.get(args.before), library.maps.get(args.after))
        moved = dict(zip(laid.ids.tolist(), laid.moved.tolist(), strict=True))
        movers = [int(one) for one in laid.movers[: args.number] if moved[int(one)] >= _STILL]
        rows = rows_of(library, movers)
    listed = [
        {
            "id": one,
            "citekey": rows[one].citekey,
            "title": rows[one].title,
            "moved": round(moved[one], 4),
        }
        for one in movers
        if one in rows
    ]
    told = {
        "before": args.before,
        "after": args.after,
        "papers": len(laid),
        "disparity": round(laid.disparity, 4),
        "movers": listed,
    }
    head = (
        f"Map {args.after} laid over map {args.before} by {counted(len(laid), 'paper')}: "
        f"{laid.disparity:.0%} of the picture differs."
    )
    if not listed:
        return Answer(told, f"{head} No paper moved.")
    head = f"{head} Papers that moved most:"
    lines = columns([(f"{one['moved']:.2f}", one["citekey"], one["title"]) for one in listed])
    return Answer(told, f"{head}\n{lines}")


def _info(one: MapInfo | MapLayout) -> Record:
    whole = {
        "key": one.key,
        "layout": one.layout,
        "model": one.version,
        "seed": one.seed,
        "made_at": one.made_at,
        "started_from": one.started_from,
    }
    from litscape.maps import MapInfo

    if isinstance(one, MapInfo):
        return {**whole, "scope": one.title, "papers": one.papers, "placed": one.placed}
    return {
        **whole,
        "scope": one.scope.title,
        "papers": len(one),
        "placed": int(one.placed.sum()),
    }


def _record(one: MapLayout) -> Record:
    return {**_info(one), "missing": one.missing, "sentence": one.sentence}


def _told(one: MapLayout) -> str:
    head = (
        f"Map {one.key}: {one.scope.title} by {one.layout}, {counted(len(one), 'paper')}, "
        f"seed {one.seed}, made {one.made_at} with {one.version}."
    )
    return "\n".join(filter(None, (head, one.sentence)))


def _size(text: str) -> tuple[int, int]:
    """``1600x1200`` as two numbers."""
    import argparse

    found = re.fullmatch(r"\s*(\d{1,6})\s*[x×*]\s*(\d{1,6})\s*", text, re.IGNORECASE)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1600x1200")
    return int(found[1]), int(found[2])


def _make_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--layout",
        choices=_LAYOUTS,
        help="umap (topics as islands), tsne (keeps most neighbours), pca (at once); umap, or the "
        "one that was made before",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, _MOST_SEED),
        metavar="N",
        help="the same one gives the same picture; 0 by default",
    )
    parser.add_argument(
        "--query", metavar="QUERY", help="only papers that a search by words finds, all of them"
    )
    add_filters(parser)
    parser.add_argument("--model", metavar="VERSION", help="by the vectors of another model")
    parser.add_argument(
        "--start",
        type=whole_number(1),
        metavar="KEY",
        help="begin with the places of another map and keep its way round, to compare both",
    )
    parser.add_argument(
        "--again", action="store_true", help="make it anew, even where it was made before"
    )
    _file_arguments(parser)


def _file_arguments(parser: argparse.ArgumentParser) -> None:
    """What is to be written, and how it looks."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write it to a file: .png, .svg, .pdf, .html (a page to explore, all in one), .csv or "
        ".parquet (places, topics and papers)",
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument(
        "--colour-by",
        choices=_COLOURS,
        help="in the file; by topics where they have been found, else by years",
    )
    parser.add_argument(
        "--size",
        type=_size,
        default=(1600, 1200),
        metavar="WIDTHxHEIGHT",
        help="of a picture, in pixels (1/96 inch on paper); 1600x1200 by default",
    )
    parser.add_argument(
        "--no-caption",
        action="store_true",
        help="leave out the line at the foot that says what the picture is and is not",
    )
    parser.add_argument(
        "--dark",
        action="store_true",
        help="a picture on a dark ground (a page follows its reader's light or dark)",
    )


def _key_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", type=whole_number(1), metavar="KEY", help="as `map list` shows it")


def _align_arguments(parser: argparse.ArgumentParser) -> None:
    for name, meaning in (("before", "the map that stays"), ("after", "the one laid over it")):
        parser.add_argument(name, type=whole_number(1), metavar=name.upper(), help=meaning)
    parser.add_argument(
        "-k",
        "--number",
        type=whole_number(1),
        default=_SHOWN,
        metavar="N",
        help=f"list at most N papers that moved ({_SHOWN})",
    )


MAP = Command(
    "map",
    "lay papers out in a picture by what they are about",
    arguments=_make_arguments,
    default="make",
    commands=(
        Command(
            "make",
            "make a map and keep it, or tell of the one that was made (also without a word)",
            _make,
            _make_arguments,
            _MAKE_KEYS,
        ),
        Command("list", "list the maps that were made, newest first", _list, keys=_INFO_KEYS,
                shape="list"),
        Command("place", "give papers that came later a place, without moving others", _place,
                _key_argument, _KEYS),
        Command("align", "lay one map over another and list the papers that moved most", _align,
                _align_arguments, _ALIGN_KEYS),
        Command("remove", "remove a map", _remove, _key_argument, {"key": "its number"}),
    ),
)  # fmt: skip
