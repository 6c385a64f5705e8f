"""The words of a query are found again in what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.search.highlights import Highlighter, passage, shown
from litscape.search.query import parse

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


def marked(query: str, text: str, *, typing: bool = False) -> list[str]:
    highlighter = Highlighter(parse(query, as_you_type=typing).wanted)
    (spans,) = highlighter.spans([text], "title")
    return [text[a:b] for a, b in spans]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("network", "Deep Networks and networking", ["Networks", "networking"]),
        ("the network", "The network of the future", ["network"]),
        ('"deep network"', "Deep networks, deep seas", ["Deep networks"]),
        ("lukasz", "On Łukasz and Lukasz", ["Łukasz", "Lukasz"]),
        ("(graph OR net) -deep", "Deep graph nets", ["graph", "nets"]),
        ("abstract:graph net", "A graph net", ["net"]),
        ("self-attention", "Self-attention is attention", ["Self-attention"]),
        ("深度学习", "基于深度学习的方法", ["深度学习"]),
        ("深度方法", "深度学习方法", ["深度", "方法"]),
        ("模型 OR 深度", "深度学习模型", ["深度", "模型"]),
        ("transf*", "Transformers transfer", ["Transformers", "transfer"]),
        ("tag:x year:2000", "x 2000", []),
    ],
)
def test_words_are_marked(query: str, text: str, expected: list[str]) -> None:
    assert marked(query, text) == expected


def test_a_word_being_typed_is_marked_beyond_its_stem() -> None:
    assert marked("generaliz", "Generalization", typing=True) == ["Generalization"]


def test_a_snippet_where_the_title_has_none_of_the_words(shelf: Shelf) -> None:
    titled = shelf.add("Dense retrieval", "Retrieval it is.")
    inside = shelf.add("Passages", "word " * 60 + "then retrieval of retrieved things " + "z " * 99)
    other = shelf.add("Nothing")
    highlighter = Highlighter(parse("retrieval").wanted)
    with shelf.database.read() as conn:
        found = shown(conn, highlighter, [titled, inside, other])
    assert set(found) == {titled, inside}
    assert found[titled].title == ((6, 15),)
    assert found[titled].snippet is None
    assert found[inside].words == ("retrieval", "retrieved")
    snippet = found[inside].snippet
    assert snippet is not None
    assert snippet.text.startswith("… word ")
    assert snippet.text.endswith(" …")
    assert [snippet.text[a:b] for a, b in snippet.spans] == ["retrieval", "retrieved"]


def test_a_snippet_shows_most_matches() -> None:
    text = "graph " + "x " * 300 + "graph net graph " + "y " * 300
    spans = [(0, 5), (606, 611), (612, 615), (616, 621)]
    found = passage(text, spans)
    assert [found.text[a:b] for a, b in found.spans] == ["graph", "net", "graph"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ('author:"Y. Wang"', ["Yi Wang", "Ÿ. Wang"]),
        ('author:"Wang, Y."', ["Yi Wang", "Ÿ. Wang"]),
        ("author:wang", ["Wei Wang", "Yi Wang", "Ÿ. Wang"]),
        ("(author:Li OR author:Ian)", ["Li Wei", "Ian Yi"]),
        ("wang marsh", []),
        ("-author:Wang marsh", []),
    ],
)
def test_authors_that_are_asked_for_are_marked(query: str, names: list[str]) -> None:
    text = "Wei Wang; Yi Wang; Li Wei; Ÿ. Wang; Ian Yi"
    spans = Highlighter(parse(query).wanted).authors(text)
    assert [text[a:b] for a, b in spans] == names


def test_authors_that_a_list_leaves_out_are_shown_below_the_title(shelf: Shelf) -> None:
    seen = shelf.add("Marsh", "On mud.", authors=["Yi Wang", "A B"])
    deep = shelf.add("Fen", "On mud.", authors=["Ann Lee", "Bo Ek", "Yi Wang", "C Oh", "D Ur"])
    both = shelf.add("Bog", "Of mud.", authors=["Ann Lee", "Bo Ek", "Yi Wang", "C Oh", "D Ur"])
    result = shelf.searcher().search('author:"Y. Wang"', "lexical")
    highlighter = Highlighter(result.words)
    with shelf.database.read() as conn:
        found = shown(conn, highlighter, [seen, deep])
        titled = shown(conn, Highlighter(parse('bog author:"Wang, Y"').wanted), [both])
    assert found[seen].authors == found[seen].words == ("Yi Wang",)
    assert found[seen].snippet is None, "the list shows it"
    snippet = found[deep].snippet
    assert snippet is not None
    assert snippet.text == "Authors: … Yi Wang; C Oh; D Ur", "a narrow list has room for the name"
    assert [snippet.text[a:b] for a, b in snippet.spans] == ["Yi Wang"]
    assert titled[both].words == ("Bog", "Yi Wang")
    assert titled[both].snippet is None
