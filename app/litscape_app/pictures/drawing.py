"""PNG and PDF of a map: the SVG of :mod:`litscape.maps.outputs`, drawn by Qt.

Qt runs in a process of its own, so that the command line can ask for a picture without it, and a
window is not held up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape.maps.outputs import OUTPUTS as CORE
from litscape.maps.outputs import Output, svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.maps.outputs import Sheet, Style

_CHILD = "litscape_app.pictures.child"
_TOO_LONG_S = 600


def write(sheet: Sheet, path: Path, style: Style) -> None:
    """Write PNG or PDF, by the suffix of the file, whole or not at all.

    Raises:
        EnvironmentFault: the picture can't be drawn or written.
    """
    with tempfile.TemporaryDirectory(prefix="litscape-map-") as folder:
        source = Path(folder) / "map.svg"
        drawn = Path(folder) / f"map{path.suffix.lower()}"
        svg.write(sheet, source, style)
        _draw(source, drawn, style)
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            partial.write_bytes(drawn.read_bytes())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def _draw(source: Path, drawn: Path, style: Style) -> None:
    size = (str(style.width), str(style.height))
    environment = dict(os.environ)
    if sys.platform.startswith("linux"):
        environment["QT_QPA_PLATFORM"] = "offscreen"  # a picture needs no screen
    try:
        done = subprocess.run(
            [sys.executable, "-m", _CHILD, str(source), str(drawn), *size],
            env=environment,
            capture_output=True,
            timeout=_TOO_LONG_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EnvironmentFault(
            "The picture took longer than ten minutes to draw; ask for a smaller one, or for SVG."
        ) from error
    if done.returncode or not drawn.exists():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else f"the process ended with {done.returncode}"
        raise EnvironmentFault(
            f"The picture could not be drawn ({why}); SVG and HTML are written without Qt."
        )


OUTPUTS: Mapping[str, Output] = {
    ".png": Output(".png", "Picture (PNG)", write),
    ".pdf": Output(".pdf", "Document (PDF)", write),
    **CORE,
}
"""All kinds of files that a map is written to, by suffix."""
