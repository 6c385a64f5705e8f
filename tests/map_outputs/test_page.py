"""The page of a map, opened and used in headless Chromium: search, cards, zoom, legend."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.map_outputs.sheets import PAPERS, TITLES, made

from litscape.maps.outputs import Style, write

if TYPE_CHECKING:
    from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1200,800", "--virtual-time-budget=8000", "--dump-dom",
)  # fmt: skip
_WAIT_S = 90
_FRAMES = "<script>window.requestAnimationFrame = (draw) => setTimeout(draw, 1);</script>"
"""Without a screen frames come when they like: drawing follows the clock that is wound forward."""
_USE = r"""
const $ = (id) => document.getElementById(id), map = $("map"), card = $("card"), seen = {};
const frame = () => new Promise((done) => setTimeout(done, 20));
const data = JSON.parse($("data").textContent);
const xy = new Float32Array(Uint8Array.from(atob(data.xy), (c) => c.charCodeAt(0)).buffer);
const send = (kind, x, y, more) => {
  const Made = kind === "wheel" ? WheelEvent : PointerEvent, at = { clientX: x, clientY: y };
  const how = { bubbles: true, cancelable: true, pointerId: 1, ...at, ...more };
  map.dispatchEvent(new Made(kind, how));
};
const place = (i) => {
  const box = map.getBoundingClientRect(), [west, south, east, north] = data.extent;
  const side = Math.min((box.width - 32) / (east - west), (box.height - 48) / (north - south));
  return [box.left + box.width / 2 + (xy[2 * i] - (west + east) / 2) * side,
    box.top + (box.height - 16) / 2 + ((south + north) / 2 - xy[2 * i + 1]) * side];
};
const look = () => ({ shown: +map.dataset.shown, zoom: +map.dataset.zoom, hits: map.dataset.hits,
  card: card.hidden ? null : card.textContent, status: $("status").textContent });
const type = async (text) => {
  $("search").value = text;
  $("search").dispatchEvent(new Event("input"));
  await frame();
};
const press = (target, key) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const found = () =>
  [...document.querySelectorAll("#found button")].map((one) => one.firstChild.textContent);
(async () => {
  try {
    await frame();
    seen.start = { ...look(), names: +map.dataset.names, title: document.title,
      heading: $("title").textContent, scripts: document.scripts.length,
      legend: [...document.querySelectorAll("#legend label")].map((one) => one.textContent) };
    send("pointermove", ...place(3));
    await frame();
    seen.hover = look();
    send("pointermove", 2, 790);
    await frame();
    seen.away = look();
    await type("PONDS script");
    seen.search = { ...look(), found: found() };
    press($("search"), "Enter");
    await frame();
    seen.gone = { ...look(), link: card.querySelector("a").href, list: $("found").children.length };
    press($("search"), "Escape");
    press(map, "Escape");
    $("home").click();
    await frame();
    seen.cleared = look();
    await type("naive erdos");
    seen.folded = look();
    await type("nothing like it");
    seen.none = { ...look(), found: $("found").textContent };
    press($("search"), "Escape");
    seen.closed = { ...look(), value: $("search").value, list: $("found").children.length };
    $("search").click();
    seen.open = $("found").children.length;
    const over = $("found").getBoundingClientRect(), legend = document.querySelector("aside");
    seen.covers = over.right > legend.getBoundingClientRect().left;
    map.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerId: 9 }));
    map.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true, pointerId: 9 }));
    seen.away2 = $("found").children.length;
    await type("");
    for (let step = 0; step < 4; step++) send("wheel", ...place(1), { deltaY: -60 });
    await frame();
    seen.near = JSON.parse(map.dataset.named);
    press(map, "0");
    send("wheel", 500, 400, { deltaY: -200 });
    await frame();
    seen.wheel = look();
    press(map, "0");
    await frame();
    seen.home = look();
    send("pointerdown", 500, 400);
    send("pointermove", 560, 400);
    send("pointerup", 560, 400);
    send("pointermove", place(3)[0] + 60, place(3)[1]);
    await frame();
    seen.panned = look();
    press(map, "0");
    document.querySelector("#legend input").click();
    await frame();
    seen.legend = look();
    send("pointermove", ...place(2));
    await frame();
    seen.filtered = look();
    $("none").click();
    await frame();
    seen.nothing = look();
    $("all").click();
    const before = document.documentElement.dataset.theme;
    $("theme").click();
    await frame();
    seen.theme = { ...look(), turned: before !== document.documentElement.dataset.theme };
    seen.loaded = performance.getEntriesByType("resource").map((one) => one.name);
  } catch (error) { seen.error = `${error} ${error.stack}`; }
  document.body.dataset.seen = JSON.stringify(seen);
})();
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    """Chromium or a browser of its kind; required where CI runs."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("CI has no Chromium to open the page of a map in")
        pytest.skip("there is no Chromium to open the page of a map in")
    return found


@pytest.fixture(scope="module")
def seen(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page showed while it was used."""
    folder = tmp_path_factory.mktemp("page")
    file = folder / "map.html"
    write(made(), file, Style())
    page = file.read_text(encoding="utf-8")
    page = page.replace("<head>", f"<head>{_FRAMES}")
    file.write_text(page.replace("</body>", f"<script>{_USE}</script></body>"), encoding="utf-8")
    return _used(chromium, file, folder / "profile")


def _used(chromium: str, file: Path, profile: Path) -> dict[str, Any]:
    done = subprocess.run(
        [chromium, *_OPTIONS, f"--user-data-dir={profile}", file.as_uri()],
        capture_output=True,
        timeout=_WAIT_S,
        check=True,
    )
    found = re.search(r'data-seen="([^"]*)"', done.stdout.decode("utf-8"))
    assert found is not None, done.stdout[-2000:]
    seen: dict[str, Any] = json.loads(html.unescape(found[1]))
    assert "error" not in seen, seen["error"]
    return seen


def test_it_opens_with_all_papers_and_nothing_broken_out(seen: dict[str, Any]) -> None:
    start = seen["start"]
    assert start["shown"] == PAPERS
    assert start["status"] == f"{PAPERS} of {PAPERS} papers"
    assert start["title"] == start["heading"] == "Ponds & </title> lakes"
    assert start["scripts"] == 4  # the data, the page's own, and two of this test
    assert start["legend"] == ["article <i>20", "book & more19", "No type1"]
    assert start["names"] >= 1
    assert seen["loaded"] == []


def test_the_pointer_shows_a_paper(seen: dict[str, Any]) -> None:
    assert TITLES[3] in seen["hover"]["card"]
    assert "Ann Author, Bob Writer, Cy Third et al." in seen["hover"]["card"]
    assert 'Journal of <Water> & "Reeds"' in seen["hover"]["card"]
    assert seen["away"]["card"] is None


def test_search_finds_greys_the_rest_and_goes_there(seen: dict[str, Any]) -> None:
    assert (seen["search"]["hits"], seen["search"]["shown"]) == ("1", 1)
    assert seen["search"]["found"] == [TITLES[0]]
    gone = seen["gone"]
    assert TITLES[0] in gone["card"]
    assert gone["link"].startswith("https://doi.org/10.1000/101%3Ca")
    assert (gone["zoom"] >= 3, gone["list"]) == (True, 0)
    assert seen["cleared"]["shown"] == PAPERS
    assert seen["cleared"]["card"] is None
    assert seen["folded"]["hits"] == "1"  # whatever the accents
    assert (seen["none"]["shown"], seen["none"]["found"]) == (0, "Nothing found.")


def test_the_list_of_a_search_is_closed_without_losing_it(seen: dict[str, Any]) -> None:
    assert (seen["closed"]["list"], seen["closed"]["value"]) == (0, "nothing like it")
    assert seen["closed"]["shown"] == 0, "the search stays"
    assert seen["open"] == 1
    assert not seen["covers"], "it leaves the legend free"
    assert seen["away2"] == 0


def test_a_topic_without_parts_keeps_its_name_from_near(seen: dict[str, Any]) -> None:
    assert "ponds <1>" not in seen["near"], "its parts are named instead"
    assert set(seen["near"]) <= {"reeds", "lakes"}
    assert "lakes" in seen["near"]


def test_it_zooms_and_moves(seen: dict[str, Any]) -> None:
    assert seen["wheel"]["zoom"] > 1.2
    assert seen["home"]["zoom"] == 1
    assert TITLES[3] in seen["panned"]["card"]  # 60 pixels to the right


def test_the_legend_filters(seen: dict[str, Any]) -> None:
    assert seen["legend"]["shown"] == PAPERS - 20
    assert seen["filtered"]["card"] is None  # what is greyed can't be pointed at
    assert seen["nothing"]["shown"] == 0
    assert (seen["theme"]["shown"], seen["theme"]["turned"]) == (PAPERS, True)
