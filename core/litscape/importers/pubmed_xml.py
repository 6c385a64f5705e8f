"""PubMed's XML: articles and books, with the works that they cite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers.pubmed_fields import draft_of
from litscape.importers.xml_source import read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText
    from litscape.paper import ImportProblem, PaperDraft

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_BARE = ("MedlineCitation", "BookDocument")
"""What stands in a record, and alone in older files."""
_OWN = re.compile(r"<(?:Pubmed(?:Book)?Article(?:Set)?|MedlineCitation(?:Set)?)(?=[\s>/])")
_WHOLE = re.compile(r"<Pubmed(?:Book)?Article(?=[\s>/])")


class PubmedXmlImporter:
    """What PubMed's services and its website save as XML."""

    kind = "pubmed-xml"
    title = "PubMed XML"
    suffixes = (".xml",)

    def recognises(self, head: str) -> float:
        """Sure where an article or a set of them begins."""
        start = head.lstrip("\ufeff \t\r\n")
        return 0.95 if start.startswith("<") and _OWN.search(head) else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, or as a problem with its index and line."""
        names = _RECORDS if _WHOLE.search(source.text) else _BARE
        yield from read_records(source, names, draft_of, progress)
