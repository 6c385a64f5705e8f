"""Making a model known: from a folder on this computer, or from the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QLineEdit, QProgressBar, QWidget

from litscape import paths
from litscape.jobs.runners import Lane
from litscape_app.window.pages.page_frame import Sentence, named, section
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_app.qtjobs import Entry
    from litscape_app.window.session import Session

_HUB_HINT = (
    "A sentence encoder such as intfloat/e5-small-v2. Only weights as safetensors are taken: a "
    "pickle could run any code."
)


class AddModel(QWidget):
    """Folder or hub; one at a time, with progress and cancel."""

    added = Signal(object)
    """The :class:`ModelCard` that is known now."""
    refused = Signal(object)
    """Why it could not be."""
    wanted = Signal()
    """A model that was exported is to be imported."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        theme = session.theme
        self.folder_button = push_button("Choose a folder…", self._choose)
        self.import_button = push_button("Import a model…", self.wanted.emit)
        self.hub = QLineEdit()
        self.hub.setPlaceholderText("owner/name")
        self.hub.textChanged.connect(lambda _text: self._show())
        self.hub.returnPressed.connect(self._ask)
        self.hub_button = push_button("Download…", self._ask)
        self.question = QFrame()
        self.question.setProperty("role", "card")
        self.question_text = label(wrap=True)
        self.yes = push_button("Download", self._download, kind="primary")
        no = push_button("Don’t", self._deny, name="Don’t download")
        vertical(
            self.question, self.question_text, horizontal(None, self.yes, no, 0),
            margins=(16, 12, 16, 12),
        )  # fmt: skip
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the download")
        self.text = Sentence()
        self.stop = push_button("Cancel", self._stop, name="Cancel adding the model")
        self.entry: Entry | None = None
        hub = named(theme, "Id at the Hugging Face hub", self.hub, _HUB_HINT, self.hub_button)
        vertical(
            self,
            section(
                theme, "Another model",
                label("A sentence-transformers or transformers folder is read where it lies.",
                      "muted", wrap=True),
                horizontal(None, self.folder_button, self.import_button, 0), 8, hub,
            ),
            self.question, self.bar, horizontal(None, self.text, 0, self.stop),
        )  # fmt: skip
        session.jobs.updated.connect(self._updated)
        self.question.hide()
        self._show()

    def add_folder(self, folder: Path) -> None:
        """Make a folder's model known."""
        self._start(f"Add the model {folder.name}", lambda lib, _ctx: lib.models.add_folder(folder))

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Choose a model folder")
        if name:
            self.add_folder(Path(name))

    def _ask(self) -> None:
        repo = self.hub.text().strip()
        if not repo or self.entry is not None:
            return
        self.question_text.setText(
            f"Download {repo} from huggingface.co into {paths.data_dir() / 'models'}? Only the "
            "name of the model is sent; nothing of your library leaves this computer."
        )
        self.question.show()
        self.yes.setFocus()

    def _deny(self) -> None:
        self.question.hide()
        self.hub.setFocus()

    def _download(self) -> None:
        repo = self.hub.text().strip()
        self.question.hide()
        self._start(
            f"Download {repo}",
            lambda library, ctx: library.models.add_hub(repo, consent=True, ctx=ctx),
        )

    def _start(self, title: str, act: Callable[[Library, JobContext], ModelCard]) -> None:
        self.entry = self._session.work(
            title,
            act,
            Lane.READ,
            done=self._done,
            failed=self.refused.emit,
            ended=self._ended,
        )
        self.text.say(f"{title} …")
        self._show()

    def _done(self, card: ModelCard) -> str:
        self.hub.clear()
        self.added.emit(card)
        return f"{card.name} can be used now"

    def _ended(self) -> None:
        self.entry = None
        self.text.say("")
        self._show()

    def _updated(self, entry: Entry) -> None:
        if entry is self.entry and not entry.state.ended:
            self.bar.setRange(0, entry.progress.total or 0)
            self.bar.setValue(entry.progress.done)
            if entry.progress.text:
                self.text.say(entry.progress.text)

    def _stop(self) -> None:
        if self.entry is not None:
            self.entry.handle.cancel()
            self.text.say("Stopping …")

    def _show(self) -> None:
        busy, open_ = self.entry is not None, self._session.library is not None
        locked = self._session.library is not None and self._session.library.database.read_only
        usable = open_ and not busy and not locked
        for part in (self.folder_button, self.import_button, self.hub):
            part.setEnabled(usable)
        self.hub_button.setEnabled(usable and bool(self.hub.text().strip()))
        for shown in (self.bar, self.stop):
            shown.setVisible(busy)

    def refresh(self) -> None:
        """Follow another library."""
        self.question.hide()
        self._show()
