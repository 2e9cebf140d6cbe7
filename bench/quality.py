"""The default scheme against its floors and against peers, in one run: recall, hits, bytes, time, edited documents, revisions.

    pip install scipy faiss-cpu tantivy datasketch rensa
    python bench/quality.py wiki_simple.jsonl.zst reuters.jsonl.zst --revisions rev_peps.jsonl.zst --markdown bench/results/quality.md

Documents of 50 words or more; exact tf-idf truth; profiles learned from documents that no query is. A peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import io
import json
import pickle
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mmh3
import numpy as np
import zstandard
from pocketindex.builder.build import Settings
from pocketindex.builder.evaluate.collection import LEAST_WORDS, Collection, of_texts
from pocketindex.builder.evaluate.edits import edited, first_half, second_half, without_first_quarter
from pocketindex.builder.evaluate.measure import Subject
from pocketindex.builder.evaluate.truth import Truth, interval, words

AT = (0.7, 0.8, 0.9)
EDITED = 300
Ask = Callable[[str], Any]  # text -> documents found


def read(path: str) -> list[dict[str, Any]]:
    with open(path, "rb") as stream:
        raw = zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(stream) if path.endswith(".zst") else stream
        return [json.loads(line) for line in io.TextIOWrapper(raw, encoding="utf-8")]


def text_of(document: dict[str, Any]) -> str:
    """Reuters has its title apart and stubs without text."""
    return f"{document.get('title') or ''}\n{document['text']}" if "text_type" in document else document["text"]


def load(path: str, queries: int) -> Collection:
    kept = {}
    for document in read(path):
        text = text_of(document)
        if document.get("text_type", "NORM") == "NORM" and len(words(text)) >= LEAST_WORDS:
            kept[str(document["id"])] = text
    return of_texts(list(kept), list(kept.values()), queries, 2007)


# Peers: each gives name, build seconds, bytes a document, and how to ask.


def pocketindex_hits(least: float) -> Callable[[Collection, Path], tuple[str, float, float, Ask]]:
    """The default; of its hits those of this similarity or more."""

    def make(collection: Collection, folder: Path) -> tuple[str, float, float, Ask]:
        asked = Subject(collection, folder, Settings(profile="learn", sample=collection.sample))

        def ask(text: str) -> Any:
            hits = asked.ask(text, None)
            return hits.documents[hits.similarities >= least]

        ask.seconds = lambda texts: asked.microseconds(texts, None) / 1e6  # type: ignore[attr-defined]
        return f"pocketindex, similarity >= {least}", asked.build_seconds, asked.look_up_bytes, ask

    return make


def faiss_simhash(radius: int) -> Callable[[Collection, Path], tuple[str, float, float, Ask]]:
    def make(collection: Collection, folder: Path) -> tuple[str, float, float, Ask]:
        import faiss

        weights: dict[str, float] = {}
        for text in collection.texts:
            for word in set(words(text)):
                weights[word] = weights.get(word, 0) + 1
        weights = {word: float(np.log(len(collection.texts) / df)) for word, df in weights.items()}
        bits: dict[str, np.ndarray[Any, Any]] = {}

        def fingerprint(text: str) -> np.ndarray[Any, Any]:
            total = np.zeros(128)
            for word in words(text):
                if word not in bits:
                    bits[word] = np.unpackbits(np.frombuffer(mmh3.hash_bytes(word), np.uint8)) * 2.0 - 1
                total += weights.get(word, 0) * bits[word]
            return np.packbits(total > 0)

        start = time.perf_counter()
        index = faiss.IndexBinaryFlat(128)
        index.add(np.stack([fingerprint(text) for text in collection.texts]))
        seconds = time.perf_counter() - start
        faiss.omp_set_num_threads(1)

        def ask(text: str) -> Any:
            _, _, found = index.range_search(fingerprint(text).reshape(1, -1), radius + 1)
            return found

        return f"faiss flat, 128-bit idf simhash, radius {radius}", seconds, 16.0, ask

    return make


def datasketch_lsh(collection: Collection, folder: Path) -> tuple[str, float, float, Ask]:
    from datasketch import MinHash, MinHashLSH

    def sketch(text: str) -> Any:
        m = MinHash(num_perm=128, scheme="affine32")
        m.update_batch([word.encode() for word in set(words(text))])
        return m

    start = time.perf_counter()
    index = MinHashLSH(threshold=0.5, num_perm=128)
    for number, text in enumerate(collection.texts):
        index.insert(number, sketch(text))
    seconds = time.perf_counter() - start
    size = len(pickle.dumps(index, 5)) / len(collection.texts)
    return "datasketch MinHashLSH .5, 128 permutations", seconds, size, lambda text: index.query(sketch(text))


def rensa_lsh(collection: Collection, folder: Path) -> tuple[str, float, float, Ask]:
    from rensa import RMinHash, RMinHashLSH

    def sketch(text: str) -> Any:
        m = RMinHash(num_perm=128, seed=42)
        m.update(list(set(words(text))))
        return m

    start = time.perf_counter()
    index = RMinHashLSH(threshold=0.5, num_perm=128, num_bands=32)
    for number, text in enumerate(collection.texts):
        index.insert(number, sketch(text))
    seconds = time.perf_counter() - start
    size = len(pickle.dumps(index, 5)) / len(collection.texts)
    return "rensa RMinHashLSH, 32 bands of 4", seconds, size, lambda text: index.query(sketch(text))


def tantivy_terms(top: int) -> Callable[[Collection, Path], tuple[str, float, float, Ask]]:
    def make(collection: Collection, folder: Path) -> tuple[str, float, float, Ask]:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=False)
        schema.add_integer_field("number", stored=True)
        place = folder / f"tantivy{top}"
        place.mkdir()
        fields = schema.build()
        index = tantivy.Index(fields, path=str(place))
        start = time.perf_counter()
        writer = index.writer(heap_size=256_000_000, num_threads=1)
        for number, text in enumerate(collection.texts):
            writer.add_document(tantivy.Document(text=text, number=number))
        writer.commit()
        writer.wait_merging_threads()
        seconds = time.perf_counter() - start
        index.reload()
        searcher = index.searcher()
        size = sum(f.stat().st_size for f in place.rglob("*") if f.is_file() and f.suffix != ".store") / len(collection.texts)
        weights: dict[str, float] = {}
        for text in collection.texts:
            for word in set(words(text)):
                weights[word] = weights.get(word, 0) + 1
        weights = {word: float(np.log(len(collection.texts) / df)) for word, df in weights.items()}

        def ask(text: str) -> Any:
            counts: dict[str, float] = defaultdict(float)
            for word in words(text):
                counts[word] += weights.get(word, 0)
            best = sorted(counts, key=lambda word: -counts[word])[:25]
            terms = [(tantivy.Occur.Should, tantivy.Query.term_query(fields, "text", word)) for word in best]
            found = searcher.search(tantivy.Query.boolean_query(terms), top)
            return [searcher.doc(address)["number"][0] for _, address in found.hits]

        return f"tantivy, the 25 heaviest terms, top {top}", seconds, size, ask

    return make


PEERS = [
    pocketindex_hits(0.0),
    pocketindex_hits(0.3),
    pocketindex_hits(0.5),
    faiss_simhash(28),
    faiss_simhash(40),
    datasketch_lsh,
    rensa_lsh,
    tantivy_terms(10),
    tantivy_terms(50),
]


def timed(ask: Ask, texts: list[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        ask(text)
    return (time.perf_counter() - start) / len(texts)


def row(collection: Collection, name: str, seconds: float, size: float, ask: Ask) -> dict[str, Any]:
    texts = collection.texts
    found: dict[int, Any] = {}
    for q in {*collection.random, *collection.similar}:
        found[q] = np.array([d for d in ask(texts[q]) if d != q], np.int64)
    sample = [texts[q] for q in collection.random[:200]]
    best = ask.seconds(sample) if hasattr(ask, "seconds") else min(timed(ask, sample) for _ in range(3))
    out: dict[str, Any] = {"name": name, "documents a second": len(texts) / seconds, "bytes a document": size, "microseconds": 1e6 * best}
    out["hits"] = float(np.mean([len(found[q]) for q in collection.random]))
    for t in AT:
        values = []
        for q in collection.similar:
            near = collection.neighbours[q]
            wanted = near.documents[near.cosines >= t]
            if len(wanted):
                values.append(float(np.isin(wanted, found[q]).mean()))
        out[f"recall {t}"] = (float(np.mean(values)) if values else float("nan"), *interval(np.array(values)), len(values))
    chance, chosen = random.Random(7), collection.random[:EDITED]
    vocabulary = [word for q in collection.random for word in texts[q].split()]
    changes: dict[str, Callable[[str], str]] = {
        **{f"edited {s}": (lambda text, s=s: edited(text, "mixed", s, vocabulary, chance)) for s in (0.1, 0.2, 0.3)},
        "quarter lost": without_first_quarter,
        "first half": first_half,
        "second half": second_half,
    }
    for name, change in changes.items():
        out[name] = float(np.mean([q in ask(change(texts[q])) for q in chosen]))
    return out


def table(rows: list[dict[str, Any]]) -> str:
    def cell(value: Any) -> str:
        if isinstance(value, tuple):
            mean, low, high, count = value
            return f"{mean:.3f} ({low:.2f}-{high:.2f}; {count}{'*' if count < 50 else ''})"
        return value if isinstance(value, str) else f"{value:.3f}" if value <= 1 else f"{value:,.1f}"

    head = list(rows[0])
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(cell(r[h]) for h in head) + " |" for r in rows])


def revisions(path: str) -> dict[str, Any]:
    """Does the oldest revision find the newest among ten hits? Pairs at cosine >= .7, and all pairs beside the exact scan."""
    documents = read(path)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        groups[str(document["group"])].append(number)
    texts = [document["text"] for document in documents]
    truth = Truth(texts)
    ordered = [
        sorted(g, key=lambda i: (documents[i].get("rev") is not None, documents[i].get("rev"))) for g in groups.values() if len(g) > 1
    ]
    pairs = [(group[0], group[-1]) for group in ordered]
    collection = Collection([str(i) for i in range(len(texts))], texts, truth, len(texts), [], [], {}, {})
    near = all_found = exact = close = 0
    with tempfile.TemporaryDirectory() as folder:
        asked = Subject(collection, Path(folder), Settings(profile="learn"))
        for old, new in pairs:
            cosines = truth.cosines(truth.rows[old], np.arange(len(texts)))
            cosines[old] = -1
            hits = asked.ask(texts[old], None, old).documents[:10]
            found = new in hits
            all_found += found
            exact += new in np.argsort(-cosines, kind="stable")[:10]
            if cosines[new] >= 0.7:
                close += 1
                near += found
        asked.close()
    n = max(len(pairs), 1)
    return {
        "collection": Path(path).name,
        "pairs": float(n),
        "at .7 or more": close / n,
        "found of these": near / max(close, 1),
        "found of all": all_found / n,
        "exact scan": exact / n,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--revisions", nargs="*", default=[])
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    names = " ".join(Path(c).name for c in arguments.collections)
    parts = [
        "# The default scheme, its floors and its peers",
        "",
        f"`python bench/quality.py {names} --queries {arguments.queries}`; one thread, 2 cores shared with other work: take times as ratios.",
        "",
    ]
    for path in arguments.collections:
        collection = load(path, arguments.queries)
        rows = []
        for make in PEERS:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    rows.append(row(collection, *make(collection, Path(folder))))
                except ImportError as error:
                    print(f"left out: {error}")
                    continue
            print(rows[-1], flush=True)
        parts += [
            f"## {Path(path).name}: {len(collection.texts):,} documents, {len(collection.similar):,} queries with a neighbour at .5, {len(collection.random):,} random",
            "",
            table(rows),
            "",
        ]
    if arguments.revisions:
        parts += [
            "## Revisions: the oldest finds the newest among ten hits",
            "",
            table([revisions(path) for path in arguments.revisions]),
            "",
        ]
    print("\n".join(parts))
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
