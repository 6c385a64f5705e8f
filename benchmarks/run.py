"""Run the benchmarks one after the other, each in a process of its own.

``python benchmarks/run.py [name …]``: all of them, or those named. ``finetune`` takes an hour
a seed, so it runs only where it is named. What needs the reference data beside the checkout, or
vectors that take long to make, says so and is left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCHMARKS = (
    "importing",
    "duplicates",
    "store",
    "embedding",
    "index",
    "search",
    "queries",
    "facets",
    "fusion",
    "similar",
    "fulltext",
    "citations",
    "maps",
    "map_view",
    "finetune_speed",
    "topics",
    "window",
    "large_window",
    "peers",
)
ONLY_BY_NAME = ("finetune",)


def main() -> int:
    """Exit status 0 when every benchmark ran to its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    listed = ", ".join((*BENCHMARKS, *ONLY_BY_NAME))
    parser.add_argument("names", nargs="*", metavar="NAME", help=listed)
    names = parser.parse_args().names or BENCHMARKS
    unknown = sorted(set(names) - {*BENCHMARKS, *ONLY_BY_NAME})
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {listed}")
    print(f"Python {platform.python_version()} on {platform.platform()}, {os.cpu_count()} cores")
    failed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        ended = subprocess.run([sys.executable, str(HERE / f"{name}.py")])
        print(f"({time.monotonic() - began:.0f} s)", flush=True)
        if ended.returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
