"""What a reference means, by its title, first author and year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.graph.cited import (
    Cited,
    Known,
    block_text,
    first_author,
    fit,
    guessed_title,
    paper_blocks,
    place_text,
    work_text,
)
from litscape.importers.cited import scopus_reference, wos_reference
from litscape.importers.written import year_in

if TYPE_CHECKING:
    from litscape.paper import Reference

TITLE = "Rivers under pressure: a study of made-up water"
PAPER = Known(1, TITLE, 2019, ("Heron", "Egret"), "12", "101-118", frozenset({"10.5555/heron"}))


def as_cited(reference: Reference) -> Cited:
    return Cited(reference.title, reference.year, reference.doi, reference.raw, reference.extra)


@pytest.mark.parametrize(
    ("raw", "family"),
    [
        ("Heron M, 2019, WATER, V12, P101", "Heron"),
        ("Heron M., Egret A., Rivers under pressure, (2019)", "Heron"),
        ("van der Berg, J.-P., On dunes (1999) Sand", "van der Berg"),
        ("O'Neil A B. Tides. Sea. 2001", "O'Neil"),
        ("J. Smith, Tides, Sea 4 (2001)", "Smith"),
        ("de Wit, J., Tides", "de Wit"),
        ("DE WIT J, 2019, SEA, V4", "DE WIT"),
        ("HERON MA, 2019, SEA, V4", "HERON"),
        ("Heron M.-A., Tides", "Heron"),
        ("van Os, Tides", "van Os"),
        ("Li W, Sea", "Li"),
        ("1. Introduction to nothing", None),
        ("A very long beginning that is a title and no name", None),
        ("", None),
        (None, None),
    ],
)
def test_the_first_author_of_a_text(raw: str | None, family: str | None) -> None:
    assert first_author(raw, {}) == family


def test_what_the_source_says_of_the_author_counts_more() -> None:
    assert first_author("Something else", {"author": "HERON M"}) == "HERON"


def test_title_author_and_year_fit_whole() -> None:
    found = fit(Cited(TITLE, 2019, raw="Heron M., Egret A., Rivers"), PAPER)
    assert found is not None
    assert (found.method, found.score) == ("title", 1.0)


@pytest.mark.parametrize(
    "cited",
    [
        Cited(TITLE.upper().replace(":", " -"), 2019, raw="HERON M"),
        Cited(TITLE.replace("pressure", "presure"), 2019, raw="Heron M"),
        Cited("Rivers under pressure: a study", 2020, raw="Heron, M., "),
        Cited(TITLE, None, raw="Heron M"),
        Cited(TITLE, 2019),
        Cited(TITLE, 2019, "10.48550/arxiv.1901.00001", "Heron M"),
        Cited(None, 2019, raw=f"Heron M. {TITLE}. Mud. 2019."),
        Cited(None, 2019, raw="Heron M, 2019", extra={"volume": "12", "page": "101"}),
    ],
)  # fmt: skip
def test_slightly_other_references_fit_less(cited: Cited) -> None:
    found = fit(cited, PAPER)
    assert found is not None
    assert 0.75 <= found.score <= 1.0


@pytest.mark.parametrize(
    "cited",
    [
        Cited(TITLE, 2019, "10.5555/other", "Heron M"),
        Cited(TITLE, 2019, raw="Gull B, 2019"),
        Cited(TITLE, 2012, raw="Heron M"),
        Cited(TITLE.replace("a study", "part 2"), 2019, raw="Heron M"),
        Cited("Lakes under pressure: a story of real mud", 2019, raw="Heron M"),
        Cited("Rivers", 2019),
        Cited(TITLE, None),
        Cited(None, 2019, raw="Heron M, 2019, MUD, V12, P99", extra={"volume": "12", "page": "99"}),
        Cited(),
    ],
)
def test_other_works_do_not_fit(cited: Cited) -> None:
    assert fit(cited, PAPER) is None


@pytest.mark.parametrize(
    ("cited", "known", "points"),
    [
        ("van der Heron", "Heron", 1.0),
        ("de Wit, J.", "Wit", 1.0),
        ("Wit J", "de Wit", 1.0),
        ("Mueller, A.", "Müller", 1.0),
        ("Jørgensen K", "Jorgensen", 1.0),
        ("王小明", "王", 1.0),
        ("王", "王小明", 1.0),
        ("김철수", "김", 1.0),
        ("Ivanov A.", "Иванов", 0.8),
        ("Szczepanski, A.", "Szczepansky", 0.9),
        ("Gull", "Heron", None),
        ("Li", "Lu", None),
        ("李四", "王", None),
    ],
)
def test_first_authors_as_they_are_written(cited: str, known: str, points: float | None) -> None:
    paper = Known(1, TITLE, 2019, (known, "Egret"))
    found = fit(Cited(TITLE, 2019, extra={"author": cited}), paper)
    assert (found.score if found else None) == points


@pytest.mark.parametrize(
    ("cited", "known"),
    [
        (
            'Decay of $\\alpha$ and {H$_2$O} in {\\AA}ngstr{\\"o}m rivers',
            "Decay of α and H₂O in Ångström rivers",
        ),
        (
            "The {BERT} of \\emph{all} rivers under pressure",
            "The BERT of all rivers under pressure",
        ),
        ("图像分割综述: 方法与应用", "图像分割综述：方法与应用"),
        ("Études sur les marées et les boues", "Etudes sur les marees, et les boues"),
    ],
)
def test_titles_as_they_are_written(cited: str, known: str) -> None:
    paper = Known(1, known, 2019, ("Heron",))
    reference = Cited(cited, 2019, extra={"author": "Heron M"})
    assert block_text(cited, 2019, None, reference.extra or {}) in paper_blocks(paper)
    found = fit(reference, paper)
    assert found is not None
    assert found.score == 1.0


def test_references_of_web_of_science_and_scopus_share_a_block_with_their_paper() -> None:
    for reference in (
        wos_reference("Heron M, 2019, WATER, V12, P101"),
        scopus_reference("Heron M., Egret A., Rivers under pressure: a study, Water, 12, (2019)"),
        scopus_reference(
            "Heron, M., Egret, A., Rivers under pressure (2019) Water, 12, pp. 101-118"
        ),
    ):
        block = block_text(reference.title, reference.year, reference.raw, reference.extra)
        assert block in paper_blocks(PAPER)
        assert fit(as_cited(reference), PAPER) is not None


def test_a_work_is_told_by_identifier_title_place_or_text() -> None:
    assert work_text("10.5555/x", "s2:1", "T", 1, "r", {}) == "doi:10.5555/x"
    assert work_text(None, "s2:1", "T", 1, "r", {}) == "id:s2:1"
    one = work_text(None, None, "Rivers  Under pressure", 2019, "Heron M., Rivers", {})
    assert one == work_text(None, None, "Rivers under Pressure.", 2019, "HERON M, RIV", {})
    assert one != work_text(None, None, "Rivers under Pressure.", 2018, "HERON M, RIV", {})
    place = {"author": "Heron M", "volume": "1", "page": "2"}
    assert work_text(None, None, None, 2019, "x", place) == place_text(2019, "y", place)
    assert work_text(None, None, None, None, "Some text.", {}) == "raw:sometext"
    assert work_text(None, None, None, None, None, {}) is None
    assert work_text(None, None, "…", None, "…", {}) is None


def test_the_longest_part_is_taken_for_the_title() -> None:
    assert guessed_title("Heron M. Rivers under pressure in spring. Mud 2019") == (
        "Rivers under pressure in spring"
    )
    assert guessed_title("Heron M. Mud.") is None


FORESTS = Known(1, "Random forests", 2001, ("Breiman",))
STYLES = (
    '[1] L. Breiman, "Random forests," Machine Learning, vol. 45, no. 1, pp. 5–32, 2001.',
    "L. Breiman. Random forests. Machine Learning, 45(1):5-32, 2001.",
    "Leo Breiman. Random forests. Machine Learning, 45(1):5-32, 2001.",
    "Breiman, L. (2001). Random forests. Machine Learning, 45(1), 5–32. https://doi.org/x",
    "3. Breiman L. Random forests. Mach Learn. 2001;45(1):5-32.",
    "Leo Breiman. 2001. Random forests. Machine Learning 45, 1 (2001), 5–32.",
    "Breiman, L.: Random forests. Mach. Learn. 45(1), 5–32 (2001)",
    "L. Breiman, Random forests, Mach. Learn. 45 (1) (2001) 5–32.",
    "Breiman, L., 2001. Random forests. Machine learning, 45(1), pp.5-32.",
    'Breiman, Leo. "Random Forests." Machine Learning 45 (2001): 5-32.',
    r"\bibitem{rf} L.~Breiman. \newblock {Random forests}. \newblock {\em Machine Learning}, "
    r"45(1):5--32, 2001.",
)


@pytest.mark.parametrize("raw", STYLES)
def test_a_text_of_any_style_is_read(raw: str) -> None:
    assert (guessed_title(raw) or "").lower() == "random forests"
    assert year_in(raw) == 2001
    found = fit(Cited(raw=raw), FORESTS)
    assert found is not None
    assert found.score == 1.0
    assert block_text(None, None, raw, {}) in paper_blocks(FORESTS)
    assert fit(Cited(raw=raw), Known(1, "Random forests", 1999, ("Breiman",))) is None
    assert fit(Cited(raw=raw), Known(1, "Random forests", 2001, ("Ho",))) is None
    assert fit(Cited(raw=raw), Known(1, "Machine learning", 2001, ("Breiman",))) is None


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("S. Hochreiter, J. Schmidhuber. Long short-term memory. Neural Comput., 9(8):1735-1780",
         "Long short-term memory"),
        ("LeCun Y, Bengio Y, Hinton G. Deep learning. Nature 521, 436 (2015).", "Deep learning"),
        ("Kingma, D. P. and Ba, J. Adam: A method for stochastic optimization. ICLR 2015.",
         "Adam: A method for stochastic optimization"),
        ("Cortes C., Vapnik V. Support-vector networks. Machine learning 20.3 (1995): 273-297.",
         "Support-vector networks"),
        ("A. Vaswani, N. Shazeer, et al. Attention is all you need. In NIPS, pp. 5998-6008, 2017",
         "Attention is all you need"),
        ("van der Maaten, L., Hinton, G.: Visualizing data using t-SNE. JMLR 9, 2579–2605 (2008)",
         "Visualizing data using t-SNE"),
        ("A. Einstein, Phys. Rev. 47, 777 (1935)", None),
        ("CHANDLER PJ, 1986, OPT ACTA, V33, P127", None),
        ("Smith J. Editorial. Lancet. 2001;45(1):5-32.", None),
        ("Smith J, Introduction, in: A Journal, 2001", None),
        ("Something of the Annals of Machine Learning Research, 45(1):5-32, 2001.", None),
    ],
)  # fmt: skip
def test_no_journal_and_no_place_is_taken_for_the_title(raw: str, title: str | None) -> None:
    assert guessed_title(raw) == title


def test_an_editorial_in_a_text_is_nobodys() -> None:
    raw = "Smith J. Editorial. Lancet. 2001;45(1):5-32."
    assert fit(Cited(raw=raw), Known(1, "Editorial", 2001, ("Smith",))) is None


@given(
    st.text(), st.none() | st.integers(0, 3000), st.text(), st.dictionaries(st.text(), st.text())
)
def test_any_text_can_be_compared(
    title: str, year: int | None, raw: str, extra: dict[str, str]
) -> None:
    block = block_text(title, year, raw, extra)
    assert block is None or block.startswith(("title:", "place:"))
    found = fit(Cited(title, year, None, raw, extra), Known(1, title, year, (raw,)))
    assert found is None or 0.75 <= found.score <= 1
