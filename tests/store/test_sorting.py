from __future__ import annotations

import pytest

from litscape.sorting import parted, search_letters, sort_text


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


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("深度学习", "深 度 学 习"),
        ("BERT模型 v2版", "bert 模 型 v2 版"),
        ("画像・認識", "画 像 ・ 認 識"),
        ("ﾆｭｰﾗﾙ", "ニ ュ ー ラ ル"),
        ("기계학습을", "기 계 학 습 을"),
        ("が", "が"),
        ("𠀀𠀁", "𠀀 𠀁"),
        ("Łódź", "lodz"),
        ("Plain Words", "Plain Words"),
        ("", ""),
    ],
)
def test_what_the_text_index_holds(text: str, held: str) -> None:
    assert search_letters(text) == held
    assert search_letters(held) == held


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("BERT模型研究 x", ["BERT", "模型", "型研", "研究", "x"]),
        ("明", ["明"]),
        ("two words", ["two", "words"]),
        ("", []),
    ],
)
def test_runs_of_signs_are_parted_in_pairs(text: str, words: list[str]) -> None:
    assert parted(text) == words
