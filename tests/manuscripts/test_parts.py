"""What manuscripts cite, and in which parts: LaTeX, Markdown, ``.aux``."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.manuscripts import aux, latex, markdown
from litscape.manuscripts.parts import Level


def shape(cited: object) -> list[list[list[list[str]]]]:
    """Keys by paragraph, sentence and citation."""
    paragraphs: dict[int, dict[int, dict[int, list[str]]]] = {}
    for one in cited:  # type: ignore[attr-defined]
        sentences = paragraphs.setdefault(one.paragraph, {})
        sentences.setdefault(one.sentence, {}).setdefault(one.cite, []).append(one.citekey)
    return [
        [list(cites.values()) for cites in sentences.values()] for sentences in paragraphs.values()
    ]


def tex(text: str) -> list[list[list[list[str]]]]:
    return shape(latex.cited(text))


def md(text: str) -> list[list[list[list[str]]]]:
    return shape(markdown.cited(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\cite{a,b}", [[[["a", "b"]]]]),
        (r"\cite{ a , b ,}", [[[["a", "b"]]]]),
        (r"\cite{a,a}", [[[["a"]]]]),
        (r"\citep[see][p.~3]{a}", [[[["a"]]]]),
        (r"\citep[see [sic]][]{a}", [[[["a"]]]]),
        (r"\Citet*{a} and \parencite {b}", [[[["a"], ["b"]]]]),
        (r"\parencites(see)()[1]{a}[2]{b}[][3]{c} end", [[[["a", "b", "c"]]]]),
        ("\\cite\n  {a,\n   b}", [[[["a", "b"]]]]),
        ("\\cite{a, % why\n b}", [[[["a", "b"]]]]),
        (r"\footcite{a}\supercite{b}\onlinecite{c}\citeauthor{d}\citeA{e}", None),
        (r"\cite{müller2001:x_y-z.1}", [[[["müller2001:x_y-z.1"]]]]),
        # What is no citation.
        (r"\nocite{a} \nocite{*} \citestyle{a} \setcitestyle{a} \bibcite{a}{1}", []),
        (r"\newcommand{\my}[1]{\cite{#1}}", []),
        (r"100\% \cite{a} % \cite{b}", [[[["a"]]]]),
        (r"\\% \cite{b}", []),
        (r"\verb|\cite{a}| \lstinline!\cite{b}!", []),
        ("\\begin{verbatim}\n\\cite{a}\n\\end{verbatim}\\cite{b}", [[[["b"]]]]),
        ("\\begin{filecontents*}{x.bib}\n\\cite{a}", []),
        ("\\iffalse \\cite{a} \\fi \\cite{b}", [[[["b"]]]]),
        ("\\cite{a}\n\\begin{document}\\cite{b}\\end{document}\\cite{c}", [[[["b"]]]]),
        (r"\cite", []),
        (r"\cite{", []),
        ("\\cite{a\n\nb}", []),
        (r"\cite{two words}", []),
        (r"\cite{}", []),
    ],
)
def test_commands_of_latex(text: str, expected: list[list[list[list[str]]]] | None) -> None:
    assert tex(text) == (expected or ([[[[key] for key in "abcde"]]] if expected is None else []))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (r"One \cite{a}. Two \cite{b}.", [["a"], ["b"]]),
        (r"One.\cite{a} Two \cite{b}.", [["a"], ["b"]]),
        (r"One.~\cite{a} Two \cite{b}.", [["a"], ["b"]]),
        (r"One. \cite{a} shows, e.g. \cite{b}, that.", [["a", "b"]]),
        (r"As Smith et al. \cite{a} and J. Doe \cite{b} in Fig. 3 \cite{c}", [["a", "b", "c"]]),
        (r"Really? (Yes \cite{a}.) “No \cite{b}.” So \cite{c}", [["a"], ["b"], ["c"]]),
        (r"In 3.5 \cite{a} of U.S. states \cite{b}", [["a", "b"]]),
        ("One \\cite{a}. % said\nTwo \\cite{b}.", [["a"], ["b"]]),
        (r"本文\cite{a}。次に\cite{b}。", [["a"], ["b"]]),
        (r"Ελληνικά \cite{a}. Άλλο \cite{b}", [["a"], ["b"]]),
    ],
)
def test_sentences(text: str, sentences: list[list[str]]) -> None:
    [found] = tex(text)
    assert [[key for keys in cites for key in keys] for cites in found] == sentences


def test_paragraphs_and_sections_of_latex() -> None:
    text = (
        "\\section{One}\nA \\cite{a}.\n% a comment ends no paragraph\nB \\cite{b}.\n \t\n"
        "C \\cite{c}.\n\\subsection{Inner} \\cite{d}\n"
        "\\begin{itemize}\\item \\cite{e}\\item \\cite{f}\\end{itemize}\n"
        "\\section*{Two}\\cite{g}"
    )
    found = list(latex.cited(text))
    assert [one.citekey for one in found] == list("abcdefg")
    assert [one.paragraph for one in found] == [0, 0, 1, 2, 3, 4, 5]
    assert [one.section for one in found] == [1, 1, 1, 1, 1, 1, 2]
    assert [one.line for one in found] == [2, 4, 6, 7, 8, 8, 9]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Said [@a; see @b, p. 3; -@c].", [[[["a", "b", "c"]]]]),
        ("As @a [p. 3] and @b say.", [[[["a"], ["b"]]]]),
        ("[see @a [p. 3]; @b]", [[[["a", "b"]]]]),
        ("[[@a]] and @{https://x.y/z?q=1}.", [[[["a"], ["https://x.y/z?q=1"]]]]),
        ("So says @a. Then @b: and @c/d.", [[[["a"]], [["b"], ["c/d"]]]]),
        (r"In \citep{a,b} and [@c].", [[[["a", "b"], ["c"]]]]),
        ("Mail me@x.org, \\@a, see @fig:one, @tbl-two and @eq:x.", []),
        ("`@a` ``x @b ` y`` and @c", [[[["c"]]]]),
        ("```r\n@a\n```\n@b\n~~~\n@c", [[[["b"]]]]),
        ("---\nnocite: '@a'\n---\n@b", [[[["b"]]]]),
        ("<!-- @a -->@b", [[[["b"]]]]),
        ("* @a\n* @b\n1. @c", [[[["a"]]], [[["b"]]], [[["c"]]]]),
    ],
)
def test_markdown(text: str, expected: list[list[list[list[str]]]]) -> None:
    assert md(text) == expected


def test_sections_of_markdown() -> None:
    text = "@a\n\n# One\n@b\n\n### Inner\n@c\n\nTwo\n---\n@d\n\n## Three\n@e\n"
    assert [one.section for one in markdown.cited(text)] == [0, 1, 1, 2, 3]


def test_what_latex_noted() -> None:
    text = (
        "\\relax\n\\citation{a,b}\n\\citation{*}\n\\bibdata{x}\n\\citation{c}\n"
        "\\abx@aux@cite{0}{d}\n\\bibcite{a}{1}\n"
    )
    found = list(aux.cited(text))
    assert [(one.citekey, one.line) for one in found] == [("a", 2), ("b", 2), ("c", 5), ("d", 6)]
    assert found[0].cite == found[1].cite
    assert len({one.section for one in found}) == 3


def test_weights_halve() -> None:
    assert [level.weight for level in Level] == [1, 0.5, 0.25, 0.125]


PIECES = st.lists(
    st.sampled_from(
        [
            *("\\cite{a}", "\\cite{b,c}", "\\cites{a}{b}", "\\section{", "}", "{", "[", "]", "%"),
            *("\n", "\n\n", ". ", " A", "\\", "~", "\\begin{verbatim}", "\\end{verbatim}", "@d"),
            *("[@e; @f]", "`", "```\n", "---\n", "<!--", "-->", "\\verb|", "|", "。", "é", "("),
        ]
    ),
    max_size=40,
)


@given(PIECES)
def test_parts_ascend_and_are_nested_whatever_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.count("\n") + 1
    for reader in (latex.cited, markdown.cited, aux.cited):
        found = list(reader(text))
        for before, after in itertools.pairwise(found):
            for inner, outer in (
                ("cite", "sentence"), ("sentence", "paragraph"), ("paragraph", "section")
            ):  # fmt: skip
                assert getattr(before, inner) <= getattr(after, inner)
                if getattr(before, inner) == getattr(after, inner):
                    assert getattr(before, outer) == getattr(after, outer)
        assert all(1 <= one.line <= lines for one in found)
        assert all(one.citekey.strip() == one.citekey != "" for one in found)
