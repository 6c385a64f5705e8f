"""``litscape map``: made, kept, listed, completed, compared, removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.maps.made import add, embed, make, vectors

from litscape import Library
from litscape_app.cli.main import parse

if TYPE_CHECKING:
    from tests.cli.conftest import Cli


@pytest.fixture
def there(tmp_path: Path) -> tuple[str, str]:
    folder = tmp_path / "mapped"
    with make(folder, 40, vectors(40), bare=(4,)) as library:
        ponds = library.edit.create_collection("Ponds")
        assert ponds.change_id
        library.edit.add_to_collection([3, 6, 9, 12, 15], 1)
    return "--library", str(folder)


def test_a_map_is_made_once_and_told_of_again(cli: Cli, there: tuple[str, str]) -> None:
    made = cli("map", "--layout", "pca", *there, "--json").json
    assert (made["key"], made["layout"], made["papers"], made["scope"]) == (
        1, "pca", 40, "All papers",
    )  # fmt: skip
    assert "1 of 40 papers has no abstract" in made["sentence"]
    assert set(made) == set(parse(["map"]).command.keys) == set(parse(["map", "make"]).command.keys)
    assert cli("map", *there, "--json").json == made
    assert cli("map", "make", "--layout", "pca", "--again", *there, "--json").json["key"] == 2
    other = cli("map", "--layout", "pca", "--collection", "Ponds", *there, "--json").json
    assert (other["key"], other["papers"], other["scope"]) == (3, 5, "Collection Ponds")
    found = cli("map", "--layout", "pca", "--query", "title:walls", *there, "--json").json
    assert (found["key"], found["papers"], found["scope"]) == (4, 14, "Search: title:walls")
    listed = cli("map", "list", *there, "--json").json
    assert [one["key"] for one in listed] == [4, 3, 2, 1]
    assert set(listed[0]) == set(parse(["map", "list"]).command.keys)
    assert "Search: title:walls" in cli("map", "list", *there).out
    assert cli("map", "remove", "4", *there, "--json").json == {"key": 4}
    cli("map", "remove", "4", *there).refused("no map 4", "1, 2, 3")
    cli("map", "--collection", "Pond", *there).refused("Ponds")
    cli("map", "--layout", "force", *there).refused("umap")
    cli("map", "--query", "zebras", *there).refused("no papers")


def test_later_papers_are_placed_and_maps_compared(cli: Cli, there: tuple[str, str]) -> None:
    cli("map", "--layout", "pca", *there)
    with Library.open(Path(there[1])) as library:
        before = library.maps.get(1)
        add(library, range(41, 44))
        embed(library, range(41, 44), vectors(43)[40:])
    assert "3 of 43 papers have no place yet" in cli("map", *there).out
    placed = cli("map", "place", "1", *there, "--json").json
    assert (placed["papers"], placed["placed"], placed["missing"]) == (43, 3, 0)
    with Library.open(Path(there[1])) as library:
        np.testing.assert_array_equal(library.maps.get(1).xy[:40], before.xy)
    cli("map", "--layout", "pca", "--again", *there)
    laid = cli("map", "align", "1", "2", "-k", "4", *there, "--json").json
    assert set(laid) == set(parse(["map", "align", "1", "2"]).command.keys)
    # The papers that were laid in later have places of their own now; the others stay.
    assert (laid["papers"], sorted(one["id"] for one in laid["movers"])) == (43, [41, 42, 43])
    assert 0 <= laid["disparity"] < 0.05
    assert laid["movers"][0]["moved"] >= laid["movers"][2]["moved"]
    told = cli("map", "align", "1", "2", *there).out
    assert laid["movers"][0]["citekey"] in told


def test_without_maps_or_vectors(cli: Cli, tmp_path: Path) -> None:
    make(tmp_path / "bare", 3).close()
    there = ("--library", str(tmp_path / "bare"))
    assert "litscape map make" in cli("map", "list", *there).out
    cli("map", *there).refused("litscape embed")
