"""The ``file`` fields of JabRef, Zotero, Better BibTeX, Mendeley and BibDesk.

They follow the rules of the program that wrote them and are never read as LaTeX: a drive letter
has a colon, a Windows path has backslashes.
"""

from __future__ import annotations

import base64
import binascii
import html
import plistlib
import re
from typing import TYPE_CHECKING

from litscape.importers.file_there import file_is_there, local_path
from litscape.importers.latex import to_unicode
from litscape.importers.normalise import fold
from litscape.paper import FileLink

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEX = (
    (re.compile(r"\{?\$\\backslash\$\}?|\{\\textbackslash\}|\\textbackslash(?:\{\})?"), r"\\"),
    (re.compile(r"\{\\_\}|\\_"), "_"),
    (
        re.compile(r"\{?\$\\sim\$\}?|\{\\textasciitilde\}|\\textasciitilde(?:\{\})?|\{?\\~\{\}\}?"),
        "~",
    ),
    (re.compile(r"\\([&%#$])"), r"\1"),
)
_ITEM = re.compile(r"(?:[^\\;]|\\.|\\$)+", re.S)
_PART = re.compile(r"(?:[^\\:]|\\.)*", re.S)
_UNESCAPE = re.compile(r"\\([\\:;{},])")
_SHARE = re.compile(r"\\\\[\w.-]+(?:\\[^\\]+)+")
"""A path on a Windows server whose backslashes nobody doubled."""
_DRIVE = re.compile(r"[A-Za-z]")
_PLACE = re.compile(
    r"[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[/\\]|(?:file|https?)://|(?:storage|attachments):"
)
_MIME = re.compile(
    r"(?:application|text|image|audio|video|message|multipart)/[\w.+-]+|\w{2,5}(?: \w+)?", re.I
)
_KINDS = {
    "pdf": "application/pdf",
    "html": "text/html",
    "htm": "text/html",
    "url": "text/html",
    "ps": "application/postscript",
    "postscript": "application/postscript",
    "djvu": "image/vnd.djvu",
    "epub": "application/epub+zip",
    "text": "text/plain",
    "txt": "text/plain",
    "word": "application/msword",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "png": "image/png",
}
FIELDS = ("file", "files", "local-url", "localfile", "pdf")
"""Fields that hold paths, apart from BibDesk's numbered ones."""


def read_files(fields: Mapping[str, str], folder: str) -> tuple[tuple[FileLink, ...], set[str]]:
    """The files that an entry links, and the names of the fields that were understood.

    Args:
        fields: values as written, outer delimiters removed, by lower-case name.
        folder: the folder of the source, which relative paths start from.
    """
    links: dict[str, FileLink] = {}
    used: set[str] = set()
    for name, value in fields.items():
        if name in FIELDS:
            found = _links(value, whole=name not in ("file", "files"))
        elif name.startswith("bdsk-file-"):
            found = _bibdesk(value)
        else:
            continue
        if found:
            used.add(name)
        for link in found:
            links.setdefault(link.path, _checked(link, folder))
    return tuple(links.values()), used


def _checked(link: FileLink, folder: str) -> FileLink:
    there = file_is_there(link.path, folder)
    return FileLink(link.path, link.title, link.mime, link.base, there)


def _links(value: str, *, whole: bool) -> list[FileLink]:
    """All files of one field; ``whole``: the field is a path or address and nothing else."""
    for pattern, plain in _TEX:
        value = pattern.sub(plain, value)
    value = re.sub(r"(?<!\\)[{}]", "", value)
    if "&" in value:
        value = html.unescape(value)
    if whole:
        path = local_path(value.strip())
        return [FileLink(path)] if path and not re.match(r"(?:https?|ftp)://", path) else []
    return [link for item in _ITEM.findall(value) if (link := _link(item.strip()))]


def _parts(item: str) -> list[str]:
    """Cut at colons that are no escaped ones, nor of a drive letter, nor of an address."""
    parts: list[str] = []
    position = 0
    while position <= len(item):
        found = _PART.match(item, position)
        end = found.end() if found else len(item)
        part = item[position:end]
        if end < len(item) and item[end] == "\\":  # a lone backslash at the very end
            part, end = item[position:], len(item)
        before = parts[-1] if parts else ""
        drive = bool(_DRIVE.fullmatch(before)) and part[:1] in ("\\", "/")
        address = before in ("http", "https", "file") and part.startswith("//")
        zotero = before in ("storage", "attachments") and len(parts) == 1 and position > 0
        if parts and (drive or address or zotero):
            parts[-1] = f"{before}:{part}"
        else:
            parts.append(part)
        position = end + 1
    return parts


def _link(item: str) -> FileLink | None:
    parts = _parts(item)
    title, mime = "", None
    if len(parts) == 1:
        path = parts[0]
    elif len(parts) == 2:
        if _MIME.fullmatch(parts[1].strip()) and (
            _PLACE.match(parts[0].strip()) or "." in parts[0]
        ):
            path, mime = parts
        else:
            title, path = parts
    else:
        mime = parts[-1]
        start = next(
            (n for n, part in enumerate(parts[:-1]) if n and _PLACE.match(part.strip())), None
        )
        start = len(parts) - 2 if start is None else start
        title, path = ":".join(parts[:start]), ":".join(parts[start:-1])
    if not _SHARE.fullmatch(path.strip()):
        path = _UNESCAPE.sub(r"\1", path)
    path = local_path(path.strip())
    if not path:
        return None
    kind = (mime or "").strip().lower()
    named = fold(to_unicode(_UNESCAPE.sub(r"\1", title))) or None
    return FileLink(path, named, kind if "/" in kind else _KINDS.get(kind))


def _bibdesk(value: str) -> list[FileLink]:
    """BibDesk packs a relative path into a base64 property list."""
    try:
        packed = base64.b64decode(re.sub(r"\s", "", value), validate=True)
        content = plistlib.loads(packed)
    except (
        binascii.Error,
        plistlib.InvalidFileException,
        ValueError,
        KeyError,
        IndexError,
        OverflowError,
    ):
        return []
    if not isinstance(content, dict):
        return []
    path = content.get("relativePath")
    objects = content.get("$objects")
    if not isinstance(path, str) and isinstance(objects, list):
        texts = [one for one in objects if isinstance(one, str)]
        after = texts.index("relativePath") + 1 if "relativePath" in texts else len(texts)
        path = next((one for one in texts[after:] if "." in one or "/" in one), None)
    return [FileLink(path)] if isinstance(path, str) and path else []
