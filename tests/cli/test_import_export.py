"""``import``, ``export``, ``edit`` and ``undo`` as scripts use them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library
from litscape_app.cli.records import PAPER_KEYS, REPORT_KEYS

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

EXPORT = ("export", "--format", "jsonl", "-")


def papers(ran_out: str) -> dict[str, Any]:
    lines = [json.loads(line) for line in ran_out.split("\n") if line]
    return {one["citekey"]: one for one in lines}


def test_the_program_under_a_locale_without_utf8(program: Cli, bib: Path, tmp_path: Path) -> None:
    bib.write_text('@book{s, title={Größe – 漢字 "x"}, author={Sørensen, Åse}}\n', encoding="utf-8")
    library = tmp_path / "Bücher"
    before = sorted(bib.parent.iterdir())
    report = program("--library", library, "import", bib, "--json")
    assert report.json["added"] == 1
    assert report.err == ""
    assert sorted(bib.parent.iterdir()) == before
    exported = program("--library", library, *EXPORT)
    assert papers(exported.out)["s"]["title"] == 'Größe – 漢字 "x"'
    assert program("--library", library, "list").out.rstrip().endswith('Größe – 漢字 "x"')


def test_import_reports_and_a_second_time_changes_nothing(
    cli: Cli, bib: Path, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    report = cli("--library", library, "import", bib, "--json").json
    assert set(report) == set(REPORT_KEYS)
    assert report["batch"] is not None
    assert (report["records"], report["added"], report["skipped"]) == (3, 2, 1)
    skipped = [one for one in report["issues"] if one["severity"] == "skipped"]
    assert skipped[0]["line"] == 11
    assert skipped[0]["source"] == str(bib)
    assert "Never closed" in skipped[0]["raw"]
    again = cli("import", bib, "--json").json
    assert (again["unchanged"], again["added"], again["batch"]) == (2, 0, None)


def test_text_for_a_person(cli: Cli, bib: Path, tmp_path: Path) -> None:
    text = cli("--library", tmp_path / "library", "import", bib).out
    assert "3 records: 2 added, 1 skipped." in text
    assert "line 11" in text


def test_without_any_abstract_it_says_so(cli: Cli, bib: Path, tmp_path: Path) -> None:
    bib.write_text("@book{a, title={Only a title}}", encoding="utf-8")
    assert "by title only" in cli("--library", tmp_path / "library", "import", bib).out
    assert "titles only" in " ".join(cli("info", "--json").json["notes"])


def test_export_has_the_keys_of_the_contract(cli: Cli, filled: Path) -> None:
    found = papers(cli("--library", filled, *EXPORT).out)
    assert set(found) == {"bell1876", "darwin1859"}
    assert set(found["bell1876"]) == set(PAPER_KEYS)
    assert found["bell1876"]["doi"] == "10.5555/tel.1"


def test_export_of_an_empty_or_missing_folder_is_nothing(cli: Cli, tmp_path: Path) -> None:
    for name in ("missing", "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        ran = cli("--library", tmp_path / name, *EXPORT)
        assert (ran.code, ran.out, ran.err) == (0, "", "")


@pytest.mark.parametrize("kind", ["jsonl", "bibtex", "ris", "csl-json", "csv"])
def test_export_to_a_file(cli: Cli, filled: Path, tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out"
    record = cli("export", "--format", kind, target, "--json").json
    assert record == {"file": str(target), "format": kind, "papers": 2, "left_out": []}
    whole = target.read_text(encoding="utf-8")
    assert "Researches in Telephony" in whole
    cli("export", "--format", kind, target).refused("--force")
    assert cli("export", "--format", kind, target, "--force", "--ids", "darwin1859").code == 0
    assert "Telephony" not in target.read_text(encoding="utf-8")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["home", "library", "out", "sources"]


def test_what_is_exported_comes_back(cli: Cli, filled: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    cli("export", "--format", "jsonl", target)
    other = tmp_path / "other"
    assert cli("--library", other, "import", target, "--json").json["added"] == 2
    ids = {"id"}
    for key, paper in papers(cli("--library", other, *EXPORT).out).items():
        first = papers(cli("--library", filled, *EXPORT).out)[key]
        assert {k: v for k, v in paper.items() if k not in ids} == {
            k: v for k, v in first.items() if k not in ids
        }


def test_export_narrowed(cli: Cli, filled: Path) -> None:
    cli("tag", "add", "old", "bell1876")
    cli("collection", "add", "Science/Life", "darwin1859")

    def keys(*options: str) -> set[str]:
        return set(papers(cli("export", "--format", "jsonl", "-", *options).out))

    assert keys("--tag", "old") == {"bell1876"}
    assert keys("--collection", "Science") == {"darwin1859"}
    assert keys("--ids", "bell1876,darwin1859") == {"bell1876", "darwin1859"}
    assert keys("--ids", "https://doi.org/10.5555/TEL.1") == {"bell1876"}
    assert keys("--year", "1870-") == {"bell1876"}
    assert keys("--type", "book") == {"darwin1859"}
    cli("export", "--format", "jsonl", "-", "--ids", "nobody,bell1876").refused("nobody")
    cli("export", "--format", "jsonl", "-", "--collection", "Art").refused("no collection “Art”")


def test_export_to_places_that_cannot_be_written(cli: Cli, filled: Path, tmp_path: Path) -> None:
    cli("export", "--format", "jsonl", tmp_path).refused("is a folder")
    cli("export", "--format", "jsonl", tmp_path / "no" / "out").refused("could not be written")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_sentence(program: Cli, cli: Cli, filled: Path, tmp_path: Path) -> None:
    program("--library", filled, "export", "--format", "jsonl", "/dev/full").refused(
        "No space left"
    )
    assert Path("/dev/full").is_char_device()


def test_an_edit_is_kept_by_the_next_import(cli: Cli, filled: Path, bib: Path) -> None:
    changed = cli(
        "edit", "bell1876", "--set", "title=My title", "--set", "tags=a; b", "--json"
    ).json
    assert len(changed["changed"]) == 1
    bib.write_text(
        bib.read_text(encoding="utf-8")
        .replace("Researches in", "Old researches in")
        .replace("year = {1876}", "year = {1877}"),
        encoding="utf-8",
    )
    assert cli("import", bib, "--json").json["updated"] == 1
    bell = papers(cli(*EXPORT).out)["bell1876"]
    assert (bell["title"], bell["year"], bell["tags"]) == ("My title", 1877, ["a", "b"])


def test_edit_mistakes(cli: Cli, filled: Path) -> None:
    cli("edit", "bell1876", "--set", "year=soon").refused("year")
    cli("edit", "bell1876", "--set", "shade=red").refused("shade")
    cli("edit", "bell1876", "--set", "colour=pink").refused("colour", "orange")
    cli("edit", "bell1876", "--set", "title").refused("KEY=VALUE")
    cli("edit", "nobody", "darwin1859", "--set", "title=x").refused("nobody")
    assert papers(cli(*EXPORT).out)["darwin1859"]["title"] == "On the Origin of Species"


def test_a_key_that_is_the_id_of_another_paper(cli: Cli, bib: Path, tmp_path: Path) -> None:
    bib.write_text("@book{2, title={Two}}\n@book{b, title={B}}\n@book{30, title={C}}", "utf-8")
    cli("--library", tmp_path / "library", "import", bib)
    cli("delete", "2").refused("key:2", "id:2")
    cli("export", "--format", "csv", "-", "--ids", "b,2").refused("key:2", "id:2")
    assert cli("delete", "key:2", "--json").json["removed"] == [1]
    assert cli("delete", "id:2", "--json").json["removed"] == [2]
    assert cli("edit", "30", "--set", "year=1999", "--json").json["changed"] == [3]
    assert cli("show", "3", "id:3", "key:30", "--json").json[0]["year"] == 1999
    cli("show", "id:30").refused("id:30")


def test_undo_takes_back_one_change_at_a_time(cli: Cli, filled: Path) -> None:
    cli("edit", "bell1876", "--set", "title=My title")
    assert len(cli("undo", "--json").json["changed"]) == 1
    assert papers(cli(*EXPORT).out)["bell1876"]["title"] == "Researches in Telephony"
    assert len(cli("redo", "--json").json["changed"]) == 1
    cli("undo")
    assert len(cli("undo", "--json").json["removed"]) == 2
    assert cli(*EXPORT).out == ""
    cli("undo", "--json").refused("othing")
    states = [one["state"] for one in cli("history", "--json").json]
    assert states == ["undone", "undone"]


@pytest.mark.skipif(os.name != "posix", reason="needs head")
def test_a_closed_pipe_is_no_error(filled: Path, home: Path) -> None:
    import subprocess
    import sys

    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "litscape_app", "--library", str(filled), *EXPORT],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_what_an_export_leaves_out_is_said(cli: Cli, tmp_path: Path) -> None:
    library, file = tmp_path / "library", tmp_path / "a.jsonl"
    record = {"citekey": "a", "title": "A", "collections": [["Wet"]], "raw_fields": {}}
    file.write_text(json.dumps(record), "utf-8")
    cli("--library", library, "import", file, "--json")
    ran = cli("export", "--format", "ris", tmp_path / "a.ris", "--json")
    assert ran.json["left_out"] == [{"what": "collections", "papers": 1}]
    assert "RIS has no place for collections (1 paper)" in ran.err
    assert "no place for collections" in cli("export", "--format", "ris", "-").err
    assert cli("export", "--format", "csv", "-").err == ""


def test_abstracts_are_counted_as_they_are_after_an_import(cli: Cli, tmp_path: Path) -> None:
    source, library = tmp_path / "refs.bib", tmp_path / "library"
    source.write_text("@book{a, title = {On Mud}}", encoding="utf-8")
    told = "None of them has an abstract"
    assert told in cli("--library", library, "import", source).out
    more = "@book{a, title = {On Mud}, abstract = {Mud moves.}}\n@book{b, title = {On Tide}}"
    source.write_text(more, encoding="utf-8")
    out = cli("--library", library, "import", source).out
    assert "1 added, 1 updated" in out
    assert told not in out
    with Library.open(library) as opened:
        report = opened.imports.report(2)
        assert (report.with_abstract, report.without_abstract) == (1, 1)
        opened.edit.edit("b", {"abstract": "It comes and goes."})
        assert opened.imports.report(2).without_abstract == 0


def test_undo_names_what_it_took_back(cli: Cli, filled: Path) -> None:
    assert cli("undo").out == "Undone: Import papers.bib (2 papers removed).\n"
    assert cli("redo").out == "Done again: Import papers.bib (2 papers added).\n"
    assert cli("tag", "add", "to read", "1").code == 0
    (title,) = [one["title"] for one in cli("history", "-n", "1", "--json").json]
    assert cli("undo").out == f"Undone: {title} (1 paper changed).\n"
