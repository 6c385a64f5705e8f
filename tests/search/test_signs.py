"""Chinese, Japanese and Korean: no blanks show the words, yet any part of a text is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.paper import Author, PaperDraft
from litscape.search.highlights import Highlighter
from litscape.store import bulk
from litscape.store.integrity import check

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

TITLES = {
    "classify": "基于深度学习的图像分类方法研究",
    "segment": "图像分割综述",
    "recognise": "ニューラルネットワークによる画像認識",
    "korean": "딥러닝 기반 영상 분류에 관한 연구",
    "mixed": "BERT模型压缩",
    "english": "Deep learning in image classification",
}


@pytest.fixture
def papers(shelf: Shelf) -> dict[str, int]:
    return {name: shelf.add(title) for name, title in TITLES.items()}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("深度学习", {"classify"}),
        ("学习的图", {"classify"}),
        ("图像", {"classify", "segment"}),
        ("像", {"classify", "segment", "recognise"}),
        ("图像 方法", {"classify"}),
        ('"图像分割"', {"segment"}),
        ("title:图像 -分割", {"classify"}),
        ("图像 -title:分割", {"classify"}),
        ("画像認識", {"recognise"}),
        ("ニューラル", {"recognise"}),
        ("ﾆｭｰﾗﾙ", {"recognise"}),
        ("분류", {"korean"}),
        ("분류에", {"korean"}),
        ("bert", {"mixed"}),
        ("bert模型", {"mixed"}),
        ("模型压", {"mixed"}),
        ("image", {"english"}),
    ],
)
@pytest.mark.parametrize("typing", [False, True])
def test_any_part_of_a_title_is_found(
    shelf: Shelf, papers: dict[str, int], query: str, found: set[str], typing: bool
) -> None:
    result = shelf.searcher().search(query, "lexical", as_you_type=typing)
    assert {hit.paper_id for hit in result} == {papers[name] for name in found}
    assert result.notes == ()


def test_signs_that_do_not_follow_each_other_are_no_hit(
    shelf: Shelf, papers: dict[str, int]
) -> None:
    assert shelf.words("图分") == []
    assert shelf.words("习学") == []


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_sentence_finds_papers_with_parts_of_it(
    shelf: Shelf, papers: dict[str, int], mode: str
) -> None:
    shelf.embed()
    query = "用于医学影像的图像分类系统"
    result = shelf.searcher().search(query, mode, k=2)  # type: ignore[arg-type]
    assert result.hits[0].paper_id == papers["classify"]
    assert f"No paper has “{query}” as it stands; these have parts of it." in result.notes


@pytest.mark.parametrize("query", ["明", "author:明", "王明", "王 明", "author:王", "author:王明"])
def test_names_are_found_by_each_part_however_they_are_stored(shelf: Shelf, query: str) -> None:
    apart = PaperDraft(title="One", authors=(Author("王", "明"),))
    whole = PaperDraft(title="Two", authors=(Author(literal="王明"),))
    other = PaperDraft(title="Three", authors=(Author("李", "小红"),))
    with shelf.database.write() as conn:
        drafts = enumerate((apart, whole, other), start=1)
        bulk.insert_papers(conn, [bulk.NewPaper(n, f"k{n}", draft) for n, draft in drafts])
    assert sorted(shelf.words(query)) == [1, 2]


def test_like_papers_share_pairs_of_signs(shelf: Shelf, papers: dict[str, int]) -> None:
    like = shelf.searcher().similar([papers["classify"]])
    assert [hit.paper_id for hit in like] == [papers["segment"]]


def test_the_index_follows_edits(shelf: Shelf, papers: dict[str, int]) -> None:
    with shelf.database.write() as conn:
        conn.exec_driver_sql(
            "UPDATE papers SET title = '语音识别' WHERE id = ?", (papers["segment"],)
        )
        conn.exec_driver_sql("DELETE FROM papers WHERE id = ?", (papers["classify"],))
    assert shelf.words("图像") == []
    assert shelf.words("识别") == [papers["segment"]]
    assert not [problem for problem in check(shelf.database) if "text index" in problem]


def test_signs_in_groups_are_found_and_marked(shelf: Shelf) -> None:
    learning = shelf.add("基于深度学习的图像分类")
    graph = shelf.add("Graph neural networks")
    other = shelf.add("图论基础", tags=["数学"])
    assert set(shelf.words("深度学习 OR graph")) == {learning, graph}
    assert set(shelf.words("(图像 OR 图论) -tag:数学")) == {learning}
    assert set(shelf.words("tag:数学 OR neural")) == {graph, other}
    # As a whole it stands in no paper, but its pairs do.
    parted = shelf.searcher().search("(深度图像 OR 无)", "lexical")
    assert [hit.paper_id for hit in parted] == [learning]
    assert "these have parts of it" in parted.notes[0]
    highlighter = Highlighter(parted.words)
    title = "基于深度学习的图像分类"
    assert [title[a:b] for a, b in highlighter.spans([title], "title")[0]] == ["深度", "图像"]
