"""The library that the page is about: the open one, or one that could not be opened."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from litscape.checkup import Repaired, check, repair
from litscape.jobs.runners import Lane
from litscape_app.window.pages.libraries_page.cloud import cloud_service, cloud_warning
from litscape_app.window.pages.libraries_page.facts import BackupFacts, backups_of, summary
from litscape_app.window.pages.page_frame import Sentence, when
from litscape_app.window.widgets.basics import (
    clear,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from litscape_app.window.session import Session

_SHOWN = 8


class Subject(QWidget):
    """Where it lies, how it is, its backups, and what keeps it safe."""

    restore_wanted = Signal(object)
    """The backup's file that is to take the library's place."""
    troubled = Signal(object)
    """An error of backing up or checking."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        theme = session.theme
        self.folder: Path | None = None
        self.name = label(select=True)
        self.name.setFont(theme.font("title"))
        self.place = label(tone="muted", wrap=True, select=True)
        self.state = Sentence()
        self.warning = Sentence(tone="warn")
        self.result = Sentence()
        self.show_folder = push_button("Show the folder", self._show_folder)
        self.back_up = push_button("Back up now", self._back_up)
        self.back_up_to = push_button("Back up to…", self._back_up_to)
        self.check = push_button("Check for damage", self._check)
        self.repair = push_button("Repair", self._repair)
        self.repair.setToolTip("Mends what can be mended, after a backup of the library file")
        self.backups_heading = heading(theme, "Backups")
        self.no_backups = Sentence("There is no backup in its folder yet.")
        self._rows = QWidget()
        self._column = vertical(self._rows, spacing=4)
        self.restores: list[QWidget] = []
        self._shown: tuple[BackupFacts, ...] | None = None
        vertical(
            self,
            self.name, self.place, self.state, self.warning, 2,
            flowing(self.back_up, self.back_up_to, self.check, self.show_folder),
            horizontal(None, self.result, self.repair), 6,
            self.backups_heading, self.no_backups, self._rows,
            spacing=6,
        )  # fmt: skip
        self.repair.hide()
        self._facts = session.slot(self)
        self._facts.done.connect(self._fill)
        self._summary = session.slot(self)
        self._summary.done.connect(self.state.say)
        self._checking = session.slot(self)
        self._checking.done.connect(self._checked)
        self._checking.failed.connect(self._stopped)

    def show_folder_of(self, folder: Path | None) -> None:
        """Be about a library's folder; None shows nothing."""
        if folder != self.folder:
            self.result.say("")
            self.repair.hide()
        self.folder = folder
        self.setVisible(folder is not None)
        if folder is None:
            return
        library = self._session.library
        is_open = library is not None and library.folder == folder
        self.name.setText(folder.name)
        self.place.setText(str(folder))
        service = cloud_service(folder)
        locked = "This library is open for reading only: nothing can be changed in it. "
        read_only = is_open and library is not None and library.database.read_only
        self.warning.say(
            (locked if read_only else "") + (cloud_warning(service) if service else ""), "warn"
        )
        for part in (self.back_up, self.back_up_to, self.check):
            part.setVisible(is_open)
        self.back_up.setEnabled(not read_only)
        if is_open:
            self._session.read(self._summary, "Count", lambda one, _ctx: summary(one))
        else:
            self._summary.cancel()
            self.state.say("It could not be opened.", "bad")
        self.read()

    def read(self) -> None:
        """Read which backups there are."""
        folder = self.folder
        if folder is not None:
            self._session.look(self._facts, "Read backups", lambda _ctx: backups_of(folder))

    def _fill(self, found: tuple[BackupFacts, ...]) -> None:
        if found == self._shown:
            return
        self._shown = found
        clear(self._column)
        self.restores = []
        self.no_backups.setVisible(not found)
        for one in found[:_SHOWN]:
            self._column.addWidget(self._row(one))
        if len(found) > _SHOWN:
            more = count(len(found) - _SHOWN, "older backup")
            self._column.addWidget(label(f"{more} in the folder “backups”", "muted"))

    def _row(self, one: BackupFacts) -> QWidget:
        row = QWidget()
        made = when(datetime.fromtimestamp(one.modified, UTC).isoformat())
        holds = count(one.papers, "paper") if one.papers is not None else "can't be read"
        parts = [made, holds, f"{one.megabytes:,.1f} MB", one.reason]
        tone = "" if not one.problem else "bad"
        text = label(" · ".join(part for part in parts if part), tone, wrap=True)
        text.setToolTip(plain_tooltip(str(one.file)))
        button = push_button(
            "Restore…", lambda: self.restore_wanted.emit(one), name=f"Restore the backup of {made}"
        )
        button.setEnabled(not one.problem)
        self.restores.append(button)
        horizontal(row, text, button).setStretch(0, 1)
        return row

    # -- acting ----------------------------------------------------------------------------------

    def _show_folder(self) -> None:
        if self.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.folder)))

    def _back_up(self, to: Path | None = None) -> None:
        self.back_up.setEnabled(False)
        self._session.work(
            "Back up the library",
            lambda library, _ctx: library.backup(to),
            Lane.READ,
            done=self._backed_up,
            failed=self.troubled.emit,
            ended=lambda: self.back_up.setEnabled(True),
        )

    def _back_up_to(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Where the backup goes")
        if name:
            self._back_up(Path(name))

    def _backed_up(self, file: Path) -> str:
        self.result.say(f"Backed up to {file}.", "good")
        self.read()
        return f"Backed up to {file}"

    def _check(self) -> None:
        self.check.setEnabled(False)
        self.result.say("Checking …")
        self._session.read(
            self._checking, "Check the library", lambda library, _ctx: check(library)
        )

    def _checked(self, problems: list[str]) -> None:
        self.check.setEnabled(True)
        library = self._session.library
        locked = library is None or library.database.read_only
        self.repair.setVisible(bool(problems) and not locked)
        if problems:
            self.result.say(" ".join(problems), "bad")
        else:
            self.result.say("The library is sound.", "good")

    def _stopped(self, error: BaseException) -> None:
        self.check.setEnabled(True)
        self.result.say("")
        self.troubled.emit(error)

    def _repair(self) -> None:
        self.repair.hide()
        self._session.work(
            "Repair the library",
            lambda library, _ctx: repair(library),
            done=self._repaired,
            failed=self.troubled.emit,
        )

    def _repaired(self, done: Repaired) -> str:
        kept = f"A backup from before is {done.backup.name}." if done.backup else ""
        state = done.problems or ("The library is sound.",)
        self.result.say(
            " ".join([*done.mended, kept, *state]).strip(), "bad" if done.problems else "good"
        )
        self.read()
        return "The library is repaired" if not done.problems else "Not all could be mended"
