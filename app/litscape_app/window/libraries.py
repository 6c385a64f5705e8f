"""Opening, making and backing up libraries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litscape import paths

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk
    from litscape_app.window.session import Session

_OWN, _EXAMPLE = "My library", "Example"


def folder_of_libraries() -> Path:
    """Where libraries lie unless the person wants them elsewhere."""
    return paths.data_dir() / "libraries"


def own_library() -> Path:
    """The folder of the library that a first import makes."""
    return folder_of_libraries() / _OWN


def open_example(desk: Desk) -> None:
    """Open the example library; its papers come in at the first time."""
    open_example_in(desk.session)


def open_example_in(session: Session) -> None:
    """The same, without a desk."""
    from litscape_app.window.importing import start_import
    from litscape_resources import example_library

    def fill() -> None:
        library = session.library
        if library is not None and library.papers.count() == 0:
            start_import(session, [example_library()])

    session.open(folder_of_libraries() / _EXAMPLE, fill)


def ask_open(desk: Desk) -> None:
    """Choose the folder of a library and open it."""
    from PySide6.QtWidgets import QFileDialog

    start = str(folder_of_libraries())
    name = QFileDialog.getExistingDirectory(desk.table, "Open a library", start)
    if not name:
        return
    desk.open_library(Path(name))


def ask_new(desk: Desk) -> None:
    """Name a new library and make it."""
    from litscape_app.window.ask import ask_name

    def explain(text: str) -> str:
        return f"It will lie in {new_place(text)}" if text else f"Names go to {place}"

    place = folder_of_libraries()
    name = ask_name(desk.table, "New library", "Name, or a folder's whole path", "", explain)
    if name:
        desk.open_library(new_place(name), create=True)


def new_place(text: str) -> Path:
    """Where a new library lies: a path as it stands, a name below the folder of libraries."""
    if text == "~" or text.startswith(("~/", "~\\")) or Path(text).is_absolute():
        return Path(text).expanduser()
    return free_folder(folder_of_libraries(), text)


def free_folder(place: Path, name: str) -> Path:
    """A folder of about that name in ``place`` that is not there yet."""
    safe = "".join(c for c in name if c.isalnum() or c in " -_.").strip(" .") or "library"
    folder = place / safe
    number = 2
    while folder.exists():
        folder = place / f"{safe} {number}"
        number += 1
    return folder


def ask_backup(desk: Desk) -> None:
    """Choose where a copy of the library goes and make it."""
    from PySide6.QtWidgets import QFileDialog

    library = desk.session.library
    if library is None:
        return
    start = str(library.folder / "backups" / f"{library.folder.name}.sqlite")
    (library.folder / "backups").mkdir(exist_ok=True)
    name, _kind = QFileDialog.getSaveFileName(desk.table, "Back up", start, "Libraries (*.sqlite)")
    if name:
        desk.session.work(
            "Back up the library",
            lambda opened, _ctx: opened.backup(Path(name)),
            done=lambda path: _told(desk, Path(path)),
        )


def _told(desk: Desk, path: Path) -> str:
    said = f"Backed up to {path}"
    desk.session.say(said)
    return said
