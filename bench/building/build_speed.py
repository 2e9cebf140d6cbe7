"""A collection of JSON Lines to an index in a file, beside tantivy and rensa: one process a
contender, in turn, some rounds.

    pip install tantivy rensa
    python bench/building/build_speed.py wiki_simple.jsonl.zst --cache DIR -o bench/results/build_speed.md

Each contender reads the same plain file and ends with what it needs to be asked later on the disk,
where it can be kept at all. Each has the settings that its own documentation gives for speed:
tantivy without positions, JSON parsed by itself if that is faster; rensa in batches that its own
threads share.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pickle
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

from running import called, parser, report

BATCH = 4096  # documents that rensa sketches at once
COMPILED = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # modules, as where pip installs them


def records(source: str) -> Iterator[dict[str, str]]:
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def pocketindex(source: str, folder: Path, threads: int) -> Any:
    from pocketindex.builder import Settings, build

    report = build([source], folder / "x.pocket", Settings(threads=threads))
    return {"seconds": report.seconds, "processor": report.processor}


def tantivy(source: str, folder: Path, threads: int, parses: bool) -> None:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", stored=True, index_option="freq")
    builder.add_text_field("text", stored=False, index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=256_000_000, num_threads=threads)
    if parses:
        with open(source, encoding="utf-8") as lines:
            for line in lines:
                writer.add_json(line)
    else:
        for record in records(source):
            writer.add_document(
                tantivy.Document(id=record["id"], title=record["title"], text=record["text"])
            )
    writer.commit()
    writer.wait_merging_threads()


def batches(source: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Ids and tokens, as rensa's documentation cuts them."""
    ids, tokens = list[str](), list[list[str]]()
    for record in records(source):
        ids.append(record["id"])
        tokens.append(record["text"].lower().split())
        if len(ids) == BATCH:
            yield ids, tokens
            ids, tokens = [], []
    if ids:
        yield ids, tokens


def rensa(source: str, folder: Path, threads: int) -> None:
    from rensa import RMinHash, RMinHashLSH

    index, ids = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16), list[str]()
    for some, tokens in batches(source):
        index.insert_matrix(
            RMinHash.digest_matrix_from_token_sets(tokens, num_perm=128, seed=42),
            start_key=len(ids),
        )
        ids += some
    with (folder / "index").open("wb") as out:
        pickle.dump((index, ids), out, protocol=5)


Contender = Callable[[str, Path, int], Any]
CONTENDERS: dict[str, tuple[Contender, tuple[int, ...]]] = {
    "pocketindex": (pocketindex, (1, 2)),
    "tantivy, documents": (lambda *given: tantivy(*given, parses=False), (1, 2)),
    "tantivy, add_json": (lambda *given: tantivy(*given, parses=True), (1, 2)),
    "rensa, R-MinHash and LSH": (rensa, (1, 2)),
}


def once(name: str, threads: int, source: Path, folder: Path) -> dict[str, Any]:
    """A contender in a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, __file__, str(source), "--cache", str(folder)]
    command += ["--contender", name, "--threads", str(threads)]
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**COMPILED, "RAYON_NUM_THREADS": str(threads)}
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{name} ended with {os.waitstatus_to_exitcode(status)}")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    told = json.loads(output)
    found = {
        "seconds": seconds,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": told["peak"],
        "size": size,
    }
    if report := told["report"]:
        found["phases"], found["processor"] = report["seconds"], report["processor"]
    return found


def _peak() -> int:
    """The most memory that this process has held, in bytes.

    What wait4 says counts that of the process which started it, too.
    """
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    return 1024 * int(found[1]) if found else 0


def rows(found: dict[tuple[str, int], list[dict[str, Any]]], documents: int) -> Iterator[str]:
    """Beside tantivy's best with as many threads, in the median of the rounds: rounds are in turn,
    so both see the same machine.
    """
    yield (
        "| contender | threads | seconds, best | median | of tantivy's | documents a second, best | processor s, median | of tantivy's | "
        "of a processor second | peak MB | MB on the disk |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for (name, threads), runs in found.items():
        best = min(run["seconds"] for run in runs)
        clock, cpu = (statistics.median(run[key] for run in runs) for key in ("seconds", "cpu"))
        beside = [
            other
            for (peer, count), other in found.items()
            if peer.startswith("tantivy") and count == threads
        ]
        ratios = [
            f"{mine / min(statistics.median(run[key] for run in other) for other in beside):.2f}"
            if beside
            else ""
            for mine, key in ((clock, "seconds"), (cpu, "cpu"))
        ]
        yield (
            f"| {name} | {threads} | {best:.1f} | {clock:.1f} | {ratios[0]} | {documents / best:,.0f} | {cpu:.1f} | {ratios[1]} | "
            f"{documents / cpu:,.0f} | {max(run['peak'] for run in runs) / 1e6:,.0f} | {runs[0]['size'] / 1e6:.1f} |"
        )


def phases(found: dict[tuple[str, int], list[dict[str, Any]]]) -> Iterator[str]:
    own = [
        (key, min(runs, key=lambda run: run["seconds"]))
        for key, runs in found.items()
        if "phases" in runs[0]
    ]
    yield "| phase |" + "".join(f" {threads} thr., s | processor s |" for (_, threads), _ in own)
    yield "|---|" + "--:|" * (2 * len(own))
    for phase in own[0][1]["phases"]:
        yield f"| {phase} |" + "".join(
            f" {run['phases'][phase]:.2f} | {run['processor'][phase]:.2f} |" for _, run in own
        )


def main() -> None:
    options = parser(__doc__)
    options.add_argument("source", metavar="FILE.jsonl[.zst]")
    options.add_argument("--cache", required=True, type=Path)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--contenders", nargs="*", choices=CONTENDERS, help="only these")
    options.add_argument("--contender", choices=CONTENDERS, help="for the benchmark itself")
    options.add_argument("--threads", type=int, default=1)
    arguments = options.parse_args()
    if arguments.contender:
        run, _ = CONTENDERS[arguments.contender]
        made = run(arguments.source, arguments.cache, arguments.threads)
        print(json.dumps({"report": made, "peak": _peak()}))
        return
    from truth import read  # not for the contenders, whose start counts

    arguments.cache.mkdir(parents=True, exist_ok=True)
    source, documents = arguments.cache / "build_speed.jsonl", read(arguments.source)
    with source.open("w", encoding="utf-8") as out:
        for document in documents:
            one = {"id": str(document["id"]), **{k: document[k] for k in ("title", "text")}}
            out.write(json.dumps(one, ensure_ascii=False) + "\n")
    first = [sys.executable, "-c", "import pocketindex.builder.pipeline"]
    subprocess.run(first, check=True, env=COMPILED)
    found: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for _ in range(arguments.rounds):
        for name in arguments.contenders or CONTENDERS:
            for threads in CONTENDERS[name][1]:
                found.setdefault((name, threads), []).append(
                    once(name, threads, source, arguments.cache / "built")
                )
                print(name, threads, json.dumps(found[name, threads][-1]), flush=True)
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("tantivy", "rensa")
    )
    head = (
        f"# A collection to an index in a file\n\n`{called()}`, "
        f"{_processor()}, {os.cpu_count()} cores shared with other work, Python {platform.python_version()}, {versions}. "
        f"{len(documents):,} documents, {source.stat().st_size / 1e6:.0f} MB of JSON Lines, file to file; each contender a process of its own, its start "
        f"included, in turn, {arguments.rounds} rounds. Processor seconds are those of all threads.\n"
    )
    said = ["", "**pocketindex by phase**, the best round", "", *phases(found)]
    report([head, *rows(found, len(documents)), *said], arguments.output)


def _processor() -> str:
    match = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return match[1] if match else platform.machine()


if __name__ == "__main__":
    main()
