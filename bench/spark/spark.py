"""A build on Spark beside one on a single machine: bytes, seconds, memory, shuffled bytes.

    python bench/spark/spark.py wiki_simple.jsonl --cache DIR --sizes 20000,500000 -o bench/results/spark.md

Sizes are those of bench/growth/large.py: samples of the collection, or all of it and recombinations of its
documents. Spark reads them as Parquet in an order of chance, and sorts them; the single machine
reads them as JSON Lines in the order of their ids. Each build is a process of its own.

With --kill builds run also on a cluster of two workers on this machine, one of which is killed;
speculation is on. Processor seconds are those of all processes of a build, also where other work
takes processors from it. What is shuffled is from Spark's log of events.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "growth"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "running"))

import large
import pyarrow
import pyarrow.parquet
from spark_cluster import killed_while_it_works, submitted


def made(source: str, count: int, cache: Path) -> tuple[Path, Path]:
    """A collection of so many documents: JSON Lines by id, and Parquet in an order of chance."""
    plain, sorted_, table = (cache / f"spark-{count}.{end}" for end in ("tmp", "jsonl", "parquet"))
    if not table.exists():
        collections = large.originals([source])
        large.write(plain, collections, large.shares([source], collections), count)
        lines = plain.read_bytes().splitlines(keepends=True)
        plain.unlink()
        lines.sort(key=lambda line: json.loads(line)["id"].encode())
        sorted_.write_bytes(b"".join(lines))
        random.Random(11).shuffle(lines)
        schema = pyarrow.schema([(name, pyarrow.string()) for name in ("id", "title", "text")])
        with pyarrow.parquet.ParquetWriter(table, schema) as writer:
            for start in range(0, len(lines), 10_000):
                rows = [json.loads(line) for line in lines[start : start + 10_000]]
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))
    return sorted_, table


class Spent(large.Watched):
    """Also the processor time of a process and those that it has started, in seconds.

    What has ended is with the one that it was started by. So nothing but the last half second of
    an end is missed.
    """

    def __init__(self, process: int) -> None:
        self.processor = 0.0
        super().__init__(process)

    def look(self, processes: list[int]) -> None:
        ticks = sum(map(_ticks, processes))
        self.processor = max(self.processor, ticks / os.sysconf("SC_CLK_TCK"))


def _ticks(process: int) -> int:
    try:
        after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, after_name[11:15]))  # of its own and of those that have ended, user, system


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def single(source: Path, target: Path, index: str) -> dict[str, Any]:
    """A build of one process with two threads."""
    command = [sys.executable, "-m", "pocketindex", "build", source, "-o", target, "--json"]
    command += ["--progress", "none", "--threads", "2", "--index", index]
    start = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)
    watched = Spent(process.pid)
    process.communicate()
    watched.end()
    if process.returncode:
        raise SystemExit(f"the build of {source} ended with {process.returncode}")
    return {
        "seconds": time.perf_counter() - start,
        "peak": watched.most,
        "processor": watched.processor,
        "sha256": sha256(target),
        "bytes": target.stat().st_size,
    }


def on_spark(
    source: Path, target: Path, index: str, partitions: int, killed: bool, folder: Path
) -> dict[str, Any]:
    """A build with two cores of Spark, or two workers of which one is killed."""
    events = folder / "events"
    events.mkdir()
    logged = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{events}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
    }
    arguments = [source, target, "--index", index, "--partitions", partitions]
    start = time.perf_counter()
    if killed:
        status, _, err = killed_while_it_works(folder, arguments, logged, after=20)
        peak = 0
        processor = 0.0
        lost = "Lost executor" in err
    else:
        process = submitted(folder, "local[2]", arguments, logged)
        watched = Spent(process.pid)
        _, err = process.communicate()
        watched.end()
        status = process.returncode
        peak = watched.most
        lost = False
        processor = watched.processor
    if status:
        raise SystemExit(f"the build of {source} on Spark ended with {status}\n{err[-4000:]}")
    seconds = time.perf_counter() - start
    left = sorted(path.name for path in target.parent.iterdir() if "pocket" in path.name)
    return {
        "seconds": seconds,
        "peak": peak,
        "processor": processor,
        "sha256": sha256(target),
        "lost": lost,
        "left": left,
        **measured(events),
    }


def measured(events: Path) -> dict[str, Any]:
    """What the tasks took: seconds, bytes shuffled, tasks that failed or ran twice."""
    found = {"task seconds": 0.0, "shuffled": 0, "tasks": 0, "failed": 0, "speculative": 0}
    for path in events.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event["Event"] != "SparkListenerTaskEnd":
                continue
            metrics, info = event.get("Task Metrics") or {}, event["Task Info"]
            found["tasks"] += 1
            found["failed"] += info["Failed"]
            found["speculative"] += info["Speculative"]
            found["task seconds"] += metrics.get("Executor Run Time", 0) / 1000
            written = metrics.get("Shuffle Write Metrics", {})
            found["shuffled"] += written.get("Shuffle Bytes Written", 0)
    return found


def table(results: list[dict[str, Any]]) -> str:
    """Format the results as rows of the report's table."""
    head = (
        "| documents | index | build | partitions | same SHA-256 | seconds | processor seconds "
        "| µs of a processor a document | peak MB | shuffled MB | tasks | failed | ran twice |"
    )
    rows = [head, "|--:|---|---|--:|---|" + "--:|" * 8]
    for one in results:
        cells = [f"{one['documents']:,}", one["index"], one["build"], one.get("partitions", "")]
        cells += [one["same"], f"{one['seconds']:,.0f}"]
        if one["peak"]:
            cost = one["processor"] / one["documents"] * 1e6
            cells += [f"{one['processor']:,.0f}", f"{cost:,.0f}", f"{one['peak'] / 1e6:,.0f}"]
        else:
            cells += [""] * 3
        if "tasks" in one:
            cells += [f"{one['shuffled'] / 1e6:,.0f}", one["tasks"], one["failed"]]
            cells.append(one["speculative"])
        else:
            cells += [""] * 4
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--sizes", default="20000,500000")
    parser.add_argument("--partitions", default="2,7")
    parser.add_argument("--index", default="documents")
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    results = list[dict[str, Any]]()
    state = arguments.output.with_suffix(".json")
    if state.exists():  # what an earlier run has found goes before
        results = json.loads(state.read_text())
    for count in map(int, arguments.sizes.split(",")):
        plain, rows = made(arguments.source, count, arguments.cache)
        partitions = list(map(int, arguments.partitions.split(",")))
        runs = [(number, False) for number in partitions]
        runs += [(partitions[-1], True)] if arguments.kill else []
        with tempfile.TemporaryDirectory(dir=arguments.cache) as name:
            one = single(plain, Path(name) / "one.pocket", arguments.index)
        about = {"documents": count, "index": arguments.index}
        results.append({**about, "build": "one process, 2 threads", "same": "", **one})
        for number, killed in runs:
            with tempfile.TemporaryDirectory(dir=arguments.cache) as name:
                folder = Path(name)
                (folder / "out").mkdir()
                target = folder / "out" / "all.pocket"
                found = on_spark(rows, target, arguments.index, number, killed, folder)
            if found["left"] != ["all.pocket"]:
                raise SystemExit(f"files are left behind: {found['left']}")
            if killed and not found["lost"]:
                raise SystemExit("no executor was lost: the worker was killed too late")
            build = "two workers, one killed" if killed else "local[2]"
            same = "yes" if found["sha256"] == one["sha256"] else "NO"
            results.append({**about, "build": build, "partitions": number, "same": same, **found})
            state.write_text(json.dumps(results, indent=1))
            print(table(results), flush=True)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    arguments.output.write_text(
        f"`python bench/spark/spark.py`, {os.cpu_count()} cores, load at the end {load}\n\n"
        f"{table(results)}\n"
    )


if __name__ == "__main__":
    main()
