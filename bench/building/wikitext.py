"""The wikitext stripper beside mwparserfromhell, page by page, and what a build from a dump costs
beside decompressing it.

    pip install scipy lxml zstandard mwparserfromhell
    python bench/building/wikitext.py wiki_simple.jsonl.zst --cache DIR -o bench/results/wikitext.md

The dump is made of the texts by make_dump.py. Words are compared with the references' text on both
sides; of mwparserfromhell's tree what is no text goes first: templates but those that wrap text,
categories, the options of pictures and bare urls; its <br> end words.
"""

from __future__ import annotations

import argparse
import bz2
import math
import os
import platform
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import make_dump
import mwparserfromhell
from lxml import etree
from mwparserfromhell.nodes import ExternalLink, Tag, Template, Wikilink
from pocketindex.builder.inputs.opening import multistream
from pocketindex.builder.inputs.pages.wiki.wikitext import Stripper
from truth import read, words

COMMAND = """
import resource, sys, time
from pocketindex.builder import Settings, build
report = build([sys.argv[1]], sys.argv[2], Settings(profile=sys.argv[3]))
print(time.process_time(), report.read, report.indexed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
READING = """
import sys, time
from pocketindex.builder.inputs.pages.wiki import mediawiki
from pocketindex.builder.inputs.opening import multistream
multistream.THREADS = 1
count = sum(1 for _ in mediawiki.documents(sys.argv[1], lambda skip: None))
print(time.process_time())
"""
TOGETHER = 256  # pages without their markup at once, as in a build
ROUNDS = 2  # the least of which counts: the machine is shared
_CATEGORY = re.compile(r"\s*category\s*:", re.IGNORECASE)
_FILE = re.compile(r"\s*(file|image)\s*:", re.IGNORECASE)


def articles(path: Path, most: int) -> list[str]:
    """The wikitext of the first articles of a dump."""
    texts = []
    with bz2.open(path) as stream:
        for _, page in etree.iterparse(stream, tag="{*}page"):
            if page.findtext("{*}ns") == "0" and page.find("{*}redirect") is None:
                texts.append(page.findtext("{*}revision/{*}text") or "")
                if len(texts) == most:
                    break
            page.clear()
    return texts


def by_mwparserfromhell(text: str) -> str:
    """What mwparserfromhell leaves of a page once what is no text is taken out of its tree."""
    code = mwparserfromhell.parse(text)
    for node in code.filter(recursive=True):
        replacement: str | None = None
        if isinstance(node, Template):
            replacement = _wrapped(node)
        elif isinstance(node, Wikilink) and _CATEGORY.match(str(node.title)):
            replacement = ""
        elif isinstance(node, Wikilink) and _FILE.match(str(node.title)) and node.text is not None:
            node.text = (
                str(node.text).rpartition("|")[2]
                if "[[" not in str(node.text)
                else _caption(str(node.text))
            )
        elif isinstance(node, ExternalLink) and not node.brackets:
            replacement = ""
        elif isinstance(node, Tag) and str(node.tag) == "br":
            replacement = "\n"
        if replacement is not None:
            try:
                code.replace(node, replacement)
            except ValueError:  # within one that is gone
                continue
    return str(code.strip_code(normalize=True, collapse=True))


def _wrapped(template: Template) -> str:
    """What a reader sees of the templates of the dump that only wrap text, a space of others."""
    name = str(template.name).strip().lower()
    if name.startswith("formatnum:"):
        return name.partition(":")[2]
    return f" {template.get(1).value} " if name == "efn" else " "


def _caption(parameters: str) -> str:
    """The last parameter of a picture: after the last | outside of links."""
    depth = cut = 0
    for i, c in enumerate(parameters):
        depth += (c == "[") - (c == "]")
        if c == "|" and depth == 0:
            cut = i + 1
    return parameters[cut:]


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """Of word counts; 1 for two empty ones."""
    norm = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(v * other[w] for w, v in one.items()) / norm if norm else float(one == other)


def compare(pages: list[str]) -> list[str]:
    """The lines on quality and speed."""
    stripper, size = Stripper(), sum(len(p.encode()) for p in pages) / 1e6
    start = time.process_time()
    theirs = [
        str(mwparserfromhell.parse(p).strip_code(normalize=True, collapse=True)) for p in pages
    ]
    slow = time.process_time() - start
    theirs = [by_mwparserfromhell(p) for p in pages]
    fast = 1e9
    for _ in range(5):
        start = time.process_time()
        ours = [
            text
            for i in range(0, len(pages), TOGETHER)
            for text in stripper.texts([p.encode() for p in pages[i : i + TOGETHER]])
        ]
        fast = min(fast, time.process_time() - start)
    cosines = sorted(
        (cosine(Counter(words(a)), Counter(words(b))), i)
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True))
    )
    for value, i in cosines[:3]:
        print(
            f"{value:.3f}",
            sorted(
                (
                    (Counter(words(ours[i])) - Counter(words(theirs[i])))
                    + (Counter(words(theirs[i])) - Counter(words(ours[i])))
                ).items()
            )[:20],
            file=sys.stderr,
        )
    values = [value for value, _ in cosines]
    return [
        f"**Beside mwparserfromhell {mwparserfromhell.__version__}**, {len(pages):,} pages of {size * 1e6 / len(pages):,.0f} bytes on average, {sum(map(len, ours)) / 1e6 / size:.2f} of them text:",
        "",
        "| | |",
        "|---|--:|",
        f"| cosine of the bags of words, mean (goal >= .98) | {sum(values) / len(values):.4f} |",
        f"| the least (goal >= .8) | {values[0]:.3f} |",
        f"| the lowest percent of pages is below | {values[len(values) // 100]:.3f} |",
        f"| mwparserfromhell, `parse` and `strip_code`, MB/s of processor time | {size / slow:.2f} |",
        f"| pocket_wikitext, called from Python, {TOGETHER} pages at once, str to str, MB/s | {size / fast:.0f} |",
        f"| times as fast (goal >= 100) | {slow / fast:.0f} |",
    ]


def decompress(path: Path) -> float:
    """Processor seconds of bz2 alone, in one thread."""
    start = time.process_time()
    with open(path, "rb") as file:
        streams = multistream.Streams(0, b"")
        while data := file.read(1 << 20):
            streams.feed(data)
            while streams.take(1 << 23):
                pass
    return time.process_time() - start


def numbers(code: str, *arguments: str | Path) -> list[float]:
    """What a fresh Python prints."""
    return [
        float(n)
        for n in subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument(
        "--pages", type=int, default=2000, help="compared with mwparserfromhell (default 2000)"
    )
    parser.add_argument("--megabytes", type=int, default=300, help="of the dump (default 300)")
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    dump = arguments.cache / f"made{arguments.megabytes}-pages-articles-multistream.xml.bz2"
    if not dump.exists():
        make_dump.write(
            [d for name in arguments.texts for d in read(name)], dump, arguments.megabytes * 10**6
        )
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    lines = [
        "# Dumps of a MediaWiki",
        "",
        f"`python bench/building/wikitext.py {' '.join(Path(t).name for t in arguments.texts)} --megabytes {arguments.megabytes}`, {time.strftime('%Y-%m-%d')}, {cpu}, {os.cpu_count()} cores shared with other work. The dump is generated (make_dump.py): real texts, made-up markup.",
        "",
        *compare(articles(dump, arguments.pages)),
        "",
    ]
    print("\n".join(lines), flush=True)
    out = arguments.cache / "wikitext.pocket"
    rounds = [
        (
            decompress(dump),
            numbers(READING, dump),
            numbers(COMMAND, dump, out, "auto"),
            numbers(COMMAND, dump, out, "en"),
        )
        for _ in range(ROUNDS)
    ]
    alone, (reading,), learned, given = (min(values) for values in zip(*rounds, strict=True))
    lines += [
        f"**Build**, {dump.stat().st_size / 1e6:,.0f} MB of bzip2 streams, {arguments.megabytes} MB of XML, {learned[1]:,.0f} pages, {learned[2]:,.0f} indexed; processor seconds, the best of two rounds:",
        "",
        "| | all | without bz2 | of bz2 (goal <= 1) |",
        "|---|--:|--:|--:|",
        f"| bz2 alone, one thread | {alone:.1f} | | |",
        f"| dump to documents (bz2, lxml, pocket_wikitext) | {reading:.1f} | {reading - alone:.1f} | {(reading - alone) / alone:.2f} |",
        f"| `build --profile en` | {given[0]:.1f} | {given[0] - alone:.1f} | {(given[0] - alone) / alone:.2f} |",
        f"| `build`, profile learned and probes chosen from a sample of 20,000 | {learned[0]:.1f} | {learned[0] - alone:.1f} | {(learned[0] - alone) / alone:.2f} |",
        "",
        f"{learned[-1] / 1024:,.0f} MiB resident at most. Learning takes as long for any larger dump, so the last row nears the one above it.",
    ]
    print("\n".join(lines[-10:]), flush=True)
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
