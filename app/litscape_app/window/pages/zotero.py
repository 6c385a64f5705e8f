"""Finding a Zotero library on this computer, without touching it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class ZoteroFolder:
    """A Zotero data folder: where its database lies and how large that is."""

    folder: Path
    megabytes: int


def find(home: Path | None = None) -> ZoteroFolder | None:
    """The data folder of the Zotero that is set up for this user, None where there is none."""
    home = home or Path.home()
    for folder in (*_from_profiles(home), home / "Zotero"):
        file = folder / "zotero.sqlite"
        try:
            size = file.stat().st_size
        except OSError:
            continue
        return ZoteroFolder(folder, max(1, round(size / 1e6)))
    return None


def _from_profiles(home: Path) -> Iterator[Path]:
    """Data folders that a person chose in Zotero's preferences."""
    places = {
        "win32": home / "AppData/Roaming/Zotero/Zotero/Profiles",
        "darwin": home / "Library/Application Support/Zotero/Profiles",
    }
    profiles = places.get(sys.platform, home / ".zotero/zotero")
    try:
        files = sorted(profiles.glob("*/prefs.js"))
    except OSError:
        return
    for file in files:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        found = re.search(r'user_pref\("extensions\.zotero\.dataDir", "((?:[^"\\]|\\.)*)"\)', text)
        if found:
            yield Path(re.sub(r"\\(.)", r"\1", found.group(1)))
