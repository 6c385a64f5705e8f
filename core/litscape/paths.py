"""Where the program keeps its files; the only user of platformdirs.

``LITSCAPE_HOME`` puts everything below one folder, for portable use and tests.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_APP = "litscape"


def _below(kind: str, default: str) -> Path:
    home = os.environ.get("LITSCAPE_HOME")
    return Path(home).expanduser().absolute() / kind if home else Path(default)


def config_dir() -> Path:
    """Settings."""
    return _below("config", platformdirs.user_config_dir(_APP, appauthor=False))


def data_dir() -> Path:
    """Libraries by default, and models brought in by the user."""
    return _below("data", platformdirs.user_data_dir(_APP, appauthor=False))


def cache_dir() -> Path:
    """What can be made again: exported models."""
    return _below("cache", platformdirs.user_cache_dir(_APP, appauthor=False))


def log_dir() -> Path:
    """Logs and crash reports."""
    return _below("log", platformdirs.user_log_dir(_APP, appauthor=False))
