"""Scheme ff on a real collection: as published at its best setting, and what probing adds.

    pip install scipy zstandard
    python bench/schemes/ff.py wiki_simple.jsonl.zst --cache DIR -o bench/results/ff.md

Truth is exact tf-idf cosine (bench/measuring/truth.py). Queries are disjoint from the documents that the
profile was learned from; the query itself and byte-identical copies do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import pocketindex
from pocketindex.builder import Settings, build
from pocketindex.builder.build import SAMPLE
from pocketindex.builder.conventions import murmur
from pocketindex.builder.schemes.ff import FfSettings, frequencies, pack_ff
from pocketindex.builder.schemes.profile import Profile
from truth import Collection, bootstrap, load, neighbours

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
PROBES = (1, 16, 256, 4096)
FEW = 50

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
    """Recall and precision at each threshold, over queries and over pairs."""
    rows: dict[str, Any] = {
        "candidates": float(np.mean([len(f) for f in found.values()])),
        "at": {},
    }
    cosines = {}
    for q, f in found.items():
        cosines[q] = (
            np.asarray((collection.rows[f] @ collection.rows[q].T).todense()).ravel()
            if len(f)
            else np.zeros(0)
        )
    for t in THRESHOLDS:
        hit = []
        want = []
        good = []
        all_found = []
        for q, f in found.items():
            near = truth[q][0][truth[q][1] >= t]
            hit.append(np.isin(near, f).sum())
            want.append(len(near))
            good.append((cosines[q] >= t).sum())
            all_found.append(len(f))
        hits, wants, goods, sizes = (np.array(x, float) for x in (hit, want, good, all_found))
        some, any_found = wants > 0, sizes > 0
        each = hits[some] / wants[some]
        rows["at"][t] = {
            "queries": int(some.sum()),
            "pairs": int(wants.sum()),
            "recall_queries": (
                float(each.mean()) if some.any() else float("nan"),
                *bootstrap(each),
            ),
            "recall_pairs": (
                float(hits.sum() / max(wants.sum(), 1)),
                *bootstrap(hits[some], wants[some]),
            ),
            "precision_queries": float((goods[any_found] / sizes[any_found]).mean())
            if any_found.any()
            else float("nan"),
            "precision_pairs": float(goods.sum() / max(sizes.sum(), 1)),
        }
    return rows


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
                result = score(sets, chosen["truth"], collection)
                out.append(
                    {
                        "classes": classes,
                        "prefix": prefix,
                        "borders": borders,
                        "postlist": float(np.mean(lists)),
                        **result,
                    }
                )
                print(
                    classes,
                    prefix,
                    borders,
                    f"{result['candidates']:.2f}",
                    {t: round(r["recall_queries"][0], 3) for t, r in result["at"].items()},
                    flush=True,
                )
    return out


def without_copies(rows: npt.NDArray[Any], query: int, collection: Collection) -> npt.NDArray[Any]:
    """Leave out the query and its byte-identical copies."""
    text = collection.texts[query]
    return np.array([r for r in rows.tolist() if collection.texts[r] != text], np.int64)


def best_at(
    results: list[dict[str, Any]], least: float, most: float, threshold: float = 0.8
) -> dict[str, Any] | None:
    """The setting with the highest recall (over queries) among those with so many candidates a
    query.
    """
    fitting = [r for r in results if least <= r["candidates"] < most]
    return max(fitting, key=lambda r: r["at"][threshold]["recall_queries"][0], default=None)


def end_to_end(path: Path, collection: Collection, chosen: dict[str, Any]) -> list[dict[str, Any]]:
    """The product itself: a file, its reader, each number of probes."""
    number = {id: i for i, id in enumerate(collection.ids)}
    out = []
    with pocketindex.open(path) as index:
        for probes in PROBES:
            for name in ("random", "similar"):
                found = {}
                seconds = 0.0
                hits = 0
                self_found = 0
                capped = 0
                for q in chosen[name]:
                    start = time.perf_counter()
                    index.query(collection.texts[q], top=10, probes=probes)
                    seconds += time.perf_counter() - start
                    answer = index.query(collection.texts[q], top=70_000, probes=probes)
                    rows = np.array([number[h.id] for h in answer], np.int64)
                    self_found += q in rows
                    capped += answer.capped
                    found[q] = without_copies(rows, q, collection)
                    hits += min(len(found[q]), 10)
                count = len(chosen[name])
                result = score(found, chosen["truth"], collection)
                result |= {
                    "probes": probes,
                    "set": name,
                    "hits": hits / count,
                    "microseconds": seconds / count * 1e6,
                    "self": self_found / count,
                    "capped": capped,
                }
                out.append(result)
                print(
                    probes,
                    name,
                    f"{result['candidates']:.2f}",
                    {t: round(r["recall_queries"][0], 3) for t, r in result["at"].items()},
                    flush=True,
                )
    return out


def edits(path: Path, collection: Collection, queries: list[int]) -> list[dict[str, Any]]:
    """Share of edited documents whose original is found: words dropped, replaced or inserted (a
    third each), or the first quarter lost.
    """
    random = np.random.default_rng(5)
    background = [w for text in collection.texts[:2000] for w in text.split()]
    out = []
    with pocketindex.open(path) as index:
        for name in (
            "10 % edited",
            "20 % edited",
            "30 % edited",
            "first quarter lost",
            "half lost",
        ):
            found = dict.fromkeys(PROBES, 0)
            for q in queries:
                tokens = collection.texts[q].split()
                if "%" in name:
                    share, edited = int(name[:2]) / 100, []
                    for word in tokens:
                        u = random.random()
                        if u < share / 3:
                            continue
                        edited.append(
                            background[random.integers(len(background))]
                            if u < 2 * share / 3
                            else word
                        )
                        if 2 * share / 3 <= u < share:
                            edited.append(background[random.integers(len(background))])
                else:
                    edited = tokens[len(tokens) // (4 if "quarter" in name else 2) :]
                for probes in PROBES:
                    (hits,) = index.query_many([" ".join(edited)], top=70_000, probes=probes)
                    found[probes] += any(h.id == collection.ids[q] for h in hits)
            out.append(
                {
                    "edit": name,
                    "queries": len(queries),
                    **{str(p): n / len(queries) for p, n in found.items()},
                }
            )
            print(out[-1], flush=True)
    return out


def table(rows: list[list[str]]) -> str:
    """A Markdown table; the first row is the head."""
    return "\n".join(
        "| " + " | ".join(r) + " |" for r in [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    )


def shown(value: tuple[float, float, float]) -> str:
    return f"{value[0]:.3f} ({value[1]:.2f}-{value[2]:.2f})"


def report(
    collection: Collection,
    chosen: dict[str, Any],
    swept: list[dict[str, Any]],
    files: dict[str, Any],
    edited: list[Any],
    command: str,
) -> str:
    """The Markdown page."""
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    lines = [
        "# Scheme ff: fuzzy-fingerprinting as published, and with probes",
        "",
        f"`{command}`, {time.strftime('%Y-%m-%d')}, {cpu}, {os.cpu_count()} cores shared with other work (take times as ratios).",
        "",
        f"{len(collection.ids):,} documents of at least 50 words; two sets of queries outside the profile's sample: {len(chosen['random']):,} random ones, and the "
        f"{len(chosen['similar']):,} of {len(chosen['truth']):,} random ones that have another document at cosine >= .6. Truth is exact tf-idf cosine. The query and its byte-identical copies do not count "
        f"({sum(chosen['truth'][q][2] > 0 for q in chosen['random'])} of the random queries have copies). R: recall, P: precision of all candidates; intervals are 95 %, bootstrapped over queries; * marks fewer than {FEW} queries.",
        "",
        "## As published: one probe, the best setting for each size of the result set",
        "",
        f"Queries with a neighbour; {len(swept)} settings of classes, prefix length and borders were tried. The three sets of borders united are the paper's way; one set is shown for comparison by size alone.",
        "",
    ]
    rows = [
        [
            "candidates a query",
            "classes",
            "prefix",
            "borders",
            "postlist",
            *(f"R@{t:g}" for t in THRESHOLDS),
            "P@.5",
        ]
    ]
    for least, most in ((0, 0.5), (0.5, 1), (1, 2), (2, 4), (4, 8), (8, 16), (16, 64)):
        best = best_at(swept, least, most)
        if best:
            recall = [f"{best['at'][t]['recall_queries'][0]:.3f}" for t in THRESHOLDS]
            shown_borders = "; ".join(",".join(f"{b:g}" for b in s) for s in best["borders"])
            rows.append(
                [
                    f"{best['candidates']:.2f}",
                    str(best["classes"]),
                    str(best["prefix"]),
                    shown_borders,
                    f"{best['postlist']:.2f}",
                    *recall,
                    f"{best['at'][0.5]['precision_pairs']:.2f}",
                ]
            )
    lines += [table(rows), ""]
    for name, file in files.items():
        info = file["info"]
        each = info["bytes_per_document"]
        lines += [
            f"## End to end: {name}",
            "",
            f"{info['file_size']:,} bytes, {info['file_size'] / info['documents']:.1f} a document: "
            + ", ".join(f"{k} {v:.2f}" for k, v in each.items())
            + f". Average postlists {', '.join(str(t['average_postlist']) for t in info['tables'])} (2007: 1.17); hash {info['mph_bits_per_key']:.2f} bits a key.",
            "",
        ]
        rows = [
            [
                "queries",
                "probes",
                "candidates",
                "self",
                "us",
                *(f"R@{t:g} over queries" for t in THRESHOLDS),
            ]
        ]
        pairs = [
            ["queries", "probes", *(f"R@{t:g} over pairs (queries, pairs)" for t in THRESHOLDS)]
        ]
        precision = [["queries", "probes", *(f"P@{t:g} pairs / queries" for t in THRESHOLDS)]]
        for r in file["rows"]:
            head = [r["set"], str(r["probes"])]
            mark = {t: "*" if r["at"][t]["queries"] < FEW else "" for t in THRESHOLDS}
            rows.append(
                [
                    *head,
                    f"{r['candidates']:.1f}",
                    f"{r['self']:.4f}",
                    f"{r['microseconds']:.0f}",
                    *(shown(r["at"][t]["recall_queries"]) + mark[t] for t in THRESHOLDS),
                ]
            )
            pairs.append(
                [
                    *head,
                    *(
                        f"{shown(r['at'][t]['recall_pairs'])} ({r['at'][t]['queries']}{mark[t]}, {r['at'][t]['pairs']})"
                        for t in THRESHOLDS
                    ),
                ]
            )
            precision.append(
                [
                    *head,
                    *(
                        f"{r['at'][t]['precision_pairs']:.2f} / {r['at'][t]['precision_queries']:.2f}"
                        for t in THRESHOLDS
                    ),
                ]
            )
        lines += [table(rows), "", table(pairs), "", table(precision), ""]
    lines += ["## Edited documents: the original is found", ""]
    rows = [["edit", "queries", *(f"{p} probes" for p in PROBES)]]
    rows += [[e["edit"], str(e["queries"]), *(f"{e[str(p)]:.3f}" for p in PROBES)] for e in edited]
    return "\n".join([*lines, table(rows), ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path, help="a folder outside the repository")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--no-sweep", action="store_true", help="take the sweep from the cache")
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    collection = load(arguments.collection)
    print(len(collection.ids), "documents", flush=True)
    chosen = choose(collection, arguments.cache, arguments.queries)
    print(
        {
            t: (sum((chosen["truth"][q][1] >= t).any() for q in chosen["similar"]))
            for t in THRESHOLDS
        },
        flush=True,
    )
    source = arguments.cache / "documents.jsonl"
    source.write_text(
        "".join(
            json.dumps({"id": i, "text": t}) + "\n"
            for i, t in zip(collection.ids, collection.texts, strict=True)
        )
    )
    kept = arguments.cache / "sweep.json"
    if not (kept.exists() and arguments.no_sweep):
        kept.write_text(json.dumps(sweep(collection, chosen)))
    swept = [
        {**row, "at": {float(t): r for t, r in row["at"].items()}}
        for row in json.loads(kept.read_text())
    ]
    files = {}
    for name, settings in (
        ("profile learned from the collection (auto)", Settings(profile="learn")),
        ("shipped profile en (open)", Settings(profile="en")),
    ):
        path = arguments.cache / "x.pocket"
        build([str(source)], path, replace(settings, keys_per_part=60_000))
        with pocketindex.open(path) as index:
            info = index.info().as_dict()
        files[name] = {"info": info, "rows": end_to_end(path, collection, chosen)}
        if "auto" in name:
            edited = edits(path, collection, chosen["random"][:500])
    command = f"python bench/schemes/ff.py {Path(arguments.collection).name} --queries {arguments.queries}"
    arguments.output.write_text(report(collection, chosen, swept, files, edited, command))
    plain = {"sweep": swept, "files": files, "edits": edited}
    for file in files.values():
        file["info"].pop("path")
    arguments.output.with_suffix(".json").write_text(json.dumps(plain, indent=1))


if __name__ == "__main__":
    main()
