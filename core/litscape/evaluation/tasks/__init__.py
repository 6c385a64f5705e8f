"""What can be measured; a new task is a file and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.evaluation.tasks.citations import CitationRetrieval
from litscape.evaluation.tasks.cocitation import CoCitation
from litscape.evaluation.tasks.keywords import KeywordSearch
from litscape.evaluation.tasks.labels import SameLabel
from litscape.evaluation.tasks.reranking import Reranking
from litscape.evaluation.tasks.titles import TitleSearch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.evaluation.tasks.base import Task

TASKS: Mapping[str, Task] = {
    one.name: one
    for one in (
        CitationRetrieval(),
        Reranking(),
        CoCitation(),
        TitleSearch(),
        KeywordSearch(),
        SameLabel(),
    )
}
"""By name, in the order of lists; the first is the main one."""
