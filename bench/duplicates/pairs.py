r"""Near-duplicates within a collection: found, false, and time, beside peers in the same run.

    pip install scipy datasketch rensa text-dedup datatrove spacy zstandard
    python bench/duplicates/pairs.py COLLECTION… -o bench/results/pairs.md

Truth: the Jaccard similarity of word 5-grams (runs of \\w in lower case) of every pair, .8 or more,
by a matrix product. A text of fewer words has one shingle. Each way is given the texts, and times
are of its processor: reading is not in them.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

from clusters import datatrove, text_dedup
from pocketindex.builder.collections.measures import corpus_of
from pocketindex.builder.collections.options import PairsOptions
from pocketindex.builder.collections.pairs import text_pairs
from pocketindex.builder.document import Document
from pocketindex.builder.progress import Progress
from running import parser, report
from truth import read

LEAST = 0.8
WORDS = re.compile(r"\w+")
Found = set[tuple[int, int]]


def shingles(text: str) -> set[str]:
    words = WORDS.findall(text.lower())
    words = words or text.split()
    return {" ".join(words[i : i + 5]) for i in range(max(len(words) - 4, min(len(words), 1)))}


def true_pairs(texts: list[str]) -> Found:
    """All pairs, by the product of the matrix of texts and shingles with itself, in blocks."""
    numbers = dict[str, int]()
    rows = [[numbers.setdefault(one, len(numbers)) for one in shingles(text)] for text in texts]
    sizes = np.array([len(row) for row in rows])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    columns = np.concatenate([np.array(row, np.int64) for row in rows])
    matrix = sparse.csr_matrix(
        (np.ones(len(columns), np.int32), columns, ends), (len(texts), len(numbers))
    )
    found: Found = set()
    for start in range(0, len(texts), 500):
        common = (matrix[start : start + 500] @ matrix.T).tocoo()
        first, second = common.row + start, common.col
        near = common.data >= LEAST * (sizes[first] + sizes[second] - common.data)
        wanted = near & (first < second)
        found |= set(zip(first[wanted].tolist(), second[wanted].tolist(), strict=True))
    return found


def by_pocketindex(measure: str, least: float) -> Callable[[list[str]], Found]:
    def find(texts: list[str]) -> Found:
        documents = (Document(str(i), "", text) for i, text in enumerate(texts))
        how = PairsOptions(measure=measure, min_similarity=least)
        with (
            tempfile.TemporaryDirectory() as folder,
            corpus_of(documents, Path(folder), how, Progress(form="none")) as corpus,
        ):
            return {(pair.first, pair.second) for pair in text_pairs(corpus)}

    return find


def datasketch(texts: list[str]) -> Found:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=LEAST, num_perm=128)
    sketches = []
    found: Found = set()
    for number, text in enumerate(texts):
        sketch = MinHash(num_perm=128, scheme="affine32")
        sketch.update_batch([one.encode() for one in shingles(text)])
        sketches.append(sketch)
        near = [other for other in index.query(sketch) if sketches[other].jaccard(sketch) >= LEAST]
        found |= {(other, number) for other in near}
        index.insert(number, sketch)
    return found


def rensa(texts: list[str]) -> Found:
    from rensa import RMinHash, RMinHashLSH

    sketches = RMinHash.from_token_sets([list(shingles(t)) for t in texts], num_perm=128, seed=42)
    index = RMinHashLSH(threshold=LEAST, num_perm=128, num_bands=16)
    found: Found = set()
    for number, sketch in enumerate(sketches):
        near = [other for other in index.query(sketch) if sketches[other].jaccard(sketch) >= LEAST]
        found |= {(other, number) for other in near}
        index.insert(number, sketch)
    return found


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])


WAYS: dict[str, Callable[[list[str]], Found]] = {
    "pocketindex pairs": by_pocketindex("jaccard", LEAST),
    "pocketindex pairs --measure cosine --min-similarity .9": by_pocketindex("cosine", 0.9),
    "rensa RMinHashLSH, 16 bands": rensa,
    "datasketch MinHashLSH": datasketch,
    "text-dedup minhash": text_dedup,
    "datatrove MinhashDedup": datatrove,
}


def table(collections: Iterable[str]) -> Iterator[str]:
    yield "| collection | documents | true pairs | way | pairs | recall | precision | CPU seconds |"
    yield "|---|--:|--:|---|--:|--:|--:|--:|"
    for path in collections:
        texts = [line["text"] for line in read(path) if line.get("text", "").strip()]
        true = true_pairs(texts)
        for name, find in WAYS.items():
            start = processor_seconds()
            found = find(texts)
            seconds = processor_seconds() - start
            right = len(found & true)
            yield (
                f"| {Path(path).name.split('.')[0]} | {len(texts):,} | {len(true):,} | {name} "
                f"| {len(found):,} | {right / len(true):.4f} | {right / max(len(found), 1):.4f} "
                f"| {seconds:.1f} |"
            )


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collection", nargs="+")
    arguments = options.parse_args()
    report(list(table(arguments.collection)), arguments.output)


if __name__ == "__main__":
    main()
