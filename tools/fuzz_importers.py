"""Change real and made-up library files at random, read them, and see that nothing breaks.

``python tools/fuzz_importers.py --reader bibtex --seconds 300``. A reader may refuse a source with
an error of ``litscape.errors``; anything else is a fault: another exception, a report that does
not tell what was skipped, text that is said to be at a line where it is not, or more than a second
of processor time for 100 kB. A failing input is made small. If it comes from inputs of this project
it is kept in ``tests/data/fuzz/<kind>``, where a test reads it ever after.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import LitscapeError
from litscape.importers.base import ReadOptions
from litscape.importers.registry import importers, open_source
from litscape.library import Library
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "data" / "fuzz"
SEEDS = CORPUS / "seeds"
OWN = (SEEDS, ROOT / "tests" / "data" / "zotero", ROOT.parent / "shared" / "imports" / "cases")
FILES = ROOT.parent / "shared" / "imports" / "files"
DATABASES = ("zotero", "mendeley")
KINDS = (*(one.kind for one in importers()), *DATABASES)
LARGEST = 60_000
PER_100_KB = 1.0
WHOLE_EVERY = 25
"""How many inputs are only read for one that is also imported, twice."""
MINIMISE_S = 20.0
TOKENS = (
    *("@article{a,", "@string{m = ", "@comment{", "@", "{", "}", '"', "#", "\\", "$", "%", "~"),
    *("TY  - JOUR", "ER  - ", "AU  - ", "PMID- 1", "PT J", "ER", "EF", "%0 Book", "%A "),
    *("<", ">", "&", "&amp;", "&#0;", "&#x110000;", "]]>", "<![CDATA[", "<!--"),
    *("<!DOCTYPE a [", "/>", "null", "1e999", "-0", "true", " and "),
    *("<record>", "</record>", "<PubmedArticle>", "<style>", "[", "]"),
    *(",", ";", ":", "\t", "\n", "\r", "\r\n", "\n\n", "\x00", "\x0c", "\x1f", "\u2028"),
    *("\ufeff", "é", "\u202e", "𝔘", "\u0301", "10.1/x", "https://doi.org/", "9999", "-1", "and"),
    *("crossref = {a},", "xdata = {a},", "file = {:a:b},", "month = jan # feb,", "\\'"),
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    *(None, "", "x", -1, 0, 2**62, 1.5, float("inf"), b"\xff\xfe", "\x00", "<b>", "{", "é" * 300),
    *("true", "10.1/x", "file:///%00", "storage:../../x", "2015-00-00 x", "9" * 400),
)


class TooSlowError(Exception):
    """A reader took longer than it may."""


# -- changing -------------------------------------------------------------------------------


def changed(data: bytes, dice: random.Random) -> bytes:
    """A file with some bytes, lines or tokens taken out, doubled, moved, swapped or put in."""
    for _ in range(dice.choice((1, 1, 2, 3, 5, 9))):
        data = dice.choice(_CHANGES)(data, dice)
        if len(data) > LARGEST * 2:
            data = data[: LARGEST * 2]
    return data


def _span(data: bytes, dice: random.Random, longest: int = 60) -> tuple[int, int]:
    start = dice.randint(0, len(data))
    return start, min(len(data), start + dice.randint(0, longest))


def _cut(data: bytes, dice: random.Random) -> bytes:
    start, stop = _span(data, dice)
    return data[:start] + data[stop:]


def _double(data: bytes, dice: random.Random) -> bytes:
    start, stop = _span(data, dice, 400)
    return data[:stop] + data[start:stop] * dice.choice((1, 1, 2, 50)) + data[stop:]


def _flip(data: bytes, dice: random.Random) -> bytes:
    if not data:
        return b"\xff"
    place = dice.randrange(len(data))
    return data[:place] + bytes((dice.randrange(256),)) + data[place + 1 :]


def _put(data: bytes, dice: random.Random) -> bytes:
    place, _ = _span(data, dice)
    token = dice.choice(TOKENS).encode() * dice.choice((1, 1, 1, 3, 200))
    return data[:place] + token + data[place:]


def _lines(data: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    act = dice.randrange(4)
    if act == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif act == 1:
        del lines[one]
    elif act == 2:
        lines.insert(other, lines[one])
    else:
        lines[one] = lines[one].rstrip(b"\r\n")
    return b"".join(lines)


def _swap_token(data: bytes, dice: random.Random) -> bytes:
    found = list(re.finditer(rb"[A-Za-z]+|\d+|[^\w\s]", data[:LARGEST]))
    if not found:
        return data
    place = dice.choice(found)
    other = dice.choice(found)[0] if dice.random() < 0.6 else dice.choice(TOKENS).encode()
    return data[: place.start()] + other + data[place.end() :]


def _end(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randint(0, len(data))]


def _encode(data: bytes, dice: random.Random) -> bytes:
    name = dice.choice(("utf-16", "latin-1", "utf-8-sig", "gb18030", "utf-32-le"))
    return data.decode("utf-8", "replace").encode(name, "replace")


_CHANGES = (_cut, _double, _flip, _put, _put, _lines, _lines, _swap_token, _swap_token, _end)
_RARE = (_encode,)


def changed_database(path: Path, dice: random.Random) -> None:
    """Change cells, columns and tables of a database, or its bytes."""
    if dice.random() < 0.25:
        path.write_bytes(changed(path.read_bytes(), dice))
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for _ in range(dice.choice((1, 2, 4, 12))):
            # Whatever the changed tables no longer allow is left undone.
            with suppress(sqlite3.Error):
                _change_table(connection, dice)


def _change_table(connection: sqlite3.Connection, dice: random.Random) -> None:
    tables = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    table = dice.choice(tables)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column, act = dice.choice(columns), dice.randrange(14)
    if act == 0:
        connection.execute(f'DROP TABLE "{table}"')
    elif act == 1:
        connection.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
    elif act == 2:
        connection.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{column}x"')
    elif act == 3:
        connection.execute(f'DELETE FROM "{table}" WHERE rowid % 2')
    elif act == 4:
        connection.execute(f'CREATE TABLE "{table}x" AS SELECT * FROM "{table}"')
        connection.execute(f'DROP TABLE "{table}"')
        connection.execute(f'ALTER TABLE "{table}x" RENAME TO "{table}"')
    else:
        rows = f'(SELECT rowid FROM "{table}" ORDER BY random() LIMIT {dice.choice((1, 1, 5))})'
        value = dice.choice(VALUES)
        connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid IN {rows}', (value,))


# -- checking -------------------------------------------------------------------------------


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Break off what takes more processor time than this (where the system can)."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TooSlowError(f"over {seconds:.1f} s of processor time")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault_of(kind: str, path: Path, whole: bool = False) -> str | None:
    """What is wrong when a file is read as a kind; None when all is well.

    Args:
        kind: the reader.
        path: the file.
        whole: also import it, twice, into a new library.
    """
    allowed = max(1.0, path.stat().st_size / 100_000 * PER_100_KB)
    try:
        with at_most(allowed):
            _read(kind, path)
        if whole:
            with at_most(allowed * 5 + 5):
                _import(kind, path)
    except LitscapeError:
        return None
    except Exception as error:  # noqa: BLE001 - any other exception is what is looked for
        return "".join(traceback.format_exception(error)[-3:])
    return None


def _read(kind: str, path: Path) -> None:
    source = open_source(path, kind, ReadOptions())
    text = getattr(source, "text", None)
    lines = re.split(r"\r\n?|\n", text.text) if text is not None else []
    for one in source.read():
        if isinstance(one, ImportProblem):
            assert one.code, one
            assert one.message, one
            assert one.raw or one.severity != "skipped" or not one.is_record, one
            assert not one.is_record or one.severity == "skipped", one
        else:
            assert isinstance(one, PaperDraft), one
            assert one.raw, one
        line = one.line
        if lines and line is not None:
            assert 1 <= line <= len(lines), (line, one)
            parts = re.split(r"[\r\n]", (one.raw or "").strip(" \t\r\n"))
            raw = [_plain(part) for part in parts]
            there = _plain(lines[line - 1])
            assert raw[0] in there or there in raw, (line, raw[0], there)


def _plain(line: str) -> str:
    """A line as it is compared: control characters, and what is none in Unicode, are blanks."""
    return re.sub(r"[\x00-\x1f\x7f\ufeff\ufffe\uffff]", " ", line).strip()


def _import(kind: str, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, Library.open(folder) as library:
        report = library.imports.run([path], kind=kind)
        outcomes = report.added, report.updated, report.merged, report.unchanged, report.skipped
        assert report.records == sum(outcomes), report
        assert len(library.papers) == report.added, report
        assert sum(one.severity == "skipped" for one in report.issues) >= report.skipped, report
        again = library.imports.run([path], kind=kind)
        assert (again.added, again.updated) == (0, 0), again
        assert again.records == report.records, again


# -- keeping --------------------------------------------------------------------------------


def smaller(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """The smallest part of a failing input that was found to fail in the time given."""
    end = time.monotonic() + MINIMISE_S
    for split in (lambda text: text.splitlines(keepends=True), lambda text: [*_bytes(text)]):
        step = 1 << 30
        while step >= 1:
            parts: list[bytes] = split(data)
            step = min(step, max(1, len(parts) // 2))
            place, shrunk = 0, False
            while place < len(parts) and time.monotonic() < end:
                without = parts[:place] + parts[place + step :]
                if without and still(b"".join(without)):
                    parts, shrunk = without, True
                else:
                    place += step
            data = b"".join(parts)
            step = step if shrunk and step > 1 else step // 2
    return data


def _bytes(data: bytes) -> Iterator[bytes]:
    for place in range(len(data)):
        yield data[place : place + 1]


def seeds(kind: str) -> list[tuple[Path, bool]]:
    """Files to start from, and whether each is this project's own."""
    found = [(path, True) for path in sorted((CORPUS / kind).glob("*")) if path.is_file()]
    for folder, own in [*((place, True) for place in OWN), (FILES, False)]:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            told = path.name.endswith((".expected.json", ".tsv", ".md", "-wal"))
            if path.is_file() and not told and _is(kind, path):
                found.append((path, own))
    return found


def _is(kind: str, path: Path) -> bool:
    if path.stat().st_size > (4_000_000 if kind in DATABASES else LARGEST):
        return False
    try:
        return open_source(path).kind == kind
    except LitscapeError:
        return False


class Fuzzer:
    """One run over one reader."""

    def __init__(self, kind: str, seed: int, folder: Path) -> None:
        self.kind = kind
        self.dice = random.Random(seed)
        self.file = folder / f"input{'.sqlite' if kind in DATABASES else ''}"
        self.seeds = seeds(kind)
        self.inputs = 0
        self.faults: dict[str, Path] = {}

    def step(self) -> None:
        """Change one file and read it."""
        origin, own = self.dice.choice(self.seeds)
        self.file.write_bytes(origin.read_bytes())
        if self.kind in DATABASES:
            changed_database(self.file, self.dice)
        else:
            data = changed(self.file.read_bytes(), self.dice)
            if self.dice.random() < 0.02:
                data = _encode(data, self.dice)
            self.file.write_bytes(data)
        self.inputs += 1
        whole = self.inputs % WHOLE_EVERY == 0
        fault = fault_of(self.kind, self.file, whole)
        if fault is not None and fault_of(self.kind, self.file, whole) is not None:
            self._keep(fault, own, whole)

    def _keep(self, fault: str, own: bool, whole: bool) -> None:
        name = re.sub(r"0x[0-9a-f]+|'.*?'|\d+", "", fault.strip().splitlines()[-1])[:120]
        where = re.findall(r'File "(.*?)", line (\d+)', fault)
        name = f"{name} {where[-1] if where else ''}"
        if name in self.faults:
            return
        data = self.file.read_bytes()
        if self.kind not in DATABASES:
            data = smaller(data, self._fails_like(name.split(" ")[0], whole))
        folder = CORPUS / self.kind if own else Path(tempfile.gettempdir()) / "fuzz" / self.kind
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / f"{len(list(folder.glob('*'))) + 1:03}{self.file.suffix}"
        kept.write_bytes(data)
        self.faults[name] = kept
        sys.stdout.write(f"{self.kind}: {kept}\n{fault}\n")
        sys.stdout.flush()

    def _fails_like(self, beginning: str, whole: bool) -> Callable[[bytes], bool]:
        def still(data: bytes) -> bool:
            self.file.write_bytes(data)
            fault = fault_of(self.kind, self.file, whole)
            return fault is not None and fault.strip().splitlines()[-1].startswith(beginning)

        return still


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and say how many inputs were read; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", choices=KINDS, action="append")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    told = parser.parse_args(arguments)
    found = 0
    for kind in told.reader or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            fuzzer = Fuzzer(kind, told.seed, Path(folder))
            began = time.monotonic()
            while time.monotonic() - began < told.seconds:
                fuzzer.step()
            spent = time.monotonic() - began
        own = sum(own for _, own in fuzzer.seeds)
        sys.stdout.write(
            f"{kind}: {spent:.0f} s, {fuzzer.inputs:,} inputs from {len(fuzzer.seeds)} files "
            f"({own} of this project), {len(fuzzer.faults)} faults\n"
        )
        sys.stdout.flush()
        found += len(fuzzer.faults)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
