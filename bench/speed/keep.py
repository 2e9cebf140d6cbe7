"""What texts in the file cost, and what comparing with them takes.

    pip install zstandard
    python bench/speed/keep.py wiki_simple.jsonl.zst --cache DIR -o bench/results/keep.md

Three files of one collection, which differ only in what they keep; then the same queries, plain and
verified.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from pocketindex.builder import Settings, build
from truth import read

KEEP = ("none", "snippet", "text")


def gzipped(texts: list[str], apart: bool) -> int:
    """Bytes of the texts as gzip -9 packs them: each apart, or all in one stream."""
    if apart:
        return sum(len(gzipped_bytes(text.encode())) for text in texts)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    return sum(len(packer.compress(text.encode() + b"\n")) for text in texts) + len(packer.flush())


def gzipped_bytes(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31, 9)
    return packer.compress(data) + packer.flush()


def seconds(index: pocketindex.Index, texts: list[str], rounds: int, **choices: object) -> float:
    """The least processor time of some rounds, a query: the machine is shared."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in index.query_many(texts, **choices):  # type: ignore[arg-type]
            pass
        best = min(best, time.process_time() - start)
    return best / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    source = arguments.cache / "keep.jsonl"
    documents = read(arguments.collection)
    source.write_text(
        "".join(
            json.dumps({"id": str(d["id"]), "title": d["title"], "text": d["text"]}) + "\n"
            for d in documents
        )
    )
    paths, rows = {}, []
    for keep in KEEP:
        paths[keep] = arguments.cache / f"keep-{keep}.pocket"
        start = time.process_time()
        build([str(source)], paths[keep], Settings(keep=keep))
        with pocketindex.open(paths[keep]) as index:
            info = index.info()
        own = info.sections.get("texts", 0)
        rows.append(
            f"| {keep} | {info.file_size:,} | {info.file_size / info.documents:.1f} | {own / info.documents:.1f} | {time.process_time() - start:.0f} s |"
        )
        print(rows[-1], flush=True)
    with pocketindex.open(paths["text"]) as index:
        texts = [index.text(i) or "" for i in range(len(index))]
        raw = sum(len(text.encode()) for text in texts)
        apart, together = gzipped(texts, True), gzipped(texts, False)
        sample = [text for text in texts[:: len(texts) // 1000] if len(text) > 300][:300]
        hits = [index.query(text) for text in sample]
        looked = [min(h.candidates, 100) for h in hits]
        plain, verified = seconds(index, sample, 3), seconds(index, sample, 3, exact=True)
        one = [time.process_time()]
        for i in range(0, len(texts), len(texts) // 2000):
            index.text(i)
        one.append(time.process_time())
        lone = (one[1] - one[0]) / len(range(0, len(texts), len(texts) // 2000))
        count = len(texts)
    lines = [
        "# Texts in the file",
        "",
        f"`python bench/speed/keep.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}, {cpu}, {os.cpu_count()} cores shared with other work.",
        "",
        f"{count:,} documents of {raw / count:,.0f} bytes on average.",
        "",
        "| --keep | file, bytes | a document | texts section, a document | build, processor time |",
        "|---|--:|--:|--:|--:|",
        *rows,
        "",
        "| the same texts | bytes | a document |",
        "|---|--:|--:|",
        f"| as they are | {raw:,} | {raw / count:.1f} |",
        f"| gzip -9, each by itself | {apart:,} | {apart / count:.1f} |",
        f"| gzip -9, all in one stream | {together:,} | {together / count:.1f} |",
        "",
        f"**query --exact**, {len(sample)} texts of the collection, top 10, the file's probes: {verified * 1e3:.1f} ms a query, {verified / plain:.1f} times a plain one ({plain * 1e3:.2f} ms). "
        f"Of {sum(h.candidates for h in hits) / len(hits):,.0f} candidates a query {sum(looked) / len(looked):.0f} are compared, {(verified - plain) / (sum(looked) / len(looked)) * 1e6:.0f} us each. "
        f"Fetching one text takes {lone * 1e6:.0f} us.",
    ]
    print("\n".join(lines[-1:]), flush=True)
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
