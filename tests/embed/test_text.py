"""The template that joins title and abstract, and the fingerprint of a text."""

from __future__ import annotations

from dataclasses import replace

from litscape.embed.text import fingerprint, paper_text, query_text
from litscape.models.bundled import bundled_card


def test_title_and_abstract() -> None:
    card = bundled_card()
    assert paper_text(card, " A  title ", "An\nabstract") == "A title An abstract"
    marked = replace(card, separator="[SEP]")
    assert paper_text(marked, "Title", "Abstract") == "Title[SEP]Abstract"


def test_a_missing_abstract_keeps_the_separator() -> None:
    assert paper_text(replace(bundled_card(), separator="[SEP]"), "Title", None) == "Title[SEP]"
    assert paper_text(bundled_card(), "Title", "") == "Title"


def test_a_missing_title_leaves_the_abstract_alone() -> None:
    assert paper_text(replace(bundled_card(), separator="[SEP]"), None, "Body") == "Body"


def test_nothing_to_embed() -> None:
    assert paper_text(bundled_card(), None, "  \n ") is None


def test_query_keeps_its_words() -> None:
    assert query_text(bundled_card(), "  two\twords ") == "two words"


def test_fingerprint_follows_text_and_model() -> None:
    card = bundled_card()
    marks = {
        fingerprint(card, "one"),
        fingerprint(card, "two"),
        fingerprint(replace(card, version="other"), "one"),
        fingerprint(card, "lone \ud800 surrogate"),
    }
    assert len(marks) == 4
    assert all(len(mark) == 16 for mark in marks)
