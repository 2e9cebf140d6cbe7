"""Ctrl-C ends a build at once, whatever its threads are at: each call of the core that takes long
asks whether to go on.
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
MOMENTS = 10
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
    """A build in a process of its own."""

    def __init__(self, source: Path, out: Path) -> None:
        words = ["build", source, "-o", out, "--index", "documents,passages,words", "--titles"]
        words += ["--keep", "text", "--profile", "learn", "--threads", "2"]
        command = [sys.executable, "-m", "pocketindex", *map(str, words)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def seconds(self) -> float:
        """What it has taken of the processors so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_there(self) -> bool:
        """Whether it has not ended yet."""
        asked = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, asked) is None

    def ended(self) -> tuple[int, float]:
        """Wait for its end; its exit code, and what it took in all."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, usage.ru_utime + usage.ru_stime


def test_a_build_ends_at_once(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.pocket"
    code, whole = Run(source, out).ended()
    assert code == 0
    out.unlink()
    chance = random.Random(os.getpid())
    taken = list[tuple[float, float]]()
    for moment in range(MOMENTS):
        at = 0.4 + 0.8 * (whole - 0.5) * (moment + chance.random()) / MOMENTS
        run = Run(source, out)
        while run.seconds() < at and run.is_there():
            time.sleep(0.002)
        before = run.seconds()
        run.process.send_signal(signal.SIGINT)
        code, seconds = run.ended()
        taken.append((seconds - before, at))
        assert code == 130, at
        assert list(tmp_path.iterdir()) == []  # neither a file nor a work folder

    print([(round(seconds, 2), round(at, 2)) for seconds, at in taken])
    assert max(taken)[0] < MOST, max(taken)
