"""Near-duplicates within a collection: found, false, and time, beside peers in the same run.

    pip install scipy datasketch rensa
    python bench/duplicates/pairs.py wiki_simple.jsonl.zst --cache DIR

Documents of 50 words or more. Truth of pairs: exact tf-idf cosine of every pair (truth.py).
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
import truth
from pocketindex.builder import Document, build
from pocketindex.builder.collections.corpus import Corpus
from pocketindex.builder.collections.pairs import sketch_pairs, text_pairs
from pocketindex.builder.progress import Progress

Pairs = dict[tuple[int, int], float]
Found = tuple[set[tuple[int, int]], float]  # pairs, CPU seconds: the machine has other work, too


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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    collection = truth.load(arguments.collection)
    true = true_pairs(collection, arguments.cache, Path(arguments.collection).name.split(".")[0])
    counts = ", ".join(
        f"{sum(cosine >= t for cosine in true.values()):,} at {t}" for t in (0.8, 0.9)
    )
    lines: list[Any] = [
        f"## {Path(arguments.collection).name}: {len(collection.texts):,} documents, true pairs: {counts}",
        "",
    ]
    lines += pairs_table(collection, true)
    print("\n".join(lines))
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
