"""Words that are broken at the ends of lines: how many are whole again, and how many words with a
hyphen of their own lose it.

    pip install pyphen zstandard
    python bench/building/broken_words.py rev_peps.jsonl.zst wiki_de.jsonl.zst:de_DE … \
        --held-out rev_eips.jsonl.zst … -o bench/results/broken_words.md

Texts are set in lines of 66 characters, once with words broken as pyphen breaks them, and once with
breaks at their own hyphens alone. What was there before is the truth. A text that loses a word or
gets one that it does not have has lost it, whatever the kind of break.
"""

from __future__ import annotations

import argparse
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyphen
import zstandard
from pocketindex.builder.inputs.pages import broken_words

WIDTH, TEXTS, CHARACTERS = 66, 200, 20_000
LETTERS = re.compile(r"[^\W\d_]+")


def texts(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8")
        for line in islice(lines, TEXTS):
            paragraphs = json.loads(line)["text"][:CHARACTERS].split("\n\n")
            yield re.sub(r"- ", "-", "\n".join(" ".join(one.split()) for one in paragraphs))


def halves(word: str, room: int, breaks: pyphen.Pyphen | None) -> int:
    """Where a word can be broken so that its beginning and a hyphen fit, 0 for nowhere."""
    own = word.rfind("-", 2, max(room + 1, 2))
    if 0 < own < len(word) - 2 and word[:own].isalpha():
        return own + 1
    letters = LETTERS.match(word)
    if not breaks or not letters or len(letters[0]) < 5:
        return 0
    fitting = [
        at for at in breaks.positions(letters[0]) if 2 <= at <= min(room, len(letters[0]) - 2)
    ]
    return max(fitting, default=0)


def lines_of(paragraph: str, breaks: pyphen.Pyphen | None, counts: Counter[str]) -> Iterator[str]:
    line = ""
    for word in paragraph.split():
        rest = word
        while len(line) + 1 + len(rest) > WIDTH and line:
            at = halves(rest, WIDTH - len(line) - 2, breaks)
            own = at > 0 and rest[at - 1] == "-"
            if at:
                counts["own hyphens" if own else "broken"] += 1
            yield f"{line} {rest[:at]}{'' if own else '-'}" if at else line
            line, rest = "", rest[at:]
        line = f"{line} {rest}" if line else rest
    yield line


def words(text: str) -> Counter[str]:
    return Counter(LETTERS.findall(text.lower()))


def measured(source: str) -> list[str]:
    path, _, language = source.partition(":")
    rows = list[str]()
    for how in ("broken", "at their own hyphens"):
        breaks = pyphen.Pyphen(lang=language or "en_US") if how == "broken" else None
        counts = Counter[str]()
        for text in texts(Path(path)):
            set_text = "\n".join(
                "\n".join(lines_of(one, breaks, counts)) for one in text.split("\n")
            )
            expected = words(text)
            counts["before"] += (expected - words(set_text)).total()
            counts["after"] += (expected - words(broken_words.joined(set_text))).total()
        rows.append(
            f"| {Path(path).name.partition('.')[0]} | {how} | {counts['broken']:,} | "
            f"{counts['own hyphens']:,} | {counts['before']:,} | {counts['after']:,} |"
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--held-out", nargs="*", default=[])
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    lines = ["# Words broken at the ends of lines", ""]
    lines += [
        f"`{Path(__file__).name}`: {TEXTS} texts of each collection, {CHARACTERS:,} characters"
    ]
    lines += [f"of each at most, in lines of {WIDTH} characters.", ""]
    for title, sources in (("Looked at", options.sources), ("Held out", options.held_out)):
        lines += [
            f"## {title}",
            "",
            "| | lines break words | words broken | breaks at own hyphens | ",
        ]
        lines[-1] += "words lost by the lines | words lost after joining |"
        lines += [
            "|---|---|--:|--:|--:|--:|",
            *(row for one in sources for row in measured(one)),
            "",
        ]
    page = "\n".join(lines)
    if options.out:
        options.out.write_text(page, "utf-8")
    print(page)


if __name__ == "__main__":
    main()
