"""PubMed XML: articles and books, identifiers of their own, works cited."""

from __future__ import annotations

from collections.abc import Callable

from litscape.paper import Author, ImportProblem, PaperDraft

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]

KIND = "pubmed-xml"
ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">90000001</PMID>
<Article><Journal><ISSN IssnType="Electronic">1234-5678</ISSN><JournalIssue><Volume>4</Volume>
<Issue>2</Issue><PubDate><Year>2019</Year><Month>Mar</Month><Day>5</Day></PubDate></JournalIssue>
<Title>Journal of mud research</Title></Journal>
<ArticleTitle>Growth of <i>Salix</i> in H<sub>2</sub>O &amp; mud.</ArticleTitle>
<Pagination><StartPage>1</StartPage><EndPage>9</EndPage></Pagination>
<ELocationID EIdType="pii" ValidYN="Y">S0000-0000(19)00001-1</ELocationID>
<ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID>
<Abstract><AbstractText Label="BACKGROUND">Mud is wet.</AbstractText>
<AbstractText Label="UNLABELLED">It stays <mml:math><mml:mi>wet</mml:mi></mml:math>.</AbstractText>
</Abstract>
<AuthorList CompleteYN="N"><Author ValidYN="Y"><LastName>van der Avocet</LastName>
<ForeName>Mary Jane</ForeName><Suffix>Jr</Suffix></Author>
<Author ValidYN="N"><LastName>Avocett</LastName><ForeName>Mary</ForeName></Author>
<Author><CollectiveName>Mud Consortium</CollectiveName></Author></AuthorList>
<Language>eng</Language>
<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList>
</Article>
<CommentsCorrectionsList><CommentsCorrections RefType="Cites">
<RefSource>Mud Res. 2008 Jun;70(5):539-45</RefSource><PMID>90000007</PMID></CommentsCorrections>
<CommentsCorrections RefType="CommentIn"><RefSource>Mud. 2020;1</RefSource></CommentsCorrections>
</CommentsCorrectionsList>
<MeshHeadingList><MeshHeading><DescriptorName>Models, Molecular</DescriptorName>
<QualifierName>methods</QualifierName></MeshHeading></MeshHeadingList>
<KeywordList><Keyword>*wetness</Keyword></KeywordList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">90000001</ArticleId>
<ArticleId IdType="doi">10.5555/PM.1</ArticleId><ArticleId IdType="pmc">PMC99</ArticleId>
</ArticleIdList><ReferenceList><Reference>
<Citation>Gull P. Mud. J Wet. 1999;12:3.</Citation>
<ArticleIdList><ArticleId IdType="doi">10.5555/cited.1</ArticleId>
<ArticleId IdType="pubmed">90000008</ArticleId></ArticleIdList></Reference>
<Reference><Citation>Tern L. The marsh.</Citation></Reference></ReferenceList></PubmedData>
</PubmedArticle>
"""


def file(*records: str) -> str:
    return "<?xml version='1.0'?>\n<PubmedArticleSet>\n" + "".join(records) + "</PubmedArticleSet>"


def test_a_whole_article(read: Read) -> None:
    (draft,), problems = read(file(ARTICLE), KIND)
    assert not problems
    assert draft.title == "Growth of Salix in H2O & mud."
    assert draft.authors == (
        Author("Avocet", "Mary Jane", "van der", "Jr"),
        Author(literal="Mud Consortium"),
    )
    assert draft.more_authors
    assert (draft.year, draft.month, draft.day) == (2019, 3, 5)
    assert (draft.venue, draft.volume, draft.issue) == ("Journal of mud research", "4", "2")
    assert (draft.pages, draft.type) == ("1-9", "article")
    assert (draft.doi, draft.pmid) == ("10.5555/pm.1", "90000001")
    assert draft.abstract == "BACKGROUND: Mud is wet.\n\nIt stays wet."
    assert draft.keywords == ("Models, Molecular/methods", "wetness")
    assert draft.fields == ("Models, Molecular",)
    assert draft.identifiers == {"issn": "1234-5678", "pmcid": "PMC99"}
    assert (draft.line, draft.index) == (3, 0)


def test_works_cited_are_kept_and_named(read: Read) -> None:
    (draft,), _ = read(file(ARTICLE), KIND)
    assert [(one.doi, one.year, one.source_id) for one in draft.references] == [
        ("10.5555/cited.1", 1999, "pmid:90000008"),
        (None, None, None),
        (None, 2008, "pmid:90000007"),
    ]
    assert draft.references[1].raw == "Tern L. The marsh."


def test_a_book_and_a_chapter(read: Read) -> None:
    book = (
        "<PubmedBookArticle><BookDocument><PMID>1</PMID>{}<Book><Publisher><PublisherName>Marsh"
        "</PublisherName></Publisher><BookTitle>Mud</BookTitle><PubDate><Year>2009</Year>"
        "<Month>02</Month></PubDate><AuthorList Type='editors'><Author><LastName>Gull</LastName>"
        "<ForeName>P</ForeName></Author></AuthorList></Book><Abstract><AbstractText>Wet."
        "</AbstractText></Abstract></BookDocument></PubmedBookArticle>"
    )
    title = "<ArticleTitle>Willow</ArticleTitle>"
    whole, part = read(file(book.format(""), book.format(title)), KIND)[0]
    assert (whole.title, whole.type, whole.venue, whole.authors) == ("Mud", "book", None, ())
    assert (whole.year, whole.month, whole.abstract) == (2009, 2, "Wet.")
    assert (part.title, part.type, part.venue) == ("Willow", "incollection", "Mud")


def test_citations_alone(read: Read) -> None:
    start = ARTICLE.index("<MedlineCitation")
    end = ARTICLE.index("</MedlineCitation>") + len("</MedlineCitation>")
    text = f"<MedlineCitationSet>{ARTICLE[start:end]}</MedlineCitationSet>"
    (draft,), _ = read(text, KIND)
    assert draft.pmid == "90000001"


def test_a_free_date_is_kept(read: Read) -> None:
    date = "<Year>2019</Year><Month>Mar</Month><Day>5</Day>"
    free = ARTICLE.replace(date, "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>")
    (draft,), _ = read(file(free), KIND)
    assert (draft.year, draft.month, draft.year_raw) == (1998, 12, "1998 Dec-1999 Jan")
    season = ARTICLE.replace(date, "<Year>2019</Year><Season>Spring</Season>")
    (draft,), _ = read(file(season), KIND)
    assert (draft.year, draft.month, draft.month_raw) == (2019, None, "Spring")


def test_broken_and_empty_articles_are_told(read: Read) -> None:
    text = file("<PubmedArticle>\n wrong\n", ARTICLE, "<PubmedArticle></PubmedArticle>\n")
    drafts, problems = read(text, KIND)
    assert [draft.pmid for draft in drafts] == ["90000001"]
    assert [(p.code, p.severity, p.index) for p in problems] == [
        ("broken-entry", "skipped", 0),
        ("missing-title", "skipped", 2),
        ("broken-file", "warning", None),
    ]


def test_text_outside_records_is_shown_as_it_stands() -> None:
    from litscape.importers.base import SourceText
    from litscape.importers.registry import importer

    text = "<PubmedArticleSet>\n  loose <!-- why? --> text\n</PubmedArticleSet>"
    (told, _empty) = importer("pubmed-xml").read(SourceText("/x", text, "utf-8"))
    assert told.raw is not None
    assert "loose <!-- why? --> text" in told.raw
    assert told.line == 1
