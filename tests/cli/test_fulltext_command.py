"""``litscape fulltext`` and ``search --inside``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.fulltext.conftest import bib
from tests.pdf_support import pdf_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli


def test_build_search_and_clear(cli: Cli, tmp_path: Path) -> None:
    run = partial(cli, "--library", str(tmp_path / "library"))
    (tmp_path / "a.pdf").write_bytes(pdf_of("Nothing", "A zebra here"))
    source = tmp_path / "refs.bib"
    source.write_text(bib({"a": "a.pdf", "b": "b.pdf"}), encoding="utf-8")
    run("import", str(source))
    assert "run `litscape fulltext build`" in run("fulltext", "search", "zebra").out
    assert run("fulltext", "status", "--json").json["pending"] == 2
    built = run("fulltext", "build", "--json").json
    assert (built["files"], built["read"], built["pages"]) == (2, 1, 2)
    assert [one["file"] for one in built["unread"]] == [str(tmp_path / "b.pdf")]
    assert "1 of 2 PDFs" in run("fulltext").out
    (hit,) = run("fulltext", "search", "zebra", "--json").json
    assert (hit["citekey"], hit["page"], hit["marks"]) == ("a", 2, [[2, 7]])
    (page,) = run("fulltext", "search", "zebra", "--paper", "a", "--json").json
    assert page == hit
    assert "A *zebra* here" in run("search", "zebra", "--inside", "--mode", "lexical").out
    (hit,) = run("search", "text:zebra", "--json").json
    assert hit["why"] == ["in its PDF, page 2"]
    assert hit["inside"]["file"] == str(tmp_path / "a.pdf")
    nothing = run("search", "text:okapi")
    assert "No PDF that was read has “okapi”." in nothing.out + nothing.err
    run("add", "--title", "Retrieval of zebras")
    slip = run("fulltext", "search", "retreival")
    assert "Perhaps you meant “retrieval”." in slip.out + slip.err
    mended = run("fulltext", "search", "zebbras", "--json")
    assert [one["citekey"] for one in mended.json] == ["a"]
    assert "searched “zebras” instead" in mended.err
    assert run("fulltext", "clear", "--json").json["freed"] > 0
    assert run("fulltext", "search", "zebra", "--json").json == []
