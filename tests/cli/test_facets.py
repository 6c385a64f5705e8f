"""``litscape facets``: counts for a person and as JSON, of what was imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.facets import FACETS
from litscape_app.cli.commands.facets import NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

RECORDS = """
@article{a, title={Foxes at night}, author={Doe, Jane and Roe, R.}, journal={Nature}, year={2001}}
@article{b, title={Foxes by day}, author={Doe, Jane}, journal={NATURE}, year={2003}}
@book{c, title={Owls}, author={Roe, R.}, year={2003}, keywords={birds}}
"""


def test_facets_of_a_result(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "zoo.bib"
    file.write_text(RECORDS, encoding="utf-8")
    assert cli("--library", tmp_path / "zoo", "import", file).code == 0
    found = cli("facets", "foxes", "--json").json
    assert found["papers"] == 2
    facets = {one["name"]: one for one in found["facets"]}
    assert tuple(facets) == NAMES
    assert set(NAMES) == set(FACETS)
    (venue,) = facets["venue"]["values"]
    assert (venue["value"].casefold(), venue["count"]) == ("nature", 2)
    assert [(one["value"], one["count"]) for one in facets["author"]["values"]] == [
        ("Doe, Jane", 2),
        ("Roe, R.", 1),
    ]
    assert [one["value"] for one in facets["source"]["values"]] == ["zoo.bib"]

    chosen = cli("facets", 'year:2003 author:="roe, r"', "--facet", "year", "--json").json
    assert chosen["papers"] == 1
    assert [
        (one["value"], one["count"], one["chosen"]) for one in chosen["facets"][0]["values"]
    ] == [
        ("2001", 1, False),
        ("2003", 1, True),
    ]
    shown = cli("facets", "--facet", "author", "--top", "1").out
    assert "author (1 more)" in shown
    assert "Doe, Jane" in shown
    assert "birds" in cli("facets", "--containing", "bir").out
    cli("facets", "--facet", "colours").refused("colours")
    assert "no tag “wild”" in cli("facets", "tag:wild").err
    assert cli("search", 'source:zoo.bib keyword:="Birds"', "--json").json[0]["citekey"] == "c"
