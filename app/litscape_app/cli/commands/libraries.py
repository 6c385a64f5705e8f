"""``litscape library``: which libraries there are, and care for one; ``litscape backup``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litscape import paths
from litscape import settings as app_settings
from litscape.errors import DamagedLibraryError, UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.session import LIBRARY_FILE

if TYPE_CHECKING:
    import argparse

    from litscape.checkup import Repaired
    from litscape.library import Library
    from litscape_app.cli.session import Session

_EXAMPLE = "Example"
UNSOUND = 3
"""Exit status of a check that found damage."""


def _list(session: Session) -> Answer:
    recent = [Path(one) for one in session.settings.recent]
    own = paths.data_dir() / "libraries"
    others = sorted(own.iterdir()) if own.is_dir() else []
    folders = list(dict.fromkeys([*recent, *(one for one in others if _is_library(one))]))
    records = [
        {
            "path": str(folder),
            "name": folder.name,
            "exists": _is_library(folder),
            "default": bool(recent) and folder == recent[0],
        }
        for folder in folders
    ]
    rows = [
        (
            "*" if one["default"] else "",
            one["name"],
            one["path"],
            "" if one["exists"] else "missing",
        )
        for one in records
    ]
    return Answer(records, columns(rows, whole=True) if rows else "No library has been opened yet.")


def _is_library(folder: Path) -> bool:
    return (folder / LIBRARY_FILE).is_file()


def _open(session: Session) -> Answer:
    session.args.library = session.args.dir
    with session.library() as library:
        return _opened(library, session.folder)


def _new(session: Session) -> Answer:
    session.args.library = session.args.dir
    if _is_library(session.folder):
        raise UserError(f"There is already a library at {session.folder}.")
    with session.library(create=True) as library:
        return _opened(library, session.folder)


def _example(session: Session) -> Answer:
    from litscape_resources import example_library

    given = session.args.dir
    folder = Path(given) if given else paths.data_dir() / "libraries" / _EXAMPLE
    session.args.library = str(folder)
    with session.library(create=True) as library:
        if not len(library.papers):
            with job_context() as ctx:
                library.imports.run([example_library()], ctx)
        return _opened(library, session.folder)


def _opened(library: Library, folder: Path) -> Answer:
    number = len(library.papers)
    text = f"{folder}, with {counted(number, 'paper')}, is the library in use now."
    return Answer({"path": str(folder), "papers": number}, text)


def _forget(session: Session) -> Answer:
    folder = Path(session.args.dir).expanduser().absolute()
    if str(folder) not in session.settings.recent:
        raise UserError(f"{folder} is not among the recent libraries; see `litscape library list`.")
    app_settings.save(session.settings.forgotten(folder))
    return Answer({"path": str(folder)}, f"{folder} is no longer listed; nothing was deleted.")


def _check(session: Session) -> Answer:
    from litscape import checkup

    try:
        with session.library(reading=not session.args.repair) as library:
            if session.args.repair:
                return _repaired(checkup.repair(library))
            problems = checkup.check(library)
    except DamagedLibraryError as fault:  # it can't even be opened, and says what helps
        return _repaired(checkup.Repaired((), (str(fault),), None))
    record = {"sound": not problems, "problems": problems, "mended": [], "backup": None}
    if not problems:
        return Answer(record, "The library is sound.")
    way_out = "`litscape library check --repair` mends what can be mended, after a backup."
    return Answer(record, "\n".join([*problems, way_out]), UNSOUND)


def _repaired(done: Repaired) -> Answer:
    record = {
        "sound": not done.problems,
        "problems": list(done.problems),
        "mended": list(done.mended),
        "backup": str(done.backup) if done.backup else None,
    }
    lines = [f"The library was backed up to {done.backup}."] if done.backup else []
    lines += [*done.mended, *(done.problems or ["The library is sound."])]
    return Answer(record, "\n".join(lines), UNSOUND if done.problems else 0)


def _backup(session: Session) -> Answer:
    given = session.args.dest
    with session.library(reading=_is_library(session.folder)) as library:
        file = library.backup(Path(given).expanduser().absolute() if given else None)
    return Answer({"file": str(file)}, f"Backed up to {file}.")


def _restore(session: Session) -> Answer:
    from litscape.store.backup import restore_backup

    backup = Path(session.args.backup).expanduser().absolute()
    folder = session.folder
    kept = restore_backup(folder, backup)
    text = f"{folder} was restored from {backup}."
    if kept:
        text += f" What was there before is kept as {kept}."
    return Answer({"path": str(folder), "kept": str(kept) if kept else None}, text)


def _dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", metavar="DIR", help="the library's folder")


def _repair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repair", action="store_true", help="back the library up, then mend what can be mended"
    )


def _optional_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", nargs="?", metavar="DIR", help="by default a place of its own")


def _dest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "dest",
        nargs="?",
        metavar="DEST",
        help="a file ending in .sqlite, or a folder, made where it is missing; by default the "
        "library's backups",
    )


def _backup_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", metavar="BACKUP", help="the file that `backup` wrote")


_OPENED = {"path": "the library's folder", "papers": "live papers in it"}
_FILE = {"file": "the backup"}
LIBRARY = Command(
    "library",
    "list, open, make, check, back up and restore libraries",
    default="list",
    commands=(
        Command(
            "list",
            "list the known libraries (also without a word)",
            _list,
            keys={
                "path": "the folder",
                "name": "its last part",
                "exists": "whether a library is there",
                "default": "whether commands without --library use it",
            },
            shape="list",
        ),
        Command("open", "use this one from now on", _open, _dir, keys=_OPENED),
        Command("new", "make an empty one and use it", _new, _dir, keys=_OPENED),
        Command("example", "make the example library and use it", _example, _optional_dir, _OPENED),
        Command("forget", "take one off the list; it stays on disk", _forget, _dir, {"path": "it"}),
        Command(
            "check",
            "look for damage in the library and its vectors; exit status 3 where there is any",
            _check,
            _repair,
            keys={
                "sound": "whether nothing is wrong (any more)",
                "problems": "list of sentences on what is wrong (still)",
                "mended": "list of sentences on what was mended",
                "backup": "the copy made before mending, or null",
            },
        ),
        Command("backup", "copy it to a file while it is in use", _backup, _dest, keys=_FILE),
        Command(
            "restore",
            "go back to a backup",
            _restore,
            _backup_file,
            keys={"path": "the library's folder", "kept": "the file from before, or null"},
        ),
    ),
)
BACKUP = Command("backup", "the same as `library backup`", _backup, _dest, keys=_FILE)
