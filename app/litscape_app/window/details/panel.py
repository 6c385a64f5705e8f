"""The details of what is chosen: nothing, one paper, or many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from litscape.errors import ChangedMeanwhileError
from litscape_app.window.ask import confirm
from litscape_app.window.details.bulk import BulkPage
from litscape_app.window.details.page import PaperPage, Surroundings
from litscape_app.window.widgets.basics import ground, label, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges, Paper, PaperId, PaperRow
    from litscape_app.window.session import Session

_SAMPLE = 500


@dataclass(frozen=True, slots=True)
class Shown:
    """What the panel is to show."""

    ids: tuple[PaperId, ...]
    paper: Paper | None
    rows: tuple[PaperRow, ...]
    around: Surroundings
    years: tuple[int, int] | None = None


class DetailsPanel(QStackedWidget):
    """Follows the chosen papers; edits go to the library and come back as changes."""

    export_wanted = Signal()
    trash_wanted = Signal()
    left = Signal()
    """What was being written is done: the keyboard can go back to the list."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.ids: tuple[PaperId, ...] = ()
        self.page = PaperPage(session)
        self.bulk = BulkPage(session)
        self._nothing = label("", "muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        empty = QWidget()
        ground(empty, "reading")
        vertical(empty, self._nothing, 0, margins=(16, 16, 16, 16))
        self._empty = empty
        for part in (empty, self.page, self.bulk):
            self.addWidget(part)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: session.trouble(error, "Read the paper"))
        session.selected.connect(self.show_ids)
        session.changed.connect(self._changed)
        session.refreshed.connect(self._read)
        session.opened.connect(lambda: self.show_ids(()))
        self._connect()
        self.show_ids(())

    def _connect(self) -> None:
        page, bulk = self.page, self.bulk
        for marks in (page.marks, bulk.marks):
            marks.marked.connect(lambda values: self.mark(self.ids, values))
            marks.listed.connect(lambda wanted: self.put_in_list(self.ids, wanted))
        page.edited.connect(self.edit)
        page.tagged.connect(lambda one, name: self.tag((one,), name))
        page.untagged.connect(lambda one, name: self.untag((one,), name))
        page.filed.connect(lambda one, path: self.file((one,), path))
        page.unfiled.connect(self._unfile)
        bulk.tagged.connect(lambda name: self.tag(self.ids, name))
        bulk.untagged.connect(lambda name: self.untag(self.ids, name))
        bulk.filed.connect(lambda path: self.file(self.ids, path))
        bulk.field_set.connect(self._set_for_all)
        page.left.connect(self.left.emit)
        bulk.left.connect(self.left.emit)
        bulk.trash_wanted.connect(self.trash_wanted.emit)
        bulk.export_wanted.connect(self.export_wanted.emit)

    # -- showing -----------------------------------------------------------------------------

    def show_ids(self, ids: tuple[PaperId, ...]) -> None:
        """Show these papers, whether they are chosen or only looked at."""
        self.ids = ids
        if not ids:
            self._slot.cancel()
            self._nothing.setText(
                "Choose a paper to read its abstract here."
                if self._session.library is not None
                else ""
            )
            self.setCurrentWidget(self._empty)
            return
        self._read()

    def show_place(self, in_trash: bool) -> None:
        """Offer what can be done with papers where they are."""
        self.bulk.show_place(in_trash)
        for row in (self.page.marks, self.page.tags, self.page.collections):
            row.setDisabled(in_trash)

    def _read(self) -> None:
        ids = self.ids
        if ids:
            self._session.read(
                self._slot, "Read the paper", lambda library, ctx: _fetch(library, ids, ctx)
            )

    def _changed(self, changes: LibraryChanges) -> None:
        if changes.structure or not changes.changed.isdisjoint(self.ids):
            self._read()
        elif len(self.ids) == 1:
            # A paper that came, went or was renamed may stand at the other end of a link.
            self.page.citations.show_paper(self.ids[0])

    def _show(self, shown: Shown) -> None:
        if shown.paper is not None:
            self.page.show_paper(shown.paper, shown.around)
            self.setCurrentWidget(self.page)
        elif len(shown.ids) > 1:
            self.bulk.show_papers(len(shown.ids), shown.rows, shown.around, shown.years)
            self.setCurrentWidget(self.bulk)
        else:
            self.show_ids(())

    # -- acts --------------------------------------------------------------------------------

    def edit(self, paper_id: PaperId, before: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
        """Set fields of one paper that are still as ``before``; else the person is asked."""
        replaced = set(before.get("notes", ())) if fields.get("notes") else set()
        moved: set[str] = set()

        def act(library: Library) -> LibraryChanges:
            moved.update(replaced.difference(library.papers.get(paper_id).notes))
            return library.edit.revise(paper_id, before, fields)

        def done(_changes: LibraryChanges) -> None:
            if moved:
                self._session.say("This note was changed meanwhile; both are kept.")

        def failed(error: BaseException) -> bool:
            if not isinstance(error, ChangedMeanwhileError):
                return False
            self.page.ask_again(paper_id, fields, error.now)
            return True

        self._session.write("Edit the paper", act, done=done, failed=failed)

    def mark(self, ids: Iterable[PaperId], values: Mapping[str, Any]) -> None:
        """Mark papers as :meth:`litscape.edits.Editor.mark` does."""
        ids = tuple(ids)
        said = f"Marked {count(len(ids), 'paper')}" if len(ids) > 1 else ""
        self._session.write("Mark papers", lambda library: library.edit.mark(ids, **values), said)

    def put_in_list(self, ids: Iterable[PaperId], wanted: bool) -> None:
        """Put papers into the reading list, or take them out."""
        ids = tuple(ids)

        def act(library: Library) -> LibraryChanges:
            edit = library.edit
            return edit.put_in_list(ids) if wanted else edit.take_from_list(ids)

        self._session.write("Reading list", act)

    def tag(self, ids: Iterable[PaperId], names: str) -> None:
        """Tag papers; several tags may be given with commas between."""
        parts = [part.strip() for part in names.replace(";", ",").split(",") if part.strip()]
        ids = tuple(ids)
        if parts and ids:
            said = f"Tagged {count(len(ids), 'paper')}" if len(ids) > 1 else ""
            self._session.write("Tag papers", lambda library: library.edit.tag(ids, parts), said)

    def untag(self, ids: Iterable[PaperId], name: str) -> None:
        """Take a tag off papers."""
        ids = tuple(ids)
        self._session.write("Untag papers", lambda library: library.edit.untag(ids, [name]))

    def file(self, ids: Iterable[PaperId], path: tuple[str, ...]) -> None:
        """Put papers into a collection, made where it is missing."""
        ids = tuple(ids)
        if path and ids:
            said = f"Put {count(len(ids), 'paper')} into “{path[-1]}”" if len(ids) > 1 else ""
            self._session.write(
                "Add to collection", lambda library: library.edit.add_to_collection(ids, path), said
            )

    def _unfile(self, paper_id: PaperId, path: tuple[str, ...]) -> None:
        self._session.write(
            "Take out of the collection",
            lambda library: library.edit.remove_from_collection([paper_id], path),
        )

    def _set_for_all(self, field: str, value: str) -> None:
        ids = self.ids
        what = f"{field.replace('_', ' ')} of {count(len(ids), 'paper')}"
        said = f"Set {what}" if value else f"Cleared the {what}"
        question = "Nothing was written as the new value, so that they will have none."
        if not value and not confirm(self, f"Clear the {what}", question, "Clear"):
            return
        self._session.write(
            "Edit papers", lambda library: library.edit.edit(ids, {field: value}), said
        )


def _fetch(library: Library, ids: tuple[PaperId, ...], ctx: JobContext) -> Shown:
    from litscape.online.marks import looked_up_in_words
    from litscape.outline import read_names

    tags, collections = read_names(library.database)
    around = Surroundings(tags, collections)
    ctx.check()
    if len(ids) > 1:
        rows = tuple(library.papers.rows(ids[:_SAMPLE]))
        return Shown(ids, None, rows, around, library.papers.years(ids))
    found = library.papers.many(ids)
    looked_up = looked_up_in_words(library.database, ids[0]) if ids else ""
    around = replace(around, looked_up=looked_up)
    return Shown(ids, found[0] if found else None, (), around)
