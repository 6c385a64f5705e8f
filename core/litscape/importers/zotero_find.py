"""Finding Zotero's data on this computer: its profiles, what they set, and the data folder."""

from __future__ import annotations

import json
import os
import re
import sys
from configparser import ConfigParser
from configparser import Error as IniError
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATABASE = "zotero.sqlite"
PORT = 23119
"""Where Zotero listens unless it is told otherwise."""
_PREF = re.compile(r'^\s*user_pref\("extensions\.zotero\.([\w.-]+)",\s*(.*?)\);\s*$', re.M)
_PREFS_AT_MOST = 4 << 20


@dataclass(frozen=True, slots=True)
class ZoteroFolder:
    """A Zotero data folder.

    Attributes:
        folder: where ``zotero.sqlite`` and ``storage`` lie.
        size: bytes of the database.
        base: the folder that linked files start from, where it is set.
        port: where the local API answers when Zotero runs.
        api: whether the local API is switched on; None where no profile says it.
        profile: the folder of the profile that uses it; None for a folder found by its name.
    """

    folder: Path
    size: int
    base: Path | None = None
    port: int = PORT
    api: bool | None = None
    profile: Path | None = None

    @property
    def database(self) -> Path:
        """The database file."""
        return self.folder / DATABASE

    @property
    def address(self) -> str:
        """The local API as a source."""
        return f"zotero:http://127.0.0.1:{self.port}"


def find(
    home: Path | None = None,
    platform: str = sys.platform,
    environ: Mapping[str, str] | None = None,
) -> tuple[ZoteroFolder, ...]:
    """The data folders of this user's Zotero, the default profile's first; nothing is written.

    Args:
        home: the user's folder.
        platform: ``sys.platform``.
        environ: environment variables.
    """
    home = home or Path.home()
    environ = os.environ if environ is None else environ
    found: dict[Path, ZoteroFolder] = {}
    for profile in _profiles(home, platform, environ):
        for folder in _of_profile(profile, home):
            found.setdefault(folder.folder, folder)
    for name in ("Zotero", "zotero"):
        plain = _folder(home / name)
        if plain is not None and not any(_same(plain.folder, known) for known in found):
            found[plain.folder] = plain
    return tuple(found.values())


def of_database(database: Path, known: tuple[ZoteroFolder, ...] | None = None) -> ZoteroFolder:
    """What is known of the folder that a database lies in."""
    folder = database.parent
    for one in find() if known is None else known:
        if _same(one.folder, folder):
            return one
    return ZoteroFolder(folder, 0)


def at_address(address: str) -> ZoteroFolder | None:
    """The data folder of the Zotero that would answer at an address; None where none is found."""
    return next((one for one in find() if one.address == address), None)


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False


def _roots(home: Path, platform: str, environ: Mapping[str, str]) -> Iterator[Path]:
    """Where Zotero keeps its profiles."""
    if platform == "win32":
        roaming = environ.get("APPDATA")
        yield (Path(roaming) if roaming else home / "AppData/Roaming") / "Zotero/Zotero"
    elif platform == "darwin":
        yield home / "Library/Application Support/Zotero"
    else:
        yield home / ".zotero/zotero"
        yield home / ".var/app/org.zotero.Zotero/.zotero/zotero"
        yield home / "snap/zotero-snap/common/.zotero/zotero"


def _profiles(home: Path, platform: str, environ: Mapping[str, str]) -> list[Path]:
    """Profile folders, the default one first; those that no ``profiles.ini`` lists are last."""
    found: dict[Path, bool] = {}
    for root in _roots(home, platform, environ):
        for section in _sections(root / "profiles.ini"):
            path = section.get("path", "")
            if path:
                whole = root / path if section.get("isrelative", "1") == "1" else Path(path)
                found.setdefault(whole, section.get("default") == "1")
        try:
            listed = sorted((root / "Profiles").glob("*/prefs.js")) + sorted(
                root.glob("*/prefs.js")
            )
        except OSError:
            listed = []
        for prefs in listed:
            found.setdefault(prefs.parent, False)
    return sorted(found, key=lambda profile: not found[profile])


def _sections(file: Path) -> list[Mapping[str, str]]:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(file.read_text("utf-8-sig", "replace"))
    except (OSError, IniError):
        return []
    return [parser[name] for name in parser.sections() if name.lower().startswith("profile")]


def _of_profile(profile: Path, home: Path) -> Iterator[ZoteroFolder]:
    """The folders that a profile may have its data in, those that are there."""
    prefs = read_prefs(profile / "prefs.js")
    chosen = prefs.get("dataDir") if prefs.get("useDataDir", True) else None
    places = [Path(chosen)] if isinstance(chosen, str) and chosen else []
    base, port = prefs.get("baseAttachmentPath"), prefs.get("httpServer.port")
    api = prefs.get("httpServer.localAPI.enabled", False)
    for place in (*places, home / "Zotero", profile / "zotero"):
        found = _folder(place)
        if found is not None:
            yield ZoteroFolder(
                found.folder,
                found.size,
                Path(base) if isinstance(base, str) and base else None,
                port if isinstance(port, int) and 0 < port < 65536 else PORT,
                bool(api),
                profile,
            )
            return


def _folder(place: Path) -> ZoteroFolder | None:
    try:
        file = place / DATABASE
        return ZoteroFolder(place, file.stat().st_size) if file.is_file() else None
    except (OSError, ValueError):
        return None


def read_prefs(file: Path) -> dict[str, str | int | bool]:
    """Zotero's settings of a profile, by their names after ``extensions.zotero.``."""
    try:
        with file.open("rb") as stream:
            text = stream.read(_PREFS_AT_MOST).decode("utf-8", "replace")
    except OSError:
        return {}
    found: dict[str, str | int | bool] = {}
    for name, value in _PREF.findall(text):
        try:
            read = json.loads(value)
        except ValueError:
            # Written by hand: a Windows path with single backslashes.
            read = value[1:-1] if PureWindowsPath(value[1:-1]).drive else None
        if isinstance(read, str | int | bool):
            found[name] = read
    return found
