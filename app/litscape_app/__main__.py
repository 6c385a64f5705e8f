"""``litscape``: the window without a command, the command line with one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    if not arguments or arguments == ["--example"]:  # nothing more is loaded before the window
        return _window(None, example=bool(arguments))
    from litscape_app.cli.main import execute, parse

    try:
        args = parse(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    if args.command is None and not args.show_version and not args.json:
        library = Path(args.library).expanduser().absolute() if args.library else None
        return _window(library, example=args.example)
    return execute(args)


def main_window() -> int:
    """Open the window, on the library named by the first argument if there is one."""
    return _window(Path(sys.argv[1]).expanduser().absolute() if len(sys.argv) > 1 else None)


def _window(library: Path | None, *, example: bool = False) -> int:
    if _without_screen():
        return _no_window("there is no screen (DISPLAY and WAYLAND_DISPLAY are not set)")
    try:
        from litscape_app.window.app import run

        return run(library, example=example)
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6")) and ".so" not in str(error):
            raise
        return _no_window(f"{error}; `make setup` names the system packages that Qt needs")


def _without_screen() -> bool:
    """Whether Qt would abort for want of a display; other systems always have one."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(map(os.environ.get, names))


def _no_window(reason: str) -> int:
    sys.stderr.write(
        f"litscape: The window can't open: {reason}. Every command works without it; "
        "see `litscape --help`.\n"
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
