"""The sources of PAN 2013's text alignment corpus (training part), by class of obfuscation.

    python bench/passages/pan13.py pan13_train.jsonl pan13_train_pairs.jsonl --cache DIR -o bench/results/pan13.md

A pair counts as found when `Index.sources` names the source among the first 100 of the suspicious
document. Pairs of the class without
plagiarism count as false when they are found. With kept texts the places are compared, as in the
overview papers of PAN: precision and recall are macro-averages of the characters of detections and
cases that overlap in both documents; granularity is the detections of a case that is found; plagdet
is F1 / log2(1 + granularity).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from intervals import wilson
from pocketindex.builder import Settings, build
from pocketindex.queries.sources import CommonPassage

SETTINGS = {"default: 4 words, window 12": (4, 12), "denser: 3 words, window 8": (3, 8)}
MOST = 100  # sources asked for
Case = tuple[int, int, int, int]  # start and end in the suspicious document, and in the source


def overlap(one: Case, other: Case) -> int:
    """Characters that two alignments have in common, none where they miss each other in a text."""
    own = min(one[1], other[1]) - max(one[0], other[0])
    there = min(one[3], other[3]) - max(one[2], other[2])
    return own if own > 0 and there > 0 else 0


def plagdet(pairs: list[tuple[list[Case], list[Case]]]) -> tuple[float, float, float, float]:
    """Precision, recall, granularity and plagdet of (cases, detections) of many pairs."""
    precisions = list[float]()
    recalls = list[float]()
    detected = list[int]()
    for cases, detections in pairs:
        for case in cases:
            hits = [one for one in detections if overlap(case, one)]
            covered = union((max(case[0], one[0]), min(case[1], one[1])) for one in hits)
            recalls.append(covered / (case[1] - case[0]))
            if hits:
                detected.append(len(hits))
        for one in detections:
            covered = union(
                (max(case[0], one[0]), min(case[1], one[1])) for case in cases if overlap(case, one)
            )
            precisions.append(covered / (one[1] - one[0]))
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    granularity = sum(detected) / len(detected) if detected else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, granularity, f1 / math.log2(1 + granularity)


def union(spans: object) -> int:
    """Characters that spans cover."""
    total, end = 0, -1
    for start, stop in sorted(spans):  # type: ignore[call-overload]
        total += max(0, stop - max(start, end))
        end = max(end, stop)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.documents.open(encoding="utf-8")]
    texts = {row["id"]: row["text"] for row in rows if row["label"] == "suspicious"}
    by_class = defaultdict[str, list[dict[str, object]]](list)
    for line in arguments.pairs.open(encoding="utf-8"):
        pair = json.loads(line)
        by_class[pair["class"]].append(pair)
    source = arguments.cache / "pan13.jsonl"
    originals = [row for row in rows if row["label"] == "source"]
    source.write_text("".join(json.dumps(row) + "\n" for row in originals))
    lines = [
        "# PAN 2013, text alignment, training part",
        "",
        f"`python bench/passages/pan13.py {arguments.documents.name} {arguments.pairs.name}`, "
        f"{time.strftime('%Y-%m-%d')}. {len(originals):,} sources, {len(texts):,} suspicious.",
    ]
    for name, (terms, window) in SETTINGS.items():
        file = arguments.cache / "pan13.pocket"
        settings = Settings(
            index=("documents", "passages", "words"),
            run_terms=terms,
            run_window=window,
            keep="text",
        )
        build([source], file, settings)
        lines += section(name, pocketindex.open(file), texts, by_class)
        print("\n".join(lines[-9:]), flush=True)
        arguments.output.write_text("\n".join(lines) + "\n")


def section(
    name: str,
    index: pocketindex.Index,
    texts: dict[str, str],
    by_class: dict[str, list[dict[str, object]]],
) -> list[str]:
    named = {
        key: {one.id: one.common for one in index.sources(text, MOST)}
        for key, text in texts.items()
    }
    info = index.info()
    lines = [
        "",
        f"## {name}",
        f"{info.sections['passages'] / len(index):,.0f} bytes a source for passages.",
        "",
        "| class | pairs | found | precision | recall | granularity | plagdet |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind, pairs in sorted(by_class.items()):
        hits, aligned = 0, list[tuple[list[Case], list[Case]]]()
        for pair in pairs:
            places: list[CommonPassage] = named[str(pair["suspicious"])].get(
                str(pair["source"]), []
            )
            hits += bool(places)
            cases = [
                (at, at + size, there, there + long)
                for at, size, there, long in pair["cases"]  # type: ignore[attr-defined]
            ]
            aligned.append(
                (cases, [(p.start, p.end, p.document_start, p.document_end) for p in places])
            )
        low, high = wilson(hits, len(pairs))
        figures = plagdet(aligned)
        rest = (
            " | ".join(f"{value:.3f}" for value in figures)
            if pairs[0]["cases"]
            else "- | " * 3 + "-"
        )
        lines.append(
            f"| {kind} | {len(pairs)} | {hits / len(pairs):.3f} ({low:.3f}-{high:.3f}) | {rest} |"
        )
    return lines


if __name__ == "__main__":
    main()
