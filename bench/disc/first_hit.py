r"""Seconds from opening the page of a disc to its first hit, on slow networks, beside Pagefind's.

    pip install pagefind-bin playwright; apt-get install chromium
    python bench/disc/first_hit.py FOLDER... --work DIR [--times 5] [-o RESULTS.md]

FOLDER: pages of HTML. Both searches are of the same pages: the disc that `pocketindex disc FOLDER OUT
--originals` makes, and Pagefind's page with its user interface. Each visit is a new browser without a
cache. The word is typed as soon as the page has its box, and the hit counts when its title is there.
A server on loopback sends text compressed, as servers do, and chromium slows the network down. The
word is of a title, in lower case, another one for each visit, and the same for both. Rounds are the
longest chain of requests until the hit of which each begins when the one before has ended; they and
the bytes do not depend on what else the computer does.
"""

from __future__ import annotations

import gzip
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / "measuring")]

import pocketindex
from intervals import table
from playwright.sync_api import Browser, sync_playwright
from running import called, parser, report

NETWORKS = ((200, 150), (50, 300))  # KB/s, milliseconds
# Asked in each frame; wait_for_selector asks every half second after a while.
VISIBLE = "found => document.querySelector(found)?.checkVisibility()"
PACKED = (".html", ".js", ".css", ".json")
PAGE = """<!doctype html><meta charset=utf-8><title>Pagefind</title>
<link href="pagefind/pagefind-ui.css" rel="stylesheet"><script src="pagefind/pagefind-ui.js"></script>
<div id="search"></div>
<script>addEventListener("DOMContentLoaded", () => new PagefindUI({ element: "#search" }))</script>
"""


class Handler(SimpleHTTPRequestHandler):
    """Sends files of text compressed."""

    protocol_version = "HTTP/1.1"
    sent = 0

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in PACKED:
            data = gzip.compress(data, 9)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        Handler.sent += len(data)

    def log_message(self, format: str, *arguments: object) -> None: ...


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/index.html"
    finally:
        server.shutdown()
        thread.join()


def made(pages: Path, work: Path) -> tuple[Path, Path]:
    """The folders of the disc and of Pagefind's page."""
    disc, site = work / "disc", work / "site"
    command = [sys.executable, "-m", "pocketindex", "disc", pages, disc, "--originals", "--force"]
    subprocess.run([*command, "--progress", "none"], check=True, capture_output=True)
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    (site / "index.html").write_text(PAGE)
    program = [sys.executable, "-m", "pagefind_bin", "--site", pages, "--silent"]
    subprocess.run([*program, "--output-path", site / "pagefind"], check=True)
    return disc, site


def words_of(pages: Path, count: int) -> list[str]:
    """Words of titles, which both searches have."""
    found = set[str]()
    for path in sorted(pages.rglob("*.html")):
        title = re.search(r"<title>(.*?)</title>", path.read_text("utf-8", "replace"), re.DOTALL)
        # What comes behind a dash names the manual, on every page.
        found.update(
            re.findall(r"\b[a-z]{6,}\b", re.split("—|&#8212;", title[1])[0].lower())
            if title
            else ()
        )
    return random.Random(2007).sample(sorted(found), count)


def visit(
    browser: Browser, url: str, word: str, network: tuple[int, int], box: str, hit: str
) -> tuple[float, float, int, int, int]:
    """Seconds to the box and to the first hit, the bytes that were sent until each, and rounds."""
    context = browser.new_context()
    page = context.new_page()
    rate, wait = network
    slow = {"offline": False, "latency": wait, "downloadThroughput": 1000 * rate}
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": 1000 * rate})
    finished: list[Any] = []
    page.on("requestfinished", lambda request: finished.append(request))
    Handler.sent, start = 0, time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_function(VISIBLE, arg=box, timeout=120_000)
    ready, first = time.perf_counter() - start, Handler.sent
    page.type(box, word)
    page.wait_for_function(VISIBLE, arg=hit, timeout=120_000)
    seconds, sent = time.perf_counter() - start, Handler.sent
    context.close()
    rounds: list[tuple[float, int]] = []  # when a request had ended, and the chain that it ends
    for start, took in sorted((r.timing["startTime"], r.timing["responseEnd"]) for r in finished):
        rounds.append((start + took, 1 + max((n for end, n in rounds if end <= start), default=0)))
    return ready, seconds, first, sent, max(n for _, n in rounds)


def measured(
    browser: Browser, ways: Sequence[tuple[str, str, str, str]], words: Sequence[str]
) -> Any:
    """Visits by the name of the search and the network, in turn."""
    out: dict[tuple[str, tuple[int, int]], list[Any]] = {}
    for network in NETWORKS:
        for word in words:
            for name, url, box, hit in ways:
                out.setdefault((name, network), []).append(
                    visit(browser, url, word, network, box, hit)
                )
    return out


def main() -> None:
    options = parser(__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--times", type=int, default=5)
    given = options.parse_args()
    lines = [
        "# Time to the first hit",
        "",
        f"`{called()}`, {date.today()}, pocketindex {pocketindex.__version__}, medians of {given.times} visits, "
        "the slowest in brackets.",
        "",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for folder in given.folders:
            disc, site = made(folder, given.work / folder.name)
            pages = sum(1 for _ in folder.rglob("*.html"))
            words = words_of(folder, given.times)
            with served(disc) as own, served(site) as theirs:
                ways = (
                    ("disc", own, "#text", "#hits h3, #named a"),
                    ("Pagefind", theirs, ".pagefind-ui__search-input", ".pagefind-ui__result-link"),
                )
                rows = []
                for (name, (rate, wait)), visits in measured(browser, ways, words).items():
                    ready, seconds, first, sent, rounds = zip(*visits, strict=True)
                    rows.append(
                        [
                            f"{rate} KB/s, {wait} ms: {name}",
                            f"{statistics.median(ready):.2f} ({max(ready):.2f})",
                            f"{statistics.median(seconds):.2f} ({max(seconds):.2f})",
                            f"{statistics.median(first):,.0f}",
                            f"{statistics.median(sent):,.0f}",
                            f"{statistics.median(rounds):.0f}",
                        ]
                    )
            head = [
                "",
                "box, s",
                "first hit, s",
                "bytes before the box",
                "before the hit",
                "rounds",
            ]
            lines += [f"## {folder.name}: {pages:,} pages", "", *table(head, rows), ""]
        browser.close()
    report(lines[:-1], given.output)


if __name__ == "__main__":
    main()
