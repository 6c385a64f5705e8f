"""Whatever stands in a file, reading it ends, raises nothing, and names real lines."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litscape.importers.base import SourceText
from litscape.importers.bibtex import BibtexImporter
from litscape.paper import ImportProblem, PaperDraft

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]

TOKENS = st.sampled_from(
    [
        "@article{key",
        "@article{",
        "@book(",
        "@comment{",
        "@string{m = ",
        "@xdata{x",
        "@",
        "%",
        "\n",
        "\r\n",
        "  ",
        ",",
        ",\n  title = {",
        "author = ",
        "year = 2001",
        "crossref = {key}",
        "file = {a:b.pdf:PDF}",
        "keywords = {a; b}",
        "month = jan # ",
        "{",
        "}",
        "}}",
        "(",
        ")",
        '"',
        "=",
        "#",
        "\\",
        "\\'e",
        "$",
        "m",
        "and",
        "Some Name",
        "title",
        "jabref-meta: grouping:\n1 StaticGroup:G\\;0\\;;",
        "\u2028",
        "\x0c",
        "é",
        "\x00",
    ]
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOKENS, max_size=40))
def test_anything_can_be_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for one in BibtexImporter().read(SourceText("/nowhere/a.bib", text, "utf-8")):
        assert one.raw
        assert one.line is not None
        assert 1 <= one.line <= lines


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOKENS, max_size=25))
def test_good_entries_survive_what_stands_before_them(pieces: list[str]) -> None:
    broken = "".join(piece for piece in pieces if piece not in ("@comment{", "@string{m = "))
    text = (
        broken + "\n}\n\n@article{good1, title = {Good one}, year = {2001}}\n\n@book{good2,\n"
        "  title = {Good two}\n}\n"
    )
    found = list(BibtexImporter().read(SourceText("/nowhere/a.bib", text, "utf-8")))
    titles = {one.title for one in found if isinstance(one, PaperDraft)}
    assert "Good two" in titles
