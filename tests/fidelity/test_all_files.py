"""Every real library file beside the checkout: nothing is lost coming in, going out, or again.

Files over a limit are read here only in part of their ways; ``LITSCAPE_ALL_FILES=1`` takes all.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.importers.registry import open_source
from litscape.library import Library
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.paper import ImportReport

pytestmark = [pytest.mark.shared, pytest.mark.slow]

ALL = os.environ.get("LITSCAPE_ALL_FILES") == "1"
READ_AT_MOST = 1 << 40 if ALL else 700_000
BACK_AT_MOST = 1 << 40 if ALL else 45_000
PARTS = 8

NO_KIND = {
    # Two lines of hashes.
    "wos/JabRef__jabref/jablib_src_test_resources_org_jabref_logic_importer_fileformat"
    "_IsiImporterTestEmpty.isi",
    # Hayagriva's YAML, which nobody reads.
    "mods-csl-yaml/typst__hayagriva/tests_data_basic.yml",
}

LINEWISE = frozenset({"bibtex", "ris", "nbib", "wos", "endnote-refer"})
"""Kinds of which every line belongs to a record, or is told, or is a comment."""
NO_LINES = frozenset({"zotero", "mendeley"})
"""Kinds whose raw record is made up of tables."""
OF_FILE = frozenset(
    {"encoding-guessed", "undecodable-text", "file-truncated", "source-empty", "entities-ignored",
     "broken-file", "no-record"}
)  # fmt: skip
"""What is said of a file and not of a part of it."""
TEXT_FREE = re.compile(r"\s*(?:%.*|FN .*|VR .*|EF\s*)?\s*", re.S)
NO_RECORD = re.compile(r"[ \t]*@\s*(?:string|preamble|comment|xdata|set|control)\b", re.I)

SUFFIX = {"jsonl": ".jsonl", "bibtex": ".bib", "ris": ".ris", "csl-json": ".json", "csv": ".csv"}
INHERITED = frozenset({"crossref", "xref", "xdata"})
"""What an entry inherited stands in it after export; its parent may not be in the file."""
DATE = frozenset({"year", "month"})
"""Beside a ``date`` that says otherwise they are no more than that."""
NEVER = frozenset({"id", "citekey_original", "missing_in_source"})
"""What is the library's own, not the paper's."""
LOST = {
    # What a format has no place for; everything else must come back as it was. Fields of the
    # source that have no key here (raw_fields) come back where both formats know them: they are
    # compared only where a file is written in the kind that it came in.
    "jsonl": "",
    "bibtex": "fields references library zotero_key",
    "ris": "fields references collections citekey_aliases cites library zotero_key",
    "csl-json": "fields references collections citekey_aliases files cites library zotero_key",
    "csv": "",
}
PARTLY = {
    # Of these a format holds a part, which must come back.
    ("bibtex", "identifiers"): "issn",
    ("ris", "identifiers"): "issn",
    ("csl-json", "identifiers"): "issn",
    ("ris", "files"): "paths",
    ("ris", "authors"): "letters",
    ("bibtex", "type"): "a type",
    ("ris", "type"): "a type",
    ("csl-json", "type"): "a type",
}
GAINED = frozenset({"url", "pmid", "month", "venue"})
"""Where one format keeps a text that it does not understand, the next may read it."""
ODD = {
    # What a broken exporter wrote for a month is none.
    ("bibtex", "month_raw"): {"undefined"},
}
WHOLE = frozenset({"jsonl", "csv"})
"""Formats of the program's own, which hold everything."""


def listed(shared: Path, part: int, at_most: int) -> Iterator[Path]:
    folder = shared / "imports" / "files"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        names = [row["file"] for row in csv.DictReader(manifest, delimiter="\t")]
    assert len(names) > 290
    for name in names[part::PARTS]:
        path = folder / name
        if name not in NO_KIND and path.stat().st_size <= at_most:
            yield path


class Lines:
    """A text by its lines, whatever ends them."""

    def __init__(self, text: str) -> None:
        self.text = re.sub(r"\r\n?", "\n", text).removeprefix("\ufeff")
        self.starts = [0, *(found.end() for found in re.finditer("\n", self.text))]

    def has(self, raw: str, line: int) -> bool:
        """Whether a text stands in the file from a line on."""
        start = self.starts[line - 1]
        wanted = re.sub(r"\r\n?", "\n", raw).strip()
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        found = self.text.find(wanted, start)
        return 0 <= found < max(end, start + 1)

    def span(self, raw: str, line: int) -> range:
        """The numbers of the lines that a text covers."""
        number = re.sub(r"\r\n?", "\n", raw).strip("\n").count("\n")
        return range(line, line + number + 1)

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset)


def faults_of(path: Path, report: ImportReport) -> list[str]:
    """What is wrong with a report: every skipped or repaired record is named and shown."""
    source = open_source(path)
    found: list[str] = []
    outcomes = (report.added, report.updated, report.merged, report.unchanged, report.skipped)
    if report.records != sum(outcomes):
        found.append(f"{report.records} records, outcomes {outcomes}")
    skipped = [one for one in report.issues if one.severity == "skipped"]
    if len(skipped) < report.skipped:
        found.append(f"{report.skipped} skipped, {len(skipped)} told")
    lines = None if source.kind in NO_LINES else Lines(source.text.text)  # type: ignore[attr-defined]
    for one in report.issues:
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*", one.code) or not one.message:
            found.append(f"odd issue {one}")
        if lines is None or (one.raw is None and one.code in OF_FILE):
            continue
        if not one.raw:
            found.append(f"no raw text: {one.code} at {one.line}")
        elif one.line is None:
            if one.index is None:
                found.append(f"no place: {one.code} {one.raw[:60]!r}")
        elif not lines.has(one.raw, one.line):
            found.append(f"not at line {one.line}: {one.code} {one.raw[:80]!r}")
    return found


def lines_lost(path: Path) -> list[str]:
    """Lines of a file that are in no record, no report and no comment."""
    source = open_source(path)
    if source.kind not in LINEWISE:
        return []
    lines = Lines(source.text.text)  # type: ignore[attr-defined]
    covered: set[int] = set()
    for one in source.read():
        assert isinstance(one, PaperDraft | ImportProblem)
        if one.raw and one.line:
            covered.update(lines.span(one.raw, one.line))
    lost = []
    free_until = 0
    for number, line in enumerate(lines.text.split("\n"), 1):
        if number in covered or TEXT_FREE.fullmatch(line) or number <= free_until:
            continue
        if NO_RECORD.match(line):
            free_until = max(free_until, _end_of_block(lines, number))
            continue
        lost.append(f"{number}: {line[:100]}")
    return lost


def _end_of_block(lines: Lines, number: int) -> int:
    """The last line of a block with braces or parentheses that begins in a line."""
    start = lines.starts[number - 1]
    depth = 0
    for place in range(start, len(lines.text)):
        char = lines.text[place]
        depth += (char in "{(") - (char in "})")
        if depth == 0 and char in "})":
            return lines.line_at(place)
    return number


def exported(library: Library, kind: str) -> str:
    stream = io.StringIO()
    library.export(kind, stream)
    return stream.getvalue()


def records(library: Library) -> list[dict[str, Any]]:
    """Every paper in order; what it cites by keys."""
    found = [json.loads(line) for line in exported(library, "jsonl").splitlines()]
    keys = {one["id"]: one["citekey"] for one in found}
    for one in found:
        one["cites"] = sorted(keys[number] for number in one["cites"])
    return found


def held(kind: str, record: dict[str, Any], name: str) -> Any:
    """What a format can hold of a field."""
    value, part = record[name], PARTLY.get((kind, name))
    if part == "issn":
        return value.get("issn")
    if part == "paths":
        # An address among the files is one of the paper's.
        return [link["path"] for link in value if "://" not in link["path"]]
    if part == "letters":
        # All of every name, in whatever parts: ``Van de Graaff`` has no mark of its particle.
        return [sorted(re.sub(r"\W", "", "".join(one.values())).lower()) for one in value]
    if part is not None:
        return part
    odd = ODD.get((kind, name))
    if isinstance(odd, set) and value in odd:
        return None
    if name == "pages" and kind not in WHOLE:
        return value and value.strip("-")
    return value


def differences(
    kind: str, before: list[dict[str, Any]], after: list[dict[str, Any]], same: bool
) -> list[str]:
    if len(before) != len(after):
        return [f"{len(before)} records -> {len(after)}"]
    free = NEVER | frozenset(LOST[kind].split()) | (frozenset() if same else {"raw_fields"})
    found = []
    for one, other in zip(before, after, strict=True):
        for name in one.keys() - free:
            old, new = held(kind, one, name), held(kind, other, name)
            if name == "raw_fields" and kind not in WHOLE:
                old = {key: text for key, text in old.items() if key not in INHERITED | DATE}
                new = {key: text for key, text in new.items() if key in old}
            gained = name in GAINED and kind not in WHOLE and old is None
            if old != new and not gained:
                found.append(f"{one['citekey']}.{name}: {old!r} -> {new!r}")
    return found


def test_only_files_of_no_kind_are_refused(shared: Path) -> None:
    folder = shared / "imports" / "files"
    refused = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "MANIFEST.tsv":
            try:
                open_source(path)
            except UserError:
                refused.add(path.relative_to(folder).as_posix())
    assert refused == NO_KIND


@pytest.mark.parametrize("part", range(PARTS))
def test_every_record_is_counted_and_told(shared: Path, tmp_path: Path, part: int) -> None:
    for number, path in enumerate(listed(shared, part, READ_AT_MOST)):
        with Library.open(tmp_path / str(number)) as library:
            report = library.import_file(path)
            assert faults_of(path, report) == [], path
            assert len(library.papers) == report.added, path
            again = library.import_file(path)
            assert again.batch is None, path
            assert (again.unchanged, again.skipped) == (
                report.records - report.skipped,
                report.skipped,
            ), path
        assert lines_lost(path) == [], path


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", sorted(SUFFIX))
def test_export_and_import_bring_the_same(
    shared: Path, tmp_path: Path, kind: str, part: int
) -> None:
    for number, path in enumerate(listed(shared, part, BACK_AT_MOST)):
        target = tmp_path / f"{number}{SUFFIX[kind]}"
        with (
            Library.open(tmp_path / f"first{number}") as first,
            Library.open(tmp_path / f"second{number}") as second,
        ):
            first.import_file(path)
            if not len(first.papers):
                continue
            target.write_text(exported(first, kind), encoding="utf-8", newline="")
            report = second.import_file(target)
            assert (report.skipped, report.merged) == (0, 0), path
            same = kind in WHOLE or open_source(path).kind == kind == "bibtex"
            assert differences(kind, records(first), records(second), same) == [], path
            assert second.import_file(target).batch is None, path
