"""What topics are called: no boilerplate, no near-duplicates, in several languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.topics.naming import Level, Name, alike, names_of
from litscape.topics.phrases import terms_of
from litscape.topics.words import Texts, cleaned, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def names(*groups: Sequence[tuple[str, str | None]]) -> list[Name]:
    """Names of groups of papers, each given as title and abstract."""
    texts = Texts(paper for group in groups for paper in group)
    sizes = np.array([len(group) for group in groups])
    terms = terms_of(texts)
    group = np.repeat(np.arange(len(groups)), sizes)
    counts = terms.counts(group, len(groups), np.ones(len(group)))
    level = Level(counts, sizes.astype(np.float64), np.full(len(groups), -1))
    (found,) = names_of(terms, [level])
    return found


ENGLISH = (
    [
        (
            f"Graph Neural Networks for Molecules {n}",
            "In this paper we propose graph neural networks (GNNs), a novel approach. A graph "
            "neural network passes messages; GNN results outperform baselines on $\\alpha_i$ "
            "datasets. Code at https://github.com/x/y. © 2021 Elsevier B.V. All rights reserved.",
        )
        for n in range(8)
    ],
    [
        (
            f"Adverse Events of Beta-Blockers {n}",
            "BACKGROUND: beta-blocker therapy. METHODS: a randomized trial in patients with "
            "heart failure. RESULTS: Heart failure improved; type 2 diabetes did not. "
            "CONCLUSIONS: beta blockers help. Copyright 1999 John Wiley & Sons, Ltd.",
        )
        for n in range(8)
    ],
)


def test_names_say_the_subject_in_phrases_of_their_own() -> None:
    graphs, hearts = names(*ENGLISH)
    assert graphs.name == "graph neural networks, molecules, messages"
    assert {"heart failure", "type 2 diabetes"} <= set(hearts.terms)
    assert "adverse events of beta-blockers" in hearts.terms


def test_boilerplate_is_in_no_term() -> None:
    said = " ".join(term for one in names(*ENGLISH) for term in one.terms).casefold().split()
    for word in (
        *("paper", "propose", "novel", "approach", "results", "methods", "background"),
        *("elsevier", "rights", "reserved", "copyright", "wiley", "github", "alpha", "datasets"),
        *("patients", "trial", "conclusions", "outperform", "randomized"),
    ):
        assert word not in said


def test_units_and_how_long_papers_followed_are_in_no_term() -> None:
    said = "Relief by inhaled budesonide. Doses were 100 micrograms; followup ranged widely."
    found = names([(f"Asthma {n}", said) for n in range(8)], ENGLISH[0])[0]
    terms = " ".join(found.terms).casefold()
    assert "budesonide" in terms
    assert not any(word in terms for word in ("microgram", "followup", "ranged"))


def test_terms_of_a_topic_are_no_near_duplicates() -> None:
    for one in names(*ENGLISH):
        keys = [tuple(term.casefold().split()) for term in one.terms]
        assert len(keys) >= 2
        assert not any(alike(a, b) for n, a in enumerate(keys) for b in keys[:n])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("network",), ("network",), True),
        (("neural", "network"), ("network",), True),
        (("translate",), ("translation",), True),
        (("reinforcement", "learning"), ("rl",), True),
        (("long", "shortterm", "memory"), ("lstm",), True),
        (("nonsteroidal", "antiinflammatory", "drug"), ("nsaid",), True),
        (("hyperactivity", "disorder"), ("adhd",), True),
        (("antiepileptic", "drug"), ("aed",), True),
        (("gastroesophageal", "reflux", "disease"), ("ger",), True),
        (("reinforcement", "learning", "agent"), ("rl",), True),
        (("fibromyalgia",), ("fm",), True),
        (("prescribing",), ("prescription",), True),
        (("sulphonylurea",), ("sulfonylurea",), True),
        (("neuron",), ("migraine",), False),
        (("selfattention",), ("attention", "head"), True),
        (("policy", "gradient"), ("game",), False),
        (("finetuning",), ("fine", "tuning"), True),
        (("heart", "failure"), ("heart", "attack"), True),
        (("speech",), ("parsing",), False),
        (("amoxycillin",), ("amoxicillin",), True),
        (("oestrogen",), ("estrogen", "receptor"), True),
        (("hypertension",), ("hypotension",), False),
        (("vaccination",), ("vaccine",), True),
        (("visionandlanguage",), ("visionlanguage",), True),
        (("gastric",), ("gastrointestinal",), False),
        (("图", "像"), ("图", "像", "分", "割"), True),
        (("图", "像"), ("翻", "译"), False),
    ],
)
def test_near_duplicates(one: tuple[str, ...], other: tuple[str, ...], same: bool) -> None:
    assert alike(one, other) is same


def test_several_languages() -> None:
    german = [
        (
            f"Die Grundwasserneubildung im Ökosystem {n}",
            f"In dieser Studie wird die Grundwasserneubildung untersucht. Die {fluss} "
            "zeigen Ergebnisse, dass das Ökosystem von der Grundwasserneubildung abhängt.",
        )
        for n, fluss in enumerate(("Elbe", "Elbe", "Oder", "Oder", "Donau", "Donau"))
    ]
    french = [
        (
            f"L’apprentissage profond de la langue {n}",
            "Dans cet article nous présentons une méthode d'apprentissage profond pour le "
            "traitement automatique des langues. Les résultats de l'étude sont bons.",
        )
        for n in range(6)
    ]
    chinese = [
        ("基于深度学习的医学图像分割方法研究", "本文提出一种医学图像分割的神经网络。")
        for _n in range(6)
    ]
    korean = [(f"기계 번역의 연구 {n}", "기계 번역을 위한 신경망은 좋다.") for n in range(6)]
    found = names(german, french, chinese, korean)
    assert found[0].terms[0] == "Grundwasserneubildung"
    assert found[1].terms[0] == "apprentissage profond"
    assert "医学图像分割" in found[2].terms
    assert found[3].terms[0].startswith("기계 번역")
    said = {word for one in found for term in one.terms for word in term.casefold().split()}
    assert said.isdisjoint(
        {"die", "der", "das", "dass", "studie", "ergebnisse", "les", "de", "la", "nous", "une"}
    )
    assert not any("基于" in term or "研究" in term for term in found[2].terms)


def test_siblings_that_nothing_parts_have_names_of_their_own() -> None:
    same = [("Machine translation", None)] * 6
    first, second, other = names(same, same, [("River floods", None)] * 6)
    assert first.name != second.name
    assert {first.terms[0], second.terms[0]} == {"Machine translation"}
    assert other.name == "River floods"


def test_topics_without_words_have_numbers() -> None:
    found = names([("The", None)] * 3, [("", None)] * 3)
    assert [one.name for one in found] == ["Topic 1", "Topic 2"]


def test_what_is_no_text_is_left_out() -> None:
    text = cleaned(r"A $x^2$ \textbf{bold} <i>word</i> &amp; 10.1000/182 (cid:12) me@x.org.")
    for gone in ("x^2", "textbf", "<i>", "amp", "10.1000", "cid", "@"):
        assert gone not in text
    assert "word" in text
    assert "art" not in cleaned("The state of the art is old. State of the art of ponds.").split()


@pytest.mark.parametrize(
    ("token", "key"),
    [
        ("Networks", "network"),
        ("analysis", "analysis"),
        ("bias", "bias"),
        ("biases", "bias"),
        ("l'eau", "eau"),
        ("The", ""),
        ("1998", ""),
        ("12.5", ""),
        ("2", "2"),
        ("3D", "3d"),
        ("fine-tuning", "finetuning"),
        ("번역을", "번역"),
        ("的", ""),
    ],
)
def test_words_are_known_by_keys(token: str, key: str) -> None:
    assert key_of(token) == key


def named(*texts: str) -> set[str]:
    """Terms of the first of two topics, whose papers say what is given."""
    about = [(f"Notes {n}", texts[n % len(texts)]) for n in range(8)]
    return set(names(about, ENGLISH[0])[0].terms)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Rated by the Brief Psychiatric Rating Scale.", "Brief Psychiatric Rating Scale"),
        (
            "Rated by the Positive and Negative Syndrome Scale.",
            "Positive and Negative Syndrome Scale",
        ),
        (
            "Firms follow the Capability Maturity Model Integration.",
            "Capability Maturity Model Integration",
        ),
        ("Rats were in the forced swim test.", "forced swim test"),
        ("Voiding lowers quality of life.", "quality of life"),
        ("Infection by H. pylori was common.", "H. pylori"),
        ("Deficiency of vitamin D was common.", "vitamin D"),
        ("Clinics for AIDS were visited.", "AIDS"),
        ("Layers are held by van der Waals forces.", "van der Waals forces"),
    ],
)
def test_a_phrase_is_not_cut(text: str, whole: str) -> None:
    assert any(whole in term for term in named(text))


def test_a_phrase_is_one_with_and_without_its_hyphen() -> None:
    found = named(
        "Children with attention-deficit/hyperactivity disorder were seen.",
        "Children with attention deficit hyperactivity disorder were seen.",
    )
    assert {
        "attention-deficit hyperactivity disorder",
        "attention deficit hyperactivity disorder",
    } & found
    assert "hyperactivity disorder" not in found


@pytest.mark.parametrize(
    "word", ["every", "whereas", "received", "wherein", "mmol", "paired", "orally"]
)
def test_what_only_joins_and_measures_is_no_term(word: str) -> None:
    found = named(f"Granite erodes {word}. Granite is {word}, {word} by basalt.")
    assert not any(word in term.casefold().split() for term in found)
    assert any("granite" in term.casefold() for term in found)
