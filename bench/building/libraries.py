"""Our own readers of JSON Lines and HTTP answers beside libraries that do the same:
processor seconds, and where the results differ.

    python bench/building/libraries.py TEXTS.jsonl > bench/results/libraries.md
                                          (needs msgspec, orjson, fastwarc)

Each way reads everything on one thread; ways take turns, and
the least of the rounds counts. Processor seconds, because the clock depends on other work. Answers
as crawls keep them are made here, of HTML of a few sizes, compressed and in chunks.
"""

from __future__ import annotations

import gzip
import io
import random
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import orjson
from fastwarc.warc import ArchiveIterator
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.archives import http_response
from pocketindex.builder.inputs.rows import jsonl_batches
from pocketindex.builder.work.chunks.document_batch import DocumentBatch

ROUNDS = 3
MANY = 1024  # documents that are packed at once
ANSWERS = 20_000


class Line(msgspec.Struct):
    """A document of a line, with what a benchmark needs of it."""

    id: str | int | None = None
    title: str = ""
    text: str = ""
    url: str = ""
    lang: str = ""


def by_the_core(path: Path) -> Iterator[DocumentBatch]:
    for some in jsonl_batches.batches(str(path), lambda skip: None):
        assert isinstance(some, DocumentBatch)
        yield some


def packed(documents: Iterator[Document]) -> Iterator[DocumentBatch]:
    some = list[Document]()
    for document in documents:
        some.append(document)
        if len(some) == MANY:
            yield DocumentBatch.of(some)
            some.clear()
    if some:
        yield DocumentBatch.of(some)


def fit(*fields: str) -> Iterator[Document]:
    with suppress(Unfit):
        yield Document(*fields)


def by_msgspec(path: Path) -> Iterator[Document]:
    decoder = msgspec.json.Decoder(Line)
    with path.open("rb") as lines:
        for line in lines:
            one = decoder.decode(line)
            yield from fit(str(one.id), one.title, one.text, one.url, one.lang)


def by_orjson(path: Path) -> Iterator[Document]:
    with path.open("rb") as lines:
        for line in lines:
            one = orjson.loads(line)
            rest = (one.get("title", ""), one["text"], one.get("url", ""), one.get("lang", ""))
            yield from fit(str(one.get("id")), *rest)


def least(ways: dict[str, Callable[[], object]]) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the processor seconds of each way, and what it gave."""
    taken, given = dict[str, float](), dict[str, Any]()
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            given[name] = way()
            seconds = time.process_time() - start
            taken[name] = min(seconds, taken.get(name, seconds))
    return taken, given


def table(taken: dict[str, float]) -> list[str]:
    (first, *_) = taken
    return [
        "| way | processor seconds | of ours |",
        "|---|--:|--:|",
        *(f"| {name} | {own:.2f} | {own / taken[first]:.2f} |" for name, own in taken.items()),
    ]


def json_lines(path: Path) -> list[str]:
    def count(batches: Iterator[DocumentBatch]) -> tuple[int, int]:
        sizes = [(len(one), len(one.texts)) for one in batches]
        return sum(size[0] for size in sizes), sum(size[1] for size in sizes)

    taken, given = least(
        {
            "the core": lambda: count(by_the_core(path)),
            "msgspec, a typed structure a line": lambda: count(packed(by_msgspec(path))),
            "orjson, a dict a line": lambda: count(packed(by_orjson(path))),
        }
    )
    ((documents, size),) = set(given.values())
    return [
        "## JSON Lines",
        f"{path.name}: {documents:,} documents with {size:,} bytes of text, by all ways.",
        "",
        *table(taken),
    ]


def chunked(content: bytes, chance: random.Random) -> bytes:
    parts, at = list[bytes](), 0
    while at < len(content):
        size = chance.randint(500, 9000)
        part = content[at : at + size]
        parts.append(b"%x\r\n%s\r\n" % (len(part), part))
        at += size
    return b"".join(parts) + b"0\r\n\r\n"


def record(head: bytes, content: bytes, number: int) -> bytes:
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n%s\r\n%s" % (
        head,
        content,
    )
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/%d\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (number, len(whole), whole)
    )


def archive(page: bytes) -> bytes:
    chance, records = random.Random(5), list[bytes]()
    for number in range(ANSWERS):
        content = page[: chance.randint(2_000, len(page))]
        if number % 3 == 0:
            records.append(record(b"", content, number))
        elif number % 3 == 1:
            records.append(record(b"Content-Encoding: gzip\r\n", gzip.compress(content, 6), number))
        else:
            records.append(
                record(b"Transfer-Encoding: chunked\r\n", chunked(content, chance), number)
            )
    return b"".join(records)


def bodies(data: bytes) -> Iterator[bytes]:
    for one in ArchiveIterator(io.BytesIO(data), parse_http=False, stream_detect=False):
        content = one.reader.read()
        head = http_response.head(content[: http_response.HEAD_BYTES])
        assert head
        yield http_response.body(head, content[head.size :], "x")


def their_bodies(data: bytes) -> Iterator[bytes]:
    found = ArchiveIterator(
        io.BytesIO(data), parse_http=True, auto_decode="all", stream_detect=False
    )
    for one in found:
        yield one.reader.read()


def answers(page: bytes) -> list[str]:
    data = archive(page)
    taken, given = least(
        {
            "http_response.py": lambda: zlib.crc32(b"".join(bodies(data))),
            "fastwarc's own": lambda: zlib.crc32(b"".join(their_bodies(data))),
        }
    )
    odd = {
        "gzip that is cut short": (b"Content-Encoding: gzip\r\n", gzip.compress(page)[:-900]),
        "said to be gzip, and is not": (b"Content-Encoding: gzip\r\n", page),
        "said to be in chunks, and is not": (b"Transfer-Encoding: chunked\r\n", page),
        "zlib without its head": (
            b"Content-Encoding: deflate\r\n",
            zlib.compress(page, wbits=-15),
        ),
        "an encoding that there is not": (b"Content-Encoding: rot13\r\n", page),
        "800 MB of zeros in gzip": (
            b"Content-Encoding: gzip\r\n",
            gzip.compress(bytes(800_000_000), 6),
        ),
    }
    rows = list[str]()
    for name, (head, content) in odd.items():
        said = list[str]()
        for way in (bodies, their_bodies):
            try:
                (found,) = way(record(head, content, 1))
                same = "the page" if found == page else f"{len(found):,} bytes"
                said.append(same)
            except Unfit as error:
                said.append(f"refused: {error.reason}")
            except Exception as error:
                said.append(f"{type(error).__name__}: {str(error)[:36]}")
        rows.append(f"| {name} | {' | '.join(said)} |")
    return [
        "## Answers of web servers in WARC files",
        f"{ANSWERS:,} answers, a third each plain, in gzip and in chunks; "
        + ("the same bodies by both." if len(set(given.values())) == 1 else "bodies differ."),
        "",
        *table(taken),
        "",
        f"| one page of {len(page):,} bytes | http_response.py | fastwarc's own |",
        "|---|---|---|",
        *rows,
    ]


def main() -> None:
    path = Path(sys.argv[1])
    with path.open() as lines:
        words = "".join(next(lines) for _ in range(40))
    page = f"<html><body><p>{words}</p></body></html>".encode()[:40_000]
    print(
        "# Our own readers beside libraries\n\n    python bench/building/libraries.py TEXTS.jsonl\n"
    )
    print(f"One thread, {ROUNDS} rounds in turn, the least of each.\n")
    for section in (
        lambda: json_lines(path),
        lambda: answers(page),
    ):
        print("\n".join(section()) + "\n", flush=True)


if __name__ == "__main__":
    main()
