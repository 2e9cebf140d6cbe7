"""Bytes, opening, text to keys, building and querying.

    pip install scipy zstandard
    python bench/speed/speed.py wiki_simple.jsonl.zst --cache DIR -o bench/results/speed.md

The large file is the collection indexed again and again under new ids until it has 100 MB; its
texts have a word more each time, so that its keys differ.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import pocketindex
from pocketindex.builder import Settings, build
from pocketindex.builder.schemes.known_profiles import load
from pocketindex.builder.schemes.profile import Profile
from pocketindex.cbits import ffi, lib
from truth import read

OPEN = """
import resource, sys, time
import pocketindex
from pocketindex.cbits import lib
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
warm = pocketindex.open(sys.argv[2]); warm.close()
before = resident(); start = time.perf_counter()
index = pocketindex.open(sys.argv[1])
seconds = time.perf_counter() - start
print(seconds * 1000, resident() - before)
"""


def best(work: object, rounds: int = 5) -> float:
    """The least seconds of processor time of some rounds: the machine is shared."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        work()  # type: ignore[operator]
        seconds.append(time.process_time() - start)
    return min(seconds)


def text_to_keys(texts: list[bytes], profile: Profile) -> tuple[float, float, float]:
    """MB/s of the term stream and of text to sketches and keys, and of CRC32C over the same bytes
    as a base line.
    """
    data, ends = b"".join(texts), np.cumsum([len(t) for t in texts], dtype=np.uint64)
    size, out = len(data) / 1e6, ffi.new("uint64_t *")
    terms = best(lambda: lib.pocket_terms_write(data, len(data), 1, ffi.NULL, 0, out))
    keys = best(lambda: profile.sketch_many(data, ends, 16))
    crc = best(lambda: lib.pocket_crc32c(0, data, len(data)))
    return size / terms, size / keys, size / crc


def large(documents: list[dict[str, str]], path: Path, target: int) -> None:
    """A file of target bytes at least."""
    source = path.with_suffix(".jsonl")
    copies = 22
    with source.open("w") as out:
        for copy in range(copies):
            for d in documents:
                text = d["text"][:600] + f" kopie{copy} w{copy * 7919 % 97}"
                out.write(
                    json.dumps({"id": f"{copy}-{d['id']}", "title": d["title"], "text": text})
                    + "\n"
                )
    build([str(source)], path, Settings(scheme="ff", profile="en"))
    source.unlink()
    assert path.stat().st_size >= target, path.stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    documents = read(arguments.collection)
    texts = [d["text"].encode() for d in documents]
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    lines = [
        "# Speed and size",
        "",
        f"`python bench/speed/speed.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}, {cpu}, {os.cpu_count()} cores shared with other work; best of five where repeated.",
        "",
    ]
    _, published, _ = text_to_keys(texts, load("en", "ff"))
    terms, keys, crc = text_to_keys(texts, load("en", "rff"))
    lines += [
        f"**Text to keys**, one core, {sum(map(len, texts)) / 1e6:.0f} MB: term stream {terms:.0f} MB/s, text to sketch and keys {keys:.0f} MB/s with scheme rff, {published:.0f} with ff (CRC32C of the same bytes: {crc:.0f} MB/s).",
        "",
    ]
    print(lines[-2], flush=True)
    small = arguments.cache / "small.pocket"
    source = arguments.cache / "speed.jsonl"
    source.write_text(
        "".join(
            json.dumps({"id": str(d["id"]), "title": d["title"], "text": d["text"]}) + "\n"
            for d in documents
        )
    )
    start, cpu_start = time.perf_counter(), time.process_time()
    report = build([str(source)], small)
    lines += [
        f"**Build**, JSON Lines to file, one process: {report.read / (time.process_time() - cpu_start):,.0f} documents a second of processor time ({report.read / (time.perf_counter() - start):,.0f} by the clock).",
        "",
    ]
    print(lines[-2], flush=True)
    with pocketindex.open(small) as index:
        info = index.info()
        lines += ["**Bytes a document**", "", "| section | bytes | a document |", "|---|--:|--:|"]
        lines += [
            f"| {name} | {size:,} | {size / info.documents:.2f} |"
            for name, size in info.sections.items()
        ]
        lines += [
            f"| look-up (tables + sketches) | | {info.bytes_per_document['look-up']:.2f} |",
            "",
            f"{info.documents:,} documents; hash {info.mph_bits_per_key:.2f} bits a key.",
            "",
        ]
        start = time.perf_counter()
        index.verify()
        lines += [
            f"**verify**: {info.file_size / (time.perf_counter() - start) / 1e6:.0f} MB/s.",
            "",
        ]
        rows = [
            "| probes a table | us a query, text in, hits with titles out | candidates |",
            "|--:|--:|--:|",
        ]
        sample = [t.decode() for t in texts[:: len(texts) // 1000] if len(t) > 300][:500]
        for probes in (1, 16, 256, 4096):
            start, candidates = time.process_time(), 0
            for text in sample:
                (hits,) = index.query_many([text], probes=probes)
                candidates += hits.candidates
            rows.append(
                f"| {probes} | {(time.process_time() - start) / len(sample) * 1e6:.0f} | {candidates / len(sample):.1f} |"
            )
        lines += [f"**Query**, {len(sample)} texts of the collection, one thread", "", *rows, ""]
        print("\n".join(rows), flush=True)
    big = arguments.cache / "large.pocket"
    large(documents, big, 100_000_000)
    opened = [
        subprocess.run(
            [sys.executable, "-c", OPEN, big, small], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(5)
    ]
    ms, resident = min(float(o[0]) for o in opened), max(int(o[1]) for o in opened)
    with pocketindex.open(big) as index:
        info = index.info()
    lines += [
        f"**Open**: {info.file_size:,} bytes, {info.documents:,} documents: {ms:.2f} ms, {resident:,} bytes more resident, the profile ({info.sections['profile']:,} bytes) among them (fresh process, best time and most memory of five)."
    ]
    print(lines[-1], flush=True)
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
