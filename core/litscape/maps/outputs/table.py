"""A map as a table: places, topics and what tells the papers."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from litscape.exporters.written import written_whole
from litscape.maps.outputs.columns import columns

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.maps.outputs.sheet import Sheet
    from litscape.maps.outputs.style import Style


def write(sheet: Sheet, path: Path, style: Style) -> None:
    """Write CSV (RFC 4180, UTF-8), a line a paper; what is not known is empty.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    del style
    named = columns(sheet)
    with written_whole(path) as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(named)
        writer.writerows(zip(*named.values(), strict=True))
