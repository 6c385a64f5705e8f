"""What the page shows of libraries and backups, read beside the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.store.backup import papers_in
from litscape.store.places import FILE, backups
from litscape_app.window.libraries import folder_of_libraries
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.library import Library

_REASONS = {"backup": "backup", "schema": "before an upgrade", "replaced": "before a restore"}


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """One backup of a library.

    Attributes:
        file: where it lies.
        modified: when it was made, seconds since 1970.
        megabytes: its size.
        papers: how many it holds, the trash included; None where it can't be read.
        problem: why it can't be used, in a sentence.
        reason: why it was made.
    """

    file: Path
    modified: float
    megabytes: float
    papers: int | None = None
    problem: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """A library that can be opened.

    Attributes:
        folder: where it lies.
        there: whether it is there.
        megabytes: size of its database.
    """

    folder: Path
    there: bool
    megabytes: float = 0.0


def known_libraries(recent: Sequence[str]) -> tuple[LibraryFacts, ...]:
    """The libraries opened before, newest first, then others in the usual place."""
    usual = folder_of_libraries()
    try:
        others = sorted(one for one in usual.iterdir() if (one / FILE).is_file())
    except OSError:
        others = []
    folders = dict.fromkeys([*(Path(one) for one in recent), *others])
    return tuple(_facts(folder) for folder in folders)


def _facts(folder: Path) -> LibraryFacts:
    try:
        size = (folder / FILE).stat().st_size
    except OSError:
        return LibraryFacts(folder, False)
    return LibraryFacts(folder, True, size / 1e6)


def backups_of(folder: Path) -> tuple[BackupFacts, ...]:
    """The backups in a library's folder, newest first."""
    try:
        return tuple(_backup(file) for file in backups(folder))
    except OSError:
        return ()


def _backup(file: Path) -> BackupFacts:
    stat = file.stat()
    words = file.stem.split("-")
    reason = next((text for key, text in _REASONS.items() if key in words), "")
    facts = (file, stat.st_mtime, stat.st_size / 1e6)
    try:
        return BackupFacts(*facts, papers=papers_in(file), reason=reason)
    except LitscapeError as error:
        return BackupFacts(*facts, problem=str(error), reason=reason)


def summary(library: Library) -> str:
    """What an open library holds, in one line."""
    info = library.info()
    parts = [count(info.papers, "paper")]
    if info.trashed:
        parts.append(f"{info.trashed:,} in the trash")
    if info.citations:
        parts.append(count(info.citations, "citation link"))
    if info.embedded:
        parts.append(f"{info.embedded:,} with vectors")
    return " · ".join(parts)
