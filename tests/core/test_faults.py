"""A build whose calls of the system fail, one after the other: the old file or the new one, one
line of message, and no litter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from compiled import HARNESSES, compile_c
from made_up import made_up
from places import HELPERS
from pocketindex.builder import Settings, build

FAILING = HELPERS / "attack" / "failing.py"
# How many there are at least; reads and openings are many, so that by default every so many of them
# are tried.
CALLS = {
    "write": 20,
    "fsync": 12,
    "rename": 5,
    "link": 1,
    "mkdir": 1,
    "ftruncate": 1,
    "mmap": 1,
    "malloc": 20,
    "open": 40,
    "read": 60,
}
SAMPLE = {"fsync": 3, "rename": 2, "malloc": 5, "open": 13}

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a C compiler and Linux"
)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(
        tmp_path_factory.mktemp("faults") / "faults.so",
        [HARNESSES / "faults.c"],
        "-shared",
        "-fPIC",
        "-Wno-pedantic",
        "-ldl",
    )


def failed(
    call: str, how: str, start: int, step: int, faults: Path, tmp_path: Path
) -> list[dict[str, object]]:
    """What came of builds that replace a file, one for each number of a call."""
    source, target = tmp_path / "docs.jsonl", tmp_path / "out" / "x.pocket"
    source.write_text("".join(json.dumps(document) + "\n" for document in made_up(60)))
    target.parent.mkdir()
    build([str(source)], target, Settings(profile="learn"))
    arguments = [
        "build",
        source,
        "-o",
        target,
        "--profile",
        "learn",
        "--threads",
        "1",
        "--cells",
        "4",
        "--keep",
        "text",
        "--titles",
    ]
    command = [sys.executable, FAILING, call, how, start, step, 10_000, target, *arguments]
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        env={**os.environ, "LD_PRELOAD": str(faults)},
    )
    assert done.returncode == 0, done.stderr
    whole, *found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    assert (whole["file"], whole["differs"]) == ("new", True)
    assert whole["calls"] >= CALLS[call]
    assert len(found) == (whole["calls"] - start) // step + 1
    return found


def check(found: list[dict[str, object]]) -> None:
    for one in found:
        said = str(one["said"])
        assert one["code"] in (0, 2), one
        assert one["file"] == "new" if one["code"] == 0 else one["file"] in ("old", "new"), one
        assert one["litter"] == [], one
        assert "Traceback" not in said, one
        assert (
            one["code"] == 0
            or len([line for line in said.splitlines() if line.startswith("pocketindex: ")]) == 1
        ), one
    assert any(one["code"] == 2 for one in found)


@pytest.mark.parametrize("call", SAMPLE)
def test_some_calls_that_fail_from_then_on(call: str, faults: Path, tmp_path: Path) -> None:
    check(failed(call, "lasting", 2 if call != "rename" else 1, SAMPLE[call], faults, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("how", ["first", "lasting"])
@pytest.mark.parametrize("call", CALLS)
def test_every_call_that_fails(call: str, how: str, faults: Path, tmp_path: Path) -> None:
    check(failed(call, how, 1, 1, faults, tmp_path))
