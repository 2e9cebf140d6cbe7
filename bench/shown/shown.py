"""What `query` shows, as it is asked by default, in one run for the installed pocketindex.

    pip install scipy zstandard 'faiss-cpu>=1.12' tantivy
    python bench/shown/shown.py CORPORA --cache DIR [--rows copies unrelated …] [-o PAGE.md]

A row of these, or all: edited copies and halves among ten hits, and neighbours, beside flat scans
(alike.py); unrelated texts that have a hit; edited records beside tantivy, statements that differ
in a figure, collections of one form (records.py); time. CORPORA is a folder of NAME.jsonl.zst. The
cache keeps what does not depend on pocketindex; a first run takes some minutes more. As JSON Lines:
--json has the figures, --missed each text that was answered otherwise than wanted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))
sys.path.insert(0, str(Path(__file__).parents[1] / "recall"))

import pocketindex
from alike import copies, foreign, neighbours, times, unrelated
from kit import Kit, page
from records import of_a_form, records, statements

ROWS = {
    row.__name__: row
    for row in (copies, neighbours, unrelated, foreign, records, statements, of_a_form, times)
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--rows", nargs="*", choices=ROWS, default=list(ROWS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--missed", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kit = Kit(arguments.corpora, arguments.cache, Path(folder))
        for name in arguments.rows:
            start = time.perf_counter()
            ROWS[name](kit)
            print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    lines = [
        "# What `query` shows",
        "",
        f"`python bench/shown/shown.py CORPORA --rows {' '.join(arguments.rows)}`, {time.strftime('%Y-%m-%d')}, pocketindex {pocketindex.__version__}. "
        "Shares with 95 % intervals.",
        "",
        *page(kit.figures),
    ]
    print("\n".join(lines))
    if arguments.output:
        arguments.output.write_text("\n".join(lines), encoding="utf-8")
    for path, some in ((arguments.json, kit.figures), (arguments.missed, kit.missed)):
        if path:
            lines = [json.dumps(one, ensure_ascii=False) for one in some]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
