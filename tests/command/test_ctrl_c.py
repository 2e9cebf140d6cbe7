"""Ctrl-C ends a build, and what else takes long, at once, whatever its threads are at: each call of
the core that takes long asks whether to go on.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "wait4") or not Path("/proc").is_dir(), reason="Linux"),
]
MOMENTS, FEW = 10, 3
# Seconds of the processor: a tenth for each of two threads, and what Python takes to end, which is
# about a tenth, too.
MOST = 0.35


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough for two chunks."""
    chance = random.Random(2007)
    words = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(20_000)]
    path = tmp_path_factory.mktemp("ctrl-c") / "docs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i in range(50_000):
            text = " ".join(chance.choices(words, k=130))
            file.write(json.dumps({"id": f"d{i}", "title": text[:30], "text": text}) + "\n")
    return path


class Run:
    """A command in a process of its own."""

    def __init__(self, *words: object) -> None:
        command = [sys.executable, "-m", "pocketindex", *map(str, words)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def seconds(self) -> float:
        """Return the processor seconds that it has taken so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_there(self) -> bool:
        """Tell whether it has not ended yet."""
        asked = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, asked) is None

    def ended(self) -> tuple[int, float]:
        """Wait for its end; its exit code, and what it took in all."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, usage.ru_utime + usage.ru_stime


def build(source: Path, out: Path) -> tuple[object, ...]:
    words = ("build", source, "-o", out, "--index", "documents,passages,words", "--titles")
    return *words, "--keep", "text", "--profile", "learn", "--threads", "2"


def interrupted(moments: int, *words: object) -> list[tuple[float, float]]:
    """Return, for each of some moments, the processor seconds that the command still takes after
    Ctrl-C, and after how many it was interrupted.
    """
    code, whole = Run(*words).ended()
    assert code in (0, 1)
    chance = random.Random(os.getpid())
    taken = list[tuple[float, float]]()
    while len(taken) < moments:
        at = 0.4 + 0.8 * (whole - 0.5) * (len(taken) + chance.random()) / moments
        run = Run(*words)
        while run.seconds() < at and run.is_there():
            time.sleep(0.002)
        if not run.is_there():  # a busy machine made the first one take longer
            code, whole = run.ended()
            assert code in (0, 1)
            continue
        before = run.seconds()
        os.kill(run.process.pid, signal.SIGINT)
        code, seconds = run.ended()
        taken.append((seconds - before, at))
        assert code == 130, (code, at, whole)
    print([(round(seconds, 2), round(at, 2)) for seconds, at in taken])
    return taken


def test_a_build_ends_at_once(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.pocket"
    taken = interrupted(MOMENTS, *build(source, out))

    assert max(taken)[0] < MOST, max(taken)
    assert list(tmp_path.iterdir()) == [out]  # the whole one's file, and no work folder


@pytest.mark.parametrize("command", ["dedup", "pairs", "check", "check --source"])
def test_work_on_a_collection_ends_at_once(command: str, source: Path, tmp_path: Path) -> None:
    few, fewer, file = (tmp_path / name for name in ("few.jsonl", "fewer.jsonl", "x.pocket"))
    lines = source.read_text(encoding="utf-8").splitlines(True)
    few.write_text("".join(lines[:10_000]), "utf-8")
    fewer.write_text("".join(lines[:1_000]), "utf-8")
    assert Run("build", few, "-o", file, "--index", "documents,passages").ended()[0] == 0
    words: dict[str, tuple[object, ...]] = {
        "dedup": (few, "-o", tmp_path / "y.jsonl"),
        "pairs": (file, "--measure", "cosine"),
        "check": (file, few),
        "check --source": (file, fewer, "--source", source),
    }
    taken = interrupted(FEW, command.split()[0], *words[command])

    assert max(taken)[0] < MOST, max(taken)
