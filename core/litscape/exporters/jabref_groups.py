"""Collections as JabRef's group tree at the end of a BibTeX file."""

from __future__ import annotations

from litscape.exporters.latex import balanced, escape
from litscape.importers.latex import to_unicode

Path = tuple[str, ...]


class GroupTree:
    """Collects who is in which collection while entries are written."""

    def __init__(self) -> None:
        self._keys: dict[Path, list[str]] = {}

    def add(self, key: str, paths: tuple[Path, ...]) -> None:
        """Put an entry's key into its collections; those above them are made as well."""
        for path in paths:
            for length in range(1, len(path)):
                self._keys.setdefault(path[:length], [])
            self._keys.setdefault(path, []).append(key)

    def text(self) -> str:
        """The comment that JabRef reads; empty where there are no collections."""
        if not self._keys:
            return ""
        # Sorted by path, every group comes right below the one that it belongs to.
        lines = [_node(path, self._keys[path]) for path in sorted(self._keys)]
        return "\n".join(
            ["@Comment{jabref-meta: grouping:", "0 AllEntriesGroup:;", *lines, "}", ""]
        )


def _node(path: Path, keys: list[str]) -> str:
    # Groups that list their keys are the one form in which two groups may have one name.
    parts = [_quoted(_name(path[-1])), "0", *map(_quoted, keys)]
    return f"{len(path)} ExplicitGroup:" + "".join(f"{part}\\;" for part in parts) + ";"


def _name(name: str) -> str:
    return name if balanced(name) and to_unicode(name) == name else escape(name)


def _quoted(text: str) -> str:
    return text.replace(";", "\\\\\\;")
