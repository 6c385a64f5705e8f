"""Zotero RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.importers.base import SourceText
from litscape.importers.registry import detect
from litscape.importers.zotero_rdf import ZoteroRdfImporter
from litscape.paper import Author, ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:bib="http://purl.org/net/biblio#" xmlns:foaf="http://xmlns.com/foaf/0.1/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:link="http://purl.org/rss/1.0/modules/link/"
 xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/"
 xmlns:vcard="http://nwalsh.com/rdf/vCard#">
"""
END = "</rdf:RDF>\n"
FIRST = HEAD.count("\n") + 1


def person(family: str, given: str | None = None, tag: str = "givenName") -> str:
    name = f"<foaf:{tag}>{given}</foaf:{tag}>" if given else ""
    return (
        f"<rdf:li><foaf:Person><foaf:surname>{family}</foaf:surname>{name}</foaf:Person></rdf:li>"
    )


def item(name: str, title: str, *inner: str, kind: str = "journalArticle") -> str:
    about = f'<rdf:Description rdf:about="{name}"><z:itemType>{kind}</z:itemType>'
    return f"{about}<dc:title>{title}</dc:title>{''.join(inner)}</rdf:Description>\n"


def read(text: str, location: str = "/a/b.rdf") -> tuple[list[PaperDraft], list[ImportProblem]]:
    found = list(ZoteroRdfImporter().read(SourceText(location, text, "utf-8")))
    drafts = [one for one in found if isinstance(one, PaperDraft)]
    return drafts, [one for one in found if isinstance(one, ImportProblem)]


def test_collections_notes_and_files(world: Any, data: Path, counts: Any) -> None:
    file = data / "rdf.rdf"
    (data / "files" / "2").mkdir(parents=True)
    (data / "files" / "2" / "dipper.pdf").write_bytes(b"%PDF")
    assert counts(world.take(file)) == (2, 0, 0, 0, 0)
    article, book = sorted(world.papers, key=lambda paper: paper.title)
    assert (article.title, article.year, article.month) == ("Article from RDF", 2016, 5)
    assert (article.venue, article.volume, article.doi) == ("Journal of Mud", "4", "10.5555/rdf.1")
    assert (article.abstract, article.notes) == ("About mud", ("A note",))
    assert article.collections == (("Water", "Rivers"),)
    assert (article.tags, article.keywords) == (("mud",), ("auto",))
    (link,) = article.files
    assert (link.path, link.title, link.exists) == ("files/2/dipper.pdf", "Full text", True)
    assert (book.type, book.year) == ("book", 1988)
    assert counts(world.take(file)) == (0, 0, 0, 2, 0)


def test_what_a_chapter_says() -> None:
    series = (
        "<dcterms:isPartOf><bib:Series><dc:title>Notes</dc:title></bib:Series></dcterms:isPartOf>"
    )
    isbn = "<dc:identifier>ISBN 978-3-16-148410-0</dc:identifier>"
    book = (
        f"<dcterms:isPartOf><bib:Book>{isbn}<dc:title>The Book</dc:title>{series}</bib:Book>"
        "</dcterms:isPartOf>"
    )
    people = person("van Dip", "Jo", "givenname") + person("Mud Society")
    press = (
        "<dc:publisher><foaf:Organization><vcard:adr><vcard:Address><vcard:locality>Berlin"
        "</vcard:locality></vcard:Address></vcard:adr><foaf:name>Mud Press</foaf:name>"
        "</foaf:Organization></dc:publisher>"
    )
    (draft,), problems = read(
        HEAD
        + item(
            "#item_1",
            "A chapter",
            book,
            press,
            f"<bib:authors><rdf:Seq>{people}</rdf:Seq></bib:authors>",
            f"<bib:editors><rdf:Seq>{person('Ed', 'It')}</rdf:Seq></bib:editors>",
            "<dc:date>March 2011</dc:date><bib:pages>3–9</bib:pages>",
            "<dc:description>Citation Key: dip2011\nPMID: 12\nkept</dc:description>",
            "<dc:identifier><dcterms:URI><rdf:value>https://example.org/x</rdf:value></dcterms:URI></dc:identifier>",
            '<dc:relation rdf:resource="#item_3"/><z:language>de</z:language>',
            kind="bookSection",
        )
        + END
    )
    assert problems == []
    assert (draft.type, draft.venue, draft.publisher) == ("incollection", "The Book", "Mud Press")
    assert draft.authors == (Author("Dip", "Jo", "van"), Author(literal="Mud Society"))
    assert (draft.citekey, draft.pmid, draft.isbn) == ("dip2011", "12", "9783161484100")
    assert (draft.year, draft.month, draft.pages, draft.url) == (
        2011,
        3,
        "3-9",
        "https://example.org/x",
    )
    assert dict(draft.raw_fields) == {
        "editor": "Ed, It",
        "extra": "kept",
        "language": "de",
        "place": "Berlin",
        "related": "#item_3",
        "series": "Notes",
    }
    assert (draft.line, draft.index, draft.source_id) == (FIRST, 0, "#item_1")
    assert draft.raw is not None
    assert draft.raw.startswith("<rdf:Description")


def test_a_journal_that_stands_apart_and_files_by_address() -> None:
    drafts, problems = read(
        HEAD
        + item(
            "http://x.org/1",
            "One",
            '<dcterms:isPartOf rdf:resource="urn:issn:1234-5679"/><link:link rdf:resource="#f"/>',
        )
        + '<bib:Journal rdf:about="urn:issn:1234-5679"><dc:title>Mud</dc:title>'
        "<prism:number>3</prism:number><dc:identifier>ISSN 1234-5679</dc:identifier></bib:Journal>"
        '<z:Attachment rdf:about="#f"><z:itemType>attachment</z:itemType>'
        '<z:path rdf:resource="file:///tmp/a%20b.pdf"/></z:Attachment>'
        '<z:Attachment rdf:about="#g"><z:itemType>attachment</z:itemType><dc:title>Alone</dc:title>'
        "</z:Attachment>" + END
    )
    (draft,) = drafts
    assert (draft.venue, draft.issue, draft.identifiers["issn"]) == ("Mud", "3", "1234-5679")
    assert [link.path for link in draft.files] == ["/tmp/a b.pdf"]
    assert [one.code for one in problems] == ["attachment-without-parent"]


def test_a_broken_record_costs_only_itself() -> None:
    whole = item("#item_1", "One")
    broken = item("#item_2", "R&D")
    drafts, problems = read(HEAD + whole + broken + item("#item_3", "Three") + END)
    assert [draft.title for draft in drafts] == ["One", "Three"]
    assert [draft.line for draft in drafts] == [FIRST, FIRST + 2]
    (problem,) = problems
    assert (problem.code, problem.severity, problem.line) == ("broken-entry", "skipped", FIRST + 1)
    assert problem.is_record
    assert problem.raw is not None
    assert "R&D" in problem.raw


def test_a_file_that_is_cut_off() -> None:
    text = HEAD + item("#item_1", "One") + item("#item_2", "Two")
    drafts, problems = read(text[: text.index("Two")])
    assert [draft.title for draft in drafts] == ["One"]
    assert [(one.code, one.line, one.is_record) for one in problems] == [
        ("file-truncated", FIRST + 1, True)
    ]


BOMB = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol" * 10}">' for n in range(9))


@pytest.mark.parametrize(
    "declared",
    [
        BOMB,
        '<!ENTITY l8 SYSTEM "file:///etc/passwd">',
        '<!ENTITY % l8 SYSTEM "http://127.0.0.1:1/">',
    ],
)
def test_declared_entities_are_never_read(declared: str) -> None:
    head = HEAD.replace("<rdf:RDF", f"<!DOCTYPE rdf:RDF [{declared}]>\n<rdf:RDF", 1)
    drafts, problems = read(head + item("#item_1", "&l8;") + END)
    assert drafts == []
    assert [one.code for one in problems] == ["broken-file"]
    assert "entity" in problems[0].message


@pytest.mark.parametrize("inner", ["<dc:title>" * 5000, "<a " * 5000, "\x00\x0b<", "]]>", "<!--"])
def test_nonsense_inside_a_record(inner: str) -> None:
    drafts, problems = read(HEAD + item("#item_1", "One", inner) + item("#item_2", "Two") + END)
    assert problems
    assert all(problem.line for problem in problems)
    assert "One" not in [draft.title for draft in drafts]


def test_a_circle_of_collections_and_containers_ends() -> None:
    circle = "".join(
        f'<z:Collection rdf:about="#c{n}"><dc:title>C{n}</dc:title>'
        f'<dcterms:hasPart rdf:resource="#c{1 - n}"/>'
        '<dcterms:hasPart rdf:resource="#i"/></z:Collection>'
        for n in (0, 1)
    )
    part = '<dcterms:isPartOf rdf:resource="#i"/>'
    (draft,), _problems = read(HEAD + item("#i", "One", part) + circle + END)
    assert len(draft.collections) == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (HEAD, "zotero-rdf"),
        ('<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', None),
        ("<p>rdf:RDF</p>", None),
    ],
)
def test_how_it_is_found(text: str, kind: str | None) -> None:
    found = detect(text, "export.xml")
    assert (found.kind if found else None) == kind
