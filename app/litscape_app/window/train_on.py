"""Training on some papers: a collection of them, put into the wizard's second step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_app.actions.command import Desk


def train_on_chosen(desk: Desk) -> None:
    """Put the chosen papers into a collection, and begin to train on it."""
    from litscape_app.window.ask import ask_name

    ids = desk.chosen
    what = count(len(ids), "paper")
    name = ask_name(desk.table, f"Train on {what}", "A collection is made of them, named")
    if name:
        desk.session.write(
            "New collection",
            lambda library: library.edit.add_to_collection(ids, name),
            f"Put {what} into the collection “{name}”; training learns from it alone",
            done=lambda _changes: train_on_collections(desk, (name,)),
        )


def train_on_collections(desk: Desk, paths: Sequence[str]) -> None:
    """Begin to train on collections, named by their paths."""
    from litscape_app.window.pages.train_page.page import TrainPage

    page = desk.page("train")
    assert isinstance(page, TrainPage)
    desk.show_page("train", again=True)
    page.learn_from(paths)
