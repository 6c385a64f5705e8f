"""What a run spends: time, processor time, memory, and energy where the machine tells it."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape_trainer.runs.records import RunState

_POWERCAP = Path("/sys/class/powercap")


class Energy:
    """Joules that the processor's packages took, by the counters of Linux' powercap."""

    def __init__(self, folder: Path = _POWERCAP) -> None:
        self._counters: list[tuple[Path, int]] = []
        with suppress(OSError):
            for zone in sorted(folder.glob("*:*")):
                # "intel-rapl:0" is a package; "intel-rapl:0:1" is a part of one.
                if zone.name.count(":") == 1 and "mmio" not in zone.name:
                    self._add(zone)
        self._last = [self._read(file) for file, _range in self._counters]
        self._joules = 0.0

    def _add(self, zone: Path) -> None:
        with suppress(OSError, ValueError):
            most = int((zone / "max_energy_range_uj").read_text())
            int((zone / "energy_uj").read_text())
            self._counters.append((zone / "energy_uj", most))

    @staticmethod
    def _read(file: Path) -> int | None:
        with suppress(OSError, ValueError):
            return int(file.read_text())
        return None

    def joules(self) -> float | None:
        """Since it was made; None where it can't be read. To be asked every half hour at least."""
        if not self._counters:
            return None
        for place, (file, most) in enumerate(self._counters):
            now, last = self._read(file), self._last[place]
            if now is not None and last is not None:
                self._joules += ((now - last) if now >= last else (now + most - last)) / 1e6
            self._last[place] = now
        return self._joules


def peak_mb() -> float:
    """The most memory that this process held, in megabytes; 0 where it can't be read."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024


class Meter:
    """What this part of a run spends, added to what earlier parts did."""

    def __init__(self, state: RunState, energy: Energy | None = None) -> None:
        self._before = state
        self._energy = energy or Energy()
        self._began, self._cpu = time.monotonic(), time.process_time()

    def into(self, state: RunState) -> RunState:
        """The state with what was spent up to now."""
        joules = self._energy.joules()
        before = self._before.joules
        return replace(
            state,
            seconds=round(self._before.seconds + time.monotonic() - self._began, 1),
            cpu_seconds=round(self._before.cpu_seconds + time.process_time() - self._cpu, 1),
            peak_mb=round(max(self._before.peak_mb, peak_mb()), 1),
            joules=None if joules is None else round((before or 0.0) + joules, 1),
        )
