"""What fits on a CD: an image of at most 700,000,000 bytes with real collections on it, and how
many documents like these fill one.

    pip install 'pocketindex[disc]'
    python bench/disc/cd.py wiki_simple.jsonl.zst wiki_de.jsonl.zst wiki_en_tasks.jsonl.zst --cache DIR -o bench/results/cd.md

Every document of the collections is taken, with titles, without, and with snippets of 160
characters. The image holds the page that opens by a double click and the files themselves with
titles. What a million documents more cost is not measured here: a posting takes a bit more for
every doubling (see large.md).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from pocketindex.builder import Settings, build
from pocketindex.builder.page.folder import Settings as DiscSettings
from pocketindex.builder.page.folder import write
from pocketindex.builder.page.iso import IMAGE, write_iso
from pocketindex.builder.work.output import Output
from truth import read

CD = 700_000_000
WAYS = {
    "without titles": ("none", False),
    "with titles": ("none", True),
    "with titles and snippets": ("snippet", True),
}


def made(path: str, cache: Path, way: str) -> Path:
    keep, titles = WAYS[way]
    source = cache / "cd.jsonl"
    target = cache / f"{Path(path).name.split('.')[0]}-{way.replace(' ', '-')}.pocket"
    with source.open("w") as out:
        for number, document in enumerate(read(path)):
            # Titles of a wiki lead to the page, so there is no url; without titles the number is
            # all there is.
            row = {
                "id": str(number),
                "title": document.get("title") or "" if titles else "",
                "text": document["text"],
            }
            out.write(json.dumps(row) + "\n")
    build([str(source)], target, Settings(keep=keep, snippet=160))
    return target


def growth(documents: float, own: float, tables: float) -> float:
    """Bytes a document in a collection of so many documents: postings take log2 of the number of
    documents, in each table and once in ids.
    """
    return (tables + 1) * (math.ceil(math.log2(documents)) - own) / 8


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    names = [Path(path).name for path in arguments.collections]
    lines = [
        "# What fits on a CD",
        "",
        f"`python bench/disc/cd.py {' '.join(names)}`, {time.strftime('%Y-%m-%d')}. A CD has {CD:,} bytes here.",
        "",
        "| | documents | bytes of the files | a document | of them profiles | on a CD, by these bytes | on a CD, longer postings counted |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    kept: list[Path] = []
    for way in WAYS:
        files = [made(path, arguments.cache, way) for path in arguments.collections]
        kept = files if way == "with titles" else kept
        documents = size = profiles = 0
        tables = bits = 0.0
        for file in files:
            with pocketindex.open(file) as index:
                info = index.info()
            documents, size = documents + info.documents, size + info.file_size
            profiles += info.sections["profile"]
            tables += len(info.tables) * info.documents
            bits += math.ceil(math.log2(info.documents)) * info.documents
        each, fits = (size - profiles) / documents, CD / 2
        for _ in range(50):
            fits = (CD - profiles / len(files)) / (
                each + growth(fits, bits / documents, tables / documents)
            )
        row = f"| {way} | {documents:,} | {size:,} | {each:.1f} | {profiles:,} | {(CD - profiles / len(files)) / each / 1e6:.1f} million | {fits / 1e6:.1f} million |"
        lines.append(row)
        print(row, flush=True)
    folder, image = arguments.cache / "cd", arguments.cache / "cd.iso"
    write([str(file) for file in kept], folder, DiscSettings(with_file=True, force=True))
    write_iso(folder, Output(image, IMAGE), "pocketindex")
    size = image.stat().st_size
    assert size <= CD, size
    lines += [
        "",
        "A document's bytes are all of the file but the profile, which a collection has once. In 2007 about 2 million documents were said to fit.",
        "",
        f"**The image**: {size:,} bytes ({size / CD:.1%} of a CD), {sum(1 for f in folder.rglob('*') if f.is_file())} files: the page that opens by a double click with its scripts, and the files with titles as they are.",
    ]
    print(lines[-1])
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
