"""``similar``, ``read-next``, ``similar-weights`` and ``feed`` without vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape_app.cli.commands.feed import FEED
from litscape_app.cli.commands.similar import READ_NEXT, SIMILAR

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

PAPERS = {
    "whales": ("Songs of humpback whales in the ocean", 2001),
    "dolphins": ("Songs and calls of dolphins in the ocean", 2010),
    "seals": ("Calls of seals in the ocean", 2020),
    "bread": ("Fermentation of sourdough by bacteria", 2005),
}


@pytest.fixture
def library(cli: Cli, tmp_path: Path) -> Path:
    file = tmp_path / "four.bib"
    entries = (
        f"@article{{{key}, title={{{title}}}, year={{{year}}}}}\n"
        for key, (title, year) in PAPERS.items()
    )
    file.write_text("".join(entries), encoding="utf-8")
    folder = tmp_path / "four"
    assert cli("--library", folder, "import", file).code == 0
    assert cli("collection", "add", "Sea", "whales", "dolphins").code == 0
    return folder


def test_all_kinds_of_examples_and_limits(cli: Cli, library: Path, tmp_path: Path) -> None:
    def keys(*args: str) -> list[str]:
        return [one["citekey"] for one in cli("similar", *args, "--json").json]

    assert keys("--text", "calls of the ocean")[:1] == ["seals"]
    assert keys("--from-collection", "Sea") == ["seals"]
    assert "dolphins" not in keys("seals", "--not-in", "Sea")
    assert keys("whales", "--newer-than", "2010") == ["seals"]
    assert keys("seals", "--older-than", "2010") == ["whales"]
    assert "whales" not in keys("seals", "--within=-songs")
    file = tmp_path / "like.bib"
    file.write_text("@article{x, title={Songs of humpback whales in the ocean}}", encoding="utf-8")
    assert "whales" not in keys("--file", str(file))
    first = cli("similar", "seals", "--explain", "--json").json[0]
    assert set(first) == set(SIMILAR.keys)
    assert first["explanation"]["by"] == "words"
    assert sum(first["explanation"]["shares"].values()) == pytest.approx(1, abs=0.01)
    outside = cli("similar", "seals", "--outside", "--json")
    assert outside.json == []
    assert "cites a work outside the library" in outside.err
    nothing = cli("similar", "seals", "--newer-than", "2018", "--older-than", "2016", "--json")
    assert nothing.json == []
    left = "No other paper is left by the limits: after 2018, before 2016."
    assert left in nothing.err
    years = ("--newer-than", "2018", "--older-than", "2016")
    whole = cli("similar", "seals", *years, "--notes", "--json").json
    assert (whole["nothing"], whole["hits"]) == (left, [])
    assert whole["notes"][0].startswith("Compared by words only")
    beyond = cli("similar", "seals", "--outside", "--notes", "--json").json
    assert "cites a work outside" in beyond["nothing"]
    both = cli("similar", "seals", "whales", "--notes", "--json").json
    assert both["nothing"] is None
    assert any(note.startswith("Ranked by closeness") for note in both["notes"])
    assert [one["citekey"] for one in both["hits"]] == ["dolphins"]
    assert first["explanation"]["cocited_by"] is None
    assert first["explanation"]["cocitations"] == 0
    cli("similar", "seals", "--weights", "citation=0").refused("“direct” is direct citation")
    cli("similar", "seals", "--weights", "foo=1").refused("Signals are vector, lexical")
    cli("similar").refused("at least one paper")
    cli("similar", "seals", "--weights", "vecto=1").refused("vector")
    cli("similar", "seals", "--weights", "vector=x").refused("no number")
    cli("similar", "seals", "--diverse", "3").refused("from 0 to 1")
    cli("similar", "--text", " ").refused("text to compare with is empty")
    cli("similar", "seals", "--not-text", "").refused("text to compare with is empty")
    cli("similar", "--doi", " ").refused("DOI is empty")
    cli("similar", "--file", "").refused("name of the file is empty")
    blank = tmp_path / "blank.bib"
    blank.write_text("\n", encoding="utf-8")
    cli("similar", "--file", str(blank)).refused("blank.bib")
    cli("similar", "--doi", "10.1000/nobody").refused("consent")
    cli("similar", "--doi", "garbage").refused("“garbage” is neither a DOI")


def test_weights_are_shown_and_reset(cli: Cli, library: Path) -> None:
    shown = cli("similar-weights", "--json").json
    assert shown["learned"] is None
    assert shown["weights"]["lexical"] == 0.6
    cli("similar-weights", "learn").refused("too few links")
    assert cli("similar-weights", "reset", "--json").json == shown
    assert "default" in cli("similar-weights", "show").out


def test_what_to_read_next(cli: Cli, library: Path) -> None:
    ran = cli("read-next", "--json")
    assert ran.json == []
    assert "Nothing says yet what you read" in ran.err
    none = cli("read-next", "--notes", "--json").json
    assert none["nothing"].startswith("Nothing says yet what you read")
    assert none["hits"] == []
    assert cli("mark", "whales", "--rating", "5").code == 0
    (first, *_rest) = cli("read-next", "--json").json
    assert set(first) == set(READ_NEXT.keys)
    assert first["citekey"] == "dolphins"
    assert first["because"] == "rated 5"
    library_papers = [one["id"] for one in cli("list", "--json").json]
    assert cli("mark", *map(str, library_papers), "--read").code == 0
    ran = cli("read-next", "--json")
    assert ran.json == []
    assert "Nothing to read next: no unread paper is left." in ran.err
    assert cli("read-next").out == "Nothing to read next: no unread paper is left.\n"


def test_a_feed_of_a_file(cli: Cli, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "new.bib"
    file.write_text(
        "@article{a, title={Roses in gardens}}\n@article{b, title={Songs of orcas in the ocean}}\n"
        "@article{c, title={Fermentation of sourdough by bacteria}}\n",
        encoding="utf-8",
    )
    found = cli("feed", str(file), "--collection", "Sea", "--json")
    assert [one["title"] for one in found.json] == [
        "Songs of orcas in the ocean",
        "Roses in gardens",
    ]
    assert set(found.json[0]) == set(FEED.keys)
    assert "1 paper of these you have already" in found.err
    again = cli("feed", str(file), "--collection", "Sea", "--notes", "--json").json
    assert again["hits"] == found.json
    assert "1 paper of these you have already." in again["notes"]
    cli("feed", str(file)).refused("--collection")
    cli("feed", str(file), "--marked", "rated").refused("no paper is rated yet. Rate papers")
    cli("feed", str(file), "--marked", "read").refused("no paper is marked as read yet")
    assert cli("collection", "create", "Land").code == 0
    cli("feed", str(file), "--collection", "Land").refused("“Land” is empty. Put papers into it")
    assert cli("mark", "whales", "--rating", "5").code == 0
    rated = cli("feed", str(file), "--marked", "rated", "--json").json
    assert rated[0]["title"] == "Songs of orcas in the ocean"
    cli("feed", "--collection", "Sea").refused("--search")
    cli("feed", "--collection", "Sea", "--search", "orcas").refused("consent")
