"""Every reference file of these formats: no record and no line is lost, and none is taken away."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from litscape.importers.decode import read_source
from litscape.importers.registry import detect, importer
from litscape.library import Library
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.shared, pytest.mark.slow]

_KINDS = {
    "nbib": "nbib",
    "endnote-refer": "endnote-refer",
    "wos": "wos",
    "endnote-xml": "endnote-xml",
    "pubmed-xml": "pubmed-xml",
    "csv": "csv",
}
_NO_KIND = "IsiImporterTestEmpty.isi"
"""Holds ``##`` and nothing else, which is of no kind."""
_OF_OTHERS = {
    # Web of Science's own format under another name.
    "ris/MrTango__rispy/tests_data_example_wos.ris": "wos",
}
_LISTED = {"bibtex": "bibtex", "biblatex": "bibtex", "ris": "ris", "csl-json": "csl-json"}
_TAGGED = ("nbib", "endnote-refer", "wos")
_FREE = frozenset({"id", "cites"})


def rows(shared: Path) -> list[tuple[Path, str, dict[str, str]]]:
    """Every file with its place in the manifest and its row."""
    folder = shared / "imports" / "files"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        found = [
            (folder / r["file"], r["file"], r) for r in csv.DictReader(manifest, delimiter="\t")
        ]
    assert found
    return found


def files(shared: Path, listed: str) -> list[tuple[Path, int]]:
    found = []
    for path, name, row in rows(shared):
        if row["format"] == listed and not name.endswith(_NO_KIND):
            expected = row["entries_expected"] or _counted(path)
            found.append((path, int(expected)))
    assert found
    return found


def _counted(path: Path) -> int:
    """What the manifest does not count: the articles and books of PubMed's XML."""
    text = path.read_text(encoding="utf-8")
    return len(re.findall(r"<Pubmed(?:Book)?Article(?=[\s>/])", text))


@pytest.mark.parametrize("listed", sorted(_KINDS))
def test_every_record_comes_in_or_is_told(shared: Path, listed: str) -> None:
    for path, expected in files(shared, listed):
        source = read_source(path)
        reader = detect(source.text[: 1 << 16], str(path))
        assert reader is not None, path
        assert reader.kind == _KINDS[listed], path
        outcome = list(reader.read(source))
        records = [one for one in outcome if isinstance(one, PaperDraft) or one.is_record]
        assert len(records) == expected, path
        assert [one.index for one in records] == list(range(expected)), path
        told = [one for one in outcome if isinstance(one, ImportProblem)]
        assert all(one.raw for one in told if one.is_record), path


@pytest.mark.parametrize("listed", _TAGGED)
def test_no_line_is_lost(shared: Path, listed: str) -> None:
    for path, _ in files(shared, listed):
        source = read_source(path)
        kept: set[str] = {"VR 1.0", "EF"}
        for one in importer(_KINDS[listed]).read(source):
            kept.update(line.strip() for line in (one.raw or "").split("\n"))
        lines = {line.strip() for line in io.StringIO(source.text, newline=None)}
        left = {line for line in lines if line and line not in kept}
        assert not {line for line in left if not line.startswith("FN ")}, path


def test_no_file_is_taken_for_another_kind(shared: Path) -> None:
    for path, name, row in rows(shared):
        expected = _OF_OTHERS.get(name) or {**_LISTED, **_KINDS}.get(row["format"])
        if expected is None or name.endswith(_NO_KIND):
            continue
        source = read_source(path)
        found = detect(source.text[: 1 << 16], str(path))
        assert found is not None, path
        assert found.kind == expected, path
        sure = sorted(one.recognises(source.text[: 1 << 16]) for one in _all())
        assert sure[-1] > sure[-2], path


def _all() -> list[Any]:
    from litscape.importers.registry import importers

    return list(importers())


def records(library: Library) -> dict[str, dict[str, Any]]:
    stream = io.StringIO()
    library.export("jsonl", stream)
    found = map(json.loads, stream.getvalue().splitlines())
    return {record["citekey"]: record for record in found}


@pytest.mark.parametrize("listed", sorted(_KINDS))
def test_counts_agree_and_an_export_brings_the_same(
    shared: Path, tmp_path: Path, listed: str
) -> None:
    for number, (path, expected) in enumerate(files(shared, listed)):
        target = tmp_path / f"{number}.jsonl"
        with (
            Library.open(tmp_path / f"first{number}") as first,
            Library.open(tmp_path / f"second{number}") as second,
        ):
            report = first.import_file(path)
            assert report.records == expected, path
            assert len(records(first)) == report.added, path
            again = first.import_file(path)
            assert (again.added, again.updated) == (0, 0), path
            stream = io.StringIO()
            first.export("jsonl", stream)
            target.write_text(stream.getvalue(), encoding="utf-8")
            second.import_file(target)
            before, after = records(first), records(second)
        assert set(before) == set(after), path
        for key, record in before.items():
            for name in record.keys() - _FREE:
                assert after[key][name] == record[name], (path, key, name)
