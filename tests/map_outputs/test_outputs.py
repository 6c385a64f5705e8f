"""Files of a map: sound, whole, with every paper and nothing that breaks out."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.map_outputs.sheets import PAPERS, TITLES, made
from tests.separation.labelled_library import PAPERS as LABELLED
from tests.separation.labelled_library import RARE, make

from litscape.errors import EnvironmentFault, UserError
from litscape.library import Library
from litscape.maps.colouring import Entry
from litscape.maps.ground import Ground
from litscape.maps.outputs import OUTPUTS, Style, gather, output_for, write
from litscape.maps.outputs.sheet import TopicName, unit
from litscape_app.pictures import OUTPUTS as ALL

if TYPE_CHECKING:
    from pathlib import Path

_SVG = "{http://www.w3.org/2000/svg}"


def test_svg_has_every_paper_in_its_colour_within_the_picture(tmp_path: Path) -> None:
    sheet, file = made(), tmp_path / "map.svg"
    write(sheet, file, Style(900, 600, dark=True))
    root = ElementTree.parse(file).getroot()
    assert (root.get("width"), root.get("height")) == ("900", "600")
    groups = root.findall(f"{_SVG}g")
    assert sorted(len(one) for one in groups) == [1, 19, 20]
    colours = {sheet.colour(entry, dark=True) for entry in range(3)}
    assert {one.get("fill") for one in groups} == colours
    for point in (point for one in groups for point in one):
        assert 0 < float(point.get("cx", "")) < 700
        assert 0 < float(point.get("cy", "")) < 600
    texts = [one.text for one in root.findall(f"{_SVG}text")]
    assert {"ponds <1>", "lakes", "article <i>", "Type", "Ponds & </title> lakes"} <= set(texts)
    assert "reeds" not in texts  # a part of a topic


def test_a_long_legend_wraps_its_names_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    sheet, file = made(), tmp_path / "map.svg"
    long = "a name of {} many words, too long for a line"
    many = tuple(Entry(long.format(number), 1, number) for number in range(40))
    sheet = replace(sheet, colours=replace(sheet.colours, entries=many))
    write(sheet, file, Style(1000, 500))
    root = ElementTree.parse(file).getroot()
    texts = [one.text or "" for one in root.findall(f"{_SVG}text")]
    shown = [text for text in texts if text.startswith("a name of")]
    assert 5 < len(shown) < 40
    assert f"and {40 - len(shown)} more" in texts
    heights = [float(one.get("y", "")) for one in root.findall(f"{_SVG}text")]
    assert max(heights) < 500


def test_names_find_a_place_beside_each_other(tmp_path: Path) -> None:
    sheet = made()
    # A lone name at the edge, and three that are close to each other.
    names = [TopicName(9, "a lone island of the far north", 0.0, 0.5, 0, 3)]
    names += [
        TopicName(n, f"name {n} of several papers", 0.5, 0.5 + n / 16, 0, 9) for n in range(3)
    ]
    write(replace(sheet, names=tuple(names)), tmp_path / "map.svg", Style(1600, 1200))
    found = {
        (float(one.get("x", "")), float(one.get("y", "")), one.text or "")
        for one in ElementTree.parse(tmp_path / "map.svg").iter(f"{_SVG}text")
        if one.get("text-anchor") == "middle"
    }
    texts = " ".join(sorted(text for *_at, text in found))
    for wanted in ("name 0", "name 1", "name 2", "north"):
        assert wanted in texts, "not left out beside free space"
    size = 1.1 * 1200 / 75
    for x, y, text in found:
        assert x - len(text) * size * 0.53 / 2 > 0, "not cut at the edge"
        for x2, y2, other in found - {(x, y, text)}:
            room = (len(text) + len(other)) * size * 0.53 / 2
            assert abs(x - x2) >= room or abs(y - y2) >= size, "none lies over another"


def test_a_caption_says_what_can_be_read_unless_it_is_not_wanted(tmp_path: Path) -> None:
    sheet = replace(made(), caption="Forty papers & what they prove.")
    for suffix in (".svg", ".html"):
        write(sheet, tmp_path / f"with{suffix}", Style())
        write(sheet, tmp_path / f"without{suffix}", Style(caption=False))
    assert "Forty papers &amp; what they prove." in (tmp_path / "with.svg").read_text("utf-8")
    assert "Forty papers \\u0026 what they prove." in (tmp_path / "with.html").read_text("utf-8")
    for suffix in (".svg", ".html"):
        assert "they prove" not in (tmp_path / f"without{suffix}").read_text("utf-8")


def test_a_low_broad_picture_is_used_and_strays_make_no_map_small(tmp_path: Path) -> None:
    entries = tuple(Entry(f"name {number}", 2, number) for number in range(20))
    sheet = made()
    sheet = replace(
        sheet,
        colours=replace(sheet.colours, entries=entries, of=np.arange(PAPERS).astype(np.int16) // 2),
    )
    write(sheet, tmp_path / "low.svg", Style(3000, 240))
    texts = {one.text: one for one in ElementTree.parse(tmp_path / "low.svg").iter(f"{_SVG}text")}
    assert all(f"name {number}" in texts for number in range(20)), "the legend has columns"
    xy = sheet.xy.copy()
    xy[0] = (400, 0.5)
    write(replace(sheet, xy=xy), tmp_path / "stray.svg", Style(900, 600))
    places = [
        (float(one.get("cx", "")), float(one.get("r", "")))
        for one in ElementTree.parse(tmp_path / "stray.svg").getroot().iter(f"{_SVG}circle")
    ]
    inside = sorted(x for x, r in places)[:PAPERS]
    assert inside[-2] - inside[0] > 300
    assert inside[-1] < 900, "a far one stands at the edge"


def test_points_keep_their_sides_up_and_right(tmp_path: Path) -> None:
    sheet, file = made(), tmp_path / "map.svg"
    write(sheet, file, Style())
    points = [
        (float(point.get("cx", "")), float(point.get("cy", "")))
        for group in ElementTree.parse(file).getroot().findall(f"{_SVG}g")
        for point in group
    ]
    # The second heap lies right of and above the first.
    assert max(x for x, y in points) > min(x for x, y in points) + 300
    right = [y for x, y in points if x > np.median([a for a, _b in points])]
    assert np.median(right) < np.median([y for _x, y in points])


def test_csv_is_read_back_as_it_is(tmp_path: Path) -> None:
    sheet, file = made(), tmp_path / "map.csv"
    write(sheet, file, Style())
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == PAPERS
    assert [row["title"] for row in rows[:5]] == list(TITLES[:5])
    assert [int(row["id"]) for row in rows] == sheet.ids.tolist()
    found = np.array([(row["x"], row["y"]) for row in rows], dtype=np.float32)
    assert np.array_equal(found, sheet.places)
    assert (rows[0]["topic"], rows[0]["topic_name"], rows[0]["topic_2"]) == ("1", "ponds <1>", "3")
    assert (rows[9]["topic"], rows[9]["topic_name"]) == ("", "")
    assert (rows[3]["year"], rows[7]["colour"]) == ("", "No type")


def test_parquet_has_types_and_the_same_values(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    sheet, file = made(), tmp_path / "map.parquet"
    write(sheet, file, Style())
    table = parquet.read_table(file)
    assert table.num_rows == PAPERS
    kinds = {name: str(table.schema.field(name).type) for name in ("id", "x", "topic_2", "doi")}
    assert kinds == {"id": "int64", "x": "float", "topic_2": "int64", "doi": "string"}
    assert table["id"].to_pylist() == sheet.ids.tolist()
    assert np.array_equal(table["x"].to_numpy(), sheet.places[:, 0])
    assert table["topic"].to_pylist()[9] is None


def test_parquet_without_pyarrow_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UserError, match=r"pip install 'litscape\[parquet\]'"):
        write(made(), tmp_path / "map.parquet", Style())
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_kind_or_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.svg, \.html"):
        output_for(tmp_path / "map.gif")
    assert set(ALL) == {".png", ".pdf", *OUTPUTS}
    for suffix in OUTPUTS:
        with pytest.raises(EnvironmentFault, match="No such file"):
            write(made(), tmp_path / "nowhere" / f"map{suffix}", Style())
    with pytest.raises(UserError, match="at least 200"):
        Style(100, 800)
    with pytest.raises(UserError, match="400 million"):
        Style(40_000, 40_000)


def test_png_and_pdf_are_drawn_of_the_svg(tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    sheet = made()
    write(sheet, tmp_path / "map.png", Style(640, 480), ALL)
    image = QImage(str(tmp_path / "map.png"))
    assert (image.width(), image.height()) == (640, 480)
    found = {image.pixelColor(x, y).name() for x in range(0, 640, 2) for y in range(0, 480, 2)}
    assert "#fdfcfa" in found
    assert len(found) > 10
    write(sheet, tmp_path / "map.pdf", Style(960, 480), ALL)
    pdf = (tmp_path / "map.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert b"/MediaBox [0 0 720" in pdf.replace(b"0.000000", b"0").replace(b".0", b"")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["map.pdf", "map.png"]


def test_what_a_library_knows_comes_onto_the_sheet(tmp_path: Path) -> None:
    make(tmp_path / "library")
    with Library.open(tmp_path / "library") as library:
        layout = library.maps.make(layout="pca")
        sheet = gather(library, layout, "tag")
        assert len(sheet.ids) == LABELLED
        assert [paper.id for paper in sheet.papers] == sheet.ids.tolist()
        assert [one.label for one in sheet.colours.entries[:2]] == ["corals", "glaciers"]
        told = {one.label: one.papers for one in sheet.colours.entries}
        assert told["rare"] == RARE, "a value is counted with all of its papers"
        drawn = np.bincount(sheet.colours.of, minlength=len(sheet.colours.entries))
        assert drawn[[one.label for one in sheet.colours.entries].index("rare")] == RARE
        plain = gather(library, layout)
        assert plain.colours.by == "none", "no topics and no years: no field that all lack"
        assert "find them" in plain.note
        assert f"{LABELLED} papers, PCA of" in plain.caption
        assert ", seed 0, 20" in plain.caption
        assert "distances between clusters prove nothing" in plain.caption
        with pytest.raises(UserError, match="find them first"):
            gather(library, layout, "topic")
        with pytest.raises(UserError, match="venue"):
            gather(library, layout, "venu")


def test_places_fit_the_unit_square_and_keep_their_shape() -> None:
    xy = np.array([[0, 0], [10, 0], [10, 5]], dtype=np.float32)
    assert unit(xy).tolist() == [[0, 0.25], [1, 0.25], [1, 0.75]]
    assert unit(np.zeros((1, 2), np.float32)).tolist() == [[0.5, 0.5]]


def test_a_name_stands_where_most_of_its_papers_are() -> None:
    rng = np.random.default_rng(0)
    heap = np.array((0.8, 0.2)) + rng.normal(scale=0.04, size=(60, 2))
    knot = np.array((0.1, 0.9)) + rng.normal(scale=0.001, size=(20, 2))
    strays = rng.uniform(size=(15, 2))
    xy = np.concatenate([knot, heap, strays]).astype(np.float32)
    every = np.arange(len(xy))
    ground = Ground(xy, {1: every})
    assert ground.anchor(1) == pytest.approx((0.8, 0.2), abs=0.05), "not on the small knot"
    assert Ground(np.ones((1, 2)), {1: every[:1]}).anchor(1) == (1.0, 1.0)
    ring = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 6.2, 80)])
    x, y = Ground(ring, {1: np.arange(80)}).anchor(1)
    assert np.hypot(x, y) == pytest.approx(1), "on its points, not in the middle of them"
