"""Commands on the chosen papers."""

from __future__ import annotations

from litscape_app.actions.command import Command, Desk, Needs
from litscape_app.window.words import count


def open_paper(desk: Desk) -> None:
    """Open the paper's file or address."""
    desk.details.page.ways.open_best()


def trash(desk: Desk) -> None:
    """Move to the trash; in the trash, delete for good."""
    if desk.scope.kind == "trash":
        delete_forever(desk)
        return
    ids = desk.chosen
    desk.session.write(
        "Move to trash",
        lambda library: library.edit.trash(ids),
        f"Moved {count(len(ids), 'paper')} to the trash",
    )


def restore(desk: Desk) -> None:
    """Take out of the trash."""
    ids = desk.chosen
    desk.session.write(
        "Restore",
        lambda library: library.edit.restore(ids),
        f"Restored {count(len(ids), 'paper')}",
    )


def delete_forever(desk: Desk) -> None:
    """Delete for good what is chosen in the trash; asked first."""
    from litscape_app.window.ask import confirm

    ids = desk.chosen
    what = count(len(ids), "paper")
    its, it = ("Its", "it") if len(ids) == 1 else ("Their", "them")
    question = f"Delete {what} for good? {its} notes, tags and links to files go with {it}."
    if confirm(desk.table, "Delete for good", question, "Delete for good"):
        desk.session.write(
            "Delete for good",
            lambda library: library.edit.delete_forever(ids),
            f"Deleted {what} for good",
        )


def _show_details(desk: Desk) -> None:
    """What is typed into must be seen."""
    if not desk.details.isVisible():
        desk.toggle_column("right")


def tag(desk: Desk) -> None:
    """Put the keyboard where a tag is typed."""
    _show_details(desk)
    page = desk.details.bulk if len(desk.chosen) > 1 else desk.details.page
    page.tags.line.setFocus()
    page.ensureWidgetVisible(page.tags.line)


def collect(desk: Desk) -> None:
    """Put the keyboard where a collection is typed."""
    _show_details(desk)
    page = desk.details.bulk if len(desk.chosen) > 1 else desk.details.page
    page.collections.line.setFocus()
    page.ensureWidgetVisible(page.collections.line)


def uncollect(desk: Desk) -> None:
    """Take the chosen papers out of the collection that is listed."""
    scope, ids = desk.scope, desk.chosen
    if scope.kind == "collection" and isinstance(scope.key, int):
        key = scope.key
        desk.session.write(
            "Remove from collection",
            lambda library: library.edit.remove_from_collection(ids, key),
            f"Took {count(len(ids), 'paper')} out of “{scope.title}”",
        )
    else:
        desk.session.say("Choose a collection first; papers leave the one that is listed.")


def note(desk: Desk) -> None:
    """Write a note on the paper."""
    _show_details(desk)
    desk.details.page.write_note()


def edit_title(desk: Desk) -> None:
    """Edit the paper, beginning with its title."""
    _show_details(desk)
    page = desk.details.page
    page.title.begin(whole=True)
    page.ensureWidgetVisible(page.title)


def copy_citekeys(desk: Desk) -> None:
    """Citekeys of the chosen papers to the clipboard."""
    if len(desk.chosen) == 1:
        desk.details.page.ways.copy_citekey()
        return
    from PySide6.QtGui import QGuiApplication

    ids = desk.chosen
    slot = desk.session.slot(desk.details)

    def put(keys: object) -> None:
        QGuiApplication.clipboard().setText(str(keys))
        desk.session.say(f"Copied {count(len(ids), 'citekey')}")
        slot.deleteLater()

    slot.done.connect(put)
    desk.session.read(
        slot,
        "Copy citekeys",
        lambda library, _ctx: ", ".join(row.citekey for row in library.papers.rows(ids)),
    )


def merge(desk: Desk) -> None:
    """Put the chosen papers beside each other, to make one of them."""
    from litscape_app.window.pages.duplicates_page import show_group

    if len(desk.chosen) > 1:
        show_group(desk, desk.chosen)
    else:
        desk.session.say("Choose two or more papers that are one work, to merge them.")


def train_on(desk: Desk) -> None:
    """Fine-tune on the chosen papers alone."""
    from litscape_app.window.train_on import train_on_chosen

    train_on_chosen(desk)


def export_chosen(desk: Desk) -> None:
    """Write the chosen papers to a file."""
    from litscape_app.window.exporting import ask_and_export

    ask_and_export(desk, desk.chosen)


COMMANDS = (
    Command("papers.open", "Open file or web page", open_paper, "Edit", 2, ("Return",), "link",
            Needs.ONE, in_table=True, in_context=True),
    Command("papers.edit", "Edit title…", edit_title, "Edit", 2, ("F2",), "edit",
            Needs.ONE, in_table=True, in_context=True),
    Command("papers.tag", "Tag…", tag, "Edit", 2, ("T",), "tag",
            Needs.LIVE, in_table=True, in_context=True),
    Command("papers.collect", "Add to collection…", collect, "Edit", 2, ("C",), "folder-plus",
            Needs.LIVE, in_table=True, in_context=True),
    Command("papers.uncollect", "Remove from this collection", uncollect, "Edit", 2, (), "minus",
            Needs.LIVE, in_context=True),
    Command("papers.note", "Write a note…", note, "Edit", 2, ("N",), "note",
            Needs.ONE, in_table=True, in_context=True),
    Command("papers.merge", "Compare and merge…", merge, "Edit", 4, ("Ctrl+Shift+M",), "similar",
            Needs.LIVE, in_context=True),
    Command("papers.copy", "Copy citekeys", copy_citekeys, "Edit", 4, ("Ctrl+Shift+C",), "copy",
            Needs.PAPERS, in_context=True),
    Command("papers.train", "Train on these…", train_on, "Model", 2, (), "model",
            Needs.LIVE, in_context=True),
    Command("papers.export", "Export the chosen…", export_chosen, "File", 1, ("Ctrl+Shift+E",),
            "export", Needs.PAPERS, in_context=True),
    Command("papers.restore", "Restore from trash", restore, "Edit", 5, (), "restore",
            Needs.TRASHED, in_context=True),
    Command("papers.trash", "Move to trash", trash, "Edit", 5, ("Del",), "trash",
            Needs.PAPERS, in_table=True, in_context=True),
)  # fmt: skip
