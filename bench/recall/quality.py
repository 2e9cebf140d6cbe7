"""The shapes of pocketindex beside their peers in one run: recall by two truths, edited documents,
bytes, time; and revisions of one document.

    pip install scipy zstandard faiss-cpu tantivy rensa
    python bench/recall/quality.py wiki_simple.jsonl.zst reuters.jsonl.zst --revisions rev_peps.jsonl.zst --cache DIR -o bench/results/quality.md

Collections, truths, queries and edits: collection.py. Peers and what of theirs is timed: peers.py.
One that is not installed is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
from collection import AT, QUERIES, Collection, Truth, load
from engine import built, settings
from intervals import mean, share, table
from peers import ALL, Peer, Projections, bits, of_engine
from truth import read

TOPS = (10, 1000)
TIMED = 200
ROUNDS = 5
TURN = 40


def recall(peer: Peer, collection: Collection) -> dict[str, list[float]]:
    """By truth and number of hits, over queries with a neighbour: found of its neighbours / the
    most that so many hits can hold.
    """
    out: dict[str, list[float]] = defaultdict(list)
    for q in collection.queries:
        wanted = {truth: near[q][0] for truth, near in collection.near.items() if len(near[q][0])}
        if not wanted:
            continue
        same = collection.same(q)
        hits = [d for d in peer.ask(collection.texts[q], TOPS[-1] + len(same)) if d not in same]
        for truth, documents in wanted.items():
            for top in TOPS:
                out[f"{truth} {top}"].append(
                    float(np.isin(documents, hits[:top]).sum() / min(top, len(documents)))
                )
    return out


def edits(peer: Peer, collection: Collection) -> dict[str, list[bool]]:
    """Whether each edited document, or a byte-identical copy of it, is among ten hits."""
    return {
        what: [
            not collection.same(d).isdisjoint(peer.ask(text, 10))
            for d, text in zip(collection.random, texts, strict=True)
        ]
        for what, texts in collection.edits.items()
    }


def microseconds(peers: list[Peer], texts: list[str]) -> list[float]:
    """Of a query: mean over texts of the median of rounds.

    The peers take turns with TURN texts, so that they see the same machine and still their own data
    in its caches.
    """
    prepared = [[peer.prepare(text) for text in texts] for peer in peers]
    runs = [peer.time or (lambda query, peer=peer: peer.search(query, 10)) for peer in peers]
    took = np.zeros((len(peers), len(texts), ROUNDS))
    for first in range(0, len(texts), TURN):
        for again in range(ROUNDS):
            for number, (run, queries) in enumerate(zip(runs, prepared, strict=True)):
                for place in range(first, min(first + TURN, len(texts))):
                    start = time.perf_counter_ns()
                    run(queries[place])
                    took[number, place, again] = (time.perf_counter_ns() - start) / 1000
    return np.median(took, axis=2).mean(axis=1).tolist()


def peers_of(collection: Collection, folder: Path) -> list[Peer]:
    out: list[Peer] = []
    for make in ALL:
        try:
            out += make(collection, folder)
        except ImportError as error:
            print(f"left out: {error}")
    return out


def compare(collection: Collection, record: dict[str, Any]) -> list[str]:
    """A table of the collection; its figures go to record, too."""
    with tempfile.TemporaryDirectory() as folder:
        peers = peers_of(collection, Path(folder))
        times = microseconds(peers, [collection.texts[i] for i in collection.random[:TIMED]])
        rows = []
        for peer, took in zip(peers, times, strict=True):
            found, changed = recall(peer, collection), edits(peer, collection)
            row = [
                peer.name,
                f"{peer.bytes:.1f}",
                f"{took:.0f}",
                f"{took / times[0]:.2f}",
                mean(found["raw 10"]),
                mean(found["raw 1000"]),
            ]
            rows.append(
                [*row, mean(found["damped 10"]), *(share(each) for each in changed.values())]
            )
            record[peer.name] = {
                "bytes": peer.bytes,
                "microseconds": took,
                "build": peer.seconds,
                **{key: float(np.mean(values)) for key, values in found.items()},
                **{key: float(np.mean(values)) for key, values in changed.items()},
            }
            print(f"{collection.name}: {' | '.join(rows[-1])}", flush=True)
    head = [
        "",
        "bytes",
        "us",
        "ratio",
        "recall@10",
        "recall@1000",
        "recall@10, damped",
        *collection.edits,
    ]
    return [
        f"## {collection.name}: {len(collection.texts):,} documents",
        "",
        f"{len(collection.similar()):,} queries with a neighbour at {AT} by the binding truth, {len(collection.similar('damped')):,} by the other, "
        f"of {len(collection.queries):,} drawn; {len(collection.random)} edited documents; {TIMED} timed.",
        "",
        *table(head, rows),
        "",
    ]


def asked(texts: list[str], peer: Peer, number: int) -> list[int]:
    return peer.ask(texts[number], 11)


def revisions(path: str) -> list[list[str]]:
    """Does the oldest revision find the newest among ten hits? Beside the exact scan and a flat
    scan of 128 bits by Hamming distance.
    """
    documents = read(path)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        groups[str(document["group"])].append(number)
    texts, truth = [document["text"] for document in documents], Truth(damped=False)
    truth.learn(texts)
    ordered = [
        sorted(g, key=lambda i: (documents[i].get("rev") is not None, documents[i].get("rev")))
        for g in groups.values()
        if len(g) > 1
    ]
    signs = bits(Projections(truth, 128).of(truth.rows))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        ways: dict[str, Any] = {}
        for shape in ("balanced", "small"):
            try:
                engine = built(texts, Path(folder) / f"{shape}.pocket", settings(shape, threads=2))
            except LookupError:
                continue
            ways[f"{shape}, {engine.way}"] = partial(asked, texts, of_engine(shape, engine, 0))
            if shape == "balanced":
                ways["balanced, tables"] = partial(
                    asked, texts, of_engine(shape, engine, engine.default_probes)
                )
        ways["flat 128"] = lambda i: np.argsort(
            np.bitwise_count(signs ^ signs[i]).sum(1), kind="stable"
        )[:11].tolist()
        ways["exact scan"] = lambda i: np.argsort(
            -truth.cosines(truth.rows[i], slice(None)), kind="stable"
        )[:11].tolist()
        cosines = [float(truth.cosines(truth.rows[group[0]], [group[-1]])[0]) for group in ordered]
        for name, way in ways.items():
            found = [
                group[-1] in [d for d in way(group[0]) if d != group[0]][:10] for group in ordered
            ]
            close = [hit for hit, cosine in zip(found, cosines, strict=True) if cosine >= AT]
            rows.append(
                [
                    Path(path).name.split(".")[0],
                    name,
                    f"{len(close):,} of {len(found):,}",
                    share(close),
                    share(found),
                ]
            )
            print(" | ".join(rows[-1]), flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="*")
    parser.add_argument(
        "--queries",
        type=int,
        default=QUERIES,
        help="queries with a neighbour; fewer where a collection has no more",
    )
    parser.add_argument("--revisions", nargs="*", default=[])
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    names = " ".join(Path(path).name for path in arguments.collections)
    parts = [
        "# The shapes beside their peers",
        "",
        f"`python bench/recall/quality.py {names} --revisions {' '.join(Path(path).name for path in arguments.revisions)}`, {time.strftime('%Y-%m-%d')}, one thread.",
        "",
        f"Recall: of what lies at cosine {AT} or more, found / min(k, true), mean over queries with a 95 % interval (bootstrap); `damped` is the other truth (1 + ln tf, numbers). "
        "Edits: share of documents found among ten hits by a text of theirs with so many words replaced, or so much lost; Wilson intervals. Byte-identical copies of a query are neither "
        "expected nor counted. `us`: one query, from text to ten hits for pocketindex, the search alone for the others (peers.py); `ratio`: to the first row, in turn with it. "
        "In [brackets]: fewer than 30.",
        "",
    ]
    record: dict[str, Any] = {}
    for path in arguments.collections:
        collection = load(path, arguments.cache, arguments.queries)
        parts += compare(collection, record.setdefault(collection.name, {}))
        (arguments.cache / "quality.json").write_text(
            json.dumps(record, indent=1), encoding="utf-8"
        )
    if arguments.revisions:
        head = ["", "", f"pairs at {AT} or more", "found of these", "found of all"]
        parts += ["## Revisions: the oldest finds the newest among ten hits", ""]
        parts += [
            *table(head, [row for path in arguments.revisions for row in revisions(path)]),
            "",
        ]
    print("\n".join(parts))
    if arguments.output:
        arguments.output.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
