"""Property tests here have no time limit a case: a loaded machine fails no test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from litscape.importers.base import Importer, SourceText
from litscape.paper import ImportProblem, PaperDraft

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")

Read = Callable[[Importer, str], tuple[list[PaperDraft], list[ImportProblem]]]


def read_all(reader: Importer, text: str) -> tuple[list[PaperDraft], list[ImportProblem]]:
    outcome = list(reader.read(SourceText("/x/source", text, "utf-8")))
    return (
        [one for one in outcome if isinstance(one, PaperDraft)],
        [one for one in outcome if isinstance(one, ImportProblem)],
    )


@pytest.fixture(scope="session")
def read() -> Read:
    """Reads a text: its drafts, and its problems."""
    return read_all
