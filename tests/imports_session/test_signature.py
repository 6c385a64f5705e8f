from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from litscape.importers.signature import parsed, signature
from litscape.paper import Author, FileLink, PaperDraft, Reference

FULL = PaperDraft(
    citekey="k",
    title="T",
    authors=(Author("Owl", "Amy"),),
    tags=("b", "a"),
    raw_fields={"x": "1", "y": "2"},
)
OTHER: dict[str, Any] = {
    "authors": (Author("Owl", "Ann"),),
    "more_authors": True,
    "year": 1,
    "month": 2,
    "day": 3,
    "keywords": ("k",),
    "tags": ("c",),
    "collections": (("A", "B"),),
    "notes": ("n",),
    "files": (FileLink("f"),),
    "raw_fields": {"x": "2"},
    "identifiers": {"x": "1"},
    "cites": ("c",),
    "references": (Reference(raw="r"),),
    "fields": ("f",),
}
NO_PART = {
    "source_id",
    "citekey_original",
    "citekey_aliases",
    "missing_in_source",
    "raw",
    "line",
    "index",
}


@pytest.mark.parametrize("name", [field.name for field in fields(PaperDraft)])
def test_every_field_of_content_counts(name: str) -> None:
    value: Any = OTHER.get(name, "other")
    changed = replace(FULL, **{name: value})
    if name in NO_PART:
        assert signature(changed) == signature(FULL)
    else:
        assert signature(changed) != signature(FULL)
        assert set(parsed(signature(changed))) - set(parsed(signature(FULL))) <= {name}


def test_the_order_of_members_does_not_count_but_that_of_authors_does() -> None:
    assert signature(replace(FULL, tags=("a", "b"))) == signature(FULL)
    assert signature(replace(FULL, raw_fields={"y": "2", "x": "1"})) == signature(FULL)
    two = (Author("Owl", "Amy"), Author("Reed", "Bo"))
    assert signature(replace(FULL, authors=two)) != signature(replace(FULL, authors=two[::-1]))


def test_a_signature_says_what_changed() -> None:
    before = parsed(signature(FULL))
    after = parsed(signature(replace(FULL, title="U", tags=("a",))))
    assert {name for name in before if before[name] != after.get(name)} == {"title", "tags"}
    assert after["tags"] < before["tags"]


def test_half_a_surrogate_pair_is_no_obstacle() -> None:
    assert signature(PaperDraft(title="\ud800")) != signature(PaperDraft(title="\ud801"))
