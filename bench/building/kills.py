"""A build that is killed again and again, by SIGKILL at random moments, and resumed: in the end
always the same bytes.

    python bench/building/kills.py wiki_simple.jsonl.zst --cache DIR --kills 100 -o bench/results/kills.md

A moment is a random one of a random phase, so that short phases have their share. The source is a
plain file, of which a resumed build reads nothing that a finished chunk has; a chunk has 1/32 of
--max-memory at most, so less memory makes more chunks.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

from truth import read


def run(command: list[str], phase: str = "", delay: float = 0.0) -> tuple[int, str]:
    """Run a build, and kill it so many seconds after a phase of it began; its exit code and what it
    said last.
    """
    process = subprocess.Popen(
        [*command, "--progress", "json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    last = ""
    for last in process.stderr:
        if phase and last.startswith("{") and json.loads(last)["phase"] == phase:
            time.sleep(delay)
            process.kill()
            break
    process.stderr.close()
    return process.wait(), last


def unbroken(command: list[str]) -> dict[str, float]:
    """Build at one go; the seconds of its phases."""
    report = json.loads(
        subprocess.run(
            [*command, "--json", "--progress", "none"], check=True, capture_output=True
        ).stdout
    )
    return dict(report["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", metavar="FILE.jsonl[.zst]")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=2007)
    parser.add_argument("--max-memory", default="512M")
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    source, target = arguments.cache / "kills.jsonl", arguments.cache / "kills.pocket"
    with source.open("w", encoding="utf-8") as out:
        for document in read(arguments.source):
            fields = {
                "id": str(document["id"]),
                "title": document["title"],
                "text": document["text"],
            }
            out.write(json.dumps(fields, ensure_ascii=False) + "\n")
    command = [
        sys.executable,
        "-m",
        "pocketindex",
        "build",
        str(source),
        "-o",
        str(target),
        "--max-memory",
        arguments.max_memory,
    ]
    seconds = unbroken(command)
    expected = target.read_bytes()
    builds = 0
    chance = random.Random(arguments.seed)
    kills: Counter[str] = Counter()
    while kills.total() < arguments.kills:
        target.write_bytes(b"the old file")
        more: list[str] = []
        while True:
            phase = chance.choice(list(seconds))
            code, last = run([*command, *more], phase, chance.random() * seconds[phase])
            if code == 0:
                break
            if code != -signal.SIGKILL:
                raise SystemExit(last)
            if target.read_bytes() not in (b"the old file", expected):
                raise SystemExit("half of a file")
            kills[phase] += 1
            more = ["--resume"]
        if target.read_bytes() != expected or target.with_name(f"{target.name}.work").exists():
            raise SystemExit("other bytes, or temporary files are left")
        builds += 1
        print(f"{kills.total()} kills, {builds} builds", flush=True)
    rows = "\n".join(f"| {phase} | {seconds[phase]:.1f} | {kills[phase]} |" for phase in seconds)
    arguments.output.write_text(
        f"# Killed and resumed\n\n`python bench/building/kills.py {Path(arguments.source).name} --kills {arguments.kills} --max-memory {arguments.max_memory}`, "
        f"{platform.machine()}, {os.cpu_count()} cores shared with other work.\n\n"
        f"Builds of {source.stat().st_size / 1e6:.0f} MB of JSON Lines with a learned profile, killed (SIGKILL) at a random moment of a random phase, "
        f"resumed, killed again, until one ended: {kills.total()} kills, {builds} builds that ended. Each gave the bytes of the unbroken build, none left a "
        "temporary file, and after no kill there was anything but the whole old file or the whole new one.\n\n"
        f"| killed in the phase | which takes seconds | times |\n|---|--:|--:|\n{rows}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
