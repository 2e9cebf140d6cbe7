r"""Training data that are cleaned of test items: which documents are dropped.

    python bench/duplicates/clean.py COLLECTION.jsonl…

2,000 items are taken from the documents of a collection: as they are, with words replaced by others
of it, or with four choices of one to four words. A document is another one if no item was taken
from it and it shares no run of eight words (\w in lower case) with one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / room) for room in ("measuring", "passages")]

from items import WORD, Maker, Texts, read, runs_of
from running import parser, report

KINDS = [(13, "0"), (25, "0"), (50, "0"), (25, "2"), (50, "2"), (25, "choices"), (13, "2")]


def make_items(documents: Texts, seed: int) -> Maker:
    maker = Maker(documents, seed)
    long = [key for key, text in documents.items() if len(text.split()) >= 60]
    for number in range(2000):
        size, change = KINDS[number % len(KINDS)]
        key = maker.chance.choice(long)
        text = ""
        while len(WORD.findall(text)) < size - 2:  # a rule of hyphens is no text
            text = maker.run(documents[key], size)
        for letter in "ABCD" if change == "choices" else "":
            other = documents[maker.chance.choice(long)]
            text += f"\n{letter}. {maker.run(other, maker.chance.randint(1, 4))}"
        edited = text if change == "choices" else maker.edited(text, int(change))
        maker.add(f"{size}, {change}", edited, [key])
    return maker


def measure(path: Path, seed: int, folder: Path) -> str:
    documents, train, test = read(path), folder / "train.jsonl", folder / "test.jsonl"
    items = make_items(documents, seed).items
    rows = [{"id": key, "text": text} for key, text in documents.items()]
    train.write_text("".join(json.dumps(row) + "\n" for row in rows))
    test.write_text("".join(json.dumps(item) + "\n" for item in items))
    start = time.perf_counter()
    command = [sys.executable, "-m", "pocketindex", "check", test, "--clean", train, "--force"]
    command += ["-o", folder / "out.jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    stay = {json.loads(line)["id"] for line in (folder / "out.jsonl").open(encoding="utf-8")}
    found = Counter(item["kind"] for item in items if item["truth"][0] not in stay)
    all_of = Counter(item["kind"] for item in items)
    runs = {run for item in items for run in runs_of(item["text"], 8)}
    own = {item["truth"][0] for item in items}
    others = [
        key
        for key, text in documents.items()
        if key not in own and runs.isdisjoint(runs_of(text, 8))
    ]
    wrong = sum(key not in stay for key in others)
    shares = " | ".join(f"{found[kind] / all_of[kind]:.3f}" for kind in all_of)
    head = f"| {path.stem} | {seed} | {len(documents):,} | {shares} | {wrong / len(others):.4f} "
    return f"{head}({wrong} of {len(others):,}) | {seconds:.1f} |"


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collections", nargs="+", type=Path)
    options.add_argument("--seeds", nargs="+", type=int, default=[21, 22])
    arguments = options.parse_args()
    lines = list[str]()
    for path in arguments.collections:
        for seed in arguments.seeds:
            with tempfile.TemporaryDirectory() as folder:
                lines.append(measure(path, seed, Path(folder)))
    report(lines, arguments.output)


if __name__ == "__main__":
    main()
