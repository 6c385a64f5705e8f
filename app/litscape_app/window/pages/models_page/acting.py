"""What else can be done with a model: comparing, exporting, importing, removing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from litscape.apart import run_apart
from litscape.jobs.runners import Lane
from litscape_app.window.ask import confirm

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.models.comparing import Difference
    from litscape_app.window.session import Session

T = TypeVar("T")


class ModelActs(QObject):
    """Jobs on one version each.

    Signals:
        said: what came out, in a sentence.
        refused: the error.
        changed: there is a version more or less.
    """

    said = Signal(str)
    refused = Signal(object)
    changed = Signal()

    def __init__(self, session: Session, page: QWidget) -> None:
        super().__init__(page)
        self._session = session
        self._page = page

    def act(self, what: str, version: str) -> None:
        """Do one of them."""
        {"export": self._export, "remove": self._remove}[what](version)

    def compare(self, first: str, second: str) -> None:
        """Hold two versions against each other: the same papers beside each other?"""

        def run(library: Library, ctx: JobContext) -> Difference:
            from litscape_trainer.tasks import compare

            return run_apart(library, compare, ctx, first, second)

        self._work("Compare two models", run, _compared)

    def export(self, version: str, target: Path) -> None:
        """Write a version as a folder or .zip that sentence-transformers opens."""

        def run(library: Library, ctx: JobContext) -> Path:
            from litscape.models.exchange import export_model

            return export_model(library.models.find(version), target, ctx)

        self._work("Export a model", run, lambda path: f"Written to {path}.")

    def import_from(self, source: Path) -> None:
        """Take in a folder or .zip that was exported, also on another computer."""

        def run(library: Library, ctx: JobContext) -> ModelCard:
            from litscape.models.exchange import import_model

            return import_model(library.models, source, ctx)

        def done(card: ModelCard) -> str:
            self.changed.emit()
            return f"{card.name} can be used now."

        self._work("Import a model", run, done)

    def remove(self, version: str) -> None:
        """Remove a version with its vectors."""

        def run(library: Library, _ctx: JobContext) -> ModelCard:
            from litscape.models.switching import remove

            return remove(library, version)

        def done(card: ModelCard) -> str:
            self.changed.emit()
            return f"{card.name} was removed."

        self._work("Remove a model", run, done)

    def choose_import(self) -> None:
        """Ask which file to take in."""
        name, _kind = QFileDialog.getOpenFileName(
            self._page, "Import a model", "", "Models (*.zip)"
        )
        if name:
            self.import_from(Path(name))

    def _export(self, version: str) -> None:
        name, _kind = QFileDialog.getSaveFileName(
            self._page, "Export the model", f"{version}.zip", "Models (*.zip)"
        )
        if name:
            self.export(version, Path(name))

    def _remove(self, version: str) -> None:
        if confirm(
            self._page,
            f"Remove the model {version}?",
            "Its weights and vectors are deleted for good.",
            "Remove",
        ):
            self.remove(version)

    def _work(
        self, title: str, run: Callable[[Library, JobContext], T], done: Callable[[T], str]
    ) -> None:
        """Start a job; what it came to is told on the page and beside the job."""

        def tell(found: T) -> str:
            text = done(found)
            self.said.emit(text)
            return text

        self.said.emit(f"{title} …")
        self._session.work(title, run, Lane.READ, done=tell, failed=self._refuse)

    def _refuse(self, error: BaseException) -> None:
        self.said.emit("")
        self.refused.emit(error)


def _compared(found: Difference) -> str:
    return (
        f"{found.second.name} beside {found.first.name}: of the ten nearest papers, "
        f"{100 * found.shared:.0f} % are the same ({found.compared:,} papers looked at)."
    )
