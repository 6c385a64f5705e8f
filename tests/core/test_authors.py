"""How names read."""

from __future__ import annotations

import pytest

from litscape.paper import Author


@pytest.mark.parametrize(
    ("family", "given", "shown"),
    [
        ("王", "小明", "王小明"),
        ("김", "민수", "김민수"),
        ("やまだ", "タロー", "やまだタロー"),
        ("佐々木", "希", "佐々木希"),
        ("𠮷野", "家", "𠮷野家"),
        ("Wang", "Xiaoming", "Xiaoming Wang"),
        ("王", "Xiaoming", "Xiaoming 王"),
        ("王", None, "王"),
    ],
)
def test_east_asian_names_stand_family_first(family: str, given: str | None, shown: str) -> None:
    assert Author(family=family, given=given).display == shown


def test_a_literal_stays_as_it_is() -> None:
    assert Author(literal="王 小明").display == "王 小明"
