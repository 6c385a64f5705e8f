"""A library that is not English is told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.languages import Languages, guess
from litscape.models.bundled import bundled_card
from litscape.paper import PaperDraft
from litscape.store import bulk
from litscape.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = (
    "A survey of deep learning for image analysis",
    "On the difficulty of training recurrent neural networks",
    "Learning to see in the dark",
    "The influence of El Niño on rainfall",
    "Über-resolution: imaging beyond the limit of diffraction",
    "Do we die of heat? An analysis of mortality",
)
OTHERS = (
    "Grundlagen der künstlichen Intelligenz",
    "Über die Ausbreitung von Wellen im Raum",
    "Maschinelles Lernen für die Bilderkennung",
    "Rechtsprechung und Digitalisierung",
    "深度学习综述",
    "基于Transformer的中文文本分类方法研究",
    "日本語の形態素解析",
    "Обучение нейронных сетей",
    "Apprentissage profond pour la vision par ordinateur",
    "Aprendizaje profundo para el análisis de imágenes",
    "Uma introdução à mecânica dos sólidos",
)


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert guess(text) == "english"


@pytest.mark.parametrize("text", OTHERS)
def test_other_languages(text: str) -> None:
    assert guess(text) == "other"


@pytest.mark.parametrize("text", ["", "123", "BERT", "Mask R-CNN", "Deep Residual Learning"])
def test_names_and_terms_tell_nothing(text: str) -> None:
    assert guess(text) == "unknown"


def test_a_library_is_told_of_from_a_fifth_on(tmp_path: Path) -> None:
    with Database.open(tmp_path / "library") as database:

        def add(first: int, titles: tuple[str, ...]) -> None:
            papers = [
                bulk.NewPaper(number, f"k{number}", PaperDraft(title=title))
                for number, title in enumerate(titles, start=first)
            ]
            with database.write() as conn:
                bulk.insert_papers(conn, papers)

        def said(papers: int) -> str:
            with database.read() as conn:
                return languages.note(conn, papers, bundled_card())

        languages = Languages()
        add(1, ENGLISH * 4)
        assert said(24) == ""
        add(50, OTHERS[:6])
        assert said(24) == ""  # as it was, until it has grown
        add(60, OTHERS[6:])
        assert said(35).startswith("The bundled model knows English, but about 31% of")
