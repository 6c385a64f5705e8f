"""A file's kind is found from its content first."""

from __future__ import annotations

import pytest

from litscape.errors import UserError
from litscape.importers.registry import detect, importer, importers


def test_every_reader_has_a_name_and_is_found_by_it() -> None:
    kinds = [one.kind for one in importers()]
    assert len(set(kinds)) == len(kinds)
    assert {"bibtex", "ris", "csl-json", "jsonl"} <= set(kinds)
    for one in importers():
        assert importer(one.kind.upper()) is one
        assert one.title
        assert all(suffix.startswith(".") for suffix in one.suffixes)


def test_an_unknown_kind_lists_the_known() -> None:
    with pytest.raises(UserError, match="bibtex, ris"):
        importer("klingon")


@pytest.mark.parametrize(
    ("head", "location", "kind"),
    [
        ("@article{a, title={A}}", "a.txt", "bibtex"),
        ("% Encoding: UTF-8\n\n@Article{a,\n title={A}}", "a.ris", "bibtex"),
        ("@article{\n  title = {A}\n}", "", "bibtex"),
        ("@article(a,\r  title = {A}\r)", "", "bibtex"),
        ("\ufeff@string{a = {B}}", "a.bib", "bibtex"),
        ("@Comment only a remark\n", "a.bib", "bibtex"),
        ("% nothing yet\n", "a.bib", "bibtex"),
        ("TY  - JOUR\nTI  - A\nER  - \n", "a.bib", "ris"),
        ('[{"id": "a", "type": "article-journal", "title": "A"}]', "a.bib", "csl-json"),
        ("", "a.bib", "bibtex"),
        ("  \n", "a.ris", "ris"),
        ("", "a.xyz", None),
        ("<!DOCTYPE html>\n<html><body>@article{a, title={A}}</body></html>", "a.bib", None),
        ("<html>", "a.bib", None),
        ("@article{a,\x00\x01", "a.bib", None),
        ("Just a letter to somebody.\n", "a.bib", None),
        ("%0 Journal Article\n%T A\n", "a.enw", "endnote-refer"),
    ],
)
def test_detect(head: str, location: str, kind: str | None) -> None:
    found = detect(head, location)
    assert (found.kind if found else None) == kind
