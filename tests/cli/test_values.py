"""What ``--set KEY=VALUE`` and a range of years mean."""

from __future__ import annotations

import pytest

from litscape.errors import UserError
from litscape_app.cli.refs import split_path, year_range
from litscape_app.cli.values import read_assignments


def test_assignments() -> None:
    assert read_assignments(["title=A = b", " year = 2011", "tags="]) == {
        "title": "A = b",
        "year": " 2011",
        "tags": "",
    }


@pytest.mark.parametrize("text", ["title", "=x", " =x", ""])
def test_no_assignments(text: str) -> None:
    with pytest.raises(UserError, match="KEY=VALUE"):
        read_assignments([text])


def test_a_key_twice_is_a_mistake() -> None:
    with pytest.raises(UserError, match="twice"):
        read_assignments(["title=a", "title=b"])


def test_years() -> None:
    assert year_range("2010") == (2010, 2010)
    assert year_range("2010-2015") == (2010, 2015)
    assert year_range("2015-2010") == (2010, 2015)
    assert year_range("2010-") == (2010, None)
    assert year_range("-2015") == (None, 2015)
    for text in ("", "-", "x", "2010-x", "1-2-3"):
        with pytest.raises(UserError):
            year_range(text)


def test_paths_of_collections() -> None:
    assert split_path(" Water / Rivers/") == ("Water", "Rivers")
    with pytest.raises(UserError):
        split_path(" / ")
