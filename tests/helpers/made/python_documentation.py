"""The documentation of Python as JSON Lines, as the demo makes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from places import ROOT

PROGRAM = ROOT / "docs" / "python_documentation.py"


def run_documentation(*modules: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """What the demo's program prints of these modules, or of all."""
    return subprocess.run(
        [sys.executable, PROGRAM, *modules],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )


def python_documentation(path: Path, *modules: str) -> Path:
    """Write it to a file."""
    done = run_documentation(*modules)
    assert done.returncode == 0, done.stderr
    path.write_text(done.stdout)
    return path
