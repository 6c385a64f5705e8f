"""Sources made to do harm: nothing outside them is read, run, reached, deleted or waited for."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import struct
import threading
import zipfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from litscape.errors import UserError
from litscape.importers.folders import files_in
from litscape.importers.registry import open_source
from litscape.library import Library
from litscape.paper import ImportProblem, PaperDraft
from litscape.store.foreign import private_copy
from litscape_app.window.details.links import links_of, open_address
from litscape_app.window.details.prose import Prose
from litscape_app.window.widgets.basics import label
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from litscape.paper import Paper

SECRET = "the-content-of-a-private-file"
ZOTERO = Path(__file__).parents[1] / "data" / "zotero"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET, encoding="utf-8")
    return path


def read(path: Path) -> list[PaperDraft | ImportProblem]:
    found = [*open_source(path).read()]
    assert all(isinstance(one, PaperDraft | ImportProblem) for one in found)
    return found  # type: ignore[return-value]


# -- XML -------------------------------------------------------------------------------------

BODIES = {
    "endnote-xml": "<xml><records><record><ref-type name='Book'>6</ref-type><titles><title>"
    "Seen {0}</title></titles></record></records></xml>",
    "pubmed-xml": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>"
    "<ArticleTitle>Seen {0}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    "</PubmedArticleSet>",
    "zotero-rdf": "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:bib="
    "'http://purl.org/net/biblio#' xmlns:dc='http://purl.org/dc/elements/1.1/'><bib:Book "
    "rdf:about='#a'><dc:title>Seen {0}</dc:title></bib:Book></rdf:RDF>",
}
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol" * 10}">' for n in range(12))
DECLARED = {
    "a local file": '<!ENTITY e SYSTEM "{address}">',
    "an address": '<!ENTITY e SYSTEM "http://127.0.0.1:9/x">',
    "a parameter entity": '<!ENTITY % p SYSTEM "{address}"> %p; <!ENTITY e "x">',
    "a billion laughs": f'{LAUGHS}<!ENTITY e "&l11;">',
    "a quadratic blow-up": f'<!ENTITY e "{"a" * 50_000}">',
}


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("kind", BODIES)
def test_no_entity_of_a_file_is_expanded(
    tmp_path: Path, secret: Path, kind: str, declared: str
) -> None:
    entities = DECLARED[declared].replace("{address}", secret.as_uri())
    path = tmp_path / "a.xml"
    body = BODIES[kind].format("&e;" * (5000 if "quadratic" in declared else 1))
    path.write_text(f'<?xml version="1.0"?>\n<!DOCTYPE x [{entities}]>\n{body}', encoding="utf-8")
    assert open_source(path, kind).kind == kind
    found = [*open_source(path, kind).read()]
    assert any(isinstance(one, ImportProblem) for one in found)
    assert SECRET not in repr(found)
    for one in found:
        assert not isinstance(one, PaperDraft) or len(one.title or "") < 50_000


@pytest.mark.parametrize("kind", BODIES)
def test_deep_nesting_ends_in_a_record_or_a_problem(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(BODIES[kind].format("<b>" * 50_000 + "x" + "</b>" * 50_000), encoding="utf-8")
    assert [*open_source(path, kind).read()]


@pytest.mark.parametrize("kind", ["csl-json", "openalex", "semantic-scholar", "jsonl"])
def test_deep_json_ends_in_a_sentence(tmp_path: Path, library: Library, kind: str) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"title": ' + "[" * 200_000 + "]" * 200_000 + "}\n", encoding="utf-8")
    report = library.imports.run([path], kind=kind)
    assert report.added + report.skipped == report.records


# -- databases -------------------------------------------------------------------------------


def database(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


NEEDED = (
    *("items", "itemTypes", "itemData", "itemDataValues", "libraries", "fields", "creators"),
    *("itemCreators", "collections", "collectionItems", "itemTags", "tags", "deletedItems"),
    *("itemNotes", "itemAttachments"),
)
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS {} FROM n"
STRANGERS = {
    "another program's": "CREATE TABLE moz_places (id, url);",
    "names alone": "".join(f"CREATE TABLE {name} (x);" for name in NEEDED),
    "endless views": "".join(f"CREATE VIEW {name} AS {ENDLESS.format('type')};" for name in NEEDED),
    "Mendeley's names alone": "CREATE TABLE Documents (x); CREATE TABLE DocumentContributors (x);",
    "Mendeley's names as views": "".join(
        f"CREATE VIEW {name} AS {ENDLESS.format('id')};"
        for name in ("Documents", "DocumentContributors")
    ),
    "computed values": "CREATE TABLE DocumentContributors (documentId, lastName);"
    "CREATE TABLE Documents (id, title AS (printf('%.*c', 200000000, 'x')));"
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500)"
    "INSERT INTO Documents (id) SELECT x FROM n;",
}


@pytest.mark.parametrize("script", STRANGERS)
@pytest.mark.parametrize("name", ["zotero.sqlite", "any.sqlite"])
def test_a_database_of_another_program_ends_in_a_sentence(
    tmp_path: Path, library: Library, name: str, script: str
) -> None:
    path = database(tmp_path / name, STRANGERS[script])
    before = path.read_bytes()
    with pytest.raises(UserError) as told:
        library.import_file(path)
    assert str(path) in str(told.value)
    assert len(library.papers) == 0
    assert path.read_bytes() == before


def test_views_and_triggers_in_a_real_database_never_run(tmp_path: Path, library: Library) -> None:
    source = next(iter(sorted(ZOTERO.glob("*.sqlite"))))
    path = Path(shutil.copy(source, tmp_path / "zotero.sqlite"))
    with Library.open(tmp_path / "plain") as plain:
        expected = plain.import_file(path).added
    assert expected
    database(
        path,
        f"CREATE VIEW itemAnnotationsX AS {ENDLESS.format('x')};"
        "DROP TABLE IF EXISTS retractedItems;"
        f"CREATE VIEW retractedItems AS {ENDLESS.format('itemID')};"
        "CREATE TRIGGER gone AFTER INSERT ON items BEGIN DELETE FROM items; END;",
    )
    before = path.read_bytes()
    assert library.import_file(path).added == expected
    assert path.read_bytes() == before


def hot_journal(path: Path) -> Path:
    """A database whose program died in the middle of a change that its journal can undo."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 5")
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [("y" * 900,)] * 200)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE t SET x = replace(x, 'y', 'z')")
        copy = path.with_name(f"copy-{path.name}")
        for end in ("", "-journal"):
            shutil.copy(f"{path}{end}", f"{copy}{end}")
        connection.execute("ROLLBACK")
    return copy


def test_a_journal_deletes_no_file_that_it_names(tmp_path: Path, secret: Path) -> None:
    path = hot_journal(tmp_path / "a.sqlite")
    journal = Path(f"{path}-journal")
    name = str(secret).encode()
    end = struct.pack(">I", (1 << 30) // 4096 + 1) + name
    end += struct.pack(">II", len(name), sum(name)) + bytes.fromhex("d9d505f920a163d7")
    journal.write_bytes(journal.read_bytes() + end)
    with private_copy(path) as copy:
        assert copy.rows("SELECT DISTINCT substr(x, 1, 1) FROM t") == [("y",)]
    assert secret.read_text(encoding="utf-8") == SECRET
    assert journal.read_bytes().endswith(end)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_the_place_of_a_log_is_not_waited_for(tmp_path: Path) -> None:
    path = database(tmp_path / "a.sqlite", "CREATE TABLE t (x);")
    os.mkfifo(f"{path}-wal")
    done: list[frozenset[str]] = []

    def look() -> None:
        with private_copy(path) as copy:
            done.append(copy.tables)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(20)
    assert done == [frozenset({"t"})]


# -- packed files ----------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b'{"title": "a"}\n', b" ", b"\x00"])
def test_a_file_that_unpacks_without_end_is_refused(
    tmp_path: Path, library: Library, content: bytes
) -> None:
    path = tmp_path / "a.jsonl.gz"
    part = gzip.compress(content * ((1 << 24) // len(content)), 9)
    path.write_bytes(part * 100)
    with pytest.raises(UserError, match="unpacks to over"):
        library.import_file(path)


def test_an_archive_is_not_opened(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "a.bib"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escaped.bib", "@book{a, title = {A}}")
    with pytest.raises(UserError, match="a zip archive"):
        library.import_file(path)
    assert not [*tmp_path.parent.glob("escaped*")]


# -- paths -----------------------------------------------------------------------------------

PATHS = {
    "../../../../etc/passwd": "../../../../etc/passwd",
    "/etc/passwd": "/etc/passwd",
    "//host/share/a.pdf": "//host/share/a.pdf",
    "file://host/share/b.pdf": "//host/share/b.pdf",
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.bib", "@book{{a, title = {{A}}, file = {{{0}}}}}"),
        ("a.ris", "TY  - BOOK\nTI  - A\nL1  - {0}\nER  - \n"),
    ],
)
def test_a_path_that_climbs_out_is_only_text(
    tmp_path: Path, library: Library, name: str, text: str, path: str
) -> None:
    source = tmp_path / name
    source.write_text(text.format(path), encoding="utf-8")
    library.import_file(source)
    paper = only(library)
    assert [one.path for one in paper.files] == [PATHS[path]]
    # Nobody asks a server whether it has a file.
    assert "host" not in path or paper.files[0].exists is None
    assert "root:" not in repr(paper)


def only(library: Library) -> Paper:
    (paper,) = library.papers
    return paper


def test_a_folder_is_read_without_following_links(tmp_path: Path, library: Library) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for place in (outside, folder / "in"):
        place.mkdir(parents=True)
    (folder / "a.bib").write_text("@book{a, title = {A}}", encoding="utf-8")
    (outside / "b.bib").write_text("@book{b, title = {B}}", encoding="utf-8")
    try:
        (folder / "in" / "up").symlink_to(folder, target_is_directory=True)
        (folder / "out").symlink_to(outside, target_is_directory=True)
        (folder / "loop.bib").symlink_to(folder / "loop.bib")
        (folder / "gone.bib").symlink_to(tmp_path / "nowhere.bib")
    except OSError:
        pytest.skip("no links here")
    assert [*files_in(folder)] == [folder / "a.bib"]
    assert library.import_file(folder).added == 1


# -- on the screen ---------------------------------------------------------------------------

MARKUP = (
    "<script>alert(1)</script>"
    "<img src='http://127.0.0.1:9/x.png' onerror='alert(1)'>"
    "<img src='file:///etc/hostname'>"
    "<a href='javascript:alert(1)'>link</a> <a href='file:///bin/sh'>run</a>"
    "<style>@import url(http://127.0.0.1:9/x.css)</style><iframe src='http://127.0.0.1:9/'></iframe>"
)


def test_markup_on_the_screen_is_only_letters(qtbot: QtBot) -> None:
    prose = Prose()
    qtbot.addWidget(prose)
    loaded: list[object] = []
    prose.loadResource = lambda *asked: loaded.append(asked)  # type: ignore[method-assign]
    prose.show_text(MARKUP)
    prose.resize(300, 300)
    assert not prose.grab().isNull()
    assert prose.toPlainText() == MARKUP
    formats = [one.toCharFormat() for one in prose.document().allFormats()]
    assert not any(one.isImageFormat() or one.isAnchor() for one in formats)
    shown = label(MARKUP)
    qtbot.addWidget(shown)
    assert shown.textFormat() == Qt.TextFormat.PlainText
    assert "<img" not in plain_tooltip(MARKUP)
    assert "<script" not in plain_tooltip(MARKUP)
    assert loaded == []


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file:///bin/sh", "data:text/html,x", "//host/x", "ms-word:ofe|u|x"],
)
def test_only_web_addresses_become_links(tmp_path: Path, library: Library, address: str) -> None:
    path = tmp_path / "a.ris"
    path.write_text(f"TY  - BOOK\nTI  - A\nUR  - {address}\nER  - \n", encoding="utf-8")
    library.import_file(path)
    assert links_of(only(library)) == ()
    assert not open_address(address)
