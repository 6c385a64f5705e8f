"""The settings of the program, one TOML file for all libraries; passed in, never looked up.

Unknown keys in the file are kept, so that an older and a newer release can share it.
"""

from __future__ import annotations

import dataclasses
import os
import re
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from litscape import paths
from litscape.errors import EnvironmentFault, UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final = 1
MOST_RECENT: Final = 10
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "device": ("auto", "cpu", "cuda", "mps"),
    "theme": ("system", "light", "dark"),
    "index_kind": ("auto", "exact", "hnsw"),
    "hybrid_fusion": ("scores", "ranks"),
}


@dataclass(frozen=True, slots=True)
class AppSettings:
    """What a person can set; every field has a default that works.

    Attributes:
        device: where models run: auto, cpu, cuda or mps.
        threads: processor threads for embedding; 0 leaves the choice to the program.
        lookup_consent: whether DOIs and arXiv ids may be looked up online without asking.
        mail: address told with a look-up to services that ask for one; may be empty.
        citations_consent: whether citations may be looked up online without asking each time.
        openalex_key: the person's key of OpenAlex; may be empty, as the next two.
        semanticscholar_key: that of Semantic Scholar.
        opencitations_key: that of OpenCitations.
        theme: system, light or dark.
        index_kind: auto, exact or hnsw.
        hybrid_fusion: how search joins words and meaning: by scores, or by reciprocal ranks.
        citation_style: the style that copies citations where none is named: its name or file.
        embed_after_import: whether new papers are embedded as soon as they are in.
        fulltext_when_idle: whether the text of PDFs is read while nobody works.
        search_inside: whether the search of the window looks inside PDFs too, once they are read.
        recent: folders of libraries, last opened first.
    """

    device: str = "auto"
    threads: int = 0
    lookup_consent: bool = False
    mail: str = ""
    citations_consent: bool = False
    openalex_key: str = ""
    semanticscholar_key: str = ""
    opencitations_key: str = ""
    theme: str = "system"
    index_kind: str = "auto"
    hybrid_fusion: str = "scores"
    citation_style: str = "apa"
    embed_after_import: bool = True
    fulltext_when_idle: bool = False
    search_inside: bool = True
    recent: tuple[str, ...] = ()

    def opened(self, folder: Path) -> AppSettings:
        """These settings with ``folder`` as the library opened last."""
        first = str(folder.absolute())
        others = (one for one in self.recent if one != first)
        return dataclasses.replace(self, recent=(first, *others)[:MOST_RECENT])

    def forgotten(self, folder: Path) -> AppSettings:
        """These settings without ``folder`` among the recent libraries."""
        gone = str(folder.absolute())
        return dataclasses.replace(self, recent=tuple(one for one in self.recent if one != gone))

    def with_value(self, name: str, value: object) -> AppSettings:
        """These settings with one changed.

        Raises:
            UserError: there is no such setting, or it can't have that value.
        """
        problem = _problem(name, value)
        if problem:
            raise UserError(problem)
        changed: dict[str, Any] = {name: value}
        return dataclasses.replace(self, **changed)


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings as read, with a sentence for the person for each thing that was wrong."""

    settings: AppSettings
    notices: tuple[str, ...] = ()


def settings_file() -> Path:
    """Where the settings lie."""
    return paths.config_dir() / "settings.toml"


def field_types() -> dict[str, type]:
    """The plain type of every setting: str, int, bool or tuple."""
    return {one.name: type(one.default) for one in dataclasses.fields(AppSettings)}


def load(path: Path | None = None) -> LoadedSettings:
    """Read the settings; what is missing or wrong is the default, and a notice says so.

    A file that is no TOML is moved aside, so that nothing a person wrote in it is lost.

    Args:
        path: the file; by default that of :func:`settings_file`.
    """
    path = path or settings_file()
    try:
        table = _read(path)
    except FileNotFoundError:
        return LoadedSettings(AppSettings())
    except OSError as error:
        sentence = (
            f"The settings in {path} could not be read ({error.strerror}); defaults are used."
        )
        return LoadedSettings(AppSettings(), (sentence,))
    except ValueError as error:
        return LoadedSettings(AppSettings(), (_set_aside(path, error),))
    notices = []
    values: dict[str, Any] = {}
    for name in field_types():
        if name not in table:
            continue
        value = tuple(table[name]) if isinstance(table[name], list) else table[name]
        problem = _problem(name, value)
        if problem:
            notices.append(f"{problem} The default is used ({path}).")
        else:
            values[name] = value
    return LoadedSettings(AppSettings(**values), tuple(notices))


def save(settings: AppSettings, path: Path | None = None) -> None:
    """Write the settings whole or not at all, keeping keys that this release does not know.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    import tomli_w

    path = path or settings_file()
    try:
        table = _read(path)
    except (OSError, ValueError):
        table = {}
    schema = table.get("schema")
    table["schema"] = max(SCHEMA, schema) if isinstance(schema, int) else SCHEMA
    table.update(
        {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in dataclasses.asdict(settings).items()
        }
    )
    try:
        _write(path, tomli_w.dumps(table))
    except OSError as error:
        raise EnvironmentFault(
            f"The settings could not be written to {path}: {error.strerror}."
        ) from error


def remember(folder: Path, path: Path | None = None) -> None:
    """Note ``folder`` as the library opened last; the file is written only where that is news."""
    settings = load(path).settings
    if settings.opened(folder) != settings:
        save(settings.opened(folder), path)


def _read(path: Path) -> dict[str, Any]:
    # A recent library's path may hold bytes that are no text: they pass as they are.
    return tomllib.loads(path.read_bytes().decode("utf-8", "surrogateescape"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "surrogateescape"))
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _set_aside(path: Path, error: ValueError) -> str:
    kept = path.with_name("settings.broken.toml")
    number = 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"settings.broken-{number}.toml")
    problem = f"The settings in {path} are not valid TOML ({error}); defaults are used."
    try:
        path.rename(kept)
    except OSError:
        return problem
    return f"{problem} The file was kept as {kept.name}."


def _problem(name: str, value: object) -> str | None:
    """Why a setting can't have a value, in one sentence; None where it can."""
    kinds = field_types()
    if name not in kinds:
        return f"There is no setting {name!r}; there are {', '.join(kinds)}."
    if type(value) is not kinds[name]:
        words = {bool: "true or false", int: "a whole number", str: "text", tuple: "several texts"}
        return f"The setting {name} must be {words[kinds[name]]}, not {value!r}."
    if name in CHOICES and value not in CHOICES[name]:
        return f"The setting {name} must be one of {', '.join(CHOICES[name])}, not {value!r}."
    if (
        name == "mail"
        and value
        and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+\.[^@\s<>.]+", str(value))
    ):
        return f"The setting mail must be an address such as ada@example.org, not {value!r}."
    if name.endswith("_key") and value and not re.fullmatch(r"[!-~]{1,200}", str(value)):
        return f"The setting {name} must be a key without blanks, as its service gave it."
    if name == "threads" and isinstance(value, int) and not 0 <= value <= 1024:
        return f"The setting threads must be between 0 and 1024, not {value}."
    if isinstance(value, tuple) and not all(isinstance(one, str) for one in value):
        return f"The setting {name} must be a list of texts."
    return None
