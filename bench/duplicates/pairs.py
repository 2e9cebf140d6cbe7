"""Near-duplicates within a collection, and test items in one: found, false, and time, beside peers
in the same run.

    pip install scipy datasketch rensa
    python bench/duplicates/pairs.py wiki_simple.jsonl.zst --others reuters.jsonl.zst --cache DIR

Documents of 50 words or more. Truth of pairs: exact tf-idf cosine of every pair (truth.py). Of test
items: they were put there.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
import truth
from pocketindex.builder import Document, Settings, build, inputs
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.findings import VERDICTS, Finding
from pocketindex.builder.collections.pairs import sketch_pairs, text_pairs
from pocketindex.builder.evaluate.edits import edited
from pocketindex.builder.progress import Progress

Pairs = dict[tuple[int, int], float]
Found = tuple[set[tuple[int, int]], float]  # pairs, CPU seconds: the machine has other work, too
ITEMS = 400


def true_pairs(collection: truth.Collection, cache: Path, name: str, least: float = 0.7) -> Pairs:
    """All pairs at cosine >= least; some minutes, so they are kept."""
    kept = cache / f"pairs-{name}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
    pairs = {}
    for i, (others, cosines) in enumerate(
        truth.neighbours(collection.rows, collection.rows, least)
    ):
        pairs.update(
            {(i, j): c for j, c in zip(others.tolist(), cosines.tolist(), strict=True) if j > i}
        )
    kept.write_bytes(pickle.dumps(pairs))
    return pairs


# Each way: text in, pairs out.


def by_texts(least: float) -> Callable[[list[str], Path], Found]:
    def find(texts: list[str], folder: Path) -> Found:
        start = time.process_time()
        documents = (Document(str(i), "", text) for i, text in enumerate(texts))
        with Corpus(documents, folder, least, Progress()) as corpus:
            found = {(p.first, p.second) for p in text_pairs(corpus)}
        return found, time.process_time() - start

    return find


def by_sketches(least: float) -> Callable[[list[str], Path], Found]:
    def find(texts: list[str], folder: Path) -> Found:
        source, target = folder / "texts.jsonl", folder / "texts.pocket"
        source.write_text(
            "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts)),
            encoding="utf-8",
        )
        build([str(source)], target)
        with pocketindex.open(target) as index:
            number = [int(index.record(i).id) for i in range(len(index))]
            start = time.process_time()
            found = {(number[p.first], number[p.second]) for p in sketch_pairs(index, least)}
            return found, time.process_time() - start

    return find


def datasketch(least: float) -> Callable[[list[str], Path], Found]:
    def find(texts: list[str], folder: Path) -> Found:
        from datasketch import MinHash, MinHashLSH

        start = time.process_time()
        index = MinHashLSH(threshold=least, num_perm=128)
        sketches = []
        found = set()
        for number, text in enumerate(texts):
            sketch = MinHash(num_perm=128, scheme="affine32")
            sketch.update_batch([word.encode() for word in set(truth.words(text))])
            sketches.append(sketch)
            found |= {
                (other, number)
                for other in index.query(sketch)
                if sketches[other].jaccard(sketch) >= least
            }
            index.insert(number, sketch)
        return found, time.process_time() - start

    return find


def rensa(least: float, bands: int) -> Callable[[list[str], Path], Found]:
    def find(texts: list[str], folder: Path) -> Found:
        from rensa import RMinHash, RMinHashLSH

        start = time.process_time()
        sketches = RMinHash.from_token_sets(
            [list(set(truth.words(text))) for text in texts], num_perm=128, seed=42
        )
        index = RMinHashLSH(threshold=least, num_perm=128, num_bands=bands)
        found = set()
        for number, sketch in enumerate(sketches):
            found |= {
                (other, number)
                for other in index.query(sketch)
                if sketches[other].jaccard(sketch) >= least
            }
            index.insert(number, sketch)
        return found, time.process_time() - start

    return find


WAYS: dict[str, Callable[[list[str], Path], Found]] = {
    "pocketindex pairs SOURCE": by_texts(0.9),
    "pocketindex pairs FILE.pocket": by_sketches(0.9),
    "pocketindex pairs FILE.pocket, .85": by_sketches(0.85),
    **{f"datasketch MinHashLSH, Jaccard {t}": datasketch(t) for t in (0.5, 0.6, 0.7, 0.8)},
    **{
        f"rensa RMinHashLSH, {b} bands, Jaccard {t}": rensa(t, b)
        for t, b in ((0.5, 32), (0.6, 32), (0.7, 32), (0.8, 16))
    },
}


def pairs_table(collection: truth.Collection, true: Pairs) -> Iterator[str]:
    wanted = {pair for pair, cosine in true.items() if cosine >= 0.9}
    yield "| way | pairs | recall at .9 | precision at .9 | precision at .8 | F1 at .9 | CPU seconds |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, find in WAYS.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                found, seconds = find(collection.texts, Path(folder))
            except ImportError as error:
                print(f"left out: {error}")
                continue
        right = len(found & wanted)
        recall, precision = right / len(wanted), right / max(len(found), 1)
        near = sum(true.get(pair, 0) >= 0.8 for pair in found) / max(len(found), 1)
        f1 = 2 * recall * precision / max(recall + precision, 1e-9)
        row = f"| {name} | {len(found):,} | {recall:.3f} | {precision:.3f} | {near:.3f} | {f1:.3f} | {seconds:.1f} |"
        print(row, flush=True)
        yield row


def check_table(texts: list[str], others: list[str], folder: Path) -> Iterator[str]:
    chance = random.Random(2007)
    fit = [text for text in texts if 60 <= len(truth.words(text)) <= 250]
    chosen = chance.sample(fit, 5 * ITEMS)
    items, fillers = chosen[:ITEMS], chosen[ITEMS:]
    foreign = [text for text in others if 60 <= len(truth.words(text)) <= 250]
    strange = chance.sample(foreign, min(5 * ITEMS, len(foreign)))
    vocabulary = [word for text in texts[:2000] for word in text.split()]
    taken = set(chosen)
    base = [text for text in texts if text not in taken]

    def among(text: str, rest: list[str], end: str) -> str:
        paragraphs = list(rest)
        paragraphs.insert(chance.randrange(5), text)
        return end.join(" ".join(paragraph.split()) for paragraph in paragraphs)

    def hidden(end: str) -> list[str]:
        return [among(text, fillers[4 * i : 4 * i + 4], end) for i, text in enumerate(items)]

    # What is planted in the collection, and what is asked.
    long_items = {
        end: [among(t, strange[4 * i : 4 * i + 4], end) for i, t in enumerate(items)]
        for end in ("\n\n", " ")
    }
    plants = {
        "the item itself": (items, items),
        "the item, 10 % of its words edited": (
            [edited(t, "mixed", 0.1, vocabulary, chance) for t in items],
            items,
        ),
        "the item, 20 % of its words edited": (
            [edited(t, "mixed", 0.2, vocabulary, chance) for t in items],
            items,
        ),
        "one of the item's five paragraphs": (items, long_items["\n\n"]),
        "a fifth of the item, which has no paragraphs": (items, long_items[" "]),
        "five paragraphs, the item is one": (hidden("\n\n"), items),
        "the same, and the file is built from paragraphs": (
            [p for t in hidden("\n\n") for p in t.split("\n\n")],
            items,
        ),
    }
    yield "| planted in the collection | | copy | near | passage | not found | the planted document is named |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for name, (planted, asked) in plants.items():
        yield from rows(name, made(base, planted, folder), asked)
    target = made(base, [], folder)
    none = {
        "items of another corpus": strange[:ITEMS],
        "items of the collection, taken out": items,
        "five paragraphs of another corpus": [
            "\n\n".join(strange[i : i + 5]) for i in range(0, len(strange) - 4, 5)
        ],
    }
    for name, asked in none.items():
        yield from rows(f"nothing; asked: {name}", target, asked)


def rows(name: str, target: Path, asked: list[str]) -> Iterator[str]:
    """By the file alone, and with what it was built from."""
    for way, in_source in (("file", False), ("and --source", True)):
        findings = found_of(target, asked, in_source)
        right = sum(any(one.id[0] == "p" for one in finding.evidence) for finding in findings)
        shares = [sum(finding.verdict == verdict for finding in findings) for verdict in VERDICTS]
        row = (
            f"| {name} | {way} | "
            + " | ".join(f"{count / len(asked):.3f}" for count in (*shares, right))
            + " |"
        )
        print(row, flush=True)
        yield row


def made(base: list[str], planted: list[str], folder: Path) -> Path:
    """A pocket file of both; the ids of what is planted begin with p."""
    source, target = folder / "c.jsonl", folder / "c.pocket"
    with open(source, "w", encoding="utf-8") as out:
        for prefix, texts in (("b", base), ("p", planted)):
            out.writelines(
                json.dumps({"id": f"{prefix}{i}", "text": text}) + "\n"
                for i, text in enumerate(texts)
            )
    build([str(source)], target, Settings())
    return target


def found_of(target: Path, asked: list[str], in_source: bool) -> list[Finding]:
    source = str(target.with_suffix(".jsonl"))
    documents = (
        (source, document) for document in inputs.find(source).documents(source, lambda skip: None)
    )
    with pocketindex.open_many([target]) as indexes:
        return Checker(indexes, top=50).check(asked, documents if in_source else None)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--others", required=True, help="a corpus of another kind")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    collection = truth.load(arguments.collection)
    others = [d["text"] for d in truth.read(arguments.others)]
    true = true_pairs(collection, arguments.cache, Path(arguments.collection).name.split(".")[0])
    counts = ", ".join(
        f"{sum(cosine >= t for cosine in true.values()):,} at {t}" for t in (0.8, 0.9)
    )
    lines: list[Any] = [
        f"## {Path(arguments.collection).name}: {len(collection.texts):,} documents, true pairs: {counts}",
        "",
    ]
    lines += pairs_table(collection, true)
    lines += [
        "",
        f"## {ITEMS} test items of 60 to 250 words; another corpus: {Path(arguments.others).name}",
        "",
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines += check_table(collection.texts, others, Path(folder))
    print("\n".join(lines))
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
