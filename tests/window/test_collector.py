"""Garbage cycles are looked for on the window's thread alone, and not while much is at work."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from litscape_app.window.collector import MANY, WHOLE_EVERY, YOUNG, Collector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QObject


class Knot:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def busy() -> list[bool]:
    return [False]


@pytest.fixture
def collector(qapp: QObject, busy: list[bool]) -> Iterator[Collector]:
    made = Collector(lambda: busy[0])
    yield made
    made.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def knot() -> weakref.ref[Knot]:
    return weakref.ref(Knot())


def test_python_does_not_collect_by_itself(collector: Collector) -> None:
    tied = knot()
    kept = [[] for _ in range(3 * MANY)]  # type: ignore[var-annotated]
    assert tied() is not None
    assert len(kept) == 3 * MANY


def test_a_look_collects_when_enough_is_new(collector: Collector) -> None:
    gc.collect(0)
    tied = knot()
    collector.look()
    assert tied() is not None
    kept = [[] for _ in range(YOUNG + 500)]  # type: ignore[var-annotated]
    collector.look()
    assert tied() is None
    assert kept


def test_while_work_goes_on_much_is_left_for_later(collector: Collector, busy: list[bool]) -> None:
    gc.collect(0)
    busy[0] = True
    tied = knot()
    kept = [[] for _ in range(MANY + 500)]  # type: ignore[var-annotated]
    collector.look()
    assert tied() is not None
    busy[0] = False
    collector.look()
    assert tied() is None
    assert kept


def test_what_is_old_is_looked_through_in_the_end(collector: Collector) -> None:
    old = Knot()
    for _ in range(3):
        gc.collect(1)
    tied = weakref.ref(old)
    del old
    for _ in range(WHOLE_EVERY):
        assert tied() is not None
        new = [[] for _ in range(YOUNG + 500)]  # type: ignore[var-annotated]
        collector.look()
        new.clear()
    assert tied() is None
