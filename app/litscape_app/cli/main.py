"""From arguments to an exit status; ``docs/cli.md`` lists them."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, LitscapeError, UserError
from litscape.jobs.context import JobCancelledError
from litscape.log import logging_to_file
from litscape_app.cli.command import INTERRUPTED
from litscape_app.cli.output import Output, prepare_streams
from litscape_app.cli.parser import build_parser
from litscape_app.cli.session import Session
from litscape_app.cli.values import check_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from litscape_app.cli.command import Answer

log = logging.getLogger(__name__)
DONE, BUG, MISTAKE, READER_GONE = 0, 1, 2, 141


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the arguments.

    Raises:
        SystemExit: after ``--help`` (0) or on a mistake (2), with the message printed.
    """
    prepare_streams()
    return build_parser().parse_args(argv)


def run(argv: Sequence[str]) -> int:
    """Run one command line and return the exit status; never raises."""
    try:
        return execute(parse(argv))
    except SystemExit as end:
        return int(end.code or 0)


def execute(args: argparse.Namespace) -> int:
    """Run the command of parsed arguments and return the exit status."""
    with logging_to_file(logging.WARNING) as log_path:
        out = Output(as_json=args.json)
        try:
            return _dispatch(args)
        except (JobCancelledError, KeyboardInterrupt) as stop:
            out.message(f"Stopped. {str(stop) or 'What had been finished is kept.'}")
            return INTERRUPTED
        except BrokenPipeError:  # the reader of a pipe has seen enough, as with `| head`
            _silence_stdout()
            return READER_GONE
        except LitscapeError as error:
            out.message(str(error))
            return MISTAKE
        except Exception as error:  # noqa: BLE001 - the border: whatever is left is a bug
            return _report_bug(error, out, log_path)


def _dispatch(args: argparse.Namespace) -> int:
    command = args.command
    if args.show_version:
        from importlib.metadata import version

        sys.stdout.write(f"litscape {version('litscape')}\n")
        return DONE
    if sys.stdout is None:
        raise EnvironmentFault("There is no standard output to write the answer to.")
    check_text(args)
    if command is None or command.run is None:
        names = ", ".join(one.name for one in command.commands) if command else "see --help"
        raise UserError(f"Which command? ({names})")
    session = Session(args)
    answer: Answer | None = command.run(session)
    if answer is None:
        return DONE
    session.out.answer(answer)
    return answer.status


def _report_bug(error: Exception, out: Output, log_path: Path) -> int:
    log.error("a bug ended the command", exc_info=error)
    # A process of the program that fails sends its whole traceback: the last line says what it was.
    reason = (str(error).strip().splitlines() or [""])[-1]
    out.message(
        f"This is a fault of the program, not yours: {type(error).__name__}: {reason}. "
        f"Details are in {log_path}."
    )
    return BUG


def _silence_stdout() -> None:
    """Keep Python from complaining about the closed pipe once more when it ends."""
    try:
        handle = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, handle)
    os.close(nowhere)
