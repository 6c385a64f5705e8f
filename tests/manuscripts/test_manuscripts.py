"""Reading folders of manuscripts into a library, and what papers are cited together."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.manuscripts.parts import Level

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        entries = (
            f"@article{{key{n}, title={{Survey {n} of {n * 3} ponds}}, year={{{1990 + n}}}}}"
            for n in range(20)
        )
        opened.imports.run_text("\n".join(entries))
        yield opened


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    return folder


def key(library: Library, number: int) -> int:
    return library.papers.id_of(f"key{number}")


def test_closest_part_and_sum_over_manuscripts(library: Library, texts: Path) -> None:
    (texts / "one.tex").write_text(
        "\\section{A}\nX \\cite{key1,key2}. Y \\cite{key3}.\n\nZ \\cite{key1}, \\cite{key4}.\n"
        "\\section{B}\n\\cite{key5}"
    )
    (texts / "two.md").write_text("So [@key2] and [@key1].\n")
    report = library.manuscripts.read(texts)
    assert (report.read, report.unchanged, report.citations, report.papers) == (2, 0, 7, 5)
    pairs = {(one.a, one.b): one for one in library.manuscripts.pairs()}
    first = pairs[key(library, 1), key(library, 2)]
    assert (first.weight, first.level) == (1.5, Level.CITATION)
    assert [path.rsplit("/", 1)[1] for path in first.manuscripts] == ["one.tex", "two.md"]
    assert pairs[key(library, 1), key(library, 4)].level is Level.SENTENCE
    assert pairs[key(library, 1), key(library, 3)].level is Level.PARAGRAPH
    assert pairs[key(library, 3), key(library, 4)].level is Level.SECTION
    assert not any(key(library, 5) in pair for pair in pairs)
    assert report.pairs == {
        Level.CITATION: 1,
        Level.SENTENCE: 1,
        Level.PARAGRAPH: 2,
        Level.SECTION: 2,
    }
    together = library.manuscripts.together("key1")
    assert [one.other(key(library, 1)) for one in together] == [
        key(library, 2), key(library, 4), key(library, 3),
    ]  # fmt: skip


def test_a_doi_is_a_key(library: Library, texts: Path) -> None:
    library.imports.run_text(
        "@article{mud, title={Mud}, doi={10.1000/A(1)}}\n@article{b, title={B}, doi={10.1000/a}}"
    )
    (texts / "one.md").write_text(
        "[@doi:10.1000/a; @key1] [@{doi:10.1000/a(1)}; @key2] [@doi:10.1000/zz; @key3]"
    )
    report = library.manuscripts.read(texts)
    assert [one.citekey for one in report.unknown] == ["doi:10.1000/zz"]
    together = {(one.a, one.b) for one in library.manuscripts.pairs() if one.weight == 1}
    mud, other = library.papers.id_of("mud"), library.papers.id_of("b")
    assert together == {(key(library, 1), other), (key(library, 2), mud)}


def test_reading_again(library: Library, texts: Path) -> None:
    one, two = texts / "one.tex", texts / "two.tex"
    one.write_text("\\cite{key1,key2}")
    two.write_text("\\cite{key3,key4}")
    library.manuscripts.read(texts)
    one.write_text("\\cite{key5,key6}")
    two.unlink()
    report = library.manuscripts.read(texts)
    assert (report.read, report.unchanged, report.gone) == (1, 0, (str(two),))
    assert [(one.a, one.b) for one in library.manuscripts.pairs()] == [
        (key(library, 5), key(library, 6))
    ]
    assert library.manuscripts.read(one).unchanged == 1
    assert library.manuscripts.forget(texts) == 1
    assert library.manuscripts.pairs() == ()
    with pytest.raises(UserError, match="was read"):
        library.manuscripts.forget(texts)


def test_keys_are_found_when_their_papers_come(library: Library, texts: Path) -> None:
    (texts / "one.tex").write_text("\\cite{key1,later}\n\\cite{later}")
    report = library.manuscripts.read(texts)
    assert [(one.citekey, one.line) for one in report.unknown] == [("later", 1)]
    library.imports.run_text("@article{later, title={A work that came later}}")
    assert len(library.manuscripts.pairs()) == 1
    assert library.manuscripts.report().unknown == ()
    library.edit.edit(["later"], {"citekey": "renamed"})
    assert len(library.manuscripts.pairs()) == 1
    library.edit.trash([library.papers.id_of("renamed")])
    assert library.manuscripts.pairs() == ()


def test_capitals_help_only_where_one_paper_fits(library: Library, texts: Path) -> None:
    library.imports.run_text("@article{Pond, title={Ponds}}\n@article{pond, title={Other ponds}}")
    (texts / "one.tex").write_text("\\cite{KEY1,key2} \\cite{POND,key3} \\cite{pond,key4}")
    library.manuscripts.read(texts)
    pond = library.papers.id_of("pond")
    closest = {(one.a, one.b) for one in library.manuscripts.pairs() if one.level == 0}
    assert closest == {
        (key(library, 1), key(library, 2)),
        tuple(sorted((pond, key(library, 4)))),
    }
    assert [one.citekey for one in library.manuscripts.report().unknown] == ["POND"]


def test_an_aux_file_counts_where_its_text_says_nothing(library: Library, texts: Path) -> None:
    (texts / "one.tex").write_text("\\cite{key1,key2}")
    (texts / "one.aux").write_text("\\citation{key1,key2}\n\\citation{key3,key4}\n")
    (texts / "two.tex").write_text("\\input{chapter}")
    (texts / "two.aux").write_text("\\citation{key5,key6}\n\\citation{key7}\n")
    report = library.manuscripts.read(texts)
    assert [one.path for one in report.left_out] == [str(texts / "one.aux")]
    assert {(one.a, one.b) for one in library.manuscripts.pairs()} == {
        (key(library, 1), key(library, 2)),
        (key(library, 5), key(library, 6)),
    }


def test_years(library: Library, texts: Path) -> None:
    library.imports.run_text("@article{undated, title={No year at all}}")
    (texts / "one.tex").write_text("\\cite{key1,key5,undated}")
    library.manuscripts.read(texts)
    assert len(library.manuscripts.pairs()) == 3
    assert [(one.a, one.b) for one in library.manuscripts.pairs(1995)] == [
        (key(library, 1), key(library, 5))
    ]
    assert library.manuscripts.pairs(1994) == ()


def test_other_files_are_named_or_passed_over(library: Library, texts: Path) -> None:
    (texts / "good.tex").write_bytes("\\cite{key1,key2} Grüße".encode("latin-1"))
    (texts / "bad.tex").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (texts / "refs.bib").write_text("@article{x}")
    (texts / ".hidden.tex").write_text("\\cite{key3}")
    report = library.manuscripts.read(texts)
    assert [one.path for one in report.manuscripts] == [str(texts / "good.tex")]
    [left] = report.left_out
    assert left.path.endswith("bad.tex")
    assert left.why.endswith(".")


@pytest.mark.parametrize("name", ["nowhere", "refs.bib", ""])
def test_what_can_not_be_read_is_said(library: Library, texts: Path, name: str) -> None:
    (texts / "refs.bib").write_text("@article{x}")
    with pytest.raises(UserError) as caught:
        library.manuscripts.read(texts / name)
    assert str(texts) in str(caught.value)
    assert str(caught.value).endswith(".")


def test_cancelled_reading_changes_nothing(library: Library, texts: Path) -> None:
    (texts / "one.tex").write_text("\\cite{key1,key2}")
    ctx = JobContext(lambda _event: None)
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        library.manuscripts.read(texts, ctx)
    assert library.manuscripts.list() == ()


def test_counts_of_an_independent_reading(library: Library, texts: Path) -> None:
    """Random texts of one plain form, counted here by splitting alone."""
    chance = random.Random(3)
    expected: Counter[tuple[str, str]] = Counter()
    for number in range(12):
        sections = []
        for _section in range(3):
            paragraphs = []
            for _paragraph in range(chance.randint(1, 3)):
                sentences = [
                    "So it is "
                    + " and ".join(
                        "\\cite{"
                        + ",".join(f"key{n}" for n in chance.sample(range(20), size))
                        + "}"
                        for size in chance.choices((1, 2, 3), k=chance.randint(1, 2))
                    )
                    + "."
                    for _sentence in range(chance.randint(1, 3))
                ]
                paragraphs.append(" ".join(sentences))
            sections.append("\\section{S}\n" + "\n\n".join(paragraphs))
        text = "\n".join(sections)
        (texts / f"t{number}.tex").write_text(text)
        closest: dict[tuple[str, str], float] = {}
        for weight, parts in (
            (0.125, text.split("\\section{S}")),
            (0.25, re.split(r"\\section\{S\}|\n\n", text)),
            (0.5, re.split(r"\\section\{S\}|\n\n|\.", text)),
            (1.0, re.findall(r"\\cite\{[^}]*\}", text)),
        ):
            for part in parts:
                keys = sorted(set(re.findall(r"key\d+", part)))
                closest |= dict.fromkeys(itertools.combinations(keys, 2), weight)
        expected.update(closest)
    library.manuscripts.read(texts)
    names = {key(library, n): f"key{n}" for n in range(20)}
    found = {
        tuple(sorted((names[one.a], names[one.b]))): one.weight
        for one in library.manuscripts.pairs()
    }
    assert found == dict(expected)
