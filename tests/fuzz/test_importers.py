"""Inputs that broke a reader once, and some changed at random: none of them breaks it now."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", ROOT / "tools" / "fuzz_importers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module
    spec.loader.exec_module(module)
    return module


FUZZ: Any = _tool()
KEPT = sorted(
    path for kind in FUZZ.KINDS for path in (FUZZ.CORPUS / kind).glob("*") if path.is_file()
)
SEEDS = {path.stem: path for path in FUZZ.SEEDS.iterdir()}
SEEDS["zotero"] = ROOT / "tests" / "data" / "zotero" / "trash-notes-attachments.sqlite"
SEEDS["zotero-rdf"] = ROOT / "tests" / "data" / "zotero" / "rdf.rdf"


def test_every_reader_has_something_to_start_from() -> None:
    assert set(SEEDS) == set(FUZZ.KINDS)


@pytest.mark.parametrize("kind", sorted(SEEDS))
def test_what_it_starts_from_is_sound(kind: str) -> None:
    assert FUZZ.fault_of(kind, SEEDS[kind], True) is None


@pytest.mark.parametrize("path", KEPT, ids=[f"{path.parent.name}-{path.stem}" for path in KEPT])
def test_what_broke_a_reader_once(path: Path) -> None:
    assert FUZZ.fault_of(path.parent.name, path, True) is None


@pytest.mark.parametrize("kind", sorted(SEEDS))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_changed_files(kind: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    path = tmp_path / f"input{SEEDS[kind].suffix}"
    path.write_bytes(SEEDS[kind].read_bytes())
    if kind in FUZZ.DATABASES:
        FUZZ.changed_database(path, dice)
    else:
        path.write_bytes(FUZZ.changed(path.read_bytes(), dice))
    assert FUZZ.fault_of(kind, path) is None


def test_the_tool_finds_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    path = tmp_path / "a.bib"
    path.write_text("@book{a, title = {b}}", "utf-8")
    monkeypatch.setattr(FUZZ, "_read", broken)
    assert "KeyError" in FUZZ.fault_of("bibtex", path)
    assert FUZZ.smaller(b"a\nb\nxyz\n", lambda data: b"y" in data) == b"y"
