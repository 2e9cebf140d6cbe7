r"""Sources in other collections: another language, revisions, ten scripts; and what a text loads of a
cold file.

    python bench/passages/passages_elsewhere.py --wiki wiki_de.jsonl --revisions rev_eips.jsonl rev_peps.jsonl \
        --scripts udhr2.jsonl --cold wiki_simple.jsonl --cache DIR \
        -o bench/results/passages_elsewhere.md

Paragraphs and essays are those of passages.py. Of each document with revisions the first one is in the
file, and the last one asks; its own paragraphs are those of 20 words or more that have less than a
tenth of their runs of four words in the first. Of ten translations of one text pieces of 300
characters ask; all translations are in the file.
"""

from __future__ import annotations

import argparse
import bisect
import json
import random
import re
import struct
import time
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import pocketindex
from passages import EDITS, TERM, Questions, pocket, read, shares, shown
from pocketindex.asking.sources import joined
from pocketindex.builder import Settings, build
from pocketindex.builder.page import cut
from pocketindex.builder.passes.run_keys import keys_of_texts

PARAGRAPH = re.compile(r"(?:[^\n]+\n?)+")
SCRIPTS = {
    "Latin": "eng",
    "Cyrillic": "rus",
    "Greek": "ell_monotonic",
    "Arabic": "arb",
    "Hebrew": "heb",
    "Devanagari": "hin",
    "Thai": "tha",
    "Han": "cmn_hans",
    "Kana and Han": "jpn",
    "Hangul": "kor",
}
PIECES, CHARACTERS = 50, 300
Span = tuple[int, int]


def built(documents: dict[str, str], folder: Path, name: str) -> Path:
    source, file = folder / f"{name}.jsonl", folder / f"{name}.pocket"
    source.write_text(
        "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in documents.items())
    )
    build([source], file, Settings(index=("documents", "passages")))
    return file


def wiki(path: str, folder: Path, count: int) -> list[str]:
    documents = read(path)
    questions = Questions(documents, count)
    sources, whole, index = pocket(built(documents, folder, "elsewhere"))
    words = sum(len(text.split()) for text in documents.values())
    size = index.info().sections["passages"]
    lines = [
        f"## {Path(path).name}",
        f"{len(index):,} documents, {words / len(index):.0f} words each; "
        f"{size / words:.3f} bytes a word. {count} paragraphs and {count // 2} essays of each kind.",
        "",
        "| | replaced | paragraph: first | among ten | essay: among ten |",
        "|---|--:|--:|--:|--:|",
    ]
    for edit in EDITS:
        for name, ask in (("`sources`", sources), ("`query`, the whole document", whole)):
            (first, ten, every), _ = shares(ask, questions.paragraphs[edit])
            (_, both, of), _ = shares(ask, questions.essays[edit])
            lines.append(
                f"| {name} | {edit:.0%} | {shown(first, every)} | {shown(ten, every)} | "
                f"{shown(both, of)} |"
            )
    return lines


def grams(text: str) -> list[tuple[str, ...]]:
    words = TERM.findall(text.lower())
    return [tuple(words[i : i + 4]) for i in range(len(words) - 3)]


def inside(span: Span, spans: list[Span]) -> int:
    """Code points of span that spans cover."""
    return sum(max(0, min(span[1], end) - max(span[0], start)) for start, end in spans)


def revisions(path: str, folder: Path) -> str:
    """A row: how much of new and of old paragraphs is claimed."""
    by_document = defaultdict[str, list[tuple[str, str]]](list)
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            by_document[row["group"]].append((row["date"], row["text"]))
    ordered = {key: sorted(rows) for key, rows in by_document.items() if len(rows) > 1}
    first = {key: rows[0][1] for key, rows in ordered.items()}
    new = 0
    own = 0
    others = 0
    old = 0
    found = 0
    with pocketindex.open(built(first, folder, "elsewhere")) as index:
        paragraphs = 0
        for key, rows in ordered.items():
            text, before = rows[-1][1], set(grams(first[key]))
            named = index.sources(text, 100)
            mine = joined(p for one in named if one.id == key for p in one.passages)
            every = joined(p for one in named for p in one.passages)
            for match in PARAGRAPH.finditer(text):
                of = grams(match[0])
                if len(of) < 17:
                    continue
                size = match.end() - match.start()
                share = sum(one in before for one in of) / len(of)
                if share < 0.1:
                    paragraphs += 1
                    new += size
                    own += inside(match.span(), mine)
                    others += inside(match.span(), every)
                elif share > 0.9:
                    old += size
                    found += inside(match.span(), mine)
    return (
        f"| {Path(path).name} | {len(ordered)} | {paragraphs:,} | {own / new:.3f} | {others / new:.3f}"
        f" | {found / old:.3f} |"
    )


def scripts(path: str, folder: Path) -> list[str]:
    documents = read(path)
    chance = random.Random(5)
    lines = list[str]()
    with pocketindex.open(built(documents, folder, "elsewhere")) as index:
        for script, key in SCRIPTS.items():
            text = documents[key]
            first = 0
            ten = 0
            for _ in range(PIECES):
                start = chance.randrange(len(text) - CHARACTERS)
                names = [one.id for one in index.sources(text[start : start + CHARACTERS])]
                first += names[:1] == [key]
                ten += key in names
            lines.append(f"| {script} | {key} | {shown(first, PIECES)} | {shown(ten, PIECES)} |")
    return lines


def cold(path: str, folder: Path) -> list[str]:
    """What passages of a text load: parts, and shards of a disc, of the runs that winnowing keeps."""
    documents = read(path)
    file, long = built(documents, folder, "elsewhere"), list[list[str]]()
    for text in documents.values():
        if len(text.split()) >= 200:
            long.append(text.split())
    stream = [word for words in long[:400] for word in words]
    asked = {
        "a paragraph of 80 words": [" ".join(words[20:100]) for words in long[:200]],
        "an essay of 800 words": [" ".join(stream[i : i + 800]) for i in range(0, 40_000, 800)],
    }
    lines = list[str]()
    with open(file, "rb") as opened:
        sections = list(cut.read_sections(opened))
        section = next(one for one in sections if one.kind == cut.PASSAGES)
        blocks = len(section.ends)
        opened.seek(section.start - 20 * blocks)
        firsts = [first for first, _, _ in struct.iter_unpack("<QQI", opened.read(20 * blocks))]
        starts = [section.start, *section.ends]
        shards = cut.cut(str(file)).shards[cut.RUNS.letter]
        edges, packed = [shard.ranges[0][0] for shard in shards], list[int]()
        for shard in shards:
            data = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed.append(len(data.compress(b"".join(cut.read(opened, shard))) + data.flush()))
    for name, texts in asked.items():
        parts, files = list[int](), list[int]()
        for text in texts:
            data = text.encode()
            keys, _ = keys_of_texts(data, np.array([len(data)], np.uint64), 4, 12)
            touched = {bisect.bisect_right(firsts, int(key)) - 1 for key in keys} - {-1}
            parts.append(sum(starts[i + 1] - starts[i] for i in touched))
            of = {bisect.bisect_right(edges, starts[i]) - 1 for i in touched}
            files.append(sum(packed[i] for i in of))
        lines.append(f"| {name} | {np.mean(parts):,.0f} | {np.mean(files):,.0f} | {max(files):,} |")
    return [
        f"{section.size:,} bytes of passages in {blocks:,} parts, {len(shards)} shards; {20 * blocks:,}"
        " bytes of directory are loaded at the start.",
        "",
        "| text | bytes of parts | bytes of shards | of shards at most |",
        "|---|--:|--:|--:|",
        *lines,
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wiki", required=True)
    parser.add_argument("--revisions", nargs="+", required=True)
    parser.add_argument("--scripts", required=True)
    parser.add_argument("--cold", required=True)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    names = [arguments.wiki, *arguments.revisions, arguments.scripts, arguments.cold]
    lines = [
        "# Sources in other collections, and from a cold file",
        "",
        f"`python bench/passages/passages_elsewhere.py` with {', '.join(Path(name).name for name in names)}, "
        f"{time.strftime('%Y-%m-%d')}.",
        "",
        *wiki(arguments.wiki, arguments.cache, arguments.count),
        "",
        "## Revisions",
        "The first revision of each document is in the file, the last one asks. New paragraphs have",
        "less than .1 of their runs of four words in the first one, kept ones more than .9.",
        "",
        "| | documents | new paragraphs | of these claimed by the first revision | by any document | "
        "of kept ones by the first revision |",
        "|---|--:|--:|--:|--:|--:|",
        *(revisions(path, arguments.cache) for path in arguments.revisions),
        "",
        "## Ten scripts",
        f"{PIECES} pieces of {CHARACTERS} characters each of a translation; all {len(read(arguments.scripts))} "
        "translations are in the file.",
        "",
        "| script | translation | first | among ten |",
        "|---|---|--:|--:|",
        *scripts(arguments.scripts, arguments.cache),
        "",
        "## From a cold file",
        *cold(arguments.cold, arguments.cache),
    ]
    arguments.output.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
