"""Plain text as LaTeX: what an importer reads back from it is the same text."""

from __future__ import annotations

import re

from litscape.importers.latex import to_unicode

_MATH = re.compile(r"\$[^$\n]+\$")
_SIGNS = {
    "\\": r"{\textbackslash}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
}
_SPECIAL = re.compile(r"[\\{}$&%#_~^]|-(?=-)|`(?=`)|'(?=')")
_WORD = re.compile(r"[^\W\d_]+(?:[\W_]?[^\W_]+)*", re.U)


def balanced(text: str) -> bool:
    """Whether every brace has its partner, as BibTeX counts them (escaped ones count as well)."""
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _sign(found: re.Match[str]) -> str:
    # A pair of hyphens, backticks or apostrophes would become one dash or quotation mark.
    return _SIGNS.get(found[0], found[0] + "{}")


def _plain(text: str) -> str:
    escaped = _SPECIAL.sub(_sign, text)
    if balanced(escaped):
        return escaped
    return escaped.replace(r"\{", r"{\textbraceleft}").replace(r"\}", r"{\textbraceright}")


def escape(text: str) -> str:
    """Text with all signs that LaTeX takes for its own escaped; formulas stay formulas."""
    pieces, start = [], 0
    for found in _MATH.finditer(text):
        formula = found[0]
        if re.search(r"[\\^_]", formula) and balanced(formula) and to_unicode(formula) == formula:
            pieces += [_plain(text[start : found.start()]), formula]
            start = found.end()
    return "".join([*pieces, _plain(text[start:])])


def verbatim(text: str) -> str:
    """An address, DOI or path: no escapes, but never a brace that would end the field."""
    return text if balanced(text) else text.replace("{", "%7B").replace("}", "%7D")
