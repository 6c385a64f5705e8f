"""Reading a text with the reader that its content calls for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from litscape.importers.base import SourceText
from litscape.importers.registry import detect
from litscape.paper import ImportProblem, PaperDraft

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")

Read = Callable[..., tuple[list[PaperDraft], list[ImportProblem]]]


def read_as(text: str, kind: str) -> tuple[list[PaperDraft], list[ImportProblem]]:
    reader = detect(text[: 1 << 16])
    assert reader is not None
    assert reader.kind == kind
    outcome = list(reader.read(SourceText("/x/source", text, "utf-8")))
    return (
        [one for one in outcome if isinstance(one, PaperDraft)],
        [one for one in outcome if isinstance(one, ImportProblem)],
    )


@pytest.fixture(scope="session")
def read() -> Read:
    """Reads a text that must be found to be of a kind: its drafts, and its problems."""
    return read_as
