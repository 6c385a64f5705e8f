"""Fields brought to the record of all formats: types, dates, identifiers, keywords, files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from litscape.paper import FileLink, ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]


def entry(fields: str, kind: str = "article") -> str:
    return f"@{kind}{{k, title = {{A}}, {fields}}}"


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("ARTICLE", "article"),
        ("phdthesis", "thesis"),
        ("mastersthesis", "thesis"),
        ("thesis", "thesis"),
        ("conference", "inproceedings"),
        ("electronic", "online"),
        ("mvbook", "mvbook"),
        ("dataset", "dataset"),
        ("heronlog", "heronlog"),
    ],
)
def test_types(bib: Bib, written: str, kind: str) -> None:
    (draft,), problems = bib(entry("wingspan = {2 m}", written))
    assert draft.type == kind
    assert draft.raw_fields["wingspan"] == "2 m"
    assert not problems


def test_biblatex_fields(bib: Bib) -> None:
    (draft,), _ = bib(
        "@article{b, title = {Main}, subtitle = {and sub}, journaltitle = {Journal of Doves},"
        " shortjournal = {J. Doves}, date = {2019-03-07}, year = {2015}, location = {Ghent},"
        " eprint = {1903.00001}, eprinttype = {arxiv}, eprintclass = {cs.DL}, ids = {old1, old2},"
        " annotation = {My remark}, number = {4}, pages = {1--9}}"
    )
    assert draft.title == "Main: and sub"
    assert draft.venue == "Journal of Doves"
    assert (draft.year, draft.month, draft.day) == (2019, 3, 7)
    assert (draft.arxiv, draft.fields) == ("1903.00001", ("cs.DL",))
    assert draft.notes == ("My remark",)
    assert (draft.issue, draft.pages) == ("4", "1-9")
    assert draft.citekey_aliases == ("old1", "old2")
    assert draft.raw_fields == {
        "shortjournal": "J. Doves",
        "year": "2015",
        "location": "Ghent",
        "eprintclass": "cs.DL",
    }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("year = {in press}", (None, "in press", None)),
        ("year = {forthcoming 2027}", (2027, "forthcoming 2027", None)),
        ("year = {1999/2000}", (1999, "1999/2000", None)),
        ("year = {{2001}}", (2001, None, None)),
        ("year = {9999}", (None, "9999", None)),
        ("year = {}", (None, None, None)),
        ("year = {2004}, month = may, day = {5}", (2004, None, 5)),
        ("date = {2001-02/2001-05}", (2001, "2001-02/2001-05", 2)),
        ("date = {19XX}", (None, "19XX", None)),
        ("date = {}, year = {2001}", (2001, None, None)),
        ("eventdate = {2005-03-01}", (2005, None, 3)),
        ("date = {2010-04}, year = {2009}", (2010, None, 4)),
    ],
)
def test_dates(bib: Bib, fields: str, expected: tuple[Any, ...]) -> None:
    (draft,), _ = bib(entry(fields))
    assert (draft.year, draft.year_raw, draft.month) == expected


@pytest.mark.parametrize(
    ("fields", "doi"),
    [
        ("doi = {10.5555/AbC.1}", "10.5555/abc.1"),
        ("doi = {https://doi.org/10.5555/abc.2}", "10.5555/abc.2"),
        ("doi = {DOI: 10.5555/abc.4}", "10.5555/abc.4"),
        ("doi = {10.5555/978-3-000\\_12}", "10.5555/978-3-000_12"),
        ("doi = {{10.5555/x{\\_}y}}", "10.5555/x_y"),
        (
            "doi = {10.1002/(SICI)1097(1998)17:15<1661::AID>3.0.CO;2-2}",
            "10.1002/(sici)1097(1998)17:15<1661::aid>3.0.co;2-2",
        ),
        ("url = {https://doi.org/10.5555%2Fabc.6}", "10.5555/abc.6"),
        ("ee = {https://doi.org/10.5555/ee}", "10.5555/ee"),
        ("note = {doi:10.5555/abc.7.}", "10.5555/abc.7"),
        ("note = {Comment on doi:10.5555/other by somebody}", None),
        ("doi = {n/a}", None),
        ('doi = "", url = {https://example.org}', None),
    ],
)
def test_dois(bib: Bib, fields: str, doi: str | None) -> None:
    (draft,), _ = bib(entry(fields))
    assert draft.doi == doi


def test_what_is_no_doi_is_kept(bib: Bib) -> None:
    assert bib(entry("doi = {n/a}"))[0][0].raw_fields == {"doi": "n/a"}


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ("eprint = {hep-th/9901001}, archivePrefix = {arXiv}", "arxiv", "hep-th/9901001"),
        ("journal = {arXiv preprint arXiv:2101.00001v2}", "arxiv", "2101.00001"),
        ("journal = {CoRR}, volume = {abs/1903.00001}", "arxiv", "1903.00001"),
        ("url = {https://arxiv.org/abs/2101.00002}", "arxiv", "2101.00002"),
        ("doi = {10.48550/arXiv.2101.00004}", "arxiv", "2101.00004"),
        ("pmid = {PMID: 12345}", "pmid", "12345"),
        ("eprint = {123456}, eprinttype = {pubmed}", "pmid", "123456"),
        ("note = {PMID: 999}", "pmid", "999"),
        ("isbn = {978-0-00-000000-2}", "isbn", "9780000000002"),
        ("issn = {1234-5678}", "identifiers", {"issn": "1234-5678"}),
        (
            "url = {\\url{http://example.org/~me/a_b\\%20c}}",
            "url",
            "http://example.org/~me/a_b%20c",
        ),
        ("howpublished = {\\url{https://example.org/x_y}}", "url", "https://example.org/x_y"),
        ("abstract = {No abstract available}", "abstract", None),
        ("abstract = {<jats:p>Text &lt; 5\\%</jats:p>}", "abstract", "Text < 5%"),
        ("journal = {J. A &amp; B}", "venue", "J. A & B"),
        ("note = {<p>My <b>note</b></p>}", "notes", ("My note",)),
        ("cites = {one, two}", "cites", ("one", "two")),
    ],
)
def test_values(bib: Bib, fields: str, name: str, value: Any) -> None:
    (draft,), _ = bib(entry(fields))
    assert getattr(draft, name) == value


@pytest.mark.parametrize(
    ("fields", "keywords"),
    [
        ("keywords = {Models, Molecular; Proteins; Proteins}", ("Models, Molecular", "Proteins")),
        ("keywords = {a, b ,c}", ("a", "b", "c")),
        ("keywords = {{Models, Molecular}, Humans}", ("Models, Molecular", "Humans")),
        (
            "keywords = {Animals\nHumans\nModels, Molecular}",
            ("Animals", "Humans", "Models, Molecular"),
        ),
        (
            "keywords = {deep learning,\n neural\n networks, vision}",
            ("deep learning", "neural networks", "vision"),
        ),
        ("keywords = {R\\&D; caf\\'e;}", ("R&D", "café")),
        ("keywords = {{pond depth; reeds}}", ("pond depth", "reeds")),
        ("keywords = {R&amp;D, x}", ("R&D", "x")),
        ("keywords = {a}, keyword = {b}, author_keywords = {c}", ("a", "b", "c")),
    ],
)
def test_keywords(bib: Bib, fields: str, keywords: tuple[str, ...]) -> None:
    assert bib(entry(fields))[0][0].keywords == keywords


@pytest.mark.parametrize(
    ("fields", "paths"),
    [
        (
            "file = {Main text:papers/one.pdf:PDF;:papers/two.pdf:PDF}",
            ["papers/one.pdf", "papers/two.pdf"],
        ),
        ("file = {:C\\:\\\\Lib\\\\two.pdf:PDF}", ["C:\\Lib\\two.pdf"]),
        ("file = {:C$\\backslash$:/Users/u/A{\\_}B.pdf:pdf}", ["C:/Users/u/A_B.pdf"]),
        ("file = {/home/u/a.pdf;/home/u/b\\;c.pdf}", ["/home/u/a.pdf", "/home/u/b;c.pdf"]),
        ("file = {C:\\Users\\u\\six.pdf}", ["C:\\Users\\u\\six.pdf"]),
        ("file = {\\\\server\\share\\x.pdf}", ["\\\\server\\share\\x.pdf"]),
        ("file = {D:/x/y.pdf;E:\\z\\w.pdf}", ["D:/x/y.pdf", "E:\\z\\w.pdf"]),
        ("file = {C:\\dir\\}, year = 2001", ["C:\\dir\\"]),
        ("file = {file:///home/u/a%20b.pdf}", ["/home/u/a b.pdf"]),
        ("file = {a.pdf}", ["a.pdf"]),
        (
            "file = {A 2020 - T, with: x:/home/u/Doe - T, with: x.pdf:application/pdf}",
            ["/home/u/Doe - T, with: x.pdf"],
        ),
        ("file = {Reed_{Phragmites.pdf:/home/u/x.pdf:application/pdf}}", ["/home/u/x.pdf"]),
        ("local-url = {file://localhost/Users/u/seven.pdf}", ["/Users/u/seven.pdf"]),
        ("bdsk-file-1 = {YnBsaXN0MDA=}", []),
        ("pdf = {http://example.org/a.pdf}", []),
    ],
)
def test_files(bib: Bib, fields: str, paths: list[str]) -> None:
    (draft,), _ = bib(entry(fields))
    assert [link.path for link in draft.files] == paths
    assert not any(link.exists for link in draft.files)


def test_files_have_titles_kinds_and_are_looked_for(bib: Bib, tmp_path: Path) -> None:
    (tmp_path / "there.pdf").touch()
    (draft,), _ = bib(
        entry("file = {Full Text:there.pdf:application/pdf;Snap:gone.html:text/html}")
    )
    assert draft.files == (
        FileLink("there.pdf", "Full Text", "application/pdf", exists=True),
        FileLink("gone.html", "Snap", "text/html", exists=False),
    )


def test_web_of_science_double_braces(bib: Bib) -> None:
    (draft,), problems = bib(
        "@article{ WOS:000000000000001,\nAuthor = {Teal, Nia and\n   Wren, Jo},\n"
        "Title = {{Effects of pond depth on\n   the colour of reeds}},\nYear = {{2018}},\n"
        "Month = {{AUG}},\nAbstract = {{It matters {[}1].}},\n"
        "Unique-ID = {{WOS:000000000000001}},\n}\n"
    )
    assert draft.citekey == "WOS:000000000000001"
    assert draft.title == "Effects of pond depth on the colour of reeds"
    assert (draft.year, draft.month) == (2018, 8)
    assert draft.abstract == "It matters [1]."
    assert [author.family for author in draft.authors] == ["Teal", "Wren"]
    assert not problems


def test_raw_text_and_places_are_kept(bib: Bib) -> None:
    drafts, _ = bib("@book{a, title={A}}\n\n@book{b,\n title={B}}")
    assert [(one.raw, one.line, one.index) for one in drafts] == [
        ("@book{a, title={A}}", 1, 0),
        ("@book{b,\n title={B}}", 3, 1),
    ]


def test_an_entry_without_a_title_comes_in_with_a_warning(bib: Bib) -> None:
    drafts, (problem,) = bib("@misc{a, author = {Doe, J}}")
    assert drafts[0].title is None
    assert (problem.code, problem.severity) == ("missing-title", "warning")
