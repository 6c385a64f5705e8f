"""Make the virtual environment with the program in it: python -m venv, pip, constraints.txt.

Run by ``make setup`` with the system's Python; uses the standard library alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


def say(text: str) -> None:
    """Print one line at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def pip(python: Path, *arguments: str, extra: dict[str, str] | None = None) -> int:
    """Run pip in the environment and return its exit status."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **(extra or {})}).returncode


def install_hnswlib(python: Path) -> None:
    """Build hnswlib where a compiler is there; without it exact search serves."""
    have = subprocess.run([str(python), "-c", "import hnswlib"], capture_output=True)
    if have.returncode == 0:
        return
    if not (shutil.which("c++") or shutil.which("g++") or shutil.which("cl")):
        say("No C++ compiler found: leaving hnswlib out. Exact search serves in its place.")
        return
    # Without this the build is tuned to this processor alone and breaks on others.
    portable = {"HNSWLIB_NO_NATIVE": "1"}
    if pip(python, "install", "-c", "constraints.txt", "hnswlib", extra=portable) != 0:
        say("hnswlib could not be built; exact search serves in its place.")


def main() -> int:
    """Make or refresh the environment and leave a stamp in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", type=Path, default=Path(".venv"))
    venv = (ROOT / parser.parse_args().venv).resolve()
    if sys.version_info < OLDEST:
        needed, found = ".".join(map(str, OLDEST)), sys.version.split()[0]
        say(f"Litscape needs Python {needed} or later; this is {found}.")
        say("Name another one: make setup PYTHON=python3.12")
        return 2
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        say(f"Making a virtual environment in {venv} …")
        made = subprocess.run([sys.executable, "-m", "venv", str(venv)])
        if made.returncode != 0:
            say("python -m venv failed. On Debian and Ubuntu: apt-get install python3-venv")
            return 2
    say("Installing Litscape and what it needs (several hundred MB the first time) …")
    if pip(python, "install", "-c", "constraints.txt", "-e", ".[dev]") != 0:
        say("pip could not install everything; its message stands above. Then: make setup")
        return 1
    install_hnswlib(python)
    (venv / ".litscape-setup").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
