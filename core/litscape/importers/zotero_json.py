"""Items as Zotero's API gives them, put together with what hangs on them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from litscape.importers.zotero_fields import related_key
from litscape.importers.zotero_items import (
    NO_PAPERS,
    Attachment,
    Creator,
    LinkMode,
    ZoteroItem,
)
from litscape.importers.zotero_loose import loose
from litscape.importers.zotero_scope import in_order, paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.paper import ImportProblem

Object = dict[str, Any]
_MODES = {mode.name.lower(): mode for mode in LinkMode}
_NO_FIELDS = frozenset(
    {"key", "version", "itemType", "parentItem", "note", "deleted", "inPublications", "mtime"}
    | {"dateModified", "linkMode", "contentType", "charset", "filename", "path", "md5"}
)
_TIMES = ("dateAdded", "accessDate")
_PARSED = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


class Tree:
    """The collections of a library that are not in the trash.

    All paths begin with ``top``; works that are in none of the collections are in that.
    """

    def __init__(self, objects: Iterable[Object], top: tuple[str, ...] = ()) -> None:
        data = [_data(one) for one in objects]
        listed = {str(one.get("key")): one for one in data if one.get("key")}
        gone = {key for key, one in listed.items() if one.get("deleted")}
        parents = {key: _parent(one) for key, one in listed.items()}
        while more := {key for key, above in parents.items() if above in gone and key not in gone}:
            gone |= more
        self.parents = {key: above for key, above in parents.items() if key not in gone}
        self.names = {key: str(listed[key].get("name", "")) for key in self.parents}
        self.top = top
        self.paths = paths(self.names, self.parents, top)

    def marks(self) -> dict[str, list[str | None]]:
        """What shows whether a path changed."""
        found = {key: [self.names[key], self.parents[key]] for key in self.parents}
        return {**found, "": list(self.top)} if self.top else found

    def listed(self) -> list[tuple[str, tuple[str, ...], str | None]]:
        """Key, path and key of the parent of each, in the order of their paths."""
        return in_order(self.paths, self.parents)


class Family:
    """Objects of a library sorted: works with what hangs on them, and what hangs on nothing."""

    def __init__(self, objects: Iterable[Object], library: str, tree: Tree) -> None:
        live = {str(data["key"]): one for one in objects if (data := _data(one)) and _live(data)}
        self.works: dict[str, ZoteroItem] = {}
        self.members: dict[str, frozenset[str]] = {}
        self.parents: dict[str, str] = {}
        self.remarks: list[ImportProblem] = []
        self.annotations = 0
        for key, one in live.items():
            data = _data(one)
            if data.get("itemType") not in NO_PAPERS:
                self.works[key] = _work(one, library, tree)
                self.members[key] = frozenset(map(str, _list(data.get("collections"))))
        for key, one in live.items():
            if key not in self.works:
                self._hang(key, one)

    def _hang(self, key: str, one: Object) -> None:
        data = _data(one)
        kind, parent = str(data.get("itemType")), str(data.get("parentItem") or "")
        self.parents[key] = parent
        note = str(data.get("note") or "")
        if kind == "annotation":
            self.annotations += 1
        elif not parent:
            self.remarks.append(loose(key, kind, str(data.get("title") or ""), note))
        elif parent in self.works:
            item = self.works[parent]
            if note:
                item.notes.append(note)
            if kind == "attachment":
                item.attachments.append(_attachment(one))


def _data(one: Object) -> Object:
    found = one.get("data", one)
    return found if isinstance(found, dict) else {}


def _live(data: Mapping[str, Any]) -> bool:
    return bool(data.get("key")) and not data.get("deleted")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _parent(data: Mapping[str, Any]) -> str | None:
    above = data.get("parentCollection")
    return above if isinstance(above, str) and above else None


def _work(one: Object, library: str, tree: Tree) -> ZoteroItem:
    data = _data(one)
    item = ZoteroItem(str(data["key"]), library, str(data.get("itemType") or "document"))
    for name, value in data.items():
        if name not in _NO_FIELDS and isinstance(value, str | int | float) and str(value).strip():
            item.fields[name] = str(value)
    for name in _TIMES:
        if name in item.fields:
            item.fields[name] = item.fields[name].removesuffix("Z").replace("T", " ")
    _set_date(item, one)
    item.creators = [_creator(person) for person in _list(data.get("creators")) if person]
    for tag in _list(data.get("tags")):
        if isinstance(tag, dict) and tag.get("tag"):
            kept = item.automatic_tags if tag.get("type") == 1 else item.tags
            kept.append(str(tag["tag"]))
    keys = map(str, _list(data.get("collections")))
    item.collections = [tree.paths[key] for key in keys if key in tree.paths]
    if tree.top and not item.collections:
        item.collections.append(tree.top)
    relations = data.get("relations")
    related = relations.get("dc:relation") if isinstance(relations, dict) else None
    addresses = [related] if isinstance(related, str) else _list(related)
    item.related = [related_key(str(address)) for address in addresses]
    return item


def _set_date(item: ZoteroItem, one: Object) -> None:
    """Write the date as the database has it: the date that Zotero read, then the text."""
    meta = one.get("meta")
    parsed = meta.get("parsedDate") if isinstance(meta, dict) else None
    if "date" in item.fields and isinstance(parsed, str) and _PARSED.fullmatch(parsed):
        whole = parsed + "-00" * ((10 - len(parsed)) // 3)
        item.fields["date"] = f"{whole} {item.fields['date']}"


def _creator(person: Any) -> Creator:
    told = person if isinstance(person, dict) else {"name": person}
    role = str(told.get("creatorType") or "contributor")
    name = told.get("name")
    if name:
        return Creator(role, str(name), "", True)
    return Creator(role, str(told.get("lastName") or ""), str(told.get("firstName") or ""))


def _attachment(one: Object) -> Attachment:
    data, links = _data(one), one.get("links")
    mode = _MODES.get(str(data.get("linkMode")), LinkMode.LINKED_URL)
    path, name = str(data.get("path") or ""), str(data.get("filename") or "")
    enclosure = links.get("enclosure") if isinstance(links, dict) else None
    address = str(enclosure.get("href", "")) if isinstance(enclosure, dict) else ""
    if not path and address.startswith("file://"):
        path = url2pathname(urlsplit(address).path)
    elif not path and name:
        path = f"storage:{name}"
    return Attachment(
        str(data["key"]),
        mode,
        path,
        str(data.get("title") or ""),
        str(data.get("contentType") or ""),
        str(data.get("url") or ""),
    )
