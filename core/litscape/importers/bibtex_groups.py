"""JabRef's groups (also as Better BibTeX writes them) and Mendeley's, as paths of collections."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from litscape.importers.bibtex_values import token_end
from litscape.importers.latex import to_unicode
from litscape.importers.normalise import fold

Path = tuple[str, ...]

_META = re.compile(r"\{\s*jabref-meta:\s*(?:grouping|groupstree)\s*:", re.I)
_NODE = re.compile(r"\s*(\d+)\s+(\w+):(.*)", re.S)
_STATIC = ("StaticGroup", "ExplicitGroup")


@dataclass(slots=True)
class Groups:
    """The static groups of a file: their paths by name, and by the citekeys that they list."""

    by_name: dict[str, list[Path]] = field(default_factory=dict)
    by_key: dict[str, list[Path]] = field(default_factory=dict)

    def paths(self, key: str | None, groups: str, mendeley: str) -> tuple[Path, ...]:
        """The collections of an entry, from the tree and from its own fields."""
        found: list[Path] = list(self.by_key.get(key or "", ()))
        for name in self._names(groups):
            found += self.by_name.get(name) or [(name,)]
        for one in mendeley.split(",") if mendeley else ():
            path = tuple(filter(None, (fold(to_unicode(part)) for part in one.split("/"))))
            if path:
                found.append(path)
        return tuple(dict.fromkeys(found))

    def _names(self, groups: str) -> list[str]:
        whole = fold(to_unicode(groups)) if groups else ""
        if not whole:
            return []
        if whole in self.by_name:
            return [whole]
        separator = ";" if ";" in whole and "," not in whole else ","
        parts = re.split(rf"(?<!\\)\s*{separator}\s*", groups)
        names = [fold(to_unicode(part.replace(f"\\{separator}", separator))) for part in parts]
        return [name for name in names if name]


def read_groups(text: str) -> Groups:
    """Find JabRef's group tree in a whole file."""
    groups = Groups()
    if "jabref-meta" not in text:
        return groups
    found = _META.search(text)
    while found:
        end = token_end(text, found.start()) or len(text)
        _read_tree(text[found.end() : end].removesuffix("}"), groups)
        found = _META.search(text, end)
    return groups


def _read_tree(body: str, groups: Groups) -> None:
    r"""Nodes are ``depth Type:name\;…;``; old versions wrap lines anywhere."""
    stack: list[str] = []
    for node in re.split(r"(?<!\\);", body.replace("\n", "")):
        parsed = _NODE.fullmatch(node)
        if parsed is None:
            continue
        depth, kind, rest = int(parsed[1]), parsed[2], parsed[3]
        parts = [_unescaped(part) for part in re.split(r"(?<!\\)\\;", rest)]
        if depth < 1 or not parts:
            continue
        name = fold(to_unicode(parts[0]))
        del stack[depth - 1 :]
        stack += ["…"] * (depth - 1 - len(stack)) + [name]
        if kind not in _STATIC or not name:
            continue
        path = tuple(stack)
        groups.by_name.setdefault(name, []).append(path)
        if kind == "ExplicitGroup":
            for key in filter(None, parts[2:]):
                groups.by_key.setdefault(key, []).append(path)


def _unescaped(text: str) -> str:
    return re.sub(r"\\+([\\:;])", r"\1", text).strip()
