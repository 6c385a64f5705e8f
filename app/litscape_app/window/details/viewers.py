"""Opening a PDF at a page, where the program that shows PDFs can be told one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from litscape_app.window.details.links import open_file

if TYPE_CHECKING:
    from collections.abc import Callable

_VIEWERS: dict[str, Callable[[str, int], list[str]]] = {
    "evince": lambda file, page: ["evince", f"--page-index={page}", file],
    "papers": lambda file, page: ["papers", f"--page-index={page}", file],
    "atril": lambda file, page: ["atril", f"--page-index={page}", file],
    "xreader": lambda file, page: ["xreader", f"--page-index={page}", file],
    "okular": lambda file, page: ["okular", "--page", str(page), file],
    "zathura": lambda file, page: ["zathura", f"--page={page}", file],
    "qpdfview": lambda file, page: ["qpdfview", "--unique", f"{file}#{page}"],
    "xpdf": lambda file, page: ["xpdf", file, str(page)],
    "mupdf": lambda file, page: ["mupdf", file, str(page)],
    "firefox": lambda file, page: ["firefox", f"{Path(file).as_uri()}#page={page}"],
    "chromium": lambda file, page: ["chromium", f"{Path(file).as_uri()}#page={page}"],
    "google-chrome": lambda file, page: ["google-chrome", f"{Path(file).as_uri()}#page={page}"],
}
"""Programs for PDFs that take a page, by the name of their desktop entry or its last part."""
_ASK_S = 2.0


def open_at(file: str, page: int) -> str:
    """Open a PDF at a page (from 1), else at its beginning.

    Returns:
        A sentence when it could not be done, empty when it was.
    """
    path = Path(file)
    if path.suffix.lower() == ".pdf" and path.is_file() and sys.platform.startswith("linux"):
        command = command_for(_default_viewer(), file, page)
        if command and shutil.which(command[0]):
            try:
                subprocess.Popen(
                    command, start_new_session=True, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                )  # fmt: skip
            except OSError:
                return open_file(file)
            return ""
    return open_file(file)


def command_for(desktop: str, file: str, page: int) -> list[str]:
    """The command of the program of a desktop entry; empty where it is not known to take a page."""
    name = desktop.strip().lower().removesuffix(".desktop")
    make = _VIEWERS.get(name) or _VIEWERS.get(name.rpartition(".")[2])
    return make(file, page) if make else []


def _default_viewer() -> str:
    """The desktop entry of the program that opens PDFs; empty where nobody can tell."""
    try:
        told = subprocess.run(
            ["xdg-mime", "query", "default", "application/pdf"],
            capture_output=True, text=True, timeout=_ASK_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout
