"""A collection that is measured on: texts, exact truth by two weightings, queries, edited copies.

Made once and kept in a cache, because exact truth takes minutes.

    python bench/measuring/collection.py wiki_simple.jsonl.zst reuters.jsonl.zst --cache DIR        makes them; the benchmarks do it, too

Two truths, both cosines of tf-idf rows over terms that Python's re cuts: `raw` (tf as it is, terms
with a letter), which binds, and `damped` (1 + ln tf, numbers are terms, too). Documents of 50 words
or more. Queries are documents of the collection; those that are byte-identical to a query are
neither expected nor counted as hits.
"""

from __future__ import annotations

import pickle
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from running import parser
from truth import LEAST_WORDS, WORD, neighbours, read, unit, vectors, words

SEED = 20261122  # no constant of the product was set with it
AT = 0.7
QUERIES, EDITED = 500, 400
POOL = 5_000  # documents whose words replace others
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+"
)  # Thai, Lao, Burmese, Khmer, kana, Han
LONG = 16  # characters a word: above, such a text has no spaces between words
Rows = sp.csr_matrix
Near = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # documents and their cosines


@dataclass
class Truth:
    """Unit tf-idf rows of the documents, and what makes one of another text. pairs: see terms."""

    damped: bool
    pairs: bool = False
    rows: Rows = field(default_factory=lambda: sp.csr_matrix((0, 0)))
    vocabulary: dict[str, int] = field(default_factory=dict)
    idf: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.float32))

    def learn(self, texts: list[str]) -> None:
        counts = self._counts(texts, grow=True)
        self.idf = np.log(
            len(texts) / np.bincount(counts.indices, minlength=len(self.vocabulary))
        ).astype(np.float32)
        self.rows = unit(counts, self.idf)

    def of(self, texts: list[str]) -> Rows:
        """Rows of other texts; terms that the collection has not are left out.

        In time of the texts alone, not of the vocabulary.
        """
        rows = self._counts(texts, grow=False)
        rows.data = rows.data * self.idf[rows.indices]
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(1))).ravel()
        rows.data /= np.repeat(np.where(lengths == 0, 1, lengths), np.diff(rows.indptr)).astype(
            np.float32
        )
        return rows

    def cosines(self, row: Rows, documents: Any) -> npt.NDArray[Any]:
        return np.asarray((self.rows[documents] @ row.T).todense()).ravel()

    def _counts(self, texts: list[str], grow: bool) -> Rows:
        counts = vectors(
            [terms(text, self.damped, self.pairs) for text in texts], self.vocabulary, grow
        )
        if self.damped:
            counts.data = (1 + np.log(counts.data)).astype(np.float32)
        return counts


@dataclass
class Collection:
    """queries: drawn documents whose neighbours at AT were looked for; near: of each, by truth,
    without itself and its copies.

    random: documents that are edited; edits: by what was done to them, their texts. languages: of
    each document, where there are several.
    """

    name: str
    texts: list[str]
    truths: dict[str, Truth]
    copies: dict[int, frozenset[int]] = field(default_factory=dict)
    queries: list[int] = field(default_factory=list)
    near: dict[str, dict[int, Near]] = field(default_factory=dict)
    random: list[int] = field(default_factory=list)
    edits: dict[str, list[str]] = field(default_factory=dict)
    languages: list[str] = field(default_factory=list)

    def same(self, document: int) -> frozenset[int]:
        """The document and its byte-identical copies."""
        return self.copies.get(document, frozenset((document,)))

    def similar(self, truth: str = "raw") -> list[int]:
        """The queries with a neighbour."""
        return [q for q in self.queries if len(self.near[truth][q][0])]


def terms(text: str, numbers: bool, pairs: bool = False) -> list[str]:
    """pairs: whether scripts without spaces are cut to overlapping pairs of characters."""
    found = UNSPACED.findall(text) if pairs else []
    cut = UNSPACED.sub(" ", text) if found else text
    return (WORD.findall(cut.lower()) if numbers else words(cut)) + [
        run[i : i + 2] for run in found for i in range(len(run) - 1)
    ]


def units(text: str) -> list[str]:
    """What is replaced and cut at, and makes the text again: words with a space behind, or two
    characters of a text without spaces.
    """
    cut = [f"{word} " for word in text.split()]
    if len(text) > LONG * len(cut) and UNSPACED.search(text):
        return [text[i : i + 2] for i in range(0, len(text), 2)]
    return cut


def text_of(document: dict[str, Any], titles: bool = True) -> str:
    """Reuters has its title apart."""
    return (
        f"{document.get('title') or ''}\n{document['text']}"
        if titles and "text_type" in document
        else str(document["text"])
    )


def replaced(text: str, share: float, pool: list[str], chance: random.Random) -> str:
    """text with a share of its words replaced by words of the collection, each as likely as it is
    frequent.
    """
    out = units(text)
    for place in chance.sample(range(len(out)), round(share * len(out))):
        out[place] = chance.choice(pool)
    return "".join(out)


def pool_of(texts: list[str], chance: random.Random) -> list[str]:
    """Words of the collection as often as they are in a part of it."""
    return [word for text in chance.sample(texts, min(POOL, len(texts))) for word in units(text)]


def edits_of(texts: list[str], pool: list[str], chance: random.Random) -> dict[str, list[str]]:
    """What is done to each of texts."""
    cut = [text.split() for text in texts]
    return {
        **{
            f"{share:.0%} replaced": [replaced(text, share, pool, chance) for text in texts]
            for share in (0.1, 0.2, 0.3)
        },
        "quarter lost": [" ".join(w[len(w) // 4 :]) for w in cut],
        "first half": [" ".join(w[: len(w) // 2]) for w in cut],
        "second half": [" ".join(w[len(w) // 2 :]) for w in cut],
    }


def of_texts(name: str, texts: list[str], queries: int, pairs: bool = False) -> Collection:
    """Weight the texts, draw queries until so many have a neighbour, and edit some."""
    chance = random.Random(SEED)
    made = Collection(name, texts, {"raw": Truth(False, pairs), "damped": Truth(True, pairs)})
    for truth in made.truths.values():
        truth.learn(texts)
    same = defaultdict(list)
    for number, text in enumerate(texts):
        same[text].append(number)
    made.copies = {
        number: frozenset(group) for group in same.values() if len(group) > 1 for number in group
    }
    drawn = chance.sample(range(len(texts)), len(texts))
    made.near = {truth: {} for truth in made.truths}
    while drawn and len(made.similar()) < queries:
        block, drawn = drawn[:800], drawn[800:]
        for kind, truth in made.truths.items():
            for q, (documents, cosines) in zip(
                block, neighbours(truth.rows, truth.rows[block], AT), strict=True
            ):
                others = ~np.isin(documents, list(made.same(q)))
                made.near[kind][q] = documents[others], cosines[others]
        made.queries += block
    made.random = chance.sample(range(len(texts)), min(EDITED, len(texts)))
    made.edits = edits_of([texts[i] for i in made.random], pool_of(texts, chance), chance)
    return made


def load(path: str, cache: Path, queries: int = QUERIES) -> Collection:
    """The collection at path, from the cache if it was made before.

    PATH:text leaves out titles where they are apart from the text.
    """
    path, _, alone = path.partition(":")
    name = Path(path).name.split(".")[0] + ("-text" if alone else "")

    def make() -> Collection:
        texts = [text_of(d, not alone) for d in read(path) if d.get("text_type", "NORM") == "NORM"]
        return of_texts(name, [text for text in texts if len(words(text)) >= LEAST_WORDS], queries)

    return kept(cache / f"truth-{name}-{queries}.pickle", make)


def kept(path: Path, make: Callable[[], Collection]) -> Collection:
    """What make gives, from path if it is there."""
    if path.exists():
        with path.open("rb") as stream:
            found: Collection = pickle.load(stream)
        return found
    start = time.perf_counter()
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(made, 5))
    print(
        f"{made.name}: {len(made.texts):,} documents, {len(made.queries):,} drawn, {len(made.similar()):,} with a neighbour at {AT}, "
        f"{len(made.similar('damped')):,} by the other truth; {time.perf_counter() - start:.0f} s",
        flush=True,
    )
    return made


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collections", nargs="+")
    options.add_argument("--cache", required=True, type=Path)
    arguments = options.parse_args()
    for path in arguments.collections:
        load(path, arguments.cache)


if __name__ == "__main__":
    import collection  # so that what is pickled is found under this name

    collection.main()
