"""Scheme ff on a real collection: as published at its best setting, and what probing adds.

    pip install scipy zstandard
    python bench/schemes/ff.py wiki_simple.jsonl.zst --cache DIR -o bench/results/ff.md

Truth is exact tf-idf cosine (bench/measuring/truth.py). Queries are disjoint from the documents that the
profile was learned from; the query itself and byte-identical copies do not count.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import pocketindex
from intervals import mean, table
from pocketindex.builder import Settings, build
from pocketindex.builder.conventions import murmur
from pocketindex.builder.pipeline import SAMPLE
from pocketindex.builder.schemes.ff import FfSettings, frequencies, pack_ff
from pocketindex.builder.schemes.profile import Profile
from truth import Collection, load, neighbours

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
PROBES = (1, 16, 256, 4096)

ONE_SCHEME = [
    ((0.0,),),
    ((-0.3,),),
    ((0.3,),),
    ((-0.35, 0.35),),
    ((-0.6, 0.1),),
    ((-0.5, 0.0, 0.6),),
]
THREE_SCHEMES = [
    ((0.0,), (-0.35, 0.35), (-0.6, 0.1)),
    ((0.0,), (-0.4,), (0.4,)),
    ((-0.7,), (0.0,), (0.9,)),
    ((-0.35, 0.35), (-0.6, 0.1), (-0.1, 0.6)),
    ((-0.8, 1.0), (-0.5, 1.5), (-0.9, 0.5)),
]
CLASSES = (10, 14, 18, 22, 26, 32, 40, 50, 70, 100)


def choose(collection: Collection, cache: Path, wanted: int) -> dict[str, Any]:
    """Two sets of queries outside the profile's sample, with their exact neighbours: a random one,
    and those of a larger one with a neighbour >= .6.
    """
    path = cache / f"truth-{len(collection.ids)}-{wanted}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    hashes = np.array([murmur(id.encode()) for id in collection.ids], np.uint64)
    sampled = set(np.argsort(hashes, kind="stable")[:SAMPLE].tolist())
    free = np.array([i for i in range(len(hashes)) if i not in sampled])
    drawn = np.random.default_rng(2007).permutation(free)[: 4 * wanted]
    near = neighbours(collection.rows, collection.rows[drawn], 0.3)
    copies: dict[str, list[int]] = {}
    for i, text in enumerate(collection.texts):
        copies.setdefault(text, []).append(i)
    truth = {}
    for q, (rows, cosines) in zip(drawn.tolist(), near, strict=True):
        own = np.isin(rows, copies[collection.texts[q]])
        truth[q] = (rows[~own], cosines[~own], len(copies[collection.texts[q]]) - 1)
    random = drawn[:wanted].tolist()
    similar = [q for q in drawn.tolist() if (truth[q][1] >= 0.6).any()][:wanted]
    out = {"truth": truth, "random": random, "similar": similar}
    path.write_bytes(pickle.dumps(out))
    return out


def score(
    found: dict[int, npt.NDArray[Any]], truth: dict[int, Any], collection: Collection
) -> dict[str, Any]:
    """Candidates a query, by threshold the recall of each query that has neighbours, and the share
    of all candidates that are at .5 or more.
    """
    right, recall = 0, dict[float, list[float]]()
    for q, f in found.items():
        if len(f):
            right += int(((collection.rows[f] @ collection.rows[q].T).toarray() >= 0.5).sum())
        for least in THRESHOLDS:
            near = truth[q][0][truth[q][1] >= least]
            if len(near):
                recall.setdefault(least, []).append(float(np.isin(near, f).mean()))
    all_found = sum(map(len, found.values()))
    return {
        "candidates": all_found / len(found),
        "recall": recall,
        "precision": right / max(1, all_found),
    }


def sweep(collection: Collection, chosen: dict[str, Any]) -> list[dict[str, Any]]:
    """Every setting at one probe: the published method.

    Keys come from the core; equality is looked up in numpy.
    """
    encoded = [text.encode() for text in collection.texts]
    data, ends = b"".join(encoded), np.cumsum([len(t) for t in encoded], dtype=np.uint64)
    order = sorted(range(len(collection.ids)), key=lambda i: murmur(collection.ids[i].encode()))[
        :SAMPLE
    ]
    sample = [encoded[i] for i in order]
    queries = chosen["similar"]
    out = []
    for prefix in (1, 2, 3, 4):
        counts = frequencies(sample, FfSettings(prefix=prefix))
        for classes in CLASSES:
            for borders in ONE_SCHEME + THREE_SCHEMES if prefix == 3 else THREE_SCHEMES[:1]:
                settings = FfSettings(classes=classes, prefix=prefix, borders=borders)
                profile = Profile(pack_ff("sweep", counts, settings), "sweep")
                keys = profile.sketch_many(data, ends, 0).keys
                found: dict[int, Any] = {q: [] for q in queries}
                lists = []
                for t in range(keys.shape[1]):
                    sort = np.argsort(keys[:, t], kind="stable")
                    ordered = keys[sort, t]
                    lists.append(len(ordered) / len(np.unique(ordered)))
                    low = np.searchsorted(ordered, keys[queries, t], "left")
                    high = np.searchsorted(ordered, keys[queries, t], "right")
                    for q, a, b in zip(queries, low, high, strict=True):
                        found[q].append(sort[a:b])
                sets = {
                    q: without_copies(np.unique(np.concatenate(f)), q, collection)
                    for q, f in found.items()
                }
                if np.mean([len(s) for s in sets.values()]) > 300:
                    continue
                out.append(
                    {
                        "classes": classes,
                        "prefix": prefix,
                        "borders": "; ".join(",".join(f"{b:g}" for b in s) for s in borders),
                        "postlist": float(np.mean(lists)),
                        **score(sets, chosen["truth"], collection),
                    }
                )
                print(classes, prefix, borders, f"{out[-1]['candidates']:.2f}", flush=True)
    return out


def without_copies(rows: npt.NDArray[Any], query: int, collection: Collection) -> npt.NDArray[Any]:
    """Leave out the query and its byte-identical copies."""
    text = collection.texts[query]
    return np.array([r for r in rows.tolist() if collection.texts[r] != text], np.int64)


def recalls(scored: dict[str, Any]) -> list[str]:
    return [mean(scored["recall"].get(least, [])) for least in THRESHOLDS]


def best(swept: list[dict[str, Any]]) -> list[list[str]]:
    """For each size of the result set the setting with the highest recall at .8."""
    rows = []
    for least, most in ((0, 0.5), (0.5, 1), (1, 2), (2, 4), (4, 8), (8, 16), (16, 64)):
        fitting = [one for one in swept if least <= one["candidates"] < most]
        if fitting:
            one = max(fitting, key=lambda one: float(np.mean(one["recall"].get(0.8, [0]))))
            said = [str(one["classes"]), str(one["prefix"]), one["borders"]]
            figures = [f"{one['postlist']:.2f}", *recalls(one), f"{one['precision']:.2f}"]
            rows.append([f"{one['candidates']:.2f}", *said, *figures])
    return rows


def end_to_end(path: Path, collection: Collection, chosen: dict[str, Any]) -> list[list[str]]:
    """The product itself: a file, its reader, each number of probes."""
    number = {id: i for i, id in enumerate(collection.ids)}
    rows = []
    with pocketindex.open(path) as index:
        for probes in PROBES:
            for name in ("random", "similar"):
                found = {}
                for q in chosen[name]:
                    hits = index.query(
                        collection.texts[q], top=70_000, probes=probes, min_similarity=0
                    )
                    places = np.array([number[hit.id] for hit in hits], np.int64)
                    found[q] = without_copies(places, q, collection)
                scored = score(found, chosen["truth"], collection)
                head = [name, str(probes), f"{scored['candidates']:.1f}"]
                rows.append([*head, *recalls(scored), f"{scored['precision']:.2f}"])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path, help="a folder outside the repository")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    collection = load(arguments.collection)
    chosen = choose(collection, arguments.cache, arguments.queries)
    source, path = arguments.cache / "documents.jsonl", arguments.cache / "x.pocket"
    with source.open("w", encoding="utf-8") as out:
        for id, text in zip(collection.ids, collection.texts, strict=True):
            out.write(json.dumps({"id": id, "text": text}) + "\n")
    build([str(source)], path, Settings(scheme="ff", profile="learn"))
    figures = [*(f"R@{least:g}" for least in THRESHOLDS), "P@.5"]
    settings = ["classes", "prefix", "borders", "postlist"]
    by_probes = end_to_end(path, collection, chosen)
    lines = [
        "# Scheme ff: fuzzy-fingerprinting as published, and with probes",
        "",
        f"`python bench/schemes/ff.py {Path(arguments.collection).name} --queries {arguments.queries}`, {time.strftime('%Y-%m-%d')}.",
        "",
        f"{len(collection.ids):,} documents of at least 50 words; two sets of queries outside the profile's sample: {len(chosen['random']):,} random ones, and the "
        f"{len(chosen['similar']):,} of {len(chosen['truth']):,} random ones that have another document at cosine .6. Truth is exact tf-idf cosine; the query and its copies do not count. "
        "R: recall of the queries that have neighbours, P: share of all candidates that are at .5 or more; 95 % intervals.",
        "",
        "## As published: one probe, the best setting for each size of the result set",
        "",
        *table(["candidates a query", *settings, *figures], best(sweep(collection, chosen))),
        "",
        "## A file, its profile learned from the collection",
        "",
        *table(["queries", "probes", "candidates", *figures], by_probes),
    ]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
