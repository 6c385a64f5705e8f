"""``litscape map --out``: written of the map that is kept, refused before anything is computed."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from tests.cli.conftest import cli  # noqa: F401 - a fixture
from tests.separation.labelled_library import PAPERS, make

from litscape.library import Library
from litscape_app.cli.main import parse

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_a_map_is_written_in_the_wished_colours(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    folder, out = tmp_path / "library", tmp_path / "map.csv"
    make(folder)
    with Library.open(folder) as library:
        key = library.maps.make(layout="pca").key
    there = ("--library", folder)
    asked = ("map", "--layout", "pca", "--out", out, *there)
    found = cli(*asked, "--colour-by", "tag", "--json").json
    assert set(found) == set(parse(["map", "make"]).command.keys)
    assert (found["key"], found["out"], found["colour_by"]) == (key, str(out), "tag")
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == PAPERS
    assert rows[0]["colour"] == "rare", "of several the rarest"
    cli(*asked).refused("is there already; --force replaces it")
    assert f"Written to {out}, in one colour" in cli(*asked, "--force").out
    assert "coloured by tag." in cli(*asked, "--force", "--colour-by", "tag").out
    cli("map", "--out", tmp_path / "map.gif", *there).refused("map.gif")
    cli(*asked, "--force", "--colour-by", "topic").refused("No topics have been found")
    cli("map", "--out", out, "--force", "--size", "9x9", *there).refused("at least 200 pixels")
    cli("map", "--out", out, "--size", "-5x5", *there).refused("-5x5")
    told = cli("map", "align", key, key, "--json", *there).json
    assert (told["papers"], told["movers"]) == (PAPERS, [])
    assert "No paper moved." in cli("map", "align", key, key, *there).out
