"""``search`` with the whole language, ``saved`` and ``searches``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.search.history import SearchHistory
from litscape_app.cli.records import FOUND_KEYS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

BIB = """
@article{whales, title={Songs of whales}, year={2001}, abstract={Humpbacks sing in the Pacific.}}
@article{bread, title={Sourdough bread}, year={2005}, abstract={Bacteria sour the dough.}}
@book{stars, title={Spectra of quasars}, year={2010}}
"""


@pytest.fixture
def library(cli: Cli, tmp_path: Path) -> Path:
    path = tmp_path / "three.bib"
    path.write_text(BIB, encoding="utf-8")
    folder = tmp_path / "three"
    assert cli("--library", folder, "import", path).code == 0
    return folder


def keys(cli: Cli, *query: str) -> set[str]:
    return {one["citekey"] for one in cli("search", *query, "--mode", "lexical", "--json").json}


def test_groups_fields_and_slips(cli: Cli, library: Path) -> None:
    assert keys(cli, "whales OR (bread year:2005..)") == {"whales", "bread"}
    assert keys(cli, "is:unread -(whales OR type:book)") == {"bread"}
    assert keys(cli, "NOT year:2001 -key:stars") == {"bread"}
    found = cli("search", "wahles (", "--mode", "lexical", "--json")
    assert [one["citekey"] for one in found.json] == ["whales"]
    assert "searched “whales” instead" in found.err
    assert "A bracket is not closed" in found.err


def test_reasons_and_how_it_was_understood(cli: Cli, library: Path) -> None:
    (hit,) = cli("search", "humpback", "--mode", "lexical", "--json").json
    assert set(hit) == set(FOUND_KEYS)
    assert hit["matched"] == ["Humpbacks"]
    assert hit["snippet"]["text"].startswith("Humpbacks sing")
    assert hit["snippet"]["marks"] == [[0, 9]]
    told = cli("search", "songs OR year:2010", "--mode", "lexical", "--json", "--explain")
    assert told.json["understood"] == "(songs or year 2010)"
    assert [one["citekey"] for one in told.json["hits"]] == ["whales", "stars"]
    assert told.json["hits"][0]["snippet"] is None
    assert told.err == ""
    assert "Understood as: not whales, not bread" in cli("search", "--", "-(whales OR bread)").err
    assert "words (Songs)" in cli("search", "songs", "--mode", "lexical").out


def test_saved_searches(cli: Cli, library: Path) -> None:
    assert cli("saved", "--json").json == []
    assert cli("saved", "add", "Sea", "whales", "OR", "fish", "--json").json["structure"]
    cli("saved", "add", "Sea", "x").refused("already")
    (one,) = cli("saved", "list", "--json").json
    assert one == {"name": "Sea", "query": "whales OR fish", "mode": "hybrid", "count": 1}
    assert [hit["citekey"] for hit in cli("saved", "run", "sea", "--json").json] == ["whales"]
    assert cli("saved", "change", "Sea", "year:2001..", "--mode", "lexical", "--json").json
    assert cli("saved", "rename", "Sea", "All", "--json").json["structure"]
    assert cli("saved", "list", "--json").json[0]["count"] == 3
    cli("saved", "rename", "Sea", "x").refused("Sea")
    cli("saved", "change", "All").refused("query")
    assert cli("saved", "delete", "All", "--json").json["structure"]
    assert cli("undo", "--json").code == 0
    assert cli("saved", "list", "--json").json[0]["name"] == "All"


def test_past_searches(cli: Cli, library: Path) -> None:
    assert cli("searches", "--json").json == []
    SearchHistory().remember(library, "whales")
    SearchHistory().remember(library, "bread")
    assert cli("searches", "--json").json == [{"query": "bread"}, {"query": "whales"}]
    assert cli("searches", "forget", "bread", "--json").json == {"forgotten": 1}
    assert cli("searches", "forget", "--json").json == {"forgotten": 1}


def test_nothing_is_no_query(cli: Cli, library: Path) -> None:
    for asked in (("saved", "add", "Empty", ""), ("fulltext", "search", " ")):
        refused = cli(*asked)
        assert refused.code != 0
        assert "words" in refused.err
    assert cli("saved", "list", "--json").json == []
