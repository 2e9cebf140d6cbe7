"""What hits cost: bytes of ids and titles by layout, and hits with titles from Python beside the
same query's look-up in C.

    python bench/speed/hits.py COLLECTION.jsonl FILE.pocket > bench/results/hits.md

FILE.pocket is built from the collection. Every figure of time is the least of some runs, in turn,
of each query; shown is the median over queries.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

import numpy as np
import pocketindex
from pocketindex.builder.write.deflated import varint
from pocketindex.builder.write.documents import BLOCK_BYTES, learn, pack
from pocketindex.cbits import ffi, lib

QUERIES = 100
RUNS = 9
DICTIONARY = 32_768


def fields(index: pocketindex.Index) -> Iterator[tuple[bytes, bytes]]:
    for number in range(len(index)):
        record = index.record(number)
        yield record.title.encode(), record.id.encode()


def in_blocks(records: Iterable[bytes], size: int) -> Iterator[bytes]:
    block = b""
    for record in records:
        if block and len(block) + len(record) > size:
            yield block
            block = b""
        block += record
    yield block


def fastest(work: Callable[[], object], runs: int = RUNS) -> float:
    """Nanoseconds."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter_ns()
        work()
        best = min(best, time.perf_counter_ns() - start)
    return best


def deflated(
    records: list[bytes], size: int, dictionary: bytes, strategy: int
) -> tuple[float, float]:
    """Bytes a document with 20 for a block's entry in the directory and 4 for its length, and
    nanoseconds to inflate a block (zlib's own, from Python).
    """
    total = 0
    blocks = list(in_blocks(records, size))
    more = {"zdict": dictionary} if dictionary else {}
    packed = []
    for block in blocks:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, strategy, **more)
        packed.append(packer.compress(block) + packer.flush())
        total += 24 + len(packed[-1])
    sample = random.Random(1).sample(packed, min(200, len(packed)))
    times = [
        fastest(lambda data=data: zlib.decompressobj(-15, **more).decompress(data))
        for data in sample
    ]  # type: ignore[misc]
    return (total + len(dictionary)) / len(records), statistics.mean(times)


def layouts(index: pocketindex.Index) -> None:
    both = list(fields(index))
    plain = [varint(len(title)) + title + varint(len(id)) + id for title, id in both]
    dictionary = b"".join(plain[:: max(1, len(plain) // 1400)])[-DICTIONARY:]
    print("| layout | bytes a document | a record, ns |\n|---|--:|--:|")
    shared, before = 0, b""
    for _, id in both:
        common = next(
            (i for i, (a, b) in enumerate(zip(id, before, strict=False)) if a != b),
            min(len(id), len(before)),
        )
        shared, before = shared + common - 1, id
    print(
        f"| as they are, ids without what they share with the one before | {(sum(map(len, plain)) - shared) / len(both):.1f} | |"
    )
    for size in (4096, 1024, 512):
        for name, words, strategy in (
            ("deflate", b"", zlib.Z_DEFAULT_STRATEGY),
            ("deflate, fixed codes", b"", zlib.Z_FIXED),
            ("deflate, dictionary of 32 KB", dictionary, zlib.Z_DEFAULT_STRATEGY),
        ):
            if words and size > 1024:
                continue
            each, taken = deflated(plain, size, words, strategy)
            print(f"| {name}, blocks of {size} bytes unpacked | {each:.1f} | {taken:,.0f} |")
    records = [title + b"\xfe" + id for title, id in both]
    joined = b"".join(records), np.array(list(accumulate(map(len, records))), np.uint64)
    table = learn([joined], len(records))
    own = pack(*table, joined)[0]
    for size in (1024, 2048, 4096):
        each = (len(own) + len(table[0]) + 20 * len(own) / size) / len(both)
        mark = f"**{fetch(index):,.0f}**" if size == BLOCK_BYTES else ""
        print(
            f"| symbols, blocks of {size} bytes packed{' (the file)' if mark else ''} | {each:.1f} | {mark} |"
        )


def fetch(index: pocketindex.Index) -> float:
    """A random record of the file by pocket_documents_get, of 200 at once."""
    chance = random.Random(2)
    error = ffi.new("pocket_error *")
    out = ffi.new("pocket_document **")

    def once() -> float:
        numbers = ffi.new("uint32_t[]", [chance.randrange(len(index)) for _ in range(200)])

        def get() -> None:
            lib.pocket_documents_get(index._core, numbers, 200, out, error)
            lib.pocket_document_free(out[0])

        return fastest(get, 1) / 200

    return statistics.median([min(once() for _ in range(RUNS)) for _ in range(100)])


def beside_the_look_up(index: pocketindex.Index, texts: list[bytes]) -> None:
    error = ffi.new("pocket_error *")
    print(
        "\n| hits | look-up in C, us | from Python with titles, us | ratio | titles alone, us | as numbers, us |\n|--:|--:|--:|--:|--:|--:|"
    )
    for top in (10, 200):
        rows = []
        for text in texts:
            found, count = ffi.new("pocket_hit[]", top), ffi.new("uint32_t *")

            def look_up(
                text: bytes = text, found: object = found, count: object = count, top: int = top
            ) -> None:
                count[0] = top  # type: ignore[index]
                lib.pocket_query(index._core, text, len(text), ffi.NULL, found, count, error)

            def whole(text: bytes = text, top: int = top) -> None:
                [hit.title for hit in index.query(text, top)]

            def numbers(text: bytes = text, top: int = top) -> None:
                index.query_many([text], top, numbers=True)

            hits = index.query(text, top)
            many = [fastest(work, 1) for _ in range(RUNS) for work in (look_up, whole, numbers)]
            titles = min(titles_of(index, text, top) for _ in range(RUNS))
            rows.append((min(many[0::3]), min(many[1::3]), titles, min(many[2::3]), len(hits)))
        c, python, titles, arrays = (
            statistics.median(row[i] for row in rows) / 1000 for i in range(4)
        )
        ratio = statistics.median(row[1] / row[0] for row in rows)
        print(
            f"| {statistics.mean(row[4] for row in rows):.0f} | {c:.0f} | {python:.0f} | {ratio:.2f} | {titles:.0f} | {arrays:.0f} |"
        )


def titles_of(index: pocketindex.Index, text: bytes, top: int) -> float:
    hits = index.query(text, top)
    return fastest(lambda: [hit.title for hit in hits], 1)


def main(collection: str, file: str) -> None:
    with pocketindex.open(file) as index:
        each = index.info().bytes_per_document
        print(
            f"# What hits cost\n\n`python bench/speed/hits.py`: {len(index):,} documents; documents {each['documents']}, ids {each['ids']} bytes each.\n"
        )
        layouts(index)
        with open(collection, encoding="utf-8") as lines:
            texts = [json.loads(line)["text"].encode() for line in lines]
        long = [text for text in texts if len(text) >= 300]
        beside_the_look_up(index, random.Random(3).sample(long, QUERIES))
    print(
        "\nThe time of a deflated block is zlib's inflating of it, called from Python (some 300 ns of it); that of symbols is the core's whole call, shared by 200. "
        "A layout's bytes are those of blocks and directory."
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
