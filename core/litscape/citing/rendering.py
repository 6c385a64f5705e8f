"""Formatting papers with citeproc-py; whoever calls it does so beside the window's thread."""

from __future__ import annotations

import html
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from litscape.citing.items import MORE, citation_item
from litscape.citing.styles import DEFAULT, named, source_of
from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.citing.styles import Style
    from litscape.jobs import JobContext
    from litscape.paper import Paper, PaperId

Form = Literal["text", "html"]
_END = "(?:</[a-z]+>)*"
_REPAIRS = (
    (re.compile(rf"([,;]?)\s*(?:…|\band\b|&amp;|&)?\s*{MORE}\.?"), r"\1 et al."),
    (re.compile(r"(et al\.),? et al\."), r"\1"),
    (re.compile(rf"([?!]{_END})(?:\.(?=[”’\s<]|$)|,(?=[”’]))"), r"\1"),
    (re.compile(rf"([.?!]{_END}[”’]{_END})\.(?=\s|$)"), r"\1"),
    (re.compile(r",([”’])\.?$"), r".\1"),
    (re.compile(rf"(?<!\.)(\.{_END})\.(?!\.)"), r"\1"),
)
"""Signs that meet where a style puts two ends together, and lists of authors that are cut."""


@dataclass(frozen=True, slots=True)
class Cited:
    """Papers in a style.

    Attributes:
        style: its title.
        papers: the papers in the order of the list.
        entries: what the list of references says of each.
        in_text: what stands in the text where all are cited.
    """

    style: str
    papers: tuple[PaperId, ...]
    entries: tuple[str, ...]
    in_text: str

    @property
    def text(self) -> str:
        """The list, an entry a line."""
        return "\n".join(self.entries)

    @property
    def html(self) -> str:
        """The list as HTML of its own, for entries that are HTML."""
        return "\n".join(f"<p>{entry}</p>" for entry in self.entries)


def cite(
    papers: Sequence[Paper],
    style: str | Style = DEFAULT,
    form: Form = "text",
    ctx: JobContext | None = None,
) -> Cited:
    """Papers as a style cites them, in the style's order.

    Args:
        papers: the papers.
        style: a style, its name, or the path of a ``.csl`` file.
        form: whether the answer is plain text or HTML with italics.
        ctx: asked between papers whether to go on.

    Raises:
        UserError: there is no such style, or its file can't be read.
        EnvironmentFault: citeproc-py is not installed.
        JobCancelledError: ``ctx`` asked for the end.
    """
    ctx = ctx or null_context()
    chosen = named(style) if isinstance(style, str) else style
    if not papers:
        return Cited(chosen.title, (), (), "")
    processor = _Processor(chosen, papers, form)
    ids = processor.order()
    entries = []
    for number, paper in enumerate(ids):
        ctx.progress(number, len(ids), "Writing citations")
        entries.append(processor.entry(paper))
    return Cited(chosen.title, tuple(ids), tuple(entries), processor.in_text())


class _Processor:
    """One style at work on some papers."""

    def __init__(self, style: Style, papers: Sequence[Paper], form: Form) -> None:
        try:
            import citeproc
            from citeproc.source.json import CiteProcJSON
        except ImportError as error:
            raise EnvironmentFault(
                "Citations need the library citeproc-py, which is not installed; "
                "install it with `pip install citeproc-py`."
            ) from error
        items = [citation_item(paper) for paper in papers]
        if form == "html":  # citeproc-py adds its marks to texts as they are
            items = [_escaped(one) for one in items]
        formatter = getattr(citeproc.formatter, "plain" if form == "text" else "html")
        self._style = _loaded(style, citeproc)
        self._bibliography = citeproc.CitationStylesBibliography(
            self._style, CiteProcJSON([_cased(one) for one in items]), formatter
        )
        cites = [citeproc.CitationItem(str(paper.id)) for paper in papers]
        self._citation = citeproc.Citation(cites)
        self._bibliography.register(self._citation)

    def order(self) -> list[PaperId]:
        """The papers as the style sorts its list; as they came where it has none."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if self._style.has_bibliography():
                    self._bibliography.sort()
        except Exception as error:
            raise self._unfit(error) from error
        return [int(key) for key in self._bibliography.keys]

    def entry(self, paper: PaperId) -> str:
        """What the list says of one paper."""
        (one,) = [item for item in self._bibliography.items if item.key == str(paper)]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if self._style.has_bibliography():
                    text = next(iter(self._style.render_bibliography([one])), "")
                else:
                    text = self._of_one(paper)
        except Exception as error:
            raise self._unfit(error) from error
        return self._repaired(str(text))

    def in_text(self) -> str:
        """What stands in the text."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self._bibliography.cite(self._citation, lambda _item: None)
        except Exception as error:
            raise self._unfit(error) from error
        return self._repaired(str(found))

    def _of_one(self, paper: PaperId) -> str:
        import citeproc

        citation = citeproc.Citation([citeproc.CitationItem(str(paper))])
        self._bibliography.register(citation)
        return str(self._bibliography.cite(citation, lambda _item: None))

    def _repaired(self, text: str) -> str:
        for wrong, right in _REPAIRS:
            text = wrong.sub(right, text)
        return " ".join(text.split())

    def _unfit(self, error: Exception) -> UserError:
        return UserError(
            f"The style can't format these papers ({type(error).__name__}: {error}); "
            "choose another one."
        )


def _cased(item: dict[str, Any]) -> dict[str, Any]:
    """An item whose names and dates in words can be set in other letters, as its texts can."""
    from citeproc.string import String

    found: dict[str, Any] = {
        role: [{part: String(text) for part, text in one.items()} for one in item[role]]
        for role in ("author", "editor")
        if role in item
    }
    literal = item.get("issued", {}).get("literal")
    if literal:
        found["issued"] = {"literal": String(literal)}
    return {**item, **found}


def _escaped(value: Any) -> Any:
    """An item all of whose texts can stand in HTML."""
    if isinstance(value, dict):
        return {key: _escaped(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_escaped(one) for one in value]
    return html.escape(value, quote=False) if isinstance(value, str) else value


def _loaded(style: Style, citeproc: Any) -> Any:
    source = source_of(style)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = citeproc.CitationStylesStyle(source, locale=None, validate=False)
            if style.locale != "en-US":
                found.root.set_locale_list(style.locale, validate=False)
            if found.root.find("{*}citation") is None:
                raise UserError(f"{source} holds no whole citation style: it names another one.")
    except UserError:
        raise
    except Exception as error:
        raise UserError(
            f"The style {source} can't be read ({type(error).__name__}); "
            "a style is a CSL file as the Zotero style repository has them."
        ) from error
    return found
