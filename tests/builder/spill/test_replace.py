"""A target is replaced whole or not at all."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.builder.spill.replace import replacing


def test_an_exception_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError), replacing(target) as out:
        out.write(b"half of the new")
        raise RuntimeError

    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_new_file_keeps_the_permissions(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    target.chmod(0o640)
    with replacing(target) as out:
        out.write(b"new")

    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "file") as out:
            out.write(b"new")
    finally:
        os.umask(before)

    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_stale_temporary_files_are_swept_and_living_ones_kept(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale = tmp_path / f".file.{ended.pid}.tmp"
    living = tmp_path / f".file.{os.getppid()}.tmp"
    other = tmp_path / f".other.{ended.pid}.tmp"
    for path in (stale, living, other):
        path.write_bytes(b"x")
    with replacing(tmp_path / "file") as out:
        out.write(b"new")

    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["file", living.name, other.name])


@pytest.mark.slow
def test_kill_9_at_random_moments(collection: Path, tmp_path: Path) -> None:
    """50 builds that replace a file, each killed at a random moment: the file is the old or the new
    one, always whole.
    """
    target = tmp_path / "x.pocket"
    build([str(collection)], target, Settings(profile="learn"))
    old = target.read_bytes()
    command = [
        sys.executable,
        "-m",
        "pocketindex",
        "build",
        str(collection),
        "-o",
        str(target),
        "--profile",
        "learn",
        "--set",
        "keys_per_part=50",
    ]
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    duration = time.monotonic() - start
    new = target.read_bytes()
    assert old != new
    random.seed(2007)
    seen = {"old": 0, "new": 0}
    for _ in range(50):
        target.write_bytes(old)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.3, 1.2) * duration)
        process.send_signal(signal.SIGKILL)
        process.wait()
        content = target.read_bytes()
        assert content in (old, new)
        seen["old" if content == old else "new"] += 1
        with pocketindex.open(target) as index:
            index.verify()
    print(seen)
    build([str(collection)], target, Settings(profile="learn"))

    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.pocket"]
    assert seen["old"] >= 5
