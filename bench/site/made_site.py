"""A site of many pages that nobody wrote: words as frequent as in a language, headings, links.

    python bench/site/made_site.py PAGES FOLDER

Then, for time and memory:

    /usr/bin/time -v pocketindex site FOLDER
"""

from __future__ import annotations

import random
import sys
from itertools import accumulate
from pathlib import Path

SYLLABLES = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]
ENDINGS = ["", "", "", "s", "ed", "ing", "er", "ly"]
WORDS = 150_000
IN_A_PAGE = (80, 600)  # words
IN_A_FOLDER = 500  # pages


def words(draw: random.Random) -> list[str]:
    found = dict[str, None]()
    while len(found) < WORDS:
        stem = "".join(draw.choices(SYLLABLES, k=draw.randint(1, 4)))
        found[stem + draw.choice(ENDINGS)] = None
    return list(found)


def page(number: int, own: list[str], draw: random.Random) -> str:
    title = " ".join(own[:3]).capitalize()
    parts = []
    for first in range(3, len(own), 90):
        block = own[first : first + 90]
        heading = " ".join(block[:2]).capitalize()
        parts.append(f"<h2 id=s{first}>{heading}</h2><p>{' '.join(block)}.")
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body>"
        f"<nav><a href=../>{number}</a></nav><main data-pagefind-body><h1>{title}</h1>"
        f"{''.join(parts)}</main></body></html>"
    )


def main() -> None:
    pages, folder = int(sys.argv[1]), Path(sys.argv[2])
    draw = random.Random(1)
    known = words(draw)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(known))))
    for number in range(pages):
        below = folder / f"{number // IN_A_FOLDER}"
        below.mkdir(parents=True, exist_ok=True)
        own = draw.choices(known, cum_weights=weights, k=draw.randint(*IN_A_PAGE))
        (below / f"p{number}.html").write_text(page(number, own, draw), encoding="utf-8")


if __name__ == "__main__":
    main()
