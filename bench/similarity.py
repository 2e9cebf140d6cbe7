"""What the similarity of a hit is worth: its error against the exact cosine, and how many of the hits it puts high are similar. And texts of a
few words, edited.

    pip install scipy
    python bench/similarity.py reuters.jsonl.zst wiki_simple.jsonl.zst --markdown bench/results/similarity.md

The default settings, learned from documents that no query is. Byte-identical copies of a query are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
from pocketindex.builder.build import Settings, build
from pocketindex.builder.evaluate.collection import Collection
from pocketindex.builder.evaluate.edits import edited
from pocketindex.builder.evaluate.measure import Subject, without
from pocketindex.builder.evaluate.truth import interval, words
from quality import load, read, text_of

SHORT, EDITED, CHOSEN = range(15, 51), 0.1, 1_000


def mean(values: list[float]) -> str:
    low, high = interval(np.array(values))
    return f"{np.mean(values):.3f} ({low:.3f}-{high:.3f})"


def similarity(name: str, collection: Collection) -> str:
    errors: list[float] = []
    far = hits = 0
    precisions, similar = [], []
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(collection, Path(folder), Settings(profile="learn", sample=collection.sample))
        for q in {*collection.random, *collection.similar}:
            found = without(subject.ask(collection.texts[q], None, q), collection.copies.get(q))
            shown = found.similarities >= 0.5
            cosines = collection.truth.cosines(collection.truth.rows[q], found.documents[shown])
            off = np.abs(found.similarities[shown] - cosines)
            if len(off):
                errors.append(float(off.mean()))
                far, hits = far + float(off.sum()), hits + len(off)
            high = cosines[found.similarities[shown] >= 0.7]
            if len(high):
                precisions.append(float((high >= 0.5).mean()))
                similar += (high >= 0.5).tolist()
        size = subject.look_up_bytes
        subject.close()
    return (
        f"| {name} | {size:.1f} | {far / max(hits, 1):.3f} ({hits:,}) | {mean(errors)}; {len(errors):,} | "
        f"{np.mean(similar):.3f} ({len(similar):,}) | {mean(precisions)}; {len(precisions):,} |"
    )


def short(name: str, path: str) -> str:
    """Texts of 15 to 50 words, edited, among all documents of the collection."""
    texts = {str(d["id"]): text_of(d) for d in read(path)}
    counted = {id: len(words(text)) for id, text in texts.items()}
    few, chance = [id for id, count in counted.items() if count in SHORT], random.Random(11)
    chosen = chance.sample(few, min(CHOSEN, len(few)))
    vocabulary = [word for id in chosen for word in texts[id].split()]
    with tempfile.TemporaryDirectory() as folder:
        source, file = Path(folder) / "all.jsonl", Path(folder) / "all.pocket"
        source.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items()))
        build([str(source)], file)
        any_rank, first_ten, asked = [], [], 0
        with pocketindex.open(file) as index:
            for id in chosen:
                if id not in index:
                    continue
                (found,) = index.query_many([edited(texts[id], "mixed", EDITED, vocabulary, chance)], top=65_536)
                ids = [hit.id for hit in found]
                asked += 1
                any_rank.append(float(id in ids))
                first_ten.append(float(id in ids[:10]))
    return f"| {name} | {len(few):,} of {len(texts):,} | {asked:,} | {mean(any_rank)} | {mean(first_ten)} |"


def every_pair(name: str, collection: Collection) -> list[str]:
    """Of all ordered pairs of the collection, those that are found, and what the most similar missed ones have in common."""
    truth, lines = collection.truth, []
    near = truth.neighbours(truth.rows, 0.7)
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(collection, Path(folder), Settings(profile="learn", sample=collection.sample))
        found = {0.9: [0, 0], 0.8: [0, 0], 0.7: [0, 0]}
        missed = []
        for q, others in enumerate(near):
            beside = [(int(d), float(c)) for d, c in zip(others.documents, others.cosines, strict=True) if d != q]
            hits = set(subject.ask(collection.texts[q], None, q).documents.tolist()) if beside else set()
            for d, cosine in beside:
                for least, counts in found.items():
                    counts[0] += cosine >= least and d in hits
                    counts[1] += cosine >= least
                if d not in hits:
                    product = truth.rows[q].multiply(truth.rows[d])
                    missed.append((cosine, float(product.max()) / cosine))
        subject.close()
    shares = [share for _, share in missed]
    lines.append(
        f"**{name}, every pair**: found of ordered pairs at " + ", ".join(f"{t:g}: {a:,} of {b:,}" for t, (a, b) in found.items()) + "."
    )
    if missed:
        lines.append(
            f"In the median of the {len(missed)} missed ones a single term makes {np.median(shares):.2f} of the cosine, in {sum(s > 0.5 for s in shares)} more than half."
        )
    all_shares = [
        float(truth.rows[q].multiply(truth.rows[int(d)]).max()) / float(c)
        for q, others in enumerate(near)
        for d, c in zip(others.documents, others.cosines, strict=True)
        if d != q
    ]
    lines.append(f"In all pairs at .7 or more the median is {np.median(all_shares):.2f}.")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--pairs", nargs="*", default=[], help="collections whose every pair is looked for")
    parser.add_argument("--markdown", type=Path)
    arguments = parser.parse_args()
    names = [Path(path).name for path in arguments.collections]
    lines = [
        "# What the similarity of a hit is worth",
        "",
        f"`python bench/similarity.py {' '.join(names)} --queries {arguments.queries}`; default settings, profiles learned from documents that no query is.",
        "Means over hits with their number, and over queries with a 95 % interval and theirs.",
        "",
        "| collection | look-up bytes | error of similarity, hits at .5 or more | the same, over queries | cosine .5 or more, of hits at .7 or more | the same, over queries |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, path in zip(names, arguments.collections, strict=True):
        lines.append(similarity(name, load(path, arguments.queries)))
        print(lines[-1], flush=True)
    lines += [
        "",
        f"**Short texts**: documents of {SHORT.start} to {SHORT.stop - 1} words with {EDITED:.0%} of them deleted, replaced or inserted, asked for among all documents of the collection.",
        "",
        "| collection | such documents | asked | found at any rank | among ten hits |",
        "|---|--:|--:|--:|--:|",
    ]
    rows: list[Any] = [short(name, path) for name, path in zip(names, arguments.collections, strict=True)]
    for path in arguments.pairs:
        rows += ["", *every_pair(Path(path).name, load(path, arguments.queries))]
    text = "\n".join([*lines, *rows]) + "\n"
    print("\n".join(rows))
    if arguments.markdown:
        arguments.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
