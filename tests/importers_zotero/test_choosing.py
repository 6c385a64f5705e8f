"""Taking a part of a Zotero: nothing outside it is touched, and groups can be kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.importers.base import ReadOptions
from litscape.importers.marks import chosen, kept_mark
from litscape.importers.watch import Watch
from litscape.importers.zotero_places import places

if TYPE_CHECKING:
    from collections.abc import Callable

COLLECTIONS = {"water": "COLWATER", "ice": "COLICE"}


def missing(world: Any) -> set[str]:
    return {key for key, paper in world.by_key().items() if paper.missing_in_source}


class Database:
    """A Zotero database with a paper in each of two collections, one in none, and a group."""

    def __init__(self, maker: Callable[..., Any]) -> None:
        self.made = maker()
        self.source = str(self.made.file)
        items = [self.made.item(f"{key}2222", title=key) for key in ("WET", "COLD", "DRY")]
        self.keys = {
            name: f"COL{self.made.collection(name, item):05}"
            for name, item in zip(("water", "ice"), items, strict=False)
        }
        of_group = self.made.item("WET2222", title="Of the group", library=2)
        self.made.collection("water", of_group, library=2)
        self.made.item("LOOSE222", title="Loose in the group", library=2)

    def title(self, key: str, title: str) -> None:
        self.made.write(
            "UPDATE itemData SET valueID = ? WHERE itemID = (SELECT itemID FROM items"
            " WHERE key = ? AND libraryID = 1)",
            self.made._named("itemDataValues", "value", title),
            f"{key}2222",
        )

    def drop(self, name: str) -> None:
        self.made.write("DELETE FROM collections WHERE key = ?", self.keys[name])


class Running:
    """The same of a Zotero that answers."""

    def __init__(self, zotero: Any) -> None:
        self.zotero, self.source = zotero, zotero.source
        self.keys = COLLECTIONS
        for name, key in COLLECTIONS.items():
            zotero.folder(key, name)
        for key, inside in (("WET", ["COLWATER"]), ("COLD", ["COLICE"]), ("DRY", [])):
            zotero.put(f"{key}2222", title=key, collections=inside)
        zotero.groups[777] = type(zotero)()
        zotero.groups[777].folder("GROUPCOL", "water")
        zotero.groups[777].put("WET2222", title="Of the group", collections=["GROUPCOL"])
        zotero.groups[777].put("LOOSE222", title="Loose in the group")

    def title(self, key: str, title: str) -> None:
        old = next(one for one in self.zotero.items if one["key"] == f"{key}2222")
        self.zotero.put(f"{key}2222", title=title, collections=old["data"]["collections"])

    def drop(self, name: str) -> None:
        self.zotero.version += 1
        self.zotero.collections = [
            one for one in self.zotero.collections if one["key"] != self.keys[name]
        ]


@pytest.fixture(params=["database", "running", "running, counting nothing"])
def place(request: pytest.FixtureRequest, maker: Any, zotero: Any) -> Database | Running:
    if request.param == "database":
        return Database(maker)
    zotero.server_id = "first" if request.param == "running" else None
    return Running(zotero)


def test_a_part_leaves_the_rest_alone(world: Any, place: Any, counts: Any) -> None:
    world.take(place.source)
    inside = (f"user/{place.keys['water']}",)
    assert counts(world.take(place.source, inside=inside)) == (0, 0, 0, 1, 0)
    place.title("WET", "Wetter")
    place.title("COLD", "Colder")
    assert counts(world.take(place.source, inside=inside)) == (0, 1, 0, 0, 0)
    found = world.by_key()
    assert found["user:WET2222"].title == "Wetter"
    assert found["user:COLD2222"].title == "COLD"
    assert missing(world) == set()
    assert len(world.papers) == 5
    assert counts(world.take(place.source)) == (0, 1, 0, 4, 0)


def test_no_longer_ticked_papers_stay(world: Any, place: Any, counts: Any) -> None:
    both = tuple(f"user/{key}" for key in place.keys.values())
    assert counts(world.take(place.source, inside=both)) == (2, 0, 0, 0, 0)
    assert counts(world.take(place.source, inside=both[:1])) == (0, 0, 0, 1, 0)
    assert counts(world.take(place.source, "group:777")) == (2, 0, 0, 0, 0)
    assert len(world.papers) == 4
    assert missing(world) == set()


def test_what_moves_into_a_ticked_collection_comes(world: Any, zotero: Any, counts: Any) -> None:
    place = Running(zotero)
    inside = ("user/COLWATER",)
    assert counts(world.take(place.source, inside=inside)) == (1, 0, 0, 0, 0)
    zotero.put("DRY2222", title="DRY", collections=["COLWATER"])
    zotero.asked.clear()
    assert counts(world.take(place.source, inside=inside)) == (1, 0, 0, 1, 0)
    zotero.put("WET2222", title="WET", collections=[])
    assert counts(world.take(place.source, inside=inside)) == (0, 0, 0, 1, 0)
    assert missing(world) == set()
    whole = [path for path in zotero.asked if "/items?start=0" in path and "since" not in path]
    assert whole == []


def test_a_collection_that_is_gone_is_told(world: Any, place: Any) -> None:
    inside = tuple(f"user/{key}" for key in place.keys.values())
    world.take(place.source, inside=inside)
    place.drop("ice")
    report = world.take(place.source, inside=inside)
    assert [(one.code, one.severity) for one in report.issues] == [("collection-gone", "warning")]
    assert "A collection of My Library" in report.issues[0].message
    assert missing(world) == set()


def test_groups_are_kept_apart_where_asked(world: Any, place: Any) -> None:
    world.take(place.source)
    found = world.by_key()
    assert found["user:WET2222"].collections == found["group:777:WET2222"].collections
    assert found["group:777:LOOSE222"].collections == ()
    world.take(place.source, group_names=True)
    found = world.by_key()
    name = next(one.title for one in _libraries(world, place) if one.name == "group:777")
    assert found["user:WET2222"].collections == (("water",),)
    assert found["group:777:WET2222"].collections == ((name, "water"),)
    assert found["group:777:LOOSE222"].collections == ((name,),)
    assert found["user:DRY2222"].collections == ()


def _libraries(world: Any, place: Any) -> Any:
    from pathlib import Path

    more = [] if place.source.startswith("zotero:") else [Path(place.source)]
    found = list(places(world.database, more, ()))
    if more:
        return found[0].libraries
    from litscape.importers.zotero_api import libraries

    return libraries(place.source)


def test_what_was_taken_is_remembered(world: Any, place: Any) -> None:
    inside = (f"user/{place.keys['water']}",)
    options = ReadOptions(zotero_collections=inside)
    watch = Watch(world.database)
    assert watch.choice(place.source) is None
    world.take(place.source, inside=inside)
    assert watch.choice(place.source) == options
    mark = kept_mark(world.database, place.source)
    assert mark is not None
    assert mark.counts == {"added": 1, "updated": 0, "merged": 0, "unchanged": 0, "skipped": 0}
    watch.choose(place.source, ReadOptions(zotero_libraries=("user",)))
    assert watch.has_news(place.source)
    assert watch.look(place.source).added == 2
    with world.database.read() as conn:
        kept = chosen(conn, place.source)
    assert kept == ReadOptions(zotero_libraries=("user",))


def test_collections_of_one_path_keep_what_is_below_each(maker: Any) -> None:
    from litscape.importers.zotero_sqlite import libraries

    made = maker()
    first, second = (made.collection("Same") for _ in range(2))
    for name, parent in (("Of the first", first), ("Of the second", second)):
        made.collection(name, parent=parent)
    listed = libraries(made.file)[0].collections
    above = {path[-1]: parent for _key, path, parent in listed if len(path) == 2}
    assert above == {"Of the first": f"COL{first:05}", "Of the second": f"COL{second:05}"}
