"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
HELPERS = TESTS / "helpers"
GOLDEN = TESTS / "golden"
VECTORS = TESTS / "vectors"
ROOT = TESTS.parent
