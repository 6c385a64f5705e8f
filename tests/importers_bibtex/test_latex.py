"""LaTeX to Unicode: nothing is lost, formulas stay readable."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litscape.importers.latex import to_unicode, verbatim


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"Gr{\"u}n, Andr{\'e}, Mart{\'\i}n, {\'A}lex", "Grün, André, Martín, Álex"),
        (r"{\v{S}}im{\r u}nek, Ond{\v r}ej", "Šimůnek, Ondřej"),
        (r"Stra{\ss}e, {\O}re, {\AA}s, {\l}\'od\'z, na{\"\i}ve", "Straße, Øre, Ås, łódź, naïve"),
        (r"\c{c}a, {\H o}, {\u g}, {\k a}, {\=u}, \.{e}, \d{s}", "ça, ő, ğ, ą, ū, ė, ṣ"),
        (r"{\~{\^e}} {\~\^e} \~{\^{e}}", "ễ ễ ễ"),
        (r"D\'{\i}az, Jos\'e, Beno\^{\i}t", "Díaz, José, Benoît"),
        (r"Gro{\ss}wald, \aa ngstr\"om, \O{}re", "Großwald, ångström, Øre"),
        (r"T\^ete-\`a-t\^ete {\AE}on and {\oe}uvre", "Tête-à-tête Æon and œuvre"),
        (r"{DNA} repair in {E}scherichia \emph{coli}", "DNA repair in Escherichia coli"),
        (r"{\textit{in vivo}} {\bf bold} {\sc Caps}", "in vivo bold Caps"),
        (r"Costs \& benefits: 50\% of \$5, a\_b, C\#", "Costs & benefits: 50% of $5, a_b, C#"),
        ("``Quoted'' --- 1--9 and {\\textquoteright}s", "“Quoted” — 1–9 and ’s"),
        ("Unescaped 10% gain, R&D and C#", "Unescaped 10% gain, R&D and C#"),
        (r"10% gain in {R&D} by \emph{C#}", "10% gain in R&D by C#"),
        ("It costs $5 or $6.", "It costs $5 or $6."),
        (r"between $5,000 and $10,000 \emph{a year}", "between $5,000 and $10,000 a year"),
        (r"$5 and $\beta$", "$5 and β"),
        ("A lone $ sign", "A lone $ sign"),
        (r"An $O(n\log n)$ sort", "An O(n log n) sort"),
        (r"{$\alpha$}-synuclein, H$_2$O, {$\mathbb{R}^3$}", "α-synuclein, H₂O, ℝ³"),
        (r"Constant ${\mathit{K}}_{24}$, $10^{-3}$", "Constant K₂₄, 10⁻³"),
        (r"$K_{eff}$ and 5$^\circ$C", "K_{eff} and 5°C"),
        (r"\enquote{outer \enquote{inner}}", "“outer “inner””"),
        (r"C:\Users\me\paper.pdf is \emph{here}", r"C:\Users\me\paper.pdf is here"),
        (r"\url{http://a_b/~x?a%20b&c#d} \emph{x}", "http://a_b/~x?a%20b&c#d x"),
        (r"\href{http://x.org}{the text}", "the text"),
        (r"{\ifmmode\pm\else\textpm\fi}5", "±5"),
        (r"\LaTeX{} and \TeX, \copyright{} \pounds5", "LaTeX and TeX, © £5"),
        (r"\noopsort{1973}The title", "The title"),
        (r"unknown \foo{bar} and \foo alone", r"unknown bar and \foo alone"),
        (r"Erd\H{o}s~P.\ and \mbox{A-B}", "Erdős P. and A-B"),
        (r"\{a\} $\{b\}$", "{a} {b}"),
        (r"\verb|x%y| stays", "x%y stays"),
        (r"x$<$y and {\textless}i{\textgreater}", "x<y and <i>"),
        (r"M Sch{\ü}pbach", "M Schüpbach"),
        (r"\mnras", "Monthly Notices of the Royal Astronomical Society"),
        ("ends in a backslash\\", "ends in a backslash\\"),
    ],
)
def test_latex(latex: str, plain: str) -> None:
    assert " ".join(to_unicode(latex).split()) == plain


def test_today_and_input_give_nothing_of_this_machine() -> None:
    assert to_unicode(r"\today{} \input{/etc/hostname}").split() == ["\\today", "/etc/hostname"]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"\url{http://example.org/a\_b}", "http://example.org/a_b"),
        (r"http://example.org/$\sim$me/\%20x", "http://example.org/~me/%20x"),
        (r"http://example.org/{\~{}}me\&c", "http://example.org/~me&c"),
        (r"10.5555/978-3-000{\_}12", "10.5555/978-3-000_12"),
        ("http://a/--b``c", "http://a/--b``c"),
    ],
)
def test_addresses_are_not_read_as_latex(written: str, plain: str) -> None:
    assert verbatim(written) == plain


WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäéß0123456789"), min_size=1, max_size=8)
MARKS = st.sampled_from(
    [" ", "%", "&", "#", "$", "_", "^", "{", "}", "~", "--", "\\&", "\\%", "\\$", "$5 "]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(WORDS, MARKS), max_size=30))
def test_no_word_is_ever_lost(pieces: list[str]) -> None:
    found = to_unicode(" ".join(pieces))
    letters = re.sub(r"[\W_]", "", found)
    superscripts = str.maketrans(
        "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱˣ₀₁₂₃₄₅₆₇₈₉ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789nix0123456789aeoxhklmnpstijruv"
    )
    assert letters.translate(superscripts) == re.sub(r"[\W_]", "", "".join(pieces))


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("\\{}$^_~'\"`%&#abcuvi 1-"), max_size=40))
def test_no_markup_raises(text: str) -> None:
    to_unicode(text)
    verbatim(text)
