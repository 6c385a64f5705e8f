"""What a query can go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.importers.opened import RecordsAtHand
from litscape.paper import Author, PaperDraft
from litscape.search.completion import Begun, begun, fields, values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DRAFTS = (
    PaperDraft(citekey="lee2001", type="article", title="Mud in rivers", year=2001,
               venue="Journal of Mud", authors=(Author(family="Lee", given="Ann"),),
               tags=("to read", "water"), collections=(("Water", "Rivers"),)),
    PaperDraft(citekey="lee2002", type="book", title="More mud", year=2002,
               venue="Journal of Mud", authors=(Author(family="Lee", given="Ann"),),
               tags=("water",)),
    PaperDraft(citekey="dam", type="patent", title="Dam of mud", year=2002, venue="Mud (Berlin)",
               authors=(Author(family="Öhl", given="Bo"),)),
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("completion")
    with Library.open(folder / "library") as opened:
        opened.imports.run_open([RecordsAtHand("list", "jsonl", DRAFTS)])
        yield opened


def offered(library: Library, text: str) -> list[str]:
    now = begun(text, len(text))
    assert now is not None
    found = fields(now) or values(library.database, library.facets, now)
    return [text[: now.start] + one.text for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ti", ["title:"]),
        ("mud -au", ["mud -author:"]),
        ("journ", ["venue:"]),
        ("tag:", ["tag:water ", 'tag:"to read" ']),
        ("mud (tag:re", ['mud (tag:"to read" ']),
        ('tag:"to r', ['tag:"to read" ']),
        ("author:oh", ['author:="Öhl, Bo" ']),
        ("-by: lee", ['-author:="Lee, Ann" ']),
        ("venue:mu", ['venue:="Mud (Berlin)" ', 'venue:="Journal of Mud" ']),
        ("type:b", ["type:book "]),
        ("collection:riv", ["collection:Water/Rivers "]),
        ("year:", ["year:2002 ", "year:2001 "]),
        ("is:unr", ["is:unread "]),
        ("in:", ["in:list "]),
        ("has:ta", ["has:tag "]),
        ("cites:le", ["cites:lee2001 ", "cites:lee2002 "]),
        ("citedby:riv", ["citedby:lee2001 "]),
        ("tag:nope", []),
        ("nofield:x", None),
        ("zebra", []),
    ],
)
def test_offers(library: Library, text: str, expected: list[str] | None) -> None:
    if expected is None:
        assert begun(text, len(text)) is None
    else:
        assert offered(library, text) == expected


def test_values_come_with_numbers(library: Library) -> None:
    water, unread = (
        values(library.database, library.facets, Begun(0, 0, *now))[0]
        for now in (("tag", "wat"), ("is", "unread"))
    )
    assert (water.shown, water.papers) == ("water", 2)
    assert unread.papers == 3


def test_where_nothing_is_being_typed() -> None:
    assert begun('tag:"to read"', 13) is None
    assert begun("graph", 2) is None
    assert begun("graph ", 6) == Begun(6, 6)
    assert begun("(", 1) == Begun(1, 1)
    assert fields(Begun(0, 0)) == ()
    assert len(fields(Begun(0, 0), all_of_them=True)) > 15
