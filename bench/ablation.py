"""What each step from fuzzy-fingerprinting as published to the default scheme brings, on one collection.

    python bench/ablation.py reuters.jsonl.zst [--queries 500]        prints rows for docs/quality.md

Queries are documents that no profile is learned from; truth is the exact tf-idf cosine (pocketindex.builder.evaluate). `same candidates`: the
number of probes is the one whose candidates are nearest to those of the default, so that rows compare at one price.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.build import Settings
from pocketindex.builder.evaluate.collection import Collection, load
from pocketindex.builder.evaluate.measure import Subject, measure
from pocketindex.builder.profile import Head, Profile, murmur, pack
from pocketindex.builder.schemes import rff
from pocketindex.builder.schemes.calibration import calibrate
from pocketindex.builder.schemes.rff import Learned, RffSettings, Shape

PROBES = (1, 16, 64, 256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 16384)


def sampled(collection: Collection) -> list[bytes]:
    """The texts that the evaluation's profiles are learned from."""
    order = sorted(range(len(collection.ids)), key=lambda i: murmur(collection.ids[i].encode()))
    return [collection.texts[i].encode() for i in order[: collection.sample]]


def four_intervals(collection: Collection) -> bytes:
    """Half as many directions a sub-key, each in four intervals with a quarter of the sample: as many bits."""
    texts = sampled(collection)
    learned = Learned("four intervals", texts, len(collection.texts), RffSettings(tables=2))
    bits = learned.shape.bits // 2 * 2
    plain = Profile(learned.profile(Shape(2, bits, 128)), "plain")
    ratios = np.sort(plain.project_many(texts)[:, : 2 * bits], axis=0).astype(np.int64)
    n, half = len(ratios), bits // 2
    own = [*range(half), *range(bits, bits + half)]  # the first half of each sub-key's directions
    quarters = [[int(ratios[n * i // 4, j]) for i in (1, 2, 3)] for j in own]
    borders = [border for row in quarters for border in row] + [0] * (128 - 2 * half)
    components = [(j, 4 if j < 2 * half else 2) for j in range(128)]

    def profile(calibration: list[int]) -> bytes:
        head = Head(rff.NUMBER, "four intervals", [(0, half), (half, half)], components, borders, calibration, 5)
        rotation = np.frombuffer(learned_rotation(learned, own), np.int8).tobytes()
        return pack(head, rff.body(learned.embedding, spread, rotation, 2 * half, 128 - 2 * half))

    spread = int(np.median(ratios[:, own].std(axis=0)))
    return profile(calibrate(Profile(profile([0, 0, 5000, 9999]), "x"), texts))


def learned_rotation(learned: Learned, own: list[int]) -> bytes:
    """The columns of these directions of the two sub-keys."""
    bits = learned.shape.bits // 2 * 2
    columns = [t * learned.stride + i for t in range(2) for i in range(bits)]
    return np.ascontiguousarray(learned._rotation[:, [columns[j] for j in own]]).tobytes()


def row(name: str, subject: Subject, collection: Collection, probes: int | None) -> dict[str, Any]:
    found = measure(name, subject, collection, probes, with_edits=False)
    cells = [found.at[t] for t in ("0.7", "0.8", "0.9")]
    shown = " | ".join(f"{c['recall']:.2f} ({c['low']:.2f}-{c['high']:.2f})" for c in cells)
    print(
        f"| {name} | {found.probes} | {found.look_up_bytes:.1f} | {found.candidates:,.0f} | {shown} | {found.calibration['error'] or 0:.3f} |",
        flush=True,
    )
    return vars(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="+")
    parser.add_argument("--queries", type=int, default=500)
    arguments = parser.parse_args()
    collection = load(arguments.source, arguments.queries, 2007)
    queries = {t: sum(bool((collection.neighbours[q].cosines >= t).any()) for q in collection.similar) for t in (0.7, 0.8, 0.9)}
    print(f"{len(collection.texts):,} documents; queries with a neighbour at .7 / .8 / .9: {' / '.join(map(str, queries.values()))}\n")
    print("| | probes | look-up bytes | candidates | recall at .7 | .8 | .9 | error |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        four = Path(folder) / "four.profile"
        four.write_bytes(four_intervals(collection))
        steps: list[tuple[str, str, Any, str]] = [
            ("ff, as published", "ff", None, "learn"),
            ("+ idf, whole terms: hashed directions", "rff", RffSettings(rotation="neutral", tables=2, components=128), "learn"),
            ("+ learned rotation, 64 classes", "rff", RffSettings(classes=64, tables=2, components=128), "learn"),
            ("+ 1,024 classes, of prefixes of four letters", "rff", RffSettings(prefix=4, tables=2, components=128), "learn"),
            ("+ whole terms", "rff", RffSettings(tables=2, components=128), "learn"),
            ("four intervals, half the directions", "rff", None, str(four)),
            ("+ shape by tuning: the default", "rff", None, "learn"),
        ]
        price = 0.0
        for name, scheme, choices, profile in reversed(steps):
            subject = Subject(
                collection, Path(folder), Settings(scheme=scheme, scheme_settings=choices, profile=profile, sample=collection.sample)
            )
            if name.endswith("the default"):
                price = row(name, subject, collection, None)["candidates"]
            else:
                if scheme == "ff":
                    row(name, subject, collection, 1)
                candidates = {p: np.mean([subject.ask(collection.texts[q], p).candidates for q in collection.random[:100]]) for p in PROBES}
                row(f"{name}, same candidates", subject, collection, min(PROBES, key=lambda p: abs(candidates[p] - price)))
            subject.close()


if __name__ == "__main__":
    main()
