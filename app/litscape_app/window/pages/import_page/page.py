"""The import page: nothing comes in before the person has seen what it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QListWidget, QWidget

from litscape.errors import UserError
from litscape_app.window.importing import FILTER
from litscape_app.window.libraries import own_library
from litscape_app.window.pages.add_paper import add_page
from litscape_app.window.pages.import_page import paste
from litscape_app.window.pages.import_page.form import EmptyImport, Target
from litscape_app.window.pages.import_page.preview import Preview
from litscape_app.window.pages.import_page.running import ImportProgress
from litscape_app.window.pages.import_page.sources import ImportSource, look_into, unread
from litscape_app.window.pages.page_frame import (
    ENTER,
    PageFrame,
    Sentence,
    Switch,
    elide,
    scroll_area,
)
from litscape_app.window.widgets.basics import (
    ground,
    horizontal,
    push_button,
    tool_button,
    vertical,
)
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent

    from litscape.importers.pasted import Pasted
    from litscape.paper import ImportReport
    from litscape_app.actions.command import Desk

_ROWS = 4


class ImportPage(PageFrame):
    """Choose, drop or paste; look; choose where to; import; then the report."""

    def __init__(self, desk: Desk) -> None:
        theme = desk.session.theme
        earlier = tool_button(
            theme, "inbox", "Reports of earlier imports", lambda: desk.show_page("report"),
            text="Earlier imports", kind="link",
        )  # fmt: skip
        super().__init__(desk, "Import", earlier)
        self.sources: list[ImportSource] = []
        self.empty = EmptyImport(theme, self.choose, self.choose_folder, lambda: paste(desk))
        self.list = QListWidget()
        self.preview = Preview(theme)
        self.target = Target(self.session)
        self.progress = ImportProgress(self)
        self.progress.ended.connect(self._ended)
        self.left_out = Sentence()
        self.go = push_button("Import", self.start, kind="primary")
        self.more = push_button("Add files…", self.choose)
        self.clear_button = push_button("Clear", self.clear, name="Choose something else")
        self.form = self._form()
        self.parts = Switch(self.empty, self.form, self.progress)
        self.body.addWidget(self.parts, 1)
        self._looking = self.session.slot(self)
        self._looking.partial.connect(self._looked)
        self._looking.failed.connect(self._look_failed)
        self._pasting = self.session.slot(self)
        self._pasting.done.connect(self._pasted)
        self.preview.reread.connect(self._reread)
        self.session.opened.connect(self._show)
        self._show()

    def _form(self) -> QWidget:
        form = QWidget()
        self.list.setAccessibleName("Files to import")
        elide(self.list)
        self.list.currentRowChanged.connect(lambda _row: self._show_current())
        self.remove = tool_button(
            self.theme, "close", "Take this file off the list", self._remove, text="Leave out",
            kind="quiet",
        )  # fmt: skip
        self._many = QWidget()
        below = horizontal(None, self.left_out, self.remove)
        below.setStretch(0, 1)
        below.setAlignment(self.remove, Qt.AlignmentFlag.AlignRight)
        vertical(self._many, self.list, below)
        choices = QWidget()
        ground(choices, "reading")
        inner = vertical(choices, self._many, spacing=8)
        inner.addWidget(self.preview, 1)
        inner.addSpacing(8)
        inner.addWidget(self.target)
        column = vertical(form, spacing=8)
        column.addWidget(scroll_area(choices), 1)
        column.addLayout(horizontal(None, self.go, self.more, self.clear_button, 0))
        return form

    # -- what to import --------------------------------------------------------------------------

    def choose(self) -> None:
        """Choose files in a dialog."""
        names, _kind = QFileDialog.getOpenFileNames(self, "Import", "", FILTER)
        if names:
            self.take_files([Path(name) for name in names])

    def choose_folder(self) -> None:
        """Choose a folder of files in a dialog."""
        name = QFileDialog.getExistingDirectory(self, "Import a folder")
        if name:
            self.take_files([Path(name)])

    def take_files(self, paths: Sequence[Path]) -> None:
        """Put files on the list and look into them."""
        self._begin_anew()
        if any(one.text is not None for one in self.sources):
            self.sources = []
        known = {one.location for one in self.sources}
        locations = dict.fromkeys(str(path.absolute()) for path in paths)
        new = [ImportSource(one) for one in locations if one not in known]
        self._take(new)

    def take_text(self, text: str) -> None:
        """Look into pasted text in place of what was on the list."""
        self._begin_anew()
        self.sources = []
        self._take([ImportSource("pasted text", text)])

    def recognise(self, text: str) -> None:
        """Find out what was copied; it is shown here, or on the page that adds single papers."""
        self.session.look(self._pasting, "Recognise", lambda _ctx: _recognised(text))

    def _pasted(self, found: Pasted | str) -> None:
        if isinstance(found, str):
            self.session.say(found)
        elif found.kind == "records":
            self.take_text(found.text)
            self.desk.show_page("import", again=True)
        else:
            add_page(self.desk).take_text(found.text)
            self.desk.show_page("add", again=True)

    def clear(self) -> None:
        """Choose something else."""
        self._looking.cancel()
        self.sources = []
        self.problem.hide()
        self._show()

    def _begin_anew(self) -> None:
        """An import that runs goes on; the page turns to something new."""
        self.problem.hide()
        self.progress.forget()

    def _take(self, new: Sequence[ImportSource]) -> None:
        self.sources += new
        self._fill_list(len(self.sources) - len(new) if new else 0)
        self._look()
        self._show()

    def _remove(self) -> None:
        row = self._row
        del self.sources[row]
        self._fill_list(min(row, len(self.sources) - 1))
        self._show()

    def _reread(self, kind: str | None, encoding: str | None) -> None:
        self.sources[self._row] = self.sources[self._row].read_as(kind, encoding)
        self._look()
        self._show()

    def _look(self) -> None:
        waiting = [one for one in self.sources if one.waiting]
        if waiting:
            self.session.look(self._looking, "Preview", lambda ctx: look_into(waiting, ctx))

    def _looked(self, source: ImportSource) -> None:
        for row, one in enumerate(self.sources):
            if one.key == source.key:
                self.sources[row] = source
        self._show()

    def _look_failed(self, error: BaseException) -> None:
        """The look ended before every source was done: those rows say so."""
        self.sources = [unread(one, error) if one.waiting else one for one in self.sources]
        self._show()

    # -- showing ---------------------------------------------------------------------------------

    @property
    def _row(self) -> int:
        return max(0, min(self.list.currentRow(), len(self.sources) - 1))

    def _fill_list(self, row: int) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addItems([one.name for one in self.sources])
        self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _show(self) -> None:
        if self.progress.entry is not None:
            self.parts.show_part(self.progress)
            return
        self.parts.show_part(self.form if self.sources else self.empty)
        several = len(self.sources) > 1
        self._many.setVisible(several)
        for row, one in enumerate(self.sources):
            item = self.list.item(row)
            item.setText(_line(one))
            mark = ("warning", "bad") if one.problem else ("file", "muted")
            item.setIcon(self.theme.icon(*mark))
        height = self.list.sizeHintForRow(0) if several else 20
        self.list.setFixedHeight(min(len(self.sources), _ROWS) * height + 4)
        bad = sum(bool(one.problem) for one in self.sources)
        self.left_out.say(
            f"{count(bad, 'file')} can't be read and will be left out." if bad else "", "warn"
        )
        self._show_current()
        self._show_button()

    def _show_current(self) -> None:
        if not self.sources:
            return
        self.preview.show_source(self.sources[self._row])
        alone = len(self.sources) == 1
        for combo in (self.preview.kind, self.preview.encoding):
            combo.setEnabled(alone)
            combo.setToolTip("" if alone else "To choose it, import this file alone")

    def _show_button(self) -> None:
        library = self.session.library
        ready = self._ready()
        number = len(ready)
        self.go.setText("Import" if number < 2 else f"Import {count(number, 'file')}")
        waiting = any(one.waiting for one in self.sources)
        locked = library is not None and library.database.read_only
        self.go.setEnabled(bool(ready) and not waiting and not locked)
        self.more.setVisible(all(one.text is None for one in self.sources))
        self.target.explain(locked)

    def _ready(self) -> list[ImportSource]:
        return [one for one in self.sources if one.preview is not None and one.preview.drafts]

    # -- importing -------------------------------------------------------------------------------

    def start(self) -> None:
        """Import what could be read."""
        try:
            self.target.collection.path()
        except UserError as error:
            self.tell(error)
            return
        self.problem.hide()
        if self.session.library is not None:
            self._run()
            return
        self.session.open(own_library(), self._opened, self.tell)

    def _opened(self) -> None:
        self.desk.show_page("import", again=True)
        self._run()

    def _run(self) -> None:
        self.progress.run(
            self._ready(),
            collection=self.target.collection.path(),
            all_or_nothing=self.target.all_or_nothing,
        )
        self._show()
        self.progress.cancel.setFocus()

    def _ended(self, report: ImportReport | None) -> None:
        if report is not None:
            self.sources = []
        self._show()

    # -- keys ------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Offer the collections there are."""
        super().showEvent(event)
        self.target.collection.read()
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes to an empty page goes on at once: Enter chooses files."""
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.OtherFocusReason and self.parts.part is self.empty:
            self.empty.choose.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter imports, Delete leaves a file out, Ctrl+V takes the clipboard."""
        key = event.key()
        pressed = self.focusWidget()
        on_button = isinstance(pressed, QAbstractButton) and pressed.hasFocus()
        if key in ENTER and not on_button and self.parts.part is self.form:
            if self.go.isEnabled():
                self.start()
        elif key == Qt.Key.Key_Delete and len(self.sources) > 1 and self.list.hasFocus():
            self._remove()
        else:
            super().keyPressEvent(event)


def _recognised(text: str) -> Pasted | str:
    from litscape.importers.pasted import recognise

    try:
        return recognise(text)
    except UserError as error:
        return str(error)


def _line(source: ImportSource) -> str:
    if source.problem:
        return f"{source.name}: can't be read"
    if source.preview is None:
        return f"{source.name}: reading …"
    if not source.preview.drafts:
        return f"{source.name}: no records"
    return f"{source.name}: {source.preview.title}"
