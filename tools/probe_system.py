"""Look for the system libraries that Qt needs; print the line that installs what is missing.

Prints nothing when all are there. Installs nothing and never asks for more rights.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import sys

# library: packages by package manager (apt, dnf, pacman)
ALWAYS = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
}
ON_A_SCREEN = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": (
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
    ),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-xinerama.so.0": ("libxcb-xinerama0", "libxcb", "libxcb"),
}
MANAGERS = (
    ("apt-get", "apt-get install -y"),
    ("dnf", "dnf install -y"),
    ("pacman", "pacman -S --needed"),
)


def is_missing(library: str) -> bool:
    """Whether the loader cannot find a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return True
    return False


def install_line(packages: list[tuple[str, str, str]]) -> str:
    """The command of this system's package manager for the missing packages."""
    for place, (program, command) in enumerate(MANAGERS):
        if shutil.which(program):
            return f"{command} {' '.join(dict.fromkeys(p[place] for p in packages))}"
    return f"install: {' '.join(dict.fromkeys(p[0] for p in packages))} (Debian's names)"


def main() -> int:
    """Exit status 0 when Qt can start, 2 when a library is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--offscreen", action="store_true", help="only what Qt needs with no screen"
    )
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        return 0
    wanted = ALWAYS if options.offscreen else {**ALWAYS, **ON_A_SCREEN}
    missing = {name: packages for name, packages in wanted.items() if is_missing(name)}
    if not missing:
        return 0
    line = install_line(list(missing.values()))
    sys.stderr.write(
        f"Qt cannot start: missing {', '.join(missing)}.\nAs an administrator run:  {line}\n"
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
