"""``litscape related``: list, add, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

BIB = """@article{one, title = {Mud in rivers}, year = 2010}
@article{two, title = {Owls at night}, year = 2011}
@article{three, title = {Reeds}, year = 2012}
"""


def test_pairs_are_marked_listed_and_taken_back(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "some.bib"
    file.write_text(BIB, "utf-8")
    assert cli("--library", tmp_path / "some", "import", file).code == 0
    assert "No papers" in cli("related").out
    assert cli("related", "add", "one", "two", "--json").json["structure"] is True
    assert "already" in cli("related", "add", "two", "one").out
    (record,) = cli("related", "list", "--json").json
    assert record["ids"] == [1, 2]
    assert [one["citekey"] for one in record["papers"]] == ["one", "two"]
    assert "Owls at night" in cli("related").out
    assert cli("related", "add", "one").code == 2
    assert "no longer" in cli("related", "remove", "one", "two").out
    assert "were not marked" in cli("related", "remove", "one", "two").out
    assert cli("undo").code == 0
    assert len(cli("related", "--json").json) == 1
