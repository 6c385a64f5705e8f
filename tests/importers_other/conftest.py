"""Property tests here have no time limit a case: a loaded machine fails no test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")
