"""``litscape export``: write papers to a file or to stdout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape.exporters.written import written_whole
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import counted
from litscape_app.cli.refs import resolve_all

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.exporters.losses import Losses
    from litscape.library import Library
    from litscape_app.cli.session import Session

FORMATS = ("jsonl", "bibtex", "ris", "csl-json", "csv")


def _export(session: Session) -> Answer | None:
    from litscape.exporters.losses import Losses

    args = session.args
    to_stdout = args.file == "-"
    target = None if to_stdout else target_file(args.file, force=args.force)
    losses = Losses(args.format)
    with session.library(create=to_stdout, reading=True) as library:
        ids = _chosen(session, library)
        if target is None:
            _to_stdout(library, args.format, ids, losses)
            _tell(session, losses)
            return None
        with written_whole(target) as stream:
            number = library.export(args.format, stream, ids, losses)
    _tell(session, losses)
    left_out = [{"what": one.what, "papers": one.papers} for one in losses.found]
    record = {
        "file": str(target),
        "format": args.format,
        "papers": number,
        "left_out": left_out,
    }
    return Answer(record, f"{counted(number, 'paper')} written to {target}.")


def _tell(session: Session, losses: Losses) -> None:
    if said := losses.sentence():
        session.out.message(said)


def _chosen(session: Session, library: Library) -> Sequence[int] | None:
    """The papers asked for; None for all."""
    args = session.args
    flt = read_filter(session, library)
    filtered = None if flt is None else [int(one) for one in library.papers.ids(flt)]
    if args.ids:
        whole = [ref for ref in args.ids if library.papers.resolve(ref) is not None]
        parts = [part for ref in args.ids if ref not in whole for part in ref.split(",")]
        named = resolve_all(library, [*whole, *(part.strip() for part in parts if part.strip())])
        return named if filtered is None else [one for one in named if one in set(filtered)]
    return filtered


def _to_stdout(
    library: Library, kind: str, ids: Sequence[int] | None, losses: Losses | None = None
) -> None:
    try:
        library.export(kind, sys.stdout, ids, losses)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise EnvironmentFault(f"The export could not be written: {error.strerror}.") from error


def target_file(text: str, *, force: bool) -> Path:
    """The file that a person names to be written.

    Raises:
        UserError: it is a folder, or is there already and may not be replaced.
    """
    target = Path(text).expanduser().absolute()
    if target.is_dir():
        raise UserError(f"{target} is a folder; name a file in it.")
    if target.is_file() and not force:
        raise UserError(f"{target} is there already; --force replaces it.")
    return target


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the file to write; - for stdout")
    parser.add_argument(
        "--format", choices=FORMATS, required=True, help="jsonl loses nothing; the others may"
    )
    parser.add_argument(
        "--ids",
        action="append",
        metavar="REF,…",
        help="only these papers: ids, citation keys or DOIs; may be repeated",
    )
    add_filters(parser)
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


EXPORT = Command(
    "export",
    "write papers to a file or to stdout",
    _export,
    _arguments,
    keys={
        "file": "the file written",
        "format": "its format",
        "papers": "how many papers are in it",
        "left_out": "list of {what, papers}: what the format has no place for, and how many papers"
        " have such",
    },
)
