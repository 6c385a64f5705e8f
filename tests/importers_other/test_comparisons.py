"""``<`` and ``>`` as signs of comparison are text; only real markup is undone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.markup import plain, plain_paragraphs
from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT = [
    "Estimating p<q when n>k and a<b",
    "Sets with $a<b$ and $c>d$",
    "Chains $a<b>c$ and $p<i>q</i>$",
    "For p<i and q>r.",
    "If a<b and c>d then i<u or s>t",
    "Java List<String> and p<q for n>k",
    "Bounds for n<p and p>q",
    "n<p>q and n <p> q",
    "a<b>c<i>d",
    "x<a = 3 and y>b",
    "A heart rate of 60<hr>100",
    "From $5 to $6 where p<q or s>t",
    "<b and c>",
    "The tag <b> in HTML",
    "a < b and c > d",
    "x <y> z",
]


@pytest.mark.parametrize("text", KEPT)
def test_comparisons_stay(text: str) -> None:
    assert plain(text) == text
    assert plain_paragraphs(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If p<q then <i>Salix</i> and r>s", "If p<q then Salix and r>s"),
        ("<i><b>crossed</i></b> a<b", "crossed a<b"),
        ("It costs $5 <i>and</i> $6", "It costs $5 and $6"),
        ("<p>It costs $5</p><p>and x$</p>", "It costs $5 and x$"),
        ("<P CLASS='a b'>One<BR>two", "One two"),
        ("<p>One.<p>Two.", "One. Two."),
        ("End.<p>Then", "End. Then"),
        ("<span class=nocase>de</span> <td nowrap>x</td>", "de x"),
        ('<a href="http://a.org/?b=1&c=>">there</a>', "there"),
        ("<jats:sec><jats:title>Aim</jats:title><jats:p>Cut of", "Aim Cut of"),
        ('<mml:math display="inline"><mml:mi>n</mml:mi><mml:mspace/></mml:math>', "n"),
        ("&lt;i&gt;p&lt;/i&gt; &lt; q", "p < q"),
        ("the end</jats:p>", "the end"),
    ],
)
def test_real_markup_goes(text: str, expected: str) -> None:
    assert plain(text) == expected


NAMES = ["a", "b", "i", "p", "q", "s", "u", "em", "sub", "span", "td", "hr", "math", "title"]
WORDS = st.sampled_from(NAMES) | st.from_regex(r"[A-Za-z0-9]{1,6}", fullmatch=True)
SIGNS = st.sampled_from(["<", ">", " < ", " > ", "<=", ">=", " and ", ", ", " <", "> "])


@given(st.lists(st.tuples(WORDS, SIGNS), min_size=1, max_size=12), WORDS)
def test_any_comparison_of_words_survives(parts: list[tuple[str, str]], last: str) -> None:
    text = "".join(word + sign for word, sign in parts) + last
    if {"br", "wbr", "img"} & {*text.lower().replace(">", "<").split("<")}:
        return
    assert plain(text) == " ".join(text.split())


PAIRED = st.sampled_from(["i", "b", "sub", "sup", "em", "span", "jats:italic", "mml:mi"])


@given(st.lists(st.tuples(PAIRED, WORDS, SIGNS), min_size=1, max_size=8))
def test_any_pair_is_undone_between_comparisons(parts: list[tuple[str, str, str]]) -> None:
    marked = "".join(f"<{tag}>{word}x</{tag}>{sign}" for tag, word, sign in parts) + "end"
    bare = "".join(f"{word}x{sign}" for _, word, sign in parts) + "end"
    assert plain(marked) == " ".join(bare.split())


FILES: dict[str, Callable[[str], str]] = {
    "a.bib": lambda text: f"@article{{a, title = {{{text}}}, abstract = {{{text}}}}}",
    "a.ris": lambda text: f"TY  - JOUR\nTI  - {text}\nAB  - {text}\nER  - \n",
    "a.json": lambda text: json.dumps(
        [{"id": "a", "type": "book", "title": text, "abstract": text}]
    ),
    "a.jsonl": lambda text: json.dumps({"id": "a", "title": text, "abstract": text}) + "\n",
    "a.csv": lambda text: f'title,abstract,year\n"{text}","{text}",2001\n',
    "a.nbib": lambda text: f"PMID- 12\nTI  - {text}\nAB  - {text}\n\n",
}


@pytest.mark.parametrize("text", [one for one in KEPT if "$" not in one])
def test_no_format_cuts_a_comparison(tmp_path: Path, text: str) -> None:
    for name, written in FILES.items():
        source = tmp_path / name
        source.write_text(written(text), encoding="utf-8")
        with Library.open(tmp_path / f"library of {name}") as library:
            library.import_file(source)
            (paper,) = library.papers
            assert (name, paper.title, paper.abstract) == (name, text, text)
