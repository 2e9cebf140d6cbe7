"""`pocketindex serve` whose calls of the system fail, one after the other: it ends one request at
most, and never the server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import HELPERS
from pocketindex.builder import Settings, build
from test_faults import faults as faults

FAILING = HELPERS / "attack" / "failing_server.py"
# How many calls there are at least, and so many of them are tried by default.
CALLS = {
    "recv": (20, 9),
    "send": (20, 9),
    "accept": (10, 7),
    "poll": (20, 11),
    "pread": (4, 2),
    "setsockopt": (10, 9),
    "shutdown": (10, 9),
    "malloc": (10, 19),
}

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a C compiler and Linux"
)


def check(call: str, step: int, faults: Path, collection: Path, folder: Path) -> None:
    path = folder / "docs.pocket"
    build([str(collection)], path, Settings(profile="learn", keep="text", titles=True))
    done = subprocess.run(
        [sys.executable, FAILING, call, str(step), path],
        capture_output=True,
        text=True,
        env={**os.environ, "LD_PRELOAD": str(faults)},
    )
    assert done.returncode == 0, done.stderr
    whole, *found = map(json.loads, done.stdout.splitlines())
    right = whole["rounds"][0]
    assert whole["calls"] >= CALLS[call][0]
    assert all(answer[0] == 200 for answer in right)
    assert whole["rounds"] == [right, right]
    assert len(found) >= min(whole["calls"], 2)
    for one in found:
        wrong = sum(a != b for got in one["rounds"] for a, b in zip(got, right, strict=True))
        # In a connection with several requests those after the one that failed are asked again.
        assert wrong <= 1, one
        assert one["code"] == 0, one


@pytest.mark.parametrize("call", ["recv", "accept", "pread"])
def test_some_calls_that_fail(call: str, faults: Path, collection: Path, tmp_path: Path) -> None:
    check(call, CALLS[call][1], faults, collection, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_every_call_that_fails(call: str, faults: Path, collection: Path, tmp_path: Path) -> None:
    check(call, 1, faults, collection, tmp_path)
