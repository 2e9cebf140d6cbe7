"""Documents from Python beside the command on the same JSON Lines: seconds, memory, bytes.

    python bench/building/python.py wiki_simple.jsonl > bench/results/python.md

Each way has a process of its own; ways take turns, and the least of the rounds counts, since other
work takes the processors now and then. The seconds
are of the build alone: dicts are read from the file while it goes on, or are there before. Memory
is the most that the process had at once, less what it had before the build.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WAYS = {
    "command": "the command, JSON Lines",
    "parsed": "a generator that parses each line",
    "dicts": "a generator of dicts that are there",
    "arrow": "an Arrow table in a mapped file",
}
ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--max-memory", type=int, default=256 << 20)
    parser.add_argument("--way", choices=WAYS)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.way:
        print(
            json.dumps(one(arguments.way, arguments.source, arguments.folder, arguments.max_memory))
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        table(arguments.source, Path(folder))
        found: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
        for _ in range(ROUNDS):
            for way in WAYS:
                command = [sys.executable, __file__, str(arguments.source), "--way", way]
                command += ["--folder", folder, "--max-memory", str(arguments.max_memory)]
                ran = subprocess.run(command, check=True, capture_output=True, text=True)
                found[way].append(json.loads(ran.stdout.splitlines()[-1]))
    show(arguments, found)


def table(source: Path, folder: Path) -> None:
    """Write the same documents as an Arrow file."""
    script = (
        "import json, sys, pyarrow as pa, pyarrow.ipc\n"
        "rows = pa.Table.from_pylist([json.loads(line) for line in open(sys.argv[1])])\n"
        "with pa.ipc.new_file(sys.argv[2], rows.schema) as out:\n    out.write_table(rows)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(source), str(folder / "d.arrow")], check=True)


def one(way: str, source: Path, folder: Path, memory: int) -> dict[str, Any]:
    """A build: its seconds, peak memory in bytes, and the digest of the file."""
    import pocketindex
    import pyarrow
    import pyarrow.ipc
    from pocketindex.cli import main as command

    target = folder / f"{way}.pocket"
    given: Any = None
    if way == "parsed":
        given = (json.loads(line) for line in source.open())
    elif way == "dicts":
        given = iter([json.loads(line) for line in source.open()])
    elif way == "arrow":
        given = pyarrow.ipc.open_file(pyarrow.memory_map(str(folder / "d.arrow"))).read_all()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, spent = time.perf_counter(), time.process_time()
    if way == "command":
        code = command(["build", str(source), "-o", str(target), "--max-memory", str(memory)])
        assert code == 0
        indexed = 0
    else:
        indexed = pocketindex.build(given, target, max_memory=memory, progress=False).indexed
    seconds = time.perf_counter() - start
    processor = time.process_time() - spent
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    return {
        "seconds": seconds,
        "processor": processor,
        "memory": (after - before) << 10,
        "digest": digest,
        "indexed": indexed,
    }


def show(arguments: argparse.Namespace, found: dict[str, list[dict[str, Any]]]) -> None:
    """Print the table."""
    indexed = max(one["indexed"] for one in found["dicts"])
    digests = {one["digest"] for some in found.values() for one in some}
    least = {
        way: [min(one[what] for one in found[way]) for what in ("seconds", "processor")]
        for way in WAYS
    }
    print("# Documents from Python\n")
    print(f"    python bench/building/python.py {arguments.source.name}\n")
    print(
        f"{indexed:,} documents indexed, max_memory {arguments.max_memory >> 20} MB, {ROUNDS} rounds "
        "in turn, the least of each. Memory is what the build adds to the process.\n"
    )
    print(
        "| documents | seconds | of the command | of all processors | of the command | MB |\n"
        "|---|--:|--:|--:|--:|--:|"
    )
    for way, name in WAYS.items():
        memory = max(one["memory"] for one in found[way]) >> 20
        seconds, processor = least[way]
        of = [own / base for own, base in zip(least[way], least["command"], strict=True)]
        print(
            f"| {name} | {seconds:.1f} | {of[0]:.2f} | {processor:.1f} | {of[1]:.2f} | {memory} |"
        )
    same = "the same bytes" if len(digests) == 1 else f"{len(digests)} different files"
    print(f"\nAll {sum(map(len, found.values()))} builds gave {same}.")


if __name__ == "__main__":
    main()
