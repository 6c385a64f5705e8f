"""What changed in a running Zotero since it was read last."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from litscape.importers.zotero_http import ZoteroLacksError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litscape.importers.zotero_http import Object, ZoteroClient
    from litscape.importers.zotero_json import Tree

_FEW = 200
"""With more changes than these, reading everything is quicker."""


@dataclass(slots=True)
class Memory:
    """What was read of a running Zotero, by library.

    Attributes:
        server: the database that Zotero serves, as it names it; empty where it does not count its
            own changes.
        scope: what was asked for.
        libraries: version, collections, keys of works, parents of what hangs on them, and the
            works that were not to be taken.
    """

    server: str = ""
    scope: str = ""
    libraries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str | None, scope: str) -> Memory:
        """What an earlier read kept, where it asked for the same."""
        try:
            kept = json.loads(text) if text else {}
            found = cls(str(kept["server"]), str(kept["scope"]), dict(kept["libraries"]))
        except (ValueError, KeyError, TypeError):
            return cls()
        return found if found.scope == scope else cls()

    def as_text(self) -> str:
        """The text that :meth:`read` takes."""
        told = {"server": self.server, "scope": self.scope, "libraries": self.libraries}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    def take(
        self,
        library: str,
        server: str | None,
        version: int | None,
        tree: Tree,
        works: Iterable[str],
        parents: Mapping[str, str],
        left: Iterable[str] = (),
    ) -> None:
        """Note what one library is like now."""
        if not server or version is None:
            return
        self.server = server
        self.libraries[library] = {
            "version": version,
            "collections": tree.marks(),
            "works": sorted(works),
            "parents": dict(parents),
            "left": sorted(left),
        }


def counted(state: str | None) -> str | None:
    """Which Zotero was read and how far, from what a read kept; None where it does not count.

    Unlike the rest of what is kept it says nothing of the papers, so that it holds after an undo.
    """
    try:
        kept = json.loads(state) if state else {}
        versions = {name: int(one["version"]) for name, one in kept["libraries"].items()}
        return json.dumps({"server": kept["server"], "versions": versions}, sort_keys=True)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


@dataclass(slots=True)
class Since:
    """The changes of one library since a version.

    Attributes:
        objects: what is to be read anew, whole families.
        standing: keys of works that are as they were.
        works: keys of all works there are now.
        parents: what hangs on what now.
        left: keys of works that are outside what is to be taken, as far as that is known.
        version: of the library now.
    """

    client: ZoteroClient
    prefix: str
    server: str
    version: int
    works: set[str]
    parents: dict[str, str]
    left: set[str] = field(default_factory=set)
    objects: list[Object] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls, former: Memory, library: str, tree: Tree, client: ZoteroClient, prefix: str
    ) -> Since | None:
        """The way to ask for changes; None where everything must be read."""
        kept = former.libraries.get(library)
        if not former.server or kept is None or kept["collections"] != tree.marks():
            return None
        return cls(
            client,
            prefix,
            former.server,
            int(kept["version"]),
            set(kept["works"]),
            dict(kept["parents"]),
            set(kept.get("left", ())),
        )

    def ask(self, known: set[str]) -> bool:
        """Ask for the changes; False where everything must be read after all.

        Args:
            known: keys of works that are papers of the library still; all others are read anew.
        """
        versions = self.client.get(f"{self.prefix}/items", format="versions")
        there = versions.value
        if (
            versions.server != self.server
            or versions.version is None
            or not isinstance(there, dict)
        ):
            return False
        changed: list[Object] = []
        if versions.version != self.version:
            pages = self.client.pages(f"{self.prefix}/items", since=self.version)
            changed = [one for page in pages for one in page.objects]
        touched = self.works - self.left - known
        touched.update(self._parent_of(key) for key in self.parents if key not in there)
        for one in changed:
            self._note(one)
        touched.update(self._parent_of(str(one.get("key"))) for one in changed)
        self.parents = {key: above for key, above in self.parents.items() if key in there}
        self.works = {key for key in there if key not in self.parents}
        touched &= self.works
        if len(touched) > _FEW:
            return False
        try:
            for key in sorted(touched):
                self._read(key)
        except ZoteroLacksError:  # it went away meanwhile
            return False
        self.left = (self.left & self.works) - touched
        self.standing = sorted((self.works - touched - self.left) & known)
        self.version = versions.version
        return True

    def _note(self, one: Object) -> None:
        """Note on what a new or moved object hangs."""
        data = one.get("data")
        key = str(one.get("key"))
        self.parents.pop(key, None)
        if isinstance(data, dict) and data.get("itemType") in ("note", "attachment", "annotation"):
            self.parents[key] = str(data.get("parentItem") or "")

    def _parent_of(self, key: str) -> str:
        """The work that something hangs on in the end; empty where it hangs on nothing."""
        for _level in range(3):
            if key not in self.parents:
                return key
            key = self.parents[key]
        return ""

    def _read(self, key: str) -> None:
        """Read a work with all that hangs on it."""
        self.objects.append(self.client.object(f"{self.prefix}/items/{key}"))
        for page in self.client.pages(f"{self.prefix}/items/{key}/children"):
            self.objects += page.objects
