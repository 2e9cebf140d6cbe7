r"""What `sources` and `check` cost: short and long texts, a book among the documents, many sources.

    python bench/passages/costs.py COLLECTION.jsonl OTHER.jsonl --cache DIR [--only NAME ...] \
        [--files NAME] [-o RESULTS.md]

The files keep their texts. Each row is a process of its own with one thread: medians of its
questions, processor time also as a multiple of a loop of fixed work that is timed before each, and
the greatest memory.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from evidence import built
from intervals import table
from items import LINE_END, SENTENCE, WORD, Texts, read, write
from running import parser, report

HEAD = "", "questions", "processor ms", "of the loop", "clock ms", "peak MB", "said"
MEGABYTE = 1_000_000
Questions = dict[str, tuple[str, list[str], int]]


def loop() -> float:
    """Milliseconds of processor time that a fixed piece of work takes."""
    start = time.process_time()
    sum(i * i for i in range(100_000))
    return 1e3 * (time.process_time() - start)


def asked(path: str, questions: list[str], top: int) -> list[str]:
    """Ask each question for top sources, or check all of them at once where top is 0."""
    index = pocketindex.open(path)
    ask = partial(index.sources, top=max(top, 1))
    ask("the pages of the file that every question needs are read with this one")
    own, clock, work, said = list[float](), list[float](), list[float](), ""
    for question in questions if top else [questions]:
        work.append(loop())
        start, before = time.perf_counter(), time.process_time()
        if top:
            answer = ask(question)
            said = f"coverage {answer.coverage:.3f}, {len(answer)} listed"
        else:
            said = str(pocketindex.check(index, question, progress=False, threads=1).counts())
        own.append(1e3 * (time.process_time() - before))
        clock.append(1e3 * (time.perf_counter() - start))
    middle = statistics.median(own)
    figures = middle, middle / statistics.median(work), statistics.median(clock)
    status = Path("/proc/self/status").read_text()  # getrusage has what the parent had, too
    peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
    return [f"{len(questions):,}", *(f"{figure:,.2f}" for figure in figures), f"{peak:,.0f}", said]


def questions_of(documents: Texts, others: Texts) -> Questions:
    """The file that is asked, the questions and how many sources are asked for, by row."""
    chance = random.Random(12)
    long = [text for text in documents.values() if len(text.split()) >= 200]
    chance.shuffle(long)
    sentences = [one for text in long[:2000] for one in SENTENCE.findall(LINE_END.sub(" ", text))]
    foreign, joined = " ".join(others.values()), "\n\n".join(long)
    words, of_book = foreign.split(), foreign[: 10 * MEGABYTE].split()
    many = "\n\n".join(long[:119])
    items = [" ".join(text.split()[50:100]) for text in long[:5_000]]
    items += [" ".join(words[at : at + 50]) for at in range(0, 500_000, 100)]
    return {
        "a sentence of 15 to 20 words": (
            "whole",
            [one for one in sentences if 15 <= len(WORD.findall(one)) <= 20][:300],
            10,
        ),
        "80 words": ("whole", [" ".join(text.split()[50:130]) for text in long[:300]], 10),
        "1,000 words of another collection": (
            "whole",
            [" ".join(words[at : at + 1000]) for at in range(0, 50_000, 1000)],
            10,
        ),
        "1 MB of joined documents": ("whole", [joined[:MEGABYTE]], 10),
        "10 MB of joined documents": ("whole", [joined[: 10 * MEGABYTE]], 10),
        "119 joined documents": ("whole", [many], 10),
        "119 joined documents, top=200": ("whole", [many], 200),
        "80 words of a book of 10 MB": (
            "book",
            [" ".join(of_book[at : at + 80]) for at in range(0, MEGABYTE, MEGABYTE // 20)],
            10,
        ),
        "check of 10,000 items of 50 words": ("whole", items, 0),
    }


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collection", type=Path)
    options.add_argument("other", type=Path)
    options.add_argument("--cache", required=True, type=Path)
    options.add_argument("--only", nargs="*", help="beginnings of the rows' names")
    options.add_argument("--files", default=".", help="folder in the cache's for the pocket files")
    arguments = options.parse_args()
    documents, others = read(arguments.collection), read(arguments.other)
    files = dict[str, dict[str, Path]]()
    for name in ("whole", "book"):
        folder = arguments.cache / name
        if not (folder / "build.jsonl").exists():
            rows = [{"id": key, "text": text} for key, text in documents.items()]
            book = {"id": "book", "text": " ".join(others.values())[: 10 * MEGABYTE]}
            write(folder / "build.jsonl", rows if name == "whole" else [*rows[:20_000], book])
        files[name] = built(folder, arguments.files, folder / "build.jsonl")
    lines = list[list[str]]()
    for name, (file, questions, top) in questions_of(documents, others).items():
        if not arguments.only or name.startswith(tuple(arguments.only)):
            given = json.dumps([str(files[file]["t"]), questions, top])
            told = subprocess.run(
                [sys.executable, __file__, "--ask"], input=given, capture_output=True, text=True
            )
            if told.returncode:
                print(told.stderr, file=sys.stderr)
            lines.append([name, *(json.loads(told.stdout) if not told.returncode else ["failed"])])
            print(" | ".join(lines[-1]), flush=True)
    index = pocketindex.open(files["whole"]["n"])
    sizes = {key: size / len(index) for key, size in index.info().sections.items()}
    each = ", ".join(f"{name} {size:.1f}" for name, size in sizes.items())
    head = [f"## {len(documents):,} documents, texts kept", ""]
    report(
        [*head, *table(HEAD, lines), "", f"Bytes a document without texts: {each}"],
        arguments.output,
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--ask"]:
        print(json.dumps(asked(*json.load(sys.stdin))))
    else:
        main()
