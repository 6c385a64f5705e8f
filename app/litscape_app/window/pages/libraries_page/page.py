"""The page of libraries: this one and its backups, others, and what can't be opened."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from litscape.errors import LibraryBusyError, NewerLibraryError
from litscape.jobs.runners import Job, Lane
from litscape.store.backup import restore_backup
from litscape.store.files import is_writable
from litscape.store.places import FILE
from litscape_app.window.ask import confirm
from litscape_app.window.libraries import open_example
from litscape_app.window.pages.libraries_page import open_library
from litscape_app.window.pages.libraries_page.others import Others
from litscape_app.window.pages.libraries_page.subject import Subject
from litscape_app.window.pages.page_frame import PageFrame, scrolled
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import hairline
from litscape_app.window.words import count

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QShowEvent

    from litscape.jobs import JobContext
    from litscape_app.actions.command import Desk
    from litscape_app.window.pages.libraries_page.facts import BackupFacts

_TRIES, _PAUSE_S = 30, 0.1


class LibrariesPage(PageFrame):
    """Opening, making, backing up, restoring, checking."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Libraries")
        self.subject = Subject(self.session)
        self.others = Others(self.session, lambda: open_example(desk))
        self._line = hairline()
        self.body.addWidget(scrolled(self.subject, 8, self._line, 8, self.others), 1)
        self._refused: Path | None = None
        self.others.open_wanted.connect(self.open)
        self.others.make_wanted.connect(lambda folder: self.open(folder, create=True))
        self.subject.restore_wanted.connect(self._ask_restore)
        self.subject.troubled.connect(self.tell)
        self.session.opened.connect(self._opened)
        self._show()

    def open(self, folder: Path, *, create: bool = False, read_only: bool = False) -> None:
        """Open a library; what keeps it closed is said here."""
        self.problem.hide()
        open_library(self.desk, folder, create=create, read_only=read_only)

    def show_refusal(self, folder: Path, error: BaseException) -> None:
        """Say why a library could not be opened, and show what there is to mend it with."""
        self._refused = folder if (folder / FILE).exists() else None
        self._show()
        self.tell(error, f"Open {folder.name}", self._way_out(folder, error))

    def _way_out(self, folder: Path, error: BaseException) -> Offer | None:
        if isinstance(error, NewerLibraryError):
            return None
        if isinstance(error, LibraryBusyError):
            return Offer("Try again", lambda: self.open(folder))
        file = folder / FILE
        if file.is_file() and not (is_writable(file) and is_writable(folder)):
            return Offer("Open for reading", lambda: self.open(folder, read_only=True))
        if not file.exists() and str(folder) in self.session.settings.recent:
            return Offer("Take it off the list", lambda: self._forget(folder))
        return None

    def _forget(self, folder: Path) -> None:
        self.session.remember(self.session.settings.forgotten(folder))
        self._show()

    # -- showing ---------------------------------------------------------------------------------

    def _opened(self) -> None:
        if self.session.library is not None:
            self._refused = None
            self.problem.hide()
        self._show()

    def _show(self) -> None:
        library = self.session.library
        folder = self._refused or (library.folder if library is not None else None)
        self._line.setVisible(folder is not None)
        if self.isVisible() or folder is None:
            self.subject.show_folder_of(folder)
            self.others.read()

    def showEvent(self, event: QShowEvent) -> None:
        """Backups and libraries may have come or gone."""
        super().showEvent(event)
        self._show()

    # -- restoring -------------------------------------------------------------------------------

    def _ask_restore(self, backup: BackupFacts) -> None:
        folder = self.subject.folder
        if folder is None:
            return
        holds = count(backup.papers or 0, "paper")
        question = (
            f"Put the backup with {holds} in the place of the library “{folder.name}”? What was "
            "changed since the backup is not in it. The library as it is now is kept in its folder "
            "backups/replaced."
        )
        if confirm(self, "Restore a backup", question, "Restore"):
            self.restore(folder, backup.file)

    def restore(self, folder: Path, file: Path) -> None:
        """Close the library, put the backup in its place and open it again."""
        library = self.session.library
        if library is not None and library.folder == folder:
            self.session.leave()
        self.desk.show_page("libraries", again=True)

        def restored(kept: Path | None) -> str:
            where = f" What was there before is kept as {kept.name}." if kept else ""
            said = f"“{folder.name}” is as in the backup again.{where}"
            open_library(self.desk, folder)
            self.session.say(said)
            return said

        def failed(error: BaseException) -> None:
            self._refused = folder
            self._show()
            self.tell(error, "Restore a backup")

        self.session.jobs.start(
            Job("Restore a backup", lambda ctx: _restore(folder, file, ctx), Lane.WRITE),
            done=restored,
            failed=failed,
        )


def _restore(folder: Path, file: Path, ctx: JobContext) -> Path | None:
    """Restore once nothing of this window reads the old file any more."""
    for attempt in range(_TRIES):
        ctx.check()
        try:
            return restore_backup(folder, file)
        except LibraryBusyError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE_S)
    return None
