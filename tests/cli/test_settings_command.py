"""``litscape settings``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.settings import load, settings_file

if TYPE_CHECKING:
    from tests.cli.conftest import Cli


def test_set_unset_and_list(cli: Cli) -> None:
    assert cli("settings", "set", "lookup_consent", "yes", "--json").json["lookup_consent"] is True
    assert cli("settings", "set", "threads", "2", "--json").json["threads"] == 2
    assert load().settings.threads == 2
    assert cli("settings", "unset", "threads", "--json").json["threads"] == 0
    listed = cli("settings", "--json").json
    assert listed["lookup_consent"] is True
    assert listed["file"] == str(settings_file())
    assert "lookup_consent" in cli("settings").out


def test_mistakes(cli: Cli) -> None:
    cli("settings", "set", "colour", "red").refused("no setting 'colour'", "theme")
    cli("settings", "set", "threads", "many").refused("whole number")
    cli("settings", "set", "threads", "-1").refused()
    cli("settings", "set", "theme", "pink").refused("system, light, dark")
    cli("settings", "set", "lookup_consent", "maybe").refused("true or false")
    cli("settings", "set", "recent", "x").refused("litscape library")
    cli("settings", "unset", "colour").refused("no setting")
    assert not settings_file().exists()


def test_a_broken_file_is_told_on_stderr_only(cli: Cli) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("theme = ")
    ran = cli("settings", "--json")
    assert ran.json["theme"] == "system"
    assert "kept as settings.broken.toml" in ran.err
