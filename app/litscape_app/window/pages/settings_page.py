"""The settings, each in force as soon as it is changed."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox

from litscape.errors import UserError
from litscape.settings import AppSettings, settings_file
from litscape_app.window.pages.page_frame import PageFrame, Sentence, named, scrolled, section
from litscape_app.window.pages.pdf_settings import PdfSettings
from litscape_app.window.widgets.basics import horizontal, label, push_button, roomy
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from litscape_app.actions.command import Desk

_THEMES = (
    ("system", "System", "Like the system"),
    ("light", "Light", "Always light"),
    ("dark", "Dark", "Always dark"),
)
_DEVICES = (
    ("auto", "Automatic: the fastest there is"),
    ("cpu", "Processor"),
    ("cuda", "NVIDIA graphics (CUDA)"),
    ("mps", "Apple graphics (MPS)"),
)
_INDEXES = (
    ("auto", "By the size of the library"),
    ("exact", "Exact: misses none"),
    ("hnsw", "HNSW: faster above some 100,000 papers, may miss a few"),
)
_FUSIONS = (
    ("scores", "By how well each fits"),
    ("ranks", "By place in both lists (reciprocal ranks)"),
)
_CONSENT = {
    "lookup_consent": "looking up DOIs and arXiv ids",
    "citations_consent": "looking up citations from the command line",
    "mail": "telling your mail address",
    "openalex_key": "using your key of OpenAlex",
    "semanticscholar_key": "using your key of Semantic Scholar",
    "opencitations_key": "using your key of OpenCitations",
}
_MAIL_HINT = (
    "Crossref and OpenAlex ask who asks; it is sent to them with a look-up and nowhere else."
)


class SettingsPage(PageFrame):
    """Look, model, computing, look-ups."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Settings")
        self.themes = Segments(_THEMES, "Theme")
        self.model = Sentence(tone="")
        self.change_model = push_button("Change…", lambda: desk.show_page("models"))
        self.change_model.setAccessibleName("Change the model")
        self.embed = QCheckBox("Compute similarity as soon as papers come in")
        self.device = _combo(_DEVICES)
        self.threads = QSpinBox()
        self.threads.setRange(0, os.cpu_count() or 1)
        self.threads.setSpecialValueText("Automatic")
        self.threads.setMaximumWidth(140)
        roomy(self.threads)
        self.index = _combo(_INDEXES)
        self.fusion = _combo(_FUSIONS)
        self.pdfs = PdfSettings(desk)
        self.consent = QCheckBox("Look up DOIs and arXiv ids on the internet without asking")
        self.citations = QCheckBox("Look up citations from the command line without asking")
        self.given = label("", "muted", wrap=True)
        self.revoke = push_button("Revoke all of it", self._revoke)
        self.revoke.setToolTip("Ask before each look-up, and forget mail address and keys")
        self.mail = QLineEdit()
        self.mail.setPlaceholderText("name@example.org")
        self.mail.setMaximumWidth(320)
        self.file = label(str(settings_file()), "muted", wrap=True, select=True)
        self.open_folder = push_button("Open the folder", self._open_folder)
        self._lay_out()
        self._connect()
        self.show_settings(self.session.settings)

    def _lay_out(self) -> None:
        theme = self.theme
        model = horizontal(None, self.model, self.change_model)
        model.setStretch(0, 1)
        computing = horizontal(
            None,
            named(theme, "Runs on", self.device),
            named(theme, "Processor threads", self.threads),
            0,
            spacing=16,
        )
        self.body.addWidget(
            scrolled(
                section(theme, "Theme", horizontal(None, self.themes, 0)),
                section(theme, "Model of this library", model),
                section(theme, "Computing similarity", self.embed, 2, computing, 2,
                        horizontal(None, named(theme, "Finding similar papers", self.index), 0)),
                section(theme, "Searching by words and meaning",
                        horizontal(None, named(theme, "Joined", self.fusion), 0)),
                section(theme, "Full text of PDFs", self.pdfs),
                section(theme, "Looking up online", self.consent, self.citations, 2,
                        named(theme, "Your mail address", self.mail, _MAIL_HINT), 2,
                        self.given, horizontal(None, self.revoke, 0)),
                section(theme, "Where settings are kept", self.file,
                        horizontal(None, self.open_folder, 0)),
            ),
            1,
        )  # fmt: skip

    def _connect(self) -> None:
        self.themes.chosen.connect(self._choose_theme)
        self.pdfs.idle.toggled.connect(lambda on: self._set(fulltext_when_idle=on))
        self.embed.toggled.connect(lambda on: self._set(embed_after_import=on))
        self.consent.toggled.connect(lambda on: self._set(lookup_consent=on))
        self.citations.toggled.connect(lambda on: self._set(citations_consent=on))
        self.device.activated.connect(lambda _row: self._set(device=self.device.currentData()))
        self.fusion.activated.connect(
            lambda _row: self._set(hybrid_fusion=self.fusion.currentData())
        )
        self.index.activated.connect(lambda _row: self._set(index_kind=self.index.currentData()))
        self.threads.valueChanged.connect(lambda number: self._set(threads=number))
        self.mail.editingFinished.connect(self._take_mail)
        self.desk.similarity.moved.connect(lambda _standing: self._show_model())
        self.session.opened.connect(self._show_model)

    def show_settings(self, settings: AppSettings) -> None:
        """Show settings as they are now, without setting any."""
        controls = (self.embed, self.consent, self.citations, self.threads)
        for one in controls:
            one.blockSignals(True)
        self.themes.choose(settings.theme)
        self.embed.setChecked(settings.embed_after_import)
        self.consent.setChecked(settings.lookup_consent)
        self.citations.setChecked(settings.citations_consent)
        self.threads.setValue(settings.threads)
        for one in controls:
            one.blockSignals(False)
        self.device.setCurrentIndex(self.device.findData(settings.device))
        self.index.setCurrentIndex(self.index.findData(settings.index_kind))
        self.fusion.setCurrentIndex(self.fusion.findData(settings.hybrid_fusion))
        self.mail.setText(settings.mail)
        self.pdfs.show_settings(settings)
        self._show_consent(settings)
        self._show_model()

    def _show_consent(self, settings: AppSettings) -> None:
        """Say what was agreed to, and let all of it be taken back at once."""
        self.given.setText(_given(settings))
        self.revoke.setEnabled(bool(_agreed(settings)))

    def _show_model(self) -> None:
        standing = self.desk.similarity.standing
        none = "No library is open." if self.session.library is None else "Looking …"
        state = f"{standing.model}. {standing.sentence}" if standing.model else none
        self.model.say(state.rstrip(". ") + "." if standing.model else none, "")
        self.change_model.setEnabled(self.session.library is not None)

    def _choose_theme(self, choice: str) -> None:
        self.theme.choose(choice)
        self._set(theme=choice)

    def _take_mail(self) -> None:
        try:
            self.session.settings.with_value("mail", self.mail.text().strip())
        except UserError as error:
            self.tell(error)
            return
        self.problem.hide()
        self._set(mail=self.mail.text().strip())

    def _revoke(self) -> None:
        self.problem.hide()
        kept = AppSettings()
        self._set(**{name: getattr(kept, name) for name in _CONSENT})
        self.show_settings(self.session.settings)

    def _set(self, **changes: Any) -> None:
        settings = replace(self.session.settings, **changes)
        if settings == self.session.settings:
            return
        self.session.remember(settings)
        self._show_consent(settings)
        library = self.session.library
        if library is not None:
            library.follow(settings)
        if changes.get("fulltext_when_idle"):
            self.desk.keeper.look()
        if changes.get("embed_after_import"):
            self.desk.similarity.look()

    def _open_folder(self) -> None:
        folder = settings_file().parent
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def showEvent(self, event: QShowEvent) -> None:
        """Settings may have been changed elsewhere: by a menu, by a look-up."""
        super().showEvent(event)
        self.show_settings(self.session.settings)
        self.desk.keeper.look()


def _agreed(settings: AppSettings) -> list[str]:
    """What may be done or sent without a further question."""
    return [words for name, words in _CONSENT.items() if getattr(settings, name)]


def _given(settings: AppSettings) -> str:
    agreed = _agreed(settings)
    if not agreed:
        return "You agreed to nothing: each look-up says what is sent where, and asks first."
    return (
        f"You agreed to {', '.join(agreed)}. The page of a look-up says what is sent where; what "
        "was answered so far stays in the library."
    )


def _combo(options: Sequence[tuple[str, str]]) -> QComboBox:
    combo = QComboBox()
    for key, title in options:
        combo.addItem(title, key)
    return combo
