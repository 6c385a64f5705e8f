"""Many texts compared with a profile at once: the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from litscape.search import fits as many
from litscape.search import profile

WANTED = ["Bandits and regret of 3d word2vec bandits", "the 2nd x of Łódź bandits"]
TEXTS = [
    "regret",
    "",
    "the of and",
    "Bandits — “regret”; 3D 2nd 42 x 7 word2vec, word2vec's 007bandits",
    "bandit " * 300 + "regret",
    "Łódź has bandits",
    "深度学习 bandits",
    "snake_case bandits-regret\nnd",
    "nothing else here",
]


def profiled(texts: list[str], unwanted: list[str]) -> profile.Profile:
    words = {word for text in (*texts, *unwanted) for word in profile.term_frequencies(text)}
    idf = {word: 1.0 + place / 7 for place, word in enumerate(sorted(words))}
    return profile.build(texts, unwanted, idf, 0.25)


@pytest.mark.parametrize("unwanted", [[], ["regret of kings"]])
def test_many_fit_as_each_alone(unwanted: list[str]) -> None:
    wanted = profiled(WANTED, unwanted)
    found = many.fits(wanted, TEXTS)
    assert found == pytest.approx([profile.fit(wanted, text) for text in TEXTS], abs=1e-12)
    assert found[3] > 0.3
    assert found[1] == found[2] == found[8] == 0.0


def test_parts_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = profiled(WANTED, [])
    whole = many.fits(wanted, TEXTS)
    monkeypatch.setattr(many, "MOST", 2)
    assert np.array_equal(many.fits(wanted, TEXTS), whole)
    assert many.fits(wanted, []).shape == (0,)


def test_a_profile_without_plain_words_fits_no_plain_text() -> None:
    wanted = profiled(["深度"], [])
    assert many.fits(wanted, ["depth", "深度"])[0] == 0.0
    assert many.fits(wanted, ["depth", "深度"])[1] > 0.5
