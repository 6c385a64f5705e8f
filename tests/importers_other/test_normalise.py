"""Identifiers and text in their one stored form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from litscape.importers import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.5555/AbC.1", "10.5555/abc.1"),
        ("https://doi.org/10.5555/abc.2", "10.5555/abc.2"),
        ("http://dx.doi.org/10.5555/abc.3", "10.5555/abc.3"),
        ("DOI: 10.5555/abc.4", "10.5555/abc.4"),
        (r"10.5555/978-3-000\_12", "10.5555/978-3-000_12"),
        ("https://doi.org/10.5555%2Fabc.6", "10.5555/abc.6"),
        ("doi:10.5555/abc.7.", "10.5555/abc.7"),
        ("n/a", None),
        ("doi.org/10.5555/abc.9", "10.5555/abc.9"),
        ("https://doi.org/10.5555/abc?utm_source=x", "10.5555/abc"),
        ("https://journal.example/doi/10.5555/abc.1/full", "10.5555/abc.1"),
        ("doi.org/10.5555/abc?nosfx=y", "10.5555/abc"),
        ("(10.5555/abc)", "10.5555/abc"),
        ("10.5555/s0140-6736(05)67890-1", "10.5555/s0140-6736(05)67890-1"),
        (
            "10.5555/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O",
            "10.5555/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
        ),
        (
            "10.5555/(SICI)1097-4571(199806)49:8&lt;693::AID-ASI4&gt;3.0.CO;2-O",
            "10.5555/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
        ),
        ("10.5555/abc, 10.5555/def", "10.5555/abc"),
        ("10.1000.10/123", "10.1000.10/123"),
        ("10/abcd", None),
        ("10.5555/", None),
        ("110.5555/abc", None),
        ("", None),
    ],
)
def test_doi_forms(text: str, expected: str | None) -> None:
    assert normalise.doi(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.5555/mud.1", "10.5555/mud.1"),
        ("doi: 10.5555/mud.1", "10.5555/mud.1"),
        ("info:doi/10.5555/mud.1", "10.5555/mud.1"),
        ("Reply to 10.5555/mud.1", None),
        ("Journal Article", None),
    ],
)
def test_doi_only_takes_nothing_out_of_a_sentence(text: str, expected: str | None) -> None:
    assert normalise.doi_only(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1903.00001v3", "1903.00001"),
        ("arXiv:1903.00001 [cs.CL]", "1903.00001"),
        ("https://arxiv.org/abs/hep-th/9901001v2", "hep-th/9901001"),
        ("https://arxiv.org/pdf/1903.00001v2.pdf", "1903.00001"),
        ("10.48550/arXiv.2101.00001", "2101.00001"),
        ("arXiv preprint arXiv:1903.00001", "1903.00001"),
        ("abs/1706.00762", "1706.00762"),
        ("math.GT/0309136", "math/0309136"),
        ("1913.00001", None),
        ("CoRR", None),
        ("pages/1234567", None),
    ],
)
def test_arxiv_forms(text: str, expected: str | None) -> None:
    assert normalise.arxiv(text) == expected


def test_an_old_arxiv_number_takes_its_archive_from_beside() -> None:
    assert normalise.arxiv("9901001", archive="hep-th") == "hep-th/9901001"
    assert normalise.arxiv("9901001") is None


def test_pmid_isbn_issn_forms() -> None:
    assert normalise.pmid("PMID: 90000001") == "90000001"
    assert normalise.pmid("https://pubmed.ncbi.nlm.nih.gov/123/") == "123"
    assert normalise.pmid("PMC123") is None
    assert normalise.isbn("978-0-00-000000-2") == "9780000000002"
    assert normalise.isbn("wrong 0000000001, right 080442957X (pbk.)") == "080442957X"
    assert normalise.isbn("0000000001") == "0000000001"
    assert normalise.isbn("1234-5678") is None
    assert normalise.issn("ISSN 1234567x") == "1234-567X"


def test_title_keys_meet_over_case_accents_markup_and_punctuation() -> None:
    key = normalise.title_key("The <i>Große</i> Übersicht: ﬁne—things &amp; more")
    assert key == normalise.title_key("the grosse ubersicht fine things more")
    assert normalise.title_key("日本語の題") == "日本語の題"
    assert normalise.title_key(None) == ""


def test_paragraphs_stay_where_asked_for() -> None:
    text = "One  line\nof  text.\r\n \r\nNext."
    assert normalise.fold_paragraphs(text) == "One line of text.\n\nNext."
    assert normalise.fold(text) == "One line of text. Next."


_ALPHABET = st.text(
    st.sampled_from("10.5/%2Fabc<>&;ltgt()[]{}\\_-–\"' \n\u00e9e\u0301İß\u200b\ufeff?#:doiarxv"),
    max_size=40,
)
_ANY = st.one_of(st.text(max_size=60), _ALPHABET, _ALPHABET.map(lambda tail: "10.5555/" + tail))


@given(_ANY)
def test_every_form_is_its_own_form(text: str) -> None:
    for form in (normalise.fold, normalise.fold_paragraphs, normalise.title_key):
        assert form(form(text)) == form(text)
    for identifier in (normalise.doi, normalise.arxiv, normalise.pmid, normalise.isbn):
        once = identifier(text)
        assert once is None or identifier(once) == once


@example("A\ufeff\u0300")
@example("a \x00 b")
@given(_ANY)
def test_folded_text_can_be_stored(text: str) -> None:
    folded = normalise.fold(text)
    assert folded.encode("utf-8").decode("utf-8") == folded
    assert unicodedata.is_normalized("NFC", folded)
    assert folded == " ".join(folded.split())


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=20))
def test_letter_case_prefix_and_escapes_make_no_other_doi(tail: str) -> None:
    expected = f"10.5555/{tail}".lower()
    for form in ("10.5555/{}", "https://doi.org/10.5555/{}", "doi:10.5555/{}.", "10.5555%2F{}"):
        assert normalise.doi(form.format(tail)) == expected
