"""Names: particles, suffixes, bodies, lists however they are joined."""

from __future__ import annotations

import pytest

from litscape.importers.names import parse_name, parse_names, read_names
from litscape.paper import Author


def person(
    family: str, given: str, particle: str | None = None, suffix: str | None = None
) -> Author:
    return Author(family=family, given=given, particle=particle, suffix=suffix)


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("Ludwig van Beethoven", person("Beethoven", "Ludwig", "van")),
        ("van Beethoven, Ludwig", person("Beethoven", "Ludwig", "van")),
        ("Van der Berg, Jan", person("Berg", "Jan", "Van der")),
        ("Jan van der Berg", person("Berg", "Jan", "van der")),
        ("King, Jr., Martin Luther", person("King", "Martin Luther", suffix="Jr.")),
        ("King, Martin Luther, Jr.", person("King", "Martin Luther", suffix="Jr.")),
        ("Martin Luther King, Jr.", person("King", "Martin Luther", suffix="Jr.")),
        ("Martin Luther King Jr.", person("King", "Martin Luther", suffix="Jr.")),
        ("de la Cruz y Gómez, Juan", person("Cruz y Gómez", "Juan", "de la")),
        ("José Ortega y Gasset", person("Ortega y Gasset", "José")),
        ("Charles de la Vall{\\'e}e Poussin", person("Vallée Poussin", "Charles", "de la")),
        ("De Niro, Robert", person("De Niro", "Robert")),
        ("d'Espinosa, Jean", person("d'Espinosa", "Jean")),
        ("Jean d'Espinosa", person("d'Espinosa", "Jean")),
        ("R {La Joie}", person("La Joie", "R")),
        ("{van Gogh}, Vincent", person("van Gogh", "Vincent")),
        ("bell hooks", person("hooks", "bell")),
        ("Müller, J.~P.", person("Müller", "J. P.")),
        ("Smith,John", person("Smith", "John")),
        ("Nguy{\\~{\\^e}}n, Ho{\\`a}ng", person("Nguyễn", "Hoàng")),
        (
            "given=Hans, family=Harman, prefix=von, suffix=Jr.",
            person("Harman", "Hans", "von", "Jr."),
        ),
        ("Plato", Author(literal="Plato")),
        ("{Reed and Rush Trust, Inc.}", Author(literal="Reed and Rush Trust, Inc.")),
        ("Pond Trust, Inc.", Author(literal="Pond Trust, Inc.")),
        ("World Health Organization", Author(literal="World Health Organization")),
        ("Pond {and} Sons", Author(literal="Pond and Sons")),
        ("Johnson & Johnson", Author(literal="Johnson & Johnson")),
        ("王小明", Author(literal="王小明")),
    ],
)
def test_one_name(text: str, author: Author) -> None:
    assert parse_name(text) == author


@pytest.mark.parametrize(
    "text",
    [
        "Landon, Alexandra and Borland, Sandy AND Anders, Hand\n and\tBrandt, Orlando",
        "Alexandra Landon and Sandy Borland and Hand Anders And Orlando Brandt",
        "{Landon, Alexandra and Borland, Sandy and Anders, Hand and Brandt, Orlando}",
    ],
)
def test_and_parts_only_as_a_word(text: str) -> None:
    found = read_names(text)
    assert [author.family for author in found.authors] == ["Landon", "Borland", "Anders", "Brandt"]
    assert not found.malformed


@pytest.mark.parametrize(
    "text",
    [
        "Heron, Max and others",
        "Heron, Max and Others",
        "Heron, Max and et al.",
        "Heron, Max et al.",
        "Heron, Max, et al.",
        "Max Heron and {et al.}",
        "Heron, Max and …",
    ],
)
def test_a_cut_list_has_more_authors_and_no_person_called_others(text: str) -> None:
    assert parse_names(text) == ((person("Heron", "Max"),), True)


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("Smith, J.; Doe, A.; Roe, B.", ["Smith", "Doe", "Roe"]),
        ("Smith, J., Doe, A., Roe, B.", ["Smith", "Doe", "Roe"]),
        ("John Smith, Anna Doe, and Bob Roe", ["Smith", "Doe", "Roe"]),
        ("Smith, J. and and Doe, A.", ["Smith", "Doe"]),
        ("and Smith, J.", ["Smith"]),
        ("Smith, J. and", ["Smith"]),
        ("J. Smith & A. Jones", ["Smith", "Jones"]),
        ('M\\"uller, K.; {\\O}rsted, H.', ["Müller", "Ørsted"]),
    ],
)
def test_lists_joined_otherwise_are_told(text: str, families: list[str]) -> None:
    found = read_names(text)
    assert [author.family for author in found.authors] == families
    assert found.malformed


def test_bodies_and_people_in_one_list() -> None:
    found = read_names("{World Pond Organization} and Coot, Val and {ATLAS and CMS} and others")
    assert found.authors == (
        Author(literal="World Pond Organization"),
        person("Coot", "Val"),
        Author(literal="ATLAS and CMS"),
    )
    assert found.more
    assert not found.malformed


def test_thousands_of_authors() -> None:
    text = " and\n".join(f"Family{n}, Given{n % 7} X." for n in range(5000))
    authors, more = parse_names(text)
    assert len(authors) == 5000
    assert authors[4999] == person("Family4999", "Given1 X.")
    assert not more
