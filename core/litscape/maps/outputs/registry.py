"""The kinds of files that a map is written to; a new one is a file and a line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape.maps.outputs import html, parquet, svg, table
from litscape.maps.outputs.style import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from litscape.maps.outputs.sheet import Sheet

__all__ = ["OUTPUTS", "Output", "Style", "output_for", "write"]


@dataclass(frozen=True, slots=True)
class Output:
    """One kind of file.

    Attributes:
        suffix: of the file's name, with its dot.
        title: for people.
        write: writes a sheet to a file.
    """

    suffix: str
    title: str
    write: Callable[[Sheet, Path, Style], None]


OUTPUTS: Mapping[str, Output] = {
    output.suffix: output
    for output in (
        Output(".svg", "Picture (SVG)", svg.write),
        Output(".html", "Page to explore (HTML)", html.write),
        Output(".csv", "Table of places (CSV)", table.write),
        Output(".parquet", "Table of places (Parquet)", parquet.write),
    )
}
"""By suffix. The app adds PNG and PDF, which it draws of the SVG."""


def output_for(path: Path, outputs: Mapping[str, Output] = OUTPUTS) -> Output:
    """The kind of file that a name asks for.

    Raises:
        UserError: there is no such kind.
    """
    found = outputs.get(path.suffix.lower())
    if found is None:
        known = ", ".join(outputs)
        raise UserError(f"A map can't be written to {path.name}: let its name end in {known}.")
    return found


def write(sheet: Sheet, path: Path, style: Style, outputs: Mapping[str, Output] = OUTPUTS) -> None:
    """Write a map to a file, whole or not at all.

    Raises:
        UserError: there is no such kind of file, or a package is missing for it.
        EnvironmentFault: the file can't be written.
    """
    output = output_for(path, outputs)
    try:
        output.write(sheet, path, style)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise EnvironmentFault(f"{path} could not be written: {why}.") from error
