"""Names near to one that is not there."""

from __future__ import annotations

import pytest

from litscape.near import near, no_such

KNOWN = ("Water", "water quality", "Groundwater", "Übersicht", "to read", "Read later", "Łódź")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("WATER", ("Water", "water quality", "Groundwater")),
        ("watre", ("Water",)),
        ("ubersicht", ("Übersicht",)),
        ("Ubersciht", ("Übersicht",)),
        ("lodz", ("Łódź",)),
        ("read", ("Read later", "to read")),
        ("to  read", ("to read",)),
        ("zzz", ()),
        ("", ()),
        ("  ", ()),
    ],
)
def test_what_may_have_been_meant(name: str, found: tuple[str, ...]) -> None:
    assert near(name, KNOWN)[: len(found) or None] == found


def test_the_sentence_names_them() -> None:
    assert no_such("tag", "nope", KNOWN) == "There is no tag “nope”."
    assert no_such("tag", "watre", KNOWN).startswith("There is no tag “watre”; near it: “Water”")


def test_many_names_give_few() -> None:
    assert near("tag 7", [f"tag {n}" for n in range(20_000)]) == ("tag 7", "tag 70", "tag 71")
