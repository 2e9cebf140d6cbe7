"""Updates beside builds: seconds and bytes, for so many documents that come or go.

    python bench/building/update.py wiki_simple.jsonl --cache DIR -o bench/results/update.md
    python bench/building/update.py 500000.jsonl --cache DIR --changes 1000,1% --equal 1 -o …

New: the old file has all documents but the last ones, which come in. Removed: it has all, and every
so many-th goes out. Beside each stands a build of the documents that are there afterwards, by
itself (its own weights and cells). Bytes are compared with those of a build with the old file as
profile, for the first --equal changes. Each is a command of its own, one after the other.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple


class Taken(NamedTuple):
    """Seconds by the clock, and of all processors: the latter say more where others work, too."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.1f} ({self.processor:.1f})"

    def share(self, other: Taken) -> str:
        return f"{self.clock / other.clock:.2f} ({self.processor / other.processor:.2f})"


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(*arguments: str | Path) -> Taken:
    """Run the command; how long it took."""
    command = [sys.executable, "-m", "pocketindex", *map(str, arguments), "--progress", "none"]
    start, before = time.perf_counter(), processor()
    subprocess.run(command, check=True, capture_output=True)
    return Taken(time.perf_counter() - start, processor() - before)


def cut(lines: list[bytes], path: Path) -> Path:
    with path.open("wb") as file:
        file.writelines(lines)
    return path


def built(source: Path, target: Path, more: list[str]) -> Taken:
    """Build target, and return what that took."""
    return seconds("build", source, "-o", target, *more)


def equal(expected: list[bytes], old: Path, new: Path, cache: Path, more: list[str]) -> str:
    """Whether the update's bytes are those of a build with the old file as profile."""
    source, target = cut(expected, cache / "expected.jsonl"), cache / "expected.pocket"
    built(source, target, [*more, "--profile", str(old)])
    same = target.read_bytes() == new.read_bytes()
    source.unlink()
    target.unlink()
    return "yes" if same else "NO"


def in_order(old: Path, lines: list[bytes]) -> list[bytes]:
    """The lines of documents in the order of a file."""
    import pocketindex

    by_id = {json.loads(line)["id"]: line for line in lines}
    with pocketindex.open(old) as index:
        return [by_id[index.record(number).id] for number in range(len(index))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--changes", default="1000,1%,10%,50%")
    parser.add_argument("--equal", type=int, default=100, help="changes whose bytes are compared")
    parser.add_argument("--build", default="", help="options of the builds")
    parser.add_argument("-o", type=Path, required=True)
    arguments = parser.parse_args()
    cache, more = arguments.cache, arguments.build.split()
    cache.mkdir(parents=True, exist_ok=True)
    lines = arguments.source.read_bytes().splitlines(keepends=True)
    count = len(lines)
    whole = cache / "whole.pocket"
    rebuild = built(arguments.source, whole, more)
    rows = [
        f"## {count:,} documents {arguments.build}".rstrip() + "\n",
        "| change | seconds of the update (of the processor) | of a build | share | bytes of the update | of a build "
        "| bytes of a build with the old file as profile |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for number, change in enumerate(arguments.changes.split(",")):
        part = int(change) if "%" not in change else count * int(change[:-1]) // 100
        old, new = cache / "old.pocket", cache / "new.pocket"
        built(cut(lines[:-part], cache / "old.jsonl"), old, more)
        source = cut(lines[-part:], cache / "new.jsonl")
        taken = seconds("update", old, source, "-o", new)
        same = "not compared"
        if number < arguments.equal:
            same = equal(in_order(old, lines[:-part]) + lines[-part:], old, new, cache, more)
        sizes = f"{new.stat().st_size:,} | {whole.stat().st_size:,}"
        rows.append(
            f"| {part:,} new | {taken} | {rebuild} | {taken.share(rebuild)} | {sizes} | {same} |"
        )
        print(rows[-1], flush=True)
        gone = set(range(0, count, max(count // part, 1)))
        ids, rest = cache / "gone.txt", [one for i, one in enumerate(lines) if i not in gone]
        ids.write_text("".join(json.loads(lines[i])["id"] + "\n" for i in sorted(gone)))
        taken = seconds("update", whole, "--remove", ids, "-o", new)
        own = built(cut(rest, cache / "old.jsonl"), old, more)
        same = "not compared"
        if number < arguments.equal:
            names = {json.loads(lines[i])["id"] for i in gone}
            stay = [one for one in in_order(whole, lines) if json.loads(one)["id"] not in names]
            same = equal(stay, whole, new, cache, more)
        sizes = f"{new.stat().st_size:,} | {old.stat().st_size:,}"
        rows.append(
            f"| {len(gone):,} removed | {taken} | {own} | {taken.share(own)} | {sizes} | {same} |"
        )
        print(rows[-1], flush=True)
    for path in ("old.jsonl", "new.jsonl", "gone.txt", "old.pocket", "new.pocket", "whole.pocket"):
        os.unlink(cache / path)
    arguments.o.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
