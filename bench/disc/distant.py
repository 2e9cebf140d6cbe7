"""A collection on a web server far away: what a first and a next query cost a visitor of its page,
in chromium.

    python bench/disc/distant.py FILE.pocket TEXTS.jsonl OUT/ -o bench/results/distant.md      needs playwright and chromium; writes the disc to OUT/

A plain static server that answers ranges stands behind a proxy that takes half of LATENCY each way,
a round trip more for a new connection, and sends no more than BITS a second to all connections
together. Each browser is a fresh one and asks one text first, then others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

import pocketindex
from intervals import table
from pages import CLOCK, Shown, launched
from pocketindex.builder.page.folder import Settings, write
from static_server import serving

LATENCY, BITS = 0.050, 10_000_000  # seconds there and back; a second
PIECE = 16_384
BROWSERS, NEXT = 5, 8  # fresh ones; queries of each after its first
LEAST_WORDS = 50


class Line:
    """The way from the server: what has been sent, and when it is free again."""

    def __init__(self) -> None:
        self.sent = 0
        self.requests = 0
        self._free = 0.0

    def arrival(self, size: int) -> float:
        """Send so many bytes more. Returns when they have arrived."""
        self._free = max(self._free, time.monotonic()) + size * 8 / BITS
        self.sent += size
        return self._free + LATENCY / 2


async def _deliver(queue: asyncio.Queue[tuple[float, bytes]], to: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while True:
            at, data = await queue.get()
            await asyncio.sleep(at - time.monotonic())
            if not data:
                break
            to.write(data)
            await to.drain()
    to.close()


async def _carry(
    line: Line, port: int, visitor: asyncio.StreamReader, to_visitor: asyncio.StreamWriter
) -> None:
    await asyncio.sleep(LATENCY)  # the connection's own round trip
    server, to_server = await asyncio.open_connection("127.0.0.1", port)
    there: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
    back: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def requests() -> None:
        with suppress(ConnectionError):
            while data := await visitor.read(PIECE):
                line.requests += data.count(b"GET /")
                there.put_nowait((time.monotonic() + LATENCY / 2, data))
        there.put_nowait((time.monotonic(), b""))

    async def answers() -> None:
        with suppress(ConnectionError):
            while data := await server.read(PIECE):
                at = line.arrival(len(data))
                back.put_nowait((at, data))
                await asyncio.sleep(
                    max(0, at - LATENCY - time.monotonic())
                )  # the server waits while the line is full
        back.put_nowait((time.monotonic(), b""))

    await asyncio.gather(
        requests(), answers(), _deliver(there, to_server), _deliver(back, to_visitor)
    )


@contextmanager
def distant(port: int) -> Iterator[tuple[str, Line]]:
    """Start the proxy before the server at port. Yields its address and its line."""
    line = Line()
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    ended = asyncio.Event()
    address: list[str] = []

    async def work() -> None:
        async with await asyncio.start_server(
            lambda r, w: _carry(line, port, r, w), "127.0.0.1", 0
        ) as proxy:
            address.append(f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}/")
            ready.set()
            await ended.wait()
            # Connections that the browser left open: ended here, or the loop complains of each.
            own = asyncio.all_tasks() - {asyncio.current_task()}
            for task in own:
                task.cancel()
            await asyncio.gather(*own, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(work(),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield address[0], line
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


def asked(shown: Shown, line: Line, text: str) -> tuple[float, int, int]:
    """Ask.

    Returns seconds from the click to the hits with their titles, and the requests and bytes until
    then.
    """
    requests, sent = line.requests, line.sent
    took: float = shown.page.evaluate(CLOCK, text)
    return took / 1000, line.requests - requests, line.sent - sent


def spread(path: Path, count: int) -> list[str]:
    """So many texts of JSON Lines, from places spread evenly over the file."""
    texts: list[str] = []
    with path.open("rb") as file:
        for place in range(count):
            file.seek(path.stat().st_size * place // count)
            if place:
                file.readline()  # the rest of a line
            texts += islice(
                (
                    text
                    for text in (json.loads(line)["text"] for line in file)
                    if len(text.split()) >= LEAST_WORDS
                ),
                1,
            )
    return texts


def row(name: str, found: list[tuple[float, int, int]]) -> list[str]:
    seconds, requests, sent = zip(*found, strict=True)
    return [
        name,
        str(len(found)),
        f"{statistics.median(seconds):.1f}",
        f"{max(seconds):.1f}",
        f"{statistics.median(requests):.0f}",
        f"{max(requests):,}",
        f"{statistics.median(sent) / 1000:,.0f}",
        f"{max(sent) / 1000:,.0f}",
    ]


def measure(folder: Path, texts: list[str]) -> list[list[str]]:
    opened = []
    first = []
    following = []
    deeper = []
    with serving(folder, ranges=True) as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        for run in range(BROWSERS):
            with distant(port) as (address, line), launched("chromium") as browser:
                start = time.monotonic()
                shown = Shown(browser, address + "index.html")
                opened.append((time.monotonic() - start, line.requests, line.sent))
                own = texts[run::BROWSERS]
                first.append(asked(shown, line, own[0]))
                following += [asked(shown, line, text) for text in own[1:]]
                before = line.requests, line.sent, time.monotonic()
                shown.answered(lambda page=shown.page: page.click("#deeper"))
                deeper.append(
                    (time.monotonic() - before[2], line.requests - before[0], line.sent - before[1])
                )
                assert shown.said == [], shown.said
                shown.close()
    return [
        row("the page", opened),
        row("first query", first),
        row("next query", following),
        row("Search deeper, after these", deeper),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file")
    parser.add_argument("texts")
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    folder = write([arguments.file], arguments.folder, Settings(scripts=False, force=True)).folder
    rows = measure(folder, spread(Path(arguments.texts), BROWSERS * (NEXT + 1)))
    with pocketindex.open(arguments.file) as index:
        documents: Any = len(index)
    size = Path(arguments.file).stat().st_size
    head = ["", "of", "seconds, median", "most", "requests, median", "most", "kB, median", "most"]
    lines_out = [
        "# A page on a server far away",
        "",
        f"`pocketindex disc FILE.pocket OUT/ --without-scripts`, {documents:,} documents, {size:,} bytes, on a plain static server with ranges, {1000 * LATENCY:.0f} ms there and back, "
        f"{BITS // 1_000_000} Mbit/s; chromium, {time.strftime('%Y-%m-%d')}. From the click to the hits with their titles. {BROWSERS} fresh browsers.",
        "",
        *table(head, rows),
    ]
    arguments.output.write_text("\n".join(lines_out) + "\n", encoding="utf-8")
    print(*lines_out, sep="\n")


if __name__ == "__main__":
    main()
