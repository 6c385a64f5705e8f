"""``litscape topics``, as a person types it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.topics.support import SUBJECTS, planted

from litscape.library import Library
from litscape_app.cli.commands.topics import TOPICS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_topics_are_found_named_and_worked_on(cli: Cli, tmp_path: Path) -> None:
    planted(tmp_path / "library", 120).close()
    made = cli("--library", tmp_path / "library", "topics", "--json").json
    assert (made["levels"], made["papers"], made["unassigned"]) == (1, 120, [0.0])
    commands = {one.name: one for one in TOPICS.commands}
    assert set(made) == set(commands["make"].keys) == {*commands["list"].keys, "replaced"}
    first, second, third, last = made["topics"]
    assert first["terms"][0] in {term for subject in SUBJECTS for term in subject}
    assert cli("topics", "--json").json["key"] == made["key"]  # told, not made again
    assert first["name"] in cli("topics").out

    assert cli("topics", "rename", first["name"], "My field", "--json").json["structure"]
    papers = cli("topics", "papers", "my field", "--json").json
    assert (len(papers), set(papers[0])) == (30, set(commands["papers"].keys))
    cli("topics", "rename", str(second["id"]), "my field").refused("already")
    cli("topics", "papers", "fishing").refused("no topic")
    assert "60 papers" in cli("topics", "merge", "My field", str(second["id"])).out
    assert "into 2 topics" in cli("topics", "split", "My field").out
    tagged = cli("topics", "to-tag", str(third["id"]), "mine", "--json").json
    assert len(tagged["changed"]) == 30
    put = cli("topics", "to-collection", str(last["id"]), "Fields/Last", "--json").json
    assert len(put["changed"]) == 30
    assert cli("topics", "place", "--json").json["change"] is None
    found = cli("search", f'tag:mine topic:"{third["name"]}"', "-k", "100", "--json").json
    assert len(found) == 30

    listed = cli("topics", "list", "--json").json
    assert [one["name"] for one in listed[0]["topics"]].count("My field") == 1
    cli("topics", "remove", str(made["key"]))
    assert "No topics" in cli("topics", "list").out
    assert cli("undo").code == 0
    assert len(cli("topics", "list", "--json").json[0]["topics"]) == 4


def test_found_anew_topics_tell_which_own_ones_they_replace(cli: Cli, tmp_path: Path) -> None:
    planted(tmp_path / "library", 40).close()
    made = cli("--library", tmp_path / "library", "topics", "--json").json
    first, second, third, *_rest = made["topics"]
    assert cli("topics", "--again", "--json").json["replaced"] == [], "nobody worked on them"
    made = cli("topics", "--json").json
    first, second, third, *_rest = made["topics"]
    cli("topics", "rename", str(first["id"]), "My field")
    merged = cli("topics", "merge", str(second["id"]), str(third["id"])).out
    assert "20 papers" in merged
    again = cli("topics", "--again")
    assert "Topics that you had named, merged or split were replaced: “" in again.out
    assert "`litscape undo` brings them back." in again.out
    names = [one["name"] for one in cli("topics", "--json").json["topics"]]
    assert "My field" in names, "a name stays where the papers do"
    assert len(names) == 4
    cli("undo")
    there = cli("topics", "--json").json["topics"]
    assert sorted(one["papers"] for one in there) == [10, 10, 20]
    cli("topics", "rename", "My field", "Mine")
    other = cli("topics", "--seed", "3", "--json").json["replaced"]
    assert len(other) == 1, "another seed replaces them as well"


def test_a_library_without_papers_says_so(cli: Cli, tmp_path: Path) -> None:
    Library.open(tmp_path / "library").close()
    cli("--library", tmp_path / "library", "topics").refused("no papers")
