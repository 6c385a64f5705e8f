"""``litscape settings``: see and change what the program remembers for all libraries."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from litscape import settings as app_settings
from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session

_FALSE, _TRUE = ("false", "no", "off", "0"), ("true", "yes", "on", "1")


def _show(session: Session) -> Answer:
    return _answer(session.settings)


def _answer(settings: app_settings.AppSettings) -> Answer:
    values = dataclasses.asdict(settings)
    record = {name: list(one) if isinstance(one, tuple) else one for name, one in values.items()}
    rows = [(name, _words(value)) for name, value in values.items()]
    path = str(app_settings.settings_file())
    return Answer({**record, "file": path}, columns([*rows, ("file", path)], whole=True))


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _set(session: Session) -> Answer:
    name, text = session.args.name, session.args.value
    if name == "recent":
        raise UserError("The recent libraries are noted by the program; see `litscape library`.")
    settings = session.settings.with_value(name, read_value(name, text))
    app_settings.save(settings)
    return _answer(settings)


def _unset(session: Session) -> Answer:
    name = session.args.name
    default = getattr(app_settings.AppSettings(), name, None)
    settings = session.settings.with_value(name, default)
    app_settings.save(settings)
    return _answer(settings)


def read_value(name: str, text: str) -> object:
    """The value that ``text`` stands for in the setting ``name``; unknown names keep the text.

    Raises:
        UserError: the text is no value of the setting's kind.
    """
    kind = app_settings.field_types().get(name, str)
    word = text.strip()
    if kind is bool:
        if word.lower() not in (*_TRUE, *_FALSE):
            raise UserError(f"The setting {name} must be true or false, not {text!r}.")
        return word.lower() in _TRUE
    if kind is int:
        try:
            return int(word)
        except ValueError:
            raise UserError(f"The setting {name} must be a whole number, not {text!r}.") from None
    return word


def _name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="one of the keys that `settings` prints")


def _name_and_value(parser: argparse.ArgumentParser) -> None:
    _name(parser)
    parser.add_argument("value", metavar="VALUE", help="the new value")


_KEYS = {
    "device": "auto, cpu, cuda or mps",
    "threads": "processor threads for embedding; 0: as many as the program thinks right",
    "lookup_consent": "whether `add --doi` and `--arxiv` may look up online without asking",
    "mail": "address told with a look-up to services that ask for one",
    "citations_consent": "whether `citations fetch` may look up online without asking",
    "openalex_key": "your key of OpenAlex, or empty",
    "semanticscholar_key": "your key of Semantic Scholar, or empty",
    "opencitations_key": "your key of OpenCitations, or empty",
    "theme": "system, light or dark",
    "index_kind": "auto, exact or hnsw",
    "hybrid_fusion": "how search joins words and meaning: scores or ranks (reciprocal ranks)",
    "citation_style": "the style of `cite` where none is named: its name or a .csl file",
    "embed_after_import": "whether the window embeds new papers as soon as they are in",
    "fulltext_when_idle": "whether the window reads the text of PDFs while nobody works",
    "search_inside": "whether the window's search looks inside PDFs too, once they are read",
    "recent": "folders of libraries, last opened first",
    "file": "where the settings lie",
}
SETTINGS = Command(
    "settings",
    "see and change the program's settings",
    default="list",
    commands=(
        Command("list", "print all settings (also without a word)", _show, keys=_KEYS),
        Command("set", "change one", _set, _name_and_value, keys=_KEYS),
        Command("unset", "give one its default again", _unset, _name, keys=_KEYS),
    ),
)
