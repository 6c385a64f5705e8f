"""Source files to text: byte order mark, then UTF-8, then what the file declares, then a guess.

The system's locale is never asked: the same file gives the same text everywhere.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from pathlib import Path

from litscape.errors import UserError
from litscape.importers.base import SourceText
from litscape.paper import ImportProblem

MAX_BYTES = 1 << 30
"""Larger sources are refused: no library is a gigabyte of text, and reading it would end badly."""

_MOST_PACKED, _SMALL = 100, 1 << 26
"""Text packs to a tenth, tables to a fiftieth. What unpacks to over a hundred times its size, and
to more than is little anyway, is no library but a trap, or blank."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GZIP = b"\x1f\x8b"
_BINARY = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive or office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"SQLite format 3\x00": "an SQLite database",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"7z\xbc\xaf": "an archive",
    b"BZh": "an archive",
    b"\xfd7zXZ": "an archive",
}
_DECLARED = re.compile(
    rb"(?:%\s*encoding\s*:|x-kbibtex-encoding=|-\*-.{0,80}?coding\s*:|!\s*tex\s+encoding\s*=|<\?xml[^>]{0,80}encoding=[\"'])"
    rb"\s*([\w.:-]+)",
    re.I,
)
_NAMES = {
    "ansinew": "cp1252",
    "ansi": "cp1252",
    "applemac": "mac-roman",
    "utf8x": "utf-8",
    "utf-8-unicode": "utf-8",
    "latin9": "iso-8859-15",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "ascii",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift-jis": "cp932",
    "sjis": "cp932",
}
_LIKELY = (
    "cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 iso8859_2 iso8859_5 iso8859_7 iso8859_9"
    " koi8_r mac_roman mac_cyrillic gb18030 big5 cp932 euc_jp cp949 cp874 cp437 cp850 cp852 cp866"
)
"""What libraries were really written in; among all that exist, short texts fit rarities best."""
_UTF8_CHAR = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_SAMPLE = 1 << 16
_SLICE = 1 << 22
_NOTHING = "\ufeff \t\r\n\x00"
_WESTERN_SIGNS = frozenset("‘’“”‚„–—…•€™°±§©®«»¿¡ªº£\xa0\xad·†‡‹›²³µ´")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_source(location: str | Path, encoding: str | None = None) -> SourceText:
    """Read a file as text; gzip is undone first.

    Args:
        location: the file's path.
        encoding: a codec's name that overrides what is found out; its bad bytes are replaced.

    Raises:
        UserError: no such file, a folder, no permission, too large, binary, unknown encoding.
    """
    path = Path(location).absolute()
    data, cut = _unpacked(_bytes(path), path)
    if encoding:
        return _as_told(data, encoding, path, cut)
    for mark, name in _MARKS:
        if data.startswith(mark):
            text, lossy = _decode(data[len(mark) :], name)
            return SourceText(_name(path), text, name, lossy=lossy, truncated=cut)
    sixteen = _utf16_without_mark(data)
    if sixteen:
        text, lossy = _decode(data, sixteen)
        return SourceText(_name(path), text, sixteen, guessed=True, lossy=lossy, truncated=cut)
    _refuse_binary(data, path)
    text, name, guessed, lossy = _found_out(data)
    return SourceText(_name(path), text, name, guessed, lossy, cut)


def _name(path: Path) -> str:
    """The path as text that can be stored: bytes that are no text (old disks) become escapes."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


def source_problems(source: SourceText) -> list[ImportProblem]:
    """What a report must say of a whole file: a guessed encoding, lost bytes, nothing in it."""
    problems = []

    def say(code: str, severity: str, message: str, line: int | None = 1) -> None:
        problems.append(ImportProblem(code, severity, message, line, source=source.location))  # type: ignore[arg-type]

    if source.guessed:
        say(
            "encoding-guessed",
            "note",
            f"The file is not UTF-8 and names no encoding; it was read as {source.encoding}."
            " If letters look wrong, choose another encoding and import it again.",
        )
    if source.lossy:
        say(
            "undecodable-text",
            "warning",
            f"Some bytes are no text in {source.encoding}; they stand as \ufffd.",
        )
    if source.truncated:
        say(
            "file-truncated",
            "warning",
            "The packed file ends too early; what came before was read.",
        )
    if not (source.text[:_SAMPLE].strip(_NOTHING) or source.text.strip(_NOTHING)):
        say(
            "source-empty",
            "warning",
            "The file is empty; nothing was read and nothing removed.",
            None,
        )
    return problems


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UserError(f"{path} is a folder; choose the files in it.")
        if path.exists() and not path.is_file():
            raise UserError(f"{path} is no ordinary file and can't be imported.")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UserError(
                f"{path} has {size / 1e9:.1f} GB; the largest file that can be imported has"
                f" {MAX_BYTES / 1e9:.1f} GB. Split it into parts."
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"There is no file {path}.") from None
    except PermissionError:
        raise UserError(f"{path} can't be read: permission denied.") from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise UserError(f"{path} can't be read: {reason}.") from fault


def _unpacked(data: bytes, path: Path) -> tuple[bytes, bool]:
    """The bytes after undoing gzip, and whether the packed data ended too early."""
    if not data.startswith(_GZIP):
        return data, False
    out = bytearray()
    most = min(MAX_BYTES, max(_SMALL, _MOST_PACKED * len(data)))
    while data.startswith(_GZIP):
        unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            out += unpack.decompress(data, most + 1 - len(out))
        except (zlib.error, gzip.BadGzipFile) as fault:
            if not out:
                raise UserError(f"{path} is a damaged gzip file: {fault}.") from fault
            return bytes(out), True
        if len(out) > most:
            raise UserError(
                f"{path} unpacks to over {most / 1e6:,.0f} MB, which is too much for what it is."
                " Unpack it yourself, see whether it is a library, and import what came out."
            )
        if not unpack.eof:
            return bytes(out), True
        data = unpack.unused_data.lstrip(b"\x00")
    return bytes(out), False


def _codec(name: str) -> str | None:
    """Python's name of an encoding as files and programs write it, or None."""
    plain = name.strip().lower().replace("_", "-").removeprefix("x-")
    for candidate in (_NAMES.get(plain, plain), plain.replace("-", "")):
        try:
            info = codecs.lookup(candidate)
        except LookupError:
            continue
        if info._is_text_encoding:
            return _NAMES.get(info.name, info.name)
    return None


def _as_told(data: bytes, encoding: str, path: Path, cut: bool) -> SourceText:
    name = _codec(encoding)
    if name is None:
        raise UserError(f"There is no encoding called “{encoding}”. Try utf-8, cp1252 or utf-16.")
    mark = next((mark for mark, of in _MARKS if of.startswith(name) and data.startswith(mark)), b"")
    text, lossy = _decode(data[len(mark) :] if name != "utf-16" else data, name)
    return SourceText(_name(path), text.removeprefix("\ufeff"), name, lossy=lossy, truncated=cut)


def _text(data: bytes, name: str, errors: str = "strict") -> str:
    """Decode a large file in slices: one call over all of it would hold up every other thread."""
    if len(data) <= _SLICE:
        return data.decode(name, errors)
    decoder = codecs.getincrementaldecoder(name)(errors)
    starts = range(0, len(data), _SLICE)
    return "".join(
        decoder.decode(data[start : start + _SLICE], start + _SLICE >= len(data))
        for start in starts
    )


def _decode(data: bytes, name: str) -> tuple[str, bool]:
    try:
        return _text(data, name), False
    except UnicodeDecodeError:
        return _text(data, name, "replace"), True


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 shows by zero bytes at every other place of mostly Latin text."""
    sample = data[:4096]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if odd > half * 0.6 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.05:
        return "utf-16-be"
    return None


def known_binary(head: bytes) -> str | None:
    """What a file is that by its first bytes is surely no text; None where they do not say."""
    return next((what for magic, what in _BINARY.items() if head.startswith(magic)), None)


def _refuse_binary(data: bytes, path: Path) -> None:
    kind = known_binary(data)
    sample = data[:8192]
    # Exports do hold single stray control characters; programs and pictures are full of them.
    if kind is None and len(_CONTROL.findall(sample)) > max(4, len(sample) // 100):
        kind = "binary data"
    if kind:
        raise UserError(f"{path} is {kind}: no known kind of library file.")


def _found_out(data: bytes) -> tuple[str, str, bool, bool]:
    """Text, encoding, whether it was guessed, whether something was lost; no mark, not binary."""
    if b"\x1b$" in data:
        try:
            return data.decode("iso2022_jp"), "iso2022_jp", True, False
        except UnicodeDecodeError:
            pass
    try:
        return _text(data, "utf-8"), "utf-8", False, False
    except UnicodeDecodeError:
        pass
    declared = _DECLARED.search(data[:4096])
    name = _codec(declared[1].decode("ascii", "replace")) if declared else None
    if name and name not in ("utf-8", "ascii"):
        try:
            return _text(data, name), name, False, False
        except UnicodeDecodeError:
            pass
    return _guess(data)


def _guess(data: bytes) -> tuple[str, str, bool, bool]:
    high = len(_HIGH.findall(data))
    proper = _UTF8_CHAR.findall(data)
    stray = high - sum(map(len, proper))
    if proper and stray <= 3 and not _HIGH.search(_UTF8_CHAR.sub(b"", data)[:-stray]):
        # A file cut off inside its last character.
        return _text(data, "utf-8", "replace"), "utf-8", False, True
    if len(proper) > stray:
        text, lossy = _mixed(data)
        return text, "utf-8", True, lossy
    sample = _telling_lines(data)
    if not _looks_western(sample.decode("cp1252", "replace")):
        from charset_normalizer import from_bytes

        best = from_bytes(sample, cp_isolation=_LIKELY.split()).best()
        if best is not None and best.encoding not in ("utf_8", "ascii"):
            name = _codec(best.encoding) or "cp1252"
            text, lossy = _decode(data, name)
            return text, name, True, lossy
    text, lossy = _decode(data, "cp1252")
    return text, "cp1252", True, lossy


def _mixed(data: bytes) -> tuple[str, bool]:
    """UTF-8 with some bytes of an older encoding among it, as joined files have."""
    out, position, lossy = [], 0, False
    while position < len(data):
        try:
            out.append(data[position:].decode("utf-8"))
            break
        except UnicodeDecodeError as fault:
            good, bad = position + fault.start, position + fault.end
            out.append(data[position:good].decode("utf-8"))
            char, lost = _decode(data[good:bad], "cp1252")
            out.append(char)
            lossy = lossy or lost
            position = bad
    return "".join(out), lossy


def _telling_lines(data: bytes) -> bytes:
    """The lines that are not plain ASCII, up to a sample's size."""
    lines, size = [], 0
    for line in re.split(rb"[\r\n]+", data):
        if not line.isascii():
            lines.append(line[:2000])
            size += len(lines[-1])
            if size > _SAMPLE:
                break
    return b"\n".join(lines)


def _looks_western(text: str) -> bool:
    """Whether a text read as windows-1252 reads like a language that is written in it."""
    odd = total = run = 0
    before = " "
    for char, after in zip(text, text[1:] + " ", strict=True):
        if char.isascii():
            run, before = 0, char
            continue
        total, run = total + 1, run + 1
        inside = before.isalpha() and after.isalpha()
        if char.isalpha() and char not in "ªº":
            upper_in_lower = char.isupper() and before.islower()
            odd += upper_in_lower or run > 2 or (inside and char in "ƒˆÐðÝýþÞ")
        else:
            odd += char not in _WESTERN_SIGNS or (inside and char not in "’·\xad‘–—") or run > 3
        before = char
    return odd <= total * 0.05
