"""What is chosen before a look-up: the services, who asks, what is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from litscape.online.describe import NOTHING_ELSE, sent
from litscape.online.services.registry import SERVICES
from litscape_app.window.pages.page_frame import Sentence, named, section
from litscape_app.window.widgets.basics import horizontal, label, vertical
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from litscape.online.services.base import Facts
    from litscape.settings import AppSettings
    from litscape_app.window.theme import Theme

_ABOUT = {
    "openalex": "Knows most works and fills most in, a hundred papers a request.",
    "crossref": "What publishers deposited; references often with DOI, abstracts seldom.",
    "semanticscholar": "Strong in computer science and medicine; without a key often busy.",
    "opencitations": "Open citations alone, one request for each paper.",
}
_PAPERS = (
    ("all", "All papers", "All papers of the library that are not in the trash"),
    ("chosen", "Chosen papers", "The papers that are chosen in the list"),
)
_MAIL_HINT = "Optional. OpenAlex and Crossref ask who is asking; it goes to nobody else."
_INDENT = 26
_LINE = 320


class _Choice(QWidget):
    """A service to tick, with what it is good for below."""

    def __init__(self, theme: Theme, name: str, title: str) -> None:
        super().__init__()
        self.box = QCheckBox(title)
        about = label(_ABOUT.get(name, ""), "muted", wrap=True)
        about.setFont(theme.font("small"))
        about.setContentsMargins(_INDENT, 0, 0, 0)
        self.box.setAccessibleDescription(about.text())
        vertical(self, self.box, about, spacing=0)


class _Key(QWidget):
    """The line for the key of a service, shown while that is ticked."""

    def __init__(self, theme: Theme, title: str, hint: str) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.PasswordEchoOnEdit)
        self.line.setMaximumWidth(_LINE)
        self.setLayout(named(theme, f"Key of {title}", self.line, hint))


class LookupForm(QWidget):
    """The choices; ``changed`` tells of each change."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.papers = Segments(_PAPERS, "Which papers")
        facts = [one.facts for one in SERVICES]
        self.services = {one.id: _Choice(theme, one.id, one.name) for one in facts}
        self._keys = {one.id: _Key(theme, one.name, one.key) for one in facts if one.key}
        self.services[facts[0].id].box.setChecked(True)
        self.fill = QCheckBox("Fill in missing abstracts, years, venues, topics and MeSH terms")
        self.fill.setChecked(True)
        self.again = QCheckBox("Ask again what was not found before")
        self.citing = QCheckBox("Ask who cites the papers, too")
        self.mail = QLineEdit()
        self.mail.setPlaceholderText("name@example.org")
        self.mail.setMaximumWidth(_LINE)
        self.told = Sentence(tone="")
        vertical(
            self,
            section(theme, "Which papers", horizontal(None, self.papers, 0)),
            section(theme, "Where", *self.services.values()),
            section(theme, "What is sent", self.told),
            section(theme, "What for", self.fill, self.again, self.citing),
            section(
                theme, "Who asks",
                named(theme, "Mail address", self.mail, _MAIL_HINT), *self._keys.values(),
            ),
            spacing=0,
        )  # fmt: skip
        self._connect()

    def _connect(self) -> None:
        self.papers.chosen.connect(lambda _key: self._moved())
        for choice in self.services.values():
            choice.box.toggled.connect(lambda _on: self._moved())
        for key in self._keys.values():
            key.line.editingFinished.connect(self._moved)
        for box in (self.fill, self.again, self.citing):
            box.toggled.connect(lambda _on: self._moved())
        self.mail.textChanged.connect(lambda _text: self._tell())
        self._tell()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the services, in the order in which they are asked."""
        return tuple(name for name, one in self.services.items() if one.box.isChecked())

    @property
    def asks_citing(self) -> bool:
        """Whether it is asked who cites the papers, and a service is chosen that can be."""
        can = any(self._tells_citing(one.facts) for one in SERVICES)
        return can and self.citing.isChecked()

    def _tells_citing(self, facts: Facts) -> bool:
        return facts.citing and facts.id in self.chosen

    @property
    def keys(self) -> dict[str, str]:
        """What is written as key, by service."""
        return {name: one.line.text().strip() for name, one in self._keys.items()}

    def show_settings(self, settings: AppSettings) -> None:
        """Show mail address and keys as they are remembered."""
        self.mail.setText(settings.mail)
        for name, one in self._keys.items():
            one.line.setText(getattr(settings, f"{name}_key"))
        self._tell()

    def show_selection(self, number: int) -> None:
        """Offer the chosen papers where there are any."""
        button = self.papers.button("chosen")
        button.setEnabled(number > 0)
        button.setText(f"Chosen papers ({number:,})" if number else "Chosen papers")
        if not number:
            self.papers.choose("all")

    def _moved(self) -> None:
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        """Say what is sent where, as it is chosen now."""
        asked = [one.facts.name for one in SERVICES if self._tells_citing(one.facts)]
        self.citing.setVisible(bool(asked))
        self.citing.setText(f"Ask {' and '.join(asked)} who cites the papers, too")
        for name, one in self._keys.items():
            one.setVisible(name in self.chosen)
        mail, keys = self.mail.text().strip(), self.keys
        lines = [sent(name, mail, key=bool(keys.get(name))) for name in self.chosen]
        self.told.say("\n".join([*lines, NOTHING_ELSE]) if lines else "Nothing is sent.", "")
