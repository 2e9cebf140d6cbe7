"""What a search for two words costs a visitor of a disc: bytes of the first one and of the next
ones, and their time in chromium.

    python bench/search_page.py FILE.pocket TEXTS.jsonl OUT/ [SEARCHES]      needs playwright and chromium; writes the disc to OUT/

FILE.pocket is built with --index documents,words. What is searched for are titles of two words, from
everywhere in TEXTS.jsonl. The server is on loopback. Prints Markdown.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from pages import CLOCK, Shown, launched
from pocketindex.builder.page.folder import Settings, write
from static_server import Server, serving

FIRST = 10
PARTS = {
    "heads": "heads.js",
    "words": r"w\d{4}\.js",
    "titles of hits": r"d\d{4}\.js",
    "snippets": r"t\d{4}\.js",
    "titles that begin so": r"n\d{4}\.js",
    "ranges of the file": r".*\.pocket",
}


def loaded(server: Server, since: int = 0) -> dict[str, int]:
    """Bytes by what they are, beside the page itself."""
    found = dict.fromkeys(PARTS, 0)
    for (path, _), sent in zip(server.asked[since:], server.sent[since:], strict=True):
        for part, pattern in PARTS.items():
            if re.fullmatch(pattern, path.rsplit("/", 1)[-1]):
                found[part] += sent
    return found


def middle(rows: list[dict[str, int]]) -> str:
    """Medians of each part, of all of them, and the largest sum."""
    sums = [sum(row.values()) for row in rows]
    parts = [f"{statistics.median(row[part] for row in rows):,.0f}" for part in PARTS]
    return " | ".join([*parts, f"{statistics.median(sums):,.0f}", f"{max(sums):,}"])


def measure(browser: Any, server: Server, searches: list[str]) -> tuple[Any, ...]:
    """Bytes of first and of next searches; milliseconds of both."""
    first, following, took, next_took = [], [], [], []
    page = f"{server.url}index.html"
    for words in searches[:FIRST]:
        since = len(server.asked)
        context = browser.new_context()
        shown = Shown(context, page)
        took.append(shown.page.evaluate(CLOCK, words))
        assert shown.said == [] and shown.problem == "", shown.problem
        first.append(loaded(server, since))
        context.close()
    context = browser.new_context()
    shown = Shown(context, page)
    shown.page.evaluate(CLOCK, searches[0])
    for words in searches[FIRST:]:
        since = len(server.asked)
        next_took.append(shown.page.evaluate(CLOCK, words))
        following.append(loaded(server, since))
    context.close()
    return first, following, took, next_took


def main(pocket: str, source: str, out: str, count: int = 200) -> None:
    folder = Path(out)
    shutil.rmtree(folder, ignore_errors=True)
    (collection,) = write([pocket], folder, Settings(with_file=True)).collections
    with open(source, encoding="utf-8") as file:
        titles = [json.loads(line)["title"] for line in file]
    titles = [title for title in titles if re.fullmatch(r"[^\W\d_]{3,} [^\W\d_]{3,}", title)]
    searches = titles[:: max(1, len(titles) // count)][:count]
    print(
        f"{collection.documents:,} documents, {len(searches)} titles of two words. Medians.\n\n"
        f"| way | search | {' | '.join(PARTS)} | sum | largest sum | ms | 95 % |\n"
        f"|---|---|{'--:|' * (len(PARTS) + 4)}"
    )
    with launched("chromium") as browser:
        for ranges in (False, True):
            with serving(folder, ranges) as server:
                first, following, took, next_took = measure(browser, server, searches)
            way = "ranges" if ranges else "shards"
            for name, rows, times in (("first", first, took), ("next", following, next_took)):
                last = sorted(times)[int(0.95 * len(times))]
                print(
                    f"| {way} | {name} | {middle(rows)} | {statistics.median(times):.0f} | {last:.0f} |"
                )


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:5]))
