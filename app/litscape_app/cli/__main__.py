"""``python -m litscape_app.cli`` is the command line without the window."""

from __future__ import annotations

import sys

from litscape_app.cli.main import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
