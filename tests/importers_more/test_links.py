"""What records of these formats cite becomes a link when the cited work is in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.library import Library

if TYPE_CHECKING:
    from pathlib import Path

CITING = {
    "wos": (
        "FN X\nVR 1.0\nPT J\nTI Citing\nSO A\nCR Gull P, 1999, MUD, V1, DOI 10.5555/cited\n"
        "   Tern L, 2001, WET\nDI 10.5555/citing\nER\nEF\n"
    ),
    "scopus": (
        "Authors,Title,Year,DOI,References\n"
        '"Gull P.",Citing,2020,10.5555/citing,"Tern, L., (2001) Wet; Gull, P., Mud (1999) J,'
        ' https://doi.org/10.5555/CITED"\n'
    ),
    "pubmed": (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>"
        "Citing</ArticleTitle></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId "
        'IdType="doi">10.5555/citing</ArticleId></ArticleIdList><ReferenceList><Reference>'
        "<Citation>Gull P. Mud. 1999;1.</Citation><ArticleIdList><ArticleId IdType='pubmed'>77"
        "</ArticleId></ArticleIdList></Reference><Reference><Citation>Tern L. Wet. 2001;2."
        "</Citation></Reference></ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>"
    ),
    "semantic-scholar": (
        f'[{{"paperId": "{1:040x}", "title": "Citing", "externalIds": {{"DOI": "10.5555/citing"}},'
        f' "references": [{{"paperId": "{2:040x}", "title": "Cited", "externalIds":'
        ' {"DOI": "10.5555/cited"}}, {"paperId": null, "title": "Wet", "year": 2001}]}]'
    ),
}
CITED = "@article{cited, title={Cited}, doi={10.5555/cited}, pmid={77}, year=1999}\n"


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", sorted(CITING))
def test_cited_works_are_linked_now_and_later(tmp_path: Path, kind: str, first: bool) -> None:
    citing, cited = tmp_path / "citing.txt", tmp_path / "cited.bib"
    citing.write_text(CITING[kind], encoding="utf-8")
    cited.write_text(CITED, encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        for path in (cited, citing) if first else (citing, cited):
            library.import_file(path)
        paper = library.papers.get("10.5555/citing")
        assert paper.cites == (library.papers.get("cited").id,)
        assert [one.year for one in paper.references] == [2001]


def test_the_export_keeps_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "citing.txt"
    path.write_text(CITING["wos"], encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.import_file(path)
        found = library.papers.get("10.5555/citing").references
    assert [(one.raw, one.doi, one.year) for one in found] == [
        ("Gull P, 1999, MUD, V1, DOI 10.5555/cited", "10.5555/cited", 1999),
        ("Tern L, 2001, WET", None, 2001),
    ]
