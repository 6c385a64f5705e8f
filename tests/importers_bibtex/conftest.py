"""Reading a BibTeX text as an import would."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from litscape.importers.base import SourceText
from litscape.importers.bibtex import BibtexImporter
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]


@pytest.fixture
def bib(tmp_path: Path) -> Bib:
    """Drafts and problems of a text, in order."""

    def read(text: str) -> tuple[list[PaperDraft], list[ImportProblem]]:
        source = SourceText(str(tmp_path / "library.bib"), text, "utf-8")
        found = list(BibtexImporter().read(source))
        drafts = [one for one in found if isinstance(one, PaperDraft)]
        return drafts, [one for one in found if isinstance(one, ImportProblem)]

    return read
