"""Bytes of a disc by part, beside Pagefind's files for the same documents.

    pip install pagefind-bin
    python bench/disc/disc_sizes.py wiki_simple.jsonl.zst --cache DIR -o bench/results/disc_sizes.md

All get every document that has the five terms which we ask for: its title and its text, a link. The
disc has titles to look up and snippets of 160 characters. Pagefind gets a page a document (its
command; words of each page are its snippets).
"""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from pocketindex.builder import Settings, build
from pocketindex.builder.page.folder import write
from running import called, parser, report
from truth import read

TEMPLATE = "https://example.org/wiki/{title}"
PARTS = {"l": "look-up", "d": "titles and links of hits", "t": "snippets", "n": "titles to look up"}


def sizes(folder: Path, part_of: Any) -> dict[str, tuple[int, int]]:
    """Files and bytes by part_of(path)."""
    found: dict[str, list[int]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            found.setdefault(part_of(path.relative_to(folder)), []).append(path.stat().st_size)
    return {name: (len(each), sum(each)) for name, each in sorted(found.items())}


def part_of_disc(path: Path) -> str:
    if path.name in ("index.html", "heads.js"):
        return f"{path.name} ({'page, core' if path.suffix == '.html' else 'profile, directories'})"
    return PARTS.get(path.name[0], "rest") if path.suffix == ".js" else "rest"


def part_of_pagefind(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else "program"


def page(document: dict[str, Any]) -> str:
    title = html.escape(document.get("title") or document["id"])
    text = html.escape(document["text"])
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><body><h1>{title}</h1><p>{text}</p></body></html>'


def pagefind(
    documents: list[dict[str, Any]], cache: Path
) -> tuple[dict[str, tuple[int, int]], float]:
    site, out = cache / "site", cache / "pagefind"
    for folder in (site, out):
        shutil.rmtree(folder, ignore_errors=True)
    for number, document in enumerate(documents):
        path = site / f"{number >> 10:03}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(document), encoding="utf-8")
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pagefind_bin", "--site", site, "--output-path", out, "--silent"],
        check=True,
    )
    return sizes(out, part_of_pagefind), time.perf_counter() - start


def measured(everything: list[dict[str, Any]], name: str, cache: Path) -> Iterator[str]:
    """Lines of Markdown."""
    source, pocket = cache / "documents.jsonl", cache / "documents.pocket"
    with source.open("w") as out:
        for i, d in enumerate(everything):
            out.write(
                json.dumps({"id": str(i), "title": d.get("title") or "", "text": d["text"]}) + "\n"
            )
    start = time.perf_counter()
    build(
        [str(source)],
        pocket,
        Settings(keep="snippet", snippet=160, titles=True, url_template=TEMPLATE),
    )
    built = time.perf_counter() - start
    with pocketindex.open(pocket) as index:
        documents = [document for i, document in enumerate(everything) if str(i) in index]
    shutil.rmtree(cache / "disc", ignore_errors=True)
    start = time.perf_counter()
    write([str(pocket)], cache / "disc")
    ours, written = sizes(cache / "disc", part_of_disc), time.perf_counter() - start

    def row(name: str, files: int, size: int, seconds: str = "") -> str:
        return f"| {name} | {files:,} | {size:,} | {size / len(documents):.1f} | {seconds} |"

    def total(parts: dict[str, tuple[int, int]]) -> tuple[int, int]:
        return sum(files for files, _ in parts.values()), sum(size for _, size in parts.values())

    text = sum(len(document["text"].encode()) for document in documents)
    yield f"{name}: {len(documents):,} documents, {text:,} bytes of text ({text / len(documents):.0f} each).\n"
    yield "| | files | bytes | a document | s |\n|---|--:|--:|--:|--:|"
    yield row("**disc**", *total(ours), f"{built:.0f} + {written:.0f}")
    yield from (row(f"- {part}", *each) for part, each in ours.items())
    theirs, seconds = pagefind(documents, cache)
    yield row("**Pagefind**", *total(theirs), f"{seconds:.0f}")
    yield from (row(f"- {part}", *each) for part, each in theirs.items())
    look_up = ours[PARTS["l"]][1] / len(documents)
    yield f"\nThe look-up part takes {look_up:.1f} bytes a document; the disc has {total(ours)[1] / total(theirs)[1]:.3f} of Pagefind's bytes."


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collection")
    options.add_argument("--cache", required=True, type=Path)
    options.add_argument("--most", type=int, help="documents, for a short run")
    arguments = options.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    name, documents = Path(arguments.collection).name, read(arguments.collection)
    head = f"# A disc beside Pagefind\n\n`{called()}`, {date.today()}.\n"
    lines = measured(documents[: arguments.most], name, arguments.cache)
    report([head, *lines], arguments.output)


if __name__ == "__main__":
    main()
