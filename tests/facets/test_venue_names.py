"""Names of venues where they are shown: short, each another, the volumes of a series together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.jobs import null_context
from litscape.library import Library
from litscape.maps.colouring import Asked, colouring
from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers
from litscape.venue_series import short_names
from litscape_app.window.facets.names import value_names

if TYPE_CHECKING:
    from pathlib import Path

NAACL = "Proceedings of the 2018 Conference of NAACL: Human Language Technologies, Volume"


def test_short_names_keep_year_or_number() -> None:
    assert short_names(
        [
            "Proceedings of the 58th Annual Meeting of the Association for Linguistics",
            "Findings of the Association for Linguistics: EMNLP 2020",
            "Findings of the Association for Linguistics: EMNLP 2021",
            "ACL 2022",
            "Nature",
        ]
    ) == [
        "58th Annual Meeting of the Association for Linguistics",
        "Findings of the Association for Linguistics 2020",
        "Findings of the Association for Linguistics 2021",
        "ACL 2022",
        "Nature",
    ]


def test_what_short_names_would_not_tell_apart_stands_whole() -> None:
    volumes = [f"{NAACL} 1 (Long Papers)", f"{NAACL} 2 (Short Papers)"]
    assert short_names(volumes) == volumes
    assert short_names(volumes[:1]) == ["2018 Conference of NAACL"]
    assert value_names("venue", volumes[1:]) == ["2018 Conference of NAACL"]
    assert value_names("author", ["Proceedings of the Smith"]) == ["Proceedings of the Smith"]


def test_papers_are_coloured_by_series_of_venues(tmp_path: Path) -> None:
    venues = ["ICLR 2018", "ICLR 2019", "Nature", "ICLR 2018", None, "Nature"]
    with Library.open(tmp_path) as library:
        drafts = [PaperDraft(title=f"Paper {n}", venue=venue) for n, venue in enumerate(venues)]
        with library.database.write() as conn:
            insert_papers(conn, [NewPaper(n, f"p{n}", one) for n, one in enumerate(drafts, 1)])
        found = colouring(library, Asked("venue", np.arange(1, 7)), null_context())
    told = [(one.label, one.papers, one.number) for one in found.entries]
    assert told == [("ICLR", 3, 0), ("Nature", 2, 1), ("No venue", 1, -1)]
    assert found.of.tolist() == [0, 0, 1, 0, 2, 1]
    assert found.note.startswith("Each venue is a series")
