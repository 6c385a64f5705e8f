"""The settings file: defaults, round trip, unknown keys, broken files."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from litscape.errors import EnvironmentFault, UserError
from litscape.settings import AppSettings, load, remember, save, settings_file

if TYPE_CHECKING:
    from pathlib import Path


def test_missing_file_gives_defaults_and_writes_nothing() -> None:
    assert load().settings == AppSettings()
    assert load().notices == ()
    assert not settings_file().exists()


def test_round_trip(tmp_path: Path) -> None:
    settings = AppSettings(
        device="cpu", threads=2, lookup_consent=True, mail="a@b.org",
        theme="dark", index_kind="exact", embed_after_import=False, recent=("/ä/b", "C:\\x\ny"),
    )  # fmt: skip
    save(settings)
    assert load().settings == settings
    assert sorted(path.name for path in settings_file().parent.iterdir()) == ["settings.toml"]


def test_unknown_keys_are_kept() -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        'schema = 9\nnews = "x"\ntheme = "dark"\n[map]\ncolours = ["a", "b"]\n', encoding="utf-8"
    )
    save(load().settings.with_value("threads", 3))
    table = tomllib.loads(settings_file().read_text(encoding="utf-8"))
    assert table["schema"] == 9
    assert table["news"] == "x"
    assert table["map"] == {"colours": ["a", "b"]}
    assert (table["theme"], table["threads"]) == ("dark", 3)


def test_wrong_values_cost_only_themselves() -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        'theme = "pink"\nthreads = true\ndevice = "cpu"\nrecent = [1]\n', encoding="utf-8"
    )
    loaded = load()
    assert loaded.settings == AppSettings(device="cpu")
    assert len(loaded.notices) == 3
    assert "one of system, light, dark" in " ".join(loaded.notices)


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe\x00", b"[a\n", b"x = 1\nx = 2\n"])
def test_broken_file_is_kept_aside(content: bytes) -> None:
    for number, name in enumerate(["settings.broken.toml", "settings.broken-2.toml"], start=1):
        settings_file().parent.mkdir(parents=True, exist_ok=True)
        settings_file().write_bytes(content)
        loaded = load()
        assert loaded.settings == AppSettings()
        assert name in loaded.notices[0]
        assert (settings_file().parent / name).read_bytes() == content
        assert len(list(settings_file().parent.iterdir())) == number


def test_a_folder_in_place_of_the_file_is_a_sentence() -> None:
    settings_file().mkdir(parents=True)
    assert "defaults are used" in load().notices[0]
    with pytest.raises(EnvironmentFault, match="could not be written"):
        save(AppSettings())
    assert [path.name for path in settings_file().parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("colour", "red"), ("theme", "pink"), ("threads", -1), ("threads", "2"), ("recent", (1,)),
     ("lookup_consent", 1)],
)  # fmt: skip
def test_with_value_refuses(name: str, value: object) -> None:
    with pytest.raises(UserError, match=name):
        AppSettings().with_value(name, value)


def test_a_folder_whose_name_is_no_text_is_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "caf\udce9"
    remember(folder)
    assert load().settings.recent == (str(folder),)


def test_recent_libraries_are_last_opened_first(tmp_path: Path) -> None:
    for number in range(12):
        remember(tmp_path / str(number))
    remember(tmp_path / "5")
    recent = load().settings.recent
    assert recent[:2] == (str(tmp_path / "5"), str(tmp_path / "11"))
    assert len(recent) == len(set(recent)) == 10
    before = settings_file().stat().st_mtime_ns
    remember(tmp_path / "5")
    assert settings_file().stat().st_mtime_ns == before
    assert str(tmp_path / "5") not in load().settings.forgotten(tmp_path / "5").recent
