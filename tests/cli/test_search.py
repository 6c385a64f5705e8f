"""``embed``, ``search``, ``similar`` and ``models`` with the bundled encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape_app.cli.records import FOUND_KEYS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

PAPERS = {
    "whales": "Songs of humpback whales in the Pacific Ocean",
    "dolphins": "Vocal communication among bottlenose dolphins",
    "bread": "Fermentation of sourdough by lactic acid bacteria",
    "yeast": "Yeast metabolism during baking of wheat bread",
    "stars": "Spectra of distant quasars and early galaxies",
}


@pytest.fixture
def library(cli: Cli, tmp_path: Path) -> Path:
    path = tmp_path / "five.bib"
    entries = (f"@article{{{key}, title={{{title}}}}}\n" for key, title in PAPERS.items())
    path.write_text("".join(entries), encoding="utf-8")
    folder = tmp_path / "five"
    assert cli("--library", folder, "import", path).code == 0
    return folder


def test_before_embedding(cli: Cli, library: Path) -> None:
    hits = cli("search", "whales", "--mode", "lexical", "--json").json
    assert [one["citekey"] for one in hits] == ["whales"]
    assert set(hits[0]) == set(FOUND_KEYS)
    cli("search", "whales", "--mode", "semantic", "--json").refused("litscape embed")
    assert [one["citekey"] for one in cli("search", "whales", "--json").json] == ["whales"]
    assert cli("search", '-x OR "( title: *', "--mode", "lexical", "--json").code == 0
    assert cli("search", "zzz", "--mode", "lexical", "--json").json == []
    assert "Nothing" in cli("search", "zzz", "--mode", "lexical").out
    whole = cli("search", "zzz", "--mode", "lexical", "--explain", "--json").json
    assert whole["nothing"].startswith("No paper has “zzz”")
    assert whole["hits"] == []
    whole = cli("search", "bread year:1700", "--mode", "lexical", "--explain", "--json").json
    assert whole["nothing"] == "Nothing was found."
    assert cli("search", "bread", "--explain", "--json").json["nothing"] is None
    cli("search", "x", "-k", "0").refused("-k")
    cli("similar", "nobody").refused("nobody")


def test_embed_then_search_by_meaning(
    cli: Cli, library: Path, bundled_prepared: None, one_engine: None
) -> None:
    first = cli("embed", "--json").json
    assert (first["embedded"], first["reused"]) == (5, 0)
    again = cli("embed", "--json").json
    assert (again["embedded"], again["reused"]) == (0, 5)
    cli("edit", "stars", "--set", "title=Spectra of quasars")
    assert cli("embed", "--json").json["embedded"] == 1
    info = cli("info", "--json").json
    assert (info["embedded"], info["pending"], info["index_kind"]) == (5, 0, "exact")

    hits = cli("search", "sounds of marine mammals", "--mode", "semantic", "-k", "2", "--json").json
    assert {one["citekey"] for one in hits} == {"whales", "dolphins"}
    assert cli("search", "bread", "--mode", "hybrid", "--json").json[0]["why"]

    like = cli("similar", "whales", "-k", "1", "--json").json
    assert [one["citekey"] for one in like] == ["dolphins"]
    both = cli("similar", "whales", "bread", "-k", "2", "--json").json
    assert {one["citekey"] for one in both} == {"dolphins", "yeast"}
    unlike = cli("similar", "whales", "--not", "dolphins", "-k", "5", "--json").json
    assert not {"whales", "dolphins"} & {one["citekey"] for one in unlike}
    assert "dolphins" in cli("similar", "whales", "-k", "1").out


def test_models(cli: Cli, library: Path) -> None:
    listed = cli("models", "--json").json
    assert [one["source"] for one in listed] == ["bundled"]
    assert listed[0]["active"] is True
    version = listed[0]["version"]
    assert cli("models", "show", "--json").json == listed[0]
    assert cli("models", "use", version, "--json").json["dim"] == 384
    assert version in cli("models").out
