"""A Zotero for tests: its database made table by table, and a running one that answers."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Tables and columns that a Zotero database of user data 110 has, as far as they are read.
_OLD = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT, name TEXT);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, dateAdded TEXT,
  dateModified TEXT, libraryID INT, key TEXT, version INT, UNIQUE (libraryID, key));
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT,
  parentCollectionID INT, libraryID INT, key TEXT);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT,
  contentType TEXT, path TEXT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted TEXT);
INSERT INTO libraries VALUES (1, 'user'), (2, 'group'), (3, 'feed');
INSERT INTO groups VALUES (777, 2, 'Mud lab');
"""
_NEW = """
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted TEXT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INT);
CREATE TABLE retractedItems (itemID INTEGER PRIMARY KEY, data TEXT, flag INT);
CREATE TABLE relationPredicates (predicateID INTEGER PRIMARY KEY, predicate TEXT UNIQUE);
CREATE TABLE itemRelations (itemID INT, predicateID INT, object TEXT);
INSERT INTO relationPredicates VALUES (1, 'owl:sameAs'), (2, 'dc:relation');
"""
USER, GROUP, FEED = 1, 2, 3


@dataclass
class Maker:
    """Writes a Zotero database."""

    file: Path
    new: bool = True
    _next: int = 0

    def __post_init__(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.run(_OLD + (_NEW if self.new else ""))

    def run(self, script: str) -> None:
        with closing(sqlite3.connect(self.file)) as connection:
            connection.executescript(script)

    def _named(self, table: str, column: str, name: Any) -> int:
        """The id of a name in a table, made where it is not there."""
        with closing(sqlite3.connect(self.file)) as connection, connection:
            found = connection.execute(f"SELECT rowid FROM {table} WHERE {column} = ?", (name,))
            row = found.fetchone()
            if row is None:
                made = connection.execute(f"INSERT INTO {table}({column}) VALUES (?)", (name,))
                return int(made.lastrowid or 0)
            return int(row[0])

    def write(self, sql: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute(sql, values)

    def item(
        self, key: str, kind: str = "journalArticle", library: int = USER, **fields: Any
    ) -> int:
        self._next += 1
        number = self._next
        self.write(
            "INSERT INTO items VALUES (?, ?, '2026-01-02 03:04:05', '2026-01-02', ?, ?, 0)",
            number,
            self._named("itemTypes", "typeName", kind),
            library,
            key,
        )
        for name, value in fields.items():
            self.set(number, name, value)
        return number

    def set(self, item: int, name: str, value: Any) -> None:
        field_id = self._named("fields", "fieldName", name)
        self.write("DELETE FROM itemData WHERE itemID = ? AND fieldID = ?", item, field_id)
        value_id = self._named("itemDataValues", "value", value)
        self.write("INSERT INTO itemData VALUES (?, ?, ?)", item, field_id, value_id)

    def person(
        self, item: int, family: str, given: str = "", role: str = "author", mode: int = 0
    ) -> None:
        self._next += 1
        kind = self._named("creatorTypes", "creatorType", role)
        self.write("INSERT INTO creators VALUES (?, ?, ?, ?)", self._next, given, family, mode)
        self.write(
            "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", item, self._next, kind, self._next
        )

    def tag(self, item: int, name: str, kind: int = 0) -> None:
        self.write(
            "INSERT INTO itemTags VALUES (?, ?, ?)", item, self._named("tags", "name", name), kind
        )

    def collection(
        self, name: str, *items: int, parent: int | None = None, library: int = USER
    ) -> int:
        self._next += 1
        number = self._next
        key = f"COL{number:05}"
        self.write(
            "INSERT INTO collections VALUES (?, ?, ?, ?, ?)", number, name, parent, library, key
        )
        for item in items:
            self.write("INSERT INTO collectionItems VALUES (?, ?, 0)", number, item)
        return number

    def note(self, key: str, html: str, parent: int | None = None) -> int:
        number = self.item(key, "note")
        self.write("INSERT INTO itemNotes VALUES (?, ?, ?, '')", number, parent, html)
        return number

    def file_of(
        self, key: str, path: str | None, parent: int | None = None, mode: int = 0, **fields: Any
    ) -> int:
        number = self.item(key, "attachment", **fields)
        self.write(
            "INSERT INTO itemAttachments VALUES (?, ?, ?, 'application/pdf', ?)",
            number, parent, mode, path,
        )  # fmt: skip
        return number

    def trash(self, item: int) -> None:
        self.write("INSERT INTO deletedItems VALUES (?, '2026-01-01')", item)


@dataclass
class Zotero:
    """A running Zotero's local API over objects that a test keeps."""

    items: list[dict[str, Any]] = field(default_factory=list)
    collections: list[dict[str, Any]] = field(default_factory=list)
    groups: dict[int, Zotero] = field(default_factory=dict)
    trash: set[str] = field(default_factory=set)
    version: int = 10
    server_id: str | None = "first"
    page: int = 25
    status: int = 200
    fault: str = ""
    """How it fails: ``cut`` in the middle of an answer, or with ``garbage`` for JSON."""
    asked: list[str] = field(default_factory=list)
    unchanged: int = 0
    address: str = ""

    @property
    def source(self) -> str:
        return f"zotero:{self.address}"

    def put(self, key: str, kind: str = "journalArticle", **data: Any) -> dict[str, Any]:
        """Add or change an object; the library counts on."""
        self.version += 1
        self.items = [one for one in self.items if one["key"] != key]
        meta = data.pop("meta", {})
        whole = {"key": key, "itemType": kind, "tags": [], "collections": [], **data}
        one = {"key": key, "version": self.version, "meta": meta, "links": {}, "data": whole}
        self.items.append(one)
        return one

    def drop(self, key: str) -> None:
        self.version += 1
        self.items = [one for one in self.items if one["key"] != key]

    def folder(self, key: str, name: str, parent: str | bool = False) -> None:
        self.version += 1
        self.collections = [one for one in self.collections if one["key"] != key]
        data = {"key": key, "name": name, "parentCollection": parent}
        self.collections.append({"key": key, "version": self.version, "data": data})

    def find(self, path: list[str]) -> Any:
        """The list or object at a path below a library; None for nothing."""
        match path:
            case ["groups"]:
                return [{"id": n, "data": {"id": n, "name": f"Group {n}"}} for n in self.groups]
            case ["collections"]:
                return self.collections
            case ["items"]:
                return self.items
            case ["items", "top"]:
                return [one for one in self.items if "parentItem" not in one["data"]]
            case ["items", key]:
                return next((one for one in self.items if one["key"] == key), None)
            case ["items", key, "children"]:
                return [one for one in self.items if one["data"].get("parentItem") == key]
        return None


class _Handler(BaseHTTPRequestHandler):
    zotero: Zotero

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query))
        self.zotero.asked.append(self.path)
        kind, number, *path = url.path.removeprefix("/api/").split("/")
        library = self.zotero if kind == "users" else self.zotero.groups.get(int(number))
        found = library.find(path) if library is not None and kind in ("users", "groups") else None
        status = self.zotero.status if self.zotero.status != 200 else 404 if found is None else 200
        if library is None or status != 200:
            body = b"Local API is not enabled" if status == 403 else b"Not found"
            self._answer(status, body, {"Location": "http://127.0.0.1:1/"})
            return
        headers = {"Last-Modified-Version": str(library.version)}
        if self.zotero.server_id:
            headers["Zotero-Server-ID"] = self.zotero.server_id
        known = self.headers.get("If-Modified-Since-Version")
        if known is not None and int(known) >= library.version:
            self.zotero.unchanged += 1
            self._answer(304, b"", headers)
            return
        if isinstance(found, list):
            since = int(query.get("since", 0))
            found = [one for one in found if one.get("version", 1) > since]
            headers["Total-Results"] = str(len(found))
            if query.get("format") == "versions":
                found = {one["key"]: one["version"] for one in found}
            else:
                start = int(query.get("start", 0))
                size = min(int(query.get("limit", self.zotero.page)), self.zotero.page)
                found = found[start : start + size]
        self._answer(200, json.dumps(found).encode(), headers)

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        if self.zotero.fault == "garbage":
            body = b"{not JSON"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if self.zotero.fault == "cut" else body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@contextmanager
def running_zotero() -> Iterator[Zotero]:
    """A Zotero that listens."""
    served = Zotero()
    handler = type("Handler", (_Handler,), {"zotero": served})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    served.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
