"""Citations of papers as libraries have them: without authors, years, with many, in any script."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from litscape.citing.rendering import cite
from litscape.citing.styles import BUILT_IN, source_of
from litscape.errors import UserError
from litscape.library import Library
from litscape.opening import zotero_address
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.paper import Paper

DRAFTS = (
    PaperDraft(
        type="article",
        title="Night flights of owls: a study.",
        authors=(Author("Owl", "Amy B.", "van"), Author(literal="Mud Consortium")),
        year=2010,
        month=3,
        venue="Journal of Night",
        volume="4",
        issue="2",
        pages="1-9",
        doi="10.5555/night.1",
    ),
    PaperDraft(
        type="inproceedings", title="No authors & <nothing>?", venue="Proc. of X", pages="3"
    ),
    PaperDraft(
        type="book",
        title="王氏物理学",
        authors=(Author("王", "小明"),),
        publisher="科学出版社",
        year=1999,
    ),
    PaperDraft(
        type="article",
        title="Many people",
        authors=tuple(Author(f"Fam{n}", f"Gee{n}") for n in range(30)),
        year=2020,
        venue="Nature",
        volume="5",
        pages="1-2",
    ),
    PaperDraft(
        type="incollection",
        title="A part",
        authors=(Author("Смирнов", "Иван Петрович"), Author("Müller", "Jean-Paul")),
        more_authors=True,
        year_raw="in press",
        venue="The Whole",
        publisher="ACM",
        raw_fields={"editor": "Smith, John and Doe, Jane", "edition": "2nd"},
    ),
    PaperDraft(
        type="thesis",
        title="Of mice",
        authors=(Author("علی", "محمد"),),
        year=2001,
        publisher="MIT",
        raw_fields={"type": "phdthesis"},
    ),
    PaperDraft(citekey="untitled"),
)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Paper]]:
    with Library.open(tmp_path_factory.mktemp("citing") / "library") as library:
        for draft in DRAFTS:
            library.edit.add(draft)
        yield list(library.papers)


@pytest.mark.parametrize(
    ("style", "number", "entry"),
    [
        (
            "apa",
            1,
            "van Owl, A. B., & Mud Consortium. (2010). Night flights of owls: a study."
            " Journal of Night, 4(2), 1–9. https://doi.org/10.5555/night.1",
        ),
        ("apa", 2, "No authors & <nothing>? (n.d.). In Proc. of X (p. 3)."),
        ("apa", 3, "王小明. (1999). 王氏物理学. 科学出版社."),
        (
            "apa",
            5,
            "Смирнов, И. П., Müller, J.-P., et al. (in press). A part (2nd ed.)."
            " In The Whole. ACM.",
        ),
        ("apa", 6, "محمد علی. (2001). Of mice [Doctoral dissertation, MIT]."),
        ("apa", 7, "Untitled. (n.d.)."),
        (
            "ieee",
            1,
            "[1] A. B. van Owl and Mud Consortium, “Night flights of owls: a study,”"
            " Journal of Night, vol. 4, no. 2, pp. 1–9, Mar. 2010, doi: 10.5555/night.1.",
        ),
        ("ieee", 2, "[2] “No authors & <nothing>?” in Proc. of X, p. 3."),
        (
            "ieee",
            5,
            "[5] И. П. Смирнов, J.-P. Müller, et al., “A part,” in The Whole, 2nd ed., ACM,"
            " in press.",
        ),
        ("chicago-author-date", 2, "“No authors & <nothing>?” n.d. In Proc. of X, 3."),
        ("mla", 4, "Fam0, Gee0, et al. “Many people.” Nature, vol. 5, 2020, pp. 1–2."),
        ("harvard", 4, "Fam0, G. et al. (2020) ‘Many people’, Nature, 5, pp. 1–2."),
        (
            "vancouver",
            4,
            "4. Fam0 G, Fam1 G, Fam2 G, Fam3 G, Fam4 G, Fam5 G, et al. Many people."
            " Nature. 2020;5:1–2.",
        ),
    ],
)
def test_entries(papers: list[Paper], style: str, number: int, entry: str) -> None:
    cited = cite(papers, style)
    assert dict(zip(cited.papers, cited.entries, strict=True))[number] == entry


def test_particles_after_given_names_and_mark_up_in_titles(papers: list[Paper]) -> None:
    author, lower = Author("O’Neil-Müller", "José María de la"), Author("hooks", "bell y")
    odd = replace(papers[0], title="On <i>Mus musculus</i> &amp; p<i>q", authors=(author,))
    assert (
        cite([odd], "apa")
        .entries[0]
        .startswith("O’Neil-Müller, J. M. de la. (2010). On Mus musculus & p<i>q. Journal of Night")
    )
    assert cite([odd], "ieee").entries[0].startswith("[1] J. M. de la O’Neil-Müller, “On Mus")
    assert "On Mus musculus &amp; p&lt;i&gt;q" in cite([odd], "apa", "html").html
    assert cite([replace(odd, authors=(lower,))], "apa").entries[0].startswith("bell y hooks. (")


@pytest.mark.parametrize("style", [style.name for style in BUILT_IN])
def test_every_style_cites_all_in_text_and_in_html(papers: list[Paper], style: str) -> None:
    cited = cite(papers, style, "html")
    assert sorted(cited.papers) == [1, 2, 3, 4, 5, 6, 7]
    assert cited.in_text
    whole = cited.html
    assert "&amp; &lt;nothing&gt;" in whole  # no text of a paper is markup
    assert "\ue000" not in whole + cited.in_text
    assert not any(bad in whole for bad in ("..", "?.", ",,", " ,", "()", "&lt;i&gt;"))


def test_a_style_of_ones_own(papers: list[Paper], tmp_path: Path) -> None:
    own = tmp_path / "own.csl"
    own.write_text(Path(source_of(BUILT_IN[3])).read_text("utf-8"), encoding="utf-8")
    cited = cite(papers[:1], str(own))
    assert cited.style == "own"
    assert cited.entries[0].startswith("[1] A. B. van Owl")


def test_a_style_without_a_list_and_one_that_is_none(papers: list[Paper], tmp_path: Path) -> None:
    notes = tmp_path / "notes.csl"
    head = '<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="note"><info/>'
    names = '<names variable="author"><name><name-part name="family" text-case="uppercase"/></name>'
    layout = f'<layout>{names}</names><text variable="title" prefix=" "/></layout>'
    notes.write_text(f"{head}<citation>{layout}</citation></style>", encoding="utf-8")
    cited = cite(papers[3:4], str(notes))
    assert cited.papers == (4,)
    assert cited.entries[0].startswith("Gee0 FAM0, Gee1 FAM1")
    assert cited.entries[0].endswith("Many people")
    notes.write_text(f"{head}</style>", encoding="utf-8")
    with pytest.raises(UserError, match="no whole citation style"):
        cite(papers, str(notes))


@pytest.mark.parametrize(
    ("known", "address"),
    [
        ({"zotero_key": "ABCD2345"}, "zotero://select/library/items/ABCD2345"),
        (
            {"zotero_key": "ABCD2345", "library": "group:77"},
            "zotero://select/groups/77/items/ABCD2345",
        ),
        ({}, None),
    ],
)
def test_zotero_is_asked_for_the_item_where_it_is(
    papers: list[Paper], known: dict[str, Any], address: str | None
) -> None:
    assert zotero_address(replace(papers[0], **known)) == address
