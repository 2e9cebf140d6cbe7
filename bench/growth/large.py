"""What grows with the number of documents: the build, the file, a query.

    python bench/growth/large.py wiki_simple.jsonl.zst wiki_de.jsonl.zst wiki_en_tasks.jsonl.zst --cache DIR -o LARGE.md

Sizes up to the first collection's are samples of it, the next has all of it. Beyond are all
documents given and recombinations of them, with ids that say so
("mixed-7-of-simple-12+simple-99+simple-4"): a run of sentences out of each of three documents of
one collection. So a recombination is like its three sources and like others of them, as far as it
shares their sentences.

Where files are given as FILE:LANGUAGE, each language has as many of the recombinations as any
other.

Every build is a process of its own, with the default settings and --max-memory. Queries are texts
of the smallest sample with a fifth of their words edited, so the same for all sizes; found is one
whose origin is among its ten hits.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from pocketindex.builder.evaluate.edits import edited
from touched import touched
from truth import read

SENTENCE = re.compile(r"(?<=[.!?])\s+")
PARTS = 3  # documents that a recombination is of
QUERIES = 500
LEAST_WORDS = 50
EDITED = 0.2
ROUNDS = 3
OPENED = """
import sys, time, pocketindex
warm = pocketindex.open(sys.argv[2]); warm.close()
start = time.perf_counter()
index = pocketindex.open(sys.argv[1])
print((time.perf_counter() - start) * 1000)
"""


Documents = list[dict[str, str]]


def originals(sources: list[str]) -> list[Documents]:
    """The documents of each collection, with ids that no other has."""
    found = []
    for source in sources:
        path = source.partition(":")[0]
        name = Path(path).name.split(".")[0].removeprefix("wiki_")
        found.append(
            [
                {"id": f"{name}-{d['id']}", "title": d["title"], "text": d["text"]}
                for d in read(path)
            ]
        )
    return found


def shares(sources: list[str], collections: list[Documents]) -> list[float]:
    """The weight of each collection among the recombinations: each language has the same, a
    collection its part of that by size.
    """
    languages = [source.partition(":")[2] for source in sources]
    of = {
        language: sum(
            len(own) for own, its in zip(collections, languages, strict=True) if its == language
        )
        for language in languages
    }
    return [len(own) / of[language] for own, language in zip(collections, languages, strict=True)]


def recombined(
    collections: list[Documents], weights: list[float], count: int
) -> Iterator[dict[str, str]]:
    """count documents, each of runs of sentences of PARTS others of one collection, about as long
    as one of them.
    """
    chance = random.Random(2007)
    for number in range(count):
        sources = chance.choices(chance.choices(collections, weights)[0], k=PARTS)
        text = []
        for source in sources:
            sentences = SENTENCE.split(source["text"])
            taken = -(-len(sentences) // PARTS)
            first = chance.randrange(len(sentences) - taken + 1)
            text += sentences[first : first + taken]
        names = "+".join(source["id"] for source in sources)
        yield {
            "id": f"mixed-{number}-of-{names}",
            "title": f"{sources[0]['title']} ({number})",
            "text": " ".join(text),
        }


def write(path: Path, collections: list[Documents], weights: list[float], count: int) -> None:
    """A collection of so many documents, as JSON Lines."""
    first = collections[0]
    everything = [document for collection in collections for document in collection]
    with path.open("w", encoding="utf-8") as out:
        if count <= len(first):
            documents = iter(random.Random(5).sample(first, count) if count < len(first) else first)
        else:
            documents = (
                d
                for part in (everything, recombined(collections, weights, count - len(everything)))
                for d in part
            )
        for document in documents:
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


class Watched:
    """The most memory that a process and those it started have held together, in bytes, looked at
    every tenth of a second.

    What the system itself knows of the process alone (VmHWM) misses no peak between two looks. What
    wait4 says would count the memory of the benchmark, which is that of the process until it begins
    anew.
    """

    def __init__(self, process: int) -> None:
        self.most, self._process = 0, process
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def end(self) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            processes = _tree(self._process)
            self.most = max(self.most, sum(map(_resident, processes)), _highest(self._process))
            self.look(processes)

    def look(self, processes: list[int]) -> None:
        """Note more of the running processes, in a subclass; here nothing."""


def _tree(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(p for child in children for p in _tree(int(child)))]


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    except (OSError, IndexError):
        return 0


def _highest(process: int) -> int:
    try:
        found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return 1024 * int(found[1]) if found else 0


def build(
    source: Path, target: Path, arguments: argparse.Namespace, threads: int
) -> dict[str, Any]:
    """Build in a process of its own, and say what it took."""
    command = [
        sys.executable,
        "-m",
        "pocketindex",
        "build",
        str(source),
        "-o",
        str(target),
        "--json",
        "--progress",
        "none",
    ]
    command += ["--max-memory", arguments.max_memory, "--threads", str(threads)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    watched = Watched(process.pid)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    watched.end()
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"the build of {source} ended with {os.waitstatus_to_exitcode(status)}")
    report = json.loads(output)
    return {
        "threads": threads,
        "input": source.stat().st_size,
        "seconds": seconds,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": watched.most,
        **{key: report[key] for key in ("bytes", "indexed", "skipped", "temporary")},
        "phases": report["seconds"],
        "processor": report["processor"],
    }


def questions(collection: Path) -> list[tuple[str, bytes]]:
    """Edited texts of a collection, with the ids of what they were."""
    documents, chance = read(collection), random.Random(7)
    long = [d for d in documents if len(d["text"].split()) >= LEAST_WORDS]
    words = [word for d in chance.sample(documents, QUERIES) for word in d["text"].split()]
    return [
        (d["id"], edited(d["text"], "mixed", EDITED, words, chance).encode())
        for d in chance.sample(long, QUERIES)
    ]


def ask(path: Path, asked: list[tuple[str, bytes]], other: Path) -> dict[str, Any]:
    """Queries of a file that is in memory, and its opening in fresh processes."""
    queries = [text for _, text in asked]
    with pocketindex.open(path) as index:
        hits = [next(index.query_many([text])) for text in queries]
        best = [float("inf")] * len(queries)
        for _ in range(ROUNDS):
            for place, text in enumerate(queries):
                start = time.perf_counter_ns()
                next(index.query_many([text]))
                best[place] = min(best[place], (time.perf_counter_ns() - start) / 1000)
    blocks = touched(path, queries)
    command = [sys.executable, "-c", OPENED, str(path), str(other)]
    opened = [
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    return {
        "median": statistics.median(best),
        "slow": sorted(best)[int(0.95 * len(best))],
        "candidates": statistics.fmean(h.candidates for h in hits),
        "parts": statistics.fmean(h.parts for h in hits),
        "probes": statistics.fmean(h.probes for h in hits),
        "blocks": statistics.fmean(each.blocks for each in blocks),
        "touched": statistics.fmean(each.size for each in blocks),
        "found": sum(any(hit.id == id for hit in h) for (id, _), h in zip(asked, hits, strict=True))
        / len(hits),
        "first": sum(bool(h) and h[0].id == id for (id, _), h in zip(asked, hits, strict=True))
        / len(hits),
        "open": min(opened),
    }


def shape(path: Path) -> dict[str, Any]:
    """What the build chose."""
    with pocketindex.open(path) as index:
        info = index.info()
    bits = info.tables[0].components if info.tables else 0
    chosen = {
        "tables": len(info.tables),
        "bits": bits,
        "components": info.components,
        "probes": info.default_probes,
    }
    return {**chosen, "way": info.way}


def page(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> str:
    """Markdown of the results."""
    names = " ".join(Path(path).name for path in arguments.sources)
    lines = [
        "# What grows with the number of documents",
        "",
        f"`python bench/growth/large.py {names} --counts {' '.join(map(str, arguments.counts))} --max-memory {arguments.max_memory}`, "
        f"{platform.machine()}, {os.cpu_count()} cores shared with other work, Python {platform.python_version()}. Sizes above the first collection's "
        "126,049 are 190,767 real articles of three wikis and recombinations of their sentences (see the script): texts of no author, each like its "
        "three sources, so similar documents grow with the collection more than in a real one.",
        "",
        "**Build**, default settings. Processor time is that of the build alone; seconds by the clock include waiting for other work.",
        "",
        "| documents | threads | input MB | peak memory MiB | seconds | processor s | of it, ms a document | documents a processor second "
        "| temporary MB |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        for run in row["builds"]:
            whole = sum(run["processor"].values())
            lines.append(
                f"| {row['documents']:,} | {run['threads']} | {run['input'] / 1e6:,.0f} | {run['peak'] / 2**20:,.0f} | {run['seconds']:.0f} | "
                f"{run['cpu']:.0f} | {1000 * whole / row['documents']:.4f} | {row['documents'] / whole:,.0f} | "
                f"{run['temporary'] / 1e6:,.0f} |"
            )
    lines += [
        "",
        f"**File and query**: {QUERIES} articles of the smallest sample with at least {LEAST_WORDS} words, of which {100 * EDITED:.0f} % are edited, as "
        f"queries, the same for all sizes; the file in memory, one thread, from Python, best of {ROUNDS} each. Found: the origin is among ten hits, "
        "first among them. Touched are parts of tables and blocks of "
        "sketches, in a file of which nothing was read before.",
        "",
        "| documents | file MB | bytes a document | tables x key bits b | sketch bits | probes a table | way | found | first | candidates "
        "| parts touched | blocks touched | kB touched | us a query, median | 95th percentile | open ms |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        run, asked = row["builds"][0], row["asked"]
        shape = row["shape"]
        lines.append(
            f"| {row['documents']:,} | {run['bytes'] / 1e6:.1f} | {run['bytes'] / run['indexed']:.1f} | {shape['tables']} x {shape['bits']} | "
            f"{shape['components']} | {shape['probes']:,} | {shape['way']} | {100 * asked['found']:.1f} % | {100 * asked['first']:.1f} % | "
            f"{asked['candidates']:,.0f} | {asked['parts']:.1f} | {asked['blocks']:,.0f} | "
            f"{asked['touched'] / 1000:,.0f} | {asked['median']:.0f} | {asked['slow']:.0f} | {asked['open']:.2f} |"
        )
    phases = list(
        dict.fromkeys(phase for row in rows for run in row["builds"] for phase in run["phases"])
    )
    columns = [(row["documents"], run) for row in rows for run in row["builds"]]
    for title, key in (("Seconds by phase", "phases"), ("Processor seconds by phase", "processor")):
        lines += [
            "",
            f"**{title}**",
            "",
            "| phase |"
            + "".join(f" {documents:,}, {run['threads']} thr. |" for documents, run in columns),
        ]
        lines.append("|---|" + "--:|" * len(columns))
        lines += [
            f"| {phase} |" + "".join(f" {run[key].get(phase, 0):.1f} |" for _, run in columns)
            for phase in phases
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+", metavar="FILE.jsonl[.zst][:LANGUAGE]")
    parser.add_argument(
        "--counts", nargs="+", type=int, default=[50_000, 126_049, 500_000, 2_000_000], metavar="N"
    )
    parser.add_argument(
        "--threads",
        nargs="+",
        type=int,
        default=[1, 2],
        metavar="N",
        help="a build for each, which must give the same bytes",
    )
    parser.add_argument("--max-memory", default="1G")
    parser.add_argument(
        "--cache", required=True, type=Path, help="for the collections and their files"
    )
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    collections = originals(arguments.sources)
    first, rows = arguments.cache / f"{arguments.counts[0]}.jsonl", list[dict[str, Any]]()
    queries: list[tuple[str, bytes]] = []
    for count in arguments.counts:
        source, targets = arguments.cache / f"{count}.jsonl", list[Path]()
        if not source.exists():
            write(source, collections, shares(arguments.sources, collections), count)
        if not queries:
            queries = questions(first)
        builds = []
        for threads in arguments.threads:
            targets.append(arguments.cache / f"{count}-{threads}.pocket")
            builds.append(build(source, targets[-1], arguments, threads))
            print(json.dumps(builds[-1]), flush=True)
            assert targets[-1].read_bytes() == targets[0].read_bytes(), (
                "other bytes with other threads"
            )
        rows.append(
            {
                "documents": count,
                "builds": builds,
                "shape": shape(targets[0]),
                "asked": ask(targets[0], queries, targets[0]),
            }
        )
        print(json.dumps(rows[-1]["asked"]), flush=True)
        arguments.output.write_text(page(rows, arguments), encoding="utf-8")
        (arguments.cache / "large.json").write_text(json.dumps(rows), encoding="utf-8")
    print(page(rows, arguments))


if __name__ == "__main__":
    main()
