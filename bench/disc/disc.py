"""What a disc costs a visitor: bytes and time of the page, the first and the next queries, in
chromium.

    python bench/disc/disc.py FILE.pocket TEXTS.jsonl OUT/ [QUERIES]      needs playwright and chromium; writes the disc to OUT/

Every browser is a fresh one; the disc's files are put out of the page cache before each first
query. Prints Markdown.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

import pocketindex
from pages import CLOCK, Shown, launched
from pocketindex.builder.page.folder import Settings, write
from static_server import serving

FIRST = 5


def evict(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """Files and bytes by what they are."""
    parts = {
        "index.html": [],
        "heads.js": [],
        "look-up (l)": [],
        "titles (d)": [],
        "texts (t)": [],
        ".pocket": [],
        "other": [],
    }  # type: dict[str, list[int]]
    for path in folder.rglob("*"):
        if path.is_file():
            kind = (
                path.name
                if path.name in parts
                else path.suffix
                if path.suffix in parts
                else "other"
            )
            kind = (
                {"l": "look-up (l)", "d": "titles (d)", "t": "texts (t)"}.get(
                    path.parent.name[0], kind
                )
                if path.suffix == ".js" and path.name not in parts
                else kind
            )
            parts[kind].append(path.stat().st_size)
    return {name: (len(found), sum(found)) for name, found in parts.items() if found}


def clock(shown: Shown, text: str) -> float:
    """Milliseconds from the click to the hits, seen from within the page."""
    took: float = shown.page.evaluate(CLOCK, text)
    return took


def measure(
    browser_of: Any, url: str, folder: Path, texts: list[str]
) -> tuple[list[float], list[float], list[float], int]:
    """Milliseconds until the page is ready, of first queries, of next queries; resident memory of
    the page's heap, in bytes.
    """
    ready = []
    first = []
    following = []
    heap = 0
    for run in range(FIRST):
        evict(folder)
        with browser_of("chromium") as browser:
            shown = Shown(browser, url)
            ready.append(
                shown.page.evaluate(
                    "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
                )
            )
            first.append(clock(shown, texts[run]))
            following += [clock(shown, text) for text in texts[FIRST + run :: FIRST]]
            heap = max(heap, shown.page.evaluate("performance.memory.usedJSHeapSize"))
            assert shown.said == [], shown.said
    return ready, first, following, heap


def row(name: str, found: tuple[list[float], list[float], list[float], int], loaded: str) -> str:
    ready, first, following, heap = found
    middle = [statistics.median(values) for values in (ready, first, following)]
    last = sorted(following)[int(0.95 * len(following))]
    return f"| {name} | {middle[0]:.0f} | {middle[1]:.0f} ({min(first):.0f}-{max(first):.0f}) | {middle[2]:.0f} | {last:.0f} | {heap / 1e6:.1f} | {loaded} |"


def main(pocket: str, source: str, out: str, count: int = 200) -> None:
    folder = Path(out)
    shutil.rmtree(folder, ignore_errors=True)
    start = time.perf_counter()
    written = write([pocket], folder, Settings(with_file=True))
    seconds = time.perf_counter() - start
    (loads,) = written.collections
    with open(source, encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    texts = [text for text in texts if len(text.split()) >= 50]
    texts = texts[:: max(1, len(texts) // count)][:count]
    with pocketindex.open(pocket) as index:
        documents = len(index)
        start = time.perf_counter()
        hits = [len(index.query(text, 20)) for text in texts]
        native = 1000 * (time.perf_counter() - start) / len(texts)
    print(
        f"{documents:,} documents, a file of {os.path.getsize(pocket):,} bytes; the folder was written in {seconds:.1f} s. {len(texts)} queries"
    )
    print(f"with {statistics.mean(hits):.1f} hits on average (native: {native:.2f} ms each).\n")
    print("| part | files | bytes | a document |\n|---|--:|--:|--:|")
    for name, (files, size) in sizes(folder).items():
        print(f"| {name} | {files} | {size:,} | {size / documents:.2f} |")
    print(
        f"\nA first query loads {loads.opening + loads.look_up:,} bytes, {loads.opening:,} of them with the page and its heads; a hit's title at most"
    )
    print(f"{loads.titles.largest:,}, its text {loads.texts.largest:,}.\n")
    print(
        "| way | page ready, ms | first query, ms | next, median | next, 95 % | JS heap, MB | |\n|---|--:|--:|--:|--:|--:|---|"
    )
    print(
        row(
            "folder (file://)",
            measure(launched, (folder / "index.html").as_uri(), folder, texts),
            "",
        )
    )
    for ranges, name in ((False, "http, no ranges"), (True, "http, ranges")):
        with serving(folder, ranges) as server:
            found = measure(launched, server.url + "index.html", folder, texts)
            print(
                row(
                    name,
                    found,
                    f"{len(server.asked) / FIRST:.0f} requests a run of {1 + len(texts) // FIRST - 1} queries",
                )
            )


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:5]))
