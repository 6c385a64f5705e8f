"""pylatexenc set up for bibliographies: what is escaped before, what each command becomes."""

from __future__ import annotations

import logging
import re
from functools import cache
from typing import Any

_SYMBOLS = {
    "LaTeX": "LaTeX",
    "LaTeXe": "LaTeX2e",
    "TeX": "TeX",
    "BibTeX": "BibTeX",
    "XeTeX": "XeTeX",
    "LuaTeX": "LuaTeX",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "pounds": "£",
    "euro": "€",
    "EUR": "€",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "lbrack": "[",
    "rbrack": "]",
    "lbrace": "{",
    "rbrace": "}",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textperiodcentered": "·",
    "cdotp": "·",
    "slash": "/",
    "glqq": "„",
    "grqq": "“",
    "glq": "‚",
    "grq": "‘",
    "flqq": "«",
    "frqq": "»",
    "flq": "‹",
    "frq": "›",
    "textsubscript": "",
    "degree": "°",
    "degrees": "°",
    "micro": "µ",
    "celsius": "℃",
    "percent": "%",
    "SS": "ẞ",
    "ddag": "‡",
    "lq": "‘",
    "rq": "’",
    "space": " ",
    "newline": " ",
    "linebreak": " ",
    "par": "\n\n",
    "newblock": " ",
    "thinspace": " ",
    "enspace": " ",
    "nobreakspace": " ",
    "textquotesingle": "'",
    "textasciicircum": "^",
    "textquotestraightdblbase": '"',
    "polhk": "\u0328",
    "-": "",
    "/": "",
    ",": " ",
    ";": " ",
    ":": " ",
    "!": "",
    "@": "",
    "\\": " ",
    " ": " ",
    "\n": " ",
    "\t": " ",
    "hyp": "-",
    "hyphen": "-",
    "textemdash": "—",
}
_JOURNALS = {
    "aap": "Astronomy and Astrophysics",
    "aapr": "Astronomy and Astrophysics Reviews",
    "aaps": "Astronomy and Astrophysics Supplement",
    "aj": "Astronomical Journal",
    "ao": "Applied Optics",
    "apj": "Astrophysical Journal",
    "apjl": "Astrophysical Journal Letters",
    "apjs": "Astrophysical Journal Supplement",
    "apss": "Astrophysics and Space Science",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "grl": "Geophysical Research Letters",
    "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "jgr": "Journal of Geophysical Research",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "nat": "Nature",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "physrep": "Physics Reports",
    "planss": "Planetary and Space Science",
    "pra": "Physical Review A",
    "prb": "Physical Review B",
    "prd": "Physical Review D",
    "pre": "Physical Review E",
    "prl": "Physical Review Letters",
    "procspie": "Proceedings of SPIE",
    "qjras": "Quarterly Journal of the Royal Astronomical Society",
    "rmxaa": "Revista Mexicana de Astronomía y Astrofísica",
    "solphys": "Solar Physics",
    "ssr": "Space Science Reviews",
}
"""The journal commands of astronomy, which the ADS writes into every export."""
_SILENT_WORDS = (
    "bf it em sc rm sf tt sl md up bfseries itshape scshape rmfamily sffamily ttfamily upshape"
    " slshape mdseries normalfont tiny scriptsize footnotesize small normalsize large Large"
    " LARGE huge Huge protect relax displaystyle textstyle scriptstyle limits nolimits left"
    " right big Big bigg Bigg noindent centering allowbreak nobreak break mathsurround boldmath"
    " unboldmath xspace selectfont leavevmode ignorespaces unskip frenchspacing sloppy"
    " raggedright bgroup egroup begingroup endgroup hfill null strut mit cal mathstrut"
)
_SILENT = frozenset(_SILENT_WORDS.split())
"""Commands that only format; they vanish where they stand without an argument."""

_UNMAPPED = (
    "today input include maketitle item title author date cite citet citep ref autoref cref Cref"
    " eqref"
)
_STYLES = re.compile(
    r"\\(?:math(?:it|rm|bf|sf|tt|normal|cal|scr|frak|bfit)|boldsymbol|bm|bold"
    r"|text(?:rm|it|bf|sf|tt|normal|up|sl)?"
    r"|operatorname\*?|mbox|hbox|ensuremath|pmb|rm|it|bf|sf|cal|mit)(?![A-Za-z])\s*"
)
_OPERATORS = re.compile(
    r"(?<=[\w)\]])\s*(\\(?:log|ln|lg|sin|cos|tan|exp|min|max|det|dim|ker|lim|sup|inf|arg|gcd|mod|deg)(?![A-Za-z]))"
)
_SCRIPT = re.compile(r"([_^])\s*(?:\{([^{}]*)\}|(\\[A-Za-z]+|[^\s{}\\]))")
_SUPERS = str.maketrans("0123456789+-−=()nix", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱˣ")
_SUBS = str.maketrans("0123456789+-−=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ")
_CONDITIONAL = re.compile(
    r"\\ifmmode\b.{0,200}?\\else\s*(.{0,200}?)\\fi(?![A-Za-z])\s*(?:\{\})?", re.S
)
_SORT_ONLY = re.compile(r"\\(?:noopsort|SortNoop|sortnoop|noop|NOOP)\s*\{[^{}]*\}")
_ADDRESS = re.compile(r"\\(?:url|nolinkurl|path)\s*\{([^{}]*)\}")
_LINK = re.compile(r"\\href\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_QUOTED = re.compile(r"\\(?:enquote|mkbibquote)\*?\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_SUPERSCRIPT = re.compile(r"\\text(sub|super)script\s*\{([^{}\\$]*)\}")
_PATH = re.compile(
    r"(?<![A-Za-z])[A-Za-z]:\\[^\s{}$\"<>|,;]*|(?<!\\)\\\\[\w.-]+\\[\w$.-]+(?:\\[\w .-]*)*"
)
_WEB = re.compile(r"(?:https?|ftp)://[^\s{}<>\"]+")
_VERB = re.compile(r"\\verb\*?([^\w\s{}*])(.*?)\1")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}")
_LONE_ACCENT = re.compile(r"\\([\^~'`\"])\{\s*\}")
_LONE = {"^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "'": "", "`": "", '"': ""}
_UNESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)([%&#])")
_DOLLAR = re.compile(r"(?<!\\)\$")
_COMMAND = re.compile(r"\\([A-Za-z]+)(\*?)(\s*)(?=(\{(?!\s*\}))?)", re.S)


_MOST_MARKS = 4000
"""No honest field has so much markup; parsing it would take seconds, so it stays as it is."""


def _literal(text: str) -> str:
    """Escaped so that the parser gives exactly this text back."""
    marks = {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "~": r"\textasciitilde{}",
    }
    marks |= {"%": r"\%", "&": r"\&", "#": r"\#", "`": "`{}", "'": "'{}", "-": "-{}"}
    return "".join(marks.get(char, char) for char in text)


@cache
def _context() -> Any:
    from pylatexenc.latex2text import MacroTextSpec, get_default_latex_context_db

    db = get_default_latex_context_db().filter_context(
        keep_categories=[
            "latex-base",
            "latex-approximations",
            "nonascii-specials",
            "advanced-symbols",
        ]
    )
    symbols = [
        MacroTextSpec(name, simplify_repl=text) for name, text in (_SYMBOLS | _JOURNALS).items()
    ]
    kept = [MacroTextSpec(name, simplify_repl=_unknown) for name in _UNMAPPED.split()]
    db.add_context_category("bibliography", prepend=True, macros=symbols + kept)
    db.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_unknown))
    return db


def _unknown(node: Any) -> str:
    """A command that nobody knows: kept as it is written, unless it only formats."""
    name = node.macroname
    if name in _SILENT:
        return ""
    return f"\\{name}{node.macro_post_space}"


@cache
def _converter() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text

    logging.getLogger("pylatexenc").setLevel(logging.ERROR)
    return LatexNodes2Text(latex_context=_context(), math_mode="text", keep_comments=True)


@cache
def _known(name: str) -> bool:
    if name in _UNMAPPED.split():
        return False
    spec = _context().get_macro_spec(name)
    return bool(spec is not None and spec.macroname)


def _script(found: re.Match[str]) -> str:
    """A sub- or superscript in Unicode where every sign of it has such a form."""
    content = found[2] if found[2] is not None else found[3]
    if content in (r"\circ", r"\degree"):
        return "°" if found[1] == "^" else f"{found[1]}{{{content}}}"
    if content in (r"\prime", r"\ast"):
        return "′" if content == r"\prime" else "*"
    table = _SUPERS if found[1] == "^" else _SUBS
    shifted = content.translate(table)
    if content and all(ord(char) in table for char in content):
        return shifted
    if content.startswith("\\") or len(content) == 1:
        return f"{found[1]}{content} " if content.startswith("\\") else f"{found[1]}{content}"
    return f"{found[1]}\\{{{content}\\}}" if content else ""


def _is_math(content: str, after: str) -> bool:
    """Whether what stands between two dollar signs is a formula and no price."""
    if not content.strip():
        return False
    if re.search(r"[\\^_]", content):
        return True
    tight = not content[0].isspace() and not content[-1].isspace()
    price = re.match(r"\d[\d.,]*", content) and (
        re.search(r"[A-Za-z]{2}|-$", content) or after.isdigit()
    )
    return tight and not price and not after.isdigit() and len(content) <= 80


def _formula(content: str) -> str:
    content = _OPERATORS.sub(r" \1", _STYLES.sub("", content))
    content = re.sub(r"(?<![A-Za-z])\{\s*([^{}\\\s])\s*\}(?=[_^])", r"\1", content)
    for _ in range(3):
        replaced = _SCRIPT.sub(_script, content)
        if replaced == content:
            break
        content = replaced
    content = re.sub(r"(\\[A-Za-z]+)(?=[⁰-₟ⁿⁱ])", r"\1{}", content)
    return f"${content.strip()}$"


def _dollars(text: str) -> str:
    """Formulas made ready, and every other dollar sign escaped."""
    text = text.replace("$$", "$")
    out, position = [], 0
    places = [found.start() for found in _DOLLAR.finditer(text)]
    while places:
        opened = places.pop(0)
        out.append(text[position:opened])
        position = opened + 1
        closed = places[0] if places else None
        content = text[position:closed] if closed is not None else ""
        balanced = content.count("{") == content.count("}")
        if closed is not None and balanced and _is_math(content, text[closed + 1 : closed + 2]):
            places.pop(0)
            out.append(_formula(content))
            position = closed + 1
        else:
            out.append(r"\$")
    out.append(text[position:])
    return "".join(out)


def _command(found: re.Match[str]) -> str:
    """Unknown commands with an argument give way to the argument."""
    name, argument = found[1], found[4]
    if argument and name not in _SYMBOLS and not _known(name):
        return ""
    if name in _SILENT:
        return f"\\{name} "
    return found[0]


def _prepare(text: str) -> str:
    text = _VERB.sub(lambda m: _literal(m[2]), text)
    text = _ENVIRONMENT.sub(" ", text)
    text = _LONE_ACCENT.sub(lambda m: _LONE[m[1]], text)
    if "\\if" in text:
        text = _CONDITIONAL.sub(r"\1", text)
    text = _SORT_ONLY.sub("", text)
    text = _LINK.sub(lambda m: m[2] if m[2].strip() else _literal(m[1]), text)
    text = _ADDRESS.sub(lambda m: _literal(m[1].replace("\\_", "_").replace("\\%", "%")), text)
    text = _PATH.sub(lambda m: _literal(m[0]), text)
    text = _WEB.sub(lambda m: re.sub(r"(?<!\\)~", r"\\textasciitilde{}", m[0]), text)
    for _ in range(3):
        text = _QUOTED.sub(r"“\1”", text)
    text = _SUPERSCRIPT.sub(_small, text)
    text = _dollars(text)
    text = _UNESCAPED.sub(r"\1\\\2", text)
    text = _COMMAND.sub(_command, text)
    return text + "textbackslash{}" if re.search(r"(?<!\\)(?:\\\\)*\\$", text) else text


def _small(found: re.Match[str]) -> str:
    table = _SUPERS if found[1] == "super" else _SUBS
    small = all(ord(char) in table and not char.isalpha() for char in found[2])
    return found[2].translate(table) if small else found[2]


def convert(text: str) -> str:
    """LaTeX to Unicode by pylatexenc, after escaping what only looks like LaTeX.

    Where the parser gives up, braces are taken away and all else stays as written.
    """
    from pylatexenc.latexwalker import LatexWalkerError

    marks = text.count("\\") + text.count("$") + text.count("{")
    prepared = _prepare(text) if marks < _MOST_MARKS else ""
    if not prepared or prepared.count("\\") > 2 * _MOST_MARKS:
        return text.replace("{", "").replace("}", "")
    try:
        return str(_converter().latex_to_text(prepared, tolerant_parsing=True))
    except (LatexWalkerError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return text.replace("{", "").replace("}", "")
