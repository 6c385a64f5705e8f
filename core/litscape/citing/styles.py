"""Citation styles: those that come with the program, and a person's own ``.csl`` files."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from litscape.errors import UserError
from litscape.near import no_such

DEFAULT = "apa"


@dataclass(frozen=True, slots=True)
class Style:
    """One style.

    Attributes:
        name: what the command line calls it; the path of a file.
        title: what a person calls it.
        locale: the language of its words.
    """

    name: str
    title: str
    locale: str = "en-US"


BUILT_IN = (
    Style("apa", "APA, 7th edition"),
    Style("chicago-author-date", "Chicago, author–date"),
    Style("harvard", "Harvard (Cite Them Right)", "en-GB"),
    Style("ieee", "IEEE"),
    Style("mla", "MLA, 9th edition"),
    Style("vancouver", "Vancouver"),
)
"""The styles that need no file."""
_OF_CITEPROC = {"harvard": "harvard-cite-them-right"}
"""Styles that come with the library that formats."""


def named(name: str) -> Style:
    """The style of a name, or of the file at a path.

    Raises:
        UserError: there is none.
    """
    for style in BUILT_IN:
        if name.strip().lower() in (style.name, style.title.lower()):
            return style
    file = Path(name).expanduser()
    if file.suffix.lower() == ".csl":
        if not file.is_file():
            raise UserError(f"There is no style file {file}; check its path.")
        return Style(str(file), file.stem)
    known = [style.name for style in BUILT_IN]
    raise UserError(
        f"{no_such('citation style', name, known)} Styles are {', '.join(known)}, "
        "or the path of a .csl file."
    )


def source_of(style: Style) -> str:
    """Where a style's text is: a path, or the name under which citeproc brings it."""
    if style not in BUILT_IN:
        return style.name
    if style.name in _OF_CITEPROC:
        return _OF_CITEPROC[style.name]
    return str(files("litscape_resources").joinpath("styles", f"{style.name}.csl"))
