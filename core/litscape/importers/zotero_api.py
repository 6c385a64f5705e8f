"""The Zotero that is running, asked by its local API; it is never written to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape.importers.base import Before, Found, StillThere
from litscape.importers.zotero_fields import drafts
from litscape.importers.zotero_files import ZoteroFiles
from litscape.importers.zotero_find import at_address
from litscape.importers.zotero_http import SCHEME, ZoteroClient, read_address
from litscape.importers.zotero_json import Family, Tree
from litscape.importers.zotero_loose import annotations_left, collections_gone
from litscape.importers.zotero_scope import Scope, below, library_name
from litscape.importers.zotero_since import Memory, Since
from litscape.importers.zotero_sqlite import ZoteroLibrary
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from litscape.importers.base import ReadOptions, Told
    from litscape.importers.zotero_http import Object

_USER = "users/0"
_QUICK = 3.0


class ZoteroApiReader:
    """Opens ``zotero:http://127.0.0.1:PORT``."""

    kind = "zotero-api"
    title = "Running Zotero"

    def recognises(self, location: str, head: bytes) -> bool:
        """By the beginning of the address."""
        return not head and location.startswith(SCHEME)

    def open(self, location: str, options: ReadOptions) -> ZoteroApi:
        """Ask Zotero which libraries it has.

        Raises:
            UserError: it does not answer, its local API is switched off, or lacks a library.
        """
        client, scope = ZoteroClient(read_address(location)), Scope.of(options)
        titles = _groups(client)
        return ZoteroApi(client, scope, scope.chosen(titles, client.address), titles)


def libraries(location: str) -> tuple[ZoteroLibrary, ...]:
    """What there is to choose from in the Zotero that is running.

    Raises:
        UserError: it does not answer, or its local API is switched off.
    """
    client = ZoteroClient(read_address(location), _QUICK)
    found = []
    for name, title in _groups(client).items():
        tree = Tree(_objects(client, f"{_prefix(name)}/collections"))
        total = client.get(f"{_prefix(name)}/items/top", limit=1).total
        found.append(ZoteroLibrary(name, title, total or 0, tuple(tree.listed())))
    return tuple(found)


def changed_since(location: str, options: ReadOptions, before: str | None) -> bool:
    """Whether the Zotero that is running holds something else than when it was read last.

    Args:
        location: its address.
        options: what of it is to be taken.
        before: what :func:`litscape.importers.zotero_since.counted` made of the last read.

    Returns:
        False only where it is sure; a Zotero that does not count its own changes never is.

    Raises:
        UserError: it does not answer, or its local API is switched off.
    """
    client = ZoteroClient(read_address(location), _QUICK)
    names = Scope.of(options).chosen(_groups(client), client.address)
    kept = json.loads(before) if before else {"versions": {}}
    if set(names) != set(kept["versions"]):
        return True
    for name in names:
        version = kept["versions"][name]
        answer = client.get(f"{_prefix(name)}/items", version, limit=1)
        if answer.version != version or answer.server not in (kept["server"], None):
            return True
    return False


def _groups(client: ZoteroClient) -> dict[str, str]:
    """The titles of the libraries by their names."""
    found = {library_name(None): "My Library"}
    for one in _objects(client, f"{_USER}/groups"):
        inner = one.get("data")
        data: Object = inner if isinstance(inner, dict) else one
        number = one.get("id", data.get("id"))
        if isinstance(number, int):
            found[library_name(number)] = str(data.get("name") or f"Group {number}")
    return found


def _prefix(library: str) -> str:
    return _USER if library == library_name(None) else f"groups/{library.partition(':')[2]}"


def _objects(client: ZoteroClient, path: str) -> list[Object]:
    return [one for page in client.pages(path) for one in page.objects]


@dataclass(slots=True)
class ZoteroApi:
    """The libraries of a running Zotero that are to be read."""

    client: ZoteroClient
    scope: Scope
    libraries: tuple[str, ...]
    titles: Mapping[str, str]
    kind: str = ZoteroApiReader.kind
    title: str = ZoteroApiReader.title
    encoding: str = "utf-8"
    guessed: bool = False
    state: str | None = None
    _memory: Memory = field(default_factory=Memory)
    _count: int = 0

    @property
    def location(self) -> str:
        """The address as a source."""
        return SCHEME + self.client.address

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield the items of the chosen libraries, and which of the others still stand.

        Of a library that was read before only what changed since is asked for, where Zotero counts
        its own changes (from version 10 on). Older ones count only what was synchronised.
        """
        known = before.keys if before else frozenset()
        former = Memory.read(before.state if before else None, self.scope.as_text())
        place = at_address(self.location)
        files = ZoteroFiles(place.folder, place.base) if place else ZoteroFiles()
        for name in self.libraries:
            mine = frozenset(key for key in known if key.rpartition(":")[0] == name)
            yield from self._library(name, mine, former, files, progress)
        for key in known:
            if key.rpartition(":")[0] not in self.libraries:
                yield StillThere(key, counted=False)
        if self._memory.server:
            self._memory.scope = self.scope.as_text()
            self.state = self._memory.as_text()

    def _library(
        self,
        name: str,
        known: frozenset[str],
        former: Memory,
        files: ZoteroFiles,
        progress: Told | None,
    ) -> Iterator[Found]:
        prefix, wanted = _prefix(name), self.scope.within(name)
        top = self.scope.top(name, self.titles[name])
        tree = Tree(_objects(self.client, f"{prefix}/collections"), top)
        since = Since.of(former, name, tree, self.client, prefix)
        if since is not None and since.ask({key.rpartition(":")[2] for key in known}):
            family = Family(since.objects, name, tree)
            left = _outside(family, wanted, tree)
            since.left |= left
            self._memory.take(
                name, since.server, since.version, tree, since.works, since.parents, since.left
            )
            yield from (StillThere(f"{name}:{key}") for key in since.standing)
            yield from (StillThere(f"{name}:{key}", counted=False) for key in since.left)
            yield from self._drafts(family, files, left)
            return
        objects, version, server, whole = self._whole(f"{prefix}/items", progress)
        family = Family(objects, name, tree)
        left = _outside(family, wanted, tree)
        self._memory.take(name, server, version, tree, set(family.works), family.parents, left)
        yield from (StillThere(f"{name}:{key}", counted=False) for key in left)
        yield from self._drafts(family, files, left)
        if wanted:
            yield from collections_gone(wanted - tree.parents.keys(), self.titles[name])
        else:
            yield from family.remarks
            yield from annotations_left(family.annotations, name)
        if not whole:
            self._memory.server = ""
            yield ImportProblem(
                "source-changed",
                "warning",
                "Zotero was changed while it was read; import again to get the rest.",
            )

    def _drafts(self, family: Family, files: ZoteroFiles, left: set[str]) -> Iterator[Found]:
        works = [item for key, item in family.works.items() if key not in left]
        for found in drafts(works, files, self.location, self._count):
            self._count += isinstance(found, PaperDraft)
            yield found

    def _whole(
        self, path: str, progress: Told | None
    ) -> tuple[list[Object], int | None, str | None, bool]:
        """All items with the library's version; twice where it was changed meanwhile."""
        objects: dict[str, Object] = {}
        for _attempt in range(2):
            objects = {}
            versions, total, server = set(), 0, None
            for page in self.client.pages(path, sort="dateAdded", direction="asc"):
                objects.update((str(one.get("key")), one) for one in page.objects)
                versions.add(page.version)
                total, server = page.total, page.server
                if progress:
                    progress(len(objects), max(total, len(objects)))
            if len(versions) == 1 and len(objects) >= total:
                return list(objects.values()), versions.pop(), server, True
        return list(objects.values()), None, None, False

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """Yield the first items."""
        for found in self.read():
            if not isinstance(found, StillThere):
                yield found


def _outside(family: Family, wanted: frozenset[str], tree: Tree) -> set[str]:
    """The works that are in none of the collections to take, nor below them."""
    if not wanted:
        return set()
    inside = below(wanted, tree.parents)
    return {key for key in family.works if family.members[key].isdisjoint(inside)}
