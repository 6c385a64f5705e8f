"""Every RIS and CSL JSON file of the reference data: no record and no line is lost."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from litscape.importers.decode import read_source
from litscape.importers.jsonl import JsonlImporter
from litscape.importers.registry import detect, importer
from litscape.library import Library
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.shared, pytest.mark.slow]

_OTHER_COUNT = {
    # Its lines end with CR CR LF, which the manifest's count by lines did not see.
    "NLeSC__litstudy/tests_resources_example.ris": 25,
}
_NOT_RIS = "MrTango__rispy/tests_data_example_wos.ris"
"""Web of Science's own format under another name."""
_LARGE = 400_000
_FREE = frozenset({"id", "cites", "citekey_original", "references", "raw_fields", "files"})


def files(shared: Path, kind: str) -> list[tuple[Path, int]]:
    folder = shared / "imports" / "files"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        rows = [row for row in csv.DictReader(manifest, delimiter="\t") if row["format"] == kind]
    assert rows
    found = []
    for row in rows:
        name = row["file"].partition("/")[2]
        if name != _NOT_RIS:
            count = _OTHER_COUNT.get(name, int(row["entries_expected"]))
            found.append((folder / row["file"], count))
    return found


@pytest.mark.parametrize("kind", ["ris", "csl-json"])
def test_every_record_comes_in_or_is_told(shared: Path, kind: str) -> None:
    for path, expected in files(shared, kind):
        source = read_source(path)
        reader = detect(source.text[: 1 << 16], str(path))
        assert reader is not None, path
        assert reader.kind == kind, path
        outcome = list(reader.read(source))
        records = [one for one in outcome if isinstance(one, PaperDraft) or one.is_record]
        assert len(records) == expected, path
        assert [one.index for one in records] == list(range(expected)), path
        told = [one for one in outcome if isinstance(one, ImportProblem)]
        assert all(one.raw for one in told if one.severity != "note"), path


def test_no_line_of_ris_is_lost(shared: Path) -> None:
    for path, _ in files(shared, "ris"):
        source = read_source(path)
        kept: set[str] = set()
        for one in importer("ris").read(source):
            kept.update(line.strip() for line in (one.raw or "").split("\n"))
        lines = {line.strip() for line in io.StringIO(source.text, newline=None)}
        assert not {line for line in lines if line and line not in kept}, path


def exported(library: Library, kind: str) -> str:
    stream = io.StringIO()
    library.export(kind, stream)
    return stream.getvalue()


def records(library: Library) -> dict[str, dict[str, Any]]:
    lines = map(json.loads, exported(library, "jsonl").splitlines())
    return {record["citekey"]: record for record in lines}


@pytest.mark.parametrize(
    ("listed", "kind", "suffix"),
    [
        ("ris", "ris", ".ris"),
        ("csl-json", "csl-json", ".json"),
        ("bibtex", "bibtex", ".bib"),
        ("biblatex", "bibtex", ".bib"),
    ],
)
def test_an_export_brings_the_same_papers(
    shared: Path, tmp_path: Path, listed: str, kind: str, suffix: str
) -> None:
    for number, (path, _) in enumerate(files(shared, listed)):
        if path.stat().st_size > _LARGE or path.suffix not in (".bib", ".ris", ".json", ".txt"):
            continue
        target = tmp_path / f"{number}{suffix}"
        with (
            Library.open(tmp_path / f"first{number}") as first,
            Library.open(tmp_path / f"second{number}") as second,
        ):
            first.import_file(path)
            target.write_text(exported(first, kind), encoding="utf-8")
            second.import_file(target)
            before, after = records(first), records(second)
        assert set(before) == set(after), path
        for key, record in before.items():
            for name in record.keys() - _FREE:
                assert after[key][name] == record[name], (path, key, name)


@pytest.mark.parametrize("name", ["csopen", "patents", "sysrev", "large"])
def test_every_line_of_the_corpora_is_read(shared: Path, name: str) -> None:
    folder = shared / "data" / name
    path = next(folder.glob("papers.jsonl*"))
    source = read_source(path)
    assert detect(source.text[: 1 << 16], str(path)) is not None
    lines = (line for line in source.text.split("\n") if line)
    drafts = (one for one in JsonlImporter().read(source) if isinstance(one, PaperDraft))
    for number, (draft, line) in enumerate(zip(drafts, lines, strict=True)):
        if number % 97 == 0:
            record = json.loads(line)
            assert draft.source_id == record["id"]
            assert len(draft.cites) == len(record["cites"])
            assert len(draft.references) == len(record.get("refs_ext") or [])
            assert bool(draft.authors) == bool(record["authors"])
            assert draft.year == record["year"] or not 1000 <= record["year"] <= 2100
