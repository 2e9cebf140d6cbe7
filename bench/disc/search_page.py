"""What a search for two words costs a visitor of a disc: bytes of the first one and of the next
ones, and their time in chromium.

    python bench/disc/search_page.py FILE.pocket TEXTS.jsonl OUT/ [SEARCHES]      needs playwright and chromium; writes the disc to OUT/

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

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

from pages import Shown, launched
from pocketindex.builder.page.folder import Settings, write
from static_server import Server, serving

FIRST = 10
# Milliseconds from the click to the hits, to their snippets, and of a sort in the same page: other
# work on the machine slows all.
CLOCK = """async (words) => {
  const sorting = performance.now(), numbers = new Float64Array(1 << 17);
  for (let i = 0, x = 1; i < numbers.length; i++) numbers[i] = x = (x * 69069 + 1) % 4294967296;
  numbers.sort();
  const sorted = performance.now() - sorting;
  document.getElementById("text").value = words;
  const page = document.documentElement, before = page.dataset.answered;
  let hits = 0;
  const list = new MutationObserver(() => (hits = performance.now()));
  const start = performance.now();
  list.observe(document.getElementById("hits"), { childList: true });
  document.getElementById("find").click();
  while (page.dataset.answered === before) await new Promise((resolve) => setTimeout(resolve));
  list.disconnect();
  return [hits - start, performance.now() - start, sorted];
}"""
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
    """Bytes of first and of next searches; milliseconds of both, as CLOCK has them."""
    first = []
    following = []
    took = []
    next_took = []
    page = f"{server.url}index.html"
    for words in searches[:FIRST]:
        since = len(server.asked)
        context = browser.new_context()
        shown = Shown(context, page)
        took.append(shown.page.evaluate(CLOCK, words))
        assert (shown.said, shown.problem) == ([], "")
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
    folders = {ranges: Path(out) / name for ranges, name in ((False, "shards"), (True, "ranges"))}
    for ranges, folder in folders.items():
        shutil.rmtree(folder, ignore_errors=True)
        (collection,) = write([pocket], folder, Settings(with_file=ranges)).collections
    with open(source, encoding="utf-8") as file:
        titles = [json.loads(line)["title"] for line in file]
    titles = [title for title in titles if re.fullmatch(r"[^\W\d_]{3,} [^\W\d_]{3,}", title)]
    searches = titles[:: max(1, len(titles) // count)][:count]
    print(
        f"{collection.documents:,} documents, {len(searches)} titles of two words. Medians.\n\n"
        f"| way | search | {' | '.join(PARTS)} | sum | largest sum "
        "| hits, ms | snippets, ms | 95 % | a sort, ms |\n"
        f"|---|---|{'--:|' * (len(PARTS) + 6)}"
    )
    with launched("chromium") as browser:
        for ranges, folder in folders.items():
            with serving(folder, ranges) as server:
                first, following, took, next_took = measure(browser, server, searches)
            way = "ranges" if ranges else "shards"
            for name, rows, times in (("first", first, took), ("next", following, next_took)):
                hits, pieces, sort = ([row[i] for row in times] for i in range(3))
                last = sorted(pieces)[int(0.95 * len(pieces))]
                figures = [statistics.median(hits), statistics.median(pieces), last]
                print(
                    f"| {way} | {name} | {middle(rows)} "
                    f"| {' | '.join(f'{each:.0f}' for each in figures)} "
                    f"| {statistics.median(sort):.0f} |"
                )


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:5]))
