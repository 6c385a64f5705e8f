"""Downloads: only with consent, never a pickle, with progress, and a sentence when offline."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.models.hub import download

if TYPE_CHECKING:
    from collections.abc import Iterator

_FETCH = """
import json, sys
from pathlib import Path
from litscape.errors import LitscapeError
from litscape.jobs import JobCancelledError, JobContext
from litscape.models.hub import download

seen = []
def tell(event):
    seen.append([event.value.done, event.value.total])
    if sys.argv[3] == "cancel" and event.value.done:
        ctx.cancel()

ctx = JobContext(tell)
try:
    folder = download(sys.argv[1], Path(sys.argv[2]), consent=True, ctx=ctx)
    print(json.dumps({"folder": str(folder), "seen": seen}))
except LitscapeError as error:
    print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
except JobCancelledError:
    print(json.dumps({"cancelled": True}))
"""


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as a download needs, over a folder of model folders."""

    root: Path
    asked: list[str]

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, *, body: bool) -> None:
        self.asked.append(self.path)
        parts = self.path.split("?")[0].strip("/").split("/")
        folder = self.root / ("/".join(parts[2:4]) if parts[0] == "api" else "/".join(parts[:2]))
        if not folder.is_dir():
            self.reply(404, b"{}", {"X-Error-Code": "RepoNotFound"}, body=body)
        elif parts[0] == "api":
            files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            listing = {
                "id": f"{parts[2]}/{parts[3]}",
                "sha": "a" * 40,
                "siblings": [
                    {"rfilename": str(path.relative_to(folder)), "size": path.stat().st_size}
                    for path in files
                ],
            }
            self.reply(200, json.dumps(listing).encode(), {}, body=body)
        else:
            data = folder.joinpath(*parts[4:]).read_bytes()
            headers = {
                "ETag": f'"{hashlib.sha1(data).hexdigest()}"',
                "X-Repo-Commit": "a" * 40,
                "Accept-Ranges": "bytes",
            }
            self.reply(200, data, headers, body=body)

    def reply(self, code: int, data: bytes, headers: dict[str, str], *, body: bool) -> None:
        self.send_response(code)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def hub(tiny: Path, tmp_path: Path) -> Iterator[tuple[str, Path, list[str]]]:
    """Address, model folders and requests of a hub on this machine; it has ``lab/tiny``."""
    root = tmp_path / "hub"
    (root / "lab").mkdir(parents=True)
    tiny.rename(root / "lab" / "tiny")
    asked: list[str] = []
    handler = type("OneHub", (Hub,), {"root": root, "asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", root, asked
        server.shutdown()
        thread.join()


def fetch(address: str, repo: str, target: Path, how: str = "whole") -> dict[str, Any]:
    """Download in a fresh process, as the hub's library reads its address at import."""
    env = {**os.environ, "HF_ENDPOINT": address, "HF_HUB_OFFLINE": "0", "NO_PROXY": "*"}
    command = [sys.executable, "-c", _FETCH, repo, str(target), how]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_download_with_progress(hub: tuple[str, Path, list[str]], tmp_path: Path) -> None:
    address, root, _asked = hub
    (root / "lab" / "tiny" / "pytorch_model.bin").write_bytes(b"pickle")
    result = fetch(address, "lab/tiny", tmp_path / "got")
    folder = Path(result["folder"])
    assert folder == tmp_path / "got" / "lab--tiny"
    weights = (folder / "model.safetensors").read_bytes()
    assert weights == (root / "lab" / "tiny" / "model.safetensors").read_bytes()
    assert (folder / "1_Pooling" / "config.json").exists()
    assert not (folder / "pytorch_model.bin").exists()
    done = [now for now, _total in result["seen"]]
    assert done == sorted(done)
    assert done[-1] > len(weights)


def test_cancelled_download_goes_on_later(hub: tuple[str, Path, list[str]], tmp_path: Path) -> None:
    address, _root, _asked = hub
    assert fetch(address, "lab/tiny", tmp_path / "got", "cancel") == {"cancelled": True}
    assert not (tmp_path / "got" / "lab--tiny" / "model.safetensors").exists()
    assert "folder" in fetch(address, "lab/tiny", tmp_path / "got")


def test_model_with_only_a_pickle_is_refused_before_it_is_downloaded(
    hub: tuple[str, Path, list[str]], tmp_path: Path
) -> None:
    address, root, asked = hub
    weights = root / "lab" / "tiny" / "model.safetensors"
    weights.rename(weights.with_name("pytorch_model.bin"))
    result = fetch(address, "lab/tiny", tmp_path / "got")
    assert "no weights as safetensors" in result["error"]
    assert all(path.startswith("/api/") for path in asked)


def test_unknown_model(hub: tuple[str, Path, list[str]], tmp_path: Path) -> None:
    result = fetch(hub[0], "lab/nothing", tmp_path / "got")
    assert result["error"] == "UserError: There is no model lab/nothing on huggingface.co."


def test_no_connection(tmp_path: Path) -> None:
    result = fetch("http://127.0.0.1:9", "lab/tiny", tmp_path / "got")
    assert result["error"].startswith("UserError: huggingface.co can't be reached, so lab/tiny")


def test_consent_comes_first(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs your consent"):
        download("lab/tiny", tmp_path, consent=False)
    assert not any(tmp_path.glob("lab*"))


def test_what_is_no_id(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a model id"):
        download("../../etc", tmp_path, consent=True)
