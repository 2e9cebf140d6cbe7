"""Does shared text tell edited copies from other documents of the same topical similarity? And does
it order degrees of copying?

    pip install scipy zstandard
    python bench/recall/shared.py FOLDER -o bench/results/shared.md        FOLDER has licences, clough_stevenson, wiki_simple .jsonl.zst

Nothing here is computed by what is measured: cosines, Jaccard similarities of word triples and
longest common subsequences of words are exact, over words cut by Python's re; labels of copying are
those of people.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import pocketindex
from merit import BITS, BOTH, Column, Pairs, auc, aucs, first, joined, together
from pocketindex.builder import Settings, build
from pocketindex.builder.evaluate.edits import edited
from pocketindex.builder.evaluate.truth import Truth, words
from pocketindex.builder.schemes.known_profiles import load
from pocketindex.builder.schemes.profile import Profile
from pocketindex.cbits import ffi, lib, query_options
from scipy.stats import kendalltau, spearmanr
from truth import LEAST_WORDS, read

SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
BANDS = ((0.7, 0.8), (0.8, 0.9), (0.9, 1.1))  # of exact cosine
FIGURES = ("similarity", *(f"shared {bits}" for bits in BITS))
EXACT = ("cosine", "Jaccard")
DEGREES = {"non": 0, "heavy": 1, "light": 2, "cut": 3}

HIT = np.dtype([("document", "<u4"), ("similarity", "<u4"), ("tables", "<u8")])


class Files:
    """The collection, built as a user would with each number of shared bits over one profile, and
    its exact truth.
    """

    def __init__(self, texts: list[str], lang: str, folder: Path) -> None:
        source = folder / "docs.jsonl"
        source.write_text(
            "".join(
                json.dumps({"id": str(i), "text": text, "lang": lang}) + "\n"
                for i, text in enumerate(texts)
            )
        )
        self.texts = texts
        self.truth = Truth(texts)
        self.indexes = []
        self.tokens = [words(text) for text in texts]
        profile, self.bytes = "auto", dict[int, float]()
        for bits in BITS:
            path = folder / f"{bits}.pocket"
            report = build([str(source)], path, Settings(profile=profile, shared_bits=bits))
            assert report.indexed == len(texts)
            self.indexes.append(pocketindex.open(path))
            profile = str(folder / f"{BITS[0]}.pocket")

    def similarities(self, text: bytes) -> Column:
        """With every document, as an exhaustive query gives them."""
        n = len(self.texts)
        hits, count = np.zeros(n, HIT), ffi.new("uint32_t *", n)
        buffer = ffi.from_buffer("pocket_hit[]", hits, require_writable=True)
        assert (
            lib.pocket_query(
                self.indexes[0]._core,
                text,
                len(text),
                query_options(lib.POCKET_EXHAUSTIVE),
                buffer,
                count,
                ffi.NULL,
            )
            == 0
        )
        out = np.zeros(n)
        out[hits["document"]] = hits["similarity"] / 10_000
        return out

    def figures(self, query: int, text: str, documents: Sequence[int]) -> Pairs:
        """All figures of a text with documents; query numbers it."""
        data, numbers = text.encode(), np.array(documents, np.int64)
        out: Pairs = {
            "query": np.full(len(numbers), query, float),
            "document": numbers.astype(float),
        }
        out["similarity"] = self.similarities(data)[numbers]
        for bits, index in zip(BITS, self.indexes, strict=True):
            shared = ffi.new("uint32_t[]", len(numbers))
            assert (
                lib.pocket_shared_estimate(
                    index._core, data, len(data), numbers.tolist(), len(numbers), shared, ffi.NULL
                )
                == 0
            )
            out[f"shared {bits}"] = np.array(list(shared)) / 10_000
        out["cosine"] = self.truth.cosines(self.truth.vectors([text]), numbers).astype(float)
        own = triples(words(text))
        out["Jaccard"] = np.array(
            [len(own & (one := triples(self.tokens[d]))) / len(own | one) for d in documents]
        )
        return out


def triples(tokens: list[str]) -> set[tuple[str, ...]]:
    return set(zip(tokens, tokens[1:], tokens[2:], strict=False)) or {tuple(tokens)}


def common(one: list[str], other: list[str]) -> float:
    """Twice the words of their longest common subsequence over the words of both: what a diff finds
    the same (Hyyrö 2004, in one big integer).
    """
    places: dict[str, int] = defaultdict(int)
    for i, word in enumerate(one):
        places[word] |= 1 << i
    full = v = (1 << len(one)) - 1
    for word in other:
        if matches := places.get(word):
            u = v & matches
            v = (v + u | v - u) & full
    return 2 * (len(one) - v.bit_count()) / (len(one) + len(other))


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
        "",
    ]


# The collections


def texts_of(path: Path) -> tuple[list[str], list[dict[str, Any]]]:
    kept = [document for document in read(path) if len(words(document["text"])) >= LEAST_WORDS]
    return [document["text"] for document in kept], kept


def clough(path: Path, folder: Path) -> Iterator[str]:
    texts, documents = texts_of(path)
    files = Files(texts, "en", folder)
    source = {
        document["group"]: i for i, document in enumerate(documents) if document["label"] == "orig"
    }
    answers = [i for i, document in enumerate(documents) if document["label"] in DEGREES]
    pairs = joined([files.figures(i, texts[i], [source[documents[i]["group"]]]) for i in answers])
    degrees = np.array([DEGREES[documents[i]["label"]] for i in answers])
    tasks = np.array([documents[i]["group"] for i in answers])
    yield f"{len(answers)} answers against the source of their task ({np.bincount(degrees).tolist()} of degree non < heavy < light < cut)."
    yield ""
    rows = []
    for name in (*FIGURES, *EXACT):
        value = pairs[name]
        each = [
            kendalltau(value[tasks == t], degrees[tasks == t]).statistic for t in sorted(source)
        ]
        rows.append(
            [
                name,
                f"{spearmanr(value, degrees).statistic:.3f}",
                f"{kendalltau(value, degrees).statistic:.3f}",
                f"{np.mean(each):.3f}",
                f"{auc(value[degrees > 0], value[degrees == 0]):.3f}",
                f"{auc(value[degrees > 1], value[degrees < 2]):.3f}",
                *(f"{np.median(value[degrees == d]):.2f}" for d in DEGREES.values()),
            ]
        )
    head = (
        "",
        "Spearman",
        "Kendall tau-b",
        "the same, mean of tasks",
        "AUC copied / non",
        "AUC light, cut / heavy, non",
    )
    yield from table([*head, *(f"median of {name}" for name in DEGREES)], rows)


def licences(path: Path, folder: Path) -> Iterator[str]:
    texts, _ = texts_of(path)
    files = Files(texts, "en", folder)
    chance = random.Random(2010)
    queries = sorted(chance.sample(range(len(texts)), 600))
    near = files.truth.neighbours(files.truth.rows[queries], 0.5)
    parts = []
    for query, found in zip(queries, near, strict=True):
        others = [int(d) for d in found.documents if d != query]
        if others:
            parts.append(
                files.figures(
                    query, texts[query], sorted(chance.sample(others, min(len(others), 12)))
                )
            )
    pairs = joined(parts)
    columns = (pairs["query"].astype(int), pairs["document"].astype(int))
    pairs["same"] = np.array(
        [common(files.tokens[q], files.tokens[d]) for q, d in zip(*columns, strict=True)]
    )
    yield f"{len(pairs['query']):,} pairs at cosine .5 and more, of {len(parts)} texts; *same* is the share of words that a diff finds the same."
    yield ""
    rows = []
    close = pairs["cosine"] >= 0.8
    for name in (*FIGURES, *EXACT):
        value = pairs[name]
        rows.append(
            [
                name,
                f"{spearmanr(value, pairs['same']).statistic:.3f}",
                f"{kendalltau(value, pairs['same']).statistic:.3f}",
                f"{spearmanr(value[close], pairs['same'][close]).statistic:.3f}",
                f"{auc(value[close & (pairs['same'] >= 0.9)], value[close & (pairs['same'] < 0.9)]):.3f}",
            ]
        )
    head = [
        "",
        "Spearman with same",
        "Kendall tau-b",
        f"Spearman at cosine >= .8 ({close.sum():,})",
    ]
    yield from table(
        [*head, f"AUC same >= .9 ({(close & (pairs['same'] >= 0.9)).sum():,}) there"], rows
    )
    vocabulary = [word for query in queries for word in texts[query].split()]
    shares, parts = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5), []
    for query in queries[:150]:
        for share in shares:
            part = files.figures(
                query, edited(texts[query], "mixed", share, vocabulary, chance), [query]
            )
            parts.append(part | {"degree": np.array([-share])})
    pairs = joined(parts)
    yield "150 texts with a share of their words edited: rank correlation with the share over all texts, and means."
    yield ""
    yield from table(
        ["", "Spearman", "Kendall tau-b", *(f"{share:.0%}" for share in shares)],
        [
            [
                name,
                f"{spearmanr(pairs[name], pairs['degree']).statistic:.3f}",
                f"{kendalltau(pairs[name], pairs['degree']).statistic:.3f}",
                *(f"{pairs[name][pairs['degree'] == -share].mean():.2f}" for share in shares),
            ]
            for name in (*FIGURES, *EXACT)
        ],
    )


def in_band(pairs: Pairs, band: tuple[float, float]) -> Pairs:
    at = (pairs["cosine"] >= band[0]) & (pairs["cosine"] < band[1])
    return {name: column[at] for name, column in pairs.items()}


def wiki(path: Path, folder: Path) -> Iterator[str]:
    texts, _ = texts_of(path)
    files, chance = Files(texts, "", folder), random.Random(2010)
    sampled = chance.sample(range(len(texts)), 12_000)
    near = files.truth.neighbours(files.truth.rows[sampled], BANDS[0][0])
    others = {
        q: [int(d) for d in found.documents if d != q and texts[d] != texts[q]]
        for q, found in zip(sampled, near, strict=True)
    }
    others = {q: chance.sample(found, min(len(found), 5)) for q, found in others.items() if found}
    different = joined([files.figures(q, texts[q], found) for q, found in others.items()])
    columns = (different["query"].astype(int), different["document"].astype(int))
    different["same"] = np.array(
        [common(files.tokens[q], files.tokens[d]) for q, d in zip(*columns, strict=True)]
    )
    yield f"{len(texts):,} pages; of {len(sampled):,} drawn {len(others):,} have another one at cosine {BANDS[0][0]} or more: {len(different['query']):,} pairs, at most five a page."
    yield "*same* is the share of words that a diff finds the same. Quartiles, and rank correlation of the figures with *same*:"
    yield ""
    rows = []
    for band in (*BANDS, (BANDS[0][0], BANDS[-1][1])):
        pairs = in_band(different, band)
        quartiles = [
            " / ".join(f"{np.quantile(pairs[name], q):.2f}" for q in (0.25, 0.5, 0.75))
            for name in ("same", "Jaccard")
        ]
        told = [
            f"{spearmanr(pairs[name], pairs['same']).statistic:.2f}" for name in (*FIGURES, *EXACT)
        ]
        rows.append([spoken(band), len(pairs["query"]), *quartiles, *told])
    yield from table(
        [
            "cosine",
            "pairs",
            "same",
            "Jaccard",
            *(f"Spearman: {name}" for name in (*FIGURES, *EXACT)),
        ],
        rows,
    )
    yield "At equal cosine: AUC of a page with an edited copy of it (1,000 pages, words deleted, replaced, inserted) against the pairs of different pages above, both of the"
    yield "same band of exact cosine. *Both* is Fisher's discriminant of similarity and shared, fitted on half of the queries, used on the other half. Cells of 20 copies or more."
    yield ""
    pages = sampled[:1_000]
    vocabulary = [word for q in pages for word in texts[q].split()]
    copies = {
        s: joined(
            [files.figures(q, edited(texts[q], "mixed", s, vocabulary, chance), [q]) for q in pages]
        )
        for s in SHARES
    }
    names, rows = (*FIGURES, *BOTH, *EXACT), []
    for band in BANDS:
        for share in SHARES:
            positive, negative = in_band(copies[share], band), in_band(different, band)
            if len(positive["query"]) >= 20:
                together(positive, negative)
                rows.append(
                    [
                        spoken(band),
                        f"{share:.0%}",
                        len(positive["query"]),
                        *aucs(positive, negative, names),
                    ]
                )
    yield from table(["cosine", "edited", "copies", *names], rows)
    yield f"{min(len(others), 400)} pages that have others at cosine {BANDS[0][0]} or more, edited and asked: the share whose original comes before all of these others (ties lost)."
    yield ""
    rows = []
    for share in SHARES:
        changed = {
            q: edited(texts[q], "mixed", share, vocabulary, chance) for q in list(others)[:400]
        }
        positive = joined([files.figures(q, text, [q]) for q, text in changed.items()])
        negative = joined([files.figures(q, text, others[q]) for q, text in changed.items()])
        rows.append(
            [
                f"{share:.0%}",
                *(f"{first(positive, negative, name):.3f}" for name in (*FIGURES, *EXACT)),
            ]
        )
    yield from table(["edited", *FIGURES, *EXACT], rows)


def spoken(band: tuple[float, float]) -> str:
    return f"{band[0]} - {min(band[1], 1)}"


def price(path: Path) -> Iterator[str]:
    """What the bits cost: processor time of text to records, and of one call for ten hits."""
    texts = [document["text"].encode() for document in read(path)[:4_000]]
    profile = load("en", "rff")
    data = b"".join(texts)
    ends = np.cumsum([len(t) for t in texts], dtype=np.uint64)
    seconds = {bits: sketching(profile, data, ends, bits) for bits in (0, *BITS)}
    yield (
        "Text to records, shipped profile `en`, processor time beside that without shared bits: "
        + ", ".join(f"{bits} bits {seconds[bits] / seconds[0]:.2f}" for bits in BITS)
        + f" (4,000 documents, {len(data) / 1e6:.1f} MB; without: {len(data) / 1e6 / seconds[0]:.0f} MB/s)."
    )


def sketching(profile: Profile, data: bytes, ends: npt.NDArray[np.uint64], bits: int) -> float:
    seconds = []
    for _ in range(5):
        start = time.process_time()
        profile.sketch_many(data, ends, 8, bits)
        seconds.append(time.process_time() - start)
    return min(seconds)


PARTS: dict[str, tuple[str, Callable[[Path, Path], Iterator[str]]]] = {
    "clough_stevenson": ("Degrees of copying, labelled by people", clough),
    "licences": ("Natural near-duplicates: licences", licences),
    "wiki_simple": (
        "Edited copies and different pages of the same cosine: Simple English Wikipedia",
        wiki,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    lines = [
        "# Shared text beside topical similarity",
        "",
        f"`python bench/recall/shared.py FOLDER`; documents of {LEAST_WORDS} words or more, default builds. In brackets: 95 % intervals, queries drawn anew. *cosine* and *Jaccard* (of",
        "word triples) are exact: what `similarity` and `shared_estimate` estimate; *shared N* is the latter from N bits.",
        "",
        *price(arguments.folder / "wiki_simple.jsonl.zst"),
        "",
    ]
    for name, (title, measure) in PARTS.items():
        if arguments.only in (None, name):
            lines += [f"## {title}", ""]
            with tempfile.TemporaryDirectory() as folder:
                lines += measure(arguments.folder / f"{name}.jsonl.zst", Path(folder))
            print("\n".join(lines), flush=True)
    if arguments.output:
        arguments.output.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
