"""Writing a map in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.jobs import JobContext
    from litscape.library import Library


def write_map(
    library: Library,
    ctx: JobContext,
    key: int,
    path: Path,
    by: str,
    size: tuple[int, int],
    *,
    dark: bool,
) -> int:
    """Write a stored map to a file; how many papers it has.

    Args:
        library: whose map.
        ctx: hears of progress; can end the work before the file is written.
        key: the map's number.
        path: the file; its suffix says of what kind.
        by: what to colour by; empty for topics where there are any, else years.
        size: of a picture, in pixels.
        dark: whether a picture has a dark ground.

    Raises:
        UserError: there is no such map, or it can't be coloured by that, or written so.
        EnvironmentFault: the file can't be written.
        JobCancelledError: ``ctx`` asked for the end.
    """
    from litscape.maps.outputs import Style, gather, write
    from litscape_app.pictures.drawing import OUTPUTS

    width, height = size
    sheet = gather(library, library.maps.get(key), by, ctx)
    ctx.progress(2, 3, f"Writing {path.name}")
    write(sheet, path, Style(width, height, dark=dark), OUTPUTS)
    return len(sheet.ids)
