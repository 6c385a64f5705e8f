"""Whatever is done to a file, a reader gives records or problems and nothing else."""

from __future__ import annotations

import io
import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from litscape.importers.base import SourceText
from litscape.importers.registry import importer
from litscape.paper import ImportProblem, PaperDraft

SAMPLES = {
    "endnote-refer": "%0 Journal Article\n%A Gull, P.\n%T A\nB\n%D 2001\n%K a\nb\n\n%0 Book\n%T C",
    "nbib": (
        "PMID- 1\nTI  - A\n      B\nDP  - 2019 Mar-Apr\nLID - 10.5555/a [doi]\nFAU - Gull, P\n"
        "AU  - Gull P\nMH  - *A/b\n\nPMID- 2\nTI  - C\n"
    ),
    "wos": (
        "FN X\nVR 1.0\nPT J\nAU Gull, P\n   Tern, L\nTI A\nCR A B, 1999, C, V1, DOI [10.5555/a, D\n"
        "   E F, 2000, G\nPD MAR-APR\nPY 2001\nUT WOS:0000001\nER\n\nPT B\nTI C\nER\nEF\n"
    ),
    "endnote-xml": (
        "<xml><records><record><ref-type name='Book'>6</ref-type><contributors><authors><author>"
        "<style face='normal'>Gull, P.</style></author></authors></contributors><titles><title>"
        "<style>A</style>&amp;</title></titles><dates><year>2001</year></dates></record>"
        "<record><titles><title>B</title></titles></record></records></xml>"
    ),
    "pubmed-xml": (
        "<!DOCTYPE PubmedArticleSet [<!ENTITY a 'b'>]><PubmedArticleSet><PubmedArticle>"
        "<MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A <i>b</i></ArticleTitle>"
        "<AuthorList><Author><LastName>Gull</LastName></Author></AuthorList></Article>"
        "</MedlineCitation></PubmedArticle><PubmedBookArticle/></PubmedArticleSet>"
    ),
    "csv": (
        'Title,Authors,Year,References,EID\n"A ""b""","Gull P., Tern L.",2001,"A, B., C (1999) D;'
        ' E F., G, H, (2000)",2-s2.0-1234567\nC,"x\ny",,,\n'
    ),
    "openalex": json.dumps(
        [
            {
                "id": "https://openalex.org/W1",
                "title": "A",
                "publication_year": 2001,
                "authorships": [{"author": {"display_name": "P. Gull"}}],
                "abstract_inverted_index": {"a": [0, 2], "b": [1]},
                "referenced_works": ["https://openalex.org/W2"],
                "biblio": {"first_page": "1", "last_page": "9"},
            },
            {"id": "https://openalex.org/W3", "title": "B", "locations": [{"source": None}]},
        ]
    ),
    "patentsview": (
        '"patent_id"\t"patent_date"\t"patent_title"\t"patent_abstract"\n'
        '"10000001"\t"2018-06-19"\t"A ""b"""\t"C\td"\nRE12\t1905-03-07\t\tx &lt; y\n'
    ),
    "semantic-scholar": json.dumps(
        {
            "data": [
                {"paperId": "a" * 40, "title": "A", "externalIds": {"DOI": "10.5555/a"}},
                {"paperId": "b" * 40, "references": [{"title": "C", "year": 2000}]},
            ]
        }
    ),
}
INSERTS = ('"', "<", ">", "&", "%0 ", "\n", "\n\n", "ER\n", "PMID- ", "{", "]", "\\", ",", "\x00")
INSERTS_MORE = (
    "</record>",
    "<record>",
    "<![CDATA[",
    "<!--",
    "null",
    "\ud800",
    "\ufeff",
    "é",
    "10.",
)


def changed(text: str, seed: int) -> str:
    """A text with some parts taken out, doubled, moved or put in."""
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 6)):
        start = dice.randint(0, len(text))
        stop = min(len(text), start + dice.randint(0, 40))
        act = dice.randint(0, 3)
        if act == 0:
            text = text[:start] + text[stop:]
        elif act == 1:
            text = text[:stop] + text[start:stop] + text[stop:]
        elif act == 2:
            text = text[:start] + dice.choice(INSERTS + INSERTS_MORE) + text[start:]
        else:
            text = text[start:] + text[:start]
    return text


def check(kind: str, text: str) -> None:
    outcome = list(importer(kind).read(SourceText("/x/source", text, "utf-8")))
    records = [one for one in outcome if isinstance(one, PaperDraft) or one.is_record]
    assert [one.index for one in records] == list(range(len(records)))
    last = len(text.splitlines()) + text.count("\r") + 2
    for one in outcome:
        assert one.line is None or 1 <= one.line <= last
        if isinstance(one, ImportProblem):
            assert one.raw or not one.is_record
            assert not one.is_record or one.severity == "skipped"
        else:
            assert one.raw


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@given(seed=st.integers(0, 2**32))
def test_changed_files(kind: str, seed: int) -> None:
    check(kind, changed(SAMPLES[kind], seed))


def lines(text: str) -> set[str]:
    """The lines of a text that are not blank."""
    found = (line.strip("\ufeff \n") for line in io.StringIO(text, newline=None))
    return {line for line in found if line.strip()}


@pytest.mark.parametrize("kind", ["endnote-refer", "nbib", "wos"])
@given(seed=st.integers(0, 2**32))
def test_no_line_is_lost(kind: str, seed: int) -> None:
    text = changed(SAMPLES[kind], seed)
    kept: set[str] = set()
    for one in importer(kind).read(SourceText("/x/source", text, "utf-8")):
        kept |= lines(one.raw or "")
    of_file = {line for line in lines(text) if line.split()[0] in ("FN", "VR", "EF")}
    assert lines(text) - of_file <= kept


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@given(text=st.text(max_size=300))
@example(text="\x1f")
def test_any_text(kind: str, text: str) -> None:
    check(kind, text)


@pytest.mark.parametrize("kind", sorted(SAMPLES))
@pytest.mark.parametrize("other", sorted(SAMPLES))
def test_files_of_another_kind(kind: str, other: str) -> None:
    check(kind, SAMPLES[other])
