"""Compare the minimal perfect hash `pilot` with libcmph's and with sorted keys, on the same keys in
the same run.

    python bench/perfect_hash/mph.py [--keys 1000000 10000000] [--out bench/results/mph.md]

Needs a C compiler and libcmph-dev. Compiles bench/perfect_hash/mph.c with the core's own files, makes the keys
and writes a table of each run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    "bench/perfect_hash/mph.c",
    "cbits/file/keys/pilot.c",
    "cbits/build/pilot_build.c",
    "cbits/file/keys/part.c",
    "cbits/build/part_build.c",
]
FLAGS = ["-std=c11", "-O2", "-Icbits"]
COLUMNS = [
    "",
    "bits a key",
    "build, ns a key",
    "one by one, ns",
    "in batches, ns",
    "peak, bytes a key",
    "evictions a bucket",
]
Keys = npt.NDArray[np.uint64]


def random_keys(n: int) -> Keys:
    """n distinct 64-bit keys, rising."""
    rng, keys = np.random.default_rng(1), np.empty(0, np.uint64)
    while len(keys) < n:
        keys = np.unique(np.append(keys, rng.integers(0, 2**64, n, dtype=np.uint64)))
    return np.sort(rng.permutation(keys)[:n])


def clustered_keys(n: int) -> Keys:
    """n distinct 28-bit keys, rising: eight digits in radix 2 to 16, each with a digit that most
    documents have, as sub-keys are.
    """
    rng, keys = np.random.default_rng(2), np.empty(0, np.uint64)
    while len(keys) < n:
        draws = np.zeros(n, np.uint64)
        for bits in (1, 2, 3, 4, 4, 4, 5, 5):
            digit = (2**bits * rng.random(n) ** 2).astype(np.uint64)
            draws = draws * np.uint64(2**bits) + digit
        keys = np.unique(np.append(keys, draws))
    return np.sort(rng.permutation(keys)[:n])


NOTES = """\
Processor time of one thread, best of three (builds: of two); all rows of a table in one process, on the same keys. Queries are all keys in
random order. Every hash was checked to be a bijection. Peak is memory beyond the keys while building.

- *pilot* is built for parts of 60,000 keys, and its look-ups contain finding the part: by leading bits of the key, then comparing first
  keys. Its bits contain 20 bytes of directory a part. *In batches* keeps 32 keys under way, over all parts; *ordered by part* is what a
  query does with 4,096 probes at a time.
- Parts need sorted keys. The builder has them sorted; the time for that is not in any build column but stated below each table.
- *cmph* is the installed libcmph 2.x, at its defaults unless said otherwise; it has no look-up in batches. *by part* divides the keys as
  for pilot.
- A hash alone answers for strangers, too. *pilot and 16-bit checksums* refuses all but 2^-16 of them, and so does *sorted mixed keys*: 16
  low bits in full, the others in unary; fewer than 1 in 10,000 of its own keys share them. *sorted keys, all bits* refuses all; it is
  small where keys have few bits. Both say for each key its rank, as a perfect hash would, but their look-ups were not tuned beyond
  counting by word.
"""

KINDS = {"random 64-bit keys": random_keys, "clustered 28-bit keys": clustered_keys}


def machine() -> str:
    """The class of the machine: processor, cores, compiler."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = [
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
    compiler = subprocess.run(
        ["cc", "--version"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[0]
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, {compiler}, {' '.join(FLAGS[:2])}"


def run(program: Path, keys: Keys, folder: Path) -> list[dict[str, Any]]:
    path = folder / "keys"
    keys.astype("<u8").tofile(path)
    out = subprocess.run(
        [str(program), str(path)], capture_output=True, text=True, check=True
    ).stdout
    return [json.loads(line) for line in out.splitlines()]


def sorting(keys: Keys) -> float:
    """Nanoseconds a key."""
    shuffled = np.random.default_rng(3).permutation(keys)
    start = time.process_time_ns()
    np.sort(shuffled)
    return (time.process_time_ns() - start) / len(keys)


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---|" + "--:|" * (len(COLUMNS) - 1)
    for row in rows:
        batch = f"{row['batch']:.1f}" if row["batch"] else ""
        evictions = f"{row['evictions']:.4f}" if "evictions" in row else ""
        yield f"| {row['name']} | {row['bits']:.2f} | {row['build']:.0f} | {row['one']:.1f} | {batch} | {row['peak']:.1f} | {evictions} |"


def targets(rows: dict[str, dict[str, Any]]) -> Iterator[str]:
    """What docs/design.md aims at, as ratios of this run."""
    pilot, bdz = rows["pilot, 3.6 keys a bucket"], rows["cmph bdz, one function"]
    yield f"pilot at 3.6 keys a bucket: {pilot['bits']:.2f} bits a key (at most 2.4);"
    by_part = rows["cmph bdz, by part"]
    yield f"build {pilot['build'] / bdz['build']:.2f} of bdz's (at most 0.5), {pilot['build'] / by_part['build']:.2f} of bdz's by part;"
    yield f"look-up in batches 1/{bdz['one'] / pilot['batch']:.1f} of bdz's (at most 1/8), one by one 1/{bdz['one'] / pilot['one']:.1f};"
    yield f"{pilot['evictions']:.3f} evictions a bucket (at most 0.06)."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--keys", type=int, nargs="+", default=[1_000_000, 10_000_000], help="numbers of keys"
    )
    parser.add_argument("--out", type=Path, help="write the report there as well")
    arguments = parser.parse_args()
    command = " ".join(["python bench/perfect_hash/mph.py", *sys.argv[1:]])
    lines = ["# Minimal perfect hashes", "", f"`{command}`", "", f"{machine()}.", "", NOTES]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "mph"
        subprocess.run(["cc", *FLAGS, *SOURCES, "-lcmph", "-o", str(program)], cwd=ROOT, check=True)
        for n in arguments.keys:
            for kind, make in KINDS.items():
                keys = make(n)
                head, *rows = run(program, keys, folder)
                lines += [
                    f"## {n:,} {kind}",
                    "",
                    *table(rows),
                    "",
                    f"Finding the part among {head['parts']}: {head['find']:.1f} ns of a look-up. "
                    f"Sorting (numpy): {sorting(keys):.0f} ns a key.",
                    "",
                    *targets({row["name"]: row for row in rows}),
                    "",
                ]
                print(f"{n:,} {kind}", *lines[-6:], sep="\n", flush=True)
    if arguments.out:
        arguments.out.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
