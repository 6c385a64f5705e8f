"""Zotero's data folder on the three systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.importers.zotero_find import find, of_database

if TYPE_CHECKING:
    from pathlib import Path

ROOTS = {
    "linux": ".zotero/zotero",
    "win32": "AppData/Roaming/Zotero/Zotero",
    "darwin": "Library/Application Support/Zotero",
}


def data(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "zotero.sqlite").write_bytes(b"x" * 10)
    return folder


def profile(home: Path, platform: str, name: str, prefs: str, listed: str | None = None) -> None:
    root = home / ROOTS[platform]
    folder = root / "Profiles" / name
    folder.mkdir(parents=True)
    (folder / "prefs.js").write_text(f"// Mozilla User Preferences\n{prefs}\n", "utf-8")
    if listed is not None:
        (root / "profiles.ini").write_text(listed, "utf-8")


def pref(name: str, value: str) -> str:
    return f'user_pref("extensions.zotero.{name}", {value});'


@pytest.mark.parametrize("platform", ROOTS)
def test_a_folder_that_was_chosen(tmp_path: Path, platform: str) -> None:
    home, folder = tmp_path / "home", data(tmp_path / "elsewhere" / "Zotéro data")
    told = "\n".join(
        [
            pref("dataDir", f'"{str(folder).replace("é", chr(92) + "u00e9")}"'),
            pref("useDataDir", "true"),
            pref("baseAttachmentPath", '"/home/me/Papers"'),
            pref("httpServer.port", "23120"),
            pref("httpServer.localAPI.enabled", "true"),
        ]
    )
    profile(home, platform, "abc.default", told)
    (found,) = find(home, platform, {})
    assert (found.folder, found.size, found.port, found.api) == (folder, 10, 23120, True)
    assert (str(found.base), found.address) == ("/home/me/Papers", "zotero:http://127.0.0.1:23120")
    assert of_database(folder / "zotero.sqlite", (found,)) is found


@pytest.mark.parametrize("platform", ROOTS)
def test_the_usual_folder(tmp_path: Path, platform: str) -> None:
    assert find(tmp_path, platform, {}) == ()
    folder = data(tmp_path / "Zotero")
    (found,) = find(tmp_path, platform, {})
    assert (found.folder, found.api, found.profile) == (folder, None, None)
    profile(tmp_path, platform, "abc.default", "")
    (found,) = find(tmp_path, platform, {})
    assert (found.folder, found.api) == (folder, False)


def test_the_default_profile_comes_first(tmp_path: Path) -> None:
    one, two = data(tmp_path / "one"), data(tmp_path / "two")
    listed = (
        "[General]\nStartWithLastProfile=1\n\n[Profile0]\nName=a\nIsRelative=1\n"
        "Path=Profiles/a\n\n[Profile1]\nName=b\nIsRelative=1\nPath=Profiles/b\nDefault=1\n"
    )
    profile(tmp_path, "linux", "a", pref("dataDir", f'"{one}"'))
    profile(tmp_path, "linux", "b", pref("dataDir", f'"{two}"'), listed)
    assert [found.folder for found in find(tmp_path, "linux", {})] == [two, one]


def test_windows_keeps_roaming_data_where_it_says(tmp_path: Path) -> None:
    folder = data(tmp_path / "D" / "Zotero")
    root = tmp_path / "roaming" / "Zotero/Zotero/Profiles/x"
    root.mkdir(parents=True)
    (root / "prefs.js").write_text(pref("dataDir", f'"{folder}"'), "utf-8")
    (found,) = find(tmp_path / "home", "win32", {"APPDATA": str(tmp_path / "roaming")})
    assert found.folder == folder


def test_broken_settings_are_no_reason_to_give_up(tmp_path: Path) -> None:
    folder = data(tmp_path / "Zotero")
    told = 'user_pref("extensions.zotero.dataDir", "C:\\Users\\x");\nuser_pref("extensions.zotero.'
    profile(tmp_path, "linux", "a", told, "[Profile0\nPath=")
    assert [found.folder for found in find(tmp_path, "linux", {})] == [folder]


def test_a_profile_with_data_of_zotero_4(tmp_path: Path) -> None:
    profile(tmp_path, "linux", "a", pref("useDataDir", "false"))
    folder = data(tmp_path / ".zotero/zotero/Profiles/a/zotero")
    assert [found.folder for found in find(tmp_path, "linux", {})] == [folder]
