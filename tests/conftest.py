"""What every test stands on: no screen, no network, a home of its own."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.exported import Exports

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

# The same examples in every run: a red run can be repeated. LITSCAPE_FUZZ=1 draws new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)
settings.load_profile("new" if os.environ.get("LITSCAPE_FUZZ") else "same")

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # helpers for tests are imported as tests.…
_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, data, caches and logs below a folder of the test's own."""
    place = tmp_path / "home"
    monkeypatch.setenv("LITSCAPE_HOME", str(place))
    return place


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Exports:
    """Exports of models, each made once."""
    from tests.exported import Exports

    return Exports(tmp_path_factory.mktemp("exports"))


@pytest.fixture
def tiny_prepared(exports: Exports, home: Path) -> None:
    """This test's home has the export of the small model: embedding makes none."""
    exports.put(home)


@pytest.fixture
def bundled_prepared(exports: Exports, home: Path) -> None:
    """This test's home has the export of the bundled model."""
    exports.put(home, tiny=False, bundled=True)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Any connection but loopback fails the test, even where the code swallows the error."""
    tried: list[str] = []
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if isinstance(address, tuple) and not str(host).startswith(_LOOPBACK):
            tried.append(str(address))
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    def no_names(host: Any, *rest: Any, **options: Any) -> Any:
        if host is not None and not str(host).startswith(_LOOPBACK):
            tried.append(str(host))
            raise socket.gaierror(f"a test tried to look up {host}")
        return resolve(host, *rest, **options)

    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    yield
    assert not tried, f"connections were tried: {tried}"


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; skips where it is missing."""
    place = ROOT.parent / "shared"
    if not place.is_dir():
        pytest.skip("no reference data beside the checkout")
    return place
