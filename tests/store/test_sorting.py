from __future__ import annotations

import pytest

from litscape.sorting import sort_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Rivers", "rivers"),
        ("“Why should I trust you?”", "why should i trust you?”"),
        ("Étude Straße", "etude strasse"),
        (
            "Łukasz Søren Øre Æsir đura ħal ışık İzmir Þór",
            "lukasz soren ore aesir dura hal isik izmir thor",
        ),
        ("ﬁne CO₂ wo\u00adrds", "fine co2 words"),
        ("Работа й ά", "работа и α"),
        ("<i>E. coli</i> grows", "e. coli</i> grows"),
        ("<5 µm particles", "5 μm particles"),
        ("_(?)", "_(?)"),
        ("水の研究", "水の研究"),
        ("[Review]", "review]"),
    ],
)
def test_text_as_it_is_sorted_and_searched(text: str, expected: str) -> None:
    assert sort_text(text) == expected
    assert sort_text(expected) == expected
