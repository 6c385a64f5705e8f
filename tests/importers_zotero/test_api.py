"""The running Zotero: all pages, only what changed, and clear words where it does not answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.importers.registry import open_source
from litscape.importers.zotero_api import libraries
from litscape.importers.zotero_http import read_address

if TYPE_CHECKING:
    from pathlib import Path

SETTING = "Allow other applications on this computer to communicate with Zotero"


def fill(zotero: Any) -> None:
    """Two papers, one with a note and a file, in a collection."""
    zotero.folder("COLA", "Water")
    zotero.folder("COLB", "Rivers", "COLA")
    zotero.put(
        "AAAA2222",
        title="One",
        date="c. March 2015",
        meta={"parsedDate": "2015-03"},
        creators=[
            {"creatorType": "author", "firstName": "Sam", "lastName": "Stork"},
            {"creatorType": "author", "name": "Mud Society"},
            {"creatorType": "translator", "firstName": "Tess", "lastName": "Owl"},
        ],
        tags=[{"tag": "mud"}, {"tag": "auto", "type": 1}],
        collections=["COLB"],
        citationKey="stork2015",
        relations={"dc:relation": ["http://zotero.org/users/12/items/BBBB2222"]},
        dateAdded="2026-01-02T03:04:05Z",
    )
    zotero.put("BBBB2222", "book", title="Two")
    zotero.put("NOTE2222", "note", parentItem="AAAA2222", note="<p>My <b>note</b></p>")
    zotero.put(
        "FILE2222",
        "attachment",
        parentItem="AAAA2222",
        linkMode="imported_file",
        filename="a b.pdf",
        contentType="application/pdf",
        title="PDF",
    )
    zotero.put("LOOS2222", "attachment", linkMode="imported_file", filename="x.pdf", title="x.pdf")
    zotero.put("GONE2222", title="Trashed", deleted=1)


def test_every_page_is_read(world: Any, zotero: Any, data: Path, counts: Any) -> None:
    zotero.server_id = None
    for number in (1, 2, 3):
        zotero.items += json.loads((data / f"api-pages.{number}.json").read_text("utf-8"))
    assert counts(world.take(zotero.source)) == (51, 0, 0, 0, 0)
    titles = {paper.title for paper in world.papers}
    assert {"Item 1", "Item 51"} <= titles
    assert "Trashed" not in titles
    assert counts(world.take(zotero.source)) == (0, 0, 0, 51, 0)


def test_an_item_with_all_that_hangs_on_it(world: Any, zotero: Any) -> None:
    fill(zotero)
    report = world.take(zotero.source)
    paper = world.by_key()["user:AAAA2222"]
    assert (paper.citekey, paper.title) == ("stork2015", "One")
    assert (paper.year, paper.year_raw, paper.month) == (2015, "c. March 2015", 3)
    assert [one.display for one in paper.authors] == ["Sam Stork", "Mud Society"]
    assert (paper.tags, paper.keywords, paper.notes) == (("mud",), ("auto",), ("My note",))
    assert paper.collections == (("Water", "Rivers"),)
    assert [link.path for link in paper.files] == ["storage/FILE2222/a b.pdf"]
    assert paper.raw_fields["translator"] == "Owl, Tess"
    assert paper.raw_fields["related"] == "user:BBBB2222"
    assert [(one.code, one.zotero_key) for one in report.issues] == [
        ("year-guessed", "AAAA2222"),
        ("attachment-without-parent", "LOOS2222"),
    ]


def test_database_and_api_say_the_same(world: Any, zotero: Any, maker: Any, counts: Any) -> None:
    made = maker()
    item = made.item(
        "AAAA2222", title="One", date="2015-03-00 c. March 2015", citationKey="stork2015"
    )
    made.person(item, "Stork", "Sam")
    made.person(item, "Mud Society", mode=1)
    made.person(item, "Owl", "Tess", "translator")
    made.tag(item, "mud")
    made.tag(item, "auto", 1)
    made.write("UPDATE items SET dateAdded = '2026-01-02 03:04:05'")
    made.write(
        "INSERT INTO itemRelations VALUES (?, 2, ?)",
        item,
        "http://zotero.org/users/12/items/BBBB2222",
    )
    world.take(made.file)
    before = world.by_key()["user:AAAA2222"]
    fill(zotero)
    zotero.items = zotero.items[:1]
    zotero.collections = []
    assert counts(world.take(zotero.source)) == (0, 0, 1, 0, 0)
    assert world.by_key()["user:AAAA2222"] == before


def test_groups(world: Any, zotero: Any, counts: Any) -> None:
    fill(zotero)
    zotero.groups[777] = type(zotero)()
    zotero.groups[777].put("AAAA2222", title="Of the group")
    assert counts(world.take(zotero.source, "group:777")) == (1, 0, 0, 0, 0)
    assert counts(world.take(zotero.source)) == (2, 0, 0, 1, 0)
    assert [(one.name, one.title) for one in libraries(zotero.source)] == [
        ("user", "My Library"),
        ("group:777", "Group 777"),
    ]
    with pytest.raises(UserError, match="has no library group:5"):
        world.take(zotero.source, "group:5")


def test_a_collection_with_those_below_it(world: Any, zotero: Any, counts: Any) -> None:
    fill(zotero)
    assert counts(world.take(zotero.source, inside=("user/COLA",))) == (1, 0, 0, 0, 0)
    assert counts(world.take(zotero.source)) == (1, 0, 0, 1, 0)
    assert counts(world.take(zotero.source, inside=("user/COLA",))) == (0, 0, 0, 1, 0)
    assert not any(paper.missing_in_source for paper in world.papers)


def whole_reads(zotero: Any) -> int:
    """How often the list of all items was asked for, and forget it."""
    number = sum("/items?start=0" in path and "since" not in path for path in zotero.asked)
    zotero.asked.clear()
    return number


def test_only_changes_are_asked_for_again(world: Any, zotero: Any, counts: Any) -> None:
    fill(zotero)
    world.take(zotero.source)
    assert whole_reads(zotero) == 1
    assert counts(world.take(zotero.source)) == (0, 0, 0, 2, 0)
    assert whole_reads(zotero) == 0
    zotero.put("NOTE2222", "note", parentItem="AAAA2222", note="<p>Changed</p>")
    zotero.put("CCCC2222", title="Three")
    assert counts(world.take(zotero.source)) == (1, 1, 0, 1, 0)
    assert world.by_key()["user:AAAA2222"].notes == ("Changed",)
    zotero.drop("NOTE2222")
    assert counts(world.take(zotero.source)) == (0, 1, 0, 2, 0)
    assert world.by_key()["user:AAAA2222"].notes == ()
    zotero.drop("BBBB2222")
    assert counts(world.take(zotero.source)) == (0, 0, 0, 2, 0)
    assert {k for k, p in world.by_key().items() if p.missing_in_source} == {"user:BBBB2222"}
    zotero.put("BBBB2222", "book", title="Two")
    assert counts(world.take(zotero.source)) == (0, 1, 0, 2, 0)
    assert not any(paper.missing_in_source for paper in world.papers)
    assert whole_reads(zotero) == 0


def test_what_the_changes_would_not_show_is_read_anew(world: Any, zotero: Any, counts: Any) -> None:
    fill(zotero)
    world.take(zotero.source)
    zotero.asked.clear()
    zotero.folder("COLA", "Waters")
    assert counts(world.take(zotero.source)) == (0, 1, 0, 1, 0)
    assert world.by_key()["user:AAAA2222"].collections == (("Waters", "Rivers"),)
    assert whole_reads(zotero) == 1
    zotero.server_id = "another database"
    world.take(zotero.source)
    assert whole_reads(zotero) == 1
    zotero.server_id = None
    world.take(zotero.source)
    world.take(zotero.source)
    assert whole_reads(zotero) == 2


def test_undone_and_deleted_papers_come_again(world: Any, zotero: Any, counts: Any) -> None:
    fill(zotero)
    world.take(zotero.source)
    world.edit.delete_forever([world.by_key()["user:BBBB2222"].id])
    assert counts(world.take(zotero.source)) == (1, 0, 0, 1, 0)
    zotero.put("AAAA2222", title="One, again")
    world.take(zotero.source)
    world.history.undo()
    assert world.by_key()["user:AAAA2222"].title == "One"
    assert counts(world.take(zotero.source)) == (0, 1, 0, 1, 0)
    assert world.by_key()["user:AAAA2222"].title == "One, again"


def test_a_collection_of_ours_gets_what_did_not_change_too(world: Any, zotero: Any) -> None:
    fill(zotero)
    world.take(zotero.source)
    world.imports.run([zotero.source], collection=("Mine",))
    assert all(("Mine",) in paper.collections for paper in world.papers)


@pytest.mark.parametrize("status", [403, 500, 302, 404])
def test_refusals(world: Any, zotero: Any, status: int) -> None:
    zotero.status = status
    with pytest.raises(UserError, match=SETTING if status == 403 else "Zotero at"):
        world.take(zotero.source)
    assert world.imports.batches() == []


def test_nobody_listens(world: Any) -> None:
    with pytest.raises(UserError, match=f"start Zotero.*{SETTING}"):
        world.take("zotero:http://127.0.0.1:1")


def test_something_else_listens(world: Any, zotero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(zotero), "find", lambda _self, _path: {"hello": "world"})
    with pytest.raises(UserError, match="is not Zotero's local API"):
        world.take(zotero.source)


def test_no_proxy_stands_between(world: Any, zotero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    fill(zotero)
    assert world.take(zotero.source).added == 2


def test_a_library_that_changes_while_it_is_read_marks_nothing_as_missing(
    world: Any, zotero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    zotero.page = 1
    fill(zotero)
    world.take(zotero.source)
    zotero.server_id = None
    find = type(zotero).find

    def restless(self: Any, path: list[str]) -> Any:
        if path == ["items"]:
            self.version += 1
            return [one for one in self.items if one["key"] != "BBBB2222"]
        return find(self, path)

    monkeypatch.setattr(type(zotero), "find", restless)
    report = world.take(zotero.source)
    assert "source-changed" in [one.code for one in report.issues]
    assert not any(paper.missing_in_source for paper in world.papers)


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("zotero:", "http://127.0.0.1:23119"),
        ("zotero:http://localhost:4000/", "http://127.0.0.1:4000"),
        ("zotero:127.0.0.1:4000/api", "http://127.0.0.1:4000"),
    ],
)
def test_addresses(written: str, address: str) -> None:
    assert read_address(written) == address


@pytest.mark.parametrize(
    "written",
    ["zotero:file:///etc/passwd", "zotero:http://a:b@c/", "zotero:http://[", "zotero:http://x/y"],
)
def test_no_addresses(written: str) -> None:
    with pytest.raises(UserError, match="is no address of Zotero's local API"):
        open_source(written)
