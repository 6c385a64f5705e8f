"""Vectors that are no longer as they were written: told as damaged, made anew by ``embed``."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.cli.conftest import BIB
from tests.exported import TINY

from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Cli
    from tests.exported import Exports

WIDTH = 24


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def _foreign(file: Path) -> None:
    file.write_text("no vectors at all", encoding="utf-8")


def _other_width(file: Path) -> None:
    np.save(file, np.ones((2, 7), np.float32))


def _other_values(file: Path) -> None:
    np.save(file, np.ones((2, WIDTH), np.float32))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut off": _cut,
    "foreign": _foreign,
    "another width": _other_width,
    "other values": _other_values,
    "folder removed": lambda file: shutil.rmtree(file.parent),
    "cut off ids": lambda file: _cut(file.with_name("ids.npy")),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, exports: Exports) -> Path:
    """A library of two papers with their vectors, to be copied."""
    place = tmp_path_factory.mktemp("embedded")
    (place / "papers.bib").write_text(BIB, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITSCAPE_HOME", str(place / "home"))
        exports.put(place / "home")
        with Library.open(place / "library") as library:
            library.import_file(place / "papers.bib")
            library.models.activate(library.models.add_folder(TINY).version)
            assert library.embed().embedded == 2
    return place / "library"


@pytest.fixture
def filled(cli: Cli, whole: Path, tmp_path: Path, tiny_prepared: None, one_engine: None) -> Path:
    """The test's own copy, which is also the library opened last."""
    folder = Path(shutil.copytree(whole, tmp_path / "library"))
    assert cli("--library", folder, "edit", "bell1876", "--set", "volume=12", "--json").code == 0
    return folder


@pytest.fixture
def embedded(filled: Path) -> Path:
    """The file with the vectors of the library."""
    (file,) = filled.glob("vectors/*/vectors.npy")
    return file


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_told_and_mended_by_embedding(
    cli: Cli, filled: Path, embedded: Path, damage: str
) -> None:
    before = cli("list", "--json").json
    DAMAGES[damage](embedded)
    cli("search", "telephony", "--mode", "semantic").refused("damaged", "litscape embed", "again")
    found = cli("search", "telephony", "--json")
    assert [one["citekey"] for one in found.json] == ["bell1876"]
    assert "damaged" in found.err
    assert "litscape embed" in found.err
    like = cli("similar", "bell1876")
    assert like.code == 0
    assert "damaged" in like.err
    info = cli("info", "--json").json
    assert (info["embedded"], info["pending"], info["damaged"]) == (0, 2, 2)
    assert any("2 vectors are damaged" in note for note in info["notes"])

    again = cli("embed", "--json")
    assert (again.json["embedded"], again.json["reused"]) == (2, 0)
    assert again.json["notes"][0] == "The vectors of 2 papers were damaged and made anew."
    assert cli("search", "telephony", "--mode", "semantic", "--json").json
    assert cli("info", "--json").json["damaged"] == 0
    assert cli("library", "check").code == 0
    assert cli("list", "--json").json == before


def test_one_damaged_vector_costs_one(cli: Cli, filled: Path, embedded: Path) -> None:
    whole = np.load(embedded)
    whole[0] = 0.5
    np.save(embedded, whole)
    found = cli("search", "telephony", "--mode", "semantic", "--json")
    assert len(found.json) == 1
    assert "known for 1 of 2 papers; 1 damaged vector is left out" in found.err
    with Library.open(filled) as library:
        ids = library.vectors().ids.tolist()
        damaged = ({1, 2} - set(ids)).pop()
    assert "no sound vector" in cli("similar", str(damaged)).err
    info = cli("info")
    assert "The vector of 1 paper is damaged: run `litscape embed` again" in info.out
    again = cli("embed", "--json").json
    assert (again["embedded"], again["reused"]) == (1, 1)
    assert again["notes"] == ["The vector of 1 paper was damaged and made anew."]


def test_vectors_that_never_were_are_not_called_damaged(
    cli: Cli, tmp_path: Path, bib: Path
) -> None:
    assert cli("--library", tmp_path / "library", "import", bib, "--json").code == 0
    refused = cli("search", "telephony", "--mode", "semantic")
    refused.refused("yet", "litscape embed")
    assert "damaged" not in refused.err
    assert cli("info", "--json").json["damaged"] == 0


def test_a_paper_without_text_is_not_waited_for(cli: Cli, embedded: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.bib"
    bare.write_text("@misc{bare, author={Nemo, Jo}, year={1990}}\n", encoding="utf-8")
    assert cli("import", bare).code == 0
    info = cli("info", "--json").json
    assert (info["embedded"], info["pending"], info["without_text"]) == (2, 0, 1)
    assert info["index_state"] == "ready"
    assert "1 paper has neither title nor abstract and can't be compared." in info["notes"]
    like = cli("similar", "bare")
    assert like.out.strip() == "This paper has neither title nor abstract and can't be compared."
    assert "litscape embed" not in like.err
    assert "--is" not in cli("similar", "bell1876", "--is", "read").err
    none = cli("similar", "bell1876", "--is", "read", "--newer-than", "1800")
    assert none.out.strip() == "No other paper is left by the limits: after 1800."
