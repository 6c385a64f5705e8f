"""Markup, names in spoken order, types, and what was pasted."""

from __future__ import annotations

import pytest

from litscape.errors import UserError
from litscape.importers import people, record_types
from litscape.importers.markup import abstract, plain, plain_paragraphs
from litscape.importers.pasted import recognise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<i>Salix</i> in H<sub>2</sub>O", "Salix in H2O"),
        ("a < b and c > d", "a < b and c > d"),
        ("p<0.05 and x>y", "p<0.05 and x>y"),
        ("R&amp;D &lt;i&gt;now&lt;/i&gt;", "R&D now"),
        ("AT&T; 5 &copy; &#233; &unknown;", "AT&T; 5 © é &unknown;"),
        ("<jats:p>One</jats:p><jats:p>Two</jats:p>", "One Two"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math>", "x"),
        ("<script>x()</script> is <b onclick='x'>text</b>", "<script>x()</script> is text"),
        ("The <iframe> and <style> tags", "The <iframe> and <style> tags"),
        ("<person@example.org>", "<person@example.org>"),
    ],
)
def test_markup_goes_and_text_stays(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_blocks_become_paragraphs() -> None:
    assert plain_paragraphs("<p>One<br/>two</p><p>Three</p>") == "One\n\ntwo\n\nThree"


def test_programs_in_an_abstract_are_left_out() -> None:
    assert plain_paragraphs("<script>alert(1)</script>Safe <b onclick='x'>text</b>") == "Safe text"


@pytest.mark.parametrize(
    "text", ["NA", "n/a", "No abstract available.", "[No abstract]", "-", "<p></p>", "null"]
)
def test_a_placeholder_is_no_abstract(text: str) -> None:
    assert abstract(text) is None


def test_a_short_abstract_is_one() -> None:
    assert abstract("No evidence was found.") == "No evidence was found."


@pytest.mark.parametrize(
    ("text", "names", "more"),
    [
        ("Ina Plover and Tom Ruff", ["Ina Plover", "Tom Ruff"], False),
        ("A. Plover; B. Ruff & C. Stint", ["A. Plover", "B. Ruff", "C. Stint"], False),
        ("Ina Plover et al.", ["Ina Plover"], True),
        ("Ina Plover and others", ["Ina Plover"], True),
        ("Department of Mud and Tides", ["Department of Mud and Tides"], False),
        ("William H. Press", ["William H. Press"], False),
        ("", [], False),
    ],
)
def test_lists_in_spoken_order(text: str, names: list[str], more: bool) -> None:
    found, others = people.natural_list(text)
    assert ([person.display for person in found], others) == (names, more)
    if text == "William H. Press":
        assert found[0].family == "Press"


def test_types_of_all_formats_meet() -> None:
    assert record_types.from_ris("JOUR") == record_types.from_csl("article-journal") == "article"
    assert record_types.from_ris("THES") == record_types.canonical("PhdThesis") == "thesis"
    assert record_types.from_csl("journal-article") == "article"
    assert record_types.from_csl("hologram") == "hologram"
    assert record_types.canonical("") is None


@pytest.mark.parametrize("name", sorted(record_types.RIS))
def test_every_type_of_ris_can_be_written_again(name: str) -> None:
    kind = record_types.RIS[name]
    assert record_types.from_ris(record_types.to_ris(kind)) in (kind, "misc")


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("10.5555/Mud.1", ("10.5555/mud.1",)),
        (" doi: 10.5555/mud.1 ", ("10.5555/mud.1",)),
        ("https://doi.org/10.5555/mud.1\narXiv:1903.00001v2", ("10.5555/mud.1", "1903.00001")),
        ("https://arxiv.org/abs/1903.00001", ("1903.00001",)),
        ("1903.00001, 1903.00001", ("1903.00001",)),
    ],
)
def test_pasted_identifiers(text: str, identifiers: tuple[str, ...]) -> None:
    found = recognise(text)
    assert (found.kind, found.identifiers) == ("identifiers", identifiers)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("@article{a, title = {T}, doi = {10.5555/mud.1}}", "bibtex"),
        ("TY  - JOUR\nTI  - T\nER  - ", "ris"),
        ('[{"id": "a", "type": "book", "title": "T"}]', "csl-json"),
        ('{"id": "a", "title": "T", "abstract": "A"}', "jsonl"),
    ],
)
def test_pasted_records(text: str, kind: str) -> None:
    found = recognise(text)
    assert found.importer is not None
    assert (found.kind, found.importer.kind) == ("records", kind)


@pytest.mark.parametrize("text", ["", "  \n", "hello there", "see 10.5555/mud.1 for more"])
def test_pasted_text_of_no_kind_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UserError, match=r"^(There is nothing|The text is neither).*\.$"):
        recognise(text)
