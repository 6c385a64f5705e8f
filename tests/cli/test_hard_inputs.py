"""What people do by mistake or by chance: closed streams, odd names, filters that name nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Cli

BELL = "@article{bell1876, title={Researches in Telephony}, author={Bell, A}, year={1876}}\n"
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


@pytest.mark.parametrize(
    "assignment",
    [
        'authors=[{"family": 5}]',
        'authors=[{"literal": ["x"]}]',
        'authors=[{"given": "Ann"}]',
        "authors=[[]]",
        "collections=[1, null, {}]",
        'collections=[[["x"]]]',
        'files=[{"path": "a.pdf", "title": 7}]',
        'files=[{"path": "a.pdf", "exists": "yes"}]',
        "keywords=[1e999]",
        "notes=" + "[" * 100_000,
        'raw_fields={"a": 1e999}',
        "year=" + "9" * 30,
        "year=99999",
    ],
)
def test_values_that_do_not_fit(cli: Cli, filled: Path, assignment: str) -> None:
    cli("edit", "bell1876", "--set", assignment).refused(assignment.partition("=")[0])


def test_numbers_out_of_bounds(cli: Cli, filled: Path) -> None:
    huge = "1" + "0" * 20
    for arguments in (
        ("similar", "1", "-k", huge),
        ("search", "x", "-k", huge),
        ("history", "-n", huge),
        ("list", "-n", huge),
    ):
        cli(*arguments).refused("is not a whole number")
    cli("list", "--year", huge).refused("is not a year")
    cli("show", huge).refused("no paper")
    cli("add", "--title", "A", "--year", huge).refused("year must be")
    cli("add", "--title", "A", "--citekey", "a b").refused("citekey must be")


@posix
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("list --json >&-", "no standard output"),
        ("import {bib} >&-", "no standard output"),
        ("add --bibtex - <&-", "no standard input"),
        ("list --sort nonsense >&- 2>&-", ""),
        ("list >&- 2>&-", ""),
    ],
)
def test_closed_streams(filled: Path, bib: Path, home: Path, command: str, words: str) -> None:
    program = f"{sys.executable} -m litscape_app --library {filled}"
    done = subprocess.run(
        ["sh", "-c", f"{program} {command.format(bib=bib)}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@posix
def test_words_that_are_no_text(program: Cli, filled: Path) -> None:
    cafe = os.fsdecode(b"caf\xe9")
    for arguments in (("add", "--title", cafe), ("search", cafe), ("tag", "add", cafe, "1")):
        program("--library", filled, *arguments).refused("not valid text", "UTF-8")


def test_half_a_character_in_json_is_stored_as_a_mark(cli: Cli, filled: Path) -> None:
    cli("edit", "1", "--set", 'keywords=["a\\ud800\\u0000b"]')
    assert cli("show", "1", "--json").json[0]["keywords"] == ["a\ufffdb"]


def test_one_file_by_several_paths(cli: Cli, filled: Path, bib: Path) -> None:
    inner = bib.parent / "inner"
    inner.mkdir()
    winding = inner / ".." / bib.name
    link = inner / "link.bib"
    link.symlink_to(bib)
    bib.write_text(bib.read_text("utf-8").replace("Researches", "More researches"), "utf-8")
    report = cli("import", winding, "--json").json
    assert (report["added"], report["updated"], report["merged"]) == (0, 1, 0)
    assert {one["source"] for one in report["issues"]} == {str(bib)}
    assert cli("import", link, "--json").json["unchanged"] == 2
    bib.write_text(BELL, "utf-8")
    assert cli("import", link, "--json").json["updated"] == 1
    shown = cli("show", "bell1876", "darwin1859", "--json").json
    assert [one["missing_in_source"] for one in shown] == [False, True]


def test_a_file_known_by_a_link_is_known_by_its_own_path(
    cli: Cli, bib: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.bib"
    link.symlink_to(bib)
    library = tmp_path / "library"
    report = cli("--library", library, "import", link, "--json").json
    assert {one["source"] for one in report["issues"]} == {str(link)}
    assert cli("import", bib, "--json").json["unchanged"] == 2
    assert cli("import", bib, link, "--json").json["unchanged"] == 4


def test_the_report_names_the_file_of_each_line(cli: Cli, tmp_path: Path) -> None:
    for name in ("a.bib", "b.bib"):
        (tmp_path / name).write_text(f"@book{{{name}, title={{Never closed", "utf-8")
    library = tmp_path / "library"
    text = cli("--library", library, "import", tmp_path / "a.bib", tmp_path / "b.bib").out
    assert "skipped: a.bib, line 1: " in text
    assert "skipped: b.bib, line 1: " in text
    assert "skipped: line 1: " in cli("import", tmp_path / "a.bib").out


def test_pairs_are_told_by_their_keys(cli: Cli, filled: Path, bib: Path) -> None:
    bib.with_name("more.bib").write_text(BELL.replace("bell1876", "bell"), "utf-8")
    text = cli("import", bib.with_name("more.bib")).out
    assert "1 pair of papers may be one work:\n  bell1876 and bell: Researches in Telephony" in text


def test_every_source_that_cannot_be_read_is_named(cli: Cli, filled: Path, bib: Path) -> None:
    letter = bib.with_name("letter.txt")
    letter.write_text("Dear reader,\n\nthis is a letter.\n", "utf-8")
    none = bib.with_name("none.bib")
    good = bib.with_name("good.bib")
    good.write_text("@book{good, title={Good}}", "utf-8")
    cli("import", good, letter, none).refused(str(letter), str(none), "Nothing was imported")
    assert len(cli("list", "--json").json) == 2


def test_a_file_without_a_record_of_the_kind_is_told(cli: Cli, filled: Path, bib: Path) -> None:
    report = cli("import", bib, "--kind", "ris", "--json").json
    assert (report["records"], report["batch"]) == (0, None)
    assert "no-record" in {one["code"] for one in report["issues"]}
    assert "RIS" in cli("import", bib, "--kind", "ris").out
    assert not any(one["missing_in_source"] for one in cli("show", "1", "2", "--json").json)


def test_an_empty_json_list_holds_no_record(cli: Cli, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    for text in ("[]", "[\n]\n"):
        file.write_text(text, "utf-8")
        report = cli("import", file, "--json").json
        assert (report["records"], report["batch"]) == (0, None)
        assert [one["code"] for one in report["issues"]] == ["no-record"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.json",
            '[{"id": "a", "type": "book", "title": "A", "issued": {"date-parts": [[1e999]]}}]',
        ),
        ("a.jsonl", '{"citekey": "a", "title": "A", "year": 1e999, "volume": NaN}'),
    ],
)
def test_numbers_that_no_number_can_be(cli: Cli, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert cli("--library", tmp_path / "library", "import", tmp_path / name).code == 0
    (paper,) = cli("show", "a", "--json").json
    assert (paper["year"], paper["year_raw"]) == (None, "1e999")


def test_reading_commands_make_no_library(cli: Cli, tmp_path: Path) -> None:
    empty, missing = tmp_path / "empty", tmp_path / "a" / "missing"
    empty.mkdir()
    export = ("export", "--format", "jsonl", "-")
    for folder in (empty, missing):
        ran = cli("--library", folder, *export)
        assert (ran.code, ran.out, ran.err) == (0, "", "")
    for command in (("list",), ("history",), ("tag",), ("trash",), ("collection",), ("models",)):
        assert cli("--library", empty, *command).code == 0
        cli("--library", missing, *command).refused("no library at")
    assert cli("--library", empty, "info", "--json").json["folder"] == str(empty)
    assert list(empty.iterdir()) == []
    assert not missing.parent.exists()
    cli("list").refused("No library has been opened yet")


def test_an_import_that_fails_leaves_no_new_library(cli: Cli, bib: Path, tmp_path: Path) -> None:
    empty, missing = tmp_path / "empty", tmp_path / "a" / "missing"
    empty.mkdir()
    for source in (tmp_path / "none.bib", "zotero:http://127.0.0.1:1"):
        for folder in (empty, missing):
            assert cli("--library", folder, "import", source).code == 2
    cli("--library", missing, "delete", "1").refused("no library at")
    assert list(empty.iterdir()) == []
    assert not missing.parent.exists()
    cli("list").refused("No library has been opened yet")
    assert cli("--library", missing, "import", bib).code == 0
    assert len(cli("list", "--json").json) == 2


def test_names_that_nothing_has(cli: Cli, filled: Path) -> None:
    for command in (("list",), ("search", "x"), ("export", "--format", "csv", "-")):
        cli(*command, "--tag", "nosuch").refused("There is no tag “nosuch”.", "litscape tag list")
    ran = cli("list", "--type", "nosuch", "--json")
    assert ran.json == []
    assert "No paper is of the type nosuch; types are: article, book." in ran.err
    assert cli("list", "--type", "book", "--json").err == ""


def test_names_that_are_nearly_there(cli: Cli, filled: Path) -> None:
    cli("tag", "add", "To Read", "1")
    cli("collection", "add", "Water/Rivers", "1")
    for command in (("list",), ("search", "x"), ("export", "--format", "csv", "-")):
        cli(*command, "--tag", "to raed").refused("no tag “to raed”; near it: “To Read”")
        cli(*command, "--collection", "rivers").refused("near it: “Water/Rivers”")
        assert cli(*command, "--tag", "to read").code == 0
    for act in (("rename", "to raed", "x"), ("delete", "to raed"), ("remove", "to raed", "1")):
        cli("tag", *act).refused("near it: “To Read”")
    query = cli("search", 'tag:"to raed"', "--json")
    assert (query.json, query.err.count("near it: “To Read”")) == ([], 1)
    assert [one["id"] for one in cli("search", 'tag:"TO READ"', "--json").json] == [1]
    assert "already" in cli("tag", "add", "To Read", "1").out
    assert cli("tag", "remove", "to read", "1", "--json").json["changed"] == [1]


def test_notes_keep_their_lines_out_and_in_again(cli: Cli, filled: Path, tmp_path: Path) -> None:
    note = "Cracks:\n- at welds\n- at rivets\n\nRead again."
    cli("edit", "1", "--set", f"notes={note}")
    assert cli("show", "1", "--json").json[0]["notes"] == [note]
    shown = [line.strip() for line in cli("show", "1").out.splitlines()]
    assert "- at welds" in shown
    file = tmp_path / "all.jsonl"
    assert cli("export", "--format", "jsonl", file).code == 0
    assert cli("--library", tmp_path / "again", "import", file).code == 0
    again = cli("--library", tmp_path / "again", "show", "1", "--json").json[0]
    assert again["notes"] == [note]
    assert cli("--library", tmp_path / "again", "import", file, "--json").json["unchanged"] == 2


def test_a_query_of_nothing(cli: Cli, filled: Path) -> None:
    for mode in ("lexical", "semantic", "hybrid"):
        for blank in ("", "  ", "\n"):
            cli("search", blank, "--mode", mode).refused("nothing to search for", "litscape list")
    assert [one["id"] for one in cli("search", "", "--type", "book", "--json").json] == [2]
    assert len(cli("search", "", "--year", "1800-1900", "--json").json) == 2


def test_ids_and_filters_hold_together(cli: Cli, filled: Path) -> None:
    ran = cli("export", "--format", "jsonl", "-", "--ids", "1,2", "--type", "book")
    assert [json.loads(line)["citekey"] for line in ran.out.splitlines()] == ["darwin1859"]


def test_a_collection_keeps_a_name_that_a_path_can_hold(cli: Cli, filled: Path) -> None:
    cli("collection", "create", "Water")
    cli("collection", "rename", "Water", "p/q").refused("slash")
    cli("edit", "1", "--set", 'collections=[["AC/DC"]]')
    assert len(cli("list", "--collection", "AC/DC", "--json").json) == 1


def test_alike_and_unlike_at_once(cli: Cli, filled: Path) -> None:
    cli("similar", "1", "--not", "bell1876").refused("bell1876", "once")


def test_an_address_that_is_none(cli: Cli) -> None:
    for text in ("nonsense", "a@b", "a b@c.org", "<a@b.org>"):
        cli("settings", "set", "mail", text).refused("mail")
    assert cli("settings", "set", "mail", "ada@example.org", "--json").json["mail"]
    assert cli("settings", "set", "mail", "", "--json").json["mail"] == ""


def test_a_backup_into_a_folder_that_is_missing(cli: Cli, filled: Path, tmp_path: Path) -> None:
    for place in (tmp_path / "stick", f"{tmp_path}/disk/"):
        file = Path(cli("backup", place, "--json").json["file"])
        assert (file.parent, file.suffix) == (Path(place), ".sqlite")
    assert cli("backup", tmp_path / "new" / "copy.sqlite").code == 0
    assert (tmp_path / "new" / "copy.sqlite").is_file()


def test_a_guessed_encoding_is_told(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "old.bib"
    text = (
        "@article{a, title = {Вода и лёд в реках и озёрах}, author = {Иванов, Пётр}, year = 1990}\n"
    )
    path.write_bytes(text.encode("cp1251"))
    told = cli("--library", tmp_path / "old", "import", path).out
    assert "choose another encoding" in told


def test_a_cut_off_list_is_told_in_words(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('[{"id": "a", "type": "book", "title": "A"}, {"id": "b", "title": "Wat')
    told = cli("--library", tmp_path / "cut", "import", path, "--json").json
    (issue,) = [one for one in told["issues"] if one["code"] == "file-truncated"]
    assert "A text in quotes has no end, begun in line 1." in issue["message"]


def test_no_papers_at_all_can_not_be_asked_for(cli: Cli, filled: Path) -> None:
    cli("list", "-n", "0").refused("-n")
