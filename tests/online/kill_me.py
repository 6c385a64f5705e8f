"""Looks citations up until somebody ends it: ``python kill_me.py LIBRARY ROOT SERVICE``."""

from __future__ import annotations

import sys
from pathlib import Path

from litscape.online.fetch import fetch
from litscape.online.records import FetchOptions
from litscape.store.database import Database

if __name__ == "__main__":
    with Database.open(Path(sys.argv[1])) as database:
        names = ("openalex", "crossref", "semanticscholar", "opencitations")
        bases = {name: f"{sys.argv[2]}/{name}" for name in names}
        fetch(database, FetchOptions(services=(sys.argv[3],), bases=bases, waits=0.01))
