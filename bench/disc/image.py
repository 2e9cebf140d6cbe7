"""A disc's image read back: its files beside their SHA-256, and what a first and a next query of it
cost, natively and in chromium from file://.

    python bench/disc/image.py IMAGE.iso TEXTS.jsonl [TEXTS.jsonl …] --folder DIR -o bench/results/image.md      needs xorriso, playwright, chromium

xorriso reads the image, which pycdlib wrote, through its file system into DIR: there need be no
loop devices. Files are put out of the page cache before each first query, natively one process
each. What a page reads: of a .pocket file that is picked the slices, of scripts the files. Nothing
here is as slow as a CD.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers" / "page"))

import pocketindex
from disc import evict
from distant import spread
from intervals import table
from pages import CLOCK, Shown, launched

FIRST, NEXT = 5, 4  # fresh browsers for each collection of texts; queries of each after its first
NATIVE = """
import sys, time, pocketindex
path, cold, text = sys.argv[1], sys.argv[2] == "cold", sys.stdin.read()
read = lambda: int(next(line for line in open("/proc/self/io") if line.startswith("read_bytes")).split()[1])
start, before = time.perf_counter(), read()
hits = pocketindex.open(path, cold=cold).query(text, 10)
[hit.title for hit in hits]
print(time.perf_counter() - start, 1, read() - before)
"""
COUNT = """
window.read = [0, 0];
const own = Blob.prototype.slice;
Blob.prototype.slice = function (start, end, ...rest) {
  if (this.size > 1e6) window.read = [window.read[0] + 1, window.read[1] + end - start];
  return own.call(this, start, end, ...rest);
};
"""
Cost = tuple[float, int, int]  # seconds, reads, bytes


def extracted(image: Path, folder: Path) -> list[str]:
    """The files of the image, in folder; their names, where size and SHA-256 are those of the
    manifest.
    """
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        ["xorriso", "-osirrox", "on", "-indev", str(image), "-extract", "/", str(folder)],
        check=True,
        capture_output=True,
    )
    found = json.loads((folder / "manifest.json").read_text())["files"]
    for name, said in found.items():
        with (folder / name).open("rb") as file:
            assert hashlib.file_digest(file, "sha256").hexdigest() == said["sha256"], name
    return list(found)


def natively(folder: Path, path: Path, texts: list[str], way: str) -> list[Cost]:
    out = []
    for text in texts:
        evict(folder)
        said = subprocess.run(
            [sys.executable, "-c", NATIVE, str(path), way],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        out.append((float(said[0]), int(said[1]), int(said[2])))
    return out


class Reader:
    """An open page, and what it has read of the disc."""

    def __init__(self, browser: Any, folder: Path) -> None:
        context = browser.new_context()
        context.add_init_script(COUNT)
        start = time.monotonic()
        self.shown = Shown(context, (folder / "index.html").as_uri())
        self.opened = (time.monotonic() - start, *self.read())

    def read(self) -> tuple[int, int]:
        reads, size = self.shown.page.evaluate("window.read")
        scripts = [
            Path(unquote(urlsplit(url).path)).stat().st_size
            for url in self.shown.asked
            if url.startswith("file:")
        ]
        return reads + len(scripts), size + sum(scripts)

    def cost(self, act: Any) -> Cost:
        """Of act(), which says how long it took, if it is not as long as the call."""
        reads, size = self.read()
        start = time.monotonic()
        seconds = act() or time.monotonic() - start
        after = self.read()
        return seconds, after[0] - reads, after[1] - size

    def pick(self, path: Path) -> None:
        self.shown.page.set_input_files("#pocket", str(path))
        self.shown.page.wait_for_function(
            "() => document.getElementById('status').textContent.includes('is open')"
        )

    def ask(self, text: str) -> float:
        return float(self.shown.page.evaluate(CLOCK, text)) / 1000


def in_browser(
    folder: Path, pockets: list[Path], texts: list[str], answering: list[str]
) -> dict[str, list[Cost]]:
    """answering: gets the name of the collection that the first hit of each first query is from."""
    out: dict[str, list[Cost]] = {
        "the page": [],
        "picking the file": [],
        "first query": [],
        "next query": [],
        "Search deeper, after these": [],
    }
    for run in range(FIRST):
        evict(folder)
        with launched("chromium") as browser:
            reader, own = Reader(browser, folder), texts[run::FIRST]
            out["the page"].append(reader.opened)
            out["picking the file"] += [
                reader.cost(lambda r=reader, p=path: r.pick(p)) for path in pockets
            ]
            out["first query"].append(reader.cost(lambda r=reader, t=own[0]: r.ask(t)))
            answering += [name for name, _, _ in reader.shown.found()[:1]]
            out["next query"] += [
                reader.cost(lambda r=reader, t=text: r.ask(t)) for text in own[1:]
            ]
            deeper = reader.cost(
                lambda r=reader: r.shown.answered(lambda: r.shown.page.click("#deeper"))
            )
            out["Search deeper, after these"].append(deeper)
            assert reader.shown.said == [], reader.shown.said
    return out


def row(name: str, found: list[Cost]) -> list[str]:
    seconds, reads, sizes = zip(*found, strict=True)
    times = [f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}"]
    return [
        name,
        str(len(found)),
        *times,
        f"{statistics.median(reads):.0f}",
        f"{statistics.median(sizes) / 1000:,.0f}",
        f"{max(sizes) / 1000:,.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("image", type=Path)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    names = extracted(arguments.image, folder)
    pockets = sorted(folder.rglob("*.pocket"))
    rows, answers = [], []
    for source in arguments.texts:
        texts, answering = spread(source, FIRST * (NEXT + 1)), list[str]()
        for path in pockets:
            for way in ("cold", "resident"):
                found = natively(folder, path, texts[: 2 * FIRST], way)
                rows.append(row(f"natively, {way}: open, ask, titles", found))
        rows += [
            row(name, found)
            for name, found in in_browser(folder, pockets, texts, answering).items()
            if found
        ]
        answers.append(f"{source.name}: first hits from {', '.join(answering)}.")
    parts = []
    for path in pockets:
        with pocketindex.open(path) as index:
            info = index.info()
        each = ", ".join(f"{part} {size:.2f}" for part, size in info.bytes_per_document.items())
        parts.append(
            f"{path.name}: {info.documents:,} documents, {info.file_size:,} bytes. Bytes a document: {each}."
        )
    lines = [
        "# An image, read back",
        "",
        f"`python bench/disc/image.py`, {time.strftime('%Y-%m-%d')}. The image has {arguments.image.stat().st_size:,} bytes and {len(names) + 1} files. "
        f"xorriso read them; each has the SHA-256 of the manifest.",
        "",
        *parts,
        "",
        *table(["", "of", "seconds, median", "most", "reads, median", "kB, median", "most"], rows),
        "",
        *answers,
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
