"""What Zotero's fields mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from litscape.importers.dates import DateParts
from litscape.importers.zotero_fields import draft_of, read_date, related_key
from litscape.importers.zotero_files import ZoteroFiles
from litscape.importers.zotero_items import Creator, ZoteroItem
from litscape.paper import Author, PaperDraft


def draft(kind: str = "journalArticle", *people: Creator, **fields: str) -> PaperDraft:
    item = ZoteroItem("AAAA2222", "user", kind, {"title": "T", **fields}, list(people))
    return draft_of(item, ZoteroFiles(), 0)


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("1969-00-00 1969", DateParts(1969)),
        ("2015-03-00 March 2015", DateParts(2015, None, 3)),
        ("2015-03-09 2015-03-09", DateParts(2015, None, 3, None, 9)),
        ("1999-00-00 c. 1999", DateParts(1999, "c. 1999")),
        ("2015-00-00 Spring 2015", DateParts(2015, None, None, "Spring")),
        ("0000-00-00 in press", DateParts(None, "in press")),
        ("2015-13-40 odd", DateParts(2015, "2015-13-40")),
        ("2015-03-00", DateParts(2015, None, 3)),
        ("March 2015", DateParts(2015, None, 3)),
    ],
)
def test_dates(value: str, parts: DateParts) -> None:
    found = read_date(value)
    if value.startswith("2015-13"):
        assert found.month is None
        assert found.day is None
        return
    assert found == parts


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("bookSection", {"bookTitle": "B"}, {"type": "incollection", "venue": "B"}),
        ("conferencePaper", {"proceedingsTitle": "P", "conferenceName": "C"}, {"venue": "P"}),
        ("conferencePaper", {"conferenceName": "C"}, {"type": "inproceedings", "venue": "C"}),
        ("thesis", {"university": "U"}, {"type": "thesis", "publisher": "U"}),
        ("report", {"institution": "I", "reportNumber": "7"}, {"publisher": "I", "issue": "7"}),
        ("case", {"caseName": "A v. B", "title": ""}, {"type": "jurisdiction", "title": "A v. B"}),
        ("statute", {"dateEnacted": "1999-00-00 1999"}, {"type": "legislation", "year": 1999}),
        ("podcast", {}, {"type": "audio"}),
        ("newKind", {}, {"type": "newkind"}),
        (
            "preprint",
            {"repository": "arXiv", "archiveID": "arXiv:1903.00001"},
            {"type": "article", "arxiv": "1903.00001", "publisher": "arXiv"},
        ),
        (
            "journalArticle",
            {"extra": "arXiv: hep-th/9901001 [hep-th]"},
            {"arxiv": "hep-th/9901001"},
        ),
        ("journalArticle", {"url": "https://doi.org/10.5555/U.1"}, {"doi": "10.5555/u.1"}),
        ("journalArticle", {"DOI": "https://doi.org/10.5555/X"}, {"doi": "10.5555/x"}),
        ("journalArticle", {"DOI": "none"}, {"doi": None, "raw_fields": {"doi": "none"}}),
        ("book", {"ISBN": "978-3-16-148410-0"}, {"isbn": "9783161484100", "raw_fields": {}}),
        (
            "journalArticle",
            {"PMCID": "PMC123", "ISSN": "1234-5679"},
            {"identifiers": {"pmcid": "PMC123", "issn": "1234-5679"}, "raw_fields": {}},
        ),
        ("journalArticle", {"pages": "10–20"}, {"pages": "10-20"}),
        ("journalArticle", {"title": "On <i>Mus</i> &amp; co"}, {"title": "On Mus & co"}),
        ("journalArticle", {"abstractNote": "No abstract available."}, {"abstract": None}),
        ("journalArticle", {"abstractNote": "<p>One</p><p>Two</p>"}, {"abstract": "One\n\nTwo"}),
        ("tvBroadcast", {}, {"raw_fields": {"itemtype": "tvBroadcast"}}),
        (
            "magazineArticle",
            {"section": "S"},
            {"raw_fields": {"itemtype": "magazineArticle", "section": "S"}},
        ),
    ],
)
def test_fields(kind: str, fields: dict[str, str], expected: dict[str, Any]) -> None:
    found = draft(kind, **fields)
    for name, value in expected.items():
        got = getattr(found, name)
        assert (dict(got) if isinstance(value, dict) else got) == value


@pytest.mark.parametrize(
    ("extra", "key", "rest"),
    [
        ("Citation Key: a1", "a1", None),
        ("citation key : a1\nPMID: 5", "a1", None),
        ("bibtex: a1\nSome words: with a colon", "a1", "Some words: with a colon"),
        ("bibtex*: a1", "a1", None),
        ("original-date: 1850\r\nType: dataset", None, "original-date: 1850; Type: dataset"),
        ("Citation Key: a1\nCitation Key: a2", "a1", "Citation Key: a2"),
        ("about citation key: none", None, "about citation key: none"),
    ],
)
def test_lines_of_extra(extra: str, key: str | None, rest: str | None) -> None:
    found = draft(extra=extra)
    assert found.citekey == key
    assert found.raw_fields.get("extra") == rest


def test_the_native_key_comes_before_the_one_in_extra() -> None:
    assert draft(citationKey="native", extra="Citation Key: old").citekey == "native"


def test_authors_first_and_everybody_else_by_role() -> None:
    found = draft(
        "bookSection",
        Creator("editor", "Editor", "Ed"),
        Creator("author", "van Dip", "Jo"),
        Creator("author", "Mud Society", whole=True),
        Creator("author", "Plato"),
        Creator("seriesEditor", "The Board", whole=True),
        Creator("editor", "Second", "Sue"),
    )
    assert found.authors == (
        Author("Dip", "Jo", "van"),
        Author(literal="Mud Society"),
        Author(literal="Plato"),
    )
    assert dict(found.raw_fields) == {
        "editor": "Editor, Ed and Second, Sue",
        "serieseditor": "{The Board}",
    }


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("film", "director"),
        ("patent", "inventor"),
        ("presentation", "presenter"),
        ("map", "author"),
    ],
)
def test_who_makes_what_has_no_author(kind: str, role: str) -> None:
    assert draft(kind, Creator(role, "Owl", "Amy")).authors == (Author("Owl", "Amy"),)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("http://zotero.org/users/local/AbC/items/KEYA2222", "user:KEYA2222"),
        ("http://zotero.org/users/123/items/KEYA2222", "user:KEYA2222"),
        ("http://zotero.org/groups/7/items/KEYA2222", "group:7:KEYA2222"),
        ("https://example.org", "https://example.org"),
    ],
)
def test_related_items(address: str, key: str) -> None:
    assert related_key(address) == key


def test_the_raw_record_is_all_of_it() -> None:
    found = draft("book", Creator("author", "Owl", "Amy"), volume="7")
    assert found.raw is not None
    kept = json.loads(found.raw)
    assert kept["fields"] == {"title": "T", "volume": "7"}
    assert kept["creators"][0]["family"] == "Owl"
